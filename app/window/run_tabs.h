// The open runs, as quiet tabs: that of the current run is in front, also behind a comparison, which Esc then
// leaves for it. Any number fits: long titles are elided, and arrows scroll.
#pragma once

#include <QFrame>
#include <QPoint>

class QTabBar;

namespace warpglass::app {

class SessionController;

class RunTabs : public QFrame {
    Q_OBJECT
public:
    explicit RunTabs(SessionController& controller, QWidget* parent = nullptr);

signals:
    void closeRequested(int index);
    /// The user clicked on any of them.
    void clicked();
    /// The menu of the tab at that index was requested, at a position on the screen.
    void menuRequested(int index, QPoint at);

private:
    void refresh();

    SessionController& m_controller;
    QTabBar* m_bar;
};

}  // namespace warpglass::app
