// The comparison of two real runs: fp32 and bf16 of one step, recorded on a GPU.
#include <QFrame>
#include <QScreen>
#include <QSignalSpy>
#include <QToolButton>

#include "engine/query/activity/range_activity.h"
#include "engine/query/compare/median_step.h"
#include "tests/support/gestures.h"
#include "tests/support/has_text.h"
#include "tests/support/run_conditions.h"
#include "tests/unit/compare/comparison_fixture.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui::comparison_view_test {

TEST_F(ComparisonViewTest, SaysWhatDiffersAndHowMuchFasterItIs) {
    EXPECT_EQ(label("comparisonSettings"), "precision fp32 → bf16");
    EXPECT_THAT(label("comparisonHeadline"), test::HasText("× faster"));
    EXPECT_TRUE(label("comparisonHeadline").contains("peak memory"));
    EXPECT_TRUE(label("comparisonHeadline").contains(", but launch-bound"));
    const QString all = view.findChild<QLabel*>("comparisonHeadline")->toolTip();
    EXPECT_THAT(all, test::HasText("GEMM share of GPU time"));
    EXPECT_THAT(all, test::HasText("launch-bound (the GPU waits for the host 63% of the step) where fp32 was "
                                   "GPU-bound (the GPU is busy for 96% of the step)"));
}

TEST_F(ComparisonViewTest, SwappingTurnsEverythingRoundAndKeepsWhatIsChosen) {
    chooseStep("stepOfA", 2);
    chooseSteps(2);  // one step
    view.refreshNow();
    view.alignAt(landmark("blocks.3.attn, backward"));
    view.axisOfA().zoomAt(view.axisOfA().visibleRange().begin, 0.5);
    const QString words = label("comparedWords");
    const TimeRange visible = view.axisOfB().visibleRange();
    const Nanoseconds offset = view.link().offset();
    const double inA = value(0, "a"), inB = value(0, "b");
    const QString before = label("comparisonHeadline");
    EXPECT_TRUE(view.findChild<QLabel*>("comparisonHeadline")
                    ->toolTip()
                    .contains("35.7\u202Fms in step 1 against 46.4\u202Fms in step 2"))
        << "of the steps that are chosen";
    QSignalSpy swapped(&view, &ComparisonView::swapped);

    QTest::mouseClick(view.findChild<QPushButton*>("swapRuns"), Qt::LeftButton);
    view.refreshNow();
    EXPECT_EQ(swapped.count(), 1);
    EXPECT_EQ(view.sideA().title, "two");
    EXPECT_TRUE(label("comparisonTitles").indexOf("two") < label("comparisonTitles").indexOf("one"));
    EXPECT_EQ(label("comparisonSettings"), "precision bf16 → fp32");
    EXPECT_NE(label("comparisonHeadline"), before);
    EXPECT_TRUE(label("comparisonHeadline").contains("× slower"));
    EXPECT_EQ(view.axisOfA().visibleRange(), visible);
    EXPECT_EQ(view.link().offset(), -offset);
    EXPECT_EQ(combo("stepOfB")->currentIndex(), 2);
    EXPECT_EQ(label("comparedWords"), "GPU time, step 1 of A against step 2 of B") << words.toStdString();
    EXPECT_EQ(value(0, "a"), inB);
    EXPECT_EQ(value(0, "b"), inA);
    EXPECT_TRUE(view.findChild<LandmarkChooser*>()->accessibleName().contains("blocks.3.attn, backward"));
    // And back by the keyboard.
    QTest::keyClick(view.timelineOfA(), Qt::Key_X);
    view.refreshNow();
    EXPECT_EQ(label("comparisonHeadline"), before);
    EXPECT_EQ(view.link().offset(), offset);
}

TEST_F(ComparisonViewTest, TheStepsThatStandForTheRunsAreAlignedFirst) {
    const auto a = open("small-fp32-naive"), b = open("small-bf16-naive");
    view.setRuns({"one", a, nullptr}, {"two", b, nullptr});
    const StepSpan inA = *medianStep(*a), inB = *medianStep(*b);
    EXPECT_EQ(combo("stepOfA")->currentText(), QStringLiteral("A step %1").arg(inA.step));
    EXPECT_EQ(combo("stepOfB")->currentText(), QStringLiteral("B step %1").arg(inB.step));
    EXPECT_EQ(view.link().momentOfA(), inA.range.begin);
    EXPECT_EQ(view.link().offset(), inB.range.begin - inA.range.begin);
    // What was chosen is kept.
    view.chooseSteps(3, 2);
    const ComparisonView::Kept kept = view.kept();
    view.setRuns({"one", a, nullptr}, {"two", b, nullptr});
    view.restore(kept);
    EXPECT_EQ(combo("stepOfA")->currentIndex(), 3);
    EXPECT_EQ(combo("stepOfB")->currentIndex(), 2);
    EXPECT_EQ(view.link().momentOfA(), step(view.sideA(), 3).range.begin);
}

