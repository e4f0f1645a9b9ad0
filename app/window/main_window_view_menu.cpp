// The window's View menu: what is shown of the run, and the views' own actions, so that the palette has them
// too. A key after a tab is a view's, which has it only while it has the focus: it would be typed elsewhere.
#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>

#include "app/window/commands.h"
#include "app/window/focus_corner.h"
#include "app/window/launch.h"
#include "app/window/main_window.h"
#include "app/window/session_controller.h"
#include "app/window/start_page.h"
#include "app/window/view_options.h"
#include "app/window/workspace.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/mark_steps.h"
#include "ui/models/run_filter.h"
#include "ui/panels/filter_bar.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/run_panel.h"
#include "ui/theme/theme.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

using Timeline = ui::TimelineView;

namespace {

constexpr QKeyCombination kUndoKey = Qt::CTRL | Qt::Key_Z;

}  // namespace

QAction* MainWindow::ofRun(QAction* action) {
    return m_runActions->addAction(action);
}

QAction* MainWindow::ofOneRun(QAction* action) {
    return m_oneRunActions->addAction(action);
}

void MainWindow::onTimeline(QMenu* menu, const QString& title, void (Timeline::*action)(),
                            const QKeySequence& keys) {
    ofRun(menu->addAction(title, keys, this, [this, action] {
        if (Timeline* shown = shownTimeline())
            (shown->*action)();
    }));
}

void MainWindow::buildViewMenu() {
    auto* view = menuBar()->addMenu(tr("&View"));
    view->setToolTipsVisible(true);
    // Whatever is seldom chosen is in a submenu: a menu is no higher than a small laptop's screen.
    addZooms(view);
    view->addSeparator();
    const QList<Workspace::PageName> pages = Workspace::pageNames();
    for (int i = 0; i < pages.size(); ++i) {
        ofRun(view->addAction(pages[i].title, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)),
                              this, [this, i] { goToPage(static_cast<Workspace::Page>(i)); }))
            ->setToolTip(pages[i].toolTip);
    }
    addGoTo(view->addMenu(tr("&Go To")));
    auto* options = view->addMenu(tr("Op&tions"));
    options->setObjectName(QStringLiteral("optionsMenu"));
    options->setToolTipsVisible(true);
    connect(options, &QMenu::aboutToShow, this, [this, options] { fillOptionsMenu(options); });
    view->addSeparator();
    addFind(view);
    view->addSeparator();
    addComparisons(view);
    view->addSeparator();
    addRows(view->addMenu(tr("&Rows of the Timeline")));
    auto* span = view->addMenu(tr("Selected &Span"));
    connect(span, &QMenu::aboutToShow, this, [this, span] { fillSpanMenu(span); });
    addMarks(view->addMenu(tr("&Marks")));
    auto* chain = view->addMenu(tr("C&hain of Causes"));
    onTimeline(chain, tr("&Cause"), &Timeline::selectCause, Qt::Key_BracketLeft);
    onTimeline(chain, tr("&Effect"), &Timeline::selectEffect, Qt::Key_BracketRight);
    view->addSeparator();
    addArrangement(view);
    addAppearance(view->addMenu(tr("Appear&ance")));
}

void MainWindow::addZooms(QMenu* view) {
    auto& axis = m_controller.axis();
    // A text field keeps all of these keys: it says so before the window is asked.
    ofRun(view->addAction(tr("&Fit the Whole Run"), Qt::SHIFT | Qt::Key_F, this,
                          [this] { shownAxis().fitAll(); }));
    auto* zoom = view->addMenu(tr("&Zoom"));
    onTimeline(zoom, tr("Fit the S&election\tF"), &Timeline::fitSelectionOrAll);
    ofRun(zoom->addAction(tr("Zoom &In"), this, [this] {
        zoomBy(kZoomIn);
    }))->setShortcuts({Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal});
    ofRun(zoom->addAction(tr("Zoom &Out"), Qt::CTRL | Qt::Key_Minus, this, [this] { zoomBy(1 / kZoomIn); }));
    m_zoomBackAction =
        ofRun(zoom->addAction(tr("Zoom &Back"), kUndoKey, this, [this] { shownAxis().zoomBack(); }));
    ofRun(zoom->addAction(tr("Zoom For&ward"), this, [this] {
        shownAxis().zoomForward();
    }))->setShortcuts({Qt::CTRL | Qt::Key_Y, Qt::CTRL | Qt::SHIFT | Qt::Key_Z});
    m_followAction = view->addAction(tr("F&ollow the Run"));
    m_followAction->setShortcut(Qt::CTRL | Qt::Key_L);
    m_followAction->setCheckable(true);
    connect(m_followAction, &QAction::triggered, &axis, &ui::TimeAxis::setFollowing);
    connect(&axis, &ui::TimeAxis::followingChanged, this, &MainWindow::offerFollowing);
    for (auto changed : {&SessionController::runsChanged, &SessionController::runStarted})
        connect(&m_controller, changed, this, &MainWindow::offerFollowing);
    connect(&m_controller, &SessionController::currentRunChanged, this, &MainWindow::offerFollowing);
    connect(&m_controller, &SessionController::runEnded, this, &MainWindow::offerFollowing);
    offerFollowing();
}

