#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTest>
#include <cmath>
#include <set>

#include "engine/sweep/sweep_chart.h"
#include "engine/tables/series_choices.h"
#include "tests/support/made_sweep.h"
#include "tests/support/pixels.h"
#include "tests/support/show_unseen.h"
#include "ui/charts/data_chart.h"
#include "ui/charts/data_ticks.h"
#include "ui/controls/refresh.h"
#include "ui/theme/group_colors.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::data_plot_test {

SweepView viewOf(ChartKind kind) {
    return {.measure = "forward_mean_ns",
            .kind = kind,
            .x = "context",
            .series = "attention",
            .logX = true,
            .logY = true,
            .fit = true};
}

QStringList legendOf(const DataPlot& plot) {
    QStringList names;
    for (const LegendEntry& entry : plot.legend())
        names << entry.name;
    return names;
}

class DataPlotTest : public testing::TestWithParam<ChartKind> {
protected:
    DataPlotTest() {
        test::showUnseen(m_chart, {900, 560});
        show(viewOf(GetParam()));
    }
    void show(const SweepView& view) {
        m_chart.setChart(sweepChart(m_sweep, view));
        QCoreApplication::processEvents();
    }
    DataPlot& plot() { return m_chart.plot(); }
    void click(int mark, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&plot(), Qt::LeftButton, modifiers, plot().markRect(mark).center().toPoint());
    }

    Sweep m_sweep = test::madeSweep();
    DataChart m_chart;
};

/// Whatever was shown before: logarithmic axes leave nothing behind.
TEST_P(DataPlotTest, IsDrawnAlikeAfterAChartOfLogarithmicAxes) {
    const QImage fresh = plot().grab().toImage();
    show(viewOf(ChartKind::kLines));
    plot().grab();
    show(viewOf(GetParam()));
    EXPECT_EQ(plot().grab().toImage(), fresh);
}

TEST_P(DataPlotTest, EveryCellCanBePointedAtAndLeadsToItsSource) {
    ASSERT_EQ(plot().markCount(), 12);
    std::set<std::int64_t> sources;
    QSignalSpy chosen(&plot(), &DataPlot::sourceChosen);
    for (int mark = 0; mark < plot().markCount(); ++mark) {
        const QRectF rect = plot().markRect(mark);
        EXPECT_FALSE(rect.isEmpty());
        const bool isInBand = plot().pointOf(mark).isUnmeasured() && !plot().unmeasuredBand().isEmpty();
        EXPECT_TRUE(
            (isInBand ? plot().unmeasuredBand() : plot().plotRect()).adjusted(-8, -8, 8, 8).contains(rect))
            << mark;
        click(mark);
        ASSERT_EQ(chosen.size(), mark + 1);
        EXPECT_EQ(chosen.back()[0].toLongLong(), plot().pointOf(mark).source);
        EXPECT_FALSE(chosen.back()[1].toBool());
        sources.insert(plot().pointOf(mark).source);
        const SweepCell& cell = m_sweep.cells[static_cast<std::size_t>(plot().pointOf(mark).source)];
        const QString tip = plot().toolTipOf(mark);
        if (cell.state == CellState::kOutOfMemory)
            EXPECT_TRUE(tip.contains("Memory ran out.")) << tip.toStdString();
        else
            EXPECT_TRUE(tip.contains(
                QString::fromStdString(exactCell(*cell.figure("forward_mean_ns"), Unit::kNanoseconds))))
                << tip.toStdString();
    }
    EXPECT_EQ(sources.size(), 12U);
    click(1, Qt::ControlModifier);
    EXPECT_TRUE(chosen.back()[1].toBool());
}

