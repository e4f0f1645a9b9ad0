// The chart's graphs against a replay of every event, its pixels, and the gestures.
#include "ui/charts/memory_chart.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/plan/memory_prediction.h"
#include "tests/support/synthetic_trace.h"
#include "ui/charts/memory_legend.h"
#include "ui/charts/memory_plot.h"
#include "ui/models/run_filter.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

constexpr QSize kSize(600, 240);

class MemoryChartTest : public testing::Test {
protected:
    MemoryChartTest() : run(test::makeSyntheticRun()), chart(document, axis) {
        chart.setLabelWidth(100);
        chart.resize(kSize);
    }
    void open() {
        document.setSnapshot(run);
        axis.setFullRange(run->range());
    }
    QImage image() { return renderWidget(chart, kSize, 1); }
    /// In the plot's own coordinates.
    QPoint at(Nanoseconds t) { return {static_cast<int>(chart.plot().xOf(t)), 100}; }
    void move(QPoint to, Qt::MouseButtons buttons = {}, Qt::KeyboardModifiers keys = {}) {
        QMouseEvent event(QEvent::MouseMove, to, chart.plot().mapToGlobal(to), Qt::NoButton, buttons, keys);
        QApplication::sendEvent(&chart.plot(), &event);
    }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    MemoryChart chart;
};

TEST_F(MemoryChartTest, GraphsAreTheSumsAtEachColumnsPeak) {
    open();
    for (const TimeRange range : {run->range(), TimeRange{Nanoseconds(run->range().end.value / 3),
                                                          Nanoseconds(run->range().end.value / 2)}}) {
        axis.setVisibleRange(range);
        image();
        const auto columns = document.memory().columns(axis.visibleRange(), 500);
        ASSERT_EQ(columns.size(), 500u);
        for (std::size_t category = 0; category < kCategoryCount; ++category) {
            const QCPGraph& graph = chart.plot().graphOf(static_cast<Category>(category));
            ASSERT_EQ(graph.dataCount(), 501);
            bool any = false;
            for (std::size_t c = 0; c < columns.size(); ++c) {
                std::int64_t sum = 0;
                for (std::size_t k = 0; k <= category; ++k)
                    sum += columns[c].atPeak[k];
                any = any || columns[c].atPeak[category] != 0;
                EXPECT_EQ(graph.data()->at(static_cast<int>(c))->value, static_cast<double>(sum));
            }
            EXPECT_EQ(graph.visible(), any);
        }
    }
}