/// A run that has ended grows no more: there is nothing to follow.
void MainWindow::offerFollowing() {
    const int recording = m_controller.recordingRun();
    const bool grows = recording >= 0 && recording == m_controller.currentRun();
    m_followAction->setEnabled(grows);
    m_followAction->setChecked(grows && m_controller.axis().following());
}

void MainWindow::zoomBy(double factor) {
    ui::TimeAxis& axis = shownAxis();
    const TimeRange visible = axis.visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    axis.zoomAt(axis.effectiveCursor().value_or(middle), factor);
}

void MainWindow::addGoTo(QMenu* menu) {
    for (const Workspace::ViewName& entry : Workspace::views()) {
        ofRun(menu->addAction(entry.title, this, [this, name = entry.name] {
            setFocusMode(false);
            closeComparison();
            QWidget* shown = m_workspace->view(name);
            m_workspace->showView(shown);
            m_workspace->focusView(shown);
        }));
    }
}

void MainWindow::fillOptionsMenu(QMenu* menu) {
    // clear() leaves submenus behind.
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu->clear();
    if (m_pages->currentWidget() == m_comparison)
        addOptions(*menu, optionsOf(*m_comparison), [] {});
    else if (m_pages->currentWidget() == m_workspace)
        m_workspace->addOptions(*menu);
    if (menu->isEmpty())
        addNote(*menu, tr("No view is shown"));
}

void MainWindow::addFind(QMenu* view) {
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
    ofRun(view->addAction(tr("Fi&nd…"), QKeySequence::Find, this, find))
        ->setObjectName(QStringLiteral("find"));
    auto* filters = view->addMenu(tr("Find and Fi&lter"));
    filters->setToolTipsVisible(true);
    ofRun(filters->addAction(tr("Find Ne&xt"), Qt::Key_F3, this, findNext));
    ofRun(filters->addAction(tr("Find Pre&vious"), Qt::SHIFT | Qt::Key_F3, this, findPrevious));
    filters->addSeparator();
    ui::RunFilter* filter = &m_workspace->filter();
    addSteps(filters);
    ofOneRun(filters->addAction(tr("Filter Bac&k"), Qt::ALT | Qt::Key_Left, filter, &ui::RunFilter::back))
        ->setToolTip(tr("To the filter before; from what a finding has shown, to where that was asked for"));
    ofOneRun(
        filters->addAction(tr("Filter Forwar&d"), Qt::ALT | Qt::Key_Right, filter, &ui::RunFilter::forward));
    ofOneRun(filters->addAction(tr("Clear the Fi&lter"), filter, &ui::RunFilter::reset))
        ->setToolTip(tr("As a run is opened: its measured steps"));
}

/// Which steps all tables count, as the button beside their filter offers it too.
void MainWindow::addSteps(QMenu* filters) {
    using Steps = ui::RunFilter::Steps;
    ui::RunFilter* filter = &m_workspace->filter();
    for (const auto& [title, steps] : {std::pair{tr("Count the &Whole Run"), Steps::kAll},
                                       std::pair{tr("Count the Measured &Steps"), Steps::kMeasured},
                                       std::pair{tr("Count What the &Timeline Shows"), Steps::kInView}}) {
        QAction* action = ofOneRun(filters->addAction(title));
        action->setCheckable(true);
        const auto check = [filter, action, steps = steps] {
            action->setChecked(ui::countsSteps(*filter, steps));
        };
        connect(filter, &ui::RunFilter::changed, action, check);
        connect(action, &QAction::triggered, filter, [filter, check, steps = steps] {
            ui::chooseSteps(*filter, steps);
            check();  // also where it was so already
        });
        check();
    }
    filters->addSeparator();
}