TEST_F(ComparisonViewTest, BothAxesCountFromTheAlignmentAndTheMemoryIsOfTheseSteps) {
    const StepSpan a = step(view.sideA(), 1), b = step(view.sideB(), 1);
    EXPECT_EQ(view.axisOfA().clock().alignment(), a.range.begin);
    EXPECT_EQ(view.axisOfB().clock().alignment(), b.range.begin);
    // A's step lasts longer: B's next one is not set against it.
    ASSERT_GT(a.range.duration(), b.range.duration());
    const Nanoseconds late = a.range.begin + b.range.duration() + Nanoseconds(1'000'000);
    EXPECT_TRUE(chart()->memory().ofA(late));
    EXPECT_FALSE(chart()->memory().ofB(late));
    EXPECT_FALSE(chart()->memory().ofA(a.range.end + Nanoseconds(1)));
    EXPECT_EQ(chart()->memory().columnsOfA(1000).back(), MemoryDifference::kNone);
    EXPECT_NE(chart()->memory().columnsOfA(1000)[500], MemoryDifference::kNone);
    EXPECT_TRUE(chart()->memory().exactText(a.range.begin).startsWith("A at +"));
    // Swapped, B is the longer one, aligned where it was.
    view.swap();
    EXPECT_EQ(view.axisOfB().clock().alignment(), a.range.begin);
    EXPECT_TRUE(chart()->memory().ofB(late - view.link().offset()));
}

TEST_F(ComparisonViewTest, SwappingKeepsWhatIsSelectedAndPinned) {
    const TimeRange visible = view.axisOfA().visibleRange();
    const TimeRange range{visible.begin + Nanoseconds(2'000'000), visible.begin + Nanoseconds(9'000'000)};
    const Nanoseconds offset = view.link().offset();
    view.axisOfA().setSelectedRange(range);
    view.axisOfA().setPinnedCursor(range.begin);
    view.refreshNow();
    view.swap();
    EXPECT_EQ(view.axisOfB().selectedRange(), range);
    EXPECT_EQ(view.axisOfA().selectedRange()->begin, range.begin + offset);
    EXPECT_EQ(view.axisOfB().pinnedCursor(), range.begin);
    view.refreshNow();
    const RangeActivity a = rangeActivity(*view.sideA().snapshot, *view.axisOfA().selectedRange());
    EXPECT_THAT(label("comparisonMessage"), test::HasText(QStringLiteral("A %1 kernels").arg(a.kernels)));
    // A range that is cleared before its answer is there is not spoken of.
    view.axisOfA().setSelectedRange(TimeRange{range.begin, range.begin + Nanoseconds(5'000'000)});
    view.axisOfA().setSelectedRange(std::nullopt);
    view.refreshNow();
    EXPECT_THAT(label("comparisonMessage"), test::BeginsWith("Click a block"));
    const FoundLandmark inA = find(view.sideA(), landmark("forward"));
    view.axisOfA().setSelectedSpan(inA.span);
    view.swap();
    EXPECT_EQ(view.axisOfB().selectedSpan(), inA.span);
    EXPECT_TRUE(view.axisOfA().selectedSpan());
}

TEST_F(ComparisonViewTest, LettersReachTheViewFromItsTableAndItsSteps) {
    QSignalSpy swapped(&view, &ComparisonView::swapped);
    QTest::keyClick(view.findChild<DataTable*>("comparisonRows"), Qt::Key_X);
    EXPECT_EQ(swapped.count(), 1);
    QTest::keyClick(combo("stepOfB"), Qt::Key_X);
    EXPECT_EQ(swapped.count(), 2);
    QTest::keyClick(combo("stepOfA"), Qt::Key_L);
    EXPECT_THAT(label("comparisonMessage"), test::BeginsWith("Select a phase"));
}

