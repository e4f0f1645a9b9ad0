// Which op memory counts under: against the stacks that the ops were made from, and in the samples, where
// every query by op must agree.
#include "engine/query/memory/memory_op.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/query/memory/allocation_map.h"
#include "engine/query/memory/memory_between.h"
#include "engine/query/memory/memory_groups.h"
#include "engine/query/memory/memory_tree.h"
#include "engine/query/spans/step_spans.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/findings/sample_timeline.h"

namespace warpglass::test::memory_op_test {

/// Threads that begin and end ops at random and allocate in between; each thread has places of its own.
class RandomOps {
public:
    struct Options {
        std::uint64_t seed = 1;
        std::size_t threads = 2;
        std::size_t depth = 5;
    };
    explicit RandomOps(const Options& options) : m_options(options), m_random(options.seed) {
        for (std::size_t i = 0; i < options.threads; ++i) {
            Thread& thread = m_threads.emplace_back();
            thread.track = m_writer.addTrack(TrackKind::kCpuThread, "thread " + std::to_string(i));
            for (const char* part : {"", ".attn"})
                thread.places.push_back(m_writer.internPlace(
                    {Phase::kForward, m_writer.internName("blocks." + std::to_string(i) + part), NameId()}));
        }
    }

    void act(std::size_t times) {
        for (std::size_t i = 0; i < times; ++i) {
            Thread& thread = m_threads[m_random() % m_threads.size()];
            m_now += 1 + static_cast<std::int64_t>(m_random() % 5);
            const std::uint64_t what = m_random() % 8;
            if (what < 3 && thread.open.size() < m_options.depth)
                begin(thread);
            else if (what < 6 && !thread.open.empty())
                end(thread);
            else if (what >= 6)
                allocate(thread);
        }
    }
    MemoryTimeline timeline() {
        m_writer.commit(Nanoseconds(m_now));
        return timelineOf(m_writer.feed()->latest());
    }
    void finish() { m_writer.endAllSpans(Nanoseconds(++m_now)); }

    /// By allocation.
    const std::vector<std::string>& expected() const { return m_expected; }

private:
    struct Thread {
        TrackId track;
        std::vector<PlaceId> places;
        std::vector<std::pair<std::string, PlaceId>> open;
    };

    void begin(Thread& thread) {
        static constexpr const char* kNames[] = {"aten::zeros_like",   "aten::to",    "aten::_to_copy",
                                                 "aten::empty_like",   "aten::empty", "aten::mm",
                                                 "aten::empty_strided"};
        const char* const name = kNames[m_random() % std::size(kNames)];
        const PlaceId place = thread.places[m_random() % thread.places.size()];
        m_writer.beginSpan(thread.track, Nanoseconds(m_now), m_writer.internName(name), place, 0);
        thread.open.emplace_back(name, place);
    }
    void end(Thread& thread) {
        m_writer.endSpan(thread.track, Nanoseconds(m_now));
        thread.open.pop_back();
    }
    void allocate(const Thread& thread) {
        AllocationRow row{.bytes = 512 * (1 + static_cast<std::int64_t>(m_random() % 9)),
                          .place = thread.places.front()};
        std::string expected;
        if (!thread.open.empty()) {
            row.op = m_writer.internName(thread.open.back().first);
            row.place = thread.open.back().second;
            expected = thread.open.front().first;
            for (const auto& [name, place] : thread.open) {
                if (!name.starts_with("aten::empty"))
                    expected = name;  // the last of these is the nearest
            }
        }
        const AllocationId id = m_writer.appendAllocation(Nanoseconds(m_now), row);
        m_expected.push_back(expected);
        if (id.value % 3 != 0)
            return;
        m_now += 1;
        m_writer.appendFree(Nanoseconds(m_now), id);
    }