TEST_F(MemoryChartTest, TimeThatTheFilterLeavesOutIsVeiled) {
    open();
    RunFilter filter(document, axis);
    filter.setSteps(RunFilter::Steps::kAll);
    chart.plot().setFilter(&filter);
    const auto veiled = [&](const QImage& all) {
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
    EXPECT_TRUE(veiled(all).empty());
    filter.setSteps(RunFilter::Steps::kMeasured);
    const auto host = filter.extent().host;
    ASSERT_TRUE(host);
    const auto out = veiled(all);
    EXPECT_GT(out.size(), 50u);
    for (const int x : out)
        EXPECT_FALSE(host->contains(chart.plot().timeAt(x + 1)) && host->contains(chart.plot().timeAt(x - 1)))
            << x;
    EXPECT_TRUE(out.contains(static_cast<int>(chart.plot().xOf(host->begin)) - 3));
    // Where steps say nothing of what is beside it, only by what is selected.
    chart.plot().setFilter(&filter, false);
    EXPECT_TRUE(veiled(all).empty());
    filter.pick(*longestSpan(*run, TrackKind::kPhase, run->findName("backward"), {}));
    EXPECT_GT(veiled(all).size(), 300u);
}

TEST_F(MemoryChartTest, PixelsShowTheCategoryThatIsThere) {
    open();
    const QImage picture = image();
    const int top = chart.legend().height();
    std::uint64_t random = 9;
    int checked = 0;
    for (int i = 0; i < 400; ++i) {
        const int column = static_cast<int>(test::nextRandom(random) % 500);
        const auto cells = document.memory().columns(axis.visibleRange(), 500);
        const CategoryBytes bytes = cells[static_cast<std::size_t>(column)].atPeak;
        std::int64_t below = 0;
        for (std::size_t c = 0; c < kCategoryCount; ++c) {
            const double y0 = chart.plot().yOf(below + bytes[c]), y1 = chart.plot().yOf(below);
            below += bytes[c];
            if (y1 - y0 < 6)
                continue;
            // The middle of the band, away from labels at the left and from grid lines.
            const QPoint pixel(100 + column, top + static_cast<int>((y0 + y1) / 2));
            const QColor seen = picture.pixelColor(pixel);
            const QColor wanted = Theme::categoryColor(static_cast<Category>(c));
            if (column < 80 || seen.lightness() != wanted.lightness())
                continue;
            EXPECT_EQ(seen, wanted);
            ++checked;
        }
    }
    EXPECT_GT(checked, 300);
}

TEST_F(MemoryChartTest, StacksOfModulesAndOpsAreTheSumsOfTheirAllocations) {
    open();
    auto* stack = chart.findChild<QComboBox*>(QStringLiteral("memoryStack"));
    ASSERT_NE(stack, nullptr);
    for (const int by : {1, 2}) {
        stack->setCurrentIndex(by);
        emit stack->activated(by);
        image();
        const MemoryGroups groups(document.memory(), by == 1 ? MemoryGrouping::kModule : MemoryGrouping::kOp);
        EXPECT_EQ(chart.plot().groupNames(), groups.names());
        EXPECT_EQ(chart.legend().groups(), groups.names());
        const auto columns = document.memory().columns(axis.visibleRange(), 500);
        MemoryGroups::Cursor cursor(groups, document.memory());
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const MemoryGroups::Bytes9 parts = cursor.after(columns[c].peakEvents);
            std::int64_t sum = 0;
            for (std::size_t part = 0; part < parts.size(); ++part) {
                sum += parts[part];
                ASSERT_EQ(chart.plot().groupGraph(part).data()->at(static_cast<int>(c))->value,
                          static_cast<double>(sum));
            }
            EXPECT_EQ(sum, columns[c].maxTotal) << "the outline is that of the categories";
        }
        EXPECT_FALSE(chart.plot().graphOf(Category::kWeights).visible());
    }
    emit stack->activated(0);
    image();
    EXPECT_TRUE(chart.plot().graphOf(Category::kWeights).visible());
    EXPECT_TRUE(chart.legend().groups().empty());
}

TEST_F(MemoryChartTest, TheChoicesStayWhereTheyAreWhateverRowsTheLegendNeeds) {
    open();
    constexpr QSize kNarrow(300, 240);
    chart.resize(kNarrow);
    auto* stack = chart.findChild<QComboBox*>(QStringLiteral("memoryStack"));
    const auto* spacing = chart.findChild<QComboBox*>(QStringLiteral("memorySpacing"));
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
    auto* spacing = chart.findChild<QComboBox*>(QStringLiteral("memorySpacing"));
    ASSERT_NE(spacing, nullptr);
    emit spacing->activated(1);
    image();
    const MemoryTimeline& memory = document.memory();
    const std::uint64_t count = memory.eventCount();
    const auto columns = memory.columnsOfEvents(0, count, 500);
    const QCPGraph& top = chart.plot().graphOf(Category::kUnknown);
    for (std::size_t c = 0; c < columns.size(); ++c)
        ASSERT_EQ(top.data()->at(static_cast<int>(c))->value, static_cast<double>(columns[c].maxTotal));
    EXPECT_EQ(axis.visibleRange(), run->range());
    for (int x = 100; x < 600; x += 25) {
        const Nanoseconds t = chart.plot().timeAt(x);
        const auto event = static_cast<std::uint64_t>((x - 100.0) / 500 * static_cast<double>(count));
        EXPECT_EQ(t, memory.eventTime(event));
        // Several events may share the moment.
        EXPECT_GE(chart.plot().xOf(t) + 0.01,
                  100 + static_cast<double>(event) * 500 / static_cast<double>(count));
    }
    move({350, 100});
    EXPECT_EQ(axis.cursor(), chart.plot().timeAt(350));
}

TEST_F(MemoryChartTest, ThePredictedPeakIsThatOfTheRunsConfiguration) {
    open();
    ASSERT_TRUE(chart.plot().predictedPeak());
    EXPECT_EQ(*chart.plot().predictedPeak(), predictMemory(test::syntheticConfig()).total());
    document.clear();
    EXPECT_FALSE(chart.plot().predictedPeak());
}

