#include "engine/report/run_tables.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/tables/report.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

using Run = Column<RunSummary>;

/// Each of them a span.
constexpr RecordKind kSpanKinds[] = {RecordKind::kGpuPhases, RecordKind::kSteps,   RecordKind::kPhases,
                                     RecordKind::kOps,       RecordKind::kModules, RecordKind::kCalls,
                                     RecordKind::kWaits,     RecordKind::kProfiler};

/// Why there is no share of a ceiling, for people, who would look for it.
std::string whyNoMfu(const RunSummary& run) {
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
            "and no data sheet of it is known";
    return why.empty() ? why : "There is no MFU: " + why + ".";
}

std::string roofOf(const RunSummary& run) {
    return run.utilization ? run.utilization->ceilings.sentence() : std::string();
}

std::int64_t totalOf(const MemoryPoint& point) {
    return sumOf(point.bytes);
}

}  // namespace

TableDescription<RunSummary> runColumns(bool isCeilingReached) {
    const auto mfu = [](auto of) { return through(&RunSummary::utilization, of); };
    const auto perSecond = [&](RunCeiling RunCeilings::*of) {
        return mfu([of](const ModelUtilization& mfu) { return (mfu.ceilings.*of).flopsPerSecond; });
    };
    return {
        "summary",
        {Run("state", "State", unlessEmpty(&RunSummary::state),
             {.text =
                  [](const RunSummary& run) {
                      return run.state.empty() ? std::nullopt : std::optional(stateInWords(run));
                  }}),
         Run("state_message", "Why", unlessEmpty(&RunSummary::stateMessage)),
         Run("duration_ns", "Time recorded", Unit::kNanoseconds, &RunSummary::duration),
         Run("warmup_steps", "Warm-up steps", Unit::kCount, &RunSummary::warmupSteps),
         Run("measured_steps", "Measured steps", Unit::kCount, &RunSummary::measuredSteps),
         Run("planned_steps", "Planned steps", Unit::kCount, ifPositive(&RunSummary::plannedSteps)),
         Run("averaged_steps", "Steps averaged", Unit::kCount, &RunSummary::averagedSteps),
         Run("step_mean_ns", "Time per step, mean", Unit::kNanoseconds, &RunSummary::stepMean),
         Run("step_stddev_ns", "Time per step, standard deviation", Unit::kNanoseconds,
             &RunSummary::stepStandardDeviation),
         Run("tokens_per_second", "Tokens per second", Unit::kCount, &RunSummary::tokensPerSecond),
         Run("step_flops", "FLOPs per step", Unit::kFlops, &RunSummary::flopsPerStep),
         Run("flops_per_second", "FLOPs per second", Unit::kFlopsPerSecond, &RunSummary::flopsPerSecond),
         Run("step_matmul_flops", "GEMM FLOPs per step", Unit::kFlops, &RunSummary::matmulFlopsPerStep),
         Run("matmul_flops_per_second", "GEMM FLOPs per second", Unit::kFlopsPerSecond,
             &RunSummary::matmulFlopsPerSecond),
         Run("peak_bytes", "Peak memory", Unit::kBytes, through(&RunSummary::peak, totalOf)),
         Run("peak_time_ns", "Peak at", Unit::kNanoseconds, through(&RunSummary::peak, &MemoryPoint::time)),
         Run("spans", "Spans", Unit::kCount, &RunSummary::spans),
         Run("ops", "Ops", Unit::kCount, &RunSummary::ops),
         Run("memory_events", "Memory events", Unit::kCount, &RunSummary::memoryEvents),
         Run("allocations", "Allocations", Unit::kCount, &RunSummary::allocations),
         Run("kernels", "Kernels", Unit::kCount, &RunSummary::kernels),
         Run("model_flops", "Model's GEMM FLOPs per step", Unit::kFlops, mfu(&ModelUtilization::modelFlops)),
         Run("model_flops_per_second", "Model's GEMM FLOPs per second", Unit::kFlopsPerSecond,
             mfu(&ModelUtilization::flopsPerSecond)),
         Run("ceiling_flops_per_second",
             isCeilingReached ? "Ceiling per second, reached by a run" : "Measured ceiling per second",
             Unit::kFlopsPerSecond, perSecond(&RunCeilings::measured)),
         Run("ceiling_share", isCeilingReached ? "MFU of the ceiling reached" : "MFU of the measured ceiling",
             Unit::kFraction, mfu(&ModelUtilization::ofMeasured)),
         Run("data_sheet_flops_per_second", "Data sheet per second", Unit::kFlopsPerSecond,
             perSecond(&RunCeilings::dataSheet)),
         Run("data_sheet_share", "MFU of the data sheet", Unit::kFraction,
             mfu(&ModelUtilization::ofDataSheet)),
         Run("caution", "Caution", unlessEmpty(stepCaution)),
         Run("roof", "Roof", unlessEmpty(roofOf)),
         Run("before_backward_bytes", "Allocated before backward", Unit::kBytes,
             through(&RunSummary::beforeBackward, &BeforeBackward::allocated)),
         Run("before_backward_reserved_bytes", "Reserved before backward", Unit::kBytes,
             through(&RunSummary::beforeBackward, &BeforeBackward::reserved))}};
}

