#include "engine/query/findings/run_overview.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/plan/parts.h"
#include "engine/plan/saturating.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/findings/findings.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/query/findings/run_facts.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/statistics/statistics.h"

namespace warpglass {
namespace {

/// Means of the phases within the steps that are averaged, by their tracks.
std::vector<RunOverview::PhaseTime> phasesOfTracks(const Snapshot& snapshot, TrackKind kind,
                                                   std::int64_t steps) {
    std::vector<RunOverview::PhaseTime> times;
    for (const StatisticsRow& row : phaseStatistics(snapshot, kind)) {
        const auto name = std::ranges::find(kPhaseNames, row.name);
        const auto phase = static_cast<Phase>(name - kPhaseNames.begin());
        if (name == kPhaseNames.end() || phase == Phase::kSetup || phase == Phase::kTeardown ||
            row.total.value <= 0)
            continue;
        times.push_back({phase, static_cast<double>(row.total.value) / static_cast<double>(steps)});
    }
    return times;
}

void timePhases(const Snapshot& snapshot, RunOverview& overview) {
    const StepSelection steps = stepsToAverage(snapshot);
    if (steps.count == 0 || !overview.summary.stepMean)
        return;
    const Completeness completeness(snapshot);
    overview.phasesByGpu = completeness.has(DataKind::kGpuPhases);
    overview.hostClock = completeness.why(DataKind::kGpuPhases);
    overview.phases = phasesOfTracks(
        snapshot, overview.phasesByGpu ? TrackKind::kGpuPhase : TrackKind::kPhase, steps.count);
    overview.restOfStep = *overview.summary.stepMean;
    for (const RunOverview::PhaseTime& phase : overview.phases)
        overview.restOfStep -= phase.nsPerStep;
    overview.restOfStep = std::max(overview.restOfStep, 0.0);
}

void rateTraffic(const Snapshot& snapshot, RunOverview& overview) {
    const RunSummary& run = overview.summary;
    if (!run.stepMean || *run.stepMean <= 0 || !run.utilization || run.config->isAttention())
        return;
    Saturating bytes;
    for (const RooflinePoint& point : roofline(snapshot))
        bytes += Saturating(point.kernel.empty() ? point.bytes.value : 0);  // AdamW follows for every run
    if (bytes.value() == 0)
        return;
    if (run.config->mode == Mode::kStep)
        bytes += Saturating(updateMoves(*run.config).value);
    MemoryTraffic traffic;
    traffic.perStep = Bytes(bytes.value());
    traffic.bytesPerSecond = static_cast<double>(bytes.value()) / (*run.stepMean / 1e9);
    const RunCeilings& ceilings = run.utilization->ceilings;
    if (ceilings.measured.bytesPerSecond)
        traffic.ofMeasured = traffic.bytesPerSecond / *ceilings.measured.bytesPerSecond;
    if (ceilings.dataSheet.bytesPerSecond)
        traffic.ofDataSheet = traffic.bytesPerSecond / *ceilings.dataSheet.bytesPerSecond;
    overview.traffic = traffic;
}

/// A file has what CUPTI itself took, and not what each record costs its thread.
std::string recordingCostOf(const RunFacts& facts) {
    if (!facts.isLaunchBound() || !facts.config())
        return {};
    auto steps = mapped<TimeRange>(stepSpans(facts.snapshot(), facts.steps()), &StepSpan::range);
    std::int64_t taken = 0;
    forEachRow(facts.snapshot(), TrackKind::kProfiler, steps,
               [&](const SpanChunk& chunk, std::uint32_t i) { addWrapping(taken, chunk.duration[i]); });
    const std::string cupti =
        taken > 0
            ? " (" + formatMeanDuration(static_cast<double>(taken) / static_cast<double>(steps.size())) +
                  " per step in CUPTI itself, all threads together)"
            : "";
    return "The host's time includes that of recording" + cupti +
           "; a run with --record none shows the step time without it.";
}

std::string describe(const RunSummary& run) {
    if (!run.config)
        return {};
    const RunConfig& config = *run.config;
    constexpr std::array<std::string_view, 3> kModes = {"forward pass", "forward and backward pass",
                                                        "training step"};
    std::string text = (config.isAttention() ? "" : "batch " + std::to_string(config.batch) + " · ") +
                       std::string(kModes[static_cast<std::size_t>(config.mode) % kModes.size()]);
    const auto count = [](std::int64_t n, const char* one, const char* many) {
        return std::to_string(n) + " " + (n == 1 ? one : many);
    };
    text += " · " + count(run.measuredSteps, "measured step", "measured steps");
    if (run.measuredSteps == 0 && run.warmupSteps < config.warmup)  // it is still in them, or ended in them
        return text + ", " + std::to_string(run.warmupSteps) + " of " +
               count(config.warmup, "warm-up", "warm-ups");
    return text + (run.warmupSteps == 0 ? ", no warm-up"
                                        : " after " + count(run.warmupSteps, "warm-up", "warm-ups"));
}

}  // namespace

RunOverview overviewOf(const MemoryTimeline& timeline) {
    WG_CHECK(timeline.snapshot());
    const Snapshot& snapshot = *timeline.snapshot();
    RunOverview overview;
    overview.summary = summarizeRun(timeline);
    overview.device = snapshot.info().get("device.name");
    if (overview.device.empty() && overview.summary.config)
        overview.device = overview.summary.config->device;
    overview.description = describe(overview.summary);
    timePhases(snapshot, overview);
    const RunFacts facts(timeline);
    if (facts.hasKernels() && !facts.missing().lacksGpuWork()) {
        // The rules leave out a first step that the means have.
        const StepSelection averaged = stepsToAverage(snapshot);
        overview.gpu = facts.steps().first == averaged.first ? facts.gpuUse() : gpuTimeUse(snapshot, 0);
    }
    if (facts.missing().lacks(RecordKind::kCalls))
        forgetCauses(overview.gpu);
    rateTraffic(snapshot, overview);
    overview.memoryLimit = facts.memoryLimit();
    overview.findings = findIn(facts);
    overview.bound = boundInWords(facts);
    overview.recordingCost = recordingCostOf(facts);
    overview.largestWork = largestWork(facts);
    overview.highestMoment = highestMoment(facts);
    overview.missing = Completeness(snapshot).missing();  // now that what it takes has been read
    countReadable(overview.missing, overview.summary);
    overview.unrecorded = Completeness(snapshot).unrecordedSentence();
    overview.conditions = conditionsOf(snapshot);
    return overview;
}

std::string drawnWithout(const RunOverview& run) {
    const std::string lost = missingSentence(run.missing);
    return lost + (lost.empty() || run.unrecorded.empty() ? "" : " ") + run.unrecorded;
}

std::vector<std::string> cautionsOf(const RunOverview& run) {
    std::vector<std::string> cautions = run.conditions.cautions();
    if (std::string ofSteps = stepCaution(run.summary); !ofSteps.empty())
        cautions.insert(cautions.begin(), std::move(ofSteps));
    return cautions;
}

std::string verdictOn(const RunOverview& run) {
    return run.findings.empty() ? nothingFound(run) : run.findings.front().sentence;
}

std::string nothingFound(const RunOverview& run) {
    if (run.missing.any())
        return "Nothing stands out in what is there.";
    if (!run.unrecorded.empty())
        return "Nothing stands out in what was recorded.";
    if (!run.summary.stepMean)
        return run.summary.peak
                   ? "Nothing stands out in memory; no step was completed to say more of."
                   : "Nothing stands out: no step was completed, and nothing of memory is known.";
    return "Nothing stands out.";
}

}  // namespace warpglass
