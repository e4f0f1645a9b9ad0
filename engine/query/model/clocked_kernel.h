// A kernel that wrote a clock of itself (engine/trace/kernel_clocks.h), multiprocessor by multiprocessor: how
// its tiles ran, and how well they filled the GPU.
//
// Each multiprocessor counts cycles of its own from a moment of its own, and reads the GPU's time rarely and
// roughly. Cycles become ns by one rate, that of all multiprocessors together, and by an offset for each, the
// mean over all its readings; so a reading that is a microsecond rough moves nothing by that much. Pure; any
// thread. O(n log n).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

/// The phases of one round, in ns from the kernel's first tile. Which follows which within a round is not
/// recorded: they are drawn in this order, from its begin.
struct ClockedRound {
    double begin = 0;
    std::array<float, kClockPhaseCount> phases{};
};

/// A tile as one warpgroup ran it.
struct ClockedTile {
    double begin = 0, end = 0;
    std::array<double, kClockPhaseCount> phases{};
    std::uint32_t tile = 0, processor = 0, group = 0;
    /// Which of its multiprocessor's: as many stand side by side as ran at once.
    std::uint32_t lane = 0;
    /// In ClockedKernel::rounds.
    std::size_t firstRound = 0, roundCount = 0;
};

struct ClockedKernel {
    std::string kernel;
    std::int32_t step = kNoStep;
    bool causal = false;
    std::uint32_t heads = 0, tilesOfHead = 0, rowsOfTile = 0;

    /// Multiprocessors that ran a tile. The figures below are of these.
    std::int64_t processors = 0;
    /// Tiles, each once whatever its warpgroups; the most and the fewest of one multiprocessor.
    std::int64_t tiles = 0, mostTiles = 0, fewestTiles = 0;
    /// How many tiles ran at one time at most, and how often that many are all.
    std::int64_t atOnce = 0, waves = 0;
    /// From the first tile's begin to the last one's end, ns.
    double duration = 0;
    /// Shares of the time of all warpgroups in their rounds, by ClockPhase.
    std::array<double, kClockPhaseCount> shares{};
    /// Shares of the duration: from when the first multiprocessor has run its last tile; from when fewer than
    /// half have one left to end.
    double tail = 0, halfIdle = 0;
    /// FLOPs of the call over the duration; 0 where they are not known. Half of the S × S square counts where
    /// attention is causal, as in the paper of FlashAttention-2 (Dao 2023, section 4.1): the kernels leave
    /// out the tiles that the mask hides.
    double flopsPerSecond = 0;
    /// The busiest multiprocessor's time within tiles over the mean one's.
    double imbalance = 0;
    /// These count single warpgroups.
    std::uint64_t lostTiles = 0, lostRounds = 0;

    /// By multiprocessor, and by begin.
    std::vector<ClockedTile> bars;
    std::vector<ClockedRound> rounds;
    /// The multiprocessors that ran a tile, by number; and the most lanes of one.
    std::vector<std::uint32_t> processorNumbers;
    std::uint32_t lanes = 0;

    /// "Softmax takes 47% of the tiles' time and products 24%; 132 SMs ran 2,048 tiles, and in the last 14%
    /// of the time fewer than half of the SMs are busy." And what is missing.
    std::string sentence() const;
    /// "queries 128–255 of head 3, sequence 0".
    std::string rowsOf(std::uint32_t tile) const;
};

ClockedKernel clockedKernel(const KernelClocks& clocks);

/// How many warpgroups are in each phase, the mean over each of `parts` equal parts of the duration: a
/// round's phases count evenly over all of it.
std::vector<std::array<double, kClockPhaseCount>> clockedLoad(const ClockedKernel& kernel, std::size_t parts);
/// One for each kernel that the run has clocks of, in their order.
std::vector<ClockedKernel> clockedKernels(const Snapshot& snapshot);
/// Whether that is the full name of a kernel that writes such a clock.
bool isClockedName(std::string_view fullName);
/// Whether a kernel on the GPU's track is one that wrote such a clock: "forward", "backward", or either for
/// "".
bool isClockedTwin(const Snapshot& snapshot, const SpanRow& row, std::string_view kernel = {});
/// The call that wrote this clock.
std::optional<SpanRef> clockedTwin(const Snapshot& snapshot, const ClockedKernel& kernel);
/// Why there are none, a sentence without its full stop; "" where there are some.
std::string whyNoKernelClocks(const Snapshot& snapshot);

}  // namespace warpglass
