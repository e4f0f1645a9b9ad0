#include "app/window/view_menu.h"

#include <QAction>
#include <QMenu>
#include <utility>

#include "app/window/commands.h"
#include "app/window/compare_with.h"
#include "app/window/menu_conditions.h"
#include "app/window/session_controller.h"
#include "app/window/view_options.h"
#include "app/window/window_pages.h"
#include "ui/compare/comparison_view.h"
#include "ui/models/mark_steps.h"
#include "ui/models/run_filter.h"
#include "ui/models/step_clock.h"
#include "ui/panels/filter_bar.h"
#include "ui/timeline/overview_strip.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

using Labels = ui::TimelineLabels;
using Timeline = ui::TimelineView;

namespace {

constexpr QKeyCombination kUndoKey = Qt::CTRL | Qt::Key_Z;
constexpr double kZoomIn = 0.7;  // a key's step, as in the timeline

}  // namespace

ViewMenu::ViewMenu(QMenu& view, MenuConditions& conditions, SessionController& controller, WindowPages& pages,
                   CompareWith& compareWith)
    : QObject(&view),
      m_conditions(conditions),
      m_controller(controller),
      m_pages(pages),
      m_compareWith(compareWith),
      m_workspace(pages.workspace()) {
    view.setToolTipsVisible(true);
    // Whatever is seldom chosen is in a submenu: a menu is no higher than a small laptop's screen.
    addZooms(view);
    addFollowing(view);
    addClock(view);
    view.addSeparator();
    addPages(view);
    view.addSeparator();
    addFind(view);
    view.addSeparator();
    addComparisons(view);
    view.addSeparator();
    addRows(*view.addMenu(tr("&Rows of the Timeline")));
    addSpan(*view.addMenu(tr("Selected &Span")));
    addMarks(*view.addMenu(tr("&Marks")));
    auto* chain = view.addMenu(tr("C&hain of Causes"));
    onTimeline(
        *chain, tr("&Cause"), [](Timeline& timeline) { timeline.selection().selectCause(); },
        Qt::Key_BracketLeft);
    onTimeline(
        *chain, tr("&Effect"), [](Timeline& timeline) { timeline.selection().selectEffect(); },
        Qt::Key_BracketRight);
    view.addSeparator();
}

void ViewMenu::onTimeline(QMenu& menu, const QString& title, std::function<void(Timeline&)> action,
                          const QKeySequence& keys) {
    m_conditions.needsRunInFront(menu.addAction(title, keys, this, [this, action = std::move(action)] {
        if (Timeline* shown = m_pages.timeline())
            action(*shown);
    }));
}

void ViewMenu::onRows(QMenu& menu, const QString& title, void (ui::TimelineLabels::*action)()) {
    onTimeline(menu, title, [action](Timeline& timeline) { (timeline.labels().*action)(); });
}

void ViewMenu::addZooms(QMenu& view) {
    // A text field keeps all of these keys: it says so before the window is asked.
    const auto add = [this](QMenu& menu, const QString& title, const QList<QKeySequence>& keys, auto act) {
        QAction* action = m_conditions.needsRunInFront(menu.addAction(title, this, act));
        action->setShortcuts(keys);
        return action;
    };
    add(view, tr("&Fit the Whole Run"), {Qt::SHIFT | Qt::Key_F}, [this] { m_pages.axis().fitAll(); });
    auto* zoom = view.addMenu(tr("&Zoom"));
    onTimeline(*zoom, tr("Fit the S&election\tF"),
               [](Timeline& timeline) { timeline.selection().fitSelectionOrAll(); });
    add(*zoom, tr("Zoom &In"), {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal},
        [this] { zoomBy(kZoomIn); });
    add(*zoom, tr("Zoom &Out"), {Qt::CTRL | Qt::Key_Minus}, [this] { zoomBy(1 / kZoomIn); });
    m_zoomBack = add(*zoom, tr("Zoom &Back"), {kUndoKey}, [this] { m_pages.axis().zoomBack(); });
    add(*zoom, tr("Zoom For&ward"), {Qt::CTRL | Qt::Key_Y, Qt::CTRL | Qt::SHIFT | Qt::Key_Z},
        [this] { m_pages.axis().zoomForward(); });
}

/// A run that has ended grows no more: there is nothing to follow.
void ViewMenu::addFollowing(QMenu& view) {
    ui::TimeAxis& axis = m_controller.axis();
    auto* follow = view.addAction(tr("F&ollow the Run"));
    follow->setShortcut(Qt::CTRL | Qt::Key_L);
    follow->setCheckable(true);
    connect(follow, &QAction::triggered, &axis, &ui::TimeAxis::setFollowing);
    m_conditions.enableWhile(
        follow,
        [this] {
            const int recording = m_controller.recordingRun();
            return recording >= 0 && recording == m_controller.currentRun() && m_pages.showsRun();
        },
        tr("the run in front is not being recorded"));
    const auto check = [follow, &axis] { follow->setChecked(follow->isEnabled() && axis.following()); };
    connect(&axis, &ui::TimeAxis::followingChanged, follow, check);
    connect(&m_conditions, &MenuConditions::refreshed, follow, check);
}

