#include "engine/query/memory/memory_segments.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/query/memory/free_memory.h"
#include "engine/query/memory/reserved_curve.h"
#include "engine/query/memory/unreserved.h"
#include "tests/support/allocator_model.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"

namespace warpglass::test::memory_segments_test {

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

/// A run that grows by texts, and what is reserved after each.
struct ByHand : testing::Test {
    SegmentState after(std::string_view text) {
        const auto snapshot = m_run.add(text);
        m_segments.update(snapshot);
        m_memory.update(snapshot);
        return m_segments.at(m_memory, Nanoseconds(1000));
    }

    TraceText m_run;
    MemorySegments m_segments;
    MemoryTimeline m_memory;
};

TEST_F(ByHand, FragmentationIsTheShareOfFreeBytesOutsideTheLargestGap) {
    const SegmentTotals whole = after("segment alloc 20MiB 10 address 16MiB").totals;
    EXPECT_EQ(whole.fragmentation(), 0);
    EXPECT_EQ(whole.freeShare(), 1);
    EXPECT_EQ(whole.gaps, 1);
    // Gaps of 4, 8 and 4 MiB.
    const SegmentTotals cut = after("alloc 2MiB 20 address 20MiB ; alloc 2MiB 30 address 30MiB").totals;
    EXPECT_EQ(cut.free.value, 16 * kMiB);
    EXPECT_EQ(cut.largestFree.value, 8 * kMiB);
    EXPECT_EQ(cut.fragmentation(), 0.5);
    EXPECT_EQ(cut.freeShare(), 0.8);
    EXPECT_EQ(cut.gaps, 3);
    EXPECT_EQ(SegmentTotals().fragmentation(), 0);
    EXPECT_EQ(SegmentTotals().freeShare(), 0);
}

TEST_F(ByHand, WhatIsFreeIsAWholeSegmentOrAHoleBesideWhatIsInUse) {
    // Holes of 4, 5, 3 and 0 MiB: before the weights, between them, and between weights and activations.
    const SegmentState state = after(R"(
        segment alloc 20MiB 10 address 16MiB ; segment alloc 2MiB 20 address 144MiB
        alloc 2MiB 30 weights address 20MiB ; alloc 2MiB 40 weights address 27MiB
        alloc 2MiB 50 activations address 32MiB ; alloc 2MiB 60 activations address 34MiB
    )");
    const FreePlaces places = freeMemory(state, m_memory).places;
    EXPECT_EQ(places.whole, 1);
    EXPECT_EQ(places.wholeBytes.value, 2 * kMiB);
    EXPECT_EQ(places.holes, 3);
    EXPECT_EQ(places.holeBytes.value, 12 * kMiB);
    EXPECT_EQ(places.largestHole.value, 5 * kMiB);
    EXPECT_EQ(state.totals.free, places.wholeBytes + places.holeBytes);
}

TEST_F(ByHand, AFreedBlockThatIsStillInUseIsActiveAndNotFree) {
    const SegmentTotals held = after(R"(
        segment alloc 2MiB 10 address 16MiB
        alloc 1MiB 20-30 address 16MiB
        segment hold 1MiB 40 address 16MiB allocation 0
    )")
                                   .totals;
    EXPECT_EQ(held.allocated.value, 0);
    EXPECT_EQ(held.pending.value, kMiB);
    EXPECT_EQ(held.active().value, kMiB);
    EXPECT_EQ(held.free.value, kMiB);
    EXPECT_EQ(after("segment release 1MiB 50 address 16MiB allocation 0").totals.free.value, 2 * kMiB);
}

TEST_F(ByHand, BlocksFromBeforeTheRecordingAreNoRoom) {
    const SegmentState state =
        after("segment alloc 2MiB 10 address 16MiB ; segment hold 1MiB 20 address 16MiB");
    EXPECT_EQ(state.totals.earlier.value, kMiB);
    EXPECT_EQ(state.totals.free.value, kMiB);
    EXPECT_FALSE(state.segments[0].large);
}

TEST_F(ByHand, AnExpandableSegmentIsUnmappedAnywhere) {
    const SegmentState whole = after(R"(
        segment map 2MiB 10 address 16MiB ; segment map 2MiB 20 address 18MiB
        segment map 2MiB 30 address 20MiB ; segment map 2MiB 40 address 22MiB
    )");
    ASSERT_EQ(whole.segments.size(), 1u);
    EXPECT_EQ(whole.segments[0].bytes, 8 * kMiB);
    EXPECT_FALSE(whole.segments[0].large);
    EXPECT_EQ(whole.segments[0].since.value, 10);
    const SegmentState cut = after("segment unmap 2MiB 50 address 18MiB");
    ASSERT_EQ(cut.segments.size(), 2u);
    EXPECT_EQ(cut.segments[0].bytes, 2 * kMiB);
    EXPECT_EQ(cut.segments[1].address, static_cast<std::uint64_t>(20 * kMiB));
    const SegmentState again = after("segment map 2MiB 60 address 18MiB");
    EXPECT_EQ(again.segments.size(), 1u);
    EXPECT_EQ(again.totals.reserved.value, 8 * kMiB);
    EXPECT_EQ(after("segment \"out of memory\" 99MiB 70 address 12345").totals.reserved.value, 8 * kMiB)
        << "a request that failed takes nothing";
}

TEST_F(ByHand, WhatOverlapsCountsOnce) {
    const SegmentState state = after(R"(
        segment alloc 2MiB 10 address 16MiB ; segment alloc 2MiB 20 address 17MiB
        alloc 3MiB 30 address 16MiB    # beyond its segment
        alloc 512 40 address 16777728  # within the one before
        alloc 512 50 address 2304      # in none
    )");
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

struct Sample {
    std::int64_t time;
    std::int64_t bytes;
};

std::int64_t naiveAt(const std::vector<Sample>& samples, std::int64_t t) {
    std::int64_t bytes = 0;
    for (const Sample& sample : samples)
        bytes = sample.time <= t ? sample.bytes : bytes;
    return bytes;
}

TEST(ReservedCurve, AgreesWithEverySampleWhileARunGrows) {
    TraceText run;
    std::vector<Sample> samples;
    ReservedCurve curve;
    std::uint64_t random = 3;
    std::int64_t time = 50;
    for (int burst = 0; burst < 5; ++burst) {
        std::string text;
        for (int i = 0; i < 60; ++i) {
            time += static_cast<std::int64_t>(nextRandom(random) % 40);
            const auto bytes = static_cast<std::int64_t>(nextRandom(random) % 1000000);
            text += filled("counter loss 1e9 % ; counter \"memory reserved\" % %\n", time, bytes, time);
            samples.push_back({time, bytes});
        }
        curve.update(run.add(text + filled("end %", time)));
        std::int64_t peak = 0;
        for (const Sample& sample : samples)
            peak = std::max(peak, sample.bytes);
        EXPECT_EQ(curve.peak().value, peak);
        for (std::int64_t t = 0; t < time + 20; t += 7)
            ASSERT_EQ(curve.at(Nanoseconds(t)).value, naiveAt(samples, t));
        for (const std::int64_t begin : {std::int64_t{0}, time / 3, time}) {
            const std::int64_t duration = time - begin + 13;
            for (const std::int64_t width : {1, 10, 97}) {
                const auto columns = curve.columns({Nanoseconds(begin), Nanoseconds(begin + duration)},
                                                   static_cast<std::size_t>(width));
                ASSERT_EQ(columns.size(), static_cast<std::size_t>(width));
                for (std::int64_t i = 0; i < width; ++i) {
                    const std::int64_t from = begin + duration * i / width;
                    const std::int64_t to = begin + duration * (i + 1) / width;
                    std::int64_t highest = naiveAt(samples, from - 1);
                    for (std::int64_t t = from; t < to; ++t) {
                        for (const Sample& sample : samples)
                            highest = sample.time == t ? std::max(highest, sample.bytes) : highest;
                    }
                    ASSERT_EQ(columns[static_cast<std::size_t>(i)], highest) << i << " of " << width;
                }
            }
        }
    }
}

TEST(ReservedCurve, IsEmptyWithoutTheCounterAndPassesOverNonsense) {
    ReservedCurve curve;
    curve.update(makeSyntheticRun());
    EXPECT_TRUE(curve.empty());
    EXPECT_TRUE(curve.columns({Nanoseconds(0), Nanoseconds(10)}, 5).empty());
    curve.update(traceOf(R"(
        counter "memory reserved" nan 5 ; counter "memory reserved" -1 5
        counter "memory reserved" 1e300 5 ; counter "memory reserved" 7 5
        counter "memory reserved" 9 3  # out of order
    )"));
    EXPECT_EQ(curve.peak().value, 9);
    EXPECT_EQ(curve.at(Nanoseconds(4)).value, 0);
    EXPECT_EQ(curve.at(Nanoseconds(5)).value, 9);
    curve.update(nullptr);
    EXPECT_TRUE(curve.empty());
}

// What was not reserved when: against a replay of every segment event from zero.

bool covers(const std::vector<UnreservedStretch>& gaps, std::int64_t place, std::int64_t t) {
    return std::ranges::any_of(gaps, [&](const UnreservedStretch& gap) {
        return gap.from <= place && place < gap.to && gap.begin <= t && t < gap.end;
    });
}

bool reserves(const AllocatorModel::Truth& truth, std::uint64_t address) {
    auto segment = truth.segments.upper_bound(address);
    if (segment == truth.segments.begin())
        return false;
    --segment;
    return address < segment->first + static_cast<std::uint64_t>(segment->second.bytes);
}

TEST(Unreserved, AgreesWithAReplayFromZeroAnywhereAndAtAnyMoment) {
    int reserved = 0, unreserved = 0;
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        TraceWriter writer;
        AllocatorModel model(writer, seed);
        model.append(6000);
        const auto snapshot = model.commit();
        const AllocationMap map(timelineOf(snapshot));
        const std::vector<UnreservedStretch> gaps = unreservedStretches(*snapshot, map);
        for (int probe = 0; probe < 200; ++probe) {
            const auto t = snapshot->range().begin.value +
                           static_cast<std::int64_t>(
                               model.random(static_cast<std::uint64_t>(snapshot->range().duration().value)));
            const AllocatorModel::Truth truth = model.at(t);
            for (int at = 0; at < 20; ++at) {
                const auto place =
                    static_cast<std::int64_t>(model.random(static_cast<std::uint64_t>(map.placeEnd())));
                const bool is = reserves(truth, map.addressAt(place));
                ASSERT_EQ(covers(gaps, place, t), !is) << "place " << place << " at " << t;
                (is ? reserved : unreserved) += 1;
            }
        }
    }
    EXPECT_GT(reserved, 500);
    EXPECT_GT(unreserved, 500);
}

TEST(Unreserved, IsInOrderAndNeverTwiceOverTheSame) {
    const auto snapshot = makeAllocatorRun(6000, 4);
    const std::vector<UnreservedStretch> gaps =
        unreservedStretches(*snapshot, AllocationMap(timelineOf(snapshot)));
    ASSERT_GT(gaps.size(), 5u);
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        EXPECT_LT(gaps[i].from, gaps[i].to);
        EXPECT_LT(gaps[i].begin, gaps[i].end);
        for (std::size_t k = 0; k < i; ++k) {
            const bool apart = gaps[k].to <= gaps[i].from || gaps[i].to <= gaps[k].from ||
                               gaps[k].end <= gaps[i].begin || gaps[i].end <= gaps[k].begin;
            ASSERT_TRUE(apart) << k << " and " << i;
        }
    }
}

TEST(Unreserved, IsUnknownWithoutSegments) {
    const auto snapshot = makeSyntheticRun();
    ASSERT_EQ(snapshot->segmentEventCount(), 0u);
    EXPECT_TRUE(unreservedStretches(*snapshot, AllocationMap(timelineOf(snapshot))).empty());
}

TEST(Unreserved, HostileSegmentsDoNoHarm) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const auto snapshot = mountScrambled(makeAllocatorRun(4000, seed), seed);
        const AllocationMap map(timelineOf(snapshot));
        for (const UnreservedStretch& gap : unreservedStretches(*snapshot, map)) {
            EXPECT_LT(gap.from, gap.to);
            EXPECT_LE(gap.to, map.placeEnd());
        }
    }
}

}  // namespace warpglass::test::memory_segments_test
