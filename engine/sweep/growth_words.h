// How a series of a slice grows, and in words. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/sweep/growth.h"
#include "engine/sweep/sweep_slice.h"

namespace warpglass {

/// powerLaw() of the measured points of a series; nothing where x is not a number.
std::optional<Growth> growthOf(const SweepSlice& slice, std::size_t series);
/// "n^1.98 ± 0.03".
std::string growthWords(const Growth& growth);

}  // namespace warpglass