/// A choice for every run and every view.
void ViewMenu::addClock(QMenu& view) {
    ui::ClockChoice& clock = ui::ClockChoice::instance();
    auto* fromRun = view.addAction(tr("Times from the Start of the R&un"));
    fromRun->setObjectName(QStringLiteral("timesFromRun"));
    fromRun->setCheckable(true);
    fromRun->setToolTip(tr("Instead of from the start of each step"));
    const auto check = [fromRun, &clock] { fromRun->setChecked(clock.countsFromRun()); };
    check();
    connect(fromRun, &QAction::triggered, &clock, &ui::ClockChoice::setCountsFromRun);
    connect(&clock, &ui::ClockChoice::changed, fromRun, check);
}

void ViewMenu::zoomBy(double factor) {
    ui::TimeAxis& axis = m_pages.axis();
    const TimeRange visible = axis.visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    axis.zoomAt(axis.effectiveCursor().value_or(middle), factor);
}

void ViewMenu::addPages(QMenu& view) {
    const QList<Workspace::PageName> pages = Workspace::pageNames();
    for (int i = 0; i < pages.size(); ++i) {
        m_conditions
            .needsRun(view.addAction(pages[i].title,
                                     QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), this,
                                     [this, i] { m_pages.goToPage(static_cast<Workspace::Page>(i)); }))
            ->setToolTip(pages[i].toolTip);
    }
    auto* goTo = view.addMenu(tr("&Go To"));
    for (const Workspace::ViewName& entry : Workspace::views())
        m_conditions.needsRun(
            goTo->addAction(entry.title, this, [this, name = entry.name] { m_pages.goToView(name); }));
    auto* options = view.addMenu(tr("Op&tions"));
    options->setObjectName(QStringLiteral("optionsMenu"));
    options->setToolTipsVisible(true);
    fillWhenOpened(options, [this](QMenu& menu) { fillOptions(menu); });
}

void ViewMenu::fillOptions(QMenu& menu) {
    if (m_pages.compares())
        addOptions(menu, optionsOf(m_pages.comparison()), [] {});
    else if (m_pages.showsRun())
        m_workspace.addOptions(menu);
    if (menu.isEmpty())
        addNote(menu, tr("No view is shown"));
}

void ViewMenu::addFind(QMenu& view) {
    m_conditions
        .needsRunInFront(view.addAction(tr("Fi&nd…"), QKeySequence::Find, &m_pages, &WindowPages::openFind))
        ->setObjectName(QStringLiteral("find"));
    auto* filters = view.addMenu(tr("Find and Fi&lter"));
    filters->setToolTipsVisible(true);
    m_conditions.needsRunInFront(
        filters->addAction(tr("Find Ne&xt"), Qt::Key_F3, &m_pages, &WindowPages::findNext));
    m_conditions.needsRunInFront(filters->addAction(tr("Find Pre&vious"), Qt::SHIFT | Qt::Key_F3, &m_pages,
                                                    &WindowPages::findPrevious));
    filters->addSeparator();
    addSteps(*filters);
    filters->addSeparator();
    const auto onFilter = [this, filters](const QString& title, const QKeySequence& keys,
                                          void (ui::RunFilter::*act)(), const QString& toolTip) {
        QAction* action =
            m_conditions.needsOneRun(filters->addAction(title, keys, &m_workspace.filter(), act));
        if (!toolTip.isEmpty())
            action->setToolTip(toolTip);
    };
    onFilter(tr("Filter Bac&k"), Qt::ALT | Qt::Key_Left, &ui::RunFilter::back,
             tr("To the filter before; from what a finding has shown, to where that was asked for"));
    onFilter(tr("Filter Forwar&d"), Qt::ALT | Qt::Key_Right, &ui::RunFilter::forward, {});
    onFilter(tr("Clear the Fi&lter"), {}, &ui::RunFilter::reset,
             tr("As a run is opened: its measured steps"));
}

