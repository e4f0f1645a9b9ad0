// Which op the memory of a graph's replays counts under: that of its capture, in the capture's order.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/query/memory/memory_op.h"
#include "engine/query/spans/step_spans.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/findings/sample_timeline.h"

namespace warpglass::test::memory_op_replay_test {

TEST(MemoryOpOfAReplay, IsThatOfTheCapture) {
    const auto run = traceOf(R"(
        in phase forward module blocks.0
          # Before the capture, at an address of its own pool.
          op aten::zeros 1-5 | op aten::empty_strided 2-4 | alloc 512 3-6 address 4096
          capture 7-20
            op aten::_to_copy 8-12 | op aten::empty_strided 9-11 | alloc 512 10-13 address 8192
            op aten::clone 14-18 | op aten::empty_strided 15-17 | alloc 512 16-19 address 12288
          in step 2 op aten::empty_strided
            alloc 512 21 address 8192 ; alloc 512 22 address 12288 ; alloc 1024 23 address 8192
            alloc 512 24 address 4096
    )");
    const NameId empty = run->findName("aten::empty_strided"), copy = run->findName("aten::_to_copy"),
                 clone = run->findName("aten::clone");
    const AllocationId captured(1), first(3), second(4), larger(5), before(6);
    const MemoryTimeline memory = timelineOf(run);
    EXPECT_EQ(memoryOp(memory, captured), copy);
    EXPECT_EQ(memoryOp(memory, first), copy);
    EXPECT_EQ(memoryOp(memory, second), clone);
    EXPECT_EQ(memoryOp(memory, larger), empty) << "no allocation of the capture";
    EXPECT_EQ(memoryOp(memory, before), empty) << "it was made outside the capture";
}

/// Captures whose blocks lie at few addresses, one after another, each for one of three ops, and replays of
/// them. Some blocks outlive their capture: those are not made again.
class ReplayedBlocks {
public:
    struct Block {
        std::uint64_t address;
        std::string caller;
        bool stays = false;
    };
    explicit ReplayedBlocks(std::uint64_t seed) : m_random(seed) {}

    void capture(std::int32_t step) {
        static constexpr const char* kCallers[] = {"aten::_to_copy", "aten::clone", "aten::zeros_like"};
        std::vector<Block> blocks;
        for (int i = 0; i < 24; ++i)
            blocks.push_back({4096 * (1 + m_random() % 3), kCallers[m_random() % std::size(kCallers)],
                              m_random() % 4 == 0});
        capture(step, blocks);
    }
    void capture(std::int32_t step, const std::vector<Block>& blocks) {
        m_plan.clear();
        const std::int64_t begin = m_now;
        std::string ops;
        for (const auto& [address, caller, stays] : blocks) {
            ops += filled("    op % %-% | op aten::empty_strided %-% | alloc 512 %-% address %\n", caller,
                          m_now + 1, m_now + 5, m_now + 2, m_now + 4, m_now + 3,
                          stays ? "" : std::to_string(m_now + 6), address);
            m_now += 6;
            m_expected.push_back(caller);
            if (!stays)
                m_plan.push_back({address, caller});
        }
        m_text +=
            filled("capture %-%\n  in phase forward module blocks.0 step %\n", begin, ++m_now, step) + ops;
    }
    /// `most`: of its blocks, where the run has not come further.
    void replay(std::int32_t step, std::size_t most = SIZE_MAX) {
        m_text += filled("in phase forward module blocks.0 step % op aten::empty_strided\n", step);
        for (std::size_t i = 0; i < std::min(most, m_plan.size()); ++i, m_now += 2) {
            m_text += filled("  alloc 512 %-% address %\n", m_now + 1, m_now + 2, m_plan[i].address);
            m_expected.push_back(m_plan[i].caller);
        }
    }
    /// What is made by no graph.
    void allocateInOp(std::int32_t step) {
        m_text += filled("alloc 256 % step % op aten::mm\n", ++m_now, step);
        m_expected.emplace_back("aten::mm");
    }
    std::shared_ptr<const Snapshot> snapshot() const { return traceOf(m_text + filled("end %", m_now)); }

    /// By allocation.
    const std::vector<std::string>& expected() const { return m_expected; }
    std::size_t planned() const { return m_plan.size(); }

private:
    std::mt19937_64 m_random;
    std::string m_text;
    std::vector<Block> m_plan;
    std::vector<std::string> m_expected;
    std::int64_t m_now = 0;
};

/// In order of time, backwards, and one by one.
void expectOps(const MemoryTimeline& memory, const std::vector<std::string>& expected) {
    const Snapshot& snapshot = *memory.snapshot();
    ASSERT_EQ(snapshot.allocationCount(), expected.size());
    const auto opOf = [&](MemoryOps& ops, std::size_t i) {
        return snapshot.name(ops.of(memory, AllocationId(i), *snapshot.allocation(AllocationId(i))));
    };
    MemoryOps forwards(snapshot), backwards(snapshot);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(opOf(forwards, i), expected[i]) << i;
    for (std::size_t i = expected.size(); i-- > 0;)
        EXPECT_EQ(opOf(backwards, i), expected[i]) << i;
    for (std::size_t i = 0; i < expected.size(); i += 5)
        EXPECT_EQ(snapshot.name(memoryOp(memory, AllocationId(i))), expected[i]) << i;
}

TEST(MemoryOpOfAReplay, AtAnAddressOfSeveralOpsIsByItsTurn) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        ReplayedBlocks blocks(seed);
        std::int32_t step = 2;
        for (int graph = 0; graph < 2; ++graph) {
            blocks.capture(step);  // in the step that is the first to replay it
            for (int i = 0; i < 3; ++i, ++step) {
                blocks.replay(step);
                if (i == 1)
                    blocks.replay(step);  // of two micro-batches, say
                blocks.allocateInOp(step);
            }
        }
        blocks.replay(step, blocks.planned() / 2);  // and no further yet
        const MemoryTimeline memory = timelineOf(blocks.snapshot());
        expectOps(memory, blocks.expected());
    }
}

