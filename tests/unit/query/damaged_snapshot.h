// A snapshot mounted as from a file, with chosen chunks damaged, and a count of what was loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include "engine/trace/snapshot.h"

namespace warpglass::test {

struct Damage {
    std::set<std::pair<std::size_t, std::size_t>> spans;  // lane, chunk
    std::set<std::size_t> memoryEvents;                   // chunk
    std::set<std::size_t> allocations;                    // chunk
};

struct MountedRun {
    std::shared_ptr<const Snapshot> snapshot;
    /// Span chunks loaded so far.
    std::shared_ptr<std::size_t> spanLoads;
};

/// Precondition: all allocations of `whole` are settled. Use on one thread.
MountedRun mountWithDamage(std::shared_ptr<const Snapshot> whole, const Damage& damage);

/// The same run with nonsense in its columns, as a hostile file may hold: ids, actions and categories of any
/// value, times and sizes out of order and below zero. Times stay below 2⁴⁰ ns and sizes below 2⁴⁸ bytes.
std::shared_ptr<const Snapshot> mountScrambled(std::shared_ptr<const Snapshot> whole, std::uint64_t seed);

}  // namespace warpglass::test
