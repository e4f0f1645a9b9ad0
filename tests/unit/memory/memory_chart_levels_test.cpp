// The lines over the stack: what is allocated, what is reserved, the limit, and the predicted peak.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/memory_prediction.h"
#include "engine/trace/stack_order.h"
#include "tests/support/pixels.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/memory/memory_chart_fixture.h"
#include "ui/memory/memory_legend.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::memory_chart_levels_test {

TEST_F(MemoryChartTest, ThePredictedPeakIsThatOfTheRunsConfiguration) {
    open();
    ASSERT_TRUE(chart.plot().scale().predictedPeak());
    EXPECT_EQ(*chart.plot().scale().predictedPeak(), predictMemory(test::syntheticConfig()).total());
    document.clear();
    EXPECT_FALSE(chart.plot().scale().predictedPeak());
}

TEST_F(MemoryChartTest, CopiesOfWeightsAreAPartOfTheStackAndOfItsLegend) {
    run = test::openSampleRun("small-bf16-naive");
    open();
    image();
    EXPECT_TRUE(legendHas("weight copies"));
    const auto columns = document.memory().columns(axis.visibleRange(), 500);
    const auto& sums = chart.plot().stack().sums();
    const auto place = static_cast<std::size_t>(std::ranges::find(kStackOrder, Category::kWeightCopies) -
                                                kStackOrder.begin());
    ASSERT_EQ(kStackOrder[place - 1], Category::kGradients);
    std::int64_t most = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::int64_t bytes = columns[c].atPeak[static_cast<std::size_t>(Category::kWeightCopies)];
        ASSERT_EQ(sums[place][c] - sums[place - 1][c], bytes) << c;
        most = std::max(most, bytes);
    }
    EXPECT_GT(most, 100 << 20) << "some of the 0.7 GiB of weights, in half the bits";
}

TEST_F(MemoryChartTest, WhatIsReservedIsALineOverTheStack) {
    open();
    image();
    EXPECT_FALSE(legendHas("reserved"));
    EXPECT_TRUE(chart.plot().stack().reserved().empty());

    run = test::traceOf(R"(
        counter "memory reserved" 3145728 0 ; counter "memory reserved" 3145728 50us
        counter "memory reserved" 9437184 60us
        alloc 1MiB 0 ; alloc 1MiB 50us ; alloc 2MiB 60us
        end 100us
    )");
    open();
    const QImage picture = image();
    EXPECT_TRUE(legendHas("reserved"));
    const auto& reserved = chart.plot().stack().reserved();
    ASSERT_EQ(reserved.size(), 500u);
    for (std::size_t c = 0; c < reserved.size(); ++c)
        EXPECT_EQ(reserved[c], c < 300 ? 3 << 20 : 9 << 20) << c;
    // All of it is in the picture, above what is allocated.
    const int y = chart.legend().height() + static_cast<int>(chart.plot().yOf(9 << 20));
    ASSERT_GT(y, chart.legend().height());
    EXPECT_GT(test::countPixels(picture, {100 + 450, y - 1, 1, 3}, Theme::instance().colors().secondaryText),
              0);
    EXPECT_EQ(sumOf(chart.plot().scale().visiblePeak()->bytes), 4 << 20);
}

TEST_F(MemoryChartTest, ThePeaksLabelIsOverItsDotAndALeaderGoesToItWhereALineIsBetween) {
    const std::string text = "alloc 2MiB 0 ; alloc 8MiB 500us-600us ; end 1000us";
    for (const bool reserved : {false, true}) {
        run = test::traceOf(reserved ? text + "\ncounter \"memory reserved\" 11010048 0" : text);
        open();
        const QImage picture = image();
        const int x = 100 + 250, y = chart.legend().height() + static_cast<int>(chart.plot().yOf(10 << 20));
        const auto inked = [&](const QRect& area) {
            const QColor blank = Theme::instance().colors().background;
            return area.width() * area.height() - test::countPixels(picture, area, blank);
        };
        // From half a line further up, so that what is reserved, 8 pixels over the peak, is not counted.
        const int top = y - (reserved ? 27 : 19);
        EXPECT_GT(inked({x - 30, top, 26, 10}), 20) << reserved;
        EXPECT_GT(inked({x + 4, top, 26, 10}), 20) << reserved;
        EXPECT_EQ(inked({x + 80, top, 50, 10}), 0) << reserved;
        EXPECT_EQ(inked({x + 3, y - 6, 6, 1}), 0);
        EXPECT_EQ(inked({x - 1, y - 6, 2, 1}) > 0, reserved) << "the leader";
        // What is reserved is named where its line ends.
        EXPECT_EQ(inked({560, y - 23, 30, 10}) > 20, reserved);
    }
}

