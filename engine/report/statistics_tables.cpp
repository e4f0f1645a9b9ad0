#include "engine/report/statistics_tables.h"

#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/step_selection.h"
#include "engine/tables/layer_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/span_columns.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

/// "Layers, by the GPU's time a step, mean of the measured steps". `table`: of layers or attention's parts.
template <class Table>
std::string titleOf(std::string what, const Table& table, const std::string& where) {
    if (!table.ofRange && table.steps == 0)
        return what + ": no step was completed";
    what += table.gpu ? ", by GPU time" : ", by CPU time";
    if (table.ofRange)
        return what + where;
    return what + (table.measured ? " per step, mean of the measured steps"
                                  : " per step, mean of the warm-up steps");
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

std::string hostClockOf(const Snapshot& run) {
    const Completeness completeness(run);
    return completeness.has(DataKind::kGpuPhases) || !completeness.why(DataKind::kGpuPhases).empty()
               ? ", by the host's clock"
               : "";
}

std::vector<StatisticsNode> countedKernels(const Snapshot& run, const SpanFilter& filter) {
    return statisticsTree(groupedStatistics(run, filter, TrackKind::kGpuStream, SpanGrouping::kFlat),
                          SpanGrouping::kFlat);
}

ReportTable kernelsTable(const Counted<StatisticsNode>& kernels, bool forPeople) {
    return reportOf(spansTable(false), kernels.title, kernels.rows,
                    {.statistics = {.steps = kernels.steps}, .grouping = SpanGrouping::kFlat}, forPeople,
                    "kernels");
}

ReportTable statisticsReport(const Counted<StatisticsRow>& counted, StatisticsOf what, const std::string& key,
                             bool forPeople) {
    return reportOf(statisticsTable(what), counted.title, counted.rows, {.steps = counted.steps}, forPeople,
                    key);
}

ReportTable layersReport(const Layers& layers, const std::string& where, bool forPeople) {
    std::string title = titleOf("Layers", layers, where);
    addSentences(title, layers.splits);
    return reportOf(layersTable(), std::move(title), layers.rows, LayersShown(layers), forPeople);
}

ReportTable attentionReport(const AttentionParts& parts, const std::string& where, bool forPeople) {
    return reportOf(attentionTable(), titleOf("Parts of attention", parts, where), parts.rows, parts,
                    forPeople);
}

}  // namespace warpglass