TEST_F(ComparisonViewTest, TheStepOfEachRunIsChosenByItself) {
    const auto a = endedSteps(*view.sideA().snapshot), b = endedSteps(*view.sideB().snapshot);
    ASSERT_GE(a.size(), 3u);
    for (const auto& [indexA, indexB] : {std::pair{1, 1}, {2, 1}, {2, 3}, {0, 2}}) {
        chooseStep("stepOfA", indexA);
        chooseStep("stepOfB", indexB);
        EXPECT_EQ(view.link().offset(), b[static_cast<std::size_t>(indexB)].range.begin -
                                            a[static_cast<std::size_t>(indexA)].range.begin);
        EXPECT_EQ(view.axisOfA().visibleRange().duration(), view.axisOfB().visibleRange().duration());
        EXPECT_TRUE(view.axisOfA().visibleRange().contains(a[static_cast<std::size_t>(indexA)].range.begin));
    }
    EXPECT_TRUE(combo("stepOfA")->itemText(0).contains("warm-up"));
}

TEST_F(ComparisonViewTest, TypingFindsAModuleAndBothAreAlignedAtIt) {
    auto* chooser = view.findChild<LandmarkChooser*>();
    chooser->setFocus();
    QTest::keyClick(chooser, Qt::Key_Space);
    auto* query = chooser->findChild<QLineEdit*>("landmarkQuery");
    auto* list = chooser->findChild<QListWidget*>("landmarkList");
    ASSERT_TRUE(query->isVisible());
    const int all = list->count();
    EXPECT_GT(all, 100);
    QTest::keyClicks(query, "blocks.7.attn back");
    ASSERT_GE(list->count(), 1);
    EXPECT_LT(list->count(), all);
    EXPECT_EQ(list->item(0)->text(), "blocks.7.attn, backward");
    QTest::keyClick(query, Qt::Key_Return);
    EXPECT_FALSE(query->isVisible());
    expectAlignedAt(landmark("blocks.7.attn, backward"));
    EXPECT_THAT(label("comparisonMessage"), test::BeginsWith("blocks.7.attn, backward, begin to end: A "));
    // A phase by the mouse.
    QTest::mouseClick(chooser, Qt::LeftButton);
    list->scrollToItem(list->item(1));
    ASSERT_EQ(list->item(1)->text(), "forward");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(1)).center());
    expectAlignedAt(landmark("forward"));
    QTest::mouseClick(chooser, Qt::LeftButton);
    QTest::keyClicks(query, "no such thing");
    QTest::keyClick(query, Qt::Key_Return);
    EXPECT_TRUE(query->isVisible()) << "nothing to choose";
    QTest::keyClick(query, Qt::Key_Escape);
    expectAlignedAt(landmark("forward"));
}

TEST_F(ComparisonViewTest, TheListOfLandmarksStaysInTheWindowAndOnTheScreen) {
    auto* chooser = view.findChild<LandmarkChooser*>();
    auto* popup = test::must(chooser->findChild<QFrame*>("landmarkPopup"));
    const auto edgesOf = [](const QWidget& widget) {
        return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size());
    };
    const QRect screen = view.screen()->availableGeometry();
    // A window that the screen holds, and two of which it does not.
    for (const QSize size : {QSize(screen.width() - 40, 500), kLow, QSize(1280, 720)}) {
        resize(size);
        chooser->openList();
        ASSERT_TRUE(popup->isVisible());
        // The offscreen platform gives windows a frame, by which it moves popups too.
        const int frame = view.mapToGlobal(QPoint(0, 0)).x() - view.pos().x();
        const QRect list = edgesOf(*popup).translated(-frame, -frame);
        const QRect button = edgesOf(*chooser);
        EXPECT_LE(list.right(), edgesOf(view).right()) << size.width();
        EXPECT_TRUE(screen.contains(list)) << list.left() << " to " << list.right();
        EXPECT_FALSE(list.intersects(button)) << "what is chosen from is said there";
        popup->hide();
    }
}

TEST_F(ComparisonViewTest, WhatIsSelectedInOneIsSelectedInTheOther) {
    const Landmark attention = landmark("blocks.5.attn, forward");
    const FoundLandmark inA = find(view.sideA(), attention), inB = find(view.sideB(), attention);
    const TimeRange visible = view.axisOfA().visibleRange();
    view.axisOfA().setSelectedSpan(inA.span);
    EXPECT_EQ(view.axisOfB().selectedSpan(), inB.span);
    EXPECT_EQ(view.axisOfA().visibleRange(), visible) << "to select is not to move";
    EXPECT_TRUE(label("comparisonMessage").startsWith("blocks.5.attn, forward: A "));
    view.axisOfB().setSelectedSpan(std::nullopt);
    EXPECT_FALSE(view.axisOfA().selectedSpan());
    // L aligns both at it.
    view.axisOfB().setSelectedSpan(inB.span);
    QTest::keyClick(view.timelineOfB(), Qt::Key_L);
    expectAlignedAt(attention);
}

