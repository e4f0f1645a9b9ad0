#include "app/window/run_views.h"

#include <QTabWidget>
#include <optional>

#include "app/window/evidence_bar.h"
#include "app/window/session_controller.h"
#include "app/window/workspace.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/charts_page.h"
#include "ui/charts/flame_chart.h"
#include "ui/charts/flame_view.h"
#include "ui/compare/comparison_view.h"
#include "ui/controls/data_table.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/memory/memory_focus.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/treemap_view.h"
#include "ui/models/run_filter.h"
#include "ui/panels/find_panel.h"
#include "ui/panels/op_table.h"
#include "ui/panels/summary_page.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::app {

namespace {

/// Those in which the current row is a place to be at. In a chart's table, and in that of Find, it is what
/// is selected on the time axis, which is kept there.
QList<ui::DataTable*> tablesOf(const Workspace& workspace) {
    QList<ui::DataTable*> tables;
    for (ui::DataTable* table : workspace.findChildren<ui::DataTable*>()) {
        bool elsewhere = false;
        for (const QWidget* around = table; around && !elsewhere; around = around->parentWidget())
            elsewhere =
                qobject_cast<const ui::ChartView*>(around) || qobject_cast<const ui::FindPanel*>(around);
        if (!elsewhere)
            tables << table;
    }
    return tables;
}

}  // namespace

struct RunViews::Kept {
    Workspace::Page page = Workspace::Page::kSummary;
    QWidget* table = nullptr;
    QWidget* memoryTab = nullptr;
    QWidget* chart = nullptr;
    ui::RunFilter::Kept filter;
    EvidenceBar::Said evidence;
    ui::MemoryFocus::At at = ui::MemoryFocus::At::kPeak;
    std::optional<AllocationId> allocation;
    ui::MapBytes::Shown map;
    BreakdownKey treemapOf = BreakdownKey::kCategory;
    ui::TreemapView::Path treemap;
    std::map<ui::FlameView*, ui::FlameChart::Path> flames;
    ui::OpTable::Subject subject = ui::OpTable::Subject::kOps;
    SpanGrouping grouping = SpanGrouping::kFlat;
    ui::TimelineView::Place timeline;
    int summaryTop = 0;
    std::map<ui::DataTable*, ui::DataTable::Place> places;
};

struct RunViews::KeptComparison {
    ui::ComparisonView::Kept view;
};

RunViews::RunViews(SessionController& controller, Workspace& workspace, ui::ComparisonView& comparison,
                   QObject* parent)
    : QObject(parent), m_controller(controller), m_workspace(workspace), m_comparison(comparison) {
    connect(&m_controller, &SessionController::aboutToShowOther, this, &RunViews::leave);
    connect(&m_controller, &SessionController::runsChanged, this, &RunViews::forgetClosed);
}

RunViews::~RunViews() = default;

RunViews::Kept RunViews::stateNow() const {
    Kept kept;
    kept.page = m_workspace.page();
    kept.table = m_workspace.tabs()->currentWidget();
    ui::MemoryPage& memory = m_workspace.memoryPage();
    kept.memoryTab = memory.tabs().currentWidget();
    kept.chart = m_workspace.charts().current();
    kept.filter = m_workspace.filter().kept();
    kept.evidence = m_workspace.evidence().said();
    kept.at = memory.focus().at();
    kept.allocation = memory.focus().selected();
    kept.map = memory.map().view().bytes().shown();
    kept.treemapOf = memory.alive().treemap().outerKey();
    kept.treemap = memory.alive().treemap().path();
    for (ui::FlameView* flame : m_workspace.findChildren<ui::FlameView*>())
        kept.flames[flame] = flame->chart().zoomedPath();
    kept.subject = m_workspace.ops().subject();
    kept.grouping = m_workspace.ops().grouping();
    kept.timeline = m_workspace.timeline()->place();
    kept.summaryTop = m_workspace.summary().scrollTop();
    for (ui::DataTable* table : tablesOf(m_workspace))
        kept.places[table] = table->place();
    return kept;
}

void RunViews::restore(const Kept& kept) {
    ui::MemoryPage& memory = m_workspace.memoryPage();
    // Selecting an allocation selects its op, pinning the cursor chooses the moment and zooming leaves bytes
    // zoomed to: in this order each is as it was.
    memory.focus().setSelected(kept.allocation);
    ui::RunFilter::Kept filter = kept.filter;
    // A run that has ended since then has no newest moment to go on to.
    filter.axis.following = filter.axis.following && (filter.axis.whole || m_controller.document().isLive());
    m_workspace.filter().takeUp(filter);
    memory.focus().setAt(kept.at);
    memory.map().view().bytes().restore(kept.map);
    ui::TreemapView& treemap = memory.alive().treemap();
    if (treemap.outerKey() == kept.treemapOf)
        treemap.restore(kept.treemap);
    for (const auto& [flame, path] : kept.flames)
        flame->chart().zoomTo(path);
    m_workspace.ops().setSubject(kept.subject);
    m_workspace.ops().setGrouping(kept.grouping);
    for (const auto& [table, place] : kept.places)
        table->restorePlace(place);
    m_workspace.tabs()->setCurrentWidget(kept.table);
    memory.showView(kept.memoryTab);
    m_workspace.charts().showView(kept.chart);
    m_workspace.setPage(kept.page);
    m_workspace.evidence().say(kept.evidence);
    m_workspace.timeline()->restorePlace(kept.timeline);
    m_workspace.summary().restoreScrollTop(kept.summaryTop);
}

void RunViews::leave() {
    if (m_shown != 0)
        m_kept[m_shown] = std::make_shared<const Kept>(stateNow());
}

RunViews::Arrival RunViews::arriveAt(int index) {
    const std::uint64_t id = index < 0 ? 0 : m_controller.run(index).id;
    if (id == std::exchange(m_shown, id))
        return Arrival::kSame;
    if (const auto kept = m_kept.find(id); kept != m_kept.end()) {
        restore(*kept->second);
        return Arrival::kAgain;
    }
    m_workspace.summary().restoreScrollTop(0);
    // Another run's row is not waited for.
    for (ui::DataTable* table : tablesOf(m_workspace))
        table->restorePlace({});
    return Arrival::kFirst;
}

void RunViews::forgetClosed() {
    const auto isOpen = [this](std::uint64_t id) { return m_controller.runs().indexOf(id) >= 0; };
    std::erase_if(m_kept, [&](const auto& kept) { return !isOpen(kept.first); });
    std::erase_if(m_comparisons,
                  [&](const auto& kept) { return !isOpen(kept.first.first) || !isOpen(kept.first.second); });
    if (!isOpen(m_shown))
        m_shown = 0;
}

std::uint64_t RunViews::idOf(const std::shared_ptr<const Snapshot>& snapshot) const {
    const int index = m_controller.runs().indexOf(snapshot);
    return index < 0 ? 0 : m_controller.run(index).id;
}

std::pair<std::uint64_t, std::uint64_t> RunViews::comparedIds() const {
    return {idOf(m_comparison.sideA().snapshot), idOf(m_comparison.sideB().snapshot)};
}

void RunViews::leaveComparison() {
    const auto ids = comparedIds();
    if (ids.first != 0 && ids.second != 0)
        m_comparisons[ids] = std::make_shared<const KeptComparison>(KeptComparison{m_comparison.kept()});
}

void RunViews::arriveAtComparison() {
    if (const auto kept = m_comparisons.find(comparedIds()); kept != m_comparisons.end())
        m_comparison.restore(kept->second->view);
}

}  // namespace warpglass::app