TEST_P(DataPlotTest, ArrowsReachEveryCellAndEnterOpensIt) {
    QSignalSpy activated(&plot(), &DataPlot::sourceActivated);
    plot().setFocus();
    std::set<int> reached;
    for (const int key : {Qt::Key_Up, Qt::Key_Down}) {
        QTest::keyClick(&plot(), Qt::Key_Home);
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < 8; ++i) {
                reached.insert(plot().chosen());
                QTest::keyClick(&plot(), Qt::Key_Right);
            }
            for (int i = 0; i < 8; ++i) {
                reached.insert(plot().chosen());
                QTest::keyClick(&plot(), Qt::Key_Left);
            }
            QTest::keyClick(&plot(), static_cast<Qt::Key>(key));
        }
    }
    EXPECT_EQ(reached.size(), 12U);
    QTest::keyClick(&plot(), Qt::Key_Return);
    ASSERT_EQ(activated.size(), 1);
    EXPECT_EQ(activated[0][0].toLongLong(), plot().pointOf(plot().chosen()).source);
    EXPECT_FALSE(plot().accessibleDescription().isEmpty());
}

TEST_P(DataPlotTest, WhatRanOutOfMemoryIsExplained) {
    const QStringList names = legendOf(plot());
    EXPECT_EQ(names.contains("× out of memory"), GetParam() != ChartKind::kLines)
        << "of lines the band is titled so: " << names.join('|').toStdString();
    EXPECT_EQ(plot().unmeasuredBand().isEmpty(), GetParam() != ChartKind::kLines);
    EXPECT_EQ(m_chart.notes().section('.', 0, 0), "1 cell ran out of memory");
}

TEST_P(DataPlotTest, TheChosenCellStaysChosenInAnotherKindOfChart) {
    click(7);
    const std::int64_t source = plot().pointOf(7).source;
    for (const ChartKind kind : {ChartKind::kBars, ChartKind::kHeatMap, ChartKind::kLines}) {
        show(viewOf(kind));
        ASSERT_GE(plot().chosen(), 0);
        EXPECT_EQ(plot().pointOf(plot().chosen()).source, source);
    }
}

TEST_P(DataPlotTest, FollowsTheTheme) {
    const auto colors = [&] {
        std::vector<QColor> colors;
        for (const LegendEntry& entry : plot().legend())
            colors.push_back(entry.color);
        return colors;
    };
    show([] {
        SweepView view = viewOf(GetParam());
        view.fit = false;
        return view;
    }());
    const auto dark = colors();
    const QImage darkPicture = renderWidget(m_chart, {400, 300}, 1);
    Theme::instance().setKind(ThemeKind::kLight);
    const auto light = colors();
    const QImage lightPicture = renderWidget(m_chart, {400, 300}, 1);
    Theme::instance().setKind(ThemeKind::kDark);
    EXPECT_NE(darkPicture, lightPicture);
    // The names of bars are in the legend, with their colors.
    EXPECT_EQ(dark != light, GetParam() == ChartKind::kBars);
}

TEST_P(DataPlotTest, DrawsWhateverThereIs) {
    m_chart.setChart({.kind = GetParam()});
    EXPECT_FALSE(plot().emptyText().isEmpty());
    renderWidget(m_chart, {400, 300}, 1);
    for (const int waiting : {24, 23, 12}) {
        m_sweep = test::madeSweep({.waiting = waiting});
        show(viewOf(GetParam()));
        for (const QSize size : {QSize(60, 40), QSize(300, 200), QSize(1600, 900)})
            EXPECT_FALSE(renderWidget(m_chart, size, 1).isNull());
    }
    Chart odd = sweepChart(m_sweep, viewOf(GetParam()));
    for (ChartSeries& series : odd.series) {
        for (ChartPoint& point : series.points) {
            point.y = GetParam() == ChartKind::kHeatMap ? point.y : -1e300;
            point.value = 0;
            point.deviation = 1e300;
        }
    }
    m_chart.setChart(odd);
    renderWidget(m_chart, {400, 300}, 1);
}

INSTANTIATE_TEST_SUITE_P(Kinds, DataPlotTest,
                         testing::Values(ChartKind::kLines, ChartKind::kBars, ChartKind::kHeatMap),
                         [](const auto& info) {
                             return info.param == ChartKind::kLines  ? "Lines"
                                    : info.param == ChartKind::kBars ? "Bars"
                                                                     : "HeatMap";
                         });

