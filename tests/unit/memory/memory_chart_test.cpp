// The chart's stack against a replay of every event, and its pixels.
#include <QComboBox>
#include <QPainter>
#include <QTest>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/trace/stack_order.h"
#include "tests/support/must.h"
#include "tests/support/pixels.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/memory/memory_chart_fixture.h"
#include "ui/controls/figure_mode.h"
#include "ui/memory/memory_legend.h"
#include "ui/models/run_filter.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::memory_chart_test {

TEST_F(MemoryChartTest, TheStackIsOfTheSumsAtEachColumnsPeak) {
    open();
    for (const TimeRange range : {run->range(), TimeRange{Nanoseconds(run->range().end.value / 3),
                                                          Nanoseconds(run->range().end.value / 2)}}) {
        axis.setVisibleRange(range);
        image();
        const auto columns = document.memory().columns(axis.visibleRange(), 500);
        ASSERT_EQ(columns.size(), 500u);
        const auto& sums = chart.plot().stack().sums();
        ASSERT_EQ(sums.size(), kStackOrder.size());
        for (std::size_t place = 0; place < sums.size(); ++place) {
            ASSERT_EQ(sums[place].size(), 500u);
            for (std::size_t c = 0; c < columns.size(); ++c) {
                std::int64_t sum = 0;
                for (std::size_t k = 0; k <= place; ++k)
                    sum += columns[c].atPeak[static_cast<std::size_t>(kStackOrder[k])];
                EXPECT_EQ(sums[place][c], sum);
            }
        }
    }
}

TEST_F(MemoryChartTest, TimeThatTheFilterLeavesOutIsMuted) {
    open();
    RunFilter filter(document, axis);
    filter.setSteps(RunFilter::Steps::kAll);
    chart.plot().setFilter(&filter);
    const auto muted = [&](const QImage& all) {
        const QImage now = image();
        const int y = all.height() - 4;  // what is alive longest is at the bottom
        std::set<int> columns;
        for (int x = chart.labelWidth(); x < all.width(); ++x) {
            if (now.pixel(x, y) != all.pixel(x, y))
                columns.insert(x);
        }
        return columns;
    };
    const QImage all = image();
    EXPECT_TRUE(muted(all).empty());
    filter.setSteps(RunFilter::Steps::kMeasured);
    const auto host = test::must(filter.extent().host);
    const auto out = muted(all);
    EXPECT_GT(out.size(), 50u);
    for (const int x : out)
        EXPECT_FALSE(host.contains(chart.plot().timeAt(x + 1)) && host.contains(chart.plot().timeAt(x - 1)))
            << x;
    EXPECT_TRUE(out.contains(static_cast<int>(chart.plot().xOf(host.begin)) - 3));
    // Where steps say nothing of what is beside it, only by what is selected.
    chart.plot().setFilter(&filter, false);
    EXPECT_TRUE(muted(all).empty());
    filter.pick(*longestSpan(*run, TrackKind::kPhase, run->findName("backward"), {}));
    EXPECT_GT(muted(all).size(), 300u);
}

/// Where a row of pixels has its middle is a size, and the category of that size is what the pixel shows.
TEST_F(MemoryChartTest, PixelsShowTheCategoryThatIsThere) {
    open();
    image();
    const MemoryScale& scale = chart.plot().scale();
    const QRectF plot = scale.plotRect();
    const ThemeColors& colors = Theme::instance().colors();
    for (const double ratio : {1.0, 1.5, 2.0}) {
        const int width = qRound(plot.width() * ratio);
        QImage picture(chart.plot().size() * ratio, QImage::Format_RGB32);
        picture.setDevicePixelRatio(ratio);
        picture.fill(colors.background);
        QPainter painter(&picture);
        chart.plot().stack().paint(painter, width, axis.visibleRange());
        const auto cells = document.memory().columns(axis.visibleRange(), static_cast<std::size_t>(width));
        std::set<QRgb> seen;
        for (int row = qRound(plot.top() * ratio); row < picture.height(); ++row) {
            const double y = (row + 0.5) / ratio;
            if (std::ranges::any_of(scale.ticks(),
                                    [&](auto tick) { return std::abs(y - scale.yOf(tick)) < 2; }))
                continue;
            for (int column = 0; column < width; ++column) {
                const CategoryBytes& bytes = cells[static_cast<std::size_t>(column)].atPeak;
                QColor wanted = colors.background;
                std::int64_t below = 0;
                for (const Category category : kStackOrder) {
                    const std::int64_t sum = below + bytes[static_cast<std::size_t>(category)];
                    if (y >= scale.yOf(sum) && y < scale.yOf(below))
                        wanted = Theme::categoryColor(category);
                    below = sum;
                }
                if (y >= scale.yOf(below) && y < scale.yOf(below) + 1 / ratio * qRound(ratio))
                    wanted = colors.text;  // what is allocated in all
                ASSERT_EQ(picture.pixelColor(qRound(plot.left() * ratio) + column, row), wanted)
                    << ratio << ": " << column << ", " << row;
                seen.insert(wanted.rgb());
            }
        }
        EXPECT_GE(seen.size(), 6u) << "the canvas, the line and four categories at least";
    }
}

