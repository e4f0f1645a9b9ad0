// A run file may hold any nonsense: no query may read beyond a table for it (run under the sanitizers).
#include <gtest/gtest.h>

#include "engine/query/activity/activity_curve.h"
#include "engine/query/activity/range_activity.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/compare/kernel_match.h"
#include "engine/query/links/link_index.h"
#include "engine/query/links/span_links.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/statistics/flame.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/statistics/span_search.h"
#include "engine/query/statistics/statistics.h"
#include "engine/query/statistics/step_table.h"
#include "engine/query/summary/run_summary.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/gpu_run_by_chance.h"
#include "tests/unit/query/memory_model.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::hostile_run_test {

TEST(HostileRun, isQueriedWithoutReadingBeyondAnyTable) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        const RandomRun run({.seed = seed});
        const auto snapshot = mountScrambled(run.snapshot(), seed);
        for (const SpanFilter& filter : variedFilters(*snapshot)) {
            std::int64_t instances = 0;
            for (const StatisticsRow& row : opStatistics(*snapshot, filter)) {
                EXPECT_LE(row.min, row.max);
                EXPECT_LE(static_cast<double>(row.min.value), row.median);
                EXPECT_LE(row.median, static_cast<double>(row.max.value));
                instances += row.instances;
            }
            EXPECT_LE(instances, static_cast<std::int64_t>(snapshot->spanCount()));
            rangeStatistics(*snapshot, filter);
        }
        phaseStatistics(*snapshot);
        for (const SpanGrouping grouping :
             {SpanGrouping::kFlat, SpanGrouping::kModule, SpanGrouping::kPhase}) {
            for (const TrackKind kind : {TrackKind::kCpuThread, TrackKind::kGpuStream}) {
                statisticsTree(groupedStatistics(*snapshot, {}, kind, grouping), grouping);
                durationDistribution(*snapshot, {kind, {}, {}, grouping, "blocks", true});
            }
        }
        const SpanSearch search =
            searchOf(*snapshot, {true, true, true, true}, [](std::string_view) { return true; });
        searchSpans(*snapshot, search);
        std::optional<SearchMatch> match;
        for (int i = 0; i < 50; ++i)
            match = nextMatch(*snapshot, search, match, i % 3 != 0);
        matchColumns(*snapshot, search, snapshot->range(), 640);
        rangesMatching(*snapshot, "*");
        EXPECT_EQ(compareRuns(snapshot, run.snapshot()).categories.size(), kCategoryCount + 1);
        OpFamilyCache families;
        for (std::uint32_t id = 0; id < 200; ++id)
            families.familyOf(*snapshot, NameId(id), PlaceId(id * 7919));
    }
}

/// Spans of every lane, more than there are too.
std::vector<SpanRef> someSpans(const Snapshot& snapshot) {
    std::vector<SpanRef> spans;
    for (std::size_t lane = 0; lane <= snapshot.laneCount(); ++lane) {
        const std::uint64_t rows = lane < snapshot.laneCount() ? snapshot.lane(LaneId(lane)).rows() : 0;
        for (std::uint64_t row = 0; row <= rows; row += 1 + rows / 50)
            spans.push_back({LaneId(lane), row});
        spans.push_back({LaneId(lane), rows});
    }
    return spans;
}

void followLinks(const Snapshot& snapshot) {
    LinkIndex index;
    index.update(snapshot);
    for (const SpanRef span : someSpans(snapshot)) {
        for (const LinkIndex* known : std::initializer_list<const LinkIndex*>{nullptr, &index}) {
            EXPECT_LE(spanLinks(snapshot, known, span).work.size(), SpanLinks::kMostWork);
            causeChain(snapshot, known, span);
        }
        allocationsDuring(snapshot, span, 10);
    }
}

