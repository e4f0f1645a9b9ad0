// Where in a device's address space the driver puts what is asked of it. LibTorch's caching allocator breaks
// ties between free blocks of one size by their address, so that what it gives and takes depends on this by a
// percent or two.
//
// As seen of CUDA 13's cudaMalloc (driver 580) in every segment of the sample runs: addresses are handed out
// in stretches of a multiple of 32 MiB, each below the one before; a request takes the lowest gap within
// these that holds it, before a new stretch is begun. Sizes are multiples of 2 MiB. One thread; O(gaps) a
// call.
#pragma once

#include <cstdint>
#include <map>

namespace warpglass {

class DeviceAddresses {
public:
    std::int64_t take(std::int64_t bytes);
    /// Precondition: both as of one take().
    void give(std::int64_t address, std::int64_t bytes);

private:
    /// By address, bytes. A stretch that holds nothing any more is forgotten.
    std::map<std::int64_t, std::int64_t> m_stretches, m_gaps;
    std::int64_t m_lowest = std::int64_t{1} << 62;
};

}  // namespace warpglass
