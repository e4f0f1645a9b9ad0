#include "app/window/window_pages.h"

#include <QApplication>

#include "app/window/open_experiments.h"
#include "app/window/open_sweeps.h"
#include "app/window/run_views.h"
#include "app/window/session_controller.h"
#include "app/window/start_page.h"
#include "ui/charts/data_chart.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/experiments/experiment_page.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/summary_page.h"
#include "ui/sweep/sweep_page.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

WindowPages::WindowPages(SessionController& controller, RecentRuns& recent, QWidget* parent)
    : QStackedWidget(parent),
      m_controller(controller),
      m_startPage(new StartPage(recent, this)),
      m_workspace(new Workspace(controller.document(), controller.axis(), this)),
      m_comparison(new ui::ComparisonView(this)),
      m_sweeps(new OpenSweeps(*this)),
      m_experiments(new OpenExperiments(*this)),
      m_views(new RunViews(controller, *m_workspace, *m_comparison, this)) {
    m_workspace->setMarks(&controller.marks());
    addWidget(m_startPage);
    addWidget(m_workspace);
    addWidget(m_comparison);
    connect(m_workspace, &Workspace::otherViewWanted, this, &WindowPages::aboutToLeave);
    connect(m_comparison, &ui::ComparisonView::closeRequested, this, &WindowPages::closeComparison);
    connect(m_comparison, &ui::ComparisonView::swapped, this, &WindowPages::sayTitles);
    connect(&controller, &SessionController::currentRunChanged, this,
            [this](int index, SessionController::Show show) {
                if (show == SessionController::Show::kInFront || !hasSweepOrExperiment())
                    showRun(index);
            });
    connect(&controller, &SessionController::runsChanged, this, &WindowPages::sayTitles);
    connect(&controller.opening(), &RunOpening::sweepWanted, m_sweeps, &OpenSweeps::open);
    connect(m_sweeps, &OpenSweeps::opened, this, &WindowPages::showSweep);
    connect(m_sweeps, &OpenSweeps::closed, this, [this] {
        if (auto* shown = qobject_cast<ui::SweepPage*>(currentWidget()); shown && !sweepInFront())
            leaveClosed(*shown);
    });
    connect(&controller.opening(), &RunOpening::experimentWanted, m_experiments, &OpenExperiments::open);
    connect(m_experiments, &OpenExperiments::opened, this, &WindowPages::showExperiment);
    connect(m_experiments, &OpenExperiments::changed, this, &WindowPages::sayTitles);
    connect(m_experiments, &OpenExperiments::closed, this, [this] {
        if (auto* shown = qobject_cast<ui::ExperimentPage*>(currentWidget()); shown && !experimentInFront())
            leaveClosed(*shown);
    });
    // Without one of its runs a comparison ends; closing another tab ends nothing that is looked at.
    connect(&controller, &SessionController::otherRunClosed, this, [this] {
        const auto [a, b] = compared();
        if (a && (m_controller.runs().indexOf(a) < 0 || m_controller.runs().indexOf(b) < 0))
            showRun(m_controller.currentRun());
    });
}

ui::SweepPage* WindowPages::sweepInFront() const {
    const int index = m_sweeps->indexOf(currentWidget());
    return index < 0 ? nullptr : &m_sweeps->page(index);
}

ui::ExperimentPage* WindowPages::experimentInFront() const {
    const int index = m_experiments->indexOf(currentWidget());
    return index < 0 ? nullptr : &m_experiments->page(index);
}

void WindowPages::bringToFront(QWidget& page) {
    emit aboutToLeave();
    if (compares())
        m_views->leaveComparison();
    addWidget(&page);  // again: nothing
    setCurrentWidget(&page);
}

void WindowPages::leaveClosed(QWidget& page) {
    showRun(m_controller.currentRun());
    removeWidget(&page);
}

void WindowPages::showSweep(int index) {
    ui::SweepPage& page = m_sweeps->page(index);
    if (currentWidget() == &page)
        return;
    bringToFront(page);
    page.chart().plot().setFocus(Qt::OtherFocusReason);
    sayTitles();
    emit sweepShown(index);
}

void WindowPages::showExperiment(int index) {
    ui::ExperimentPage& page = m_experiments->page(index);
    if (currentWidget() == &page)
        return;
    bringToFront(page);
    page.takeFocus();
    sayTitles();
    emit experimentShown(index);
}

bool WindowPages::compares() const {
    return currentWidget() == m_comparison;
}

std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>> WindowPages::compared() const {
    if (!compares())
        return {};
    return {m_comparison->sideA().snapshot, m_comparison->sideB().snapshot};
}

ui::TimeAxis& WindowPages::axis() const {
    return compares() ? m_comparison->axisOfA() : m_controller.axis();
}

ui::TimelineView* WindowPages::timeline() const {
    if (!compares())
        return showsRun() ? m_workspace->timeline() : nullptr;
    ui::TimelineView* b = m_comparison->timelineOfB();
    return b->hasFocus() ? b : m_comparison->timelineOfA();
}

QString WindowPages::viewInFront() const {
    if (compares())
        return QStringLiteral("comparison");
    if (sweepInFront())
        return QStringLiteral("sweep");
    if (const ui::ExperimentPage* experiment = experimentInFront())
        return QString::number(experiment->chartInFront());
    const QString focused = m_workspace->focusedView();
    if (!focused.isEmpty())
        return focused;
    // A page may hold several views in one place, of which one is in front.
    for (const Workspace::ViewName& view : Workspace::views()) {
        if (view.page == m_workspace->page() && m_workspace->view(view.name)->isVisible())
            return view.name;
    }
    return {};
}