TEST(DataPlotScale, PointsStandWhereTheirValuesAre) {
    DataPlot plot;
    plot.resize(800, 500);
    Chart chart;
    chart.x.logarithmic = chart.y.logarithmic = true;
    chart.series.resize(1);
    for (int i = 0; i < 5; ++i) {
        ChartPoint point{.x = std::exp2(i), .y = std::exp2(2 * i), .source = i};
        chart.series[0].points.push_back(point);
    }
    plot.setChart(chart);
    // A power law is a straight line on logarithmic axes: steps across and up are the same everywhere.
    for (int i = 2; i < 5; ++i) {
        const QPointF step = plot.markRect(i).center() - plot.markRect(i - 1).center();
        const QPointF first = plot.markRect(1).center() - plot.markRect(0).center();
        EXPECT_NEAR(step.x(), first.x(), 1e-6);
        EXPECT_NEAR(step.y(), first.y(), 1e-6);
        EXPECT_GT(step.x(), 0);
        EXPECT_LT(step.y(), 0);
    }
    chart.x.logarithmic = chart.y.logarithmic = false;
    plot.setChart(chart);
    const auto y = [&](int i) { return plot.markRect(i).center().y(); };
    EXPECT_NEAR((y(0) - y(1)) / 3, (y(3) - y(4)) / 192, 1e-6);
}

/// Two series that run out of memory at one length: neither cross hides the other.
TEST(DataPlotLines, WhatRanOutOfMemoryStandsInARowOfItsSeries) {
    Chart made{.key = "rows", .title = "Rows"};
    made.x = {"Length", Unit::kCount, true};
    made.y = {"Time", Unit::kNanoseconds, true};
    for (const char* name : {"naive", "math"})
        made.series.push_back({name,
                               {{.x = 256, .y = 1e6},
                                {.x = 512, .y = 4e6},
                                {.x = 1024, .y = 16e6},
                                {.x = 2048, .state = PointState::kOutOfMemory}}});
    made.series.push_back({"∝ n^2.00 ± 0.00", {{.x = 256, .y = 1e6}, {.x = 1024, .y = 16e6}}, true, 0});
    made.series.push_back({"math, predicted", {{.x = 256, .y = 1e6}, {.x = 1024, .y = 17e6}}, true, 1});
    DataPlot plot;
    plot.resize(700, 400);
    plot.setChart(made);
    ASSERT_EQ(plot.markCount(), 8);
    EXPECT_FALSE(plot.markRect(3).intersects(plot.markRect(7)));
    EXPECT_EQ(plot.markRect(3).center().x(), plot.markRect(7).center().x());
    for (const int measured : {0, 1, 2, 4, 5, 6})
        EXPECT_GT(plot.markRect(measured).top(), plot.plotRect().top()) << measured;
    for (const int out : {3, 7})
        EXPECT_TRUE(plot.unmeasuredBand().contains(plot.markRect(out).center())) << out;
    EXPECT_GT(plot.plotRect().top(), plot.unmeasuredBand().bottom()) << "off the scale of times";
    const QStringList legend = legendOf(plot);
    EXPECT_TRUE(legend.contains("- - fitted")) << legend.join(u'|').toStdString();
    EXPECT_TRUE(legend.contains("··· predicted"));
    // A name stands beside the cross, and where its line ends if nothing is there; these two are one line.
    ASSERT_TRUE(plot.namesAtEnds());
    EXPECT_TRUE(plot.endNames().contains("math")) << plot.endNames().join(u'|').toStdString();
    EXPECT_TRUE(plot.pointWords().contains("math")) << plot.pointWords().join(u'|').toStdString();
}

TEST(DataPlotLines, FewPointsHaveTheirValues) {
    Chart made{.key = "values", .title = "Values"};
    made.y = {"Time", Unit::kNanoseconds};
    made.series.push_back({"a", {{.x = 1, .y = 1e6}, {.x = 2, .y = 2e6}, {.x = 3, .y = 4e6}}});
    made.series.push_back({"b", {{.x = 1, .y = 6e6}, {.x = 2, .y = 7e6}, {.x = 3, .y = 9e6}}});
    DataPlot plot;
    plot.resize(700, 400);
    plot.setChart(made);
    QStringList values;
    for (const char* value : {"1.00", "2.00", "4.00", "6.00", "7.00", "9.00"})
        values << QString::fromUtf8(value) + QStringLiteral("\u202fms");
    EXPECT_EQ(plot.pointWords(), values);
    EXPECT_EQ(plot.endNames(), (QStringList{"b", "a"}));
    made.series.push_back({"c", {{.x = 1, .y = 11e6}, {.x = 2, .y = 12e6}, {.x = 2.5, .y = 14e6}}});
    plot.setChart(made);
    EXPECT_TRUE(plot.pointWords().isEmpty()) << "nine are read off the axis";
    EXPECT_EQ(plot.endNames(),
              (QStringList{"c", QString::fromUtf8("b  9.00\u202fms"), QString::fromUtf8("a  4.00\u202fms")}))
        << "of those that reach the end";
}

