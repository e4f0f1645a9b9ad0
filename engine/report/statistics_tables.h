// The tables of where a run's time goes, over the steps that its means are of: by op, kernel, phase and
// range, and by the parts of its model. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/spans/span_filter.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/statistics/statistics.h"
#include "engine/tables/report_table.h"
#include "engine/tables/statistics_columns.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// "Ops of the measured steps, totals of 3 steps": what the filter's rows are of. `steps`: 0 where they
/// cannot be told per step.
std::string countedTitle(const std::string& what, const Snapshot& run, const SpanFilter& filter,
                         std::int64_t steps);
/// How many whole steps the filter's totals are of.
std::int64_t countedSteps(const Snapshot& run, const SpanFilter& filter);

/// What a query gave, and a heading that says what it covers.
template <class Row>
struct Counted {
    SpanFilter filter;
    std::vector<Row> rows;
    std::int64_t steps = 0;  // that its totals are of; 0 where they cannot be told per step
    std::string title;
};
/// Over the measured steps, or over everything where these have none or `filter` says so; `filter` then says
/// what counted. A range counts with all that was launched in it. `query(run, filter)` gives rows.
template <class Row, class Query>
Counted<Row> counted(const std::string& what, const Snapshot& run, SpanFilter filter, const Query& query) {
    filter.byLaunch = true;
    std::vector<Row> rows = query(run, filter);
    if (rows.empty() && filter.measuredOnly) {
        filter.measuredOnly = false;
        rows = query(run, filter);
    }
    const std::int64_t steps = countedSteps(run, filter);
    return {filter, std::move(rows), steps, countedTitle(what, run, filter, steps)};
}

/// By whose clock the times of ranges are, which a GPU's run goes through twice: ", by the host's clock"; ""
/// for a run on the CPU, which has but one.
std::string hostClockOf(const Snapshot& run);

/// Kernels with what is known of their work.
std::vector<StatisticsNode> countedKernels(const Snapshot& run, const SpanFilter& filter);
ReportTable kernelsTable(const Counted<StatisticsNode>& kernels, bool forPeople);
ReportTable statisticsReport(const Counted<StatisticsRow>& counted, StatisticsOf what, const std::string& key,
                             bool forPeople);

/// `where`: ", in backward", of a range or of one step; empty for the measured steps.
ReportTable layersReport(const Layers& layers, const std::string& where, bool forPeople);
ReportTable attentionReport(const AttentionParts& parts, const std::string& where, bool forPeople);

}  // namespace warpglass
