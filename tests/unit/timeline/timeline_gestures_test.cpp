// The timeline under real mouse and key events, offscreen.
#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include "tests/unit/timeline/timeline_view_fixture.h"
#include "ui/models/run_filter.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui::timeline_gestures_test {

using TimelineGestures = TimelineViewFixture;

TEST_F(TimelineGestures, TheWheelZoomsAtTheCursor) {
    const QPoint at(500, 100);
    const Nanoseconds under = view.viewport().timeAt(at.x());
    wheel(at, {0, 240});
    EXPECT_LT(axis.visibleRange().duration().value, snapshot->range().duration().value * 7 / 10);
    EXPECT_NEAR(pixelOf(under), at.x(), 1.0);
    wheel(at, {0, -2400});
    EXPECT_EQ(axis.visibleRange(), snapshot->range());
}

TEST_F(TimelineGestures, ShiftWheelPansAndASidewaysWheelDoesToo) {
    axis.setVisibleRange({Nanoseconds(1'000'000), Nanoseconds(2'000'000)});
    wheel({500, 100}, {0, -120}, Qt::ShiftModifier);
    EXPECT_EQ(axis.visibleRange(), (TimeRange{Nanoseconds(1'100'000), Nanoseconds(2'100'000)}));
    wheel({500, 100}, {120, 0});
    EXPECT_EQ(axis.visibleRange(), (TimeRange{Nanoseconds(1'000'000), Nanoseconds(2'000'000)}));
}

TEST_F(TimelineGestures, TheWheelOverTheLabelsScrollsTheRows) {
    view.resize(900, 120);
    ASSERT_GT(view.findChild<QScrollBar*>()->maximum(), 0);
    wheel({20, 60}, {0, -120});
    EXPECT_GT(view.viewport().scrollTop(), 0);
    EXPECT_EQ(axis.visibleRange(), snapshot->range());
    wheel({500, 60}, {0, 1200}, Qt::AltModifier);
    EXPECT_EQ(view.viewport().scrollTop(), 0);
    view.resize(900, 700);
    EXPECT_FALSE(view.findChild<QScrollBar*>()->isVisible());
}

TEST_F(TimelineGestures, ADragPansByWhatTheMouseMoved) {
    axis.setVisibleRange({Nanoseconds(3'000'000), Nanoseconds(4'000'000)});
    const Nanoseconds grabbed = view.viewport().timeAt(400);
    drag({400, 100}, {300, 100});
    EXPECT_NEAR(pixelOf(grabbed), 300, 1.0);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_FALSE(axis.pinnedCursor()) << "a drag is not a click";
}

TEST_F(TimelineGestures, ShiftDragSelectsARangeEitherWay) {
    const Nanoseconds a = view.viewport().timeAt(300), b = view.viewport().timeAt(600);
    drag({600, 100}, {300, 100}, Qt::ShiftModifier);
    ASSERT_TRUE(axis.selectedRange());
    EXPECT_EQ(*axis.selectedRange(), (TimeRange{a, b}));
    EXPECT_EQ(axis.visibleRange(), snapshot->range());
    drag({350, 5}, {500, 5});
    EXPECT_EQ(axis.selectedRange()->begin, view.viewport().timeAt(350)) << "in the ruler without Shift";
    key(Qt::Key_Escape);
    EXPECT_FALSE(axis.selectedRange());
}

TEST_F(TimelineGestures, AClickSelectsTheSpanAndPinsTheCursor) {
    const SpanRef backward{lane(TrackKind::kPhase, 0), 3};
    const QPoint at = middleOf(backward);
    click(at);
    EXPECT_EQ(axis.selectedSpan(), backward);
    EXPECT_EQ(axis.pinnedCursor(), view.viewport().timeAt(at.x()));
    click({at.x(), view.height() - 5});
    EXPECT_FALSE(axis.selectedSpan()) << "below the last row";
}

TEST_F(TimelineGestures, ADoubleClickZoomsToTheSpanAndCtrlZGoesBack) {
    const SpanRef step{lane(TrackKind::kStep, 0), 1};
    const QPoint at = middleOf(step);
    QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, at);
    const SpanRow span = *spanRow(*snapshot, step);
    EXPECT_NEAR(pixelOf(Nanoseconds(span.start)), kTrackLabelWidth + view.plotArea().width() * 0.05 / 1.1, 2);
    EXPECT_NEAR(pixelOf(Nanoseconds(span.end())), kTrackLabelWidth + view.plotArea().width() * 1.05 / 1.1, 2);
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(axis.visibleRange(), snapshot->range());
}

