// What the timeline shows: of which run and which stretch of it, what is selected elsewhere, and how it is
// drawn.
#include <QImage>
#include <QPushButton>
#include <QStackedWidget>
#include <QTest>
#include <algorithm>

#include "tests/support/must.h"
#include "tests/support/pixels.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/timeline/timeline_view_fixture.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/refresh.h"
#include "ui/theme/theme.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui::timeline_view_test {

using TimelineViewTest = TimelineViewFixture;

TEST_F(TimelineViewTest, FrameTimesAreInTheCornerOnlyWhileTheyAreShown) {
    EXPECT_FALSE(view.showsFrameTimes());
    const QImage without = view.grab().toImage();
    const std::uint64_t builds = view.body().geometryBuilds();
    view.setShowsFrameTimes(true);
    EXPECT_TRUE(view.showsFrameTimes());
    const QImage with = view.grab().toImage();
    ASSERT_NE(with, without);
    // All that differs lies in the plot's lower right quarter.
    const QRect corner(view.plotArea().center() + QPoint(1, 1),
                       QPoint(with.width(), with.height()) - QPoint(1, 1));
    EXPECT_EQ(test::differingPixels(with, without),
              test::differingPixels(with.copy(corner), without.copy(corner)));
    EXPECT_EQ(view.body().geometryBuilds(), builds);
    view.setShowsFrameTimes(false);
    EXPECT_EQ(view.grab().toImage(), without);
}

TEST_F(TimelineViewTest, AFigureHasRowsWholeOrNotAtAll) {
    const int scrolled = view.viewport().scrollTop();
    for (int height = 130; height < 700; height += 7) {
        FigureMode figure(view, {900, height});
        withWidgetAt(view, {900, height}, [&] {
            figure.fit();
            const int bottom = view.plotArea().height();
            for (const TimelineRow& row : view.rows().rows()) {
                const int top = view.viewport().shownTop(row.top);
                EXPECT_TRUE(top + row.height <= bottom || top >= bottom) << height << ": a row is cut";
            }
            // Nor a label, of two lines beside a low track.
            for (const TimelineTrack& track : view.rows().tracks()) {
                const int top = view.viewport().shownTop(track.top);
                EXPECT_TRUE(top >= bottom || top + std::min(track.height, kTwoLineLabelHeight) <= bottom)
                    << height;
            }
        });
    }
    EXPECT_EQ(view.viewport().scrollTop(), scrolled);
    FigureMode figure(view, {900, 200}, true);
    withWidgetAt(view, {900, view.figureHeight(900, 5000)}, [&] {
        figure.fit();
        const TimelineRow& last = view.rows().rows().back();
        EXPECT_LE(view.viewport().shownTop(last.top) + last.height, view.plotArea().height())
            << "all of them";
    });
}

TEST_F(TimelineViewTest, AStepThatTheLeftEdgeCutsToADigitHasNoLabel) {
    std::string text;
    for (int step = 0; step < 100; ++step)
        text += "step " + std::to_string(step) + ' ' + std::to_string(step) + "ms-" +
                std::to_string(step + 1) + "ms\n";
    snapshot = test::traceOf(text);
    document.setSnapshot(snapshot);
    view.refreshNow();
    const LaneId steps = lane(TrackKind::kStep, 0);
    const SpanRow step = *spanRow(*snapshot, {steps, 7});
    constexpr int kShown = 18;  // pixels, which the number alone fits
    const auto colorsFrom = [&](std::int64_t begin, std::int64_t perPixel) {
        axis.setVisibleRange({Nanoseconds(begin), Nanoseconds(begin + perPixel * view.plotArea().width())});
        const QImage image = view.grab().toImage();
        const TimelineRow& row = view.rows().rows()[*view.rows().rowOf(steps)];
        const int top = view.plotArea().top() + view.viewport().shownTop(row.top);
        return test::distinctColors(
            image.copy(view.plotArea().left() + 2, top + 2, kShown - 4, row.height - 4), 1);
    };
    const std::int64_t perPixel = step.duration / kShown;
    EXPECT_GT(colorsFrom(step.start, perPixel), 1) << "a whole one has its number";
    EXPECT_EQ(colorsFrom(step.end() - kShown * (perPixel / 4), perPixel / 4), 1) << "a cut one has none";
}

TEST_F(TimelineViewTest, ShowsTheWholeRunAtFirst) {
    EXPECT_EQ(axis.visibleRange(), snapshot->range());
}

struct TimelineBehindAnotherPage : TimelineViewFixture {
    TimelineBehindAnotherPage() {
        pages.addWidget(new QWidget);
        pages.addWidget(&view);
        pages.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&pages, 60'000));
    }
    ~TimelineBehindAnotherPage() override { view.setParent(nullptr); }
    /// Out of view in both directions.
    SpanRef lastSpan() const {
        const LaneId last = view.rows().rows().back().lane;
        return {last, snapshot->lane(last).rows() - 1};
    }
    QStackedWidget pages;
};

