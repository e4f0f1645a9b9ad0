// The points of a chart as a table: what its CSV holds.
#include "engine/tables/chart_table.h"

#include <gtest/gtest.h>

namespace warpglass::test::chart_table_test {

TEST(ChartTable, PointsOfCategoriesHaveTheirNamesAndUnitsAreInTheKeys) {
    Chart chart{.key = "peaks",
                .title = "Peak by context",
                .kind = ChartKind::kBars,
                .x = {"Context", Unit::kCount, false, {"128", "256"}},
                .y = {"Peak", Unit::kBytes},
                .series = {{.name = "step",
                            .points = {{.x = 0, .y = 1024, .deviation = 8},
                                       {.x = 1, .state = PointState::kOutOfMemory}}},
                           {.name = "forward", .points = {{.x = 1, .y = 0.5}, {.x = 7, .y = 3}}}}};
    EXPECT_EQ(renderTable(chartTable(chart), TableFormat::kCsv),
              "series,x,y_bytes,deviation_bytes,state\n"
              "step,128,1024,8,measured\n"
              "step,256,,,out of memory\n"
              "forward,256,0.5,,measured\n"
              "forward,,3,,measured\n");
}

TEST(ChartTable, ColumnsThatSayNothingAreLeftOut) {
    Chart chart{.key = "loss",
                .title = "Loss",
                .x = {"Step", Unit::kOrdinal},
                .y = {"", Unit::kNumber},
                .series = {{.name = "fp32", .points = {{.x = 0, .y = 9.25}, {.x = 1e300, .y = -1}}}}};
    const ReportTable table = chartTable(chart);
    EXPECT_EQ(table.columns.back().title, "y");
    EXPECT_EQ(renderTable(table, TableFormat::kCsv), "series,x,y\nfp32,0,9.25\nfp32,1e+300,-1\n");
}

TEST(ChartTable, ABridgeSaysWhereItsBarsBegin) {
    Chart chart{.key = "bridge",
                .title = "A step",
                .kind = ChartKind::kBridge,
                .x = {"Added", Unit::kText, false, {"library", "+ norm"}},
                .y = {"Step", Unit::kNanoseconds},
                .series = {{.name = "whole step", .points = {{.x = 0, .y = 12e6}}},
                           {.name = "gained", .points = {{.x = 1, .y = 10e6, .from = 12e6}}}}};
    EXPECT_EQ(renderTable(chartTable(chart), TableFormat::kCsv),
              "series,x,y_ns,from_ns\nwhole step,library,12000000,0\ngained,+ norm,10000000,12000000\n");
}

TEST(ChartTable, AHeatMapHasItsValues) {
    Chart chart{.key = "heat",
                .title = "Time",
                .kind = ChartKind::kHeatMap,
                .x = {"Context", Unit::kText, false, {"128", "256"}},
                .y = {"Batch", Unit::kText, false, {"1"}},
                .value = {"Step", Unit::kNanoseconds},
                .series = {{.points = {{.x = 0, .y = 0, .value = 3e6}, {.x = 1, .y = 0, .value = 4.5e6}}}}};
    EXPECT_EQ(renderTable(chartTable(chart), TableFormat::kCsv),
              "series,x,y,value_ns\n,128,1,3000000\n,256,1,4500000\n");
    EXPECT_EQ(chartTable(Chart{}).rows.size(), 0U);
}

}  // namespace warpglass::test::chart_table_test
