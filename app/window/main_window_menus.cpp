// The window's menus: every action with its shortcut.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>

#include "app/window/about_dialog.h"
#include "app/window/main_window.h"
#include "app/window/recent_runs.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/mark_steps.h"
#include "ui/models/run_filter.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

QMenu* MainWindow::buildFileMenu() {
    auto* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::openWithDialog);
    auto* recent = file->addMenu(tr("Open &Recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    m_saveAction = file->addAction(tr("&Save As…"), QKeySequence::Save, this, &MainWindow::saveWithDialog);
    m_saveAction->setEnabled(false);
    file->addSeparator();
    file->addAction(tr("&Export Figure…"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                    &MainWindow::exportFigure);
    file->addAction(tr("Co&py Figure"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), this,
                    &MainWindow::copyFigure);
    file->addSeparator();
    m_closeRunAction = file->addAction(tr("&Close Run"), QKeySequence::Close, this,
                                       [this] { closeRunAt(m_controller.currentRun()); });
    m_closeRunAction->setEnabled(false);
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    return file;
}

void MainWindow::buildViewMenu() {
    auto* view = menuBar()->addMenu(tr("&View"));
    auto& axis = m_controller.axis();
    // No shortcut here: F and Ctrl+Z belong to the timeline and the chart while they have the focus, so that
    // typing in a field stays typing.
    view->addAction(tr("&Fit the Whole Run\tShift+F"), this, [this] { shownAxis().fitAll(); });
    view->addAction(tr("Zoom &Back\tCtrl+Z"), this, [this] { shownAxis().zoomBack(); });
    view->addAction(tr("Zoom For&ward\tCtrl+Y"), this, [this] { shownAxis().zoomForward(); });
    auto* follow = view->addAction(tr("F&ollow the Run"));
    follow->setCheckable(true);
    follow->setChecked(axis.following());
    connect(follow, &QAction::triggered, &axis, &ui::TimeAxis::setFollowing);
    connect(&axis, &ui::TimeAxis::followingChanged, follow, &QAction::setChecked);
    view->addSeparator();
    const QList<Workspace::PageName> pages = Workspace::pageNames();
    for (int i = 0; i < pages.size(); ++i) {
        view->addAction(pages[i].title, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), this,
                        [this, i] { showPage(static_cast<Workspace::Page>(i)); })
            ->setToolTip(pages[i].toolTip);
    }
    view->addSeparator();
    // In a comparison it is both runs that are looked through.
    const auto inComparison = [this] { return m_pages->currentWidget() == m_comparison; };
    const auto find = [this, inComparison] {
        if (inComparison())
            return m_comparison->openFind();
        setFocusMode(false);
        m_workspace->openFind();
    };
    const auto findNext = [this, inComparison] {
        inComparison() ? m_comparison->findNext() : m_workspace->findPanel().findNext();
    };
    const auto findPrevious = [this, inComparison] {
        inComparison() ? m_comparison->findPrevious() : m_workspace->findPanel().findPrevious();
    };
    view->addAction(tr("Fi&nd…"), QKeySequence::Find, this, find)->setObjectName(QStringLiteral("find"));
    view->addAction(tr("Find Ne&xt"), Qt::Key_F3, this, findNext);
    view->addAction(tr("Find Pre&vious"), Qt::SHIFT | Qt::Key_F3, this, findPrevious);
    view->addAction(tr("Filter Bac&k"), QKeySequence(Qt::ALT | Qt::Key_Left), &m_workspace->filter(),
                    &ui::RunFilter::back);
    view->addAction(tr("Filter Forwar&d"), QKeySequence(Qt::ALT | Qt::Key_Right), &m_workspace->filter(),
                    &ui::RunFilter::forward);
    view->addSeparator();
    auto* views = view->addMenu(tr("&Go To"));
    for (const Workspace::ViewName& entry : Workspace::views()) {
        views->addAction(entry.title, this, [this, name = entry.name] {
            setFocusMode(false);
            closeComparison();
            QWidget* shown = m_workspace->view(name);
            m_workspace->showView(shown);
            shown->setFocus(Qt::OtherFocusReason);
        });
    }
    view->addSeparator();
    auto* compare = view->addMenu(tr("&Compare With"));
    compare->setObjectName(QStringLiteral("compareMenu"));
    connect(compare, &QMenu::aboutToShow, this, [this, compare] { fillCompareMenu(compare); });
    view->addSeparator();
    auto* timeline = m_workspace->timeline();
    auto* overview = view->addAction(tr("O&verview of the Run"));
    overview->setObjectName(QStringLiteral("overviewShown"));
    overview->setCheckable(true);
    overview->setChecked(true);
    connect(overview, &QAction::toggled, m_workspace->overview(), &QWidget::setVisible);
    auto* rows = view->addMenu(tr("&Rows of the Timeline"));
    rows->addAction(tr("&Fold All"), timeline, &ui::TimelineView::foldAll);
    rows->addAction(tr("&Unfold All"), timeline, &ui::TimelineView::unfoldAll);
    rows->addAction(tr("&Show All"), timeline, &ui::TimelineView::showAllRows);
    rows->addAction(tr("&Reset"), timeline, &ui::TimelineView::resetRows);
    auto* marks = view->addMenu(tr("&Marks"));
    using Timeline = ui::TimelineView;
    // With the focus in a table, too; a field that takes text keeps its letters.
    const auto onMarks = [this, marks](const QString& title, const QKeySequence& keys, auto action) {
        marks->addAction(title, keys, this, [this, action] {
            // In a comparison they are out of sight.
            if (m_pages->currentWidget() == m_workspace)
                action();
        });
    };
    ui::MarkSteps& steps = timeline->markSteps();
    onMarks(tr("&Mark the Cursor or Range…"), Qt::Key_M, [this] { m_workspace->addMark(); });
    onMarks(tr("&Next\tN"), {}, [&steps] { steps.next(); });
    onMarks(tr("&Previous\tShift+N"), {}, [&steps] { steps.previous(); });
    onMarks(tr("&Edit…\tE"), {}, [this] { m_workspace->editMark(); });
    onMarks(tr("&Delete\tDel"), {}, [&steps] { steps.removeCurrent(); });
    auto* chain = view->addMenu(tr("C&hain of Causes"));
    const auto onShown = [this](void (ui::TimelineView::*action)()) {
        return [this, action] {
            if (ui::TimelineView* shown = shownTimeline())
                (shown->*action)();
        };
    };
    chain->addAction(tr("&Cause"), Qt::Key_BracketLeft, this, onShown(&Timeline::selectCause));
    chain->addAction(tr("&Effect"), Qt::Key_BracketRight, this, onShown(&Timeline::selectEffect));
    auto* frameTimes = view->addAction(tr("Fra&me Times"));
    frameTimes->setObjectName(QStringLiteral("frameTimes"));
    frameTimes->setShortcut(Qt::Key_F12);
    frameTimes->setCheckable(true);
    frameTimes->setToolTip(tr("What drawing the timeline costs, in its corner"));
    connect(frameTimes, &QAction::toggled, timeline, &ui::TimelineView::setShowsFrameTimes);
    connect(frameTimes, &QAction::toggled, m_comparison, &ui::ComparisonView::setShowsFrameTimes);
    view->addSeparator();
    addArrangement(view);
    addThemes(view->addMenu(tr("&Theme")));
}

void MainWindow::addArrangement(QMenu* view) {
    auto* panel = view->addAction(tr("Run &Panel"));
    panel->setObjectName(QStringLiteral("runPanelShown"));
    panel->setCheckable(true);
    panel->setChecked(true);
    panel->setShortcut(Qt::CTRL | Qt::Key_B);
    connect(panel, &QAction::triggered, m_runPanel, &QWidget::setVisible);
    // A layout, or one view alone, hides it too.
    connect(view, &QMenu::aboutToShow, this, [this, panel] { panel->setChecked(!m_runPanel->isHidden()); });

    m_focusAction = view->addAction(tr("This View Al&one"));
    m_focusAction->setObjectName(QStringLiteral("focusMode"));
    m_focusAction->setCheckable(true);
    m_focusAction->setShortcut(Qt::Key_F11);
    connect(m_focusAction, &QAction::triggered, this, &MainWindow::setFocusMode);
    m_leaveFocus = new QPushButton(tr("Show everything (F11)"), menuBar());
    m_leaveFocus->setObjectName(QStringLiteral("leaveFocus"));
    m_leaveFocus->hide();
    connect(m_leaveFocus, &QPushButton::clicked, this, [this] { setFocusMode(false); });
    menuBar()->setCornerWidget(m_leaveFocus, Qt::TopRightCorner);

    auto* layouts = view->addMenu(tr("&Layout"));
    layouts->setObjectName(QStringLiteral("layoutMenu"));
    connect(layouts, &QMenu::aboutToShow, this, [this, layouts] { fillLayoutMenu(layouts); });
}

void MainWindow::addThemes(QMenu* themes) {
    auto* group = new QActionGroup(this);
    const QString chosen = QSettings().value(QStringLiteral("theme"), QStringLiteral("system")).toString();
    for (const auto& [word, title] :
         {std::pair{QStringLiteral("system"), tr("As the &Desktop")},
          std::pair{QStringLiteral("dark"), tr("&Dark")}, std::pair{QStringLiteral("light"), tr("&Light")}}) {
        auto* action = themes->addAction(title, this, [this, word = word] { chooseTheme(word); });
        action->setCheckable(true);
        action->setChecked(word == chosen);
        group->addAction(action);
    }
}

void MainWindow::buildMenus() {
    auto* name = new QLabel(tr("Warpglass"), menuBar());
    name->setObjectName(QStringLiteral("appName"));
    name->setContentsMargins(ui::Metrics::kSpace3, 0, ui::Metrics::kSpace2, 0);
    menuBar()->setCornerWidget(name, Qt::TopLeftCorner);

    buildFileMenu();
    buildViewMenu();

    auto* run = menuBar()->addMenu(tr("&Run"));
    m_runAction = run->addAction(tr("&Run"), QKeySequence(Qt::CTRL | Qt::Key_R), this,
                                 [this] { m_runPanel->requestRun(); });
    m_stopAction = run->addAction(tr("&Stop"), QKeySequence(Qt::CTRL | Qt::Key_Period), m_runPanel,
                                  &ui::RunPanel::requestStop);
    m_stopAction->setEnabled(false);

    auto* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Commands…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), this,
                    &MainWindow::openCommandPalette);
    auto* keys = help->addAction(tr("&Keys and Mouse"), this, &MainWindow::openShortcutSheet);
    keys->setShortcuts({QKeySequence(Qt::Key_Question), QKeySequence(QKeySequence::HelpContents)});
    help->addAction(tr("&About Warpglass"), this, [this] { showAbout(this); });
}

