// Layers, attention's parts and phases of a stretch of time that cuts a step, and of a run without its
// kernels: what is compared, what FLOPs are of, and what is said of it.
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <vector>

#include "tests/support/has_text.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/unit/charts/shown_view.h"
#include "ui/charts/attention_view.h"
#include "ui/charts/layers_view.h"
#include "ui/charts/phases_view.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"

namespace warpglass::ui::charts_of_a_range_test {

/// When the kernels of a step's backward pass begin, in order.
std::vector<std::int64_t> backwardKernels(const Snapshot& run, std::int32_t step) {
    std::vector<std::int64_t> starts;
    for (std::size_t l = 0; l < run.laneCount(); ++l) {
        const SpanLane lane = run.lane(LaneId(l));
        for (std::uint64_t r = 0; run.track(lane.track()).kind == TrackKind::kGpuStream && r < lane.rows();
             ++r) {
            const SpanRow row = *lane.row(r);
            if (row.step == step && run.place(row.place).phase == Phase::kBackward)
                starts.push_back(row.start);
        }
    }
    std::sort(starts.begin(), starts.end());
    return starts;
}

const LayerRow* rowNamed(const Layers& layers, const std::string& name) {
    const auto found = std::find_if(layers.rows.begin(), layers.rows.end(),
                                    [&](const LayerRow& row) { return row.name == name; });
    return found == layers.rows.end() ? nullptr : &*found;
}

/// `begin` and `end`: shares of the kernels.
template <class View>
void select(Shown<View>& shown, const std::vector<std::int64_t>& kernels, double begin, double end) {
    const auto at = [&](double share) {
        return Nanoseconds(
            kernels[static_cast<std::size_t>(share * static_cast<double>(kernels.size() - 1))]);
    };
    shown.axis.setSelectedRange(TimeRange{at(begin), at(end)});
    shown.view.refreshNow();
    QCoreApplication::processEvents();
}

void choose(LayersView& view, LayersChart::Subject subject) {
    auto* subjects = view.findChild<SegmentedControl*>("layersSubject");
    QTest::mouseClick(subjects->button(static_cast<int>(subject)), Qt::LeftButton);
}

TEST(LayersOfARange, AreComparedWhereTheyRanWholeAndHaveTheFlopsOfWhatRan) {
    const auto run = openSampleRun("small-bf16-naive");
    const std::vector<std::int64_t> kernels = backwardKernels(*run, 2);
    ASSERT_GT(kernels.size(), 100u);
    Shown<LayersView> shown(run);
    const LayersChart& chart = shown.view.chart();
    const Layers all = chart.layers();
    const auto ofAll = test::must(chart.median(chart));
    EXPECT_TRUE(ofAll.ofAll);
    select(shown, kernels, 0.1, 0.9);
    const Layers& layers = chart.layers();
    std::vector<double> whole;
    int r = -1;
    for (const LayerRow& row : layers.rows) {
        ++r;
        if (!layers.isWhole(row)) {
            EXPECT_FALSE(row.outlier[static_cast<std::size_t>(LayerMeasure::kBackward)]) << row.name;
            continue;
        }
        whole.push_back(row.time());
        EXPECT_EQ(row.forward, 0) << row.name;
        EXPECT_TRUE(row.flopsKnown) << row.name;
        EXPECT_EQ(row.flops(), rowNamed(all, row.name)->backwardFlops) << row.name;
        const auto rate = shown.view.table()
                              .proxy()
                              ->index(r, layersTable().place("flops_per_second"))
                              .data(kPlainRole)
                              .toDouble();
        EXPECT_NEAR(rate, static_cast<double>(row.flops().value) / (row.time() / 1e9), 1e-4 * rate)
            << row.name;
    }
    ASSERT_GE(whole.size(), 5u);
    EXPECT_LT(whole.size(), 12u);
    const auto median = test::must(chart.median(chart));
    EXPECT_FALSE(median.ofAll);
    EXPECT_GE(median.amount, *std::min_element(whole.begin(), whole.end()));
    EXPECT_LE(median.amount, *std::max_element(whole.begin(), whole.end()));
    choose(shown.view, LayersChart::Subject::kFlops);
    for (const char* words : {"planned FLOPs of what ran", "times: what begins in the selected"})
        EXPECT_THAT(shown.view.summary(), test::HasText(QLatin1String(words)));

    choose(shown.view, LayersChart::Subject::kTime);
    select(shown, kernels, 0.5, 0.52);
    EXPECT_TRUE(shown.view.summary().endsWith("too few blocks ran completely to compare them"))
        << shown.view.summary().toStdString();
    EXPECT_FALSE(chart.median(chart));
}

TEST(LayersOfARange, AttentionCountsTheBlocksOfWhichAnyRan) {
    const auto run = openSampleRun("small-bf16-naive");
    Shown<AttentionView> shown(run);
    EXPECT_TRUE(shown.view.summary().contains("12 blocks combined"));
    const Flops planned = shown.view.chart().parts().flops(PlanPhase::kBackward);
    select(shown, backwardKernels(*run, 2), 0.3, 0.6);
    const AttentionParts& parts = shown.view.chart().parts();
    EXPECT_GE(parts.blocks, 2);
    EXPECT_LE(parts.blocks, 7);
    EXPECT_TRUE(parts.rates);
    EXPECT_GT(parts.flops(PlanPhase::kBackward).value, 0);
    EXPECT_LT(parts.flops(PlanPhase::kBackward).value * 2, planned.value) << "of a third of the pass";
}

TEST(LayersView, TheMediansNameLiesOnNoBar) {
    Shown<LayersView> shown(openSampleRun("small-bf16-naive"));
    const LayersChart& chart = shown.view.chart();
    using Subject = LayersChart::Subject;
    for (const Subject subject : {Subject::kTime, Subject::kFlops, Subject::kMemory}) {
        choose(shown.view, subject);
        for (const int width : {640, 1200, 1900}) {
            shown.view.resize(width, 800);
            QCoreApplication::processEvents();
            const auto median = chart.median(chart);
            ASSERT_TRUE(median) << width;
            for (int mark = 0; mark < chart.markCount(); ++mark) {
                for (const auto& piece : chart.piecesOf(mark))
                    EXPECT_FALSE(piece.rect.intersects(median->name)) << width << ": " << mark;
            }
        }
    }
    EXPECT_TRUE(shown.view.summary().endsWith("no block stands out by its activations"))
        << shown.view.summary().toStdString();
    EXPECT_THAT(shown.view.summary(), test::HasText("times: mean of 3 measured steps"));
}

TEST(ChartsWithoutKernels, HaveNoFlopsAndSayWhy) {
    test::SyntheticOptions options;
    options.config.device = "cuda:0";
    const auto run = test::makeSyntheticRun(options);
    Shown<LayersView> layers(run);
    choose(layers.view, LayersChart::Subject::kFlops);
    EXPECT_FALSE(layers.view.chart().amounts().hasAnything());
    EXPECT_THAT(layers.view.summary(), test::HasText("FLOPs are not stated"));
    EXPECT_TRUE(layers.view.summary().endsWith("blocks are not compared"))
        << layers.view.summary().toStdString();
    EXPECT_TRUE(layers.view.summaryToolTip().contains("the run has no kernels"));
    for (const int column : {layersTable().place("flops"), layersTable().place("flops_per_second"),
                             layersTable().place("moved_bytes")}) {
        const QModelIndex cell = layers.view.table().proxy()->index(1, column);
        EXPECT_EQ(cell.data().toString(), "–");
        EXPECT_EQ(cell.data(kPlainRole).toString(), QString());
        EXPECT_TRUE(cell.data(Qt::ToolTipRole).toString().contains("not stated"));
    }
    Shown<AttentionView> attention(run);
    EXPECT_THAT(attention.view.note(), test::HasText("FLOPs and bytes moved are not stated"));
    ASSERT_GT(attention.view.chart().markCount(), 0);
    EXPECT_EQ(attention.view.chart().flopsBar(0).width(), 0);
    EXPECT_EQ(attention.view.table()
                  .proxy()
                  ->index(0, attentionTable().place("flops_per_second"))
                  .data()
                  .toString(),
              "–");
}

TEST(ChartsInPlainText, WhatMovesNothingKnownHasNoNumber) {
    const auto run = openSampleRun("small-bf16-naive");
    Shown<AttentionView> attention(run);
    Shown<LayersView> layers(run);
    const auto expectAsShown = [](DataTable& table, int column) {
        int empty = 0;
        for (int r = 0; r < table.shownRows(); ++r) {
            const QModelIndex cell = table.proxy()->index(r, column);
            const bool nothing = cell.data().toString() == QStringLiteral("–");
            EXPECT_EQ(cell.data(kPlainRole).toString().isEmpty(), nothing) << r;
            empty += nothing ? 1 : 0;
        }
        EXPECT_GT(empty, 0);
        EXPECT_LT(empty, table.shownRows());
    };
    expectAsShown(attention.view.table(), attentionTable().place("moved_bytes"));
    expectAsShown(layers.view.table(), layersTable().place("moved_bytes"));
}

TEST(PhasesOfARange, AreThoseThatItOverlaps) {
    Shown<PhasesView> shown(openSampleRun("small-bf16-naive"));
    shown.choose("phasesClock", 0);
    const PhasesChart& chart = shown.view.chart();
    std::optional<TimeRange> middle;
    for (const PhaseSamples& phase : chart.phases()) {
        for (const PhaseSample& sample : phase.samples) {
            if (phase.phase == Phase::kBackward && sample.step == 2)
                middle = TimeRange{sample.start + Nanoseconds(sample.duration.value / 3),
                                   sample.start + Nanoseconds(sample.duration.value / 2)};
        }
    }
    ASSERT_TRUE(middle);
    shown.axis.setSelectedRange(*middle);
    shown.view.refreshNow();
    ASSERT_FALSE(shown.view.showsGpu());
    std::vector<std::string> names;
    for (const PhaseSamples& phase : chart.phases()) {
        names.push_back(phase.name);
        ASSERT_EQ(phase.samples.size(), 1u) << phase.name;
        EXPECT_EQ(phase.samples[0].step, 2) << phase.name;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"step", "backward"}));
    EXPECT_THAT(shown.view.summary(), test::HasText("what overlaps the selected"));
}

