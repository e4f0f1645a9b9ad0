// Whether the window may close: a recording, sweeps and experiments are stopped first, what is in memory only
// is saved or given up, and what is being written or read comes to its end. Where it cannot close now but the
// person wants it to, it closes by itself later. RunClosing is for single runs.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>
#include <vector>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class WindowClosing : public QObject {
    Q_OBJECT
public:
    /// `save` asks where to, and begins to save a run: false where the person chose no file. With
    /// `asksAboutUnsaved` off what is in memory only is given up (tests).
    WindowClosing(SessionController& controller, WindowPages& pages, QWidget& window, bool asksAboutUnsaved,
                  std::function<bool(int index)> save);

    /// To be asked when the window is to close; false when it stays open, for now or at all.
    bool mayClose();

public slots:
    /// Something has ended, and what there is to say of it has been said.
    void closeOnceStopped();

signals:
    /// The person wants the recording stopped, and the window closed then.
    void recordingStopRequested();
    void waitsForWork();

private:
    /// What goes on and is to be stopped first.
    std::vector<RunningWork> running() const;
    void stopAll();
    void stopWhatRuns();
    /// Asks before runs or marks in memory only are lost.
    bool settleUnsaved();

    SessionController& m_controller;
    WindowPages& m_pages;
    QWidget& m_window;
    bool m_asksAboutUnsaved;
    std::function<bool(int)> m_save;
    QPointer<QDialog> m_stopQuestion;
    bool m_onceStopped = false;
    bool m_onceIdle = false;
    bool m_lossAccepted = false;  // while it waits: what is not saved has been asked about
};

}  // namespace warpglass::app
