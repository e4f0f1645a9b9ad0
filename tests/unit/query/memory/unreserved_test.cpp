// What was not reserved when: against a replay of every segment event from zero.
#include "engine/query/memory/unreserved.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/allocator_model.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/damaged_snapshot.h"

namespace warpglass::test::unreserved_test {

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

}  // namespace warpglass::test::unreserved_test