TEST_F(ComparisonViewTest, ARowAlignsBothAtItsFirst) {
    for (const int kind : {0, 1, 2, 3}) {
        chooseTable(kind);
        // A step, the first of the phases' rows, is aligned at without a span of it.
        clickRow(kind == 3 ? 1 : 0);
        ASSERT_TRUE(view.axisOfA().selectedSpan() && view.axisOfB().selectedSpan()) << kind;
        const auto begin = [](const ComparisonView::Side& side, SpanRef span) {
            return Nanoseconds(side.snapshot->lane(span.lane).row(span.row)->start);
        };
        EXPECT_EQ(view.link().offset(), begin(view.sideB(), *view.axisOfB().selectedSpan()) -
                                            begin(view.sideA(), *view.axisOfA().selectedSpan()));
    }
    EXPECT_EQ(table()->proxy()->index(0, 0).data().toString(), "all phases");
    clickRow(0);
    EXPECT_EQ(view.link().offset(), step(view.sideB(), 1).range.begin - step(view.sideA(), 1).range.begin);
    EXPECT_THAT(label("comparisonMessage"), test::HasText("begin to end: A "));
}

TEST_F(ComparisonViewTest, MeanSumAndOneStepAreDifferentFigures) {
    const double mean = value(0, "a");
    EXPECT_EQ(label("comparedWords"), "GPU time, mean per measured step (n = 3 each)");
    chooseSteps(1);
    view.refreshNow();
    EXPECT_NEAR(value(0, "a"), 3 * mean, 1);
    EXPECT_TRUE(label("comparedWords").contains("sum over the measured steps"));
    chooseSteps(2);
    view.refreshNow();
    EXPECT_NE(value(0, "a"), mean);
    EXPECT_TRUE(label("comparedWords").contains("step 1 of A against step 1 of B"));
    chooseStep("stepOfB", 3);
    view.refreshNow();
    EXPECT_TRUE(label("comparedWords").contains("step 1 of A against step 3 of B"));
    // By the keyboard, one back, and by tokens: of one step too.
    const double oneStep = value(0, "a");
    auto* perToken = view.findChild<QToolButton*>("comparedPerToken");
    view.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&view, 60'000));
    static_cast<QWidget*>(perToken)->setFocus();
    QTest::keyClick(static_cast<QWidget*>(perToken), Qt::Key_Space);
    view.refreshNow();
    EXPECT_NEAR(value(0, "a"), oneStep / (512 * 4), 1e-3);
    EXPECT_TRUE(label("comparedWords").contains("per token"));
    auto* button = view.findChild<SegmentedControl*>("comparedSteps")->button(2);
    static_cast<QWidget*>(button)->setFocus();
    QTest::keyClick(static_cast<QWidget*>(button), Qt::Key_Left);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left);
    view.refreshNow();
    EXPECT_NEAR(value(0, "a"), mean / (512 * 4), 1e-3);
    EXPECT_TRUE(label("comparedWords").contains("mean per token"));
}

