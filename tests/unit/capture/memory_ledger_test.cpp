#include "engine/capture/memory_ledger.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace warpglass {
namespace {

/// What the trace says of one allocation.
struct Told {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int32_t step = kNoStep;
    Category category = Category::kUnknown;
    std::int64_t made = -1;
    std::int64_t freed = -1;

    bool operator==(const Told&) const = default;
};
void PrintTo(const Told& told, std::ostream* out) {
    *out << told.address << ": " << told.bytes << " bytes, step " << told.step << ", "
         << categoryName(told.category) << ", " << told.made << "…" << told.freed;
}

struct MemoryLedgerTest : testing::Test {
    void allocate(std::int64_t time, std::uint64_t address, std::int64_t bytes, std::int32_t step = kNoStep) {
        CaptureEvent event = at(time, CaptureKind::kAllocate);
        event.address = address;
        event.bytes = bytes;
        event.total = m_total += bytes;
        ledger.allocate(event, {PlaceId(), step, NameId()}, bytes);
    }
    void free(std::int64_t time, std::uint64_t address, std::int64_t bytes) {
        CaptureEvent event = at(time, CaptureKind::kFree);
        event.address = address;
        event.bytes = bytes;
        event.total = m_total -= bytes;
        ledger.free(event);
    }
    void mark(std::int64_t time, std::uint64_t address, Category category) {
        CaptureEvent event = at(time, CaptureKind::kMark);
        event.address = address;
        event.detail = static_cast<std::uint8_t>(category);
        ledger.mark(event);
    }
    void phase(std::int64_t time, Phase phase, bool keeps = false) {
        CaptureEvent event = at(time, CaptureKind::kPhaseBegin);
        event.detail = static_cast<std::uint8_t>(phase);
        event.sequence = keeps ? 1 : 0;
        ledger.phase(event);
    }
    void endPhase(std::int64_t time) { ledger.phase(at(time, CaptureKind::kPhaseEnd)); }

    /// In order of allocation.
    std::vector<Told> told() {
        ledger.finish();
        writer.commit(Nanoseconds(1'000'000));
        const auto trace = writer.feed()->latest();
        EXPECT_TRUE(trace->losses().empty()) << trace->losses()[0].name;
        std::vector<Told> all(trace->allocationCount());
        for (std::uint64_t i = 0; i < trace->allocationCount(); ++i) {
            const AllocationRow row = *trace->allocation(AllocationId(i));
            all[i] = {row.address, row.bytes, row.step, trace->categoryOf(AllocationId(i))};
        }
        for (std::uint64_t i = 0; i < trace->memoryEventCount(); ++i) {
            const MemoryEvent event = *trace->memoryEvent(i);
            Told& allocation = all[event.allocation.index()];
            (event.action == MemoryAction::kAllocate ? allocation.made : allocation.freed) = event.time;
        }
        return all;
    }