/// Its values are kinds and not numbers: each has its color and its name.
TEST(DataPlotLines, NamesOfTwoChoicesAreToldByColorAndByTheKindOfLine) {
    const auto keyOf = [](const std::vector<ChartSeries>& all) {
        Chart chart;
        double value = 1;
        for (const ChartSeries& series : all) {
            chart.series.push_back(series);
            chart.series.back().points = {{.x = 0, .y = value}, {.x = 1, .y = 2 * value}};
            value *= 2;
        }
        DataPlot plot;
        plot.resize(700, 400);
        plot.setChart(std::move(chart));
        const QImage image = plot.grab().toImage();
        int colors = 0;
        for (std::size_t series = 0; series < kSeriesColors; ++series)
            colors += test::countPixels(image, image.rect(), seriesColor(series)) > 0 ? 1 : 0;
        return std::pair(legendOf(plot).join(QLatin1Char('|')), colors);
    };
    EXPECT_EQ(keyOf({seriesOf("naive", "fp32"), seriesOf("flash", "fp32"), seriesOf("naive", "bf16"),
                     seriesOf("flash", "bf16")}),
              std::pair(QStringLiteral("—●— fp32|- -■- - bf16"), 2));
    EXPECT_EQ(keyOf({{.name = "small"}, {.name = "medium"}, {.name = "large, wide"}}),
              std::pair(QString(), 3));
}

TEST(DataPlotHeatMap, OfKindsNamesThem) {
    Chart made{.key = "types", .title = "Types", .kind = ChartKind::kHeatMap};
    made.x = {"Tensor", Unit::kText, false, {"weight", "output"}};
    made.y = {"Module", Unit::kText, false, {"norm", "head"}};
    made.value = {"Type", Unit::kText, false, {"bf16", "fp16", "fp32"}};
    made.series = {{"Type",
                    {{.x = 0, .y = 0, .value = 2},
                     {.x = 1, .y = 0, .value = 0},
                     {.x = 0, .y = 1, .value = 1},
                     {.x = 1, .y = 1, .value = 7}}}};  // a crafted file's
    DataPlot plot;
    plot.resize(500, 300);
    plot.setChart(made);
    const QImage drawn = plot.grab().toImage();
    std::set<QRgb> colors;
    for (int mark = 0; mark < 3; ++mark)
        colors.insert(drawn.pixel(plot.markRect(mark).topLeft().toPoint() + QPoint(6, 6)));
    EXPECT_EQ(colors.size(), 3u);
    EXPECT_TRUE(plot.toolTipOf(0).contains("fp32")) << plot.toolTipOf(0).toStdString();
    EXPECT_TRUE(plot.toolTipOf(1).contains("bf16"));
}