ReportTable summaryTable(const RunSummary& run, bool forPeople) {
    TableDescription<RunSummary> table = runColumns(run.utilization && run.utilization->ceilings.isReached());
    if (forPeople) {
        table.columns.push_back(Run("no_mfu", "No MFU", unlessEmpty(whyNoMfu)));
        // People are spared the empty line of what most runs lack.
        const auto caution = std::ranges::find(table.columns, "caution", &Run::key);
        table.columns.erase(
            std::remove_if(caution, table.columns.end(),
                           [&](const Run& column) { return isAbsent(column.value(run, {})); }),
            table.columns.end());
    }
    return reportOf(table, run.title.empty() ? "Run" : run.title, rowOf(run), {}, forPeople);
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

ReportTable categoriesTable(std::string key, std::string title, const std::vector<CategoryPart>& parts,
                            bool withRounding) {
    using Part = Column<CategoryPart>;
    double whole = 0;
    for (const CategoryPart& part : parts)
        whole += static_cast<double>(part.bytes);
    std::vector<Part> columns = {
        Part("category", "Category", &CategoryPart::name),
        Part("size_bytes", "Size", Unit::kBytes, &CategoryPart::bytes),
        Part("share", "Share", Unit::kFraction, shareOf(whole, &CategoryPart::bytes))};
    if (withRounding) {
        columns.push_back(Part("requested_bytes", "Requested", Unit::kBytes,
                               through(&CategoryPart::rounding, &RoundingTotals::asked)));
        columns.push_back(Part("rounding_bytes", "Lost to rounding", Unit::kBytes,
                               through(&CategoryPart::rounding, &RoundingTotals::lost)));
    }
    return tableOf(std::move(key), std::move(title), parts, std::move(columns));
}

ReportTable peakTable(const RunSummary& run, const MemoryTimeline& memory,
                      const std::optional<PeakExplanation>& why) {
    std::vector<CategoryPart> parts;
    if (run.peak) {
        const auto rounding = roundingAt(memory, run.peak->time);
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            parts.push_back({kCategoryNames[i], run.peak->bytes[i], rounding[i]});
    }
    return categoriesTable(
        "peak", why ? why->sentence() + " By category:" : "Memory at the peak, by category", parts, true);
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
    std::optional<SegmentTotals> totals;
    if (run.peak && segments.eventCount() > 0)
        totals = segments.at(memory, run.peak->time).totals;
    const std::string absent = Completeness(snapshot).why(DataKind::kMemory);
    const auto known = [&](const auto& figure) { return absent.empty() ? cellOf(figure) : Cell(); };
    const auto atPeak = [&](auto of) { return totals ? cellOf(std::invoke(of, *totals)) : Cell(); };
    const auto stated = [&](const char* key) { return snapshot.info().getInteger(key); };
    return recordOf(
        "memory", absent.empty() ? "Memory" : "Memory. " + absent + ".",
        {{"peak_requested_bytes", "Requested at the peak", Unit::kBytes, known(peak.asked)},
         {"peak_given_bytes", "Allocated at the peak", Unit::kBytes, known(peak.given)},
         {"peak_rounding_bytes", "Lost to rounding at the peak", Unit::kBytes, known(peak.lost())},
         {"peak_allocations", "Live at the peak", Unit::kCount, known(peak.allocations)},
         {"requested_bytes", "Requested by all allocations", Unit::kBytes, known(all.asked)},
         {"given_bytes", "Given to all allocations", Unit::kBytes, known(all.given)},
         {"rounding_bytes", "Lost to rounding by all allocations", Unit::kBytes, known(all.lost())},
         {"peak_reserved_bytes", "Reserved at the peak", Unit::kBytes, atPeak(&SegmentTotals::reserved)},
         {"peak_free_share", "Free share of reserved at the peak", Unit::kFraction,
          atPeak(&SegmentTotals::freeShare)},
         {"peak_fragmentation_share", "Fragmentation at the peak", Unit::kFraction,
          atPeak(&SegmentTotals::fragmentation)},
         {"max_reserved_bytes", "Maximum reserved", Unit::kBytes, stated("allocator.peak_reserved_bytes")},
         {"out_of_memory", "Out-of-memory events", Unit::kCount, stated("allocator.out_of_memory")},
         {"profiler_bytes", "Taken by the profiler (CUPTI)", Unit::kBytes, stated("memory.profiler_bytes")},
         {"other_bytes", "Also in use: CUDA's context, other programs", Unit::kBytes,
          stated("memory.other_bytes")}});
}

ReportTable lossesTable(std::string key, const std::vector<LossCount>& losses) {
    using Loss = Column<LossCount>;
    return tableOf<LossCount>(
        std::move(key), "Not recorded", losses,
        {Loss("name", "What", &LossCount::name), Loss("count", "Count", Unit::kCount, &LossCount::count)});
}

ReportTable warningsTable(const std::vector<std::string>& warnings) {
    return tableOf<std::string>("warnings", "Warnings about the file", warnings,
                                {Column<std::string>("warning", "Warning", std::identity())});
}

}  // namespace warpglass
