// Random runs with a GPU's tracks: threads of nested ops with calls into CUDA in them, kernels and copies on
// streams, waits; and modules over it all. What made what is kept, for oracles.
#pragma once

#include <memory>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass::test {

struct GpuRunOptions {
    std::uint64_t seed = 1;
    int threads = 2;
    int streams = 2;
    int opsPerThread = 40;
    /// Ids in no order at all, and some kernels whose call was not recorded.
    bool strangeIds = false;
};

std::shared_ptr<const Snapshot> gpuRunByChance(const GpuRunOptions& options);

/// Every completed span of the tracks of a kind, in no particular order.
struct FoundSpan {
    SpanRef ref;
    SpanRow row;
    TrackId track;
    std::uint32_t depth;
};
std::vector<FoundSpan> spansOfKind(const Snapshot& snapshot, TrackKind kind);

}  // namespace warpglass::test
