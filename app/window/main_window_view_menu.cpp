// The window's View menu: what is shown of the run, and the views' own actions, so that the palette has them
// too. A key after a tab is a view's, which has it only while it has the focus: it would be typed elsewhere.
#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>

#include "app/window/focus_corner.h"
#include "app/window/launch.h"
#include "app/window/main_window.h"
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

using Timeline = ui::TimelineView;

QAction* MainWindow::ofRun(QAction* action) {
    return m_runActions->addAction(action);
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
    addZooms(view);
    view->addSeparator();
    const QList<Workspace::PageName> pages = Workspace::pageNames();
    for (int i = 0; i < pages.size(); ++i) {
        ofRun(view->addAction(pages[i].title, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)),
                              this, [this, i] { showPage(static_cast<Workspace::Page>(i)); }))
            ->setToolTip(pages[i].toolTip);
    }
    addGoTo(view->addMenu(tr("&Go To")));
    view->addSeparator();
    addFind(view);
    view->addSeparator();
    addRuns(view);
    view->addSeparator();
    auto* overview = view->addAction(tr("O&verview of the Run"));
    overview->setObjectName(QStringLiteral("overviewShown"));
    overview->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_O);
    overview->setCheckable(true);
    overview->setChecked(true);
    connect(overview, &QAction::toggled, m_workspace->overview(), &QWidget::setVisible);
    addRows(view->addMenu(tr("&Rows of the Timeline")));
    auto* span = view->addMenu(tr("Selected &Span"));
    connect(span, &QMenu::aboutToShow, this, [this, span] { fillSpanMenu(span); });
    addMarks(view->addMenu(tr("&Marks")));
    auto* chain = view->addMenu(tr("C&hain of Causes"));
    onTimeline(chain, tr("&Cause"), &Timeline::selectCause, Qt::Key_BracketLeft);
    onTimeline(chain, tr("&Effect"), &Timeline::selectEffect, Qt::Key_BracketRight);
    auto* frameTimes = view->addAction(tr("Fra&me Times"));
    frameTimes->setObjectName(QStringLiteral("frameTimes"));
    frameTimes->setShortcut(Qt::Key_F12);
    frameTimes->setCheckable(true);
    frameTimes->setToolTip(tr("What drawing the timeline costs, in its corner"));
    connect(frameTimes, &QAction::toggled, m_workspace->timeline(), &Timeline::setShowsFrameTimes);
    connect(frameTimes, &QAction::toggled, m_comparison, &ui::ComparisonView::setShowsFrameTimes);
    view->addSeparator();
    addArrangement(view);
    addThemes(view->addMenu(tr("&Theme")));
    addSizes(view->addMenu(tr("S&ize of Text and Controls")));
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
    ofRun(zoom->addAction(tr("Zoom &Back"), Qt::CTRL | Qt::Key_Z, this, [this] { shownAxis().zoomBack(); }));
    ofRun(zoom->addAction(tr("Zoom For&ward"), this, [this] {
        shownAxis().zoomForward();
    }))->setShortcuts({Qt::CTRL | Qt::Key_Y, Qt::CTRL | Qt::SHIFT | Qt::Key_Z});
    auto* follow = ofRun(view->addAction(tr("F&ollow the Run")));
    follow->setShortcut(Qt::CTRL | Qt::Key_L);
    follow->setCheckable(true);
    follow->setChecked(axis.following());
    connect(follow, &QAction::triggered, &axis, &ui::TimeAxis::setFollowing);
    connect(&axis, &ui::TimeAxis::followingChanged, follow, &QAction::setChecked);
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
            shown->setFocus(Qt::OtherFocusReason);
        }));
    }
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
    ofRun(view->addAction(tr("Find Ne&xt"), Qt::Key_F3, this, findNext));
    ofRun(view->addAction(tr("Find Pre&vious"), Qt::SHIFT | Qt::Key_F3, this, findPrevious));
    auto* filters = view->addMenu(tr("Fi&lter"));
    ui::RunFilter* filter = &m_workspace->filter();
    ofRun(filters->addAction(tr("Filter Bac&k"), Qt::ALT | Qt::Key_Left, filter, &ui::RunFilter::back));
    ofRun(
        filters->addAction(tr("Filter Forwar&d"), Qt::ALT | Qt::Key_Right, filter, &ui::RunFilter::forward));
    ofRun(filters->addAction(tr("Clear the Fi&lter"), filter, &ui::RunFilter::reset))
        ->setToolTip(tr("As a run is opened: its measured steps"));
}

void MainWindow::addRuns(QMenu* view) {
    ofRun(view->addAction(tr("Ne&xt Run"), this, [this] {
        stepRun(1);
    }))->setShortcuts({Qt::CTRL | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageDown});
    ofRun(view->addAction(tr("Pre&vious Run"), this, [this] {
        stepRun(-1);
    }))->setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_Tab, Qt::CTRL | Qt::Key_PageUp});
    auto* compare = view->addMenu(tr("&Compare With"));
    compare->setObjectName(QStringLiteral("compareMenu"));
    connect(compare, &QMenu::aboutToShow, this, [this, compare] { fillCompareMenu(compare); });
    auto* compared = view->addMenu(tr("Com&parison"));
    ofRun(compared->addAction(tr("Compare With the Next R&un"), Qt::CTRL | Qt::SHIFT | Qt::Key_D, this,
                              &MainWindow::compareWithNext));
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

void MainWindow::compareWithNext() {
    const auto& runs = m_controller.runs();
    const int count = static_cast<int>(runs.size()), shown = m_controller.currentRun();
    const int recording = m_controller.recordingRun();
    for (int by = 1; by < count && shown != recording; ++by) {
        const int other = (shown + by) % count;
        if (other != recording && runs[static_cast<std::size_t>(other)].snapshot)
            return compareRuns(shown, other);
    }
    showMessage(tr("Two runs that have ended are compared: open a second one."), true);
}

void MainWindow::addRows(QMenu* rows) {
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
        menu->addAction(tr("No span is selected"))->setEnabled(false);
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
    onMarks(tr("&Mark the Cursor or Range…"), Qt::Key_M, [this] { m_workspace->addMark(); });
    onMarks(tr("&Next\tN"), {}, [&steps] { steps.next(); });
    onMarks(tr("&Previous\tShift+N"), {}, [&steps] { steps.previous(); });
    onMarks(tr("&Edit…\tE"), {}, [this] { m_workspace->editMark(); });
    onMarks(tr("&Delete\tDel"), {}, [&steps] { steps.removeCurrent(); });
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

    m_focusAction = ofRun(view->addAction(tr("This View Al&one")));
    m_focusAction->setObjectName(QStringLiteral("focusMode"));
    m_focusAction->setCheckable(true);
    m_focusAction->setShortcut(Qt::Key_F11);
    connect(m_focusAction, &QAction::triggered, this, &MainWindow::setFocusMode);
    m_focusCorner = new FocusCorner(m_workspace->filter(), *menuBar());
    connect(m_focusCorner, &FocusCorner::leaveRequested, this, [this] { setFocusMode(false); });

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
    }
}

}  // namespace warpglass::app
