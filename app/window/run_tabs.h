// The open runs, as quiet tabs at the right of the menu bar.
#pragma once

#include <QTabBar>

namespace warpglass::app {

class SessionController;

class RunTabs : public QTabBar {
    Q_OBJECT
public:
    explicit RunTabs(SessionController& controller, QWidget* parent = nullptr);

private:
    void refresh();

    SessionController& m_controller;
    int m_shownCount = -1;
};

}  // namespace warpglass::app
