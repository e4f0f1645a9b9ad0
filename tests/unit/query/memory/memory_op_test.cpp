// Which op memory counts under: against the stacks that the ops were made from, and in the samples, where
// every query by op must agree.
#include "engine/query/memory/memory_op.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "engine/query/memory/allocation_map.h"
#include "engine/query/memory/memory_between.h"
#include "engine/query/memory/memory_groups.h"
#include "engine/query/memory/memory_tree.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/timeline_of.h"
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

void expectOps(const MemoryTimeline& memory, const std::vector<std::string>& expected, std::uint64_t seed) {
    const Snapshot& snapshot = *memory.snapshot();
    ASSERT_EQ(snapshot.allocationCount(), expected.size());
    const auto opOf = [&](MemoryOps& ops, std::size_t i) {
        const AllocationId id(i);
        return snapshot.name(ops.of(memory, id, *snapshot.allocation(id)));
    };
    MemoryOps inOrder(snapshot), anyhow(snapshot);
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(opOf(inOrder, i), expected[i]) << i;
    std::mt19937_64 random(seed);
    for (int probe = 0; probe < 3000; ++probe) {
        const std::size_t i = random() % expected.size();
        ASSERT_EQ(opOf(anyhow, i), expected[i]) << i;
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
    std::vector<AllocationId> all, few, fewExpected;
    for (std::size_t i = 0; i < snapshot.allocationCount(); ++i)
        all.emplace_back(i);
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
        std::vector<AllocationId> all, expected;
        for (std::size_t i = 0; i < snapshot.allocationCount(); ++i) {
            all.emplace_back(i);
            const AllocationRow row = *snapshot.allocation(all.back());
            if (snapshot.name(ops.of(memory, all.back(), row)) == "aten::zeros_like")
                expected.push_back(all.back());
        }
        EXPECT_EQ(filterAllocations(memory, all, zeroed), expected);
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

}  // namespace warpglass::test::memory_op_test
