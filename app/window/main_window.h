// The one window: run panel at the left, the views of the shown run beside it, menus, progress and messages.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <memory>
#include <optional>

#include "app/window/workspace.h"
#include "engine/plan/valid_config.h"

class QAction;
class QActionGroup;
class QDialog;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace warpglass {
class Snapshot;
namespace ui {
class ComparisonView;
class DataTable;
class RunPanel;
class SegmentedControl;
class SystemTheme;
class TimelineView;
}  // namespace ui
}  // namespace warpglass

namespace warpglass::app {

class Banner;
class CalmStrip;
class FocusCorner;
class FocusMode;
struct FigureChoice;
class MarkNotice;
class RecentRuns;
class RunActions;
class RunClosing;
class RunTabs;
class RunViews;
class SessionController;
class StartPage;
class TrialRuns;
class WindowLayout;
class WorkBar;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// kNothing: leaves the user's settings alone (--render, tests).
    enum class Remember { kLayout, kNothing };

    MainWindow(SessionController& controller, Remember remember, QWidget* parent = nullptr);
    ~MainWindow() override;

    Workspace& workspace() const { return *m_workspace; }
    ui::RunPanel& runPanel() const { return *m_runPanel; }
    /// Light or dark as the desktop is, also where that changes; until a person chooses one of them.
    void followDesktop();

public slots:
    void openWithDialog();
    void saveWithDialog();
    /// Two runs over each other, `a` first; indices of finished runs.
    void compareRuns(int a, int b);
    /// The view that has the focus, or another, as a figure.
    void exportFigure();
    /// As the last one was exported.
    void copyFigure();
    void openCommandPalette();
    void openShortcutSheet();
    /// Hides all but the view in front.
    void setFocusMode(bool on);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    /// Of all of the application: a line edit would take Ctrl+E, as End, and leave Ctrl+Y.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildBanners(QWidget* parent);
    void buildMenus();
    QMenu* buildFileMenu();
    void buildViewMenu();
    /// For the figure's key: see eventFilter().
    static constexpr QKeyCombination kFigureKey = Qt::CTRL | Qt::Key_E;
    static constexpr double kZoomIn = 0.7;  // a key's step, as in the timeline
    /// Only with a run is there anything to do for it.
    QAction* ofRun(QAction* action);
    /// Nor in a comparison, where what it is done to is out of sight.
    QAction* ofOneRun(QAction* action);
    /// Of the timeline in front.
    void onTimeline(QMenu* menu, const QString& title, void (ui::TimelineView::*action)(),
                    const QKeySequence& keys = {});
    void addSamples(QMenu* file);
    void addZooms(QMenu* view);
    void addGoTo(QMenu* menu);
    void fillOptionsMenu(QMenu* menu);
    void addFind(QMenu* view);
    void addSteps(QMenu* filters);
    void addComparisons(QMenu* view);
    void addRows(QMenu* rows);
    void addMarks(QMenu* marks);
    void zoomBy(double factor);
    /// The run `by` tabs further, round the end.
    void stepRun(int by);
    /// The next run that has ended, round the end; −1 where the run in front has none to be compared with.
    int nextToCompare() const;
    void compareWithNext();
    void offerComparison();
    void fillSpanMenu(QMenu* menu);
    void fillTableMenu(QMenu* menu);
    /// That has the focus, or stands beside what has it; null where none is shown.
    ui::DataTable* tableInFront() const;
    void addArrangement(QMenu* view);
    void addAppearance(QMenu* appearance);
    /// In its action, and where the start page speaks of it.
    void sayPanelShown();
    /// Only of a run that is being recorded.
    void offerFollowing();
    void addThemes(QMenu* themes);
    void addSizes(QMenu* sizes);
    void findDevices();
    void buildStatusBar();
    /// What is said of marks as they are made and deleted.
    void connectMarks();
    QWidget* buildRunRow(QWidget* parent);
    void connectPages();
    void connectController();
    void connectFiles();
    void connectRun();
    /// Asks first where the run is predicted not to fit this machine's memory.
    void startRun(const ValidConfig& config);
    /// Back to what was in front of a run of which nothing was recorded.
    void goBackFromRun();
    /// The views of a run; the start page for −1.
    void showRun(int index);
    void offerRun();
    void stopAndClose();
    /// Asks before runs or marks in memory only are lost; false when the window stays open, for now or at
    /// all.
    bool settleUnsaved();
    /// settleUnsaved(), but for what was answered before the window began to wait for its work to end.
    bool mayClose();
    /// False when the person chose no file.
    bool askAndSave(int index);
    void fillRecentMenu(QMenu* menu);
    void fillCompareMenu(QMenu* menu);
    /// Why an entry of the menus cannot be chosen now, in a few words.
    QString whyNot(const QAction& action) const;
    /// The run in front with the last of these, once they are open.
    void openToCompare(const QStringList& paths);
    void compareWithDialog();
    void showPage(Workspace::Page page);
    /// With the keyboard, which is then where the page's own keys are taken.
    void goToPage(Workspace::Page page);
    void closeComparison();
    /// Of a file that was opened or saved.
    void rememberFile(const QString& path);
    void sayTitles();
    /// In the window's title, and what its runs lack.
    void nameComparison();
    /// The open run's index; −1 where there is none.
    int runWith(const std::shared_ptr<const Snapshot>& snapshot) const;
    /// Compares, once all that was to be opened for it is there; `path` is the last of it so far.
    void compareOpened(const QString& path);
    /// Where a run was opened from last, else where runs are recorded.
    QString folderOfRuns() const;
    /// Of the run in front, or of the comparison.
    ui::TimeAxis& shownAxis();
    /// Of the run in front, or of a comparison the one that has the focus, else A's; null on the start page.
    ui::TimelineView* shownTimeline() const;
    void showWarnings();
    /// "A: …", "B: …".
    QStringList comparedWarnings() const;
    void showMessage(const QString& sentence, bool problem);
    void sayOfRun();
    void showProblems(const QStringList& sentences, bool ofRun);
    void forgetRunProblem();
    /// Once, in words; elsewhere in a word.
    void showRunResult(bool ok, const QString& sentence);
    void showStatusBar();
    void chooseTheme(const QString& word);
    QList<FigureChoice> figureChoices();
    QString figureCaption() const;
    QString viewInFront() const;
    void fillLayoutMenu(QMenu* menu);
    void saveLayoutAs();
    void resetSize();
    /// With its frame.
    void fitOnScreen();
    void restoreLayout();
    void saveLayout();