void MainWindow::addComparisons(QMenu* view) {
    auto* compare = view->addMenu(tr("&Compare With"));
    compare->setObjectName(QStringLiteral("compareMenu"));
    connect(compare, &QMenu::aboutToShow, this, [this, compare] { fillCompareMenu(compare); });
    auto* compared = view->addMenu(tr("Com&parison"));
    m_compareNextAction =
        compared->addAction(tr("Compare With the Next R&un"), Qt::CTRL | Qt::SHIFT | Qt::Key_D, this,
                            &MainWindow::compareWithNext);
    connect(&m_controller, &SessionController::runsChanged, this, &MainWindow::offerComparison);
    connect(&m_controller, &SessionController::currentRunChanged, this, &MainWindow::offerComparison);
    offerComparison();
    const auto onComparison = [this, compared](const QString& title, auto action) {
        m_comparisonActions->addAction(compared->addAction(title, m_comparison, action));
    };
    onComparison(tr("&Align at the Selected Span\tL"), &ui::ComparisonView::alignAtSelection);
    onComparison(tr("&Swap the Runs\tX"), &ui::ComparisonView::swap);
    onComparison(tr("&Back to One Run\tEsc"), &ui::ComparisonView::closeRequested);
}

void MainWindow::stepRun(int by) {
    const int count = static_cast<int>(m_controller.runs().size());
    if (count == 0)
        return;
    const int next = (m_controller.currentRun() + by + count) % count;
    // The only one is behind a comparison, if anywhere.
    if (next == m_controller.currentRun())
        closeComparison();
    else
        m_controller.showRun(next);
}

int MainWindow::nextToCompare() const {
    const auto& runs = m_controller.runs();
    const int count = static_cast<int>(runs.size()), shown = m_controller.currentRun();
    const int recording = m_controller.recordingRun();
    for (int by = 1; by < count && shown >= 0 && shown != recording; ++by) {
        const int other = (shown + by) % count;
        if (other != recording && runs[static_cast<std::size_t>(other)].snapshot)
            return other;
    }
    return -1;
}

void MainWindow::compareWithNext() {
    if (const int other = nextToCompare(); other >= 0)
        compareRuns(m_controller.currentRun(), other);
}

void MainWindow::offerComparison() {
    m_compareNextAction->setEnabled(nextToCompare() >= 0);
}

void MainWindow::addRows(QMenu* rows) {
    auto* overview = rows->addAction(tr("O&verview of the Run"));
    overview->setObjectName(QStringLiteral("overviewShown"));
    overview->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_O);
    overview->setCheckable(true);
    overview->setChecked(true);
    connect(overview, &QAction::toggled, m_workspace->overview(), &QWidget::setVisible);
    rows->addSeparator();
    onTimeline(rows, tr("Fold or &Unfold This Row\tC"), &Timeline::toggleFolded);
    onTimeline(rows, tr("&Pin or Unpin This Row\tP"), &Timeline::togglePinned);
    onTimeline(rows, tr("&Hide This Row\tH"), &Timeline::hideTrack);
    onTimeline(rows, tr("Move This Row U&p\tAlt+Up"), &Timeline::moveTrackUp);
    onTimeline(rows, tr("Move This Row &Down\tAlt+Down"), &Timeline::moveTrackDown);
    rows->addSeparator();
    onTimeline(rows, tr("&Fold All"), &Timeline::foldAll);
    onTimeline(rows, tr("&Unfold All"), &Timeline::unfoldAll);
    onTimeline(rows, tr("&Show All"), &Timeline::showAllRows);
    onTimeline(rows, tr("&Reset"), &Timeline::resetRows);
}

void MainWindow::fillSpanMenu(QMenu* menu) {
    menu->clear();
    const auto span = m_controller.axis().selectedSpan();
    if (m_pages->currentWidget() == m_workspace && span && m_controller.document().snapshot())
        m_workspace->addSpanActions(*menu, *span);
    if (menu->isEmpty())
        addNote(*menu, tr("No span is selected"));
}

