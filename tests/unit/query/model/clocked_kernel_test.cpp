#include "engine/query/model/clocked_kernel.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "engine/query/model/occupancy_limit.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/spans_at.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/made_clocks.h"
#include "tests/support/sample_run.h"

namespace warpglass::test::clocked_kernel_test {

using testing::HasSubstr;
using testing::StartsWith;

/// Whole ns, one a cycle, so that the oracle can look at each ns by itself.
KernelClocks byChance(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t most) { return static_cast<std::int64_t>(random() % most); };
    KernelClocks clocks{.kernel = "forward", .causal = seed % 2 == 0};
    const std::int64_t processors = 1 + below(5), tiles = 1 + below(20);
    for (std::int64_t t = 0; t < tiles; ++t) {
        const std::int64_t processor = below(static_cast<std::uint64_t>(processors)) * 3;
        for (std::uint32_t group = 0; group < 1 + t % 2; ++group) {
            const std::int64_t begin = below(300), end = begin + 1 + below(80);
            clocks.tiles.push_back({begin, end, begin, end, static_cast<std::uint32_t>(t),
                                    static_cast<std::uint32_t>(processor), group});
            for (std::uint32_t r = 0; r < below(4); ++r)
                clocks.rounds.push_back(
                    {begin + r,
                     {static_cast<std::uint32_t>(below(9)), static_cast<std::uint32_t>(below(9)),
                      static_cast<std::uint32_t>(below(9)), 1},
                     static_cast<std::uint32_t>(t),
                     r,
                     group});
        }
    }
    std::ranges::shuffle(clocks.rounds, random);
    return clocks;
}

/// Each ns by itself.
struct Counted {
    std::int64_t first = 1'000'000, last = 0;
    std::map<std::uint32_t, std::int64_t> busy, ends, tiles;
    std::int64_t atOnce = 0, allTiles = 0;
    double tail = 0, halfIdle = 0, imbalance = 0;
};

Counted countOf(const KernelClocks& clocks) {
    Counted counted;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::int64_t, std::int64_t>> whole;
    for (const ClockTile& tile : clocks.tiles) {
        auto& [begin, end] =
            whole.try_emplace({tile.processor, tile.tile}, tile.beginTime, tile.endTime).first->second;
        begin = std::min(begin, tile.beginTime);
        end = std::max(end, tile.endTime);
        counted.first = std::min(counted.first, begin);
        counted.last = std::max(counted.last, end);
    }
    counted.allTiles = static_cast<std::int64_t>(whole.size());
    std::set<std::uint32_t> groups;
    for (std::int64_t now = counted.first; now < counted.last; ++now) {
        std::int64_t running = 0;
        std::set<std::uint32_t> busy;
        for (const auto& [key, stretch] : whole) {
            if (stretch.first <= now && now < stretch.second)
                busy.insert(key.first);
        }
        for (const ClockTile& tile : clocks.tiles) {
            groups.insert(tile.group);
            running += tile.beginTime <= now && now < tile.endTime ? 1 : 0;
        }
        // Each group of a block has its own bar.
        const auto count = static_cast<std::int64_t>(groups.size());
        counted.atOnce = std::max(counted.atOnce, (running + count - 1) / count);
        for (const std::uint32_t processor : busy)
            ++counted.busy[processor];
    }
    for (const auto& [key, stretch] : whole) {
        counted.ends[key.first] = std::max(counted.ends[key.first], stretch.second);
        ++counted.tiles[key.first];
    }
    std::int64_t idle = 0, half = 0, most = 0, sum = 0;
    for (std::int64_t now = counted.first; now < counted.last; ++now) {
        std::size_t left = 0;
        for (const auto& [processor, end] : counted.ends)
            left += end > now ? 1 : 0;
        idle += left < counted.ends.size() ? 1 : 0;
        half += 2 * left < counted.ends.size() ? 1 : 0;
    }
    for (const auto& [processor, time] : counted.busy) {
        most = std::max(most, time);
        sum += time;
    }
    const auto duration = static_cast<double>(counted.last - counted.first);
    counted.tail = static_cast<double>(idle) / duration;
    counted.halfIdle = static_cast<double>(half) / duration;
    counted.imbalance =
        static_cast<double>(most) * static_cast<double>(counted.ends.size()) / static_cast<double>(sum);
    return counted;
}

