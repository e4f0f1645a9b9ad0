// What kernels wrote of themselves while they ran (--record kernel-clocks): on which multiprocessor each of
// their tiles ran, and where its time went. A *tile* is what a thread block takes at a time; it walks over
// its *rounds*, and a warpgroup tells of each. Only one of a kernel's launches is kept.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/ids.h"

namespace warpglass {

/// What a thread waited for or did: tiles of tensors to arrive; products, with the wait for tensor cores that
/// others have; the softmax, and in the backward pass its gradient; sums and results handed to memory.
enum class ClockPhase : std::uint8_t { kLoad, kProducts, kSoftmax, kStore };
inline constexpr auto kClockPhaseNames =
    std::to_array<std::string_view>({"load", "products", "softmax", "store"});
inline constexpr std::size_t kClockPhaseCount = kClockPhaseNames.size();

/// A tile as one warpgroup ran it. Cycles are those of its multiprocessor's own counter; times are the GPU's,
/// in ns from the first tile's begin.
struct ClockTile {
    std::int64_t beginCycle = 0, endCycle = 0;
    std::int64_t beginTime = 0, endTime = 0;
    /// (sequence · heads + head) · tiles of a head + tile.
    std::uint32_t tile = 0;
    std::uint32_t processor = 0, group = 0;
    bool operator==(const ClockTile&) const = default;
};

struct ClockRound {
    std::int64_t beginCycle = 0;
    /// By ClockPhase. They follow each other and alternate; these are sums.
    std::array<std::uint32_t, kClockPhaseCount> cycles{};
    std::uint32_t tile = 0;
    std::uint32_t round = 0, group = 0;
    bool operator==(const ClockRound&) const = default;
};

/// There is room for so many of a kernel.
inline constexpr std::uint64_t kMostClockTiles = std::uint64_t{1} << 17,
                               kMostClockRounds = std::uint64_t{1} << 20;

struct KernelClocks {
    /// "forward", "backward".
    std::string kernel;
    std::int32_t step = kNoStep;
    std::uint32_t heads = 0, batch = 0, tilesOfHead = 0, rowsOfTile = 0;
    bool causal = false;
    /// How many found no room on the GPU.
    std::uint64_t lostTiles = 0, lostRounds = 0;
    std::vector<ClockTile> tiles;
    std::vector<ClockRound> rounds;
    bool operator==(const KernelClocks&) const = default;
};

using KernelClocksList = std::vector<KernelClocks>;

}  // namespace warpglass
