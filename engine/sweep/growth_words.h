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
/// "Launch-bound: small up to context length 256, where 2× the context length takes 1.11× the time.": the
/// series whose time does not grow at first. Empty where none is, and of what is launched by no host
/// (SweepSlice::isOfLaunches).
std::string launchBoundSentence(const SweepSlice& slice);
/// "n^1.98 ± 0.03".
std::string growthWords(const Growth& growth);
/// What that means.
inline constexpr std::string_view kLaunchBound =
    "Launch-bound: the time hardly grows with the work, so it is that of launching kernels.";
/// What its ± is: half of the 95% confidence interval.
inline constexpr std::string_view kMarginOfGrowth =
    "± of an exponent: half of its 95% confidence interval (Student's t).";
/// Which series have no growth, and why, in one sentence: "No growth can be fitted to naive: …". Empty where
/// each has one, where nothing has been measured, and as long as more points may come.
std::string unfittedSentence(const SweepSlice& slice);

}  // namespace warpglass