    Options m_options;
    std::mt19937_64 m_random;
    TraceWriter m_writer;
    std::vector<Thread> m_threads;
    std::vector<std::string> m_expected;
    std::int64_t m_now = 0;
};

/// What MemoryOps, asked in any order, says of an allocation.
std::string_view opOf(MemoryOps& ops, const MemoryTimeline& memory, std::size_t i) {
    const Snapshot& snapshot = *memory.snapshot();
    return snapshot.name(ops.of(memory, AllocationId(i), *snapshot.allocation(AllocationId(i))));
}

/// In order of time, backwards, at random, and one by one.
void expectOps(const MemoryTimeline& memory, const std::vector<std::string>& expected,
               std::uint64_t seed = 1) {
    const Snapshot& snapshot = *memory.snapshot();
    ASSERT_EQ(snapshot.allocationCount(), expected.size());
    MemoryOps forwards(snapshot), backwards(snapshot), anyhow(snapshot);
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(opOf(forwards, memory, i), expected[i]) << i;
    for (std::size_t i = expected.size(); i-- > 0;)
        ASSERT_EQ(opOf(backwards, memory, i), expected[i]) << i;
    std::mt19937_64 random(seed);
    for (int probe = 0; probe < 3000; ++probe) {
        const std::size_t i = random() % expected.size();
        ASSERT_EQ(opOf(anyhow, memory, i), expected[i]) << i;
    }
    for (std::size_t i = 0; i < expected.size(); i += 1 + expected.size() / 50)
        EXPECT_EQ(snapshot.name(memoryOp(memory, AllocationId(i))), expected[i]) << i;
}

TEST(MemoryOp, IsTheNearestThatDoesMoreThanAllocate) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        RandomOps ops({.seed = seed});
        for (int part = 0; part < 3; ++part) {
            ops.act(2000);
            expectOps(ops.timeline(), ops.expected(), seed);  // some ops are still open
        }
        ops.finish();
        expectOps(ops.timeline(), ops.expected(), seed);
    }
}

/// By every way that asks for conditions: of all, of a few in no order, in the map, between two moments.
void expectTaken(const MemoryTimeline& memory, const AllocationConditions& conditions,
                 const std::vector<AllocationId>& expected) {
    const Snapshot& snapshot = *memory.snapshot();
    const std::vector<AllocationId> all = allocationsOf(snapshot);
    std::vector<AllocationId> few, fewExpected;
    EXPECT_EQ(filterAllocations(memory, all, conditions), expected);
    for (std::size_t i = all.size(); i >= 7; i -= 7) {
        few.push_back(all[i - 1]);
        if (std::ranges::find(expected, few.back()) != expected.end())
            fewExpected.push_back(few.back());
    }
    EXPECT_EQ(filterAllocations(memory, few, conditions), fewExpected);
    const AllocationMap map(memory, conditions);
    ASSERT_EQ(map.size(), expected.size());
    for (std::size_t row = 0; row < map.size(); ++row)
        EXPECT_EQ(map.id(row), expected[row]);
    const TimeRange run{Nanoseconds(0), snapshot.range().end + Nanoseconds(1)};
    const MemoryBetween between = memoryBetween(memory, run, BreakdownKey::kOp, conditions);
    EXPECT_EQ(between.total.allocated.allocations, std::ssize(expected));
    EXPECT_EQ(between.rows.size() == 1, !conditions.made.name.empty());
}