TEST(ClockedKernel, IsWhatLookingAtEveryNanosecondGives) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        const KernelClocks clocks = byChance(seed);
        const ClockedKernel kernel = clockedKernel(clocks);
        const Counted counted = countOf(clocks);
        EXPECT_EQ(kernel.processors, static_cast<std::int64_t>(counted.ends.size()));
        EXPECT_EQ(kernel.tiles, counted.allTiles);
        EXPECT_EQ(kernel.atOnce, counted.atOnce);
        EXPECT_EQ(kernel.waves, static_cast<std::int64_t>(std::ceil(static_cast<double>(counted.allTiles) /
                                                                    static_cast<double>(counted.atOnce))));
        EXPECT_NEAR(kernel.duration, static_cast<double>(counted.last - counted.first), 1e-6);
        EXPECT_NEAR(kernel.tail, counted.tail, 1e-9);
        EXPECT_NEAR(kernel.imbalance, counted.imbalance, 1e-9);
        EXPECT_NEAR(kernel.halfIdle, counted.halfIdle, 1e-9);
        std::int64_t most = 0, fewest = 1'000;
        for (const auto& [processor, tiles] : counted.tiles) {
            most = std::max(most, tiles);
            fewest = std::min(fewest, tiles);
        }
        EXPECT_EQ(kernel.mostTiles, most);
        EXPECT_EQ(kernel.fewestTiles, fewest);
        std::array<double, kClockPhaseCount> cycles{};
        double all = 0;
        for (const ClockRound& round : clocks.rounds) {
            for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase) {
                cycles[phase] += round.cycles[phase];
                all += round.cycles[phase];
            }
        }
        for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase)
            EXPECT_NEAR(kernel.shares[phase], all > 0 ? cycles[phase] / all : 0, 1e-6);
        EXPECT_EQ(kernel.rounds.size(), clocks.rounds.size());
    }
}

TEST(ClockedKernel, BarsOfAMultiprocessorStandSideBySideWhereTheyOverlap) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const ClockedKernel kernel = clockedKernel(byChance(seed));
        for (std::size_t i = 0; i < kernel.bars.size(); ++i) {
            EXPECT_LT(kernel.bars[i].lane, kernel.lanes);
            for (std::size_t j = 0; j < i; ++j) {
                const ClockedTile &a = kernel.bars[i], &b = kernel.bars[j];
                if (a.processor == b.processor && a.lane == b.lane) {
                    EXPECT_TRUE(a.end <= b.begin || b.end <= a.begin) << seed;
                }
            }
        }
    }
}

// The counters of multiprocessors differ by more than the kernel takes, and the GPU's time is read to 1 µs.
TEST(ClockedKernel, CyclesOfEveryMultiprocessorComeOntoOneClock) {
    for (const std::int64_t tick : {1, 32, 1024}) {
        MadeClocks like{.seed = 3, .processors = 12, .tilesOfHead = 32, .heads = 8, .tick = tick};
        KernelClocks clocks = makeClocks(like);
        const ClockedKernel rough = clockedKernel(clocks);
        like.tick = 1;
        const ClockedKernel exact = clockedKernel(makeClocks(like));
        ASSERT_EQ(rough.bars.size(), exact.bars.size());
        EXPECT_NEAR(rough.duration, exact.duration, static_cast<double>(tick) + 0.02 * exact.duration);
        EXPECT_NEAR(rough.tail, exact.tail, 0.02);
        EXPECT_NEAR(rough.imbalance, exact.imbalance, 0.02);
        EXPECT_EQ(rough.processors, 12);
    }
}

