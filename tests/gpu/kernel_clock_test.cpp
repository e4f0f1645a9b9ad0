// The twins of attention's kernels that write a clock: what they compute is what the plain kernels do, and
// what they write is what they did.
#include <map>
#include <set>
#include <tuple>

#include "tests/gpu/attention_case.h"

namespace warpglass::kernels {
namespace {

using Case = AttentionCase;

struct KernelClockTest : KernelsTest {
    void TearDown() override {
        for (KernelClock* clock : {&m_forward, &m_backward}) {
            if (clock->counts)
                m_kernels->freeClock(*clock);
        }
    }

    void makeClocks(ClockCounts room) {
        ASSERT_EQ(m_kernels->makeClock(room, m_forward), 0);
        ASSERT_EQ(m_kernels->makeClock(room, m_backward), 0);
    }

    /// As AttentionPasses gives them; by the twins or by the plain kernels.
    std::vector<at::Tensor> run(const Case& c, bool clocked) {
        at::manual_seed(c.length + c.headDimension);
        const auto half = at::TensorOptions(at::kCUDA).dtype(c.type);
        const auto some = [&] { return at::randn({c.batch, c.heads, c.length, c.headDimension}, half); };
        const AttentionInputs in{some(), some(), some(), some()};
        const AttentionPasses passes(c, in);
        if (clocked) {
            passes.forward(m_kernels->flashForwardClocked, m_forward, m_forwardWork);
            passes.backward(m_kernels->flashBackwardClocked, m_backward, m_backwardWork);
        } else {
            passes.forward(m_kernels->flashForward);
            passes.backward(m_kernels->flashBackward);
        }
        return passes.results();
    }

    /// Every tile once a warpgroup, each with the rounds that it takes, within its time.
    void expectWhole(const Case& c, const KernelClock& clock, const ClockedWork& work) {
        ClockReading reading;
        ASSERT_EQ(m_kernels->readClock(clock, reading), 0);
        EXPECT_EQ(work.heads, c.heads);
        EXPECT_EQ(work.batch, c.batch);
        EXPECT_EQ(work.tilesOfHead, (c.length + 127) / 128);
        EXPECT_EQ(reading.wanted.tiles, reading.tiles.size());
        EXPECT_EQ(reading.wanted.rounds, reading.rounds.size());
        std::map<std::pair<int, int>, const ClockedTile*> tiles;
        std::set<int> groups;
        for (const ClockedTile& tile : reading.tiles) {
            EXPECT_TRUE(tiles.emplace(std::pair<int, int>(tile.tile, tile.group), &tile).second);
            EXPECT_LT(tile.beginCycle, tile.endCycle);
            EXPECT_LE(tile.beginTime, tile.endTime);
            EXPECT_LT(tile.processor, 1024);
            groups.insert(tile.group);
        }
        EXPECT_EQ(tiles.size(),
                  groups.size() * static_cast<std::size_t>(work.tilesOfHead * c.heads * c.batch));
        std::map<std::pair<int, int>, std::uint64_t> cycles;
        std::map<std::pair<int, int>, int> rounds;
        std::uint64_t byPhase[4] = {};
        for (const ClockedRound& round : reading.rounds) {
            const std::pair<int, int> key(round.tile, round.group);
            ASSERT_TRUE(tiles.count(key));
            EXPECT_GE(round.beginCycle, tiles[key]->beginCycle);
            ++rounds[key];
            for (int phase = 0; phase < 4; ++phase) {
                cycles[key] += round.cycles[phase];
                byPhase[phase] += round.cycles[phase];
            }
        }
        for (const auto& [key, tile] : tiles) {
            EXPECT_EQ(cycles[key], tile->endCycle - tile->beginCycle)
                << "the phases of a tile are all of its time";
            EXPECT_GE(rounds[key], 2);
        }
        for (int phase = 0; phase < 4; ++phase)
            EXPECT_GT(byPhase[phase], 0u) << phase;
    }

    KernelClock m_forward, m_backward;
    ClockedWork m_forwardWork, m_backwardWork;
};

TEST_F(KernelClockTest, TheTwinsComputeWhatThePlainKernelsDoAndTellOfEveryTile) {
    makeClocks({1 << 14, 1 << 18});
    for (const int dimension : {64, 128})
        for (const bool causal : {false, true})
            for (const auto& [length, type, deterministic] :
                 {std::tuple(1024, at::kBFloat16, true), std::tuple(777, at::kHalf, true),
                  std::tuple(1, at::kHalf, true), std::tuple(4096, at::kBFloat16, false),
                  std::tuple(5000, at::kHalf, true)}) {
                const Case c{2, 3, length, dimension, causal, type, 1, false, deterministic};
                SCOPED_TRACE(c.name());
                const auto plain = run(c, false), clocked = run(c, true);
                for (std::size_t i = 0; i < plain.size(); ++i)
                    EXPECT_TRUE(i == 1 && !deterministic ? at::allclose(plain[i], clocked[i], 1e-2, 1e-3)
                                                         : at::equal(plain[i], clocked[i]))
                        << i;
                expectWhole(c, m_forward, m_forwardWork);
                expectWhole(c, m_backward, m_backwardWork);
            }
}

TEST_F(KernelClockTest, WhatFindsNoRoomIsCountedAndNothingElseIsWritten) {
    makeClocks({10, 33});
    const Case c{1, 2, 2048, 64, true, at::kBFloat16, 1, false, true};
    const auto plain = run(c, false), clocked = run(c, true);
    for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_TRUE(at::equal(plain[i], clocked[i])) << i;
    ClockReading reading;
    ASSERT_EQ(m_kernels->readClock(m_forward, reading), 0);
    EXPECT_EQ(reading.tiles.size(), 10u);
    EXPECT_EQ(reading.rounds.size(), 33u);
    EXPECT_GE(reading.wanted.tiles, 32u);
    EXPECT_GT(reading.wanted.rounds, 200u);
}

TEST_F(KernelClockTest, EachCallCountsFromTheBeginning) {
    makeClocks({1 << 10, 1 << 14});
    const Case c{1, 2, 512, 128, true, at::kBFloat16, 1, false, true};
    for (int i = 0; i < 3; ++i) {
        run(c, true);
        expectWhole(c, m_forward, m_forwardWork);
        expectWhole(c, m_backward, m_backwardWork);
    }
}

TEST_F(KernelClockTest, OtherHeadDimensionsAreRefused) {
    EXPECT_TRUE(m_kernels->hasKernelClock(64));
    EXPECT_TRUE(m_kernels->hasKernelClock(128));
    EXPECT_FALSE(m_kernels->hasKernelClock(32));
}

}  // namespace
}  // namespace warpglass::kernels