    SessionController& m_controller;
    Remember m_remember;
    RecentRuns* m_recent = nullptr;
    ui::RunPanel* m_runPanel = nullptr;
    RunTabs* m_runTabs = nullptr;
    StartPage* m_startPage = nullptr;
    Workspace* m_workspace = nullptr;
    ui::ComparisonView* m_comparison = nullptr;
    QStackedWidget* m_pages = nullptr;
    CalmStrip* m_messages = nullptr;  // of these
    Banner* m_openProblems = nullptr;
    bool m_problemsOfRun = false;  // and not of files
    Banner* m_copyNotice = nullptr;
    Banner* m_banner = nullptr;
    QPushButton* m_saveFromBanner = nullptr;
    MarkNotice* m_markNotice = nullptr;
    QLabel* m_message = nullptr;
    WorkBar* m_work = nullptr;
    QActionGroup* m_runActions = nullptr;
    QActionGroup* m_oneRunActions = nullptr;
    QActionGroup* m_comparisonActions = nullptr;
    QAction* m_saveAction = nullptr;
    QAction* m_closeRunAction = nullptr;
    QAction* m_runAction = nullptr;
    QAction* m_stopAction = nullptr;
    QAction* m_focusAction = nullptr;
    ui::SystemTheme* m_systemTheme = nullptr;
    QSize m_openedAs;  // before anyone sized it
    QAction* m_followAction = nullptr;
    QAction* m_zoomBackAction = nullptr;
    QAction* m_compareNextAction = nullptr;
    QAction* m_panelAction = nullptr;
    FocusCorner* m_focusCorner = nullptr;
    ui::SegmentedControl* m_pageChoice = nullptr;
    TrialRuns* m_trials = nullptr;
    std::unique_ptr<WindowLayout> m_layout;
    std::unique_ptr<FocusMode> m_focusMode;
    /// The two runs that the comparison shows, while it does.
    std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>> m_compared;
    QTimer m_comparedDamage;  // while they are shown
    /// What was in front as the recording began; nothing once the person has gone elsewhere.
    struct Before {
        Workspace::Page page;
        std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>> compared;
    };
    std::optional<Before> m_beforeRun;
    RunViews* m_runViews = nullptr;
    RunClosing* m_closing = nullptr;
    RunActions* m_runAsAWhole = nullptr;
    /// How the recording goes, or how the last one ended.
    QString m_runMessage;
    /// Runs that are being opened to be compared: when both are there, they are.
    int m_compareOnceOpened = 0;
    std::shared_ptr<const Snapshot> m_compareWith;  // that run with the last of them; null: the first of them
    QString m_lastFolder;                           // that a run was opened from; no sample
    /// What had the focus before the comparison: it comes back to it.
    QPointer<QWidget> m_beforeComparison;
    QPointer<QDialog> m_stopQuestion;
    bool m_closeWhenStopped = false;
    bool m_closeWhenIdle = false;
    bool m_lossAccepted = false;  // while it waits: what is not saved has been asked about
};

}  // namespace warpglass::app
