// How much a GPU's allocator has reserved, over time: the counter "memory reserved", which LibTorch states
// with every allocation and free that finds it changed. Files of every version have it for a GPU's run; a run
// on the CPU has none. What lies below it and above the allocated bytes is free in the segments
// (memory_segments.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// Not thread-safe.
class ReservedCurve {
public:
    /// Takes in what a later snapshot of the same run adds; another run (or an earlier snapshot) starts over.
    void update(std::shared_ptr<const Snapshot> snapshot);

    bool empty() const { return m_times.empty(); }
    /// 0 before the first sample.
    Bytes at(Nanoseconds t) const;
    Bytes peak() const { return Bytes(m_peak); }
    /// The highest value in each of `width` columns over the range; what held just before a column counts.
    /// Empty for an empty range or without samples.
    std::vector<std::int64_t> columns(TimeRange range, std::size_t width) const;

private:
    std::shared_ptr<const Snapshot> m_snapshot;
    NameId m_counter;
    std::uint64_t m_taken = 0;          // samples of all counters
    std::vector<std::int64_t> m_times;  // they do not decrease
    std::vector<std::int64_t> m_values;
    std::int64_t m_peak = 0;
};

}  // namespace warpglass
