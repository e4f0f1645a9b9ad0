// Closes open runs, one or many, and asks before anything is lost: a run or marks in memory only are saved or
// given up, a run that is being recorded is stopped first or kept. Every way to close a tab comes here.
//
// The question about the recording does not block the window, which keeps drawing it; the others return when
// they are answered. GUI thread only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "app/window/window_fwd.h"

namespace warpglass::app {

/// What would be lost if it were closed, in words.
QString unsavedPartOf(const OpenedRunEntry& run);

class RunClosing : public QObject {
    Q_OBJECT
public:
    /// `save` asks for a file and begins to save a run: false if the user chose none. With `asksAboutUnsaved`
    /// off, what is only in memory is dropped (tests). The window is the dialogs' parent.
    RunClosing(SessionController& controller, QWidget& window, bool asksAboutUnsaved,
               std::function<bool(int index)> save);

    void closeAt(int index);
    /// Closes the run with this id, which stays while others are closed; nothing if it is no longer open.
    void closeOf(std::uint64_t id) { close({id}); }
    void closeAllBut(std::uint64_t id);

signals:
    /// The user chose to stop the recording.
    void stopRequested();

private:
    void close(std::vector<std::uint64_t> ids);
    /// Closes the runs that are to be closed, in turn, until one needs a question that cannot wait.
    void closeNext();
    /// False: the user canceled, for the other runs too.
    bool closeUnsaved(int index);
    void askAboutRecording(std::uint64_t id);
    void runEnded();
    void closeSaved();

    SessionController& m_controller;
    QWidget& m_window;
    bool m_asksAboutUnsaved;
    std::function<bool(int)> m_save;
    std::vector<std::uint64_t> m_waiting;  // to be closed, the last of them first
    bool m_isClosing = false;
    std::set<std::uint64_t> m_onceSaved;
    std::uint64_t m_onceStopped = 0;
    QPointer<QDialog> m_question;
};

}  // namespace warpglass::app
