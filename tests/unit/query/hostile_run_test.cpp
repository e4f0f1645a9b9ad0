// A run file may hold any nonsense: no query may read beyond a table for it (run under the sanitizers).
#include <gtest/gtest.h>

#include "engine/query/comparison.h"
#include "engine/query/grouped_statistics.h"
#include "engine/query/memory_breakdown.h"
#include "engine/query/memory_statistics.h"
#include "engine/query/run_summary.h"
#include "engine/query/span_search.h"
#include "engine/query/statistics.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/memory_model.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test {
namespace {

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
        const RunComparison comparison = compareRuns(snapshot, run.snapshot());
        EXPECT_EQ(comparison.categories.size(), kCategoryCount + 1);
        OpFamilyCache families;
        for (std::uint32_t id = 0; id < 200; ++id)
            families.familyOf(*snapshot, NameId(id), PlaceId(id * 7919));
    }
}

TEST(HostileRun, neverHasMemoryBelowZero) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        MemoryModel model(seed);
        model.append(20'000);
        model.settle();
        MemoryTimeline timeline;
        timeline.update(mountScrambled(model.commit(), seed));
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

}  // namespace
}  // namespace warpglass::test
