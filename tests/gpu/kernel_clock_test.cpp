// The twins of attention's kernels that write a clock: what they compute is what the plain kernels do, and
// what they write is what they did.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/capture/torch_headers.h"
#include "engine/kernels/kernels.h"

namespace warpglass::kernels {
namespace {

struct Case {
    int batch, heads, length, headDimension;
    bool causal;
    at::ScalarType type;
    bool deterministic = false;
};

std::string nameOf(const Case& c) {
    return std::to_string(c.batch) + " × " + std::to_string(c.heads) + " × " + std::to_string(c.length) +
           " × " + std::to_string(c.headDimension) + (c.causal ? ", causal, " : ", ") +
           c10::toString(c.type) + (c.deterministic ? ", deterministic" : "");
}

HeadTensor headTensor(const at::Tensor& x) {
    return {x.data_ptr(), x.stride(0), x.stride(1), x.stride(2)};
}

struct KernelClockTest : ::testing::Test {
    void SetUp() override {
        if (!at::globalContext().hasCUDA())
            GTEST_SKIP() << "there is no NVIDIA GPU on this machine";
        m_kernels = warpglassKernels(kKernelsAbi);
        ASSERT_TRUE(m_kernels);
    }
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

    /// Output, log-sum-exp and the gradients of q, k and v; by the twins or by the plain kernels.
    std::vector<at::Tensor> run(const Case& c, bool clocked) {
        at::manual_seed(c.length + c.headDimension);
        const auto half = at::TensorOptions(at::kCUDA).dtype(c.type);
        const auto some = [&] { return at::randn({c.batch, c.heads, c.length, c.headDimension}, half); };
        const at::Tensor q = some(), k = some(), v = some(), gradient = some();
        const at::Tensor output = at::empty_like(q), dQ = at::empty_like(q), dK = at::empty_like(q),
                         dV = at::empty_like(q);
        const auto fp32 = half.dtype(at::kFloat);
        const at::Tensor logSumExp = at::empty({c.batch, c.heads, c.length}, fp32),
                         delta = at::empty_like(logSumExp);
        const at::Tensor sums = at::empty({c.batch, c.heads, c.length, c.headDimension}, fp32);
        const AttentionShape shape{c.batch,
                                   c.heads,
                                   c.length,
                                   c.headDimension,
                                   c.causal,
                                   static_cast<float>(1 / std::sqrt(c.headDimension)),
                                   c.type == at::kHalf ? AttentionType::kFp16 : AttentionType::kBf16};
        const BackwardScratch scratch{delta.data_ptr<float>(), sums.data_ptr<float>(), c.deterministic};
        const auto forward = [&](auto function, auto&... clock) {
            EXPECT_EQ(function(shape, headTensor(q), headTensor(k), headTensor(v), headTensor(output),
                               logSumExp.data_ptr<float>(), nullptr, clock...),
                      0);
        };
        const auto backward = [&](auto function, auto&... clock) {
            EXPECT_EQ(function(shape, headTensor(q), headTensor(k), headTensor(v), headTensor(output),
                               headTensor(gradient), logSumExp.data_ptr<float>(), headTensor(dQ),
                               headTensor(dK), headTensor(dV), scratch, nullptr, clock...),
                      0);
        };
        if (clocked) {
            forward(m_kernels->flashForwardClocked, m_forward, m_forwardWork);
            backward(m_kernels->flashBackwardClocked, m_backward, m_backwardWork);
        } else {
            forward(m_kernels->flashForward);
            backward(m_kernels->flashBackward);
        }
        return {output, logSumExp, dQ, dK, dV};
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

    const Kernels* m_kernels = nullptr;
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
                const Case c{2, 3, length, dimension, causal, type, deterministic};
                SCOPED_TRACE(nameOf(c));
                const auto plain = run(c, false), clocked = run(c, true);
                for (std::size_t i = 0; i < plain.size(); ++i)
                    EXPECT_TRUE(i == 2 && !deterministic ? at::allclose(plain[i], clocked[i], 1e-2, 1e-3)
                                                         : at::equal(plain[i], clocked[i]))
                        << i;
                expectWhole(c, m_forward, m_forwardWork);
                expectWhole(c, m_backward, m_backwardWork);
            }
}

TEST_F(KernelClockTest, WhatFindsNoRoomIsCountedAndNothingElseIsWritten) {
    makeClocks({10, 33});
    const Case c{1, 2, 2048, 64, true, at::kBFloat16, true};
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
    const Case c{1, 2, 512, 128, true, at::kBFloat16, true};
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
