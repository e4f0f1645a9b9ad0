// A clock inside attention's kernels: their instrumented twins write, for each tile and warpgroup, on which
// multiprocessor it ran and where its time went. A twin is compiled apart from the plain kernel, whose
// machine code the clock does not change. It has the same tiles, but for the portable backward kernel of head
// dimension 128 on GPUs with more than 99 KiB of shared memory a block: the larger tiling that they run has
// no register left for a clock.
//
// A *tile* is what a thread block takes at a time: queries of one head (forward), keys (backward). It walks
// over tiles of the other side; each is a *round*, and what remains after the last is one more. Portable
// kernels keep a block's warps in step: its first warp tells for all, as warpgroup 0.
//
// No CUDA header is needed to use this one. Nothing here throws; each function returns CUDA's error (0 is
// success).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/kernels/flash_attention.h"

namespace warpglass::kernels {

/// A tile as one warpgroup ran it. Cycles are those of the multiprocessor's own counter, times the GPU's ns.
struct ClockedTile {
    std::uint64_t beginCycle, endCycle, beginTime, endTime;
    /// (sequence · heads + head) · tiles of a head + tile.
    std::uint32_t tile;
    std::uint16_t processor, group;
};

/// What its thread waited for or did: tiles of tensors to arrive; products, with the wait for tensor cores
/// that another warpgroup has; the softmax, and in the backward pass its gradient; sums and results handed to
/// memory.
enum class ClockedPhase : std::uint8_t { kLoad, kProducts, kSoftmax, kStore };

struct ClockedRound {
    std::uint64_t beginCycle;
    /// By ClockedPhase.
    std::uint32_t cycles[4];
    std::uint32_t tile;
    std::uint16_t round, group;
};

/// How many a kernel wanted to write; what is beyond the room for them is dropped.
struct ClockCounts {
    std::uint32_t tiles, rounds;
};

/// In the GPU's memory, taken from the driver and not from anybody's allocator.
struct KernelClock {
    ClockCounts* counts = nullptr;
    ClockedTile* tiles = nullptr;
    ClockedRound* rounds = nullptr;
    ClockCounts room{};
};

/// How a kernel divides its work.
struct ClockedWork {
    int heads = 0, batch = 0, tilesOfHead = 0;
    /// Queries (forward) or keys (backward) of a tile.
    int rowsOfTile = 0;
    bool causal = false;
};

/// Queries or keys of a tile, in every kernel that has a twin.
inline constexpr int kClockedTileRows = 128;

/// Head dimensions whose kernels have such twins: 64 and 128.
bool hasKernelClock(int headDimension);

/// flashForward() by the twin, which counts from 0 each time that it runs: of a CUDA graph's replays the last
/// one stays. `work` is told when the twin is started.
int flashForwardClocked(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                        const HeadTensor& v, const HeadTensor& output, float* logSumExp, void* stream,
                        const KernelClock& clock, ClockedWork& work);

/// flashBackward(), likewise; of its kernels the one that makes the products is clocked.
int flashBackwardClocked(const AttentionShape& shape, const HeadTensor& q, const HeadTensor& k,
                         const HeadTensor& v, const HeadTensor& output, const HeadTensor& outputGradient,
                         const float* logSumExp, const HeadTensor& qGradient, const HeadTensor& kGradient,
                         const HeadTensor& vGradient, const BackwardScratch& scratch, void* stream,
                         const KernelClock& clock, ClockedWork& work);

/// Takes memory on the calling thread's device, not while a graph is captured. Where this fails, nothing is
/// left to free.
int makeClock(ClockCounts room, KernelClock& clock);
void freeClock(KernelClock& clock);

struct ClockReading {
    ClockCounts wanted{};
    std::vector<ClockedTile> tiles;
    std::vector<ClockedRound> rounds;
};
/// What the kernel wrote last; one has to have been started. Waits for the device.
int readClock(const KernelClock& clock, ClockReading& reading);

}  // namespace warpglass::kernels
