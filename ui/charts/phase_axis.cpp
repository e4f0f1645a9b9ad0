#include "ui/charts/phase_axis.h"

#include <algorithm>
#include <cmath>

#include "engine/query/statistics/span_sentences.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The one in the middle, or the later of two; `values` is not empty and is put into another order.
double middleOf(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// What the steps that count span, without those far from the others: with few steps what is more than half
/// the median off, with many what is beyond five standard deviations of a normal distribution.
PhaseAxis reachOf(const PhaseSamples& phase) {
    constexpr std::size_t kMany = 20;
    constexpr double kFew = 0.5, kLeast = 0.05, kFar = 8;
    std::vector<double> off, far;
    for (const PhaseSample& sample : phase.samples) {
        if (!sample.counted)
            continue;
        off.push_back(deviationOf(phase, static_cast<double>(sample.duration.value)));
        far.push_back(std::fabs(off.back()));
    }
    PhaseAxis reach{0, 0};
    if (off.empty())
        return reach;
    const double most = std::max(off.size() < kMany ? kFew : kLeast, kFar * middleOf(far));
    for (const double deviation : off) {
        if (std::fabs(deviation) <= most)
            reach = {std::min(reach.low, deviation), std::max(reach.high, deviation)};
    }
    return reach;
}

}  // namespace

double referenceOf(const PhaseSamples& phase) {
    if (phase.counted > 0 || phase.samples.empty())
        return std::max(1.0, phase.median);
    std::vector<double> all;
    for (const PhaseSample& sample : phase.samples)
        all.push_back(static_cast<double>(sample.duration.value));
    return std::max(1.0, middleOf(all));
}

double deviationOf(const PhaseSamples& phase, double nanoseconds) {
    return nanoseconds / referenceOf(phase) - 1;
}

QString deviationText(double deviation) {
    return toQString(deviationInWords(deviation));
}

std::vector<double> PhaseAxis::ticks(int most) const {
    const std::vector<double> steps = linearTicks(high - low, most);
    const double step = steps.size() > 1 ? steps[1] : high - low;
    std::vector<double> ticks;
    for (double tick = std::ceil(low / step); tick * step <= high; ++tick)
        ticks.push_back(tick * step + 0.0);  // no −0
    return ticks;
}

PhaseAxis axisOf(std::span<const PhaseSamples> phases) {
    constexpr double kLeast = 0.02, kAround = 1.12;  // so that the last digit is not drawn as a storm
    PhaseAxis axis{-kLeast, kLeast};
    for (const PhaseSamples& phase : phases) {
        PhaseAxis reach = reachOf(phase);
        if (phase.showsDeviation()) {
            // What some far step adds to the deviation is no reason to make room for it.
            const double low = deviationOf(phase, phase.mean - phase.standardDeviation);
            const double high = deviationOf(phase, phase.mean + phase.standardDeviation);
            reach = {std::min(reach.low, std::max(low, 2 * reach.low)),
                     std::max(reach.high, std::min(high, 2 * reach.high))};
        }
        axis = {std::min(axis.low, reach.low), std::max(axis.high, reach.high)};
    }
    return {std::max(-1.0, kAround * axis.low), std::min(1.0, kAround * axis.high)};
}

}  // namespace warpglass::ui