TEST_F(TimelineGestures, ADoubleClickInAMeasuredRangeZoomsToItAndThenToTheSpan) {
    const TimeRange whole = axis.visibleRange();
    const SpanRef step{lane(TrackKind::kStep, 0), 1};
    const auto doubleClick = [this](QPoint at) {
        click(at);  // as the window system has it
        QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, at);
    };
    for (const bool inRuler : {false, true}) {
        const QPoint middle = middleOf(step);
        drag(middle - QPoint(12, 0), middle + QPoint(15, 0), Qt::ShiftModifier);
        ASSERT_TRUE(axis.selectedRange());
        const TimeRange range = *axis.selectedRange();
        doubleClick(inRuler ? QPoint(middle.x(), 5) : middle);
        EXPECT_EQ(axis.visibleRange(), range);
        EXPECT_EQ(axis.selectedRange(), range) << "the first click took nothing away";
        // It fills the view: now what is under the mouse is meant.
        doubleClick(inRuler ? QPoint(middle.x(), 5) : middleOf(step));
        EXPECT_NE(axis.visibleRange(), range);
        EXPECT_GT(axis.visibleRange().duration(), range.duration());
        key(Qt::Key_Z, Qt::ControlModifier);
        EXPECT_EQ(axis.visibleRange(), range);
        key(Qt::Key_Z, Qt::ControlModifier);
        EXPECT_EQ(axis.visibleRange(), whole);
    }
    // Beside the range it is the span's.
    const SpanRef phase{lane(TrackKind::kPhase, 0), 3};
    const QPoint beside = middleOf(phase);
    drag(beside + QPoint(20, 0), beside + QPoint(60, 0), Qt::ShiftModifier);
    doubleClick(beside);
    const SpanRow span = *spanRow(*snapshot, phase);
    EXPECT_TRUE(axis.visibleRange().contains(Nanoseconds(span.start)));
    EXPECT_TRUE(axis.visibleRange().contains(Nanoseconds(span.end())));
}

TEST_F(TimelineGestures, ADoubleClickInAMeasuredRangeLeavesTheFilterAndItsHistory) {
    RunFilter filter(document, axis);
    view.setFilter(&filter);
    const SpanRef step{lane(TrackKind::kStep, 0), 1};
    const QPoint middle = middleOf(step);
    drag(middle - QPoint(12, 0), middle + QPoint(15, 0), Qt::ShiftModifier);
    const RunFilter::State measured = filter.state();
    ASSERT_EQ(measured.range, axis.selectedRange());
    click(middle);
    EXPECT_EQ(filter.state().span, step) << "a click alone is meant";
    QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, middle);
    EXPECT_EQ(axis.visibleRange(), *measured.range);
    EXPECT_EQ(filter.state(), measured);
    EXPECT_EQ(axis.selectedRange(), measured.range);
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_FALSE(filter.canGoForward()) << "nobody has gone back";
    filter.back();
    EXPECT_EQ(filter.state(), RunFilter::State());
    EXPECT_FALSE(filter.canGoBack());
    view.setFilter(nullptr);
}

