// What can be done with an open run as a whole, from its tab or the File menu: rename it, show its file,
// close it or the others, delete it. GUI thread only.
#pragma once

#include <QObject>
#include <QString>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class RunActions : public QObject {
    Q_OBJECT
public:
    /// All of these outlive it. The window is the dialogs' parent.
    RunActions(SessionController& controller, RunClosing& closing, RecentRuns& recent, QWidget& window);

    /// What can be done with the run at that index; each entry that is not offered says why beside its title.
    void fillMenu(QMenu& menu, int index);
    /// Asks what it is to be called.
    void rename(int index);
    void showInFolder(int index);
    /// Asks first. To the trash where there is one, else, asked once more, for good.
    void remove(int index);

    /// Why a run's file is not deleted from here; empty where it can be.
    QString whyNotRemoved(int index) const;

signals:
    /// One sentence.
    void failed(const QString& sentence);
    void removed(const QString& sentence);

private:
    /// False where neither was possible or wanted.
    bool removeFile(const QString& title, const QString& path);
    void closeAllOf(const QString& path);

    SessionController& m_controller;
    RunClosing& m_closing;
    RecentRuns& m_recent;
    QWidget& m_window;
};

}  // namespace warpglass::app
