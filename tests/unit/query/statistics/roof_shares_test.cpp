#include <gtest/gtest.h>

#include <algorithm>

#include "engine/query/model/roofline.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "tests/support/sample_run.h"

namespace warpglass::test::roof_shares_test {

/// What memory bounds has its share of memory's roof, and the rest of arithmetic's, as in the roofline.
TEST(RoofShares, KernelsHaveTheRoofThatBoundsThem) {
    const auto run = openSampleRun("xl-bf16-step");
    const auto flat =
        groupedStatistics(*run, {.measuredOnly = true}, TrackKind::kGpuStream, SpanGrouping::kFlat);
    EXPECT_EQ(flat.roofs, "measured 2026-11-23");
    const RunCeilings ceilings = ceilingsOf(*run);
    const auto points = roofline(*run);
    const auto update = std::ranges::find_if(points, &RooflinePoint::isUpdate);
    ASSERT_NE(update, points.end());
    int memory = 0, arithmetic = 0;
    for (const GroupedRow& row : flat.rows) {
        ASSERT_EQ(row.shareOfPeak.has_value(), row.roof > 0) << row.figures.name;
        if (!row.shareOfPeak)
            continue;
        const double seconds = static_cast<double>(row.figures.total.value) / 1e9;
        if (row.roofOf == "memory") {
            ++memory;
            EXPECT_EQ(row.roof, *ceilings.measured.bytesPerSecond);
            const double reached = static_cast<double>(row.bytes->value) / seconds / row.roof;
            EXPECT_NEAR(*row.shareOfPeak, std::min(1.0, reached), 1e-9);
            if (row.figures.name == update->kernel)
                EXPECT_NEAR(*row.shareOfPeak, *update->share(), 0.01);
            else  // GEMMs have many operations a byte
                EXPECT_TRUE(std::ranges::any_of(points, [&](const RooflinePoint& point) {
                    return point.isLibraryKernel && point.name == row.title;
                })) << row.title;
        } else {
            ++arithmetic;
            EXPECT_EQ(row.roofOf, "compute");
            EXPECT_EQ(row.roof, flat.peakFlopsPerSecond);
        }
    }
    EXPECT_GT(memory, 10);
    EXPECT_GT(arithmetic, 5);

    // A part of a step has a part of the update, of which nothing is known.
    SpanFilter part;
    const TimeRange whole = run->range();
    part.ranges = {{whole.begin, whole.begin + Nanoseconds(whole.duration().value * 9 / 10)}};
    for (const GroupedRow& row :
         groupedStatistics(*run, part, TrackKind::kGpuStream, SpanGrouping::kFlat).rows) {
        if (row.figures.name == update->kernel && row.figures.instances % 97 != 0) {
            EXPECT_FALSE(row.shareOfPeak);
        }
    }
}

}  // namespace warpglass::test::roof_shares_test
