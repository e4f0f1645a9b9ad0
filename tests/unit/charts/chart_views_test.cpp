// The views of phases and attention's parts over real runs, and the charts page with all views.
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "tests/support/has_text.h"
#include "tests/support/run_conditions.h"
#include "tests/support/show_unseen.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/charts/shown_view.h"
#include "ui/charts/attention_view.h"
#include "ui/charts/charts_page.h"
#include "ui/charts/flame_chart.h"
#include "ui/charts/flame_view.h"
#include "ui/charts/layers_view.h"
#include "ui/charts/phases_view.h"
#include "ui/charts/roofline_view.h"
#include "ui/controls/canvas.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"

namespace warpglass::ui::chart_views_test {
TEST(PhasesView, ADotSaysWhatItsStepRanUnder) {
    test::MadeConditions made{.othersCores = 3.2, .waitedShare = 0.12};
    made.smClock = [](std::int64_t step) { return step == 2 ? 1410.0 : 1980.0; };
    Shown<PhasesView> shown(test::makeRun(made));
    PhasesChart& chart = shown.view.chart();
    ASSERT_EQ(chart.markCount(), 5) << "the steps";
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const QString tip = chart.toolTipOf(mark);
        const std::int32_t step = chart.sampleOf(mark).step;
        EXPECT_EQ(tip.contains("3.2 cores"), step > 0) << tip.toStdString();
        EXPECT_EQ(tip.contains("1,410 MHz"), step == 2) << tip.toStdString();
    }
    Shown<PhasesView> earlier(test::makeSyntheticRun());
    EXPECT_FALSE(earlier.view.chart().toolTipOf(0).contains("cores")) << "it was not recorded";
}

TEST(PhasesView, EveryStepIsADotThatSelectsIt) {
    Shown<PhasesView> shown(openSampleRun("small-bf16-naive"));
    PhasesChart& chart = shown.view.chart();
    EXPECT_TRUE(shown.view.showsGpu()) << "where CUDA's events were recorded";
    shown.choose("phasesClock", 0);
    EXPECT_FALSE(shown.view.showsGpu());
    std::vector<std::string> names;
    for (const PhaseSamples& phase : chart.phases())
        names.push_back(phase.name);
    ASSERT_EQ(names, (std::vector<std::string>{"step", "forward", "backward", "optimizer"}))
        << "loss and zero-grad hardly vary: " << chart.note().toStdString();
    EXPECT_TRUE(chart.note().startsWith("Not drawn: loss (median "));
    ASSERT_EQ(chart.markCount(), 4 * 4);
    int beyond = 0;
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        beyond += chart.isBeyond(mark) ? 1 : 0;
        EXPECT_TRUE(QRectF(chart.rect()).contains(chart.markRect(mark)));
        EXPECT_EQ(chart.markAt(chart.markRect(mark).center()), mark);
        shown.click(chart, mark);
        ASSERT_TRUE(shown.selected());
        EXPECT_EQ(shown.selected()->step, chart.sampleOf(mark).step);
        EXPECT_EQ(shown.selected()->duration, chart.sampleOf(mark).duration);
        EXPECT_EQ(chart.toolTipOf(mark).contains("warm-up"), chart.sampleOf(mark).step == 0);
    }
    EXPECT_EQ(beyond, 4) << "the first step and all in it take many times as long as later";
    // One axis for all rows: the same deviation from its median is at the same place.
    for (int a = 0; a < chart.markCount(); ++a) {
        for (int b = 0; b < chart.markCount(); ++b) {
            if (chart.deviationOf(a) < chart.deviationOf(b)) {
                EXPECT_LE(chart.markRect(a).left(), chart.markRect(b).left());
            }
        }
    }
    // Down leads to the same step of the next phase.
    chart.setChosen(chart.markOf(0, 2));
    QTest::keyClick(&chart, Qt::Key_Down);
    EXPECT_EQ(chart.chosen(), chart.markOf(1, 2));
    // A row of the table leads to the phase's longest step that counts, also where it has no panel.
    emit shown.view.table().rowActivated(1);
    ASSERT_TRUE(shown.selected());
    EXPECT_EQ(shown.selected()->name, "loss");
    EXPECT_GT(shown.selected()->step, 0);
    EXPECT_EQ(chart.chosen(), -1);
}

