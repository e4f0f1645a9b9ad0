#include "engine/query/statistics/gpu_use_sentence.h"

#include <numeric>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/spans/step_spans.h"
#include "engine/query/statistics/phase_samples.h"

namespace warpglass {

namespace {

using Part = GpuBusy::Part;

constexpr double kWorthSaying = 0.01;

std::string idleWords(Part cause, const std::string& share) {
    switch (cause) {
        case Part::kHostLate:
            return " and waited for the host for " + share;
        case Part::kSynchronization:
            return "; synchronization left it idle for " + share;
        case Part::kGap:
            return "; gaps between kernels took " + share;
        default:
            return "; it was idle for " + share + ", for a reason that is not known";
    }
}

std::string idleInBrief(Part cause) {
    switch (cause) {
        case Part::kHostLate:
            return ", waiting for the host ";
        case Part::kSynchronization:
            return ", synchronizing ";
        case Part::kGap:
            return ", gaps between kernels ";
        default:
            return ", idle ";
    }
}

double sumOf(const GpuBusy::Times& times) {
    return std::accumulate(times.begin(), times.end(), 0.0);
}

double shareOf(const GpuBusy::Times& times, Part part) {
    return static_cast<double>(times[static_cast<std::size_t>(part)]) / sumOf(times);
}

/// The cause of idle time that took the most.
Part mostIdle(const GpuBusy::Times& times) {
    Part most = Part::kGap;
    for (const Part cause : {Part::kSynchronization, Part::kHostLate, Part::kUnknown}) {
        if (times[static_cast<std::size_t>(cause)] > times[static_cast<std::size_t>(most)])
            most = cause;
    }
    return most;
}

/// ", mostly in backward": the phase of the host in which more than half of the largest cause's idle
/// time lies, of the steps that means are taken over. Empty where it is spread, or all of a step is one
/// phase.
std::string idlePhase(const Snapshot& snapshot, const GpuBusy& busy, const GpuBusy::Times& times) {
    const auto cause = static_cast<std::size_t>(mostIdle(times));
    const std::vector<PhaseSamples> phases = phaseSamples(snapshot, TrackKind::kPhase);
    if (phases.size() <= 2)  // one of them is the step
        return {};
    for (const PhaseSamples& phase : phases) {
        if (phase.phase != Phase::kNone && gpuTimesIn(phase, busy)[cause] > times[cause] / 2)
            return ", mostly in " + phase.name;
    }
    return {};
}

/// ", while the host ran copy ops (45% of the wait)": what it was in most, if that is a tenth or more.
std::string hostWords(const HostWhileIdle& host) {
    std::pair<std::int64_t, std::string> most{host.outside.value, "no op"};
    for (std::size_t family = 0; family < kOpFamilyCount; ++family)
        if (host.ops[family].value > most.first)
            most = {host.ops[family].value, std::string(kOpFamilyNames[family]) + " ops"};
    constexpr double kLeast = 0.1;
    const double share = static_cast<double>(most.first) / static_cast<double>(host.idle.value);
    return share < kLeast
               ? std::string()
               : ", while the host ran " + most.second + " (" + formatPercent(share) + " of the wait)";
}

/// "busy 34%, waiting for the host 58%.", after `subject`.
std::string inBrief(const GpuBusy::Times& times, const std::string& subject) {
    const Part most = mostIdle(times);
    std::string words = subject + "busy " + formatPercent(shareOf(times, Part::kBusy));
    if (shareOf(times, most) >= kWorthSaying)
        words += idleInBrief(most) + formatPercent(shareOf(times, most));
    return words + ".";
}

constexpr std::string_view kOfOne = "Launch-bound in the one measured step: ";

/// "Launch-bound: " as RunFacts::isLaunchBound() has it and boundInWords() says it, over the same steps;
/// empty where they are not, or where that is known of only one of these `steps`.
std::string boundWords(const Snapshot& snapshot, const GpuBusy& busy, const std::vector<StepSpan>& steps) {
    const StepSelection judged = withoutVeryFirst(stepsToAverage(snapshot));
    const bool isOne = judged.measured && judged.count == 1;
    double late = 0, whole = 0, kernels = 0;
    for (const auto& [step, range] : steps) {
        if (!judged.contains(step))
            continue;
        late += static_cast<double>(
            busy.timesIn(range.begin.value, range.end.value)[static_cast<std::size_t>(Part::kHostLate)]);
        whole += static_cast<double>(range.duration().value);
        for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kGpuStream))
            kernels +=
                static_cast<double>(lane.firstStartingAt(range.end) - lane.firstStartingAt(range.begin));
    }
    if ((isOne && steps.size() > 1) ||
        !isLaunchBound(late, whole, kernels / static_cast<double>(judged.count)))
        return {};
    return isOne ? std::string(kOfOne) : "Launch-bound: ";
}

}  // namespace

