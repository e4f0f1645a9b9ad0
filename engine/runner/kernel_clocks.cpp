#include "engine/runner/kernel_clocks.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

#include "engine/base/format.h"
#include "engine/runner/own_kernels.h"

namespace warpglass {
namespace {

/// One run at a time (TorchRunner); autograd's threads ask as well.
std::atomic<RunClocks*> current{nullptr};

/// What a kernel may write at most, up to what there is room for: a run of short sequences takes little.
kernels::ClockCounts roomFor(const RunConfig& config) {
    constexpr std::uint64_t kGroups = 2, kLeastRowsOfRound = 32;
    const auto upTo = [](std::uint64_t a, std::uint64_t b, std::uint64_t most) {
        return a > most / std::max<std::uint64_t>(b, 1) ? most : a * b;
    };
    const auto context = static_cast<std::uint64_t>(config.context);
    const std::uint64_t perHead = kGroups * (context / kernels::kClockedTileRows + 1);
    const std::uint64_t heads = upTo(static_cast<std::uint64_t>(config.batch),
                                     static_cast<std::uint64_t>(config.shape.heads), kMostClockTiles);
    const std::uint64_t tiles = upTo(perHead, heads, kMostClockTiles);
    // And one round more: what remains after the last.
    const std::uint64_t rounds =
        upTo(upTo(perHead, heads, kMostClockRounds), context / kLeastRowsOfRound + 2, kMostClockRounds);
    return {static_cast<std::uint32_t>(tiles), static_cast<std::uint32_t>(rounds)};
}

/// Cycles and times from the first tile's, and in the order of multiprocessor and time.
void fillIn(const kernels::ClockReading& from, KernelClocks& to) {
    std::uint64_t firstTime = std::numeric_limits<std::uint64_t>::max(), firstCycle = firstTime;
    for (const kernels::ClockedTile& tile : from.tiles) {
        firstTime = std::min(firstTime, tile.beginTime);
        firstCycle = std::min(firstCycle, tile.beginCycle);
    }
    const auto since = [](std::uint64_t value, std::uint64_t first) {
        return static_cast<std::int64_t>(value - first);
    };
    for (const kernels::ClockedTile& tile : from.tiles)
        to.tiles.push_back({since(tile.beginCycle, firstCycle), since(tile.endCycle, firstCycle),
                            since(tile.beginTime, firstTime), since(tile.endTime, firstTime), tile.tile,
                            tile.processor, tile.group});
    for (const kernels::ClockedRound& round : from.rounds)
        to.rounds.push_back({since(round.beginCycle, firstCycle),
                             {round.cycles[0], round.cycles[1], round.cycles[2], round.cycles[3]},
                             round.tile,
                             round.round,
                             round.group});
    std::ranges::sort(to.tiles, [](const ClockTile& a, const ClockTile& b) {
        return std::tie(a.processor, a.beginTime, a.tile, a.group) <
               std::tie(b.processor, b.beginTime, b.tile, b.group);
    });
    std::ranges::sort(to.rounds, [](const ClockRound& a, const ClockRound& b) {
        return std::tie(a.tile, a.group, a.round) < std::tie(b.tile, b.group, b.round);
    });
    to.lostTiles = from.wanted.tiles - from.tiles.size();
    to.lostRounds = from.wanted.rounds - from.rounds.size();
}

}  // namespace

RunClocks::RunClocks(const RunConfig& config) : m_config(config) {}

RunClocks::~RunClocks() {
    current = nullptr;
    for (Clock& clock : m_clocks) {
        if (clock.memory.counts)
            loadKernels().kernels->freeClock(clock.memory);
    }
}

Status RunClocks::make() {
    if (!m_config.recorded.has(Feature::kKernelClocks))
        return {};
    const kernels::Kernels* const own = loadKernels().kernels;
    if (!own)
        return Error{loadKernels().problem + "; record without kernel-clocks."};
    const kernels::ClockCounts room = roomFor(m_config);
    const Bytes each(static_cast<std::int64_t>(room.tiles * sizeof(kernels::ClockedTile) +
                                               room.rounds * sizeof(kernels::ClockedRound)));
    for (Clock& clock : m_clocks) {
        if (const int error = own->makeClock(room, clock.memory); error != 0)
            return Error{"The clocks of attention's kernels need " + formatBytes(Bytes(2 * each.value)) +
                         " of the GPU's memory, which cannot be had (" + own->errorText(error) +
                         "): record without kernel-clocks."};
        m_bytes = Bytes(m_bytes.value + each.value);
    }
    current = this;
    return {};
}

Result<KernelClocksList> RunClocks::read() const {
    KernelClocksList list;
    for (const AttentionPass pass : {AttentionPass::kForward, AttentionPass::kBackward}) {
        const Clock& clock = m_clocks[static_cast<std::size_t>(pass)];
        if (!clock.taken || m_step == kNoStep)
            continue;
        const kernels::Kernels& own = *loadKernels().kernels;
        kernels::ClockReading reading;
        if (const int error = own.readClock(clock.memory, reading); error != 0)
            return Error{"The clocks of attention's kernels cannot be read: " +
                         std::string(own.errorText(error)) + "."};
        KernelClocks& clocks = list.emplace_back();
        clocks.kernel = pass == AttentionPass::kForward ? "forward" : "backward";
        clocks.step = static_cast<std::int32_t>(m_step);
        clocks.heads = static_cast<std::uint32_t>(clock.work.heads);
        clocks.batch = static_cast<std::uint32_t>(clock.work.batch);
        clocks.tilesOfHead = static_cast<std::uint32_t>(clock.work.tilesOfHead);
        clocks.rowsOfTile = static_cast<std::uint32_t>(clock.work.rowsOfTile);
        clocks.causal = clock.work.causal;
        fillIn(reading, clocks);
    }
    return list;
}

void wantKernelClocks() {
    if (RunClocks* const clocks = current) {
        for (RunClocks::Clock& clock : clocks->m_clocks)
            clock.wanted = true;
    }
}

void keepKernelClocks(std::int64_t step) {
    if (RunClocks* const clocks = current)
        clocks->m_step = step;
}

RunClocks::Clock* takeKernelClock(AttentionPass pass) {
    RunClocks* const clocks = current;
    if (!clocks)
        return nullptr;
    RunClocks::Clock& clock = clocks->m_clocks[static_cast<std::size_t>(pass)];
    if (!clock.wanted.exchange(false))
        return nullptr;
    clock.taken = true;
    return &clock;
}

}  // namespace warpglass
