// Random runs with a GPU's tracks: threads of nested ops with calls into CUDA in them, kernels and copies on
// streams, waits; and modules over it all. What made what is kept, for oracles.
#pragma once

#include <memory>

#include "engine/trace/snapshot.h"
#include "tests/support/every_span.h"

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

}  // namespace warpglass::test