TEST_F(ComparisonViewTest, EitherTimelinesZoomIsUndoneFromEither) {
    const TimeRange start = view.axisOfA().visibleRange();
    view.axisOfB().setVisibleRange({view.axisOfB().visibleRange().begin + Nanoseconds(5'000'000),
                                    view.axisOfB().visibleRange().begin + Nanoseconds(6'000'000)});
    const TimeRange zoomed = view.axisOfA().visibleRange();
    EXPECT_EQ(zoomed.duration(), Nanoseconds(1'000'000));
    QTest::keyClick(view.timelineOfB(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(view.axisOfA().visibleRange(), start);
    QTest::keyClick(view.timelineOfA(), Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(view.axisOfA().visibleRange(), zoomed);
    EXPECT_EQ(view.axisOfB().visibleRange().duration(), zoomed.duration());
}

TEST_F(ComparisonViewTest, AMeasuredRangeIsMeasuredInBoth) {
    const TimeRange visible = view.axisOfA().visibleRange();
    const TimeRange range{visible.begin + Nanoseconds(2'000'000), visible.begin + Nanoseconds(9'000'000)};
    view.axisOfA().setSelectedRange(range);
    ASSERT_TRUE(view.axisOfB().selectedRange());
    EXPECT_EQ(view.axisOfB().selectedRange()->begin, range.begin + view.link().offset());
    view.refreshNow();
    const RangeActivity a = rangeActivity(*view.sideA().snapshot, range);
    EXPECT_THAT(label("comparisonMessage"), test::HasText(QStringLiteral("A %1 kernels").arg(a.kernels)));
}

TEST_F(ComparisonViewTest, AFigureStatesTheChoicesAndHasNoControls) {
    view.alignAt(landmark("backward"));
    view.refreshNow();
    EXPECT_EQ(FigureMode(view, view.size()).words(),
              "Precision fp32 → bf16 · aligned at backward (step 1 in both)");
    chooseStep("stepOfB", 3);
    {
        const FigureMode figure(view, view.size());
        EXPECT_EQ(figure.words(), "Precision fp32 → bf16 · aligned at backward (A step 1, B step 3)");
        for (const char* name :
             {"swapRuns", "closeComparison", "stepOfA", "comparisonTables", "comparedSteps",
              "comparisonTitles", "comparisonSettings", "comparisonHeadline"})
            EXPECT_FALSE(view.findChild<QWidget*>(QString::fromLatin1(name))->isVisible()) << name;
        EXPECT_EQ(label("comparedWords"), "Kernels: GPU time, mean per measured step (n = 3 each)");
        EXPECT_EQ(view.heading().title, "one (A) against two (B)");
        EXPECT_TRUE(view.heading().finding.contains("× faster: ")) << view.heading().finding.toStdString();
        EXPECT_TRUE(view.heading().finding.contains("launch-bound")) << view.heading().finding.toStdString();
    }
    EXPECT_TRUE(view.findChild<QWidget*>("swapRuns")->isVisible());
    EXPECT_TRUE(view.findChild<QWidget*>("comparisonHeadline")->isVisible());
}

TEST_F(ComparisonViewTest, AFigureMadeTooEarlyNamesItsTableAllTheSame) {
    view.setRuns(view.sideA(), view.sideB());
    EXPECT_EQ(view.findChild<DataTable*>("comparisonRows")->emptyText(), "Comparing…");
    EXPECT_TRUE(label("comparedWords").isEmpty()) << "there are no figures";
    view.setInFigure(true);
    EXPECT_EQ(label("comparedWords"), "Kernels");
    view.refreshNow();
    EXPECT_EQ(label("comparedWords"), "Kernels: GPU time, mean per measured step (n = 3 each)");
}

TEST_F(ComparisonViewTest, TheGpusRowsAreInSightInASmallWindow) {
    view.resize(1280, 630);
    QTest::qWait(0);
    for (TimelineView* timeline : {view.timelineOfA(), view.timelineOfB()}) {
        EXPECT_FALSE(streamsOf(*timeline).empty());
        for (const TimelineTrack& track : streamsOf(*timeline))
            EXPECT_LE(timeline->viewport().shownTop(track.legendTop()), timeline->plotArea().height());
    }
}

TEST_F(ComparisonViewTest, OddPairsAreShownAndSaidToBeOdd) {
    const auto compare = [&](const char* a, const char* b) {
        ComparisonViewTest::compare(a, b);
        view.grab();
        return label("comparisonNotes");
    };
    EXPECT_TRUE(compare("xl-bf16-forward", "small-bf16-flash").contains("forward pass"));
    EXPECT_TRUE(compare("large-fp32-out-of-memory", "small-bf16-flash").contains("A ran out of memory"));
    EXPECT_TRUE(compare("small-bf16-flash", "small-bf16-flash").contains("the same run"));
    // For one run, two of its steps stand against each other; for two runs, again their means.
    EXPECT_NE(combo("stepOfA")->currentIndex(), combo("stepOfB")->currentIndex());
    EXPECT_TRUE(label("comparedWords")
                    .contains(QStringLiteral("step %1 of A against step %2 of B")
                                  .arg(combo("stepOfA")->currentIndex())
                                  .arg(combo("stepOfB")->currentIndex())))
        << label("comparedWords").toStdString();
    bool differs = false;
    for (int row = 0; row < view.model().rowCount(); ++row)
        differs = differs || value(row, "a") != value(row, "b");
    EXPECT_TRUE(differs);
    EXPECT_TRUE(compare("small-bf16-graph", "small-bf16-flash").isEmpty());
    EXPECT_TRUE(label("comparedWords").contains("mean per measured step"));
    // Modules of a graph are known by what ran on the GPU alone.
    view.alignAt(landmark("blocks.3.attn, backward on the GPU"));
    EXPECT_THAT(label("comparisonMessage"), test::BeginsWith("blocks.3.attn, backward on the GPU"));
}

TEST_F(ComparisonViewTest, EveryTableHasRowsOfItsOwn) {
    QStringList firsts;
    for (int table = 0; table < 5; ++table) {
        chooseTable(table);
        ASSERT_GT(view.model().rowCount(), 3) << table;
        firsts << view.model().index(0, ComparisonModel::place("name")).data().toString();
    }
    EXPECT_EQ(QSet<QString>(firsts.begin(), firsts.end()).size(), 5) << firsts.join(u' ').toStdString();
    EXPECT_EQ(firsts[3], "forward");
    EXPECT_EQ(firsts[4], "weights");
}

TEST_F(ComparisonViewTest, TheLegendNamesBothAndReadsThemAtTheCursor) {
    const auto* plot = view.findChild<MemoryDifferencePlot*>();
    EXPECT_EQ(plot->legend(), (QStringList{"A  one", "B  two", "− B uses less", "+ B uses more"}));
    view.axisOfB().setCursor(view.axisOfB().visibleRange().begin + Nanoseconds(9'000'000));
    const QStringList read = plot->legend();
    ASSERT_EQ(read.size(), 3);
    EXPECT_TRUE(read[0].contains("GiB") && read[1].contains("GiB"));
    EXPECT_TRUE(read[2].startsWith("− B uses") || read[2].startsWith("+ B uses"));
}

TEST_F(ComparisonViewTest, EscapeAndCloseLeave) {
    QSignalSpy closed(&view, &ComparisonView::closeRequested);
    QTest::mouseClick(view.findChild<QPushButton*>("closeComparison"), Qt::LeftButton);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(closed.count(), 2);
}

TEST_F(ComparisonViewTest, EscapeInTheMemoryLetsGoOfWhatItChoseAndThenLeaves) {
    resize(kRoomy);
    QSignalSpy closed(&view, &ComparisonView::closeRequested);
    const QPoint middle = chart()->rect().center();
    QTest::mouseClick(chart(), Qt::LeftButton, {}, middle);
    test::drag(*chart(), middle, middle + QPoint(90, 0), Qt::ShiftModifier);
    ASSERT_TRUE(view.axisOfA().pinnedCursor() && view.axisOfB().selectedRange());
    QTest::keyClick(chart(), Qt::Key_Escape);
    EXPECT_FALSE(view.axisOfA().pinnedCursor() || view.axisOfB().selectedRange());
    EXPECT_EQ(closed.count(), 0);
    QTest::keyClick(chart(), Qt::Key_Escape);
    EXPECT_EQ(closed.count(), 1);
}

TEST_F(ComparisonViewTest, ThatTheConditionsDifferedStandsOverTheHeadline) {
    auto* cautions = view.findChild<QLabel*>("comparisonCautions");
    EXPECT_FALSE(cautions->isVisible()) << "earlier versions did not record them";
    test::MadeConditions quiet, busy;
    quiet.othersCores = 0.1;
    busy.othersCores = 3.2;
    busy.started = "2026-01-31T16:00:00Z";
    compare(test::makeRun(quiet), test::makeRun(busy));
    for (const QSize size : {kRoomy, kLow}) {
        resize(size);
        EXPECT_TRUE(cautions->isVisible());
        EXPECT_THAT(cautions->text(),
                    test::BeginsWith("The host was busy in B's steps: other programs used 3.2 of 4 cores"));
        const auto* headline = view.findChild<QLabel*>("comparisonHeadline");
        EXPECT_LT(cautions->geometry().bottom(), headline->geometry().center().y());
        EXPECT_GE(cautions->height(), cautions->heightForWidth(cautions->width())) << "none of it is cut";
    }
    busy.othersCores = 0.1;
    compare(test::makeRun(quiet), test::makeRun(busy));
    EXPECT_FALSE(cautions->isVisible());
}

}  // namespace warpglass::ui::comparison_view_test