TEST(ClockedKernel, TheSentenceSaysHowTheGpuWasFilled) {
    KernelClocks clocks;
    for (std::uint32_t processor = 0; processor < 4; ++processor) {
        const std::int64_t end = processor == 3 ? 100 : 80;
        clocks.tiles.push_back({0, end, 0, end, processor, processor, 0});
    }
    const std::string sentence =
        "4 SMs ran 4 tiles, and in the last 20% of the time fewer than half of the SMs are busy.";
    EXPECT_EQ(clockedKernel(clocks).sentence(), sentence);
    clocks.causal = true;  // the mask is not the only reason for it
    EXPECT_EQ(clockedKernel(clocks).sentence(), sentence);
    for (ClockTile& tile : clocks.tiles)
        tile.endCycle = tile.endTime = 100;
    EXPECT_EQ(clockedKernel(clocks).sentence(),
              "4 SMs ran 4 tiles, and half of the SMs or more are busy to the end.");
    clocks.lostTiles = 1234;
    EXPECT_THAT(clockedKernel(clocks).sentence(),
                HasSubstr("For 1,234 more records of a warpgroup's tile there was no room"));
    EXPECT_EQ(clockedKernel({}).sentence(), "No tile was recorded.");
    clocks.tiles.resize(1);
    EXPECT_THAT(clockedKernel(clocks).sentence(), StartsWith("1 SM ran 1 tile."));
}

TEST(ClockedKernel, ATileIsNamedByItsRows) {
    KernelClocks clocks{.kernel = "forward", .heads = 4, .batch = 2, .tilesOfHead = 16, .rowsOfTile = 128};
    EXPECT_EQ(clockedKernel(clocks).rowsOf((1 * 4 + 3) * 16 + 9),
              "queries 1,152–1,279 of head 3, sequence 1");
    clocks.kernel = "backward";
    EXPECT_EQ(clockedKernel(clocks).rowsOf(0), "keys 0–127 of head 0, sequence 0");
}

// What a damaged or a made-up file may hold.
TEST(ClockedKernel, AnyNumbersGiveFiguresAndNoCrash) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 50; ++i) {
        KernelClocks clocks;
        const auto some = [&] { return static_cast<std::int64_t>(random() >> (4 + random() % 60)); };
        for (int t = 0; t < i; ++t)
            clocks.tiles.push_back({some(), some(), some(), some(), static_cast<std::uint32_t>(random() % 4),
                                    static_cast<std::uint32_t>(random() % 3),
                                    static_cast<std::uint32_t>(random() % 2)});
        for (int r = 0; r < i; ++r)
            clocks.rounds.push_back(
                {some(), {0xffffffff, 0, 1, 2}, static_cast<std::uint32_t>(random() % 5), 0, 0});
        const ClockedKernel kernel = clockedKernel(clocks);
        EXPECT_FALSE(std::isnan(kernel.tail) || std::isnan(kernel.imbalance) || std::isnan(kernel.duration));
        EXPECT_FALSE(kernel.sentence().empty());
    }
}

TEST(ClockedKernel, WhyThereIsNoneIsSaid) {
    TraceWriter writer;
    const auto why = [&] {
        writer.commit(Nanoseconds(1));
        return whyNoKernelClocks(*writer.feed()->latest());
    };
    writer.setInfo("config.record", "ops,memory,kernels,calls,waits");
    EXPECT_THAT(why(), HasSubstr("--record all,kernel-clocks"));
    writer.setInfo("config.record", "ops,kernel-clocks");
    writer.setInfo("state", run_state::kRecording);
    EXPECT_THAT(why(), HasSubstr("when the run has ended"));
    writer.setInfo("state", run_state::kStopped);
    EXPECT_THAT(why(), HasSubstr("No clock of a kernel came"));
    writer.setInfo("kernel_clocks.problem", "The clocks cannot be read: x.");
    EXPECT_EQ(why(), "The clocks cannot be read: x");
    writer.setKernelClocks({makeClocks()});
    EXPECT_EQ(why(), "");
}

