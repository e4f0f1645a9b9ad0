// How a series of a slice grows, and in words. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/sweep/growth.h"
#include "engine/sweep/sweep_slice.h"

namespace warpglass {

/// tailPowerLaw() of the measured points of a series; nothing where x is not a number.
std::optional<TailGrowth> growthOf(const SweepSlice& slice, std::size_t series);
/// "It hardly grows for small up to context length 256 (1.11× the time for 2× the context length), which is
/// typical of launch-bound steps.": the series whose time does not grow at first; whether the GPU waited, a
/// sweep does not keep. Empty where none is, and of what is launched by no host (SweepSlice::isOfLaunches).
std::string flatSentence(const SweepSlice& slice);
/// "n^1.98 ± 0.03".
std::string growthWords(const Growth& growth);
/// What its ± is: half of the 95% confidence interval.
inline constexpr std::string_view kMarginOfGrowth =
    "± of an exponent: half of its 95% confidence interval (Student's t).";
/// Which series have no growth, and why, in one sentence: "No growth can be fitted to naive: …". Empty where
/// each has one, where nothing has been measured, and as long as more points may come.
std::string unfittedSentence(const SweepSlice& slice);

}  // namespace warpglass
