#include "engine/query/summary/run_summary.h"

#include <limits>

#include "engine/base/check.h"
#include "engine/base/format.h"
#include "engine/plan/flops.h"
#include "engine/plan/valid_config.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/statistics/statistics.h"

namespace warpglass {

namespace {

void countSteps(const Snapshot& snapshot, RunSummary& summary) {
    const std::int32_t warmup = warmupSteps(snapshot);
    const std::int32_t completed =
        completedSteps(snapshot).value_or(std::numeric_limits<std::int32_t>::max());
    forEachRow(snapshot, TrackKind::kStep, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (chunk.step[i] >= completed || chunk.step[i] == kNoStep)
            return;  // cut off by a stop or a failure; a graph's capture
        ++(chunk.step[i] < warmup ? summary.warmupSteps : summary.measuredSteps);
    });
}

void timeSteps(const Snapshot& snapshot, RunSummary& summary) {
    const StepSelection selection = stepsToAverage(snapshot);
    summary.averagedSteps = selection.count;
    summary.averagesWarmup = selection.count > 0 && !selection.measured;
    const std::vector<StatisticsRow> phases = phaseStatistics(snapshot);
    if (selection.count == 0 || summary.averagesWarmup || phases.empty() || phases.back().name != "step")
        return;
    summary.stepMean = phases.back().average;
    if (selection.count > 1)
        summary.stepStandardDeviation = phases.back().standardDeviation;
}

void rateSteps(RunSummary& summary) {
    if (!summary.config)
        return;
    const RunConfig& config = *summary.config;
    summary.plannedSteps = config.warmup + config.steps;
    if (!validate(config).empty())
        return;  // counting needs sizes that make sense; a file may state any
    const FlopsEstimate flops = countFlops(config);
    summary.matmulFlopsPerStep = flops.matmul();
    summary.flopsPerStep = flops.total();
    if (!summary.stepMean || *summary.stepMean <= 0)
        return;
    const double seconds = *summary.stepMean / 1e9;
    if (!config.isAttention())
        summary.tokensPerSecond = static_cast<double>(config.tokensPerStep()) / seconds;
    summary.matmulFlopsPerSecond = static_cast<double>(flops.matmul().value) / seconds;
    summary.flopsPerSecond = static_cast<double>(flops.total().value) / seconds;
}

}  // namespace

std::string stateInWords(const RunSummary& run) {
    const bool holdsSomething = run.duration > Nanoseconds(0);
    return run.state == run_state::kCutOff && holdsSomething
               ? run.state + " at " + formatDuration(run.duration)
               : run.state;
}

void countReadable(const MissingRecords& missing, RunSummary& summary) {
    if (!missing.any())
        return;
    const auto there = [&](RecordKind kind) { return missing.of(kind).total - missing.of(kind).missing; };
    summary.ops = there(RecordKind::kOps);
    summary.kernels = there(RecordKind::kKernels);
    summary.memoryEvents = there(RecordKind::kMemoryEvents);
    summary.allocations = there(RecordKind::kAllocations);
    summary.counterSamples = there(RecordKind::kCounters);
}

RunSummary summarizeRun(const Snapshot& snapshot, const std::optional<MemoryPoint>& peak) {
    const RunInfo& info = snapshot.info();
    RunSummary summary;
    if (auto config = configFromPairs(info.pairs())) {
        summary.title = shortTitle(*config);
        summary.config = std::move(*config);
    }
    summary.state = info.get("state");
    summary.stateMessage = info.get("state.message");
    summary.duration = snapshot.range().duration();
    countSteps(snapshot, summary);
    timeSteps(snapshot, summary);
    rateSteps(summary);
    if (summary.config)
        summary.utilization = modelUtilization(snapshot, summary.stepMean);

    summary.peak = peak;

    summary.spans = snapshot.spanCount();
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kCpuThread))
        summary.ops += lane.rows();
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kGpuStream))
        summary.kernels += lane.rows();
    summary.memoryEvents = snapshot.memoryEventCount();
    summary.allocations = snapshot.allocationCount();
    summary.counterSamples = snapshot.counterSampleCount();
    summary.losses = snapshot.losses();
    countReadable(Completeness(snapshot).missing(), summary);
    return summary;
}

RunSummary summarizeRun(const MemoryTimeline& timeline) {
    WG_CHECK(timeline.snapshot());
    RunSummary summary = summarizeRun(*timeline.snapshot(), timeline.peak());
    summary.beforeBackward = mostBeforeBackward(memoryBeforeBackward(timeline));
    return summary;
}

std::optional<double> RunSummary::shownDeviation() const {
    return averagedSteps < PhaseSamples::kLeastForDeviation ? std::nullopt : stepStandardDeviation;
}

std::string stepCaution(const RunSummary& run) {
    if (run.state == run_state::kRecording)
        return {};
    if (run.averagesWarmup)
        return "No measured step was completed: what is said of a step is of the warm-up, which takes "
               "longer.";
    if (run.measuredSteps != 1)
        return {};
    return "Only one step was measured: the variation from step to step is unknown, and a small "
           "difference from another run may be noise.";
}

}  // namespace warpglass
