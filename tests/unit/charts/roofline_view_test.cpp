// The roofline over real runs.
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTest>
#include <algorithm>

#include "tests/support/has_text.h"
#include "tests/support/lowered_ceilings.h"
#include "tests/support/own_kernel_run.h"
#include "tests/support/pixels.h"
#include "tests/support/synthetic_trace.h"
#include "tests/unit/charts/shown_view.h"
#include "ui/charts/label_room.h"
#include "ui/charts/roofline_view.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/data_table.h"
#include "ui/figures/figure.h"

namespace warpglass::ui::roofline_view_test {

/// Dots may lie on each other, where a click would not tell them apart.
void walkTo(RooflineChart& chart, int mark) {
    chart.setFocus();
    chart.setChosen(-1);
    for (int i = 0; i < chart.markCount() && chart.chosen() != mark; ++i)
        QTest::keyClick(&chart, Qt::Key_Right);
    EXPECT_EQ(chart.chosen(), mark);
}

TEST(RooflineView, PointsStandUnderTheirRoofAndLabelsOverNothing) {
    Shown<RooflineView> shown(openSampleRun("small-bf16-naive"));
    RooflineChart& chart = shown.view.chart();
    chart.resize(1000, 600);
    chart.grab();
    ASSERT_GT(chart.markCount(), 10);
    int moves = 0;
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const RooflinePoint& point = chart.data().points[static_cast<std::size_t>(mark)];
        const QPointF roof = chart.roofOver(point).value();
        moves += point.onlyMoves() ? 1 : 0;
        if (point.onlyMoves())
            EXPECT_LT(roof.x(), chart.at(0.06, 1).x()) << "the lane is left of all intensities";
        else
            EXPECT_EQ(roof, chart.at(point.intensity(), *point.attainableFlopsPerSecond));
        EXPECT_NEAR(roof.x(), chart.markRect(mark).center().x(), 1e-6);
        EXPECT_EQ(roof.y() < chart.markRect(mark).center().y(), *point.share() < 1);
    }
    EXPECT_GT(moves, 3) << "casts and copies";
    // Ten times the intensity and ten times the rate are as far everywhere.
    EXPECT_NEAR(chart.at(1000, 1e12).x() - chart.at(100, 1e12).x(),
                chart.at(100, 1e12).x() - chart.at(10, 1e12).x(), 1e-6);
    ASSERT_GE(chart.labels().size(), 3u);
    int shares = 0;
    for (const auto& label : chart.labels()) {
        shares += label.text.endsWith(QLatin1Char('%')) ? 1 : 0;
        for (const auto& other : chart.labels())
            EXPECT_TRUE(label.mark == other.mark || !label.rect.intersects(other.rect));
        for (int mark = 0; mark < chart.markCount(); ++mark)
            EXPECT_FALSE(label.rect.intersects(chart.markRect(mark))) << label.text.toStdString();
    }
    EXPECT_GE(shares, 2) << "names say how much of the roof their dots reach";
}

TEST(RooflineView, NoNameIsStruckThroughAtAnySize) {
    for (const char* run : {"small-bf16-naive", "small-fp32-naive", "xl-bf16-step", "xl-bf16-forward"}) {
        Shown<RooflineView> shown(openSampleRun(run));
        RooflineChart& chart = shown.view.chart();
        for (const QSize size : {QSize(443, 277), QSize(633, 380), QSize(1000, 600)}) {
            SCOPED_TRACE(std::string(run) + " " + std::to_string(size.width()));
            chart.resize(size);
            chart.grab();
            std::vector<QRectF> names;
            for (const auto& label : chart.labels())
                names.push_back(label.rect);
            for (const auto& name : chart.roofNames())
                names.push_back(name.rect);
            const auto legend = chart.legend();
            const auto inLegend = std::count_if(legend.begin(), legend.end(), [](const LegendEntry& entry) {
                return entry.name.contains("FLOP/s");
            });
            EXPECT_GE(static_cast<int>(chart.roofNames().size()) + inLegend, 2);
            EXPECT_GE(chart.labels().size(), 2u);
            for (const auto& label : chart.labels()) {
                for (const QRectF& name : names)
                    EXPECT_FALSE(!label.leader.isNull() && name != label.rect &&
                                 LabelRoom::meets(name, label.leader))
                        << label.text.toStdString();
                // Without a line it could be that of another dot as near.
                for (const auto& other : chart.labels())
                    EXPECT_FALSE(label.leader.isNull() && other.mark != label.mark &&
                                 chart.markRect(other.mark).intersects(label.rect.adjusted(-6, -6, 6, 6)))
                        << label.text.toStdString();
            }
            for (std::size_t i = 0; i < names.size(); ++i) {
                EXPECT_TRUE(QRectF(chart.rect()).contains(names[i]));
                for (const QLineF& line : chart.lines())
                    EXPECT_FALSE(LabelRoom::meets(names[i], line));
                for (int mark = 0; mark < chart.markCount(); ++mark)
                    EXPECT_FALSE(names[i].intersects(chart.markRect(mark)));
                for (std::size_t other = 0; other < i; ++other)
                    EXPECT_FALSE(names[i].intersects(names[other]));
            }
        }
    }
}

