// The layers side by side over real runs: bars, deviations, names, selection, filters.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/unit/charts/shown_view.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/layers_view.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::layers_view_test {
TEST(LayersView, ABarsPiecesAreAsHighAsWhatTheyStandFor) {
    Shown<LayersView> shown(openSampleRun("small-bf16-naive"));
    const LayersChart& chart = shown.view.chart();
    ASSERT_EQ(chart.markCount(), 17);
    const int block = rowNamed(chart, "blocks.3");
    const auto pieces = chart.piecesOf(block);
    ASSERT_EQ(pieces.size(), 3u) << "with its share of the update of all parameters";
    EXPECT_EQ(pieces[0].color, Theme::instance().phaseColor(Phase::kForward));
    EXPECT_EQ(pieces[1].color, Theme::instance().phaseColor(Phase::kBackward));
    EXPECT_EQ(pieces[2].color, Theme::instance().phaseColor(Phase::kOptimizer));
    EXPECT_TRUE(shown.view.summary().contains("kernels that serve several modules are split"));
    EXPECT_TRUE(shown.view.summaryToolTip().contains("AdamW's time is split over the modules"));
    EXPECT_TRUE(chart.toolTipOf(block).contains("of it shares of kernels"));
    const double perPixel = pieces[0].amount / pieces[0].rect.height();
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        double sum = 0;
        for (const auto& piece : chart.piecesOf(mark)) {
            if (!chart.isBeyondScale(mark)) {
                EXPECT_NEAR(piece.rect.height(), piece.amount / perPixel, 2.0);
            }
            // The norm's update is of a few nanoseconds: no height.
            const QRectF within = chart.markRect(mark).adjusted(0, -1, 0, 1);
            EXPECT_TRUE(within.contains(piece.rect.topLeft()) && within.contains(piece.rect.bottomRight()));
            sum += piece.amount;
        }
        EXPECT_FALSE(chart.isBeyondScale(mark)) << "what is no layer's is short";
        EXPECT_NEAR(sum, chart.layers().rows[static_cast<std::size_t>(mark)].time(), 1);
    }
}

TEST(LayersView, WhatIsOfNoLayerHasNoBarWhereItIsLongerThanTheLayers) {
    LayersChart chart;
    Layers layers;
    for (const char* name : {"blocks.0", "blocks.1", "rest"}) {
        LayerRow& row = layers.rows.emplace_back();
        row.name = name;
        row.forward = row.name == "rest" ? 5e6 : 1e6;
    }
    chart.resize(600, 300);
    chart.setLayers(layers);
    EXPECT_FALSE(chart.isBeyondScale(0));
    EXPECT_FALSE(chart.isBeyondScale(1));
    EXPECT_TRUE(chart.isBeyondScale(2));
}

TEST(DeviationStrip, BarsGoFromZeroToTheirShareOnAScaleOfWhatThereIs) {
    const QRectF strip(100, 0, 200, DeviationStrip::heightIn(300)), column(100, 0, 50, 300);
    const QRectF plot = DeviationStrip::plotOf(strip);
    DeviationStrip deviation;
    EXPECT_TRUE(deviation.isEmpty());
    EXPECT_EQ(strip.height(), 120);
    deviation.setShares({0.0001, -0.002, std::nullopt});
    EXPECT_FALSE(deviation.isEmpty());
    EXPECT_DOUBLE_EQ(deviation.scale(), 0.005) << "what is less is noise";
    deviation.setShares({0.011, -0.002, std::nullopt});
    EXPECT_DOUBLE_EQ(deviation.scale(), 0.02);
    EXPECT_TRUE(deviation.barOf(2, column, strip).isEmpty()) << "it is not compared";
    deviation.setShares({0.08, -0.1, 0.0});
    EXPECT_DOUBLE_EQ(deviation.scale(), 0.1);
    const double zero = std::round(plot.center().y());
    const QRectF over = deviation.barOf(0, column, strip), under = deviation.barOf(1, column, strip);
    EXPECT_EQ(over.bottom(), zero);
    EXPECT_NEAR(over.height(), 0.8 * plot.height() / 2, 1);
    EXPECT_EQ(under.top(), zero);
    EXPECT_NEAR(under.bottom(), plot.bottom(), 1);
    EXPECT_EQ(deviation.barOf(2, column, strip).height(), 0);
    deviation.setShares({0.3});
    EXPECT_DOUBLE_EQ(deviation.scale(), 0.5);
}