std::string gpuUseSentence(const GpuBusy::Times& times, std::string_view gpu, std::string_view of,
                           std::string_view within) {
    if (sumOf(times) <= 0)
        return {};
    const Part most = mostIdle(times);
    std::string sentence = std::string(gpu) + " was busy for " + formatPercent(shareOf(times, Part::kBusy)) +
                           (of.empty() ? std::string() : " of " + std::string(of));
    if (shareOf(times, most) >= kWorthSaying)
        sentence += idleWords(most, formatPercent(shareOf(times, most))) + std::string(within);
    return sentence + ".";
}

std::vector<std::string> gpuUseWordings(const Snapshot& snapshot, const GpuBusy& busy, TimeRange visible,
                                        std::string_view gpu, const HostWhileIdle& host) {
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    constexpr std::string_view kThe = "The ";
    const bool only = gpu.starts_with(kThe);
    const std::string noun(only ? gpu.substr(kThe.size()) : gpu);
    std::string subject(gpu), brief = noun + " ";
    if (steps.empty() || visible.begin > steps.front().range.begin || steps.back().range.end > visible.end) {
        const GpuBusy::Times times = busy.timesIn(visible.begin.value, visible.end.value);
        if (sumOf(times) <= 0)
            return {};
        return {gpuUseSentence(times, gpu, "the " + formatDuration(visible.duration()) + " shown"),
                inBrief(times, brief)};
    }
    GpuBusy::Times times{};
    for (const StepSpan& step : steps) {
        const GpuBusy::Times ofStep = busy.timesIn(step.range.begin.value, step.range.end.value);
        for (std::size_t part = 0; part < times.size(); ++part)
            addWrapping(times[part], ofStep[part]);
    }
    if (sumOf(times) <= 0)
        return {};
    std::string of = steps.size() == 1
                         ? "step " + std::to_string(steps.front().step)
                         : std::to_string(steps.size()) +
                               (stepsToAverage(snapshot).measured ? " measured steps" : " steps");
    std::string within = idlePhase(snapshot, busy, times);
    // What is known of a part of the wait alone says nothing of the rest, such as that at a step's end.
    constexpr double kNearlyAll = 0.9;
    const auto waited = static_cast<double>(times[static_cast<std::size_t>(Part::kHostLate)]);
    if (host.idle.value > 0 && mostIdle(times) == Part::kHostLate &&
        static_cast<double>(host.idle.value) >= kNearlyAll * waited)
        within += hostWords(host);
    const std::string bound =
        mostIdle(times) == Part::kHostLate ? boundWords(snapshot, busy, steps) : std::string();
    if (!bound.empty()) {
        subject = bound + (only ? "the " + noun : subject);
        brief = "Launch-bound: " + (only ? std::string() : brief);
        if (bound == kOfOne)
            of.clear();
    }
    return {gpuUseSentence(times, subject, of, within), gpuUseSentence(times, subject, of),
            inBrief(times, brief)};
}

}  // namespace warpglass