TEST(DataPlotBridge, BarsBeginWhereTheOnesBeforeThemEnd) {
    DataPlot plot;
    plot.resize(800, 500);
    Chart chart{.kind = ChartKind::kBridge,
                .x = {"Added", Unit::kText, false, {"library", "+ norm", "+ loss", "fused"}},
                .y = {"Step", Unit::kNanoseconds},
                .series = {{.name = "whole step", .points = {{.x = 0, .y = 12e6}, {.x = 3, .y = 11e6}}},
                           {.name = "gained", .points = {{.x = 1, .y = 9e6, .deviation = 1e5, .from = 12e6}}},
                           {.name = "lost", .points = {{.x = 2, .y = 11e6, .from = 9e6}}}}};
    plot.setChart(chart);
    ASSERT_EQ(plot.markCount(), 4);
    const QRectF library = plot.markRect(0), fused = plot.markRect(1), gained = plot.markRect(2),
                 lost = plot.markRect(3);
    EXPECT_NEAR(gained.top(), library.top(), 1e-6);
    EXPECT_NEAR(lost.bottom(), gained.bottom(), 1e-6);
    EXPECT_NEAR(fused.top(), lost.top(), 1e-6);
    EXPECT_NEAR(fused.bottom(), plot.plotRect().bottom(), 1e-6);
    // One in each slot, of one width.
    EXPECT_LT(library.right(), gained.left());
    EXPECT_LT(gained.right(), lost.left());
    EXPECT_NEAR(gained.width(), library.width(), 1e-6);
    EXPECT_TRUE(plot.toolTipOf(2).contains("12.0\u202Fms")) << plot.toolTipOf(2).toStdString();
    chart.series[1].points[0].from = std::numeric_limits<double>::quiet_NaN();  // of a damaged file
    chart.series[2].points[0].from = -1e300;
    plot.setChart(chart);
    EXPECT_FALSE(renderWidget(plot, {400, 300}, 1).isNull());
}

TEST(DataTicks, AreRoundWithinTheirAxisAndInFewDigits) {
    EXPECT_EQ(valueTicks(0, 10, Unit::kNumber, false, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(valueTicks(90, 20'000, Unit::kNanoseconds, true, 4), (std::vector<double>{100, 1000, 10'000}));
    EXPECT_EQ(valueTicks(1, 12, Unit::kNumber, true, 6), (std::vector<double>{1, 2, 5, 10}));
    constexpr double kMiB = 1 << 20;
    EXPECT_EQ(valueTicks(564 * kMiB, 681 * kMiB, Unit::kBytes, true, 6),
              (std::vector<double>{576 * kMiB, 608 * kMiB, 640 * kMiB, 672 * kMiB}));
    EXPECT_GE(valueTicks(8, 30, Unit::kNanoseconds, true, 5).size(), 3u);
    for (const double tick : valueTicks(0, 5e9, Unit::kBytes, false, 6))
        EXPECT_EQ(std::fmod(tick, 1 << 28), 0) << tick;
    for (const double tick : valueTicks(1e6, 5e11, Unit::kBytes, true, 6))
        EXPECT_EQ(std::log2(tick), std::round(std::log2(tick)));
    EXPECT_TRUE(valueTicks(0, 1, Unit::kNumber, true, 5).empty()) << "no logarithm of nothing";
    EXPECT_EQ(tickText(1e6, Unit::kNanoseconds), "1\u202Fms");
    EXPECT_EQ(tickText(2.5e6, Unit::kNanoseconds), "2.5\u202Fms");
    EXPECT_EQ(tickText(4096, Unit::kCount), "4,096");
}

TEST(DataTicks, LabelsNeverMeetAndTheLastIsShown) {
    std::vector<double> places, widths;
    for (int i = 0; i < 200; ++i) {
        places.push_back(i * 3.7);
        widths.push_back(10 + i % 7 * 5);
    }
    const auto shown = labelsThatFit(places, widths);
    ASSERT_GE(shown.size(), 5U);
    EXPECT_EQ(shown.back(), 199U);
    for (std::size_t i = 1; i < shown.size(); ++i)
        EXPECT_GT(places[shown[i]] - widths[shown[i]] / 2, places[shown[i - 1]] + widths[shown[i - 1]] / 2);
    EXPECT_TRUE(labelsThatFit({}, {}).empty());
}

TEST(DataTicks, ANameWithoutRoomIsInTwoLinesWhereItHasWords) {
    const QFontMetricsF metrics(Theme::tableFont());
    const QString name = "q, k, v projections";
    EXPECT_EQ(nameInRoom(name, metrics, 1000), name);
    const QString broken = nameInRoom(name, metrics, 60);
    EXPECT_EQ(broken, "q, k, v\nprojections");
    EXPECT_EQ(labelWidth(broken, metrics), metrics.horizontalAdvance("projections"));
    EXPECT_EQ(nameInRoom("softmax", metrics, 5), "softmax");
    EXPECT_EQ(nameInRoom(QString(), metrics, -3), QString());
}

}  // namespace warpglass::ui::data_plot_test