TEST_F(MemoryChartTest, TheLegendHasTheCategoriesThatOccur) {
    open();
    std::set<Category> expected;
    for (std::uint64_t a = 0; a < run->allocationCount(); ++a)
        expected.insert(run->categoryOf(AllocationId(a)));
    const auto& shown = chart.legend().categories();
    for (const Category category : shown)
        EXPECT_TRUE(expected.count(category));
    EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
    EXPECT_GE(shown.size(), 4u);
    EXPECT_FALSE(std::count(shown.begin(), shown.end(), Category::kWorkspace));
    document.clear();
    EXPECT_TRUE(chart.legend().categories().empty());
}

TEST_F(MemoryChartTest, TheLegendFollowsARunThatGrows) {
    TraceWriter writer;
    const auto allocate = [&](std::int64_t time, Category category) {
        AllocationRow row;
        row.bytes = row.requested = 1 << 20;
        row.category = category;
        writer.appendAllocation(Nanoseconds(time), row);
        writer.settle();
        writer.commit(Nanoseconds(time + 1));
    };
    const auto shows = [&](const std::vector<Category>& categories) {
        return QTest::qWaitFor([&] { return chart.legend().categories() == categories; }, 60'000);
    };
    chart.show();
    document.follow(writer.feed());
    allocate(1000, Category::kWeights);
    EXPECT_TRUE(shows({Category::kWeights}));
    allocate(2000, Category::kActivations);
    EXPECT_TRUE(shows({Category::kWeights, Category::kActivations}));
    // The end comes at once, whatever the interval has left.
    allocate(3000, Category::kInput);
    document.stopFollowing();
    EXPECT_EQ(chart.legend().categories(),
              (std::vector<Category>{Category::kWeights, Category::kInput, Category::kActivations}));
}

TEST_F(MemoryChartTest, WhatIsReservedIsALineOverTheStack) {
    open();
    image();
    EXPECT_FALSE(chart.legend().reserved());
    EXPECT_FALSE(chart.plot().reservedGraph().visible());

    TraceWriter writer;
    const auto allocate = [&](std::int64_t t, std::int64_t bytes, double reserved) {
        AllocationRow row;
        row.bytes = row.requested = bytes;
        writer.appendAllocation(Nanoseconds(t), row);
        writer.appendCounter(Nanoseconds(t), writer.internName("memory reserved"), reserved);
    };
    allocate(0, 1 << 20, 3 << 20);
    allocate(50000, 1 << 20, 3 << 20);
    allocate(60000, 2 << 20, 9 << 20);
    writer.settle();
    writer.commit(Nanoseconds(100000));
    run = writer.feed()->latest();
    open();
    const QImage picture = image();
    EXPECT_TRUE(chart.legend().reserved());
    const QCPGraph& line = chart.plot().reservedGraph();
    ASSERT_TRUE(line.visible());
    ASSERT_EQ(line.dataCount(), 501);
    for (int c = 0; c < 500; ++c)
        EXPECT_EQ(line.data()->at(c)->value, c < 300 ? 3 << 20 : 9 << 20) << c;
    // All of it is in the picture, above what is allocated.
    const int y = chart.legend().height() + static_cast<int>(chart.plot().yOf(9 << 20));
    ASSERT_GT(y, chart.legend().height());
    std::set<QRgb> seen;
    for (int dy = -1; dy <= 1; ++dy)
        seen.insert(picture.pixel(100 + 450, y + dy));
    EXPECT_TRUE(seen.count(Theme::instance().colors().secondaryText.rgb()));
    EXPECT_EQ(sumOf(chart.plot().visiblePeak()->bytes), 4 << 20);
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
        const double y = chart.plot().yAxis->coordToPixel(static_cast<double>(columns[c].maxTotal));
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
std::shared_ptr<const Snapshot> tenMebibytes(const std::vector<std::pair<std::string, std::string>>& info) {
    TraceWriter writer;
    for (const auto& [key, value] : info)
        writer.setInfo(key, value);
    AllocationRow row;
    row.bytes = row.requested = 10 << 20;
    writer.appendAllocation(Nanoseconds(10), row);
    writer.settle();
    writer.commit(Nanoseconds(1000));
    return writer.feed()->latest();
}

std::string mebibytes(std::int64_t count) {
    return std::to_string(count << 20);
}

TEST_F(MemoryChartTest, TheLimitIsALineWhereItIsNear) {
    const auto levelsOf = [&](const std::vector<std::pair<std::string, std::string>>& info) {
        run = tenMebibytes(info);
        open();
        image();
        return chart.plot().levels();
    };
    EXPECT_TRUE(levelsOf({}).empty());
    EXPECT_TRUE(levelsOf({{"config.memory-limit", mebibytes(17)}}).empty()) << "more than 1.6 times as much";
    const auto given =
        levelsOf({{"config.memory-limit", mebibytes(12)}, {"device.memory_bytes", mebibytes(99)}});
    ASSERT_EQ(given.size(), 1u);
    EXPECT_EQ(given[0].bytes, 12 << 20);
    EXPECT_TRUE(given[0].limit);
    EXPECT_TRUE(given[0].text.startsWith(QStringLiteral("limit 12")));
    const auto device = levelsOf({{"config.memory-limit", "0"}, {"device.memory_bytes", mebibytes(15)}});
    ASSERT_EQ(device.size(), 1u);
    EXPECT_TRUE(device[0].text.startsWith(QStringLiteral("device memory 15")));

    // Where memory ran out it is always there, and drawn as far up as the run can still be read.
    const std::vector<std::pair<std::string, std::string>> out = {{"state", std::string(run_state::kFailed)},
                                                                  {"allocator.request_bytes", mebibytes(80)}};
    auto far = out;
    far.emplace_back("device.memory_bytes", std::to_string(std::numeric_limits<std::int64_t>::max()));
    ASSERT_EQ(levelsOf(far).size(), 1u);
    EXPECT_TRUE(chart.plot().levels()[0].above);
    const auto ranOut = levelsOf({{"config.memory-limit", mebibytes(40)},
                                  {"state", std::string(run_state::kFailed)},
                                  {"allocator.request_bytes", mebibytes(80)}});
    ASSERT_EQ(ranOut.size(), 1u);
    EXPECT_EQ(ranOut[0].bytes, 40 << 20);
    EXPECT_GT(chart.plot().yOf(40 << 20), 0);
    const QImage picture = image();
    const int y = chart.legend().height() + static_cast<int>(std::floor(chart.plot().yOf(40 << 20)));
    const QRgb line = Theme::instance().colors().warning.rgb();
    int seen = 0;
    for (int x = 100; x < kSize.width(); ++x)
        seen += picture.pixel(x, y) == line;
    EXPECT_GT(seen, 350);
}

TEST_F(MemoryChartTest, AForecastAboveTheScaleIsNamedWithoutALine) {
    std::vector<std::pair<std::string, std::string>> info;
    for (const auto& [key, value] : toPairs(test::syntheticConfig()))
        info.emplace_back(key, value);
    const std::int64_t predicted = predictMemory(test::syntheticConfig()).total().value;
    ASSERT_LT(predicted, 16 << 20) << "of the run of 10 MiB this is in view";
    run = tenMebibytes(info);
    open();
    ASSERT_EQ(chart.plot().levels().size(), 1u);
    EXPECT_FALSE(chart.plot().levels()[0].above);
    EXPECT_EQ(chart.plot().levels()[0].bytes, predicted);

    TraceWriter writer;
    for (const auto& [key, value] : info)
        writer.setInfo(key, value);
    AllocationRow row;
    row.bytes = row.requested = predicted / 2;
    writer.appendAllocation(Nanoseconds(10), row);
    writer.settle();
    writer.commit(Nanoseconds(1000));
    run = writer.feed()->latest();
    open();
    ASSERT_EQ(chart.plot().levels().size(), 1u);
    EXPECT_TRUE(chart.plot().levels()[0].above);
    EXPECT_TRUE(chart.plot().levels()[0].text.contains(QStringLiteral("above the scale")));
    EXPECT_LT(chart.plot().yOf(predicted), 0);
}

TEST_F(MemoryChartTest, EventsAreCountedBelowThePlot) {
    open();
    image();
    EXPECT_TRUE(chart.plot().eventTicks().empty()) << "over time the ruler counts";
    const double tall = chart.plot().yOf(0);
    chart.plot().setSpacing(MemoryPlot::Spacing::kEvents);
    const MemoryTimeline& memory = document.memory();
    for (const TimeRange range : {run->range(), TimeRange{Nanoseconds(run->range().end.value / 3),
                                                          Nanoseconds(run->range().end.value / 2)}}) {
        axis.setVisibleRange(range);
        image();
        const std::vector<std::uint64_t> ticks = chart.plot().eventTicks();
        ASSERT_GE(ticks.size(), 2u);
        ASSERT_LE(ticks.size(), 6u) << "90 px apart";
        std::uint64_t round = ticks[1] - ticks[0];
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            EXPECT_EQ(ticks[i], ticks[0] + i * round);
            const Nanoseconds t = memory.eventTime(ticks[i] - 1);
            EXPECT_TRUE(t >= axis.visibleRange().begin && t <= axis.visibleRange().end);
            // Several events may share the moment.
            EXPECT_GE(chart.plot().eventNumberAt(t), ticks[i]);
        }
        while (round % 10 == 0)
            round /= 10;
        EXPECT_TRUE(round == 1 || round == 2 || round == 5) << round;
    }
    EXPECT_LT(chart.plot().yOf(0), tall) << "they have room of their own";
    const Nanoseconds middle = memory.eventTime(memory.eventCount() / 2);
    axis.setCursor(middle);
    EXPECT_TRUE(chart.legend().reading().endsWith(chart.plot().eventWords(middle)));
    EXPECT_EQ(chart.plot().eventWords(memory.eventTime(0) - Nanoseconds(1)),
              QStringLiteral("before the first allocator event"));
    chart.plot().setSpacing(MemoryPlot::Spacing::kTime);
    image();
    EXPECT_EQ(chart.plot().yOf(0), tall);
}

TEST_F(MemoryChartTest, ThePeakIsTheHighestInView) {
    open();
    const auto whole = chart.plot().visiblePeak();
    ASSERT_TRUE(whole);
    EXPECT_EQ(sumOf(whole->bytes), sumOf(document.memory().peak()->bytes));
    const TimeRange early{Nanoseconds(0), Nanoseconds(run->range().end.value / 8)};
    axis.setVisibleRange(early);
    const auto part = chart.plot().visiblePeak();
    ASSERT_TRUE(part);
    EXPECT_EQ(part->time, document.memory().peakIn(axis.visibleRange())->time);
    EXPECT_LE(sumOf(part->bytes), sumOf(whole->bytes));
}

TEST_F(MemoryChartTest, TimeAndPixelAgree) {
    open();
    image();
    EXPECT_EQ(chart.plot().timeAt(100), axis.visibleRange().begin);
    EXPECT_EQ(chart.plot().timeAt(600), axis.visibleRange().end);
    EXPECT_EQ(chart.plot().timeAt(0), axis.visibleRange().begin) << "the label column";
    for (int x = 100; x <= 600; x += 7)
        EXPECT_NEAR(chart.plot().xOf(chart.plot().timeAt(x)), x, 1e-3);
}

TEST_F(MemoryChartTest, HoverMovesTheSharedCursorAndLeavingClearsIt) {
    open();
    image();
    const Nanoseconds middle(run->range().end.value / 2);
    move(at(middle));
    ASSERT_TRUE(axis.cursor());
    EXPECT_NEAR(static_cast<double>(axis.cursor()->value), static_cast<double>(middle.value),
                static_cast<double>(run->range().end.value) / 400);
    EXPECT_FALSE(chart.legend().reading().isEmpty());
    move({50, 100});
    EXPECT_FALSE(axis.cursor()) << "labels have no time";
    move(at(middle));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&chart.plot(), &leave);
    EXPECT_FALSE(axis.cursor());
    EXPECT_TRUE(chart.legend().reading().isEmpty());
}