TEST(ClockedLoad, HoldsAllTheTimeOfTheRounds) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const ClockedKernel kernel = clockedKernel(makeClocks({.seed = seed}));
        std::array<double, kClockPhaseCount> expected{}, found{};
        for (const ClockedRound& round : kernel.rounds) {
            for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase)
                expected[phase] += static_cast<double>(round.phases[phase]);
        }
        constexpr std::size_t kParts = 50;
        const double part = kernel.duration / kParts;
        for (const auto& load : clockedLoad(kernel, kParts)) {
            double all = 0;
            for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase) {
                found[phase] += load[phase] * part;
                all += load[phase];
            }
            EXPECT_LE(all, static_cast<double>(kernel.processors) * kernel.lanes * 1.001);
        }
        for (std::size_t phase = 0; phase < kClockPhaseCount; ++phase)
            EXPECT_NEAR(found[phase], expected[phase], 0.01 * expected[phase] + 1) << phase;
    }
    EXPECT_EQ(clockedLoad({}, 3).size(), 3u);
    EXPECT_TRUE(clockedLoad({}, 0).empty());
}

TEST(ClockedKernel, HasTheFlopsOfTheCallThatWroteItsClock) {
    const auto run = openSampleRun("attention-clocks");
    const std::vector<ClockedKernel> kernels = clockedKernels(*run);
    ASSERT_EQ(kernels.size(), 2u);
    // Two products of 4 × 16 heads, 4096 × 4096 × 64, of which the causal mask leaves half; five backward.
    const double product = 2.0 * 4 * 16 * 4096 * 4096 * 64 / 2;
    EXPECT_NEAR(kernels[0].flopsPerSecond * kernels[0].duration / 1e9 / product, 2, 0.1);
    EXPECT_NEAR(kernels[1].flopsPerSecond * kernels[1].duration / 1e9 / product, 5, 0.25);
    for (const ClockedKernel& kernel : kernels) {
        const auto twin = clockedTwin(*run, kernel);
        ASSERT_TRUE(twin) << kernel.kernel;
        EXPECT_EQ(rowOf(*run, *twin)->step, kernel.step);
        EXPECT_LT(kernel.flopsPerSecond, *ceilingsOf(*run).dataSheet.flopsPerSecond);
    }
}

// What limits a kernel's occupancy, against figures of NVIDIA's calculator.

SpanDetail kernelOf(std::uint32_t threads, std::uint32_t registers, std::int64_t shared, float occupancy) {
    SpanDetail kernel{.kind = DetailKind::kKernel};
    kernel.block = {threads, 1, 1};
    kernel.registers = registers;
    kernel.dynamicShared = shared;
    kernel.occupancy = occupancy;
    return kernel;
}

TEST(OccupancyLimit, NamesWhatLeavesNoRoomForAnotherBlock) {
    // Twelve warps of 168 registers take all registers, and a second block of 178 KiB finds no shared memory.
    EXPECT_EQ(occupancyLimit(kernelOf(384, 168, 178 << 10, 0.1875F), "9.0"), "registers and shared memory");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 128, 0, 0.25F), "9.0"), "registers");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 32, 100 << 10, 0.125F), "9.0"), "shared memory");
    EXPECT_EQ(occupancyLimit(kernelOf(32, 32, 0, 0.5F), "9.0"), "number of blocks");
    EXPECT_EQ(occupancyLimit(kernelOf(768, 24, 0, 0.75F), "9.0"), "block size");
}

TEST(OccupancyLimit, IsNotSaidWhereAllThreadsFitOrItIsNotKnown) {
    EXPECT_EQ(occupancyLimit(kernelOf(1024, 32, 0, 1), "9.0"), "");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 128, 0, 0.25F), "3.7"), "") << "a device without limits here";
    EXPECT_EQ(occupancyLimit(kernelOf(128, 128, 0, 0), "9.0"), "") << "no occupancy was recorded";
    EXPECT_EQ(occupancyLimit(kernelOf(0, 128, 0, 0.25F), "9.0"), "");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 16, 0, 0.25F), "9.0"), "") << "nothing here explains it";
}

}  // namespace warpglass::test::clocked_kernel_test