TEST(PhasesView, TheChosenClockStaysFromOneRunOfAGpuToTheNext) {
    Shown<PhasesView> shown(openSampleRun("small-bf16-naive"));
    ASSERT_TRUE(shown.view.showsGpu());
    auto* clocks = shown.view.findChild<SegmentedControl*>("phasesClock");
    const auto show = [&shown](const std::shared_ptr<const Snapshot>& run) {
        shown.document.setSnapshot(run);
        shown.axis.setFullRange(run->range());
        shown.view.refreshNow();
    };
    QTest::mouseClick(clocks->button(0), Qt::LeftButton);
    show(openSampleRun("small-fp32-naive"));
    EXPECT_FALSE(shown.view.showsGpu());
    EXPECT_EQ(clocks->current(), 0);
    ASSERT_TRUE(clocks->button(1)->isEnabled()) << "it is one of a GPU, too";
    QTest::mouseClick(clocks->button(1), Qt::LeftButton);
    show(openSampleRun("small-bf16-naive"));
    EXPECT_TRUE(shown.view.showsGpu());
    // After one without, the GPU's are shown first again.
    QTest::mouseClick(clocks->button(0), Qt::LeftButton);
    show(test::makeSyntheticRun());
    EXPECT_FALSE(shown.view.showsGpu());
    show(openSampleRun("small-bf16-naive"));
    EXPECT_TRUE(shown.view.showsGpu());
}

TEST(PhasesChart, FewStepsHaveAMedianAndARangeAndNoDeviation) {
    PhaseSamples phase;
    phase.name = "step";
    phase.counted = 4;
    phase.mean = 12e6;
    phase.median = 10e6;
    phase.standardDeviation = 2e6;
    phase.min = Nanoseconds(9'000'000);
    phase.max = Nanoseconds(16'000'000);
    EXPECT_EQ(PhasesChart::figuresOf(phase), "median 10.0\u202fms · −10% to +60%");
    phase.counted = 5;
    EXPECT_EQ(PhasesChart::figuresOf(phase), "median 10.0\u202fms · ±20%");
    phase.counted = 1;
    EXPECT_EQ(PhasesChart::figuresOf(phase), "12.0\u202fms");
    phase.counted = 0;
    EXPECT_EQ(PhasesChart::figuresOf(phase), "no complete step");
}

/// One phase whose steps take so many ms.
PhaseSamples phaseOf(const std::vector<std::int64_t>& durations) {
    PhaseSamples phase{.name = "backward", .counted = std::ssize(durations)};
    for (const std::int64_t ms : durations)
        phase.samples.push_back({.step = static_cast<std::int32_t>(phase.samples.size()),
                                 .duration = Nanoseconds(ms * 1'000'000),
                                 .counted = true});
    phase.median = phase.mean = 100e6;
    return phase;
}

TEST(PhaseAxis, HoldsTheStepsButNotOneThatIsFarFromAllOthers) {
    const auto axis = [](const std::vector<std::int64_t>& durations) {
        const std::vector<PhaseSamples> phases = {phaseOf(durations)};
        return axisOf(phases);
    };
    const PhaseAxis few = axis({90, 100, 124});
    EXPECT_TRUE(few.holds(-0.1) && few.holds(0.24) && !few.holds(0.4));
    EXPECT_LE(axis({99, 100, 101, 580}).high, 0.05) << "the last stands at the edge";
    EXPECT_LE(axis({100, 100, 100}).high, 0.05);
    EXPECT_GE(axis({100, 100, 100}).high, 0.02) << "what is below the last digit is no storm";
    std::vector<std::int64_t> many(30, 100);
    many[3] = 97;
    many[7] = 140;
    EXPECT_TRUE(axis(many).holds(-0.03));
    EXPECT_FALSE(axis(many).holds(0.4));
    const std::vector<double> ticks = few.ticks(6);
    EXPECT_NE(std::ranges::find(ticks, 0.0), ticks.end());
    EXPECT_LE(ticks.size(), 7u);
    EXPECT_EQ(deviationText(4.9), "5.9×");
    EXPECT_EQ(deviationText(0.38), "+38%");
    EXPECT_EQ(deviationText(-0.03), "−3.0%");
}