void MainWindow::addMarks(QMenu* marks) {
    // With the focus in a table, too; a field that takes text keeps its letters.
    const auto onMarks = [this, marks](const QString& title, const QKeySequence& keys, auto action) {
        ofRun(marks->addAction(title, keys, this, [this, action] {
            // In a comparison they are out of sight.
            if (m_pages->currentWidget() == m_workspace)
                action();
        }));
    };
    ui::MarkSteps& steps = m_workspace->timeline()->markSteps();
    onMarks(tr("&Mark the Cursor or Range…"), Qt::Key_M, [this] {
        // Nowhere else: a letter that was meant for another view must not end up in the run's file.
        if (!m_workspace->addMark())
            showMessage(tr("A mark is made where the timeline or memory over time is shown."), false);
    });
    onMarks(tr("&Next\tN"), {}, [&steps] { steps.next(); });
    onMarks(tr("&Previous\tShift+N"), {}, [&steps] { steps.previous(); });
    onMarks(tr("&Edit…\tE"), {}, [this] { m_workspace->editMark(); });
    onMarks(tr("&Delete\tDel"), {}, [&steps] { steps.removeCurrent(); });
    ui::MarkList& list = m_controller.marks();
    QAction* undo = marks->addAction(tr("&Undo Delete"), &list, &ui::MarkList::restore);
    const auto offerUndo = [this, undo, &list] {
        undo->setEnabled(list.removed() && m_pages->currentWidget() == m_workspace);
    };
    // Undone is what was done last: the deletion, until there is a zoom to undo.
    const auto giveKey = [this, undo](bool toMark) {
        undo->setShortcut(toMark ? QKeySequence(kUndoKey) : QKeySequence());
        m_zoomBackAction->setShortcut(toMark ? QKeySequence() : QKeySequence(kUndoKey));
    };
    connect(&list, &ui::MarkList::removedChanged, undo, offerUndo);
    connect(m_pages, &QStackedWidget::currentChanged, undo, offerUndo);
    offerUndo();
    connect(&list, &ui::MarkList::removedChanged, undo, [undo, giveKey] { giveKey(undo->isEnabled()); });
    connect(m_pages, &QStackedWidget::currentChanged, undo, [giveKey] { giveKey(false); });
    connect(&m_controller.axis(), &ui::TimeAxis::visibleRangeChanged, undo, [giveKey] { giveKey(false); });
}

void MainWindow::addArrangement(QMenu* view) {
    auto* panel = view->addAction(tr("Run &Panel"));
    panel->setObjectName(QStringLiteral("runPanelShown"));
    panel->setCheckable(true);
    panel->setShortcut(Qt::CTRL | Qt::Key_B);
    m_panelAction = panel;
    // A layout, or one view alone, hides it too: what counts is what is seen, which sayPanelShown() follows.
    connect(panel, &QAction::triggered, this, [this] { m_runPanel->setVisible(m_runPanel->isHidden()); });

    m_focusAction = ofRun(view->addAction(tr("This View Al&one")));
    m_focusAction->setObjectName(QStringLiteral("focusMode"));
    m_focusAction->setCheckable(true);
    m_focusAction->setShortcut(Qt::Key_F11);
    connect(m_focusAction, &QAction::triggered, this, &MainWindow::setFocusMode);
    m_focusCorner = new FocusCorner(m_workspace->filter(), *this);
    connect(m_focusCorner, &FocusCorner::leaveRequested, this, [this] { setFocusMode(false); });

    auto* layouts = view->addMenu(tr("&Layout"));
    layouts->setObjectName(QStringLiteral("layoutMenu"));
    connect(layouts, &QMenu::aboutToShow, this, [this, layouts] { fillLayoutMenu(layouts); });
}

void MainWindow::sayPanelShown() {
    const bool shown = !m_runPanel->isHidden();
    m_panelAction->setChecked(shown);
    m_startPage->setRunPanelShown(shown);
}

void MainWindow::addAppearance(QMenu* appearance) {
    addThemes(appearance->addMenu(tr("&Theme")));
    addSizes(appearance->addMenu(tr("&Size of Text and Controls")));
    auto* frameTimes = appearance->addAction(tr("&Frame Times"));
    frameTimes->setObjectName(QStringLiteral("frameTimes"));
    frameTimes->setShortcut(Qt::Key_F12);
    frameTimes->setCheckable(true);
    frameTimes->setToolTip(tr("What drawing the timeline costs, in its corner"));
    connect(frameTimes, &QAction::toggled, m_workspace->timeline(), &Timeline::setShowsFrameTimes);
    connect(frameTimes, &QAction::toggled, m_comparison, &ui::ComparisonView::setShowsFrameTimes);
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

/// Of all of it: what is measured in pixels, as the rows of tables and of the timeline, is measured for its
/// text, so that larger letters alone would be cut.
void MainWindow::addSizes(QMenu* sizes) {
    auto* group = new QActionGroup(this);
    for (const double size : kSizes) {
        const QString title = QStringLiteral("%1\u202F%").arg(100 * size);
        auto* action = sizes->addAction(title, this, [this, size, title] {
            if (m_remember == Remember::kLayout)
                chooseSize(size);
            showMessage(tr("Text and controls are at %1 from the next start of Warpglass on.").arg(title),
                        false);
        });
        action->setCheckable(true);
        action->setChecked(size == chosenSize());
        group->addAction(action);
        // Reset Layout takes the choice back.
        connect(sizes, &QMenu::aboutToShow, action,
                [action, size] { action->setChecked(size == chosenSize()); });
    }
}

}  // namespace warpglass::app