TEST_F(TimelineBehindAnotherPage, ASpanSelectedComesIntoViewWithTheTimeline) {
    const TimeRange shown{Nanoseconds(0), Nanoseconds(100'000)};
    axis.setVisibleRange(shown);
    const SpanRef span = lastSpan();
    axis.setSelectedSpan(span);
    EXPECT_EQ(axis.visibleRange(), shown) << "what is looked at there stays in its place";
    pages.setCurrentWidget(&view);
    EXPECT_TRUE(axis.visibleRange().contains(Nanoseconds(spanRow(*snapshot, span)->start)));
    EXPECT_EQ(axis.visibleRange().duration(), shown.duration());
}

TEST_F(TimelineBehindAnotherPage, WhatWasGoneToAfterASelectionStaysInView) {
    pages.resize(900, 120);
    view.resize(900, 120);
    axis.setVisibleRange({Nanoseconds(0), Nanoseconds(100'000)});
    const SpanRef span = lastSpan();
    const SpanRow row = *spanRow(*snapshot, span);
    axis.setSelectedSpan(span);
    const TimeRange goneTo{Nanoseconds(0), Nanoseconds(50'000)};
    axis.setVisibleRange(goneTo);
    ASSERT_FALSE(goneTo.contains(Nanoseconds(row.start)));
    // A range is no other span: nor does it bring the old one back.
    axis.setSelectedRange(TimeRange{Nanoseconds(10'000), Nanoseconds(20'000)});
    pages.setCurrentWidget(&view);
    EXPECT_EQ(axis.visibleRange(), goneTo);
    EXPECT_GT(view.viewport().scrollTop(), 0) << "its row is there for when it is gone to";
}

TEST_F(TimelineViewTest, ASpanSelectedElsewhereComesIntoView) {
    view.resize(900, 120);
    axis.setVisibleRange({Nanoseconds(0), Nanoseconds(100'000)});
    const LaneId last = view.rows().rows().back().lane;
    const SpanRef span{last, snapshot->lane(last).rows() - 1};
    axis.setSelectedSpan(span);
    const SpanRow row = *spanRow(*snapshot, span);
    EXPECT_TRUE(axis.visibleRange().contains(Nanoseconds(row.start)));
    EXPECT_EQ(axis.visibleRange().duration(), Nanoseconds(100'000));
    EXPECT_TRUE(view.plotArea().contains(middleOf(span)));
    axis.setSelectedSpan(SpanRef{LaneId(9999), 1});  // of another run
    view.grab();
}

TEST_F(TimelineViewTest, DrawsAtAnySizeAndResolutionIntoAnImage) {
    for (const double ratio : {1.0, 1.5, 2.0, 3.0}) {
        QImage image(view.size() * ratio, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::magenta);
        view.render(&image);
        for (const QPoint corner : {QPoint(0, 0), QPoint(image.width() - 1, image.height() - 1)})
            EXPECT_NE(image.pixelColor(corner), QColor(Qt::magenta)) << "all of it is painted";
        // The phase band has its colors in place: the first backward's middle is backward's.
        const QPoint at = middleOf({lane(TrackKind::kPhase, 0), 3});
        const QColor expected = Theme::instance().phaseColor(Phase::kBackward);
        EXPECT_EQ(image.pixelColor(QPoint(at.x(), at.y() + 6) * ratio), expected) << ratio;
    }
}

TEST_F(TimelineViewTest, ATinyOrEmptyViewDraws) {
    view.resize(10, 10);
    view.grab();
    view.resize(kTrackLabelWidth, kRulerHeight);
    view.grab();
    document.clear();
    view.resize(900, 500);
    view.grab();
    EXPECT_FALSE(view.hitTest({500, 100}));
    click({500, 100});
    for (const int key : {Qt::Key_Left, Qt::Key_Up, Qt::Key_W, Qt::Key_F, Qt::Key_Escape, Qt::Key_Return})
        QTest::keyClick(&view, static_cast<Qt::Key>(key));
}

TEST_F(TimelineViewTest, AnotherRunStartsAfresh) {
    axis.setVisibleRange({Nanoseconds(500), Nanoseconds(5000)});
    axis.setSelectedSpan(SpanRef{lane(TrackKind::kPhase, 0), 1});
    document.setSnapshot(test::makeManySpans(5000, 3));
    view.grab();
    EXPECT_EQ(axis.visibleRange(), document.snapshot()->range());
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_EQ(view.rows().rows().size(), 3u);
}

TEST_F(TimelineViewTest, ALiveRunIsFollowedUntilSomeoneLooksElsewhere) {
    test::TraceText run("op aten::mm 0-1ms");
    document.follow(run.feed());
    EXPECT_EQ(axis.visibleRange().end, Nanoseconds(1'000'000));
    run.add("op aten::mm 1-2ms");
    document.stopFollowing();  // takes what is new without waiting for the timer
    EXPECT_EQ(axis.visibleRange(), (TimeRange{Nanoseconds(0), Nanoseconds(2'000'000)}));

    document.follow(run.feed());
    wheel({300, 100}, {0, 120});
    const TimeRange chosen = axis.visibleRange();
    EXPECT_FALSE(axis.following());
    run.add("op aten::mm 2-3ms");
    document.stopFollowing();
    EXPECT_EQ(axis.fullRange().end, Nanoseconds(3'000'000));
    EXPECT_EQ(axis.visibleRange(), chosen);
}

TEST_F(TimelineViewTest, TheFollowButtonIsThereWhileALiveRunIsNotFollowed) {
    auto* button = test::must(view.findChild<QPushButton*>("followRun"));
    axis.zoomAt(Nanoseconds(0), 0.5);
    EXPECT_FALSE(button->isVisible()) << "a run that has ended is not followed";
    test::TraceText run("op aten::mm 0-5ms");
    document.follow(run.feed());
    EXPECT_FALSE(button->isVisible());
    axis.zoomAt(Nanoseconds(0), 0.5);
    EXPECT_TRUE(button->isVisible());
    EXPECT_TRUE(view.plotArea().contains(button->geometry()));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_TRUE(axis.following());
    EXPECT_FALSE(button->isVisible());
    axis.zoomAt(Nanoseconds(0), 0.5);
    document.stopFollowing();
    EXPECT_FALSE(button->isVisible());
}

}  // namespace warpglass::ui::timeline_view_test