TEST_F(MemoryChartTest, StacksOfModulesAndOpsAreTheSumsOfTheirAllocations) {
    open();
    auto* stack = test::must(chart.findChild<QComboBox*>("memoryStack"));
    for (const int by : {1, 2}) {
        stack->setCurrentIndex(by);
        emit stack->activated(by);
        image();
        const MemoryGroups groups(document.memory(), by == 1 ? MemoryGrouping::kModule : MemoryGrouping::kOp);
        EXPECT_EQ(chart.plot().stack().groupNames(), groups.names());
        EXPECT_EQ(chart.legend().groups(), groups.names());
        const auto columns = document.memory().columns(axis.visibleRange(), 500);
        MemoryGroups::Cursor cursor(groups, document.memory());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const MemoryGroups::Bytes9 parts = cursor.after(columns[c].peakEvents);
            std::int64_t sum = 0;
            for (std::size_t part = 0; part < parts.size(); ++part) {
                sum += parts[part];
                ASSERT_EQ(chart.plot().stack().sums()[part][c], sum);
            }
            EXPECT_EQ(sum, columns[c].maxTotal) << "the outline is that of the categories";
        }
    }
    emit stack->activated(0);
    image();
    EXPECT_TRUE(chart.legend().groups().empty());
}

TEST_F(MemoryChartTest, TheChoicesStayWhereTheyAreWhateverRowsTheLegendNeeds) {
    open();
    constexpr QSize kNarrow(300, 240);
    chart.resize(kNarrow);
    auto* stack = chart.findChild<QComboBox*>("memoryStack");
    const auto* spacing = chart.findChild<QComboBox*>("memorySpacing");
    std::set<int> heights;
    std::set<std::pair<int, int>> places;
    for (const int by : {0, 1, 2}) {
        emit stack->activated(by);
        renderWidget(chart, kNarrow, 1);
        heights.insert(chart.legend().maximumHeight());
        places.insert({stack->y(), spacing->y()});
        EXPECT_GE(spacing->y(), stack->geometry().bottom());
    }
    EXPECT_GT(heights.size(), 1u) << "or nothing could have moved";
    EXPECT_EQ(places.size(), 1u);
}

TEST_F(MemoryChartTest, TheReadingHasTheDigitsThatTheViewTellsApart) {
    open();
    const Nanoseconds t(run->range().end.value / 2);
    axis.setPinnedCursor(t);
    axis.fitAll();
    image();
    const auto words = [](const std::string& time) { return QStringLiteral(" at ") + toQString(time); };
    EXPECT_TRUE(chart.legend().reading().contains(words(formatDuration(t))));
    axis.setVisibleRange({t - Nanoseconds(10'000), t + Nanoseconds(10'000)});
    EXPECT_TRUE(chart.legend().reading().contains(words(formatMoment(t))))
        << chart.legend().reading().toStdString();
}