TEST(PhasesChart, WhatOnlyWarmUpStepsHaveHasNoMedian) {
    Shown<PhasesView> shown(openSampleRun("small-bf16-graph"));
    const PhasesChart& chart = shown.view.chart();
    shown.choose("phasesClock", 0);
    // The host launches a graph as a whole, once its capture has gone through the phases.
    const auto forward = std::ranges::find(chart.phases(), Phase::kForward, &PhaseSamples::phase);
    ASSERT_NE(forward, chart.phases().end());
    EXPECT_EQ(forward->counted, 0);
    EXPECT_EQ(PhasesChart::figuresOf(*forward), "in warm-up steps only");
    EXPECT_FALSE(chart.note().contains("forward")) << chart.note().toStdString();
}

TEST(PhasesChart, ARowThatLacksStepsOfTheFirstHasTheirNumbers) {
    PhasesChart chart;
    chart.resize(800, 400);
    std::vector<PhaseSamples> phases(3, phaseOf({95, 100, 105}));
    phases[0].phase = Phase::kForward;
    phases[1].phase = Phase::kBackward;
    phases[1].samples.erase(phases[1].samples.begin());
    chart.setPhases(phases);
    ASSERT_EQ(chart.phases().size(), 3u) << "the steps, which came last, first";
    const auto numbered = [&](std::size_t p) {
        const auto names = chart.stepNames(p, chart);
        return std::ranges::count_if(names, [](const auto& name) { return name.text.startsWith("step "); });
    };
    EXPECT_EQ(numbered(0), 3);
    EXPECT_EQ(numbered(1), 0) << "the same steps";
    EXPECT_EQ(numbered(2), 2);
}

TEST(PhasesChart, BeforeAStepHasEndedNoPhaseIsTakenForTheSteps) {
    const auto run = test::traceOf("forward 0-50 step 0 ; backward 50-51 step 0 ; end 100");
    PhasesChart chart;
    chart.setPhases(phaseSamples(*run, TrackKind::kPhase));
    ASSERT_EQ(chart.phases().size(), 2u);
    EXPECT_EQ(chart.phases()[0].phase, Phase::kForward);
    EXPECT_EQ(chart.phases()[1].phase, Phase::kBackward);
    EXPECT_TRUE(chart.note().isEmpty()) << chart.note().toStdString();
}

TEST(PhasesView, ASlowFirstStepIsSaidAsInTheSummaryAndOnlyOfAllSteps) {
    Shown<PhasesView> shown(openSampleRun("small-no-warmup"));
    const auto finding = [&] { return shown.view.heading().finding; };
    EXPECT_THAT(finding(), test::BeginsWith("The first measured step took 193\u202fms, "));
    shown.axis.setSelectedRange(shown.axis.fullRange());
    shown.view.refreshNow();
    EXPECT_FALSE(finding().contains("first measured step"));
}

TEST(PhasesView, DotsOfTheStepsThatCountStandByTheirDurations) {
    Shown<PhasesView> shown(test::makeSyntheticRun());
    EXPECT_FALSE(shown.view.showsGpu()) << "a run on the CPU has no other clock";
    PhasesChart& chart = shown.view.chart();
    for (std::size_t p = 0; p < chart.phases().size(); ++p) {
        const auto& samples = chart.phases()[p].samples;
        const auto at = [&](std::size_t s) { return chart.markRect(chart.markOf(p, s)).center(); };
        for (std::size_t a = 0; a < samples.size(); ++a) {
            for (std::size_t b = 0; b < samples.size(); ++b) {
                if (samples[a].counted && samples[b].counted && samples[a].duration < samples[b].duration) {
                    EXPECT_LE(at(a).x(), at(b).x());
                }
            }
            if (a > 0) {
                EXPECT_GT(at(a).y(), at(a - 1).y()) << "the first at the top";
            }
        }
    }
}

