#include "engine/query/memory/memory_segments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/allocator_model.h"
#include "tests/unit/query/damaged_snapshot.h"

namespace warpglass::test {
namespace memory_segments_test {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// Everything that `state` says, against the truth replayed from zero.
void expectState(const SegmentState& state, const AllocatorModel::Truth& truth) {
    ASSERT_EQ(state.segments.size(), truth.segments.size());
    EXPECT_EQ(state.outside.value, 0);
    auto expected = truth.segments.begin();
    std::int64_t reserved = 0, allocated = 0, pending = 0, free = 0, largest = 0;
    std::size_t blocks = 0;
    for (const MemorySegment& segment : state.segments) {
        ASSERT_EQ(segment.address, expected->first);
        ASSERT_EQ(
            (AllocatorModel::LoggedSegment{segment.bytes, segment.stream, segment.large, segment.expandable}),
            expected->second);
        reserved += segment.bytes;
        std::uint64_t at = segment.address;
        BlockState before = BlockState::kAllocated;
        for (const MemoryBlock& block : segment.blocks) {
            ASSERT_EQ(block.address, at) << "blocks and gaps follow one another";
            at += static_cast<std::uint64_t>(block.bytes);
            if (block.state == BlockState::kFree) {
                ASSERT_NE(before, BlockState::kFree) << "two gaps are one";
                free += block.bytes;
                largest = std::max(largest, block.bytes);
            } else {
                const auto found = truth.blocks.find(block.address);
                ASSERT_NE(found, truth.blocks.end());
                ASSERT_EQ(
                    (AllocatorModel::LoggedBlock{block.address, block.bytes,
                                                 block.state == BlockState::kPending, block.allocation}),
                    found->second);
                (block.state == BlockState::kPending ? pending : allocated) += block.bytes;
                ++blocks;
            }
            before = block.state;
        }
        ASSERT_EQ(at, segment.address + static_cast<std::uint64_t>(segment.bytes));
        ++expected;
    }
    EXPECT_EQ(blocks, truth.blocks.size());
    EXPECT_EQ(state.totals.reserved.value, reserved);
    EXPECT_EQ(state.totals.allocated.value, allocated);
    EXPECT_EQ(state.totals.pending.value, pending);
    EXPECT_EQ(state.totals.earlier.value, 0);
    EXPECT_EQ(state.totals.free.value, free);
    EXPECT_EQ(state.totals.largestFree.value, largest);
    EXPECT_EQ(state.totals.blocks, static_cast<std::int64_t>(blocks));
}

TEST(MemorySegments, AgreesWithAReplayFromZeroAtAnyMomentAndWhileARunGrows) {
    std::size_t pendings = 0, expandables = 0;
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        TraceWriter writer;
        AllocatorModel model(writer, seed);
        MemorySegments segments;
        MemoryTimeline memory;
        for (int burst = 0; burst < 6; ++burst) {
            model.append(burst == 3 ? 9000 : 400);
            const auto snapshot = model.commit();
            segments.update(snapshot);
            memory.update(snapshot);
            ASSERT_EQ(segments.eventCount(), snapshot->segmentEventCount());
            for (int probe = 0; probe < 25; ++probe) {
                const auto t = static_cast<std::int64_t>(
                    probe == 0 ? 0 : model.random(static_cast<std::uint64_t>(model.endTime()) + 10));
                const SegmentState state = segments.at(memory, Nanoseconds(t));
                const AllocatorModel::Truth truth = model.at(t);
                expectState(state, truth);
                EXPECT_EQ(segments.reservedAt(Nanoseconds(t)), state.totals.reserved);
                EXPECT_LE(state.totals.reserved, segments.peakReserved());
                EXPECT_EQ(state.totals.allocated.value, sumOf(memory.at(Nanoseconds(t))));
                pendings += state.totals.pending.value > 0 ? 1 : 0;
                for (const MemorySegment& segment : state.segments)
                    expandables += segment.expandable ? 1 : 0;
            }
        }
    }
    EXPECT_GT(pendings, 50u);
    EXPECT_GT(expandables, 50u);
}

TEST(MemorySegments, ManySegmentEventsAreNotReplayedFromTheStart) {
    // Several lists apart, each of which must give what a replay from zero gives.
    TraceWriter writer;
    AllocatorModel model(writer, 9);
    model.append(60000, 60);
    const auto snapshot = model.commit();
    ASSERT_GT(snapshot->segmentEventCount(), 3u * 1024);
    MemorySegments segments;
    MemoryTimeline memory;
    segments.update(snapshot);
    memory.update(snapshot);
    for (int probe = 0; probe < 40; ++probe) {
        const std::int64_t t = model.endTime() * probe / 39;
        expectState(segments.at(memory, Nanoseconds(t)), model.at(t));
    }
}

class ByHand : public testing::Test {
protected:
    void event(SegmentAction action, std::uint64_t address, std::int64_t bytes,
               AllocationId allocation = {}) {
        SegmentEvent e;
        e.time = m_time += 10;
        e.action = action;
        e.address = address;
        e.bytes = bytes;
        e.allocation = allocation;
        m_writer.appendSegmentEvent(e);
    }
    AllocationId allocate(std::uint64_t address, std::int64_t bytes) {
        AllocationRow row;
        row.address = address;
        row.bytes = row.requested = bytes;
        return m_writer.appendAllocation(Nanoseconds(m_time += 10), row);
    }
    void free(AllocationId id) { m_writer.appendFree(Nanoseconds(m_time += 10), id); }
    SegmentState now() {
        m_writer.settle();
        m_writer.commit(Nanoseconds(m_time));
        m_segments.update(m_writer.feed()->latest());
        m_memory.update(m_writer.feed()->latest());
        return m_segments.at(m_memory, Nanoseconds(m_time));
    }

