#include "engine/report/run_tables.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/summary/step_caution.h"

namespace warpglass {
namespace {

/// Each of them a span.
constexpr RecordKind kSpanKinds[] = {RecordKind::kGpuPhases, RecordKind::kSteps,   RecordKind::kPhases,
                                     RecordKind::kOps,       RecordKind::kModules, RecordKind::kCalls,
                                     RecordKind::kWaits,     RecordKind::kProfiler};

template <class Integer>
Cell count(Integer value) {
    return static_cast<std::int64_t>(value);
}

ReportTable figuresOf(const RunSummary& run, bool forPeople) {
    const std::optional<ModelUtilization>& mfu = run.utilization;
    const bool isReached = mfu && mfu->ceilings.isReached();
    return {run.title.empty() ? "Run" : run.title,
            {{"State", "state"},
             {"Why", "state_message"},
             {"Time recorded", "duration_ns", Unit::kNanoseconds},
             {"Warm-up steps", "warmup_steps", Unit::kCount},
             {"Measured steps", "measured_steps", Unit::kCount},
             {"Planned steps", "planned_steps", Unit::kCount},
             {"Steps averaged", "averaged_steps", Unit::kCount},
             {"Time per step, mean", "step_mean_ns", Unit::kNanoseconds},
             {"Time per step, standard deviation", "step_stddev_ns", Unit::kNanoseconds},
             {"Tokens per second", "tokens_per_second", Unit::kCount},
             {"FLOPs per step", "step_flops", Unit::kFlops},
             {"FLOPs per second", "flops_per_second", Unit::kFlopsPerSecond},
             {"GEMM FLOPs per step", "step_matmul_flops", Unit::kFlops},
             {"GEMM FLOPs per second", "matmul_flops_per_second", Unit::kFlopsPerSecond},
             {"Peak memory", "peak_bytes", Unit::kBytes},
             {"Peak at", "peak_time_ns", Unit::kNanoseconds},
             {"Spans", "spans", Unit::kCount},
             {"Ops", "ops", Unit::kCount},
             {"Memory events", "memory_events", Unit::kCount},
             {"Allocations", "allocations", Unit::kCount},
             {"Kernels", "kernels", Unit::kCount},
             {"Model's GEMM FLOPs per step", "model_flops", Unit::kFlops},
             {"Model's GEMM FLOPs per second", "model_flops_per_second", Unit::kFlopsPerSecond},
             {isReached ? "Ceiling per second, reached by a run" : "Measured ceiling per second",
              "ceiling_flops_per_second", Unit::kFlopsPerSecond},
             {isReached ? "MFU of the ceiling reached" : "MFU of the measured ceiling", "ceiling_share",
              Unit::kFraction},
             {"Data sheet per second", "data_sheet_flops_per_second", Unit::kFlopsPerSecond},
             {"MFU of the data sheet", "data_sheet_share", Unit::kFraction}},
            {{textOrAbsent(forPeople ? stateInWords(run) : run.state),
              textOrAbsent(run.stateMessage),
              run.duration.value,
              run.warmupSteps,
              run.measuredSteps,
              run.plannedSteps > 0 ? Cell(run.plannedSteps) : Cell(),
              run.averagedSteps,
              orAbsent(run.stepMean),
              orAbsent(run.stepStandardDeviation),
              orAbsent(run.tokensPerSecond),
              orAbsent(run.flopsPerStep),
              orAbsent(run.flopsPerSecond),
              orAbsent(run.matmulFlopsPerStep),
              orAbsent(run.matmulFlopsPerSecond),
              run.peak ? Cell(sumOf(run.peak->bytes)) : Cell(),
              run.peak ? Cell(run.peak->time.value) : Cell(),
              count(run.spans),
              count(run.ops),
              count(run.memoryEvents),
              count(run.allocations),
              count(run.kernels),
              mfu ? Cell(mfu->modelFlops.value) : Cell(),
              mfu ? Cell(mfu->flopsPerSecond) : Cell(),
              mfu ? orAbsent(mfu->ceilings.measured.flopsPerSecond) : Cell(),
              mfu ? orAbsent(mfu->ofMeasured()) : Cell(),
              mfu ? orAbsent(mfu->ceilings.dataSheet.flopsPerSecond) : Cell(),
              mfu ? orAbsent(mfu->ofDataSheet()) : Cell()}},
            "summary"};
}

/// Why there is no share of a ceiling, for people, who would look for it.
void addWhyNoMfu(ReportTable& summary, const RunSummary& run) {
    std::string why;
    if (!run.config)
        why = "the run states no configuration, so its FLOPs are not known";
    else if (!run.stepMean)
        why = "no measured step was completed";
    else if (!run.utilization)
        why = "the run's FLOPs are not known";
    else if (!run.utilization->ofMeasured() && !run.utilization->ofDataSheet())
        why =
            "the ceilings of its device had not been measured when it ran (warpglass-cli devices --measure), "
            "and no "
            "data sheet of it is known";
    if (why.empty())
        return;
    summary.columns.push_back({"No MFU", "no_mfu"});
    summary.rows.front().emplace_back("There is no MFU: " + why + ".");
}

/// What the summary says of memory before the backward pass; people are spared what there is not.
void addBeforeBackward(ReportTable& summary, const std::optional<BeforeBackward>& before, bool forPeople) {
    const auto add = [&](ReportColumn column, Cell cell) {
        if (forPeople && isAbsent(cell))
            return;
        summary.columns.push_back(std::move(column));
        summary.rows.front().push_back(std::move(cell));
    };
    add({"Allocated before backward", "before_backward_bytes", Unit::kBytes},
        before ? Cell(before->allocated.value) : Cell());
    add({"Reserved before backward", "before_backward_reserved_bytes", Unit::kBytes},
        before && before->reserved ? Cell(before->reserved->value) : Cell());
}

}  // namespace

ReportTable summaryTable(const RunSummary& run, bool forPeople) {
    ReportTable figures = figuresOf(run, forPeople);
    const auto addText = [&](ReportColumn column, const std::string& text) {
        if (text.empty() && forPeople)  // people are spared the empty line
            return;
        figures.columns.push_back(std::move(column));
        figures.rows.front().push_back(textOrAbsent(text));
    };
    addText({"Caution", "caution"}, stepCaution(run));
    addText({"Roof", "roof"}, run.utilization ? run.utilization->ceilings.sentence() : std::string());
    addBeforeBackward(figures, run.beforeBackward, forPeople);
    if (forPeople)
        addWhyNoMfu(figures, run);
    return figures;
}

void forgetCounts(ReportTable& summary, const MissingRecords& missing) {
    const bool lacksSpans = missing.lacksGpuWork() || std::ranges::any_of(kSpanKinds, [&](RecordKind kind) {
                                return missing.lacks(kind);
                            });
    const std::pair<std::string_view, bool> lost[] = {
        {"spans", lacksSpans},
        {"ops", missing.lacks(RecordKind::kOps)},
        {"memory_events", missing.lacks(RecordKind::kMemoryEvents)},
        {"allocations", missing.lacks(RecordKind::kAllocations)},
        {"kernels", missing.lacks(RecordKind::kKernels)}};
    for (std::size_t c = 0; c < summary.columns.size(); ++c) {
        for (const auto& [key, isLost] : lost) {
            if (isLost && summary.columns[c].key == key)
                summary.rows.front()[c] = Cell();
        }
    }
}

ReportTable peakTable(const RunSummary& run, const MemoryTimeline& memory,
                      const std::optional<PeakExplanation>& why) {
    ReportTable table{why ? why->sentence() + " By category:" : "Memory at the peak, by category",
                      {{"Category", "category"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Share", "share", Unit::kFraction},
                       {"Requested", "requested_bytes", Unit::kBytes},
                       {"Lost to rounding", "rounding_bytes", Unit::kBytes}},
                      {},
                      "peak"};
    if (!run.peak)
        return table;
    const auto rounding = roundingAt(memory, run.peak->time);
    const auto whole = static_cast<double>(sumOf(run.peak->bytes));
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        table.rows.push_back({std::string(kCategoryNames[i]), run.peak->bytes[i],
                              whole > 0 ? static_cast<double>(run.peak->bytes[i]) / whole : 0.0,
                              rounding[i].asked.value, rounding[i].lost().value});
    return table;
}

/// What was asked for and given, and what of the device was in use besides.
ReportTable memoryTable(const RunSummary& run, const MemoryTimeline& memory) {
    const Snapshot& snapshot = *memory.snapshot();
    const RoundingTotals all = roundingOfRun(snapshot);
    RoundingTotals peak;
    if (run.peak) {
        for (const RoundingTotals& category : roundingAt(memory, run.peak->time)) {
            peak.asked += category.asked;
            peak.given += category.given;
            peak.allocations += category.allocations;
        }
    }
    MemorySegments segments;
    segments.update(memory.snapshot());
    const std::string absent = Completeness(snapshot).why(DataKind::kMemory);
    ReportTable table{absent.empty() ? "Memory" : "Memory. " + absent + ".",
                      {{"Requested at the peak", "peak_requested_bytes", Unit::kBytes},
                       {"Allocated at the peak", "peak_given_bytes", Unit::kBytes},
                       {"Lost to rounding at the peak", "peak_rounding_bytes", Unit::kBytes},
                       {"Live at the peak", "peak_allocations", Unit::kCount},
                       {"Requested by all allocations", "requested_bytes", Unit::kBytes},
                       {"Given to all allocations", "given_bytes", Unit::kBytes},
                       {"Lost to rounding by all allocations", "rounding_bytes", Unit::kBytes},
                       {"Reserved at the peak", "peak_reserved_bytes", Unit::kBytes},
                       {"Free share of reserved at the peak", "peak_free_share", Unit::kFraction},
                       {"Fragmentation at the peak", "peak_fragmentation_share", Unit::kFraction},
                       {"Maximum reserved", "max_reserved_bytes", Unit::kBytes},
                       {"Out-of-memory events", "out_of_memory", Unit::kCount},
                       {"Taken by the profiler (CUPTI)", "profiler_bytes", Unit::kBytes},
                       {"Also in use: CUDA's context, other programs", "other_bytes", Unit::kBytes}},
                      {},
                      "memory"};
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const std::int64_t figure : {peak.asked.value, peak.given.value, peak.lost().value, peak.allocations,
                                      all.asked.value, all.given.value, all.lost().value})
        cells.push_back(absent.empty() ? Cell(figure) : Cell());
    if (run.peak && segments.eventCount() > 0) {
        const SegmentTotals totals = segments.at(memory, run.peak->time).totals;
        cells.emplace_back(totals.reserved.value);
        cells.emplace_back(totals.freeShare());
        cells.emplace_back(totals.fragmentation());
    } else {
        cells.resize(cells.size() + 3);
    }
    for (const char* key : {"allocator.peak_reserved_bytes", "allocator.out_of_memory",
                            "memory.profiler_bytes", "memory.other_bytes"}) {
        const std::optional<std::int64_t> figure = snapshot.info().getInteger(key);
        cells.resize(cells.size() + 1);
        if (figure)
            cells.back() = *figure;
    }
    return table;
}

}  // namespace warpglass