    TraceWriter writer;
    MemoryLedger ledger{writer, true};

private:
    static CaptureEvent at(std::int64_t time, CaptureKind kind) { return {.time = time, .kind = kind}; }
    std::int64_t m_total = 0;
};

using Category::kActivations;
using Category::kGradients;
using Category::kTemporaries;

/// A forward pass with a temporary and an activation around node 0, a backward pass with a gradient at node
/// 1, freed after the last node.
struct ReplayTest : MemoryLedgerTest {
    void capture() {
        ledger.beginPlan();
        phase(10, Phase::kForward, true);
        allocate(11, 1, 100);  // an activation
        allocate(12, 2, 50);   // a temporary
        ledger.nodeMade(0);
        free(13, 2, 50);
        endPhase(14);
        phase(15, Phase::kBackward);
        allocate(16, 3, 200);
        mark(17, 3, kGradients);
        ledger.nodeMade(1);
        free(18, 1, 100);
        endPhase(19);
        phase(20, Phase::kZeroGrad);
        free(21, 3, 200);
        allocate(22, 4, 4);  // stays
        endPhase(23);
        allocate(24, 5, 512);  // the graph's own
        ledger.endPlan();
    }
    static std::vector<Told> captured() {
        return {{1, 100, kNoStep, kActivations, 11, 18},
                {2, 50, kNoStep, kTemporaries, 12, 13},
                {3, 200, kNoStep, kGradients, 16, 21},
                {4, 4, kNoStep, Category::kUnknown, 22, -1},
                {5, 512, kNoStep, Category::kWorkspace, 24, -1}};
    }
    void expectTold(std::vector<Told> replays) {
        std::vector<Told> expected = captured();
        expected.insert(expected.end(), replays.begin(), replays.end());
        EXPECT_EQ(told(), expected);
    }
};

TEST_F(ReplayTest, RepeatsThePlanWhenTheGpuRanItsNodes) {
    capture();
    ledger.replay(100, 5, true);
    ledger.nodeRan(5, 0, 120, 130);
    ledger.nodeRan(5, 1, 140, 190);
    expectTold({{1, 100, 5, kActivations, 120, 190},
                {2, 50, 5, kTemporaries, 120, 140},
                {3, 200, 5, kGradients, 140, 190}});
}

TEST_F(ReplayTest, WithoutRecordsHappensAtItsLaunch) {
    capture();
    ledger.replay(100, 5, false);
    ledger.replay(200, 6, false);
    expectTold({{1, 100, 5, kActivations, 100, 100},
                {2, 50, 5, kTemporaries, 100, 100},
                {3, 200, 5, kGradients, 100, 100},
                {1, 100, 6, kActivations, 200, 200},
                {2, 50, 6, kTemporaries, 200, 200},
                {3, 200, 6, kGradients, 200, 200}});
}

TEST_F(ReplayTest, WhatComesLaterWaitsForItsEnd) {
    capture();
    ledger.replay(100, 5, true);
    phase(150, Phase::kTeardown);
    free(151, 4, 4);
    ledger.replay(160, 6, true);
    endPhase(170);
    ledger.nodeRan(5, 0, 120, 130);
    ledger.nodeRan(kNoStep, 0, 121, 122);  // its launch lost
    ledger.nodeRan(6, 0, 180, 185);        // so the first is over, its second node's record lost
    ledger.nodeRan(6, 1, 190, 200);
    const std::vector<Told> all = told();
    ASSERT_EQ(all.size(), 11u);
    EXPECT_EQ(all[3].freed, 151);
    EXPECT_EQ(all[5], (Told{1, 100, 5, kActivations, 120, 130}));
    EXPECT_EQ(all[7], (Told{3, 200, 5, kGradients, 130, 130}));
    EXPECT_EQ(all[8], (Told{1, 100, 6, kActivations, 180, 200}));
    EXPECT_EQ(all[10], (Told{3, 200, 6, kGradients, 190, 200}));
}

TEST_F(MemoryLedgerTest, WhatWasAliveWhenMemoryRanOutIsKnownForWhatItWas) {
    phase(0, Phase::kForward, true);
    allocate(1, 1, 100);
    allocate(2, 2, 50);
    free(3, 2, 50);
    CaptureEvent refused{.time = 4,
                         .kind = CaptureKind::kSegment,
                         .detail = static_cast<std::uint8_t>(SegmentAction::kOutOfMemory)};
    refused.bytes = 1000;
    ledger.segment(refused, {});
    free(5, 1, 100);  // as the failure unwinds
    endPhase(6);
    EXPECT_EQ(told(), (std::vector<Told>{{1, 100, kNoStep, kActivations, 1, 5},
                                         {2, 50, kNoStep, kTemporaries, 2, 3}}));
}

/// Any capture, replayed any number of times: the sum at every node is the capture's at that node.
TEST_F(MemoryLedgerTest, EveryReplayHasTheCapturesSumAtEveryNode) {
    std::mt19937_64 random(11);
    constexpr std::uint32_t kNodes = 60, kReplays = 20;
    std::map<std::uint64_t, std::int64_t> alive;
    std::vector<std::int64_t> sums;
    std::int64_t sum = 0, time = 0;
    ledger.beginPlan();
    phase(0, Phase::kForward, true);
    for (std::uint32_t node = 0; node < kNodes; ++node) {
        for (auto events = random() % 5; events > 0; --events) {
            if (alive.empty() || random() % 3) {
                const std::uint64_t address = random();
                const auto bytes = static_cast<std::int64_t>(1 + random() % 1000);
                alive[address] = bytes;
                sum += bytes;
                allocate(++time, address, bytes);
            } else {
                const auto block =
                    std::next(alive.begin(), static_cast<std::ptrdiff_t>(random() % alive.size()));
                sum -= block->second;
                free(++time, block->first, block->second);
                alive.erase(block);
            }
        }
        sums.push_back(sum);
        ledger.nodeMade(node);
    }
    for (const auto& [address, bytes] : alive)
        free(++time, address, bytes);
    endPhase(++time);
    ledger.endPlan();

    for (std::uint32_t replay = 0; replay < kReplays; ++replay)
        ledger.replay(1000 + replay, static_cast<std::int32_t>(replay), true);
    std::map<std::int64_t, std::int64_t> expected;  // by time
    for (std::uint32_t replay = 0; replay < kReplays; ++replay) {
        for (std::uint32_t node = 0; node < kNodes; ++node) {
            const std::int64_t begin = 10'000 + replay * 1000 + node * 10;
            ledger.nodeRan(static_cast<std::int32_t>(replay), node, begin, begin + 5);
            expected[begin] = sums[node];
        }
    }
    const std::vector<Told> all = told();
    for (const auto& [when, bytes] : expected) {
        std::int64_t sumThen = 0;
        for (const Told& allocation : all)
            sumThen += allocation.made <= when && allocation.freed > when ? allocation.bytes : 0;
        ASSERT_EQ(sumThen, bytes) << "at " << when;
    }
    EXPECT_EQ(ledger.checkedTotals(), static_cast<std::uint64_t>(time) - 1);
}

}  // namespace
}  // namespace warpglass
