#include "engine/report/statistics_tables.h"

#include <vector>

#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/statistics/statistics.h"
#include "engine/tables/report.h"
#include "engine/tables/span_columns.h"
#include "engine/tables/statistics_columns.h"

namespace warpglass {
namespace {

/// Rows of the measured steps or, without any, of all; leaves in `filter` which these are.
template <class Query>
auto measuredOrAll(SpanFilter& filter, const Query& query) {
    filter.measuredOnly = true;
    filter.byLaunch = true;
    auto rows = query(filter);
    if (rows.empty()) {
        filter.measuredOnly = false;
        rows = query(filter);
    }
    return rows;
}

}  // namespace

std::string countedTitle(const std::string& what, const Snapshot& run, const SpanFilter& filter,
                         std::int64_t steps) {
    return what +
           (!filter.measuredOnly    ? " of the whole run"
            : hasMeasuredSteps(run) ? " of the measured steps"
                                    : " of the warm-up steps") +
           (steps == 0 ? ", totals"
                       : ", totals of " + std::to_string(steps) + (steps == 1 ? " step" : " steps"));
}

std::int64_t countedSteps(const Snapshot& run, const SpanFilter& filter) {
    const std::int64_t whole = wholeStepsOf(run, filter);
    return whole > 0 ? whole : stepsWithRanges(run, filter);
}

ReportTable kernelsTable(const Snapshot& run) {
    SpanFilter filter;
    const std::vector<StatisticsNode> rows = measuredOrAll(filter, [&](const SpanFilter& of) {
        return statisticsTree(groupedStatistics(run, of, TrackKind::kGpuStream, SpanGrouping::kFlat),
                              SpanGrouping::kFlat);
    });
    const std::int64_t steps = countedSteps(run, filter);
    return reportOf(spansTable(false), countedTitle("Kernels", run, filter, steps), rows,
                    {.statistics = {.steps = steps}, .grouping = SpanGrouping::kFlat}, true, "kernels");
}

ReportTable opsTable(const Snapshot& run) {
    SpanFilter filter;
    const std::vector<StatisticsRow> rows =
        measuredOrAll(filter, [&](const SpanFilter& of) { return opStatistics(run, of); });
    const std::int64_t steps = countedSteps(run, filter);
    return reportOf(statisticsTable(StatisticsOf::kOps), countedTitle("Ops", run, filter, steps), rows,
                    {.steps = steps}, true, "ops");
}

ReportTable phasesTable(const Snapshot& run) {
    const std::vector<StatisticsRow> rows = phaseStatistics(run);
    const Completeness completeness(run);
    const bool onGpu =
        completeness.has(DataKind::kGpuPhases) || !completeness.why(DataKind::kGpuPhases).empty();
    return reportOf(statisticsTable(StatisticsOf::kPhases), onGpu ? "Phases, by the host's clock" : "Phases",
                    rows, {}, true, "phases");
}

}  // namespace warpglass