TEST_F(MemoryChartTest, WhatIsAllocatedIsALineAlongTheTop) {
    open();
    const QImage picture = image();
    const int top = chart.legend().height();
    const QRgb line = Theme::instance().colors().text.rgb();
    const auto columns = document.memory().columns(axis.visibleRange(), 500);
    int seen = 0, held = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].maxTotal <= 0)
            continue;
        ++held;
        const double y = chart.plot().yOf(columns[c].maxTotal);
        seen += picture.pixel(100 + static_cast<int>(c), top + static_cast<int>(std::ceil(y - 0.5))) == line;
    }
    EXPECT_GT(held, 400);
    EXPECT_GT(seen, held * 3 / 4) << "all but where a label lies";
    const auto entries = chart.legend().entries();
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [&](const LegendEntry& entry) {
        return entry.line && entry.color.rgb() == line && entry.name == QStringLiteral("allocated");
    }));
}

/// One allocation of 10 MiB, and what the run states.
std::shared_ptr<const Snapshot> tenMebibytes(const test::InfoPairs& info) {
    return test::traceOf("alloc 10MiB 10 ; end 1000", info);
}

std::string mebibytes(std::int64_t count) {
    return std::to_string(count << 20);
}

TEST_F(MemoryChartTest, TheLimitIsALineWhereItIsNear) {
    const auto levelsOf = [&](const test::InfoPairs& info) {
        run = tenMebibytes(info);
        open();
        image();
        return chart.plot().scale().levels();
    };
    EXPECT_TRUE(levelsOf({}).empty());
    EXPECT_TRUE(levelsOf({{"config.memory-limit", mebibytes(17)}}).empty()) << "more than 1.6 times as much";
    const auto given =
        levelsOf({{"config.memory-limit", mebibytes(12)}, {"device.memory_bytes", mebibytes(99)}});
    ASSERT_EQ(given.size(), 1u);
    EXPECT_EQ(given[0].bytes, 12 << 20);
    EXPECT_TRUE(given[0].limit);
    EXPECT_TRUE(given[0].text.startsWith("limit 12"));
    const auto device = levelsOf({{"config.memory-limit", "0"}, {"device.memory_bytes", mebibytes(15)}});
    ASSERT_EQ(device.size(), 1u);
    EXPECT_TRUE(device[0].text.startsWith("device memory 15"));

    // Where memory ran out it is always there, and drawn as far up as the run can still be read.
    const test::InfoPairs out = {{"state", std::string(run_state::kFailed)},
                                 {"allocator.request_bytes", mebibytes(80)}};
    auto far = out;
    far.emplace_back("device.memory_bytes", std::to_string(std::numeric_limits<std::int64_t>::max()));
    ASSERT_EQ(levelsOf(far).size(), 1u);
    EXPECT_TRUE(chart.plot().scale().levels()[0].above);
    auto near = out;
    near.emplace_back("config.memory-limit", mebibytes(40));
    const auto ranOut = levelsOf(near);
    ASSERT_EQ(ranOut.size(), 1u);
    EXPECT_EQ(ranOut[0].bytes, 40 << 20);
    EXPECT_GT(chart.plot().yOf(40 << 20), 0);
    const QImage picture = image();
    const int y = chart.legend().height() + static_cast<int>(std::floor(chart.plot().yOf(40 << 20)));
    const QColor line = Theme::instance().colors().warning;
    EXPECT_GT(test::countPixels(picture, {100, y, kSize.width() - 100, 1}, line), 350);
}

TEST_F(MemoryChartTest, AForecastAboveTheScaleIsNamedWithoutALine) {
    const test::InfoPairs info = toPairs(test::syntheticConfig());
    const std::int64_t predicted = predictMemory(test::syntheticConfig()).total().value;
    ASSERT_LT(predicted, 16 << 20) << "of the run of 10 MiB this is in view";
    run = tenMebibytes(info);
    open();
    ASSERT_EQ(chart.plot().scale().levels().size(), 1u);
    EXPECT_FALSE(chart.plot().scale().levels()[0].above);
    EXPECT_EQ(chart.plot().scale().levels()[0].bytes, predicted);
    EXPECT_TRUE(legendHas("predicted peak"));

    run = test::traceOf(test::filled("alloc % 10 ; end 1000", predicted / 2), info);
    open();
    ASSERT_EQ(chart.plot().scale().levels().size(), 1u);
    EXPECT_TRUE(chart.plot().scale().levels()[0].above);
    EXPECT_TRUE(chart.plot().scale().levels()[0].text.contains("above the scale"));
    EXPECT_LT(chart.plot().yOf(predicted), 0);
    EXPECT_FALSE(legendHas("predicted peak"));
}

TEST_F(MemoryChartTest, OfASingleStepTheForecastSaysWhatASecondWouldNeed) {
    RunConfig config = test::syntheticConfig();
    config.warmup = 0;
    config.steps = 1;
    const std::optional<Bytes> second = predictMemory(config).secondStep;
    ASSERT_TRUE(second);
    run = tenMebibytes(toPairs(config));
    open();
    ASSERT_EQ(chart.plot().scale().levels().size(), 1u);
    EXPECT_EQ(chart.plot().scale().levels()[0].bytes, predictMemory(config).total().value);
    EXPECT_EQ(chart.plot().scale().levels()[0].text.toStdString(),
              "predicted peak " + formatBytes(predictMemory(config).total()) + " (with a second step " +
                  formatBytes(*second) + ")");
}

}  // namespace warpglass::ui::memory_chart_levels_test