void MainWindow::fillRecentMenu(QMenu* menu) {
    menu->clear();
    const QStringList paths = m_recent->paths();
    for (const QString& path : paths) {
        menu->addAction(QFileInfo(path).fileName(), this, [this, path] { m_controller.openFiles({path}); })
            ->setToolTip(path);
    }
    if (paths.isEmpty()) {
        menu->addAction(tr("No recent runs"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    menu->addAction(tr("Clear List"), m_recent, &RecentRuns::clear);
}

void MainWindow::fillCompareMenu(QMenu* menu) {
    menu->clear();
    const auto& runs = m_controller.runs();
    const int shown = m_controller.currentRun();
    for (int i = 0; i < static_cast<int>(runs.size()); ++i) {
        const OpenedRunEntry& run = runs[static_cast<std::size_t>(i)];
        if (i == shown || shown == m_controller.recordingRun() || !run.snapshot)
            continue;
        menu->addAction(QString(run.title).replace(QLatin1Char('&'), QLatin1String("&&")), this,
                        [this, shown, i] { compareRuns(shown, i); });
    }
    if (menu->isEmpty())
        menu->addAction(tr("Open a second run, or drop two files"))->setEnabled(false);
}

void MainWindow::chooseTheme(const QString& word) {
    if (m_remember == Remember::kLayout)
        QSettings().setValue(QStringLiteral("theme"), word);
    auto& theme = ui::Theme::instance();
    theme.setKind(ui::Theme::kindForWord(word));
    theme.apply(*qApp);
}

}  // namespace warpglass::app