/// Which steps all tables count, as the button beside their filter offers it too.
void ViewMenu::addSteps(QMenu& filters) {
    using Steps = ui::RunFilter::Steps;
    ui::RunFilter* filter = &m_workspace.filter();
    for (const auto& [title, steps] : {std::pair{tr("Count the &Whole Run"), Steps::kAll},
                                       std::pair{tr("Count the Measured &Steps"), Steps::kMeasured},
                                       std::pair{tr("Count What the &Timeline Shows"), Steps::kInView}}) {
        QAction* action = m_conditions.needsOneRun(filters.addAction(title));
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
}

void ViewMenu::addComparisons(QMenu& view) {
    auto* compare = view.addMenu(tr("&Compare With"));
    compare->setObjectName(QStringLiteral("compareMenu"));
    fillWhenOpened(compare, [this](QMenu& menu) { m_compareWith.fillMenu(menu); });
    auto* compared = view.addMenu(tr("Com&parison"));
    m_conditions.enableWhile(
        compared->addAction(tr("Compare With the Next R&un"), Qt::CTRL | Qt::SHIFT | Qt::Key_D,
                            &m_compareWith, &CompareWith::compareWithNext),
        [this] { return m_compareWith.next() >= 0; },
        [this] {
            return m_pages.hasSweepOrExperiment() ? tr("needs a run in front") : tr("needs a second run");
        });
    const auto onComparison = [this, compared](const QString& title, auto action) {
        m_conditions.needsComparison(compared->addAction(title, &m_pages.comparison(), action));
    };
    onComparison(tr("&Align at the Selected Span\tL"), &ui::ComparisonView::alignAtSelection);
    onComparison(tr("&Swap the Runs\tX"), &ui::ComparisonView::swap);
    onComparison(tr("&Back to One Run\tEsc"), &ui::ComparisonView::closeRequested);
}

void ViewMenu::addRows(QMenu& rows) {
    auto* overview = rows.addAction(tr("O&verview of the Run"));
    overview->setObjectName(QStringLiteral("overviewShown"));
    overview->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_O);
    overview->setCheckable(true);
    overview->setChecked(true);
    connect(overview, &QAction::toggled, m_workspace.overview(), &QWidget::setVisible);
    rows.addSeparator();
    onRows(rows, tr("Fold or &Unfold This Row\tC"), &Labels::toggleFolded);
    onRows(rows, tr("&Pin or Unpin This Row\tP"), &Labels::togglePinned);
    onRows(rows, tr("&Hide This Row\tH"), &Labels::hideTrack);
    onRows(rows, tr("Move This Row U&p\tAlt+Up"), &Labels::moveTrackUp);
    onRows(rows, tr("Move This Row &Down\tAlt+Down"), &Labels::moveTrackDown);
    rows.addSeparator();
    onRows(rows, tr("&Fold All"), &Labels::foldAll);
    onRows(rows, tr("&Unfold All"), &Labels::unfoldAll);
    onRows(rows, tr("&Show All"), &Labels::showAllRows);
    onRows(rows, tr("&Reset"), &Labels::resetRows);
}

void ViewMenu::addSpan(QMenu& span) {
    fillWhenOpened(&span, [this](QMenu& menu) {
        const auto selected = m_controller.axis().selectedSpan();
        if (m_pages.showsRun() && selected && m_controller.document().snapshot())
            m_workspace.addSpanActions(menu, *selected);
        if (menu.isEmpty())
            addNote(menu, tr("No span is selected"));
    });
}

void ViewMenu::addMarks(QMenu& marks) {
    // With the focus in a table, too; a field that takes text keeps its letters.
    const auto onMarks = [this, &marks](const QString& title, const QKeySequence& keys, auto action) {
        m_conditions.needsRunInFront(marks.addAction(title, keys, this, [this, action] {
            // In a comparison they are out of sight.
            if (m_pages.showsRun())
                action();
        }));
    };
    ui::MarkSteps& steps = m_workspace.timeline()->marks().steps();
    onMarks(tr("&Mark the Cursor or Range…"), Qt::Key_M, [this] {
        // Nowhere else: a letter that was meant for another view must not end up in the run's file.
        if (!m_workspace.addMark())
            emit said(tr("A mark is made where the timeline or memory over time is shown."));
    });
    onMarks(tr("&Next\tN"), {}, [&steps] { steps.next(); });
    onMarks(tr("&Previous\tShift+N"), {}, [&steps] { steps.previous(); });
    onMarks(tr("&Edit…\tE"), {}, [this] { m_workspace.editMark(); });
    onMarks(tr("&Delete\tDel"), {}, [&steps] { steps.removeCurrent(); });
    addUndo(marks);
}

void ViewMenu::addUndo(QMenu& marks) {
    ui::MarkList& list = m_controller.marks();
    QAction* undo = marks.addAction(tr("&Undo Delete"), &list, &ui::MarkList::restore);
    const auto offer = [this, undo, &list] { undo->setEnabled(list.removed() && m_pages.showsRun()); };
    // Undone is what was done last: the deletion, until there is a zoom to undo.
    const auto giveKey = [this, undo](bool toMark) {
        undo->setShortcut(toMark ? QKeySequence(kUndoKey) : QKeySequence());
        m_zoomBack->setShortcut(toMark ? QKeySequence() : QKeySequence(kUndoKey));
    };
    offer();
    connect(&list, &ui::MarkList::removedChanged, undo, [undo, offer, giveKey] {
        offer();
        giveKey(undo->isEnabled());
    });
    connect(&m_pages, &QStackedWidget::currentChanged, undo, [offer, giveKey] {
        offer();
        giveKey(false);
    });
    connect(&m_controller.axis(), &ui::TimeAxis::visibleRangeChanged, undo, [giveKey] { giveKey(false); });
}

}  // namespace warpglass::app