TEST(AttentionView, BarsAreAsLongAsTheirShares) {
    Shown<AttentionView> shown(openSampleRun("small-bf16-naive"));
    const AttentionChart& chart = shown.view.chart();
    ASSERT_EQ(chart.markCount(), 12);
    const auto& rows = chart.parts().rows;
    const double perShare = chart.timeBar(0).width() / rows[0].timeShare;
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const AttentionPartRow& row = rows[static_cast<std::size_t>(mark)];
        EXPECT_NEAR(chart.timeBar(mark).width(), std::max(1.0, perShare * row.timeShare), 1e-6);
        EXPECT_NEAR(chart.flopsBar(mark).width(), std::max(1.0, perShare * row.flopsShare), 1e-6);
        EXPECT_LT(chart.timeBar(mark).bottom(), chart.flopsBar(mark).top());
        const QRectF products = chart.productBar(mark);
        EXPECT_EQ(products.topLeft(), chart.timeBar(mark).topLeft());
        EXPECT_NEAR(products.width(), chart.timeBar(mark).width() * row.productTime / row.time, 1e-6);
        EXPECT_EQ(products.width() > 0,
                  row.part != AttentionPart::kSoftmax && row.part != AttentionPart::kRotation);
        EXPECT_TRUE(chart.markRect(mark).contains(chart.timeBar(mark)));
        EXPECT_TRUE(chart.markRect(mark).contains(chart.flopsBar(mark)));
    }
    EXPECT_TRUE(shown.view.note().contains("mask"));
}

TEST(AttentionView, ArrowsWalkThePartsAndThePasses) {
    Shown<AttentionView> shown(openSampleRun("small-bf16-flash"));
    AttentionChart& chart = shown.view.chart();
    EXPECT_TRUE(shown.view.note().contains("one fused kernel"));
    shown.click(chart, 2);
    ASSERT_EQ(chart.parts().rows[2].part, AttentionPart::kFused);
    ASSERT_TRUE(shown.selected());
    EXPECT_EQ(shown.selected()->name, "blocks.0.attn");
    EXPECT_EQ(shown.selected()->phase, Phase::kForward);
    QTest::keyClick(&chart, Qt::Key_Right);
    const AttentionPartRow& backward = chart.parts().rows[static_cast<std::size_t>(chart.chosen())];
    EXPECT_EQ(backward.part, AttentionPart::kFused);
    EXPECT_EQ(backward.phase, PlanPhase::kBackward);
    EXPECT_EQ(shown.selected()->phase, Phase::kBackward);
    QTest::keyClick(&chart, Qt::Key_Down);
    EXPECT_EQ(chart.parts().rows[static_cast<std::size_t>(chart.chosen())].part, AttentionPart::kOutput);
}

TEST(ChartsOfARunWithoutAStep, SayThatAndHaveNoScaleOfNothing) {
    const auto run = openSampleRun("large-fp32-out-of-memory");
    Shown<LayersView> layers(run);
    EXPECT_THAT(layers.view.summary(), test::HasText("no step was completed"));
    EXPECT_TRUE(layers.view.summary().endsWith("no block stands out"))
        << "blocks that have not run hold nothing, which is no reason: "
        << layers.view.summary().toStdString();
    Shown<PhasesView> phases(run);
    PhasesChart& chart = phases.view.chart();
    ASSERT_EQ(chart.markCount(), 2);
    for (int mark = 0; mark < chart.markCount(); ++mark)
        EXPECT_FALSE(chart.isBeyond(mark)) << "what there is, is on the scale";
    EXPECT_THAT(phases.view.summary(), test::HasText("1 cut off by the run's end"));
    Shown<AttentionView> attention(run);
    EXPECT_TRUE(attention.view.chart().emptyText().isEmpty()) << "what ran of the step is there";
    const QString shown = "no step was completed; showing step 0 until memory ran out";
    EXPECT_THAT(attention.view.summary(), test::HasText(shown));
    EXPECT_TRUE(attention.view.summary().contains("16 blocks combined"))
        << "of 36: " << attention.view.summary().toStdString();
    for (const QString& words : {layers.view.summaryToolTip(), attention.view.summaryToolTip()})
        EXPECT_THAT(words, test::HasText("the planned values of what ran"));
    Shown<FlameView> flame(run, FlameTree::Subject::kTime);
    EXPECT_FALSE(flame.view.chart().tree().empty());
    EXPECT_THAT(flame.view.summary(), test::HasText(shown));
    Shown<RooflineView> roofline(run);
    EXPECT_GT(roofline.view.chart().markCount(), 0);
    EXPECT_THAT(roofline.view.summary(), test::HasText(shown));
    EXPECT_THAT(layers.view.summary(), test::HasText(shown));
    // Where that has nothing either, it is said why.
    Shown<FlameView> bare(test::traceOf("step 0 10-60 ; info state stopped steps.completed 0 ; end 100"),
                          FlameTree::Subject::kTime);
    EXPECT_TRUE(bare.view.chart().emptyText().endsWith("the run was stopped in step 0"))
        << bare.view.chart().emptyText().toStdString();
}

