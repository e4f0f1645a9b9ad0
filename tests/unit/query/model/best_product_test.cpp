// The roof is at least what the run's own best product reached: no share of it is above 1.
#include "engine/query/model/best_product.h"

#include <gmock/gmock.h>

#include "engine/plan/device_ceilings.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/model/roofline.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/summary/run_summary.h"
#include "tests/support/lowered_ceilings.h"
#include "tests/support/sample_run.h"
#include "tests/unit/query/findings/sample_timeline.h"

namespace warpglass::test::best_product_test {

std::size_t expectNoneAboveOne(const std::vector<StatisticsNode>& nodes, const std::string& what) {
    std::size_t shares = 0;
    for (const StatisticsNode& node : nodes) {
        if (node.row.shareOfPeak) {
            EXPECT_LE(*node.row.shareOfPeak, 1 + 1e-9) << what << ": " << node.row.figures.name;
            ++shares;
        }
        shares += expectNoneAboveOne(node.children, what);
    }
    return shares;
}

std::size_t expectNoneAboveOne(const Snapshot& run, const SpanFilter& filter, const std::string& what) {
    std::size_t shares = 0;
    for (const TrackKind kind : {TrackKind::kCpuThread, TrackKind::kGpuStream, TrackKind::kGpuCopies})
        for (const SpanGrouping grouping : {SpanGrouping::kFlat, SpanGrouping::kModule, SpanGrouping::kPhase})
            shares += expectNoneAboveOne(
                statisticsTree(groupedStatistics(run, filter, kind, grouping), grouping), what);
    WorkScope scope;
    scope.filter = filter;
    for (const RooflinePoint& point : roofline(run, scope)) {
        EXPECT_LE(point.share().value_or(0), 1 + 1e-9) << what << ": " << point.name;
        shares += point.share() ? 1 : 0;
    }
    return shares;
}

TEST(BestProduct, NoShareOfARoofIsAboveOneInAnySample) {
    const TemporaryFolder folder;
    std::size_t beaten = 0, shares = 0;
    std::vector<std::pair<std::string, std::shared_ptr<const Snapshot>>> runs;
    for (const char* name : kSampleRuns) {
        runs.emplace_back(name, openSampleRun(name));
        runs.emplace_back(std::string(name) + " of lower ceilings", openWithLowerCeilings(folder, name));
    }
    for (const auto& [name, run] : runs) {
        shares += expectNoneAboveOne(*run, {}, name);
        for (std::int32_t step = 0; step < 4; ++step)
            shares += expectNoneAboveOne(*run, {.step = step}, name + ", one step");
        SpanFilter early{.ranges = {{run->range().begin, Nanoseconds(run->range().end.value * 2 / 3)}}};
        shares += expectNoneAboveOne(*run, early, name + ", a range");
        const RunSummary summary = summarizeRun(*run, std::nullopt);
        if (summary.utilization) {
            EXPECT_LE(summary.utilization->ofMeasured().value_or(0), 1);
            EXPECT_LE(summary.utilization->ofDataSheet().value_or(0), 1);
        }
        beaten += ceilingsOf(*run).beaten ? 1 : 0;
    }
    EXPECT_GT(shares, 500u);
    EXPECT_GT(beaten, 0u) << "or nothing above was at stake";
}

TEST(BestProduct, IsTheRoofWhereItBeatTheCeilingAndIsSaid) {
    const TemporaryFolder folder;
    int said = 0;
    for (const char* name : kSampleRuns) {
        const auto run = openWithLowerCeilings(folder, name);
        const BestProduct best = bestProduct(*run);
        const RunCeilings ceilings = ceilingsOf(*run);
        const Result<RunConfig> config = configFromPairs(run->info().pairs());
        const double measured =
            ceilingsFromPairs(run->info().pairs())->product(config->precision)->flopsPerSecond;
        EXPECT_EQ(*ceilings.measured.flopsPerSecond, std::max(measured, best.flopsPerSecond)) << name;
        EXPECT_EQ(ceilings.beaten.has_value(), best.flopsPerSecond > measured) << name;
        if (!ceilings.beaten) {
            EXPECT_EQ(ceilings.sentence(), "") << name;
            continue;
        }
        if (best.flopsPerSecond < 1.01 * measured)
            continue;  // perhaps by less than can be read
        ++said;
        EXPECT_EQ(*ceilings.beaten, measured);
        EXPECT_THAT(ceilings.sentence(), testing::StartsWith("The best product of this run, "));
        EXPECT_THAT(ceilings.sentence(), testing::HasSubstr(best.place));
        EXPECT_THAT(ceilings.sentence(), testing::EndsWith(" and stands as the roof."));
    }
    EXPECT_GT(said, 0);
}

}  // namespace warpglass::test::best_product_test
