#include "engine/query/statistics/phase_samples.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/query/spans/span_scan.h"
#include "engine/query/statistics/step_table.h"

namespace warpglass {
namespace {

constexpr std::size_t kStepKey = kPhaseCount;

std::size_t keyOf(const Snapshot& snapshot, TrackKind kind, NameId name) {
    if (kind == TrackKind::kStep)
        return kStepKey;
    return static_cast<std::size_t>(phaseNamed(snapshot.name(name)));
}

void summarize(PhaseSamples& phase) {
    std::ranges::sort(phase.samples, {}, &PhaseSample::start);
    std::vector<std::int64_t> durations;
    for (const PhaseSample& sample : phase.samples) {
        if (sample.counted)
            durations.push_back(sample.duration.value);
    }
    phase.counted = static_cast<std::int64_t>(durations.size());
    if (durations.empty())
        return;
    std::ranges::sort(durations);
    double sum = 0, squares = 0;
    for (const std::int64_t d : durations)
        sum += static_cast<double>(d);
    const auto n = static_cast<double>(durations.size());
    phase.mean = sum / n;
    for (const std::int64_t d : durations)
        squares += (static_cast<double>(d) - phase.mean) * (static_cast<double>(d) - phase.mean);
    phase.standardDeviation = durations.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    phase.median = (static_cast<double>(durations[(durations.size() - 1) / 2]) +
                    static_cast<double>(durations[durations.size() / 2])) /
                   2;
    phase.min = Nanoseconds(durations.front());
    phase.max = Nanoseconds(durations.back());
}

}  // namespace

std::vector<PhaseSamples> phaseSamples(const Snapshot& snapshot, TrackKind phases, const WorkScope& scope) {
    const SpanFilter& filter = scope.filter;
    const bool chosen = !filter.ranges.empty() || filter.step;
    const StepSelection steps = chosen || scope.allSteps ? completeSteps(snapshot) : stepsToAverage(snapshot);
    const std::int32_t warmup = warmupSteps(snapshot);
    const ConditionSeries conditions(snapshot);
    std::array<PhaseSamples, kPhaseCount + 1> all;
    for (const TrackKind kind : {phases, TrackKind::kStep}) {
        for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
            lane.forEachChunk(
                0, lane.rows(),
                [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t first) {
                    for (std::uint32_t i = begin; i < end; ++i) {
                        const std::size_t key = keyOf(snapshot, kind, NameId(chunk.name[i]));
                        if (key == 0 || chunk.step[i] == kNoStep)
                            continue;  // set-up, or what a graph's capture goes through
                        if ((filter.step && chunk.step[i] != *filter.step) ||
                            !overlapsAny(chunk.range(i), filter.ranges))
                            continue;
                        all[key].samples.push_back({chunk.step[i], Nanoseconds(chunk.start[i]),
                                                    Nanoseconds(std::max<std::int64_t>(0, chunk.duration[i])),
                                                    steps.contains(chunk.step[i]), chunk.step[i] < warmup,
                                                    lane.id(), first + i});
                        PhaseSample& sample = all[key].samples.back();
                        sample.conditions = conditions.in({sample.start, sample.start + sample.duration});
                    }
                });
        }
    }
    std::vector<PhaseSamples> found;
    for (std::size_t key = 1; key < all.size(); ++key) {
        const bool asked = key == kStepKey || !filter.phase || *filter.phase == static_cast<Phase>(key);
        if (all[key].samples.empty() || !asked)
            continue;
        all[key].phase = key == kStepKey ? Phase::kNone : static_cast<Phase>(key);
        all[key].name = key == kStepKey ? "step" : std::string(phaseName(all[key].phase));
        summarize(all[key]);
        found.push_back(std::move(all[key]));
    }
    return found;
}

const PhaseSamples* stepsOf(std::span<const PhaseSamples> phases) {
    return phases.empty() || phases.back().phase != Phase::kNone ? nullptr : &phases.back();
}

bool movesSteps(const PhaseSamples& phase, const PhaseSamples& steps) {
    constexpr double kLeastOfRange = 0.1, kLeastOfStep = 0.05;
    if (phase.counted == 0 || phase.counted < steps.counted)
        return true;
    if (steps.counted > 1)
        return static_cast<double>(phase.range().value) >=
               kLeastOfRange * static_cast<double>(steps.range().value);
    return phase.mean >= kLeastOfStep * steps.mean;
}

GpuBusy::Times gpuTimesIn(const PhaseSamples& phase, const GpuBusy& busy) {
    GpuBusy::Times sums{};
    for (const PhaseSample& sample : phase.samples) {
        const std::int64_t begin = sample.start.value;
        if (!sample.counted)
            continue;
        const GpuBusy::Times times = busy.timesIn(begin, wrappingAdd(begin, sample.duration.value));
        for (std::size_t part = 0; part < sums.size(); ++part)
            addWrapping(sums[part], times[part]);
    }
    return sums;
}

}  // namespace warpglass
