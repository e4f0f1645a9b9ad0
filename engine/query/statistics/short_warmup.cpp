#include "engine/query/statistics/short_warmup.h"

#include <algorithm>
#include <vector>

#include "engine/base/format.h"

namespace warpglass {

namespace {

/// Less than this share above the others is within what steps differ by.
constexpr double kClearlyLonger = 0.10;

}  // namespace

std::string shortWarmup(const PhaseSamples& steps, std::int32_t warmup) {
    std::vector<std::int64_t> later;
    const PhaseSample* first = nullptr;
    for (const PhaseSample& sample : steps.samples) {
        if (!sample.counted)
            continue;
        if (first)
            later.push_back(sample.duration.value);
        else
            first = &sample;
    }
    // A selection may begin with a later step or with the warm-up itself.
    if (!first || first->step != warmup || later.size() < 2)
        return {};
    std::sort(later.begin(), later.end());
    const double median =
        (static_cast<double>(later[(later.size() - 1) / 2]) + static_cast<double>(later[later.size() / 2])) /
        2;
    const auto took = static_cast<double>(first->duration.value);
    if (median <= 0 || first->duration.value <= later.back() || took <= (1 + kClearlyLonger) * median)
        return {};
    const std::string why = warmup == 0   ? "the run had no warm-up step."
                            : warmup == 1 ? "one warm-up step was too short."
                                          : std::to_string(warmup) + " warm-up steps were too short.";
    return "Step " + std::to_string(first->step) + " took " + formatPercent(took / median - 1) +
           " longer than the steps after it: " + why;
}

}  // namespace warpglass