TEST_F(TimelineGestures, TheLabelOfAMeasuredRangeTellsWhatHappensInIt) {
    const TimeRange range{Nanoseconds(500'000), Nanoseconds(2'500'000)};
    axis.setSelectedRange(range);
    const QPoint at(static_cast<int>(pixelOf(Nanoseconds(1'500'000))), kRulerHeight / 2);
    EXPECT_EQ(test::toolTipAt(view, at), rangeText(range, rangeActivity(*snapshot, range)));
    EXPECT_TRUE(QToolTip::text().contains("Ops  "));
}

TEST_F(TimelineGestures, KeysZoomPanFitAndFollow) {
    key(Qt::Key_W);
    const TimeRange zoomed = axis.visibleRange();
    EXPECT_LT(zoomed.duration(), snapshot->range().duration());
    key(Qt::Key_D);
    EXPECT_GT(axis.visibleRange().begin, zoomed.begin);
    key(Qt::Key_A);
    EXPECT_EQ(axis.visibleRange(), zoomed);
    key(Qt::Key_S);
    key(Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), snapshot->range());
}

TEST_F(TimelineGestures, ArrowsStepThroughALaneAndThroughDepths) {
    const LaneId outer = lane(TrackKind::kCpuThread, 0), inner = lane(TrackKind::kCpuThread, 1);
    const SpanRef child{inner, 5};
    axis.setSelectedSpan(child);
    key(Qt::Key_Right);
    EXPECT_EQ(axis.selectedSpan(), (SpanRef{inner, 6}));
    EXPECT_EQ(axis.pinnedCursor(), Nanoseconds(spanRow(*snapshot, {inner, 6})->start));
    key(Qt::Key_Left);
    EXPECT_EQ(axis.selectedSpan(), child);
    key(Qt::Key_Up);
    ASSERT_EQ(axis.selectedSpan(), parentSpan(*snapshot, child));
    EXPECT_EQ(axis.selectedSpan()->lane, outer);
    key(Qt::Key_Up);
    EXPECT_EQ(axis.selectedSpan()->lane, outer) << "nothing above: stays";
    key(Qt::Key_Down);
    EXPECT_EQ(axis.selectedSpan(), childSpan(*snapshot, *parentSpan(*snapshot, child)));
    key(Qt::Key_Return);
    EXPECT_LT(axis.visibleRange().duration().value, snapshot->range().duration().value / 10);
}

TEST_F(TimelineGestures, DownGoesFromAStepToItsPhaseAndModuleAndUpBack) {
    const SpanRef step{lane(TrackKind::kStep, 0), 1};
    axis.setSelectedSpan(step);
    for (const TrackKind kind : {TrackKind::kPhase, TrackKind::kModule}) {
        const SpanRow around = *spanRow(*snapshot, *axis.selectedSpan());
        key(Qt::Key_Down);
        ASSERT_EQ(axis.selectedSpan()->lane, lane(kind, 0));
        const SpanRow within = *spanRow(*snapshot, *axis.selectedSpan());
        EXPECT_GE(within.start, around.start);
        EXPECT_LE(within.end(), around.end());
    }
    key(Qt::Key_Up);
    EXPECT_EQ(axis.selectedSpan()->lane, lane(TrackKind::kPhase, 0));
    key(Qt::Key_Up);
    EXPECT_EQ(axis.selectedSpan(), step);
    key(Qt::Key_Up);
    EXPECT_EQ(axis.selectedSpan(), step) << "nothing around it: stays";
}

TEST_F(TimelineGestures, AToolTipOfRowsGoesWhenTheyScrollAndOnAKey) {
    view.resize(900, 120);
    view.grab();
    const auto hover = [this] {
        test::toolTipAt(view, {20, kRulerHeight + 10});
        return QToolTip::isVisible();
    };
    const auto gone = [] { return !QToolTip::isVisible(); };
    // By itself one goes too, after ten seconds or so.
    constexpr int kBeforeItGoes = 9'000;
    ASSERT_TRUE(hover());
    QElapsedTimer shown;
    shown.start();
    key(Qt::Key_W);
    EXPECT_TRUE(QTest::qWaitFor(gone, 60'000));
    EXPECT_LT(shown.elapsed(), kBeforeItGoes);
    ASSERT_EQ(view.viewport().scrollTop(), 0);
    ASSERT_TRUE(hover());
    shown.start();
    axis.setSelectedSpan(SpanRef{view.rows().rows().back().lane, 0});
    ASSERT_GT(view.viewport().scrollTop(), 0);
    EXPECT_TRUE(QTest::qWaitFor(gone, 60'000));
    EXPECT_LT(shown.elapsed(), kBeforeItGoes);
}

TEST_F(TimelineGestures, HoverMovesTheSharedCursorAndBuildsNoGeometry) {
    const std::uint64_t before = view.body().geometryBuilds();
    QSignalSpy cursor(&axis, &TimeAxis::cursorChanged);
    for (int x = 200; x < 700; x += 50) {
        QTest::mouseMove(&view, {x, 150});
        EXPECT_EQ(axis.cursor(), view.viewport().timeAt(x));
        view.grab();
    }
    EXPECT_GE(cursor.count(), 10);
    axis.setSelectedSpan(SpanRef{lane(TrackKind::kPhase, 0), 2});
    axis.setSelectedRange(TimeRange{Nanoseconds(5), Nanoseconds(500'000)});
    view.grab();
    EXPECT_EQ(view.body().geometryBuilds(), before);
    QTest::mouseMove(&view, {20, 150});
    EXPECT_FALSE(axis.cursor()) << "over the labels there is no moment";
}

TEST_F(TimelineGestures, AHitIsTheSpanOfTheRowUnderTheMouse) {
    for (const TimelineRow& row : view.rows().rows()) {
        const SpanLane rowLane = snapshot->lane(row.lane);
        for (std::uint64_t i = 0; i < rowLane.rows(); ++i) {
            const SpanRow span = *rowLane.row(i);
            if (pixelOf(Nanoseconds(span.end())) - pixelOf(Nanoseconds(span.start)) < 6)
                continue;
            const auto hit = view.hitTest(middleOf({row.lane, i}));
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->row.lane, row.lane);
            EXPECT_EQ(hit->rect.row, i);
        }
    }
    EXPECT_FALSE(view.hitTest({20, 100}));
    EXPECT_FALSE(view.hitTest({500, 5}));
}

TEST_F(TimelineGestures, FFitsTheSelectionElseTheRunAndRedoGoesForward) {
    const TimeRange whole = axis.visibleRange();
    const TimeRange chosen{Nanoseconds(1'000'000), Nanoseconds(2'000'000)};
    axis.setSelectedRange(chosen);
    key(Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), chosen);
    key(Qt::Key_F, Qt::ShiftModifier);
    EXPECT_EQ(axis.visibleRange(), whole);
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(axis.visibleRange(), chosen);
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(axis.visibleRange(), whole);
    key(Qt::Key_Z, Qt::ControlModifier);
    key(Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(axis.visibleRange(), whole);
    key(Qt::Key_W);
    key(Qt::Key_Home);
    EXPECT_EQ(axis.visibleRange(), whole);
    axis.setSelectedRange(std::nullopt);
    key(Qt::Key_W);
    key(Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), whole);
}

}  // namespace warpglass::ui::timeline_gestures_test
