// What the run in front is compared with: the next open run, another one of them, or files, which are opened
// first. Fills the menu that offers them.
//
// GUI thread only; files are opened on the controller's worker.
#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <memory>

#include "app/window/window_fwd.h"

namespace warpglass::app {

class CompareWith : public QObject {
    Q_OBJECT
public:
    /// All of these outlive it.
    CompareWith(SessionController& controller, WindowPages& pages, WindowFiles& files, QObject* parent);

    void fillMenu(QMenu& menu);
    /// The next run that has ended, round the end; −1 where the run in front has none to be compared with.
    int next() const;

public slots:
    void compareWithNext();
    /// Opens files that were dropped; two at once are there to be compared.
    void openDropped(const QStringList& paths);

private:
    bool canCompareShown() const;
    /// By OpenedRunEntry::id; nothing happens unless both are open still.
    void compare(std::uint64_t a, std::uint64_t b);
    /// Opens these behind the run in front, and compares it with the last of them.
    void openAndCompare(const QStringList& paths);
    /// Compares, once all that was to be opened for it is there; `path` is the last of it so far.
    void onOpened(const QString& path);

    SessionController& m_controller;
    WindowPages& m_pages;
    WindowFiles& m_files;
    QStringList m_toBeOpened;  // of what is to be compared
    /// What is compared with the last that is opened; null: the first that is.
    std::shared_ptr<const Snapshot> m_with;
};

}  // namespace warpglass::app
