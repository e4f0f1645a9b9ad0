#include "ui/charts/bridge_chart.h"

#include <gtest/gtest.h>

namespace warpglass::ui::bridge_chart_test {

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

TEST(BridgeChart, TotalsThatAreManyTimesTheChangesAreCutAtTheirFootAndSayIt) {
    BridgeChart chart("Peak memory");
    chart.resize(800, chart.height());
    const auto show = [&](std::int64_t a, std::int64_t b, std::int64_t rises) {
        Bridge bridge{false, a * kMs, b * kMs, {{"one", 0, rises * kMs}}};
        chart.setBridge(finishedBridge(std::move(bridge), "rest"));
        return chart.steps();
    };
    // 60 up, 40 down: 100 in all, of 240 at least.
    show(240, 260, 60);
    EXPECT_EQ(chart.foot(), 0);
    EXPECT_FALSE(chart.toolTip().contains("begin at"));
    auto steps = show(400, 420, 60);
    EXPECT_EQ(chart.foot(), (460 - 90) * kMs) << "the changes have two thirds of the height";
    EXPECT_TRUE(chart.toolTip().endsWith("The bars begin at 370\u202fms, not at 0"))
        << chart.toolTip().toStdString();
    ASSERT_EQ(steps.size(), 4u);
    EXPECT_NEAR(steps[1].bar.height() / steps[0].bar.height(), 60.0 / 30, 0.2);
    EXPECT_EQ(steps[0].bar.bottom(), steps[3].bar.bottom());
    EXPECT_EQ(steps[0].to, 400 * kMs) << "of what it is, whatever is drawn of it";
    // Small ones are not blown up as if they were large.
    steps = show(4000, 4001, 1);
    EXPECT_EQ(chart.foot(), 4001 * kMs - 4001 * kMs / 20);
    EXPECT_LE(steps[1].bar.height(), 2);
    chart.setBridge(Bridge{false, 5 * kMs, 5 * kMs, {}});
    EXPECT_EQ(chart.foot(), 0) << "nothing changes";
    chart.setBridge(std::nullopt);
    EXPECT_EQ(chart.foot(), 0);
}

TEST(BridgeChart, PartsHaveTheirOwnColorsWhereTheViewHasSome) {
    BridgeChart chart("Time per step");
    chart.resize(800, chart.height());
    chart.setBridge(made());
    const auto colorOf = [&](std::size_t step) {
        const QRectF bar = chart.steps()[step].bar;
        return chart.grab().toImage().pixelColor(bar.center().toPoint());
    };
    const QColor less = colorOf(1), more = colorOf(2);
    EXPECT_NE(less, more);
    chart.setColors([](const QString& name) { return name == "matmul" ? QColor(1, 2, 3) : QColor(); });
    const std::size_t matmul = chart.steps()[1].name.trimmed() == "matmul" ? 1 : 2;
    EXPECT_EQ(colorOf(matmul), QColor(1, 2, 3));
    EXPECT_EQ(colorOf(3 - matmul), matmul == 1 ? more : less) << "what has none keeps that of its direction";
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

}  // namespace warpglass::ui::bridge_chart_test
