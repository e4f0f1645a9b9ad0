// Theoretical occupancy: how many of a multiprocessor's threads a kernel can keep at once, by NVIDIA's own
// calculator (cuda_occupancy.h).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "engine/capture/gpu_activity.h"

namespace warpglass {

/// Remembers what it has computed. One thread.
class OccupancyTable {
public:
    /// 0…1; 0 when it is not known.
    float of(const GpuRecord& kernel);

private:
    std::unordered_map<std::uint64_t, float> m_known;
};

}  // namespace warpglass