TEST(MemoryOp, AFilterTakesWhatCountsUnderItsOpOrHasItsText) {
    RandomOps ops({.seed = 4});
    ops.act(4000);
    ops.finish();
    const MemoryTimeline memory = ops.timeline();
    const Snapshot& snapshot = *memory.snapshot();
    const auto expected = [&](auto&& passes) {
        std::vector<AllocationId> ids;
        for (std::size_t i = 0; i < ops.expected().size(); ++i) {
            const AllocationRow row = *snapshot.allocation(AllocationId(i));
            if (passes(ops.expected()[i], snapshot.name(snapshot.place(row.place).module)))
                ids.emplace_back(i);
        }
        EXPECT_GT(ids.size(), 2u);
        EXPECT_LT(ids.size(), ops.expected().size());
        return ids;
    };
    for (const std::string name : {"aten::zeros_like", "aten::mm", "aten::empty"}) {
        AllocationConditions conditions;
        conditions.made.name = name;
        expectTaken(memory, conditions, expected([&](std::string_view op, auto) { return op == name; }));
        conditions.made.modulePath = "blocks.1";
        expectTaken(memory, conditions, expected([&](std::string_view op, std::string_view module) {
                        return op == name && module.starts_with("blocks.1");
                    }));
    }
    for (const std::string text : {"to", "empty"}) {
        AllocationConditions conditions;
        conditions.text = text;
        expectTaken(memory, conditions, expected([&](std::string_view op, auto) {
                        return op.find(text) != std::string_view::npos;
                    }));
    }
}

