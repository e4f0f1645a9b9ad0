// Where in a device's address space the driver puts what is asked of it. LibTorch's caching allocator breaks
// ties between free blocks of one size by their address, so that what it gives and takes depends on this by a
// percent or two.
//
// As seen of CUDA 13's cudaMalloc (driver 580) in every segment of the sample runs: addresses are handed out
// in stretches of a multiple of 32 MiB, each below the one before; a request takes the lowest gap within
// these that holds it, before a new stretch is begun. Sizes are multiples of 2 MiB. One thread;
// O(log gaps + sizes of gaps) a call, of which there are a handful: what is left of a stretch is less than 32
// MiB.
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace warpglass {

class DeviceAddresses {
public:
    std::int64_t take(std::int64_t bytes);
    /// Precondition: both as of one take().
    void give(std::int64_t address, std::int64_t bytes);

private:
    using Gaps = std::map<std::int64_t, std::int64_t>;

    void addGap(std::int64_t address, std::int64_t bytes);
    void removeGap(Gaps::iterator gap);
    /// The lowest that holds so much; end() for none.
    Gaps::iterator lowestGap(std::int64_t bytes);

    /// By address, bytes. A stretch that holds nothing any more is forgotten.
    Gaps m_stretches, m_gaps;
    /// The addresses of the gaps, by their bytes; no size without one.
    std::map<std::int64_t, std::set<std::int64_t>> m_gapsBySize;
    std::int64_t m_lowest = std::int64_t{1} << 62;
};

}  // namespace warpglass
