// The one window: run panel at the left, the views of the shown run beside it, menus, progress and messages.
#pragma once

#include <QMainWindow>

#include "engine/plan/run_config.h"

class QAction;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace warpglass::ui {
class RunPanel;
}

namespace warpglass::app {

class RecentRuns;
class RunTabs;
class SessionController;
class StartPage;
class Workspace;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// kNothing: leaves the user's settings alone (--render, tests).
    enum class Remember { kLayout, kNothing };

    MainWindow(SessionController& controller, Remember remember, QWidget* parent = nullptr);
    ~MainWindow() override;

    Workspace& workspace() const { return *m_workspace; }
    ui::RunPanel& runPanel() const { return *m_runPanel; }

public slots:
    void openWithDialog();
    void saveWithDialog();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildMenus();
    QMenu* buildFileMenu();
    void buildStatusBar();
    void connectController();
    void closeRunAt(int index);
    /// Asks before runs that are in memory only are lost.
    bool mayDropUnsaved(int runs);
    void fillRecentMenu(QMenu* menu);
    void showWarnings();
    void showMessage(const QString& sentence, bool problem);
    void chooseTheme(const QString& word);
    void restoreLayout();
    void saveLayout();
    void aboutWarpglass();
    void listShortcuts();

    SessionController& m_controller;
    Remember m_remember;
    RecentRuns* m_recent = nullptr;
    ui::RunPanel* m_runPanel = nullptr;
    RunTabs* m_runTabs = nullptr;
    StartPage* m_startPage = nullptr;
    Workspace* m_workspace = nullptr;
    QStackedWidget* m_pages = nullptr;
    QLabel* m_banner = nullptr;
    QLabel* m_message = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_cancelSave = nullptr;
    QAction* m_saveAction = nullptr;
    QAction* m_closeRunAction = nullptr;
    QAction* m_runAction = nullptr;
    QAction* m_stopAction = nullptr;
    bool m_closeWhenStopped = false;
    bool m_closeWhenIdle = false;
};

}  // namespace warpglass::app