TEST(ChartsAndTheFilter, WhatTheFilterLeavesNothingOfIsSaid) {
    Shown<AttentionView> attention(openSampleRun("small-bf16-naive"));
    attention.filter.setModule("blocks.3.ffn");
    attention.view.refreshNow();
    EXPECT_EQ(attention.view.chart().emptyText(), "The filter hides everything here: blocks.3.ffn");
    attention.filter.back();
    attention.view.refreshNow();
    EXPECT_TRUE(attention.view.chart().emptyText().isEmpty());
    attention.filter.setCategory(Category::kWeights);
    attention.view.refreshNow();
    EXPECT_THAT(attention.view.summary(),
                test::HasText("not restricted to weights: categories apply to memory only"));
    EXPECT_TRUE(attention.view.summaryToolTip().contains("not restricted to weights"));
}

TEST(ChartsAndTheFilter, FlopsUnderATextAreThoseOfItsOps) {
    const auto run = openSampleRun("small-bf16-naive");
    Shown<AttentionView> attention(run);
    Shown<LayersView> layers(run);
    attention.filter.setText("aten::bmm");
    layers.filter.setText("aten::bmm");
    attention.view.refreshNow();
    layers.view.refreshNow();
    const auto expectRates = [](DataTable& table, const auto& columns) {
        ASSERT_GT(table.shownRows(), 0);
        for (int r = 0; r < table.shownRows(); ++r) {
            const auto plain = [&](const char* column) {
                return table.proxy()->index(r, columns.place(column)).data(kPlainRole).toDouble();
            };
            const double expected = plain("flops") / (plain("time_ns") / 1e9);
            EXPECT_GT(expected, 0) << r;
            EXPECT_NEAR(plain("flops_per_second"), expected, expected * 1e-4) << r;
            EXPECT_GT(plain("moved_bytes"), 0) << r;
        }
    };
    expectRates(attention.view.table(), attentionTable());
    layers.view.table().setFilter(layersTable().place("layer"), "blocks.");
    expectRates(layers.view.table(), layersTable());
    for (const QString& words : {attention.view.summaryToolTip(), layers.view.summaryToolTip()})
        EXPECT_THAT(words, test::HasText("of the ops that the filter includes"));
}

TEST(ChartsAndTheFilter, FlopsThatAreNotKnownAreSaidToBe) {
    const auto run = openSampleRun("small-bf16-naive");
    // The loss's FLOPs are not: beside it runs what the plan counts with it.
    Shown<LayersView> layers(run);
    layers.filter.setText("log_softmax");
    layers.view.refreshNow();
    const LayersChart& chart = layers.view.chart();
    const int loss = rowNamed(chart, "loss");
    ASSERT_GE(loss, 0);
    EXPECT_EQ(chart.amounts().unknownRows(), 1);
    EXPECT_TRUE(chart.toolTipOf(loss).contains("unknown"));
    layers.view.table().setFilter(layersTable().place("layer"), "loss");
    ASSERT_EQ(layers.view.table().shownRows(), 1);
    for (const int column : {layersTable().place("flops"), layersTable().place("flops_per_second"),
                             layersTable().place("moved_bytes")}) {
        const QModelIndex cell = layers.view.table().proxy()->index(0, column);
        EXPECT_EQ(cell.data().toString(), "unknown");
        EXPECT_TRUE(cell.data(Qt::ToolTipRole).toString().contains("the plan does not say"));
        EXPECT_EQ(cell.data(kPlainRole).toString(), QString());
    }
    layers.choose("layersSubject", 1);
    EXPECT_FALSE(chart.amounts().hasAnything());
    EXPECT_TRUE(layers.view.summary().endsWith("FLOPs of these ops are unknown"))
        << layers.view.summary().toStdString();

    // One of the three kernels of a fused backward pass.
    Shown<AttentionView> attention(openSampleRun("small-bf16-flash"));
    attention.filter.setText("dot_do_o");
    attention.view.refreshNow();
    const AttentionChart& parts = attention.view.chart();
    ASSERT_EQ(parts.markCount(), 1);
    EXPECT_EQ(parts.parts().rows.front().part, AttentionPart::kFused);
    EXPECT_FALSE(parts.parts().flopsKnown(PlanPhase::kBackward));
    EXPECT_TRUE(parts.toolTipOf(0).contains("unknown"));
    EXPECT_EQ(parts.flopsBar(0).width(), 0);
    for (const int column :
         {attentionTable().place("flops_share"), attentionTable().place("flops"),
          attentionTable().place("flops_per_second"), attentionTable().place("moved_bytes")})
        EXPECT_EQ(attention.view.table().proxy()->index(0, column).data().toString(), "unknown");
}