TEST(MemoryOpOfAReplay, OfWhichEventsAreLostIsRightOrWhatWasNoted) {
    ReplayedBlocks blocks(5);
    blocks.capture(0);
    for (std::int32_t step = 0; step < 9000; ++step)
        blocks.replay(step);
    const auto whole = blocks.snapshot();
    ASSERT_GT(whole->memoryEventCount(), 3 * kChunkRows);
    const MemoryTimeline memory = timelineOf(mountWithDamage(whole, {{}, {1}, {}}).snapshot);
    const Snapshot& snapshot = *memory.snapshot();
    MemoryOps ops(snapshot);
    std::size_t known = 0, unsure = 0;
    for (std::size_t i = 0; i < blocks.expected().size(); ++i) {
        const AllocationId id(i);
        if (!memory.wasAllocated(id))
            continue;
        const std::string_view op = snapshot.name(ops.of(memory, id, *snapshot.allocation(id)));
        if (op == "aten::empty_strided") {
            ++unsure;
            continue;
        }
        ++known;
        ASSERT_EQ(op, blocks.expected()[i]) << i;
    }
    EXPECT_GT(known, kChunkRows / 2) << "on both sides of what is lost";
    EXPECT_LE(unsure, 2 * blocks.planned()) << "in the steps at its ends";
}

TEST(MemoryOpOfAReplay, OfABlockWhoseOtherTurnIsLostIsWhatWasNoted) {
    ReplayedBlocks blocks(6);
    while (blocks.expected().size() + 1 < kChunkRows)
        blocks.allocateInOp(0);
    // The first turn's row is the last of a chunk that is lost, the second's the first of the next.
    blocks.capture(0, {{4096, "aten::clone"}, {4096, "aten::_to_copy"}});
    for (std::int32_t step = 1; step < 4; ++step)
        blocks.replay(step);
    const auto whole = blocks.snapshot();
    MemoryTimeline sound, memory;
    sound.update(whole);
    memory.update(mountWithDamage(whole, {{}, {}, {0}}).snapshot);
    const Snapshot& snapshot = *memory.snapshot();
    MemoryOps ops(snapshot);
    const auto opOf = [&](AllocationId id) {
        return snapshot.name(ops.of(memory, id, *snapshot.allocation(id)));
    };
    EXPECT_EQ(opOf(AllocationId(kChunkRows)), "aten::_to_copy") << "in the capture itself";
    ASSERT_EQ(snapshot.allocationCount(), kChunkRows + 7u);
    for (std::size_t i = kChunkRows + 1; i < snapshot.allocationCount(); ++i) {
        const AllocationId id(i);
        EXPECT_EQ(whole->name(memoryOp(sound, id)), blocks.expected()[i]) << i;
        EXPECT_EQ(opOf(id), "aten::empty_strided") << i;
    }
}

/// Some blocks of its capture serve an aten::_flash_attention_backward first and an aten::_to_copy then.
TEST(MemoryOpOfAReplay, OfTheSampleHasInEveryStepWhatTheCaptureHad) {
    const MemoryTimeline memory = openSample("small-bf16-graph");
    const Snapshot& snapshot = *memory.snapshot();
    const std::vector<TimeRange> captures = captureRanges(snapshot);
    ASSERT_EQ(captures.size(), 1u);
    MemoryOps ops(snapshot);
    std::map<std::int32_t, std::map<std::string_view, int>> replayed;
    for (std::size_t i = 0; i < snapshot.allocationCount(); ++i) {
        const AllocationId id(i);
        const AllocationRow row = *snapshot.allocation(id);
        if (memory.allocatedAt(id) > captures.front().end && onlyAllocates(snapshot.name(row.op)))
            ++replayed[row.step][snapshot.name(ops.of(memory, id, row))];
    }
    ASSERT_EQ(replayed.size(), 3u);
    for (const auto& [step, of] : replayed) {
        EXPECT_EQ(of.at("aten::_to_copy"), 414) << step;
        EXPECT_EQ(of.at("aten::_flash_attention_backward"), 60) << step;
        EXPECT_EQ(of, replayed.begin()->second) << step;
    }
}

}  // namespace warpglass::test::memory_op_replay_test
