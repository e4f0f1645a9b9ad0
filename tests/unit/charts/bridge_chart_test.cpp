#include "ui/charts/bridge_chart.h"

#include <gtest/gtest.h>

namespace warpglass::ui {
namespace {

constexpr std::int64_t kMs = 1'000'000;

Bridge made() {
    return *finishedBridge(
        {false, 46 * kMs, 35 * kMs, {{"matmul", 35 * kMs, 3 * kMs}, {"copy", 1 * kMs, 4 * kMs}}},
        "idle and host");
}

TEST(BridgeChart, EachBarBeginsWhereTheOneBeforeItEnds) {
    BridgeChart chart("Time per step");
    chart.resize(800, chart.height());
    EXPECT_TRUE(chart.steps().empty());
    chart.setBridge(made());
    const auto steps = chart.steps();
    ASSERT_EQ(steps.size(), 5u);
    EXPECT_EQ(steps[0].to, 46 * kMs);
    for (std::size_t i = 1; i + 1 < steps.size(); ++i) {
        EXPECT_EQ(steps[i].from, steps[i - 1].to);
        const bool less = steps[i].to < steps[i].from;
        // What it begins at is drawn at the height where the former ends.
        const bool formerLess = i > 1 && steps[i - 1].to < steps[i - 1].from;
        EXPECT_NEAR(less ? steps[i].bar.top() : steps[i].bar.bottom(),
                    formerLess ? steps[i - 1].bar.bottom() : steps[i - 1].bar.top(), 1.5)
            << i;
    }
    EXPECT_EQ(steps[3].to, 35 * kMs);
    EXPECT_EQ(steps[4].from, 0);
    EXPECT_NEAR(steps[4].bar.height() / steps[0].bar.height(), 35.0 / 46, 0.05) << "both from 0";
    EXPECT_EQ(steps[4].bar.bottom(), steps[0].bar.bottom());
}

TEST(BridgeChart, InLittleRoomTheSmallerPartsAreOneAndNothingIsCut) {
    BridgeChart chart("Time per step");
    chart.setBridge(made());
    std::size_t before = 0;
    for (const int width : {330, 450, 800}) {
        chart.resize(width, chart.height());
        const auto steps = chart.steps();
        EXPECT_GE(steps.size(), before);
        before = steps.size();
        EXPECT_LE(steps.back().words.right(), width);
        EXPECT_EQ(steps[steps.size() - 2].to, 35 * kMs) << "they add up";
    }
    EXPECT_EQ(before, 5u);
    EXPECT_TRUE(chart.toolTip().contains("copy: +3.00\u202fms, from 1.00\u202fms to 4.00\u202fms"));
}

}  // namespace
}  // namespace warpglass::ui