TEST(LayersView, BlocksHaveTheirDeviationUnderTheBarsWhereThereIsRoom) {
    LayersChart chart;
    Layers layers{.blocks = 3};
    layers.compared[0] = 3;
    for (const double time : {1e6, 1.1e6, 1e6}) {
        LayerRow& row = layers.rows.emplace_back();
        row.name = "blocks." + std::to_string(layers.rows.size() - 1);
        row.block = row.module = true;
        row.forward = time;
        row.compared[0] = true;
    }
    layers.rows.emplace_back().name = "rest";
    layers.rows.back().optimizer = 16e6;
    chart.resize(600, 400);
    chart.setLayers(layers);
    const auto& shares = chart.deviation().shares();
    ASSERT_EQ(shares.size(), 4u);
    ASSERT_TRUE(shares[0] && shares[1]);
    EXPECT_NEAR(*shares[1], 0.1, 1e-9);
    EXPECT_NEAR(*shares[0], 0, 1e-9);
    EXPECT_FALSE(shares[3]) << "it is no block";
    EXPECT_GE(chart.deviationRect().top(), chart.markRect(0).bottom());
    EXPECT_EQ(chart.names(chart).back().text, "optimizer") << "most of the rest is";
    chart.setSubject(LayersChart::Subject::kMemory);
    EXPECT_EQ(chart.names(chart).back().text, "rest") << "bytes are not the optimizer's time";
    chart.setSubject(LayersChart::Subject::kTime);
    chart.resize(600, 200);
    EXPECT_TRUE(chart.deviationRect().isEmpty());
}

TEST(LayersView, EveryBarOfALargeModelHasItsNameAndNoneLiesOverAnother) {
    LayersChart chart;
    Layers layers;
    const auto add = [&layers](const std::string& name) {
        LayerRow& row = layers.rows.emplace_back();
        row.name = name;
        row.block = name.starts_with("blocks.");
        row.forward = 1e6;
    };
    add("token_embeddings");
    for (int block = 0; block < 48; ++block)
        add("blocks." + std::to_string(block));
    for (const char* name : {"norm", "lm_head", "loss", "rest"})
        add(name);
    for (int width = 300; width <= 2000; width += 20) {
        chart.resize(width, 300);
        chart.setLayers(layers);
        const auto names = chart.names(chart);
        ASSERT_FALSE(names.empty());
        for (std::size_t i = 0; i < names.size(); ++i) {
            EXPECT_TRUE(QRectF(chart.rect()).contains(names[i].box)) << width;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(names[i].box.intersects(names[j].box)) << width << ": " << i << ", " << j;
        }
        const auto first =
            std::find_if(names.begin(), names.end(), [](const auto& n) { return n.mark == 1; });
        ASSERT_NE(first, names.end()) << width;
        EXPECT_EQ(first->text, "0");
        if (width >= 1200) {
            EXPECT_EQ(static_cast<int>(names.size()), chart.markCount()) << width;
        }
        if (width >= 1600) {
            EXPECT_TRUE(std::ranges::all_of(names, [&](const auto& name) {
                return name.box.top() == names[0].box.top();
            })) << "they stand in one line";
        }
        // Where blocks are crowded, every second, fifth, … has its number, with no two steps in one row.
        std::set<int> steps;
        for (std::size_t i = 1; i < names.size(); ++i) {
            if (names[i].mark <= 48 && names[i - 1].mark >= 1)
                steps.insert(names[i].mark - names[i - 1].mark);
        }
        EXPECT_LE(steps.size(), 1u) << width;
    }
}

TEST(LayersView, ChoosingALayerSelectsItsLongestInstanceAndEnterShowsIt) {
    Shown<LayersView> shown(openSampleRun("small-bf16-naive"));
    LayersChart& chart = shown.view.chart();
    QSignalSpy asked(&shown.view, &ChartView::timelineRequested);
    const int block = rowNamed(chart, "blocks.3");
    shown.click(chart, block);
    EXPECT_EQ(chart.chosen(), block);
    ASSERT_TRUE(shown.selected());
    EXPECT_EQ(shown.selected()->name, "blocks.3");
    EXPECT_EQ(shown.selected()->kind, TrackKind::kModule);
    EXPECT_GE(shown.selected()->step, 1) << "of a measured step";
    EXPECT_EQ(shown.view.table().currentIndex().data(Qt::DisplayRole), "blocks.3");
    EXPECT_EQ(asked.count(), 0);

    QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_EQ(shown.selected()->name, "blocks.4");
    EXPECT_TRUE(chart.accessibleDescription().contains("blocks.4"));
    QTest::keyClick(&chart, Qt::Key_Return);
    EXPECT_EQ(asked.count(), 1);
    EXPECT_TRUE(shown.axis.visibleRange().contains(shown.selected()->start));
    QTest::keyClick(&chart, Qt::Key_Escape);
    EXPECT_EQ(chart.chosen(), -1);
    EXPECT_FALSE(shown.axis.selectedSpan());
}