TEST_F(MemoryChartTest, AClickFixesTheCursorAndShiftDragSelects) {
    open();
    image();
    const Nanoseconds a(run->range().end.value / 4), b(run->range().end.value / 2);
    QTest::mouseClick(&chart.plot(), Qt::LeftButton, Qt::NoModifier, at(a));
    EXPECT_EQ(axis.pinnedCursor(), chart.plot().timeAt(at(a).x()));
    EXPECT_FALSE(axis.selectedRange());

    QTest::mousePress(&chart.plot(), Qt::LeftButton, Qt::ShiftModifier, at(b));
    move(at(a), Qt::LeftButton, Qt::ShiftModifier);
    QTest::mouseRelease(&chart.plot(), Qt::LeftButton, Qt::ShiftModifier, at(a));
    ASSERT_TRUE(axis.selectedRange());
    EXPECT_EQ(axis.selectedRange()->begin, chart.plot().timeAt(at(a).x()));
    EXPECT_EQ(axis.selectedRange()->end, chart.plot().timeAt(at(b).x()));
    EXPECT_EQ(axis.visibleRange(), run->range()) << "selecting does not pan";
}

TEST_F(MemoryChartTest, WheelZoomsAtThePointerAndDraggingPans) {
    open();
    image();
    const QPoint pointer(350, 100);
    const Nanoseconds anchor = chart.plot().timeAt(pointer.x());
    QWheelEvent wheel(pointer, chart.plot().mapToGlobal(pointer), {}, {0, 120 * 5}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&chart.plot(), &wheel);
    const TimeRange zoomed = axis.visibleRange();
    EXPECT_NEAR(static_cast<double>(zoomed.duration().value),
                std::pow(0.8, 5) * static_cast<double>(run->range().duration().value), 2);
    EXPECT_NEAR(chart.plot().xOf(anchor), pointer.x(), 0.5);

    QTest::mousePress(&chart.plot(), Qt::LeftButton, Qt::NoModifier, pointer);
    move(pointer + QPoint(50, 0), Qt::LeftButton);
    QTest::mouseRelease(&chart.plot(), Qt::LeftButton, Qt::NoModifier, pointer + QPoint(50, 0));
    EXPECT_EQ(axis.visibleRange().duration(), zoomed.duration());
    EXPECT_NEAR(chart.plot().xOf(anchor), pointer.x() + 50, 0.5) << "what was taken stays under the pointer";
    EXPECT_FALSE(axis.pinnedCursor()) << "a drag is not a click";
    QTest::keyClick(&chart.plot(), Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&chart.plot(), Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), run->range());
}