TEST(RooflineView, DotsOverOneAnotherAreNamedByTheirModulesAndByWhatTheyDo) {
    Shown<RooflineView> shown(openSampleRun("xl-bf16-step"));
    RooflineChart& chart = shown.view.chart();
    chart.resize(1120, 360);
    chart.grab();
    for (const char* name : {"ffn.*, lm_head · 8", "attn.* · ", "copy to fp32 · "})
        EXPECT_TRUE(std::ranges::any_of(chart.labels(), [&](const auto& label) {
            return label.text.startsWith(QString::fromUtf8(name));
        })) << name;
}

TEST(RooflineView, TheTableSaysWhichCeilingHoldsAndHowMuchOfItIsReached) {
    Shown<RooflineView> shown(openSampleRun("small-bf16-naive"));
    const RooflineChart& chart = shown.view.chart();
    const double ridge = chart.data().ridge();
    ASSERT_GT(ridge, 0);
    const QAbstractItemModel& rows = *shown.view.table().model();
    int ofMemory = 0;
    for (int row = 0; row < rows.rowCount(); ++row) {
        const QString roof =
            rows.index(row, rooflineTable().place("attainable_flops_per_second")).data().toString();
        const double intensity =
            rows.index(row, rooflineTable().place("intensity")).data(kPlainRole).toDouble();
        EXPECT_EQ(!roof.startsWith("compute"), intensity < ridge) << roof.toStdString();
        ofMemory += intensity < ridge;
        EXPECT_TRUE(rows.index(row, rooflineTable().place("attainable_share"))
                        .data()
                        .toString()
                        .contains(QLatin1Char('%')));
    }
    EXPECT_GT(ofMemory, 0);
    EXPECT_LT(ofMemory, rows.rowCount());
    // They are among the columns that a page's width has.
    const QByteArray svg = figureSvg({&shown.view, nullptr, {}}, FigureSize::onPaper(170, 0, 8));
    EXPECT_TRUE(svg.contains(">Share of roof<"));
    EXPECT_TRUE(svg.contains(">Roof<"));
}

TEST(RooflineView, ADrawingsRoofsEndWithThePlotAndItsLegendHasWhatTheRunHas) {
    const QString attention = ">attention<";
    for (const char* run : {"small-bf16-naive", "small-bf16-flash"}) {
        SCOPED_TRACE(run);
        Shown<RooflineView> shown(openSampleRun(run));
        RooflineChart& chart = shown.view.chart();
        const QSize size(443, 300);
        const QByteArray svg = figureSvg({&chart, nullptr, {}}, {size, 96});
        EXPECT_EQ(svg.contains(attention.toUtf8()), QByteArray(run).endsWith("flash"));
        QImage drawn(size, QImage::Format_RGB32);
        drawn.fill(Qt::white);
        QPainter painter(&drawn);
        QSvgRenderer(svg).render(&painter);
        painter.end();
        // Left of the axis' first number and under the plot's corner there is nothing.
        const QRect corner(0, size.height() - 34, 70, 34);
        EXPECT_EQ(test::countPixels(drawn, corner, drawn.pixelColor(0, size.height() - 1)), 70 * 34);
    }
}