TEST_F(MemoryChartTest, EventsCanBeEvenlySpacedAndTheAxisStaysOneOfTime) {
    open();
    auto* spacing = test::must(chart.findChild<QComboBox*>("memorySpacing"));
    emit spacing->activated(1);
    image();
    const MemoryTimeline& memory = document.memory();
    const std::uint64_t count = memory.eventCount();
    const auto columns = memory.columnsOfEvents(0, count, 500);
    for (std::size_t c = 0; c < columns.size(); ++c)
        ASSERT_EQ(chart.plot().stack().sums().back()[c], columns[c].maxTotal);
    EXPECT_EQ(axis.visibleRange(), run->range());
    for (int x = 100; x < 600; x += 25) {
        const Nanoseconds t = chart.plot().timeAt(x);
        const auto event = static_cast<std::uint64_t>((x - 100.0) / 500 * static_cast<double>(count));
        EXPECT_EQ(t, memory.eventTime(event));
        // Several events may share the moment.
        EXPECT_GE(chart.plot().xOf(t) + 0.01,
                  100 + static_cast<double>(event) * 500 / static_cast<double>(count));
    }
    test::movePointer(chart.plot(), {350, 100});
    EXPECT_EQ(axis.cursor(), chart.plot().timeAt(350));
}

TEST_F(MemoryChartTest, TheLegendHasTheCategoriesThatOccur) {
    open();
    std::set<Category> expected;
    for (std::uint64_t a = 0; a < run->allocationCount(); ++a)
        expected.insert(run->categoryOf(AllocationId(a)));
    const auto& shown = chart.legend().categories();
    for (const Category category : shown)
        EXPECT_TRUE(expected.count(category));
    std::vector<Category> stacked;
    std::copy_if(kStackOrder.begin(), kStackOrder.end(), std::back_inserter(stacked), [&](Category category) {
        return std::find(shown.begin(), shown.end(), category) != shown.end();
    });
    EXPECT_EQ(shown, stacked) << "each once, as they are stacked";
    EXPECT_GE(shown.size(), 4u);
    EXPECT_FALSE(std::count(shown.begin(), shown.end(), Category::kWorkspace));
    document.clear();
    EXPECT_TRUE(chart.legend().categories().empty());
}

TEST_F(MemoryChartTest, TheLegendFollowsARunThatGrows) {
    test::TraceText growing;
    const auto shows = [&](const std::vector<Category>& categories) {
        return QTest::qWaitFor([&] { return chart.legend().categories() == categories; }, 60'000);
    };
    chart.show();
    document.follow(growing.feed());
    growing.add("alloc 1MiB 1000 weights ; end 1001");
    EXPECT_TRUE(shows({Category::kWeights}));
    growing.add("alloc 1MiB 2000 activations ; end 2001");
    EXPECT_TRUE(shows({Category::kWeights, Category::kActivations}));
    // The end comes at once, whatever the interval has left.
    growing.add("alloc 1MiB 3000 input ; end 3001");
    document.stopFollowing();
    EXPECT_EQ(chart.legend().categories(),
              (std::vector<Category>{Category::kWeights, Category::kInput, Category::kActivations}));
}

TEST_F(MemoryChartTest, EventsAreCountedBelowThePlot) {
    open();
    image();
    EXPECT_TRUE(chart.plot().scale().eventTicks().empty()) << "over time the ruler counts";
    const double tall = chart.plot().yOf(0);
    chart.plot().setSpacing(MemoryPlot::Spacing::kEvents);
    const MemoryTimeline& memory = document.memory();
    for (const TimeRange range : {run->range(), TimeRange{Nanoseconds(run->range().end.value / 3),
                                                          Nanoseconds(run->range().end.value / 2)}}) {
        axis.setVisibleRange(range);
        image();
        const std::vector<std::uint64_t> ticks = chart.plot().scale().eventTicks();
        ASSERT_GE(ticks.size(), 2u);
        ASSERT_LE(ticks.size(), 6u) << "90 px apart";
        std::uint64_t round = ticks[1] - ticks[0];
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            EXPECT_EQ(ticks[i], ticks[0] + i * round);
            const Nanoseconds t = memory.eventTime(ticks[i] - 1);
            EXPECT_TRUE(t >= axis.visibleRange().begin && t <= axis.visibleRange().end);
            // Several events may share the moment.
            EXPECT_GE(chart.plot().scale().eventNumberAt(t), ticks[i]);
        }
        while (round % 10 == 0)
            round /= 10;
        EXPECT_TRUE(round == 1 || round == 2 || round == 5) << round;
    }
    EXPECT_LT(chart.plot().yOf(0), tall) << "they have room of their own";
    const Nanoseconds middle = memory.eventTime(memory.eventCount() / 2);
    axis.setCursor(middle);
    EXPECT_TRUE(chart.legend().reading().endsWith(chart.plot().scale().eventWords(middle)));
    EXPECT_EQ(chart.plot().scale().eventWords(memory.eventTime(0) - Nanoseconds(1)),
              "before the first allocator event");
    chart.plot().setSpacing(MemoryPlot::Spacing::kTime);
    image();
    EXPECT_EQ(chart.plot().yOf(0), tall);
}

