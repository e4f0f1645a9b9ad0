// What there is to look at in a run besides its findings.
#include "engine/query/findings/run_sights.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/query/findings/run_overview.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/findings/sample_timeline.h"

namespace warpglass::test::run_sights_test {

TEST(RunSights, TheLargestKernelIsAllShapesOfOneNameTogether) {
    RunByHand run;
    run.add(30 * kMs, {.name = "a", .blocks = 1});
    run.add(40 * kMs, {.name = "b", .blocks = 1});
    run.add(20 * kMs, {.name = "a", .blocks = 2});
    run.add(10 * kMs, {.name = "c", .blocks = 1, .isCopy = true});
    const auto sight = finding(
        [](const RunFacts& facts) -> std::optional<Finding> {
            const auto largest = largestWork(facts);
            if (!largest)
                return std::nullopt;
            EXPECT_DOUBLE_EQ(largest->workShare, 50.0 / 90) << "a copy is no kernel";
            return largest->shown;
        },
        run);
    ASSERT_TRUE(sight);
    EXPECT_EQ(sight->rule, "largest-kernel");
    EXPECT_EQ(sight->evidence.names, "a");
    EXPECT_EQ(sight->evidence.view, EvidenceView::kKernels);
    EXPECT_DOUBLE_EQ(sight->nsPerStep, 50.0 * kMs);
    EXPECT_DOUBLE_EQ(sight->stepShare, 0.5);
    EXPECT_EQ(sight->sentence,
              "a takes 50.0\u202fms of each 100\u202fms step, more GPU time than any other kernel: 56% "
              "of all.");
}

TEST(RunSights, OnTheCpuItIsAnOpByItsSelfTime) {
    const auto run = traceOf(R"(
        info config.warmup 0 state finished
        step 0 0-1000
          forward 0-1000 | op aten::linear 0-900 | op aten::mm 100-700
          op aten::add 900-1000
    )");
    const MemoryTimeline timeline = timelineOf(run);
    const RunOverview overview = overviewOf(timeline);
    ASSERT_TRUE(overview.largestWork);
    EXPECT_EQ(overview.largestWork->shown.rule, "largest-op");
    EXPECT_EQ(overview.largestWork->shown.evidence.names, "aten::mm");
    EXPECT_EQ(overview.largestWork->shown.evidence.view, EvidenceView::kOps);
    EXPECT_DOUBLE_EQ(overview.largestWork->workShare, 0.6);
    EXPECT_FALSE(overview.highestMoment) << "nothing was allocated";
}

TEST(RunSights, ThePeakIsWhereMemoryIsHighest) {
    RunByHand run;
    run.fillStep();
    run.allocations = {{10 * kMs, 50 * kMs, 1 << 20}, {30 * kMs, 40 * kMs, 2 << 20}};
    const RunOverview overview = overviewOf(run.timeline());
    ASSERT_TRUE(overview.highestMoment);
    const Finding& peak = overview.highestMoment->shown;
    EXPECT_EQ(peak.bytes, Bytes(3 << 20));
    EXPECT_EQ(peak.evidence.view, EvidenceView::kMemory);
    EXPECT_EQ(peak.evidence.moment, Nanoseconds(30 * kMs));
    EXPECT_THAT(peak.sentence, testing::StartsWith("The peak is 3.00\u202fMiB"));
}

TEST(Verdict, IsTheCostliestFindingOrThatThereIsNone) {
    RunByHand late;
    late.kernels = {{50 * kMs, 100 * kMs}};
    const RunOverview overview = overviewOf(late.timeline());
    ASSERT_FALSE(overview.findings.empty());
    EXPECT_EQ(verdictOn(overview), overview.findings.front().sentence);
    RunOverview calm = overview;
    calm.findings.clear();
    EXPECT_EQ(verdictOn(calm), nothingFound(calm));
}

/// One template starts many works: the title is of what most of the time did, as in the table.
TEST(RunSights, TheLargestKernelHasTheTitleThatTheTableGivesIt) {
    for (const char* name : {"small-bf16-naive", "small-bf16-flash", "xl-bf16-step"}) {
        SCOPED_TRACE(name);
        const MemoryTimeline timeline = openSample(name);
        const auto largest = must(overviewOf(timeline).largestWork);
        const GroupedStatistics table = groupedStatistics(*timeline.snapshot(), {.measuredOnly = true},
                                                          TrackKind::kGpuStream, SpanGrouping::kFlat);
        const auto row = std::ranges::find(table.rows, largest.shown.evidence.names,
                                           [](const GroupedRow& of) { return of.figures.name; });
        ASSERT_NE(row, table.rows.end());
        EXPECT_EQ(largest.title, row->title);
    }
}

}  // namespace warpglass::test::run_sights_test
