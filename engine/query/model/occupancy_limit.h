// What keeps more of a kernel's blocks from a multiprocessor. Its occupancy is as recorded; the limits are
// those of NVIDIA's occupancy calculator (cuda_occupancy.h) for the devices that are known here.
//
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/span_detail.h"

namespace warpglass {

/// "registers and shared memory", "block size", "number of blocks"; "" where all threads fit, and where it is
/// not known. `computeCapability`: "9.0".
std::string occupancyLimit(const SpanDetail& kernel, std::string_view computeCapability);

}  // namespace warpglass