TEST(PhasesView, StepsStandBesideTheirDotsWithTheirTimes) {
    Shown<PhasesView> shown(openSampleRun("small-bf16-naive"));
    const PhasesChart& chart = shown.view.chart();
    for (const int clock : {0, 1}) {
        shown.choose("phasesClock", clock);
        const QString legend = QString(chart.legend()).replace(QChar::Nbsp, QLatin1Char(' '));
        EXPECT_TRUE(legend.contains("▷ beyond the axis")) << "the first step is a warm-up";
        EXPECT_TRUE(legend.contains("● measured step") && !legend.contains("cut off"))
            << legend.toStdString();
        EXPECT_FALSE(legend.contains("deviation")) << "of three steps it is hardly known";
        for (std::size_t p = 0; p < chart.phases().size(); ++p) {
            const auto names = chart.stepNames(p, chart);
            ASSERT_EQ(names.size(), 4u) << p;
            for (std::size_t s = 0; s < names.size(); ++s) {
                const int mark = chart.markOf(p, s);
                EXPECT_EQ(names[s].step, chart.sampleOf(mark).step);
                EXPECT_NEAR(names[s].box.center().y(), chart.markRect(mark).center().y(), 1) << p;
                EXPECT_FALSE(names[s].box.intersects(chart.markRect(mark)));
                EXPECT_TRUE(QRectF(chart.rect()).contains(names[s].box)) << names[s].text.toStdString();
                EXPECT_EQ(names[s].text.startsWith("step "), p == 0) << "the rows below have its order";
                EXPECT_EQ(names[s].text.count(" · "), (chart.isBeyond(mark) ? 1 : 0) + (p == 0 ? 1 : 0));
            }
        }
    }
}

}  // namespace warpglass::ui::charts_of_a_range_test
