#include "engine/sweep/measures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/base/collect.h"
#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/valid_config.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_before_backward.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/reserved_curve.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/summary/out_of_memory.h"
#include "engine/query/summary/run_summary.h"

namespace warpglass {
namespace {

using Figures = std::map<std::string, double, std::less<>>;

/// So many of the first steps are kept one by one.
constexpr std::size_t kFirstSteps = 32;

struct TimedPart {
    std::string key, title, what;
};
/// What a step's time is told for; all but the last two are phases by their names.
const std::vector<TimedPart>& timedParts() {
    static const std::vector<TimedPart> kParts = {
        {"forward", "Forward", "the forward pass"},
        {"loss", "Loss", "the loss phase"},
        {"backward", "Backward", "the backward pass"},
        {"optimizer", "Optimizer", "the optimizer's step"},
        {"forward_backward", "Forward + backward", "the forward and the backward pass together"},
        {"step", "Step", "the whole step on the host's clock"},
    };
    return kParts;
}

void addTimes(std::vector<Measure>& all) {
    const auto add = [&all](const TimedPart& part, const char* suffix, const char* title, const char* what,
                            const char* of = " over the measured steps") {
        Measure measure{
            part.key + suffix, part.title + ", " + title, Unit::kNanoseconds, Better::kLower, {}, {}, {}};
        measure.description = what + part.what + of;
        all.push_back(std::move(measure));
    };
    for (const TimedPart& part : timedParts()) {
        add(part, "_mean_ns", "mean", "Mean time of ");
        all.back().deviationKey = part.key + "_stddev_ns";
        add(part, "_median_ns", "median", "Median time of ");
        add(part, "_min_ns", "minimum", "Shortest time of ");
        add(part, "_max_ns", "maximum", "Longest time of ");
        add(part, "_stddev_ns", "standard deviation", "Sample standard deviation (n − 1) of the time of ");
        add(part, "_samples", "samples", "Number of steps in the statistics of ", "");
        all.back().unit = Unit::kCount;
        all.back().better = Better::kNeither;
    }
}

std::vector<Measure> drawnMeasures() {
    std::vector<Measure> all;
    addTimes(all);
    const auto add = [&all](const char* key, const char* title, Unit unit, Better better,
                            const char* description, const char* predicted = "") {
        all.push_back({key, title, unit, better, {}, predicted, description});
    };
    add("tokens_per_second", "Tokens per second", Unit::kCount, Better::kHigher,
        "Batch size times context length, divided by the mean step time");
    add("flops_per_second", "FLOP/s", Unit::kFlopsPerSecond, Better::kHigher,
        "Floating-point operations of a step, GEMMs and elementwise work, divided by the mean step time");
    add("mfu_measured", "MFU, of measured", Unit::kFraction, Better::kHigher,
        "FLOP/s of a step's GEMMs, over the whole step, as a fraction of the device's measured peak rate");
    add("mfu_data_sheet", "MFU, of data sheet", Unit::kFraction, Better::kHigher,
        "FLOP/s of a step's GEMMs, over the whole step, as a fraction of the peak rate in the device's data "
        "sheet");
    add("peak_bytes", "Peak memory", Unit::kBytes, Better::kLower,
        "Peak of the memory allocated, warm-up steps included", "predicted_peak_bytes");
    add("peak_reserved_bytes", "Peak reserved", Unit::kBytes, Better::kLower,
        "Peak of the GPU memory that the caching allocator has reserved; not measured on the CPU",
        "predicted_reserved_bytes");
    add("before_backward_bytes", "Memory before backward", Unit::kBytes, Better::kLower,
        "Memory allocated just before the backward pass, the largest value of the measured steps");
    add("before_backward_reserved_bytes", "Reserved before backward", Unit::kBytes, Better::kLower,
        "GPU memory reserved just before the backward pass of the measured step that had most allocated "
        "then; not measured on the CPU");
    add("kernels_per_step", "Kernels per step", Unit::kCount, Better::kLower,
        "Mean number of kernels that the GPU ran in a measured step, copies and fills by the driver not "
        "counted; absent without records of all kernels");
    add("run_ns", "Run", Unit::kNanoseconds, Better::kLower,
        "Duration of the whole recorded run: set-up, warm-up, measured steps and teardown");
    add("disturbed", "Disturbed", Unit::kCount, Better::kLower,
        "1 if other programs on the host or a clock that was held down disturbed the run's times, else 0; "
        "not known of a run that recorded no conditions");
    add("first_loss", "First loss", Unit::kNumber, Better::kNeither,
        "Loss of the first step, warm-up included");
    add("last_loss", "Last loss", Unit::kNumber, Better::kLower, "Loss of the last step");
    add("predicted_peak_bytes", "Predicted peak", Unit::kBytes, Better::kLower,
        "Peak of the memory allocated, as predicted from the configuration");
    add("predicted_reserved_bytes", "Predicted reserved", Unit::kBytes, Better::kLower,
        "Peak of the GPU memory reserved, as predicted from the configuration");
    add("step_flops", "FLOPs per step", Unit::kFlops, Better::kNeither,
        "Floating-point operations of a step, GEMMs and elementwise work, counted from the configuration");
    add("request_bytes", "Request refused", Unit::kBytes, Better::kNeither,
        "If memory ran out: size of the allocation that failed");
    add("allocated_at_failure_bytes", "Allocated at failure", Unit::kBytes, Better::kNeither,
        "If memory ran out: memory allocated at that moment");
    add("reserved_at_failure_bytes", "Reserved at failure", Unit::kBytes, Better::kNeither,
        "If memory ran out: GPU memory reserved at that moment");
    return all;
}

std::string stepKey(std::size_t step) {
    return "step_" + std::to_string(step) + "_ns";
}

std::vector<Measure> stepMeasures() {
    std::vector<Measure> all;
    for (std::size_t step = 0; step < kFirstSteps; ++step)
        all.push_back({stepKey(step),
                       "Step " + std::to_string(step),
                       Unit::kNanoseconds,
                       Better::kLower,
                       {},
                       {},
                       "Time of step " + std::to_string(step) + ", counting from 0 with the warm-up steps"});
    return all;
}

void put(Figures& figures, std::string_view key, std::optional<double> value) {
    if (value && std::isfinite(*value))
        figures.emplace(key, *value);
}
std::optional<double> numberOf(std::optional<Bytes> bytes) {
    return bytes ? std::optional(static_cast<double>(bytes->value)) : std::nullopt;
}

/// In ns; of a sample that is not empty.
void putTimes(Figures& figures, const std::string& part, std::vector<double> times) {
    std::ranges::sort(times);
    const auto count = static_cast<double>(times.size());
    double sum = 0, squares = 0;
    for (const double time : times)
        sum += time;
    for (const double time : times)
        squares += (time - sum / count) * (time - sum / count);
    put(figures, part + "_mean_ns", sum / count);
    put(figures, part + "_median_ns", (times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2);
    put(figures, part + "_min_ns", times.front());
    put(figures, part + "_max_ns", times.back());
    if (times.size() > 1)
        put(figures, part + "_stddev_ns", std::sqrt(squares / (count - 1)));
    put(figures, part + "_samples", count);
}

/// By step, of the samples that count.
std::map<std::int32_t, double> countedTimes(const PhaseSamples& phase) {
    std::map<std::int32_t, double> times;
    for (const PhaseSample& sample : phase.samples) {
        if (sample.counted)
            times[sample.step] += static_cast<double>(sample.duration.value);
    }
    return times;
}

void putPhases(Figures& figures, const Snapshot& run) {
    // Without a measured step, those of the warm-up would be taken: they may take a hundred times as long.
    if (!stepsToAverage(run).measured)
        return;
    const bool byGpu = Completeness(run).has(DataKind::kGpuPhases);
    std::map<std::int32_t, double> forward, backward;
    for (const PhaseSamples& phase : phaseSamples(run, byGpu ? TrackKind::kGpuPhase : TrackKind::kPhase)) {
        const std::map<std::int32_t, double> byStep = countedTimes(phase);
        const bool kept = std::ranges::any_of(
            timedParts(), [&phase](const TimedPart& part) { return part.key == phase.name; });
        if (byStep.empty() || !kept)
            continue;
        auto times = mapped<double>(byStep, [&](const auto& each) { return each.second; });
        putTimes(figures, phase.name, std::move(times));
        if (phase.phase == Phase::kForward)
            forward = byStep;
        else if (phase.phase == Phase::kBackward)
            backward = byStep;
    }
    std::vector<double> both;
    for (const auto& [step, time] : forward) {
        if (const auto found = backward.find(step); found != backward.end())
            both.push_back(time + found->second);
    }
    if (!both.empty())
        putTimes(figures, "forward_backward", std::move(both));
}

void putKernels(Figures& figures, const Snapshot& run) {
    const StepSelection steps = stepsToAverage(run);
    if (!steps.measured || steps.count < 1 || !hasKernels(run))
        return;
    std::int64_t kernels = 0;
    forEachRow(run, TrackKind::kGpuStream, [&](const SpanChunk& chunk, std::uint32_t i) {
        kernels += steps.contains(chunk.step[i]) ? 1 : 0;
    });
    // Once they have been read: a damaged chunk is known by then.
    if (!Completeness(run).missing().lacks(RecordKind::kKernels))
        put(figures, "kernels_per_step", static_cast<double>(kernels) / static_cast<double>(steps.count));
}

void putFirstSteps(Figures& figures, const Snapshot& run) {
    const StepSelection complete = completeSteps(run);
    for (const StepSpan& span : stepSpans(run, complete)) {
        if (span.step >= 0 && span.step < static_cast<std::int32_t>(kFirstSteps))
            put(figures, stepKey(static_cast<std::size_t>(span.step)),
                static_cast<double>(span.range.duration().value));
    }
}

void putMemoryBeforeBackward(Figures& figures, const MemoryTimeline& memory) {
    if (const auto before = mostBeforeBackward(memoryBeforeBackward(memory))) {
        put(figures, "before_backward_bytes", static_cast<double>(before->allocated.value));
        if (before->reserved)
            put(figures, "before_backward_reserved_bytes", static_cast<double>(before->reserved->value));
    }
}

void putMemory(Figures& figures, const MemoryTimeline& memory, const RunInfo& info) {
    ReservedCurve reserved;
    reserved.update(memory.snapshot());
    std::optional<double> peak, peakReserved;
    if (const auto stated = info.getInteger("allocator.peak_allocated_bytes"))
        peak = static_cast<double>(*stated);
    else if (const auto found = memory.peak())
        peak = static_cast<double>(sumOf(found->bytes));
    if (const auto stated = info.getInteger("allocator.peak_reserved_bytes"))
        peakReserved = static_cast<double>(*stated);
    else if (!reserved.empty())
        peakReserved = static_cast<double>(reserved.peak().value);
    put(figures, "peak_bytes", peak);
    put(figures, "peak_reserved_bytes", peakReserved);
    putMemoryBeforeBackward(figures, memory);
    if (const auto failure = outOfMemory(memory)) {
        put(figures, "request_bytes", numberOf(failure->request));
        put(figures, "allocated_at_failure_bytes", numberOf(failure->allocated));
        put(figures, "reserved_at_failure_bytes", numberOf(failure->reserved));
    }
}

/// The counter that the runner records with every step's end.
void putLosses(Figures& figures, const Snapshot& run) {
    const NameId counter = run.findName("loss");
    if (!counter.valid())
        return;
    std::optional<double> first, last;
    for (std::uint64_t i = 0; i < run.counterSampleCount(); ++i) {
        const auto sample = run.counterSample(i);
        if (!sample || sample->counter != counter)
            continue;
        first = first ? first : sample->value;
        last = sample->value;
    }
    put(figures, "first_loss", first);
    put(figures, "last_loss", last);
}

void putConditions(Figures& figures, const Snapshot& run) {
    if (const RunConditions conditions = conditionsOf(run); conditions.recorded())
        put(figures, "disturbed", conditions.cautions().empty() ? 0 : 1);
}

void putRates(Figures& figures, const RunSummary& summary) {
    put(figures, "tokens_per_second", summary.tokensPerSecond);
    put(figures, "flops_per_second", summary.flopsPerSecond);
    if (summary.utilization) {
        put(figures, "mfu_measured", summary.utilization->ofMeasured());
        put(figures, "mfu_data_sheet", summary.utilization->ofDataSheet());
    }
    put(figures, "run_ns", static_cast<double>(summary.duration.value));
}

}  // namespace

std::span<const Measure> measures() {
    static const std::vector<Measure> kAll = drawnMeasures();
    return kAll;
}

const Measure* findMeasure(std::string_view key) {
    static const std::vector<Measure> kSteps = stepMeasures();
    for (const std::span<const Measure> all : {measures(), std::span<const Measure>(kSteps)}) {
        const auto found = std::ranges::find(all, key, &Measure::key);
        if (found != all.end())
            return &*found;
    }
    return nullptr;
}

std::map<std::string, double, std::less<>> measure(const std::shared_ptr<const Snapshot>& run) {
    Figures figures;
    if (!run)
        return figures;
    MemoryTimeline memory;
    memory.update(run);
    const RunSummary summary = summarizeRun(memory);
    if (summary.config)
        figures = predictedMeasures(*summary.config);
    putPhases(figures, *run);
    putFirstSteps(figures, *run);
    putKernels(figures, *run);
    putRates(figures, summary);
    putMemory(figures, memory, run->info());
    putConditions(figures, *run);
    putLosses(figures, *run);
    return figures;
}

std::map<std::string, double, std::less<>> predictedMeasures(const RunConfig& config) {
    Figures figures;
    const std::optional<ValidConfig> valid = ValidConfig::of(config);
    if (!valid)
        return figures;
    const MemoryPrediction memory = predictMemory(*valid);
    put(figures, "predicted_peak_bytes", static_cast<double>(memory.given.value));
    if (valid->get().onGpu())
        put(figures, "predicted_reserved_bytes", static_cast<double>(memory.reserved.value));
    put(figures, "step_flops", static_cast<double>(countFlops(*valid).total().value));
    return figures;
}

}  // namespace warpglass