TEST_F(MemoryChartTest, KeysWasdMoveTheAxis) {
    open();
    image();
    QTest::keyClick(&chart.plot(), Qt::Key_W);
    const TimeRange in = axis.visibleRange();
    EXPECT_LT(in.duration(), run->range().duration());
    QTest::keyClick(&chart.plot(), Qt::Key_D);
    EXPECT_GT(axis.visibleRange().begin, in.begin);
    QTest::keyClick(&chart.plot(), Qt::Key_A);
    EXPECT_EQ(axis.visibleRange(), in);
    QTest::keyClick(&chart.plot(), Qt::Key_S);
    EXPECT_GT(axis.visibleRange().duration(), in.duration());
    QTest::keyClick(&chart.plot(), Qt::Key_P);
    ASSERT_TRUE(axis.pinnedCursor());
    EXPECT_EQ(axis.pinnedCursor(), chart.plot().visiblePeak()->time);
}

TEST_F(MemoryChartTest, TheCursorIsDrawnWhereItIs) {
    open();
    const QImage without = image();
    axis.setCursor(Nanoseconds(run->range().end.value / 2));
    const QImage with = image();
    const int x = static_cast<int>(chart.plot().xOf(*axis.cursor()));
    for (int column = 100; column < kSize.width(); ++column) {
        int changed = 0;
        for (int y = chart.legend().height(); y < kSize.height(); ++y)
            changed += without.pixel(column, y) != with.pixel(column, y);
        EXPECT_EQ(changed > 100, column == x) << column;
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
    bool differs = false;
    for (int y = 80; y + 1 < fine.height() && !differs; y += 2) {
        for (int x = 200; x + 1 < fine.width() && !differs; x += 2)
            differs = fine.pixel(x, y) != fine.pixel(x + 1, y);
    }
    EXPECT_TRUE(differs);
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
    EXPECT_EQ(chart.plot().graphOf(Category::kUnknown).data()->at(250)->value,
              static_cast<double>(sumOf(columns[250].atPeak)));
}

}  // namespace
}  // namespace warpglass::ui