TEST_F(MemoryChartTest, ThePeakIsTheHighestInView) {
    open();
    const auto whole = test::must(chart.plot().scale().visiblePeak());
    EXPECT_EQ(sumOf(whole.bytes), sumOf(document.memory().peak()->bytes));
    const TimeRange early{Nanoseconds(0), Nanoseconds(run->range().end.value / 8)};
    axis.setVisibleRange(early);
    const auto part = test::must(chart.plot().scale().visiblePeak());
    EXPECT_EQ(part.time, document.memory().peakIn(axis.visibleRange())->time);
    EXPECT_LE(sumOf(part.bytes), sumOf(whole.bytes));
}

TEST_F(MemoryChartTest, PhasesStandInAStripAboveThePlotAndNowhereElse) {
    run = test::traceOf(
        "forward 0-400us ; backward 400us-800us ; gpu forward 100us-500us ; gpu backward 500us-1000us ; "
        "alloc 64 0 ; end 1000us");
    open();
    const MemoryPlot& plot = chart.plot();
    const auto colorAt = [&](const QImage& picture, double share, double y) {
        const QRectF area = plot.scale().plotRect();
        return picture.pixelColor(static_cast<int>(area.left() + share * area.width()), plot.y() + qRound(y));
    };
    const QColor forward = Theme::instance().phaseColor(Phase::kForward),
                 backward = Theme::instance().phaseColor(Phase::kBackward),
                 background = Theme::instance().colors().background;
    EXPECT_EQ(plot.scale().plotRect().top(), 0) << "the lanes above have them";
    chart.plot().setPhaseNames(true);
    QImage picture = image();
    const int named = plot.phases().height(TrackKind::kPhase);
    EXPECT_EQ(plot.phases().height(TrackKind::kGpuPhase), 0);
    EXPECT_EQ(plot.scale().plotRect().top(), named);
    EXPECT_EQ(colorAt(picture, 0.3, 1), forward);
    EXPECT_EQ(colorAt(picture, 0.6, 1), backward);
    EXPECT_EQ(colorAt(picture, 0.9, 1), background) << "the host is in none";
    for (const double share : {0.3, 0.6, 0.9})
        EXPECT_EQ(colorAt(picture, share, named + 2), background) << "nothing lies behind the stack";

    chart.plot().setTicksBeside(true);
    picture = image();
    const int gpu = plot.phases().height(TrackKind::kPhase);
    EXPECT_EQ(plot.scale().plotRect().top(), gpu + plot.phases().height(TrackKind::kGpuPhase));
    EXPECT_EQ(colorAt(picture, 0.45, 1), backward);
    EXPECT_EQ(colorAt(picture, 0.45, gpu + 1), forward) << "the GPU's phases end later";
    EXPECT_EQ(colorAt(picture, 0.9, gpu + 1), backward);
    chart.plot().setSpacing(MemoryPlot::Spacing::kEvents);
    EXPECT_EQ(plot.phases().height(TrackKind::kGpuPhase), 0) << "no pixel is a time of the GPU's";
    run = test::traceOf("alloc 64 0 ; end 1000us");
    open();
    EXPECT_EQ(plot.scale().plotRect().top(), 0) << "without phases there is no strip";
}

TEST_F(MemoryChartTest, ASelectedRangeOutOfViewTintsNothing) {
    open();
    const std::int64_t end = run->range().end.value;
    axis.setVisibleRange({Nanoseconds(end / 3), Nanoseconds(end / 2)});
    const QImage laidOut = image();
    const QRect plot = chart.plot().geometry();
    const QImage before = laidOut.copy(plot);
    for (const TimeRange& range : {TimeRange{Nanoseconds(end / 4), Nanoseconds(end / 3 - end / 100)},
                                   TimeRange{Nanoseconds(end / 2 + end / 100), Nanoseconds(end)}}) {
        axis.setSelectedRange(range);
        EXPECT_EQ(image().copy(plot), before) << range.begin.value;
    }
}