TEST(LayersView, TheTableIsTheChart) {
    Shown<LayersView> shown(openSampleRun("small-bf16-naive"));
    DataTable& table = shown.view.table();
    ASSERT_EQ(table.shownRows(), 17);
    EXPECT_EQ(table.proxy()->index(11, layersTable().place("layer")).data().toString(), "blocks.10");
    table.setFocus();
    table.setCurrentIndex(table.proxy()->index(2, 0));
    EXPECT_EQ(shown.view.chart().chosen(), 2);
    table.sortByColumn(layersTable().place("time_ns"), Qt::DescendingOrder);
    const auto& rows = shown.view.chart().layers().rows;
    const auto longest = std::max_element(rows.begin(), rows.end(),
                                          [](const auto& a, const auto& b) { return a.time() < b.time(); });
    EXPECT_EQ(table.proxy()->index(0, 0).data().toString().toStdString(), longest->name);
    EXPECT_EQ(table.proxy()->index(0, layersTable().place("time_ns")).data(kPlainRole).toLongLong(),
              std::llround(longest->time()));
}

TEST(LayersView, ShowsMemoryByCategoryAndFollowsTheSelectedRange) {
    Shown<LayersView> shown(openSampleRun("small-bf16-naive"));
    const double all = shown.view.chart().layers().time();
    shown.choose("layersSubject", 2);
    const auto pieces = shown.view.chart().piecesOf(rowNamed(shown.view.chart(), "blocks.0"));
    ASSERT_GE(pieces.size(), 3u);
    EXPECT_EQ(pieces.front().color, Theme::categoryColor(Category::kWeights));

    const TimeRange run = shown.axis.fullRange();
    shown.axis.setSelectedRange(TimeRange{Nanoseconds(run.end.value * 9 / 10), run.end - Nanoseconds(1)});
    shown.view.refreshNow();
    EXPECT_TRUE(shown.view.chart().layers().ofRange);
    EXPECT_LT(shown.view.chart().layers().time(), all);
    EXPECT_TRUE(shown.view.summary().contains("selected")) << shown.view.summary().toStdString();
}

TEST(LayersView, AFilterThatLeavesNothingOfAStepSaysSo) {
    Shown<LayersView> shown(openSampleRun("small-bf16-naive"));
    shown.filter.setPhase(Phase::kSetup);
    shown.view.refreshNow();
    ASSERT_GT(shown.view.chart().markCount(), 0) << "the weights were made in it";
    EXPECT_FALSE(shown.view.chart().amounts().hasAnything());
    EXPECT_TRUE(shown.view.summary().endsWith("no work of these steps passes the filter"))
        << shown.view.summary().toStdString();
    shown.choose("layersSubject", 2);
    EXPECT_TRUE(shown.view.chart().amounts().hasAnything());
    EXPECT_FALSE(shown.view.summary().contains("passes the filter"));
}

TEST(LayersView, OverTheHighestBarThereIsRoomForTheMediansName) {
    LayersChart chart;
    Layers layers;
    for (int block = 0; block < 12; ++block) {
        LayerRow& row = layers.rows.emplace_back();
        row.name = "blocks." + std::to_string(block);
        row.block = row.module = true;
        row.forward = 1e6;
    }
    chart.setLayers(layers);
    for (const int height : {160, 240, 480}) {
        chart.resize(700, height);
        chart.grab();  // hidden, it learns its size when it is painted
        const auto pieces = chart.piecesOf(3);
        ASSERT_EQ(pieces.size(), 1u);
        EXPECT_GE(pieces[0].rect.top() - chart.markRect(3).top(), QFontMetricsF(chartFont()).height() + 3)
            << height;
    }
}

}  // namespace warpglass::ui::layers_view_test
