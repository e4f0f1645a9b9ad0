#include "engine/query/activity/gpu_use_sentence.h"

#include <numeric>

#include "engine/base/format.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {

namespace {

using Part = GpuBusy::Part;

constexpr double kWorthSaying = 0.01;

std::string idleWords(Part cause, const std::string& share) {
    switch (cause) {
        case Part::kHostLate:
            return "; it waited for the host for " + share;
        case Part::kSynchronization:
            return "; synchronization left it idle for " + share;
        case Part::kGap:
            return "; gaps between kernels took " + share;
        default:
            return "; it was idle for " + share + ", for a reason that is not known";
    }
}

}  // namespace

std::string gpuUseSentence(const GpuBusy::Times& times, std::string_view gpu, std::string_view of) {
    const double all = std::accumulate(times.begin(), times.end(), 0.0);
    if (all <= 0)
        return {};
    const auto share = [&](Part part) {
        return static_cast<double>(times[static_cast<std::size_t>(part)]) / all;
    };
    Part most = Part::kGap;
    for (const Part cause : {Part::kSynchronization, Part::kHostLate, Part::kUnknown}) {
        if (share(cause) > share(most))
            most = cause;
    }
    std::string sentence =
        std::string(gpu) + " was busy for " + formatPercent(share(Part::kBusy)) + " of " + std::string(of);
    if (share(most) >= kWorthSaying)
        sentence += idleWords(most, formatPercent(share(most)));
    return sentence + ".";
}

std::string gpuUseSentence(const Snapshot& snapshot, const GpuBusy& busy, TimeRange visible,
                           std::string_view gpu) {
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    const bool all =
        !steps.empty() && visible.begin <= steps.front().range.begin && steps.back().range.end <= visible.end;
    if (!all) {
        return gpuUseSentence(busy.timesIn(visible.begin.value, visible.end.value), gpu,
                              "the " + formatDuration(visible.duration()) + " shown");
    }
    GpuBusy::Times times{};
    for (const StepSpan& step : steps) {
        const GpuBusy::Times ofStep = busy.timesIn(step.range.begin.value, step.range.end.value);
        for (std::size_t part = 0; part < times.size(); ++part)
            times[part] = wrappingAdd(times[part], ofStep[part]);
    }
    const std::string of = steps.size() == 1
                               ? "step " + std::to_string(steps.front().step)
                               : std::to_string(steps.size()) +
                                     (stepsToAverage(snapshot).measured ? " measured steps" : " steps");
    return gpuUseSentence(times, gpu, of);
}

}  // namespace warpglass