ui::DataTable* WindowPages::tableInFront() const {
    const QWidget* from = QApplication::focusWidget();
    if (!from || !isAncestorOf(from))
        from = this;
    for (const QWidget* around = from;; around = around->parentWidget()) {
        if (auto* table = qobject_cast<const ui::DataTable*>(around))
            return const_cast<ui::DataTable*>(table);
        for (auto* table : around->findChildren<ui::DataTable*>()) {
            if (table->isVisible())
                return table;
        }
        if (around == this)
            return nullptr;
    }
}

void WindowPages::showRun(int index) {
    emit aboutToLeave();
    if (compares())
        m_views->leaveComparison();
    if (index < 0 && m_sweeps->count() > 0)
        return showSweep(m_sweeps->count() - 1);
    if (index < 0 && m_experiments->count() > 0)
        return showExperiment(m_experiments->count() - 1);
    setCurrentWidget(index >= 0 ? static_cast<QWidget*>(m_workspace) : m_startPage);
    // A run is first seen on its summary; one that is being recorded, as it grows.
    const RunViews::Arrival arrival = m_views->arriveAt(index);
    if (arrival == RunViews::Arrival::kFirst) {
        const bool starts = index == m_controller.recordingRun();
        m_workspace->setPage(starts ? Workspace::Page::kViews : Workspace::Page::kSummary);
        if (starts)
            m_workspace->focusView(m_workspace->timeline());
    }
    emit runShown(arrival == RunViews::Arrival::kAgain);
    sayTitles();
}

int WindowPages::tabCount() const {
    return static_cast<int>(m_controller.runs().size()) + m_sweeps->count() + m_experiments->count();
}

void WindowPages::stepRun(int by) {
    const int runs = static_cast<int>(m_controller.runs().size());
    const int sweeps = m_sweeps->count(), count = tabCount();
    if (count == 0)
        return;
    const int sweep = m_sweeps->indexOf(currentWidget());
    const int experiment = m_experiments->indexOf(currentWidget());
    const int now = experiment >= 0 ? runs + sweeps + experiment
                    : sweep >= 0    ? runs + sweep
                                    : m_controller.currentRun();
    const int next = (now + by + count) % count;
    if (next >= runs + sweeps)
        return showExperiment(next - runs - sweeps);
    if (next >= runs)
        return showSweep(next - runs);
    // The only one is behind a comparison, if anywhere.
    if (next == m_controller.currentRun())
        closeComparison();
    else
        m_controller.showRun(next);
}

void WindowPages::compare(int a, int b) {
    const auto side = [this](int index) {
        const OpenedRunEntry& run = m_controller.run(index);
        return ui::ComparisonView::Side{run.title, run.snapshot, run.memory};
    };
    if (!side(a).snapshot || !side(b).snapshot)
        return;
    emit aboutToLeave();
    if (showsRun())
        m_beforeComparison = QApplication::focusWidget();
    if (compares())
        m_views->leaveComparison();
    m_comparison->setRuns(side(a), side(b));
    m_views->arriveAtComparison();
    setCurrentWidget(m_comparison);
    m_comparison->setFocus(Qt::OtherFocusReason);  // so that Esc leaves it
    sayTitles();
    emit comparisonShown();
}

void WindowPages::closeComparison() {
    if (hasSweepOrExperiment() && m_controller.currentRun() >= 0)
        return showRun(m_controller.currentRun());
    if (!compares())
        return;
    showRun(m_controller.currentRun());
    // Left to Qt, it would be at the first button of the page.
    if (m_beforeComparison && m_beforeComparison->isVisible())
        m_beforeComparison->setFocus(Qt::OtherFocusReason);
    else
        m_workspace->focusView(m_workspace->mainView());
}

void WindowPages::showPage(Workspace::Page page) {
    emit aboutToLeave();
    closeComparison();
    m_workspace->setPage(page);
}

void WindowPages::goToPage(Workspace::Page page) {
    const bool otherPage = page != m_workspace->page();
    showPage(page);
    if (otherPage || m_workspace->focusedView().isEmpty())
        m_workspace->focusView(m_workspace->mainView());
}

void WindowPages::goToView(const QString& name) {
    emit aboutToLeave();
    closeComparison();
    QWidget* view = m_workspace->view(name);
    m_workspace->showView(view);
    m_workspace->focusView(view);
}

void WindowPages::openFind() {
    if (compares())
        return m_comparison->openFind();
    emit aboutToLeave();
    m_workspace->openFind();
}

void WindowPages::findNext() {
    compares() ? m_comparison->findNext() : m_workspace->findPanel().findNext();
}

void WindowPages::findPrevious() {
    compares() ? m_comparison->findPrevious() : m_workspace->findPanel().findPrevious();
}

/// Other runs beside them make for other titles.
void WindowPages::sayTitles() {
    const OpenedRunEntry* shown = m_controller.shownRun();
    m_workspace->summary().setName(shown ? shown->name : QString());
    if (const int sweep = m_sweeps->indexOf(currentWidget()); sweep >= 0)
        return emit titleChanged(tr("%1 — Warpglass").arg(m_sweeps->titleOf(sweep)));
    if (const int experiment = m_experiments->indexOf(currentWidget()); experiment >= 0)
        return emit titleChanged(tr("%1 — Warpglass").arg(m_experiments->titleOf(experiment)));
    if (!compares())
        return emit titleChanged(shown ? tr("%1 — Warpglass").arg(shown->title) : tr("Warpglass"));
    const auto [first, second] = compared();
    const int a = m_controller.runs().indexOf(first), b = m_controller.runs().indexOf(second);
    if (a >= 0 && b >= 0)
        m_comparison->setTitles(m_controller.run(a).title, m_controller.run(b).title);
    emit titleChanged(
        tr("%1 against %2 — Warpglass").arg(m_comparison->sideA().title, m_comparison->sideB().title));
}

}  // namespace warpglass::app
