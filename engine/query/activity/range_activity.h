// What happens in a range of time: what measuring a stretch of the timeline tells.
#pragma once

#include <array>
#include <cstdint>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct RangeActivity {
    /// Spans that begin in the range (closed-open). Ops of every depth.
    std::uint64_t ops = 0;
    std::uint64_t kernels = 0;
    std::uint64_t copies = 0;
    /// Memory set to a value: on the tracks of copies, and none of them.
    std::uint64_t fills = 0;
    /// Whether the run has tracks of a GPU at all.
    bool hasGpu = false;
    /// When a kernel, copy or fill ran on any stream, within the range; when a thread was within an op, any
    /// thread.
    Nanoseconds gpuBusy;
    Nanoseconds hostBusy;
    /// When any thread of the host waited for the GPU.
    Nanoseconds hostWaited;
    /// Bytes of the copies (not fills) that begin in the range, by CopyKind.
    std::array<std::int64_t, kCopyKindNames.size()> copiedBytes{};
    std::int64_t filledBytes = 0;
};

/// Linear in the kernels, copies and outermost ops of the range: on a worker when there are many. Damaged
/// chunks are passed over.
RangeActivity rangeActivity(const Snapshot& snapshot, TimeRange range);

}  // namespace warpglass