TEST(MemoryOp, IsFoundAmongSeveralChunksOfOps) {
    RandomOps ops({.seed = 9, .threads = 1, .depth = 2});
    ops.act(800'000);
    ops.finish();
    const MemoryTimeline memory = ops.timeline();
    std::size_t chunks = 0;
    for (std::size_t i = 0; i < memory.snapshot()->laneCount(); ++i)
        chunks = std::max(chunks, memory.snapshot()->lane(LaneId(i)).chunkCount());
    ASSERT_GT(chunks, 1u);
    expectOps(memory, ops.expected(), 9);
}

TEST(MemoryOp, KnowsWhatOnlyAllocates) {
    for (const char* op : {"aten::empty", "aten::empty_strided", "aten::empty_like", "aten::resize_"})
        EXPECT_TRUE(onlyAllocates(op)) << op;
    for (const char* op : {"aten::zeros", "aten::clone", "aten::emptyish", "empty", ""})
        EXPECT_FALSE(onlyAllocates(op)) << op;
}

/// Everything by op of a moment: of the breakdown, the tree and the filter the same.
void expectAgreement(const MemoryTimeline& memory, Nanoseconds t) {
    const Snapshot& snapshot = *memory.snapshot();
    const std::vector<AllocationId> alive = memory.aliveAt(t);
    std::map<std::string, std::int64_t> rows, nodes, details;
    for (const BreakdownRow& row : breakdownAt(memory, t, BreakdownKey::kOp))
        rows[row.name] = row.bytes.value;
    for (const MemoryTreeNode& node :
         memoryTreeAt(memory, t, {BreakdownKey::kOp, BreakdownKey::kModule}).children)
        nodes[node.name] = node.bytes.value;
    for (const AllocationDetail& detail : largestAllocations(memory, alive, alive.size()))
        details[detail.op.empty() ? "(outside any op)" : detail.op] += detail.row.bytes;
    EXPECT_EQ(rows, nodes);
    EXPECT_EQ(rows, details);
    for (const auto& [name, bytes] : rows) {
        if (name.starts_with('('))
            continue;
        AllocationConditions of;
        of.made.name = name;
        std::int64_t passing = 0;
        for (const AllocationId id : filterAllocations(memory, alive, of))
            passing += snapshot.allocation(id)->bytes;
        EXPECT_EQ(passing, bytes) << name;
    }
}

TEST(MemoryOp, OfTheSamplesLeavesToAllocatingOpsWhatNoOtherAskedFor) {
    std::size_t foundZeroed = 0;
    for (const char* name : {"small-bf16-naive", "small-bf16-graph", "large-fp32-out-of-memory"}) {
        SCOPED_TRACE(name);
        const MemoryTimeline memory = openSample(name);
        const Snapshot& snapshot = *memory.snapshot();
        const Nanoseconds peak = memory.peak()->time;
        expectAgreement(memory, peak);
        expectAgreement(memory, snapshot.range().end - Nanoseconds(snapshot.range().end.value / 5));
        MemoryOps ops(snapshot);
        std::size_t changed = 0;
        for (std::size_t i = 0; i < snapshot.allocationCount(); ++i) {
            const AllocationRow row = *snapshot.allocation(AllocationId(i));
            const NameId op = ops.of(memory, AllocationId(i), row);
            changed += op != row.op ? 1 : 0;
            // Parameters and tables are made outside the steps, before any input is.
            if (onlyAllocates(snapshot.name(op))) {
                ASSERT_EQ(snapshot.name(op), "aten::empty");
                ASSERT_LT(row.step, 0) << i;
            }
        }
        EXPECT_GT(10 * changed, snapshot.allocationCount());
        AllocationConditions zeroed;
        zeroed.text = "zeros_like";  // in no other name
        std::vector<AllocationId> expected = allocationsOf(snapshot);
        std::erase_if(expected,
                      [&](AllocationId id) { return opOf(ops, memory, id.index()) != "aten::zeros_like"; });
        EXPECT_EQ(filterAllocations(memory, allocationsOf(snapshot), zeroed), expected);
        foundZeroed += expected.size();
    }
    EXPECT_GT(foundZeroed, 0u);
}

TEST(MemoryOp, TheCurveByOpHasThemAtThePeak) {
    const MemoryTimeline memory = openSample("small-bf16-graph");
    const MemoryPoint peak = *memory.peak();
    const MemoryGroups groups(memory, MemoryGrouping::kOp);
    MemoryGroups::Cursor cursor(groups, memory);
    const auto bytes = cursor.after(memory.firstEventAfter(peak.time));
    const std::vector<BreakdownRow> rows = breakdownAt(memory, peak.time, BreakdownKey::kOp);
    ASSERT_GT(groups.names().size(), 3u);
    for (std::size_t i = 0; i + 1 < groups.names().size(); ++i) {
        const auto row = std::ranges::find_if(
            rows, [&](const BreakdownRow& candidate) { return candidate.name == groups.names()[i]; });
        ASSERT_NE(row, rows.end()) << groups.names()[i];
        EXPECT_EQ(bytes[i], row->bytes.value) << row->name;
    }
}

TEST(MemoryOp, BetweenTwoMomentsIsTheSame) {
    const MemoryTimeline memory = openSample("small-bf16-naive");
    const Snapshot& snapshot = *memory.snapshot();
    const std::int64_t end = snapshot.range().end.value;
    const TimeRange range{Nanoseconds(end / 4), Nanoseconds(end * 3 / 4)};
    std::map<std::string, std::int64_t> allocated;
    for (std::size_t i = 0; i < snapshot.allocationCount(); ++i) {
        const AllocationDetail detail = describeAllocation(memory, AllocationId(i));
        if (range.contains(detail.allocated))
            allocated[detail.op] += detail.row.bytes;
    }
    ASSERT_GT(allocated.size(), 5u);
    for (const MemoryBetweenRow& row : memoryBetween(memory, range, BreakdownKey::kOp).rows) {
        if (row.name.starts_with('('))
            continue;
        EXPECT_EQ(row.allocated.bytes.value, allocated[row.name]) << row.name;
    }
}

// Which op the memory of a graph's replays counts under: that of its capture, in the capture's order.

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
        const std::string_view op = opOf(ops, memory, i);
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
    EXPECT_EQ(opOf(ops, memory, kChunkRows), "aten::_to_copy") << "in the capture itself";
    ASSERT_EQ(snapshot.allocationCount(), kChunkRows + 7u);
    for (std::size_t i = kChunkRows + 1; i < snapshot.allocationCount(); ++i) {
        EXPECT_EQ(whole->name(memoryOp(sound, AllocationId(i))), blocks.expected()[i]) << i;
        EXPECT_EQ(opOf(ops, memory, i), "aten::empty_strided") << i;
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

}  // namespace warpglass::test::memory_op_test