TEST(RooflineView, TheRoofIsTheRunsBestProductWhereThatBeatTheMeasurement) {
    const test::TemporaryFolder folder;
    int raised = 0;
    for (const char* run : {"small-bf16-naive", "small-fp32-naive", "xl-bf16-step", "xl-bf16-forward"}) {
        Shown<RooflineView> shown(test::openWithLowerCeilings(folder, run));
        const auto& data = shown.view.chart().data();
        ASSERT_TRUE(data.measured) << run;
        const auto* roof = data.measured->product(data.precision);
        ASSERT_TRUE(roof) << run;
        for (const RooflinePoint& point : data.points) {
            EXPECT_LE(point.share().value_or(0), 1 + 1e-9) << run << " " << point.name;
            EXPECT_LE(point.flopsPerSecond(), roof->flopsPerSecond) << run << " " << point.name;
        }
        const bool isRaised = !ceilingsOf(*shown.document.snapshot()).sentence().empty();
        EXPECT_EQ(shown.view.summary().contains("this run's best GEMM"), isRaised) << run;
        raised += isRaised;
    }
    EXPECT_GT(raised, 0) << "or another sample is needed";
}

TEST(RooflineView, ChoosingAPointSelectsItsModuleInItsPhase) {
    Shown<RooflineView> shown(openSampleRun("small-bf16-naive"));
    RooflineChart& chart = shown.view.chart();
    for (int mark = 0; mark < chart.markCount(); mark += 5) {
        walkTo(chart, mark);
        const RooflinePoint& point = chart.data().points[static_cast<std::size_t>(mark)];
        ASSERT_TRUE(shown.selected()) << point.name;
        EXPECT_EQ(phaseName(shown.selected()->phase), planPhaseName(point.phase));
    }
}

TEST(RooflineView, OurKernelsAreOnTheChartWithTheirFamiliesAndAreGoneToByName) {
    const test::OwnKernelRun made;
    Shown<RooflineView> shown(made.run);
    RooflineChart& chart = shown.view.chart();
    chart.resize(1000, 600);
    chart.grab();
    int ours = 0;
    const QRectF all(chart.rect());
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const RooflinePoint& point = chart.data().points[static_cast<std::size_t>(mark)];
        EXPECT_TRUE(all.contains(chart.markRect(mark))) << point.name << " is beyond the axes";
        if (!point.isOwnKernel)
            continue;
        ++ours;
        EXPECT_LT(point.intensity(), 10) << point.name;
        EXPECT_NE(chart.familyOf(mark), OpFamily::kMatmul) << point.name;
        EXPECT_TRUE(chart.toolTipOf(mark).contains("not moved")) << point.name;
        walkTo(chart, mark);
        ASSERT_TRUE(shown.selected()) << point.name;
        EXPECT_EQ(shown.selected()->name, point.kernel);
        EXPECT_EQ(shown.selected()->kind, TrackKind::kGpuStream);
        EXPECT_EQ(phaseName(shown.selected()->phase), planPhaseName(point.phase));
        EXPECT_GT(shown.selected()->step, 0) << "a measured one";
    }
    EXPECT_EQ(ours, 14) << "the rotation in two phases";
    const auto legend = chart.legend();
    for (const char* name : {"matmul", "normalization", "elementwise", "optimizer"}) {
        EXPECT_TRUE(std::ranges::any_of(legend, [&](const LegendEntry& entry) {
            return entry.name == QLatin1String(name);
        })) << name;
    }
}

TEST(RooflineView, WithoutCeilingsSaysHowToMeasureThem) {
    Shown<RooflineView> shown(test::makeSyntheticRun());
    EXPECT_THAT(shown.view.summary(), test::HasText("warpglass-cli devices --measure"));
    EXPECT_GT(shown.view.chart().markCount(), 0);
    renderWidget(shown.view, {700, 500}, 1);
}

}  // namespace warpglass::ui::roofline_view_test