    TraceWriter m_writer;
    MemorySegments m_segments;
    MemoryTimeline m_memory;
    std::int64_t m_time = 0;
};

TEST_F(ByHand, FragmentationIsTheShareOfFreeBytesOutsideTheLargestGap) {
    event(SegmentAction::kAllocate, 0x1000000, 20 * kMiB);
    const SegmentTotals whole = now().totals;
    EXPECT_EQ(whole.fragmentation(), 0);
    EXPECT_EQ(whole.freeShare(), 1);
    EXPECT_EQ(whole.gaps, 1);
    // Gaps of 4, 8 and 4 MiB.
    allocate(0x1000000 + 4 * static_cast<std::uint64_t>(kMiB), 2 * kMiB);
    allocate(0x1000000 + 14 * static_cast<std::uint64_t>(kMiB), 2 * kMiB);
    const SegmentTotals cut = now().totals;
    EXPECT_EQ(cut.free.value, 16 * kMiB);
    EXPECT_EQ(cut.largestFree.value, 8 * kMiB);
    EXPECT_EQ(cut.fragmentation(), 0.5);
    EXPECT_EQ(cut.freeShare(), 0.8);
    EXPECT_EQ(cut.gaps, 3);
    EXPECT_EQ(SegmentTotals().fragmentation(), 0);
    EXPECT_EQ(SegmentTotals().freeShare(), 0);
}

TEST_F(ByHand, AFreedBlockThatIsStillInUseIsActiveAndNotFree) {
    event(SegmentAction::kAllocate, 0x1000000, 2 * kMiB);
    const AllocationId id = allocate(0x1000000, kMiB);
    free(id);
    event(SegmentAction::kHold, 0x1000000, kMiB, id);
    const SegmentTotals held = now().totals;
    EXPECT_EQ(held.allocated.value, 0);
    EXPECT_EQ(held.pending.value, kMiB);
    EXPECT_EQ(held.active().value, kMiB);
    EXPECT_EQ(held.free.value, kMiB);
    event(SegmentAction::kRelease, 0x1000000, kMiB, id);
    EXPECT_EQ(now().totals.free.value, 2 * kMiB);
}

TEST_F(ByHand, BlocksFromBeforeTheRecordingAreNoRoom) {
    event(SegmentAction::kAllocate, 0x1000000, 2 * kMiB);
    event(SegmentAction::kHold, 0x1000000, kMiB);
    const SegmentState state = now();
    EXPECT_EQ(state.totals.earlier.value, kMiB);
    EXPECT_EQ(state.totals.free.value, kMiB);
    EXPECT_FALSE(state.segments[0].large);
}

TEST_F(ByHand, AnExpandableSegmentIsUnmappedAnywhere) {
    const std::uint64_t base = 0x1000000;
    const auto piece = static_cast<std::uint64_t>(2 * kMiB);
    for (std::uint64_t i = 0; i < 4; ++i)
        event(SegmentAction::kMap, base + i * piece, 2 * kMiB);
    ASSERT_EQ(now().segments.size(), 1u);
    EXPECT_EQ(now().segments[0].bytes, 8 * kMiB);
    EXPECT_FALSE(now().segments[0].large);
    EXPECT_EQ(now().segments[0].since.value, 10);
    event(SegmentAction::kUnmap, base + piece, 2 * kMiB);
    ASSERT_EQ(now().segments.size(), 2u);
    EXPECT_EQ(now().segments[0].bytes, 2 * kMiB);
    EXPECT_EQ(now().segments[1].address, base + 2 * piece);
    event(SegmentAction::kMap, base + piece, 2 * kMiB);
    EXPECT_EQ(now().segments.size(), 1u);
    EXPECT_EQ(now().totals.reserved.value, 8 * kMiB);
    event(SegmentAction::kOutOfMemory, 12345, 99 * kMiB);
    EXPECT_EQ(now().totals.reserved.value, 8 * kMiB) << "a request that failed takes nothing";
}

TEST_F(ByHand, WhatOverlapsCountsOnce) {
    event(SegmentAction::kAllocate, 0x1000000, 2 * kMiB);
    event(SegmentAction::kAllocate, 0x1000000 + static_cast<std::uint64_t>(kMiB), 2 * kMiB);
    allocate(0x1000000, 3 * kMiB);   // beyond its segment
    allocate(0x1000000 + 512, 512);  // within the one before
    allocate(0x900, 512);            // in none
    const SegmentState state = now();
    EXPECT_EQ(state.totals.reserved.value, 3 * kMiB);
    EXPECT_EQ(state.totals.allocated.value, kMiB);
    EXPECT_EQ(state.outside.value, 512);
    EXPECT_EQ(state.totals.allocated + state.totals.free, state.totals.reserved);
}

TEST(MemorySegments, AnotherRunStartsOver) {
    MemorySegments segments;
    segments.update(makeAllocatorRun(2000, 1));
    const auto other = makeAllocatorRun(3000, 2);
    segments.update(other);
    EXPECT_EQ(segments.eventCount(), other->segmentEventCount());
    segments.update(nullptr);
    EXPECT_EQ(segments.eventCount(), 0u);
    EXPECT_TRUE(segments.at(MemoryTimeline(), Nanoseconds(5)).segments.empty());
}

TEST(MemorySegments, NonsenseIsReadWithoutCountingAByteTwice) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        const auto snapshot = mountScrambled(makeAllocatorRun(20000, seed), seed);
        MemorySegments segments;
        MemoryTimeline memory;
        segments.update(snapshot);
        memory.update(snapshot);
        ASSERT_GT(segments.eventCount(), 100u);
        for (int probe = 0; probe < 20; ++probe) {
            const Nanoseconds t(snapshot->range().end.value * probe / 19);
            const SegmentState state = segments.at(memory, t);
            std::uint64_t end = 0;
            for (const MemorySegment& segment : state.segments) {
                ASSERT_GE(segment.address, end);
                end = segment.address + static_cast<std::uint64_t>(segment.bytes);
                std::uint64_t at = segment.address;
                for (const MemoryBlock& block : segment.blocks) {
                    ASSERT_EQ(block.address, at);
                    ASSERT_GT(block.bytes, 0);
                    at += static_cast<std::uint64_t>(block.bytes);
                }
                ASSERT_EQ(at, end);
            }
            EXPECT_EQ(state.totals.active() + state.totals.free, state.totals.reserved);
        }
    }
}

}  // namespace memory_segments_test
}  // namespace warpglass::test
