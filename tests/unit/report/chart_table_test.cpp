// The points of a chart as a table: what its CSV holds.
#include "engine/tables/chart_table.h"

#include <gtest/gtest.h>

#include "engine/tables/series_choices.h"
#include "tests/support/must.h"

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

Chart chartOf(const std::vector<std::pair<std::string, std::string>>& choices) {
    Chart chart;
    for (const auto& [first, second] : choices)
        chart.series.push_back(seriesOf(first, second));
    return chart;
}

TEST(SeriesChoices, AreWhatTheSeriesShare) {
    Chart chart = chartOf({{"naive", "fp32"}, {"flash", "fp32"}, {"naive", "bf16"}, {"sdpa-flash", "bf16"}});
    EXPECT_EQ(chart.series[3].name, "sdpa-flash, bf16");
    chart.series.push_back({.name = "∝ n²", .isModel = true, .colorOf = 2});
    const auto choices = must(seriesChoices(chart));
    EXPECT_EQ(choices.first, (std::vector<std::string>{"naive", "flash", "sdpa-flash"}));
    EXPECT_EQ(choices.second, (std::vector<std::string>{"fp32", "bf16"}));
    const std::size_t first[] = {0, 1, 0, 2, 0}, second[] = {0, 0, 1, 1, 1};
    ASSERT_EQ(choices.of.size(), 5U);
    for (std::size_t s = 0; s < 5; ++s) {
        EXPECT_EQ(choices.of[s].first, first[s]) << s;
        EXPECT_EQ(choices.of[s].second, second[s]) << s;
    }
}

TEST(SeriesChoices, AreNoneWhereColorAloneSaysAsMuch) {
    Chart named = chartOf({{"naive", "fp32"}, {"flash", "fp32"}, {"naive", "bf16"}});
    ASSERT_TRUE(seriesChoices(named));
    named.series[0].choices = {};
    EXPECT_FALSE(seriesChoices(named)) << "a name with a comma is no choice";
    EXPECT_FALSE(seriesChoices(chartOf({{"naive", "fp32"}, {"flash", "bf16"}}))) << "nothing is shared";
    EXPECT_FALSE(seriesChoices(chartOf({{"naive", "fp32"}, {"flash", "fp32"}}))) << "one second choice";
    EXPECT_FALSE(seriesChoices(chartOf({{"a", "1"}, {"a", "2"}, {"a", "3"}}))) << "more than kinds of lines";
    EXPECT_FALSE(seriesChoices({}));
}

}  // namespace warpglass::test::chart_table_test