TEST(ChartsPage, ItsControlAndItsNamesLeadToEveryView) {
    RunDocument document;
    TimeAxis axis;
    RunFilter filter(document, axis);
    ChartsPage page(document, axis, filter);
    test::showUnseen(page, {1000, 700});
    auto* places = page.findChild<SegmentedControl*>("chartPlaces");
    const QStringList atPlace = {"flame", "roofline", "attention", "phase-dots", "layers", "kernel-clocks"};
    ASSERT_EQ(places->count(), atPlace.size());
    for (int i = places->count() - 1; i >= 0; --i) {
        QTest::mouseClick(places->button(i), Qt::LeftButton);
        EXPECT_EQ(page.current()->objectName(), atPlace[i]);
        EXPECT_TRUE(places->button(i)->toolTip().contains(QLatin1Char('?'))) << "what it answers";
    }
    for (const ChartsPage::Entry& entry : ChartsPage::views()) {
        ASSERT_NE(page.view(entry.name), nullptr);
        page.showView(page.view(entry.name));
        EXPECT_EQ(page.current(), page.view(entry.name));
    }
    // The switch within the flame chart leads to the other one, and the control comes back to it.
    page.showView(page.view("flame"));
    auto* subject = page.current()->findChild<SegmentedControl*>("flameSubject");
    QTest::mouseClick(subject->button(1), Qt::LeftButton);
    EXPECT_EQ(page.current()->objectName(), "flame-memory");
    QTest::mouseClick(places->button(4), Qt::LeftButton);
    QTest::mouseClick(places->button(0), Qt::LeftButton);
    EXPECT_EQ(page.current()->objectName(), "flame-memory");
    // Without a run every view says so.
    for (Canvas* chart : page.findChildren<Canvas*>()) {
        for (const ChartsPage::Entry& entry : ChartsPage::views())
            static_cast<ChartView*>(page.view(entry.name))->refreshNow();
        EXPECT_TRUE(chart->emptyText().startsWith("Open or record a run"))
            << chart->objectName().toStdString();
        EXPECT_FALSE(chart->accessibleName().isEmpty());
    }
}

template <class View>
void expectClearedAtOnce(Shown<View>& shown) {
    ASSERT_GT(shown.view.chart().markCount(), 0);
    shown.document.setSnapshot(openSampleRun("xl-bf16-forward"));
    EXPECT_EQ(shown.view.chart().markCount(), 0);
    EXPECT_TRUE(shown.view.summary().isEmpty()) << shown.view.summary().toStdString();
    shown.view.refreshNow();
    EXPECT_GT(shown.view.chart().markCount(), 0);
}

TEST(ChartViews, NothingOfTheFormerRunIsLeftBeforeTheAnswerOfThisOne) {
    const auto run = openSampleRun("small-bf16-naive");
    Shown<PhasesView> phases(run);
    expectClearedAtOnce(phases);
    Shown<LayersView> layers(run);
    expectClearedAtOnce(layers);
    Shown<AttentionView> attention(run);
    expectClearedAtOnce(attention);
    Shown<RooflineView> roofline(run);
    expectClearedAtOnce(roofline);
    for (const auto subject : {FlameTree::Subject::kTime, FlameTree::Subject::kMemory}) {
        Shown<FlameView> flame(run, subject);
        expectClearedAtOnce(flame);
    }
}

}  // namespace warpglass::ui::chart_views_test
