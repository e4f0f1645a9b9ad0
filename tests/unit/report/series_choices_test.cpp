#include "engine/tables/series_choices.h"

#include <gtest/gtest.h>

namespace warpglass::test::series_choices_test {

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
    Chart named = chartOf({{"naive", "fp32"}, {"flash", "fp32"}, {"naive", "bf16"}});
    ASSERT_TRUE(seriesChoices(named));
    named.series[0].choices = {};
    EXPECT_FALSE(seriesChoices(named)) << "a name with a comma is no choice";
    EXPECT_FALSE(seriesChoices(chartOf({{"naive", "fp32"}, {"flash", "bf16"}}))) << "nothing is shared";
    EXPECT_FALSE(seriesChoices(chartOf({{"naive", "fp32"}, {"flash", "fp32"}}))) << "one second choice";
    EXPECT_FALSE(seriesChoices(chartOf({{"a", "1"}, {"a", "2"}, {"a", "3"}}))) << "more than kinds of lines";
    EXPECT_FALSE(seriesChoices({}));
}

}  // namespace warpglass::test::series_choices_test
