// What the host did while a GPU waited for it: what the thread that launched the next work was in during the
// idle time whose cause is "waiting for the host", in the steps that means are taken over. Pure; any thread.
#pragma once

#include <array>
#include <string_view>

#include "engine/base/units.h"
#include "engine/query/spans/op_family.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct HostWhileIdle {
    /// The idle time of which it is known; the families' times and `outside` add up to it.
    Nanoseconds idle;
    /// By the family of the innermost op.
    std::array<Nanoseconds, kOpFamilyCount> ops{};
    /// In no op: the model's own code, or whatever else the program did.
    Nanoseconds outside;
};

/// Nothing but zeros where calls or ops were not recorded. `gpu` as for GpuIdle. O(n log n) in the spans of
/// the GPU and of the threads that launch.
HostWhileIdle hostWhileIdle(const Snapshot& snapshot, std::string_view gpu = {});

}  // namespace warpglass
