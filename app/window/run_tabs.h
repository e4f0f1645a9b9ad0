// The open runs, as quiet tabs. Any number fits: long
// titles are elided, and arrows scroll.
#pragma once

#include <QFrame>

class QTabBar;

namespace warpglass::app {

class SessionController;

class RunTabs : public QFrame {
    Q_OBJECT
public:
    explicit RunTabs(SessionController& controller, QWidget* parent = nullptr);

    /// The tab that is in front meanwhile, as A's is in a comparison; −1: that of the run shown.
    void setFront(int index);

signals:
    void closeRequested(int index);
    /// By the person, on any of them.
    void clicked();

private:
    void refresh();

    SessionController& m_controller;
    QTabBar* m_bar;
    int m_front = -1;
};

}  // namespace warpglass::app
