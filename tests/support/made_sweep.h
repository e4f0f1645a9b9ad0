// A sweep as if it had been run: times that grow by a power of the context, with noise, and cells that ran
// out of memory, failed or wait. The same for the same seed.
#pragma once

#include <cstdint>

#include "engine/base/result.h"
#include "engine/sweep/sweep.h"

namespace warpglass::test {

struct MadeSweep {
    std::vector<SweepAxis> axes = {{"attention", {"naive", "sdpa-flash"}},
                                   {"context", {"128", "256", "512", "1024", "2048", "4096"}},
                                   {"precision", {"fp32", "bf16"}}};
    std::int64_t repeats = 1;
    std::uint32_t seed = 1;
    /// As a share of a time.
    double noise = 0.02;
    /// The first attention variant takes more than the memory from this context on, in fp32.
    std::int64_t outOfMemoryFrom = 4096;
    /// So many of the last cells wait.
    std::int64_t waiting = 0;
};
/// Its contexts may be any list of numbers; an axis that it lacks counts as one value.
Sweep madeSweep(const MadeSweep& how = {});
/// As a new sweep file; cells that wait are left out of it. The error of the file, if there is one.
Status writeSweep(const Sweep& sweep, const std::filesystem::path& path);
/// A sweep over so many contexts by so many batches.
Sweep largeSweep(std::int64_t contexts, std::int64_t batches);

}  // namespace warpglass::test
