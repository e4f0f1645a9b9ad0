#include "engine/tables/series_choices.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

Chart chartOf(const std::vector<std::string>& names) {
    Chart chart;
    for (const std::string& name : names)
        chart.series.push_back({.name = name});
    return chart;
}

TEST(SeriesChoices, AreWhatTheNamesShare) {
    Chart chart = chartOf({"naive, fp32", "flash, fp32", "naive, bf16", "sdpa-flash, bf16"});
    chart.series.push_back({.name = "∝ n²", .isModel = true, .colorOf = 2});
    const auto choices = seriesChoices(chart);
    ASSERT_TRUE(choices);
    EXPECT_EQ(choices->first, (std::vector<std::string>{"naive", "flash", "sdpa-flash"}));
    EXPECT_EQ(choices->second, (std::vector<std::string>{"fp32", "bf16"}));
    const std::size_t first[] = {0, 1, 0, 2, 0}, second[] = {0, 0, 1, 1, 1};
    ASSERT_EQ(choices->of.size(), 5U);
    for (std::size_t s = 0; s < 5; ++s) {
        EXPECT_EQ(choices->of[s].first, first[s]) << s;
        EXPECT_EQ(choices->of[s].second, second[s]) << s;
    }
}

TEST(SeriesChoices, AreNoneWhereColorAloneSaysAsMuch) {
    EXPECT_FALSE(seriesChoices(chartOf({"small", "medium"}))) << "one choice";
    EXPECT_FALSE(seriesChoices(chartOf({"naive, fp32", "flash"}))) << "one of them names a single choice";
    EXPECT_FALSE(seriesChoices(chartOf({"naive, fp32", "flash, bf16"}))) << "nothing is shared";
    EXPECT_FALSE(seriesChoices(chartOf({"naive, fp32", "flash, fp32"}))) << "one second choice";
    EXPECT_FALSE(seriesChoices(chartOf({"a, 1", "a, 2", "a, 3"}))) << "more than there are kinds of lines";
    EXPECT_FALSE(seriesChoices({}));
}

}  // namespace
}  // namespace warpglass
