// The one window: run panel at the left, the views of the shown run beside it, messages over them and below.
// Makes the objects that do its work, lays out their widgets and connects them:
//
//   WindowPages       what is in front, and every way from one run, page or comparison to another
//   WindowFiles       opening and saving; recent runs
//   CompareWith       what the run in front is compared with
//   RecordingControl  between the run panel and the run that is being recorded
//   RunPanelPlace     the run panel at the left edge, or a rail in its place
//   Lessons           the lesson that is gone through, beside the views
//   WindowMessages    banners and the status bar
//   WindowClosing     whether the window may close; RunClosing and RunActions: single runs
//   MainMenus, ViewMenu, AppearanceMenu; MenuConditions says which entries can be chosen, and why not
//   FigureCommands, FocusMode, PresentationMode, WindowLayout, TrialRuns
#pragma once

#include <QMainWindow>
#include <memory>

#include "app/window/window_fwd.h"
#include "app/window/window_pages.h"

namespace warpglass::app {

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// kNothing: leaves the user's settings alone (--render, tests).
    enum class Remember { kLayout, kNothing };

    MainWindow(SessionController& controller, Remember remember, QWidget* parent = nullptr);
    ~MainWindow() override;

    WindowPages& pages() const { return *m_pages; }
    Workspace& workspace() const { return m_pages->workspace(); }
    ui::RunPanel& runPanel() const { return *m_runPanel; }
    RunPanelPlace& runPanelPlace() const { return *m_runPlace; }
    WindowFiles& files() const { return *m_files; }
    FigureCommands& figures() const { return *m_figures; }
    FocusMode& focusMode() const { return *m_focus; }
    PresentationMode& presentation() const { return *m_presentation; }
    Lessons& lessons() const { return *m_lessons; }
    MainMenus& menus() const { return *m_menus; }
    AppearanceMenu& appearance() const { return *m_appearance; }
    /// In place of QMainWindow's, which always takes a row.
    QStatusBar* statusBar() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    /// Sees the events of all of the application: a line edit would take Ctrl+E, as End, and leave Ctrl+Y.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    RunRow* buildRunRow(QWidget* parent);
    void layOut(QWidget* central);
    void buildMenus();
    void connectPages();
    void connectSweeps();
    void connectExperiments();
    void connectTrials();
    void connectLessons();
    void connectMessages();
    void showTabMenu(int index, QPoint at);
    /// Where there is little room it comes and goes.
    void fitParts();
    /// With its frame.
    void fitOnScreen();
    void restoreLayout();
    void saveLayout();

    SessionController& m_controller;
    bool m_remembers;
    QSize m_openedAs;  // before anyone sized it
    ui::RunPanel* m_runPanel;
    RunPanelPlace* m_runPlace;
    WindowFiles* m_files;
    WindowPages* m_pages;
    RunRow* m_runRow;
    QVBoxLayout* m_right = nullptr;  // beside the run panel
    RunTabs* m_runTabs = nullptr;
    ui::SegmentedControl* m_pageChoice = nullptr;
    TrialRuns* m_trials;
    WindowClosing* m_closing;
    FocusMode* m_focus;
    StatusPlace* m_status;
    WindowMessages* m_messages;
    CompareWith* m_compareWith;
    RunClosing* m_runClosing;
    RunActions* m_wholeRun;
    std::unique_ptr<WindowLayout> m_layout;
    FigureCommands* m_figures;
    Lessons* m_lessons;
    PresentationMode* m_presentation;
    ReportCommands* m_reports;
    MainMenus* m_menus = nullptr;
    AppearanceMenu* m_appearance = nullptr;
};

}  // namespace warpglass::app