TEST_F(MemoryChartTest, AFiguresLegendNamesThePhasesThatHaveNoRoomForTheirNames) {
    run = test::traceOf(
        "forward 0-400us ; loss 400us-410us ; backward 410us-800us ; optimizer 800us-805us ; "
        "gpu optimizer 405us-1000us ; zero-grad 900us-900100 ; "
        "setup 910us-915us ; teardown 990us-1000us ; alloc 64 0 ; end 1000us");
    open();
    const auto named = [this] {
        QStringList phases;
        for (const LegendEntry& entry : chart.legend().entries()) {
            if (entry.name.contains(" phase"))
                phases << entry.name;
        }
        return phases;
    };
    image();
    EXPECT_TRUE(named().isEmpty());
    {
        constexpr QSize kNarrow(300, 240);
        FigureMode figure(chart, kNarrow);
        withWidgetAt(chart, kNarrow, [&] {
            figure.fit();
            EXPECT_EQ(named(), QStringList({"setup and teardown phases", "loss phase"}))
                << "the optimizer is named in the GPU's row, and zero-grad is less than a pixel";
            EXPECT_EQ(chart.plot().y(), chart.legend().height()) << "laid out below a legend of two rows";
            const int before = chart.height();
            EXPECT_EQ(figure.contentHeight(1000), before + static_cast<int>(kLegendRow))
                << "where its height is free, the plot loses none to the second row";
        });
    }
    EXPECT_TRUE(named().isEmpty());
}

TEST_F(MemoryChartTest, TheScaleHoldsTheRunHoweverLowThePlotIs) {
    run = test::traceOf("forward 0-400us ; alloc 10MiB 0 ; end 1000us");
    open();
    for (int height = 0; height < 300; ++height) {
        chart.plot().resize(500, height);
        chart.plot().invalidate();
        const auto top = static_cast<double>(chart.plot().scale().top());
        ASSERT_GE(top, 10 << 20) << height;
        ASSERT_LE(top, 1.25 * (10 << 20)) << height;
    }
}

TEST_F(MemoryChartTest, TheCursorIsDrawnWhereItIs) {
    open();
    const QImage without = image();
    axis.setCursor(Nanoseconds(run->range().end.value / 2));
    const QImage with = image();
    const int x = static_cast<int>(chart.plot().xOf(*axis.cursor()));
    const int top = chart.legend().height();
    for (int column = 100; column < kSize.width(); ++column) {
        const QRect line(column, top, 1, kSize.height() - top);
        EXPECT_EQ(test::differingPixels(without.copy(line), with.copy(line)) > 100, column == x) << column;
    }
}

TEST_F(MemoryChartTest, DrawsAtEverySizeAndRatioAndWithoutARun) {
    for (const bool opened : {false, true}) {
        if (opened)
            open();
        for (const QSize size : {QSize(16, 16), QSize(100, 40), QSize(101, 60), QSize(1600, 500)}) {
            for (const qreal ratio : {1.0, 2.0}) {
                const QImage picture = renderWidget(chart, size, ratio);
                EXPECT_EQ(picture.size(), size * ratio);
            }
        }
    }
    // Twice the pixels show more than the same pixels twice.
    const QImage fine = renderWidget(chart, kSize, 2);
    const auto differs = [&](int x, int y) {
        return fine.pixel(2 * x, 2 * y) != fine.pixel(2 * x + 1, 2 * y);
    };
    EXPECT_GT(
        test::countPixels(QRect(QPoint(100, 40), QPoint(kSize.width() - 1, kSize.height() - 1)), differs), 0);
}

TEST_F(MemoryChartTest, FollowsTheThemeAndAGrowingRun) {
    open();
    const QColor dark = image().pixelColor(50, 200);
    Theme::instance().setKind(ThemeKind::kLight);
    const QColor light = image().pixelColor(50, 200);
    Theme::instance().setKind(ThemeKind::kDark);
    EXPECT_EQ(dark, Theme::colorsOf(ThemeKind::kDark).background);
    EXPECT_EQ(light, Theme::colorsOf(ThemeKind::kLight).background);

    document.setSnapshot(test::makeManyMemoryEvents(5000));
    axis.setFullRange(document.snapshot()->range());
    image();
    const auto columns = document.memory().columns(axis.visibleRange(), 500);
    EXPECT_EQ(chart.plot().stack().sums().back()[250], sumOf(columns[250].atPeak));
}

}  // namespace warpglass::ui::memory_chart_test
