// A long run made of a short one: its steps over and over, as the same model would go on. For tests and
// benchmarks that need a run of a real one's shape at any size.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/trace/snapshot.h"

namespace warpglass::test {

/// The run up to the end of its last step, and then that step again until there are at least `spans` spans:
/// spans, links, memory events and allocations of their own each time. What a step frees that it did not
/// allocate is, from its second turn on, what it left alive the turn before, where there is such a thing of
/// that size; so memory goes on as it did. Names, places, tracks and information are the run's;
/// it states as many steps as it has. Without a
/// complete step it is the run alone.
std::shared_ptr<const Snapshot> repeatRun(const Snapshot& run, std::uint64_t spans);

}  // namespace warpglass::test
