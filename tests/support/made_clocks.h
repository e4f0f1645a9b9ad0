// A clocked attention kernel as a GPU of so many multiprocessors would run it: tiles in order, each where a
// place is free first; where causal, tiles of later queries come first and have more rounds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/trace/kernel_clocks.h"

namespace warpglass::test {

struct MadeClocks {
    std::uint64_t seed = 1;
    std::uint32_t processors = 8, tilesOfHead = 16, heads = 4, batch = 1, groups = 2;
    bool causal = true;
    const char* kernel = "forward";
    /// Cycles a ns, and how roughly the GPU's time is read.
    double cyclesPerNs = 1.7;
    std::int64_t tick = 32;
};

inline KernelClocks makeClocks(const MadeClocks& like = {}) {
    std::mt19937_64 random(like.seed);
    KernelClocks made{.kernel = like.kernel,
                      .step = 2,
                      .heads = like.heads,
                      .batch = like.batch,
                      .tilesOfHead = like.tilesOfHead,
                      .rowsOfTile = 128,
                      .causal = like.causal};
    std::vector<std::int64_t> freeAt(like.processors, 0), offset(like.processors);
    for (std::int64_t& each : offset)
        each = static_cast<std::int64_t>(random() % 1'000'000);
    const auto time = [&](std::int64_t cycle) {
        return static_cast<std::int64_t>(static_cast<double>(cycle) / like.cyclesPerNs) / like.tick *
               like.tick;
    };
    const auto some = [&](std::uint32_t about) {
        return static_cast<std::uint32_t>(about * 9 / 10 + random() % (about / 5));
    };
    for (std::uint32_t headOfAll = 0; headOfAll < like.heads * like.batch; ++headOfAll) {
        for (std::uint32_t i = 0; i < like.tilesOfHead; ++i) {
            const std::uint32_t at = like.causal ? like.tilesOfHead - 1 - i : i;
            const std::uint32_t rounds = (like.causal ? at + 1 : like.tilesOfHead) + 1;
            const auto processor =
                static_cast<std::uint32_t>(std::ranges::min_element(freeAt) - freeAt.begin());
            std::int64_t end = 0;
            for (std::uint32_t group = 0; group < like.groups; ++group) {
                ClockTile tile{
                    .tile = headOfAll * like.tilesOfHead + at, .processor = processor, .group = group};
                std::int64_t cycle = freeAt[processor] + some(200) * (group + 1);
                tile.beginCycle = cycle + offset[processor];
                tile.beginTime = time(cycle);
                for (std::uint32_t r = 0; r < rounds; ++r) {
                    const bool last = r + 1 == rounds;
                    ClockRound round{cycle + offset[processor],
                                     {some(r == 0 ? 900 : 60), some(last ? 300 : 900), last ? 0 : some(700),
                                      last ? some(500) : 0},
                                     tile.tile,
                                     r,
                                     group};
                    for (const std::uint32_t each : round.cycles)
                        cycle += each;
                    made.rounds.push_back(round);
                }
                tile.endCycle = cycle + offset[processor];
                tile.endTime = time(cycle);
                end = std::max(end, cycle);
                made.tiles.push_back(tile);
            }
            freeAt[processor] = end;
        }
    }
    return made;
}

}  // namespace warpglass::test