void measureTime(const MemoryTimeline& memory, const SpanFilter& filter) {
    const Snapshot& snapshot = *memory.snapshot();
    for (const bool merge : {false, true}) {
        const FlameTree tree = timeFlame(snapshot, filter, merge);
        for (const FlameNode& node : tree.nodes)
            EXPECT_LE(node.firstChild + node.children, tree.nodes.size());
    }
    layersOf(snapshot, {{AllocationId(0), AllocationId(1'000'000'000)}, &memory}, filter);
    attentionParts(snapshot, filter);
}

void lookAtTimes(const Snapshot& snapshot) {
    const TimeRange all = snapshot.range();
    for (const TimeRange range :
         {all, TimeRange{all.end, all.begin}, TimeRange{Nanoseconds(-5), Nanoseconds(1'000'000)}}) {
        rangeActivity(snapshot, range);
        for (const float share : activityCurve(snapshot, range, 640).share) {
            EXPECT_GE(share, 0);
            EXPECT_LE(share, 1);
        }
    }
    for (const TrackKind phases : {TrackKind::kPhase, TrackKind::kGpuPhase})
        phaseSamples(snapshot, phases);
}

void askEverything(const std::shared_ptr<const Snapshot>& snapshot,
                   const std::shared_ptr<const Snapshot>& whole) {
    followLinks(*snapshot);
    lookAtTimes(*snapshot);
    const MemoryTimeline memory = timelineOf(snapshot);
    for (const SpanFilter& filter : variedFilters(*snapshot)) {
        measureTime(memory, filter);
        EXPECT_LE(stepTable(memory, filter).size(), snapshot->spanCount());
        phaseStatistics(*snapshot, filter);
    }
    matchKernels(*snapshot, *whole);
    matchKernels(*whole, *snapshot);
}

/// With and without a GPU, and one whose kernels have places.
std::vector<std::shared_ptr<const Snapshot>> soundRuns(std::uint64_t seed) {
    RunByHand byHand;
    byHand.kernels = {{.begin = 0, .end = 4 * kMs, .module = "blocks.0.attn", .part = "scores"},
                      {.begin = 5 * kMs, .end = 9 * kMs, .phase = Phase::kBackward, .op = "aten::add"}};
    byHand.waits = {{Nanoseconds(kMs), Nanoseconds(2 * kMs)}};
    return {RandomRun({.seed = seed}).snapshot(), gpuRunByChance({.seed = seed, .strangeIds = true}),
            byHand.snapshot(), makeSyntheticRun()};
}

TEST(HostileRun, isAskedEverythingWithNonsenseInItsColumns) {
    for (const std::uint64_t seed : {1u, 2u}) {
        for (const auto& run : soundRuns(seed))
            askEverything(mountScrambled(run, seed), run);
    }
}

TEST(HostileRun, isAskedEverythingWithChunksLost) {
    for (const auto& run : soundRuns(1)) {
        for (std::size_t first : {0u, 1u}) {
            Damage damage;
            for (std::size_t lane = first; lane < run->laneCount(); lane += 2)
                damage.spans.insert({lane, 0});
            damage.allocations.insert(0);
            askEverything(mountWithDamage(run, damage).snapshot, run);
        }
    }
}

TEST(HostileRun, neverHasMemoryBelowZero) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        MemoryModel model(seed);
        model.append(20'000);
        model.settle();
        const MemoryTimeline timeline = timelineOf(mountScrambled(model.commit(), seed));
        ASSERT_EQ(timeline.eventCount(), 20'000u);
        for (std::uint64_t event = 0; event < timeline.eventCount(); event += 37) {
            const MemoryPoint point = timeline.afterEvent(event);
            for (const std::int64_t bytes : point.bytes)
                ASSERT_GE(bytes, 0);
        }
        const TimeRange range = timeline.snapshot()->range();
        EXPECT_EQ(timeline.columns(range, 640).size(), 640u);
        const std::vector<AllocationId> alive = timeline.aliveAt(range.end);
        largestAllocations(timeline, alive, 50);
        for (const BreakdownKey key :
             {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp, BreakdownKey::kPhase})
            breakdownAt(timeline, range.end, key);
        memoryStatistics(timeline);
        summarizeRun(timeline);
    }
}

}  // namespace warpglass::test::hostile_run_test
