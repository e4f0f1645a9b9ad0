// Folding, hiding, pinning and moving tracks, by mouse and by keys alone.
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>

#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/support/pixels.h"
#include "tests/support/trace_text.h"
#include "tests/unit/timeline/timeline_view_fixture.h"
#include "ui/models/run_filter.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::timeline_row_actions_test {

struct TimelineRowActions : TimelineViewFixture {
    const TimelineTrack& track(std::size_t i) const { return view.rows().tracks()[i]; }
    std::vector<std::string> keys() const {
        std::vector<std::string> result;
        for (const TimelineTrack& t : view.rows().tracks())
            result.push_back(t.key);
        return result;
    }
    QPoint labelOf(std::size_t i, int x = 40) const {
        return {x, kRulerHeight + view.viewport().shownTop(track(i).top) + 8};
    }
    QMenu* openMenu(QContextMenuEvent::Reason reason, QPoint at) {
        QContextMenuEvent event(reason, at, view.mapToGlobal(at));
        QCoreApplication::sendEvent(&view, &event);
        return view.findChild<QMenu*>("timelineMenu");
    }
    void trigger(QMenu* menu, const QString& text) {
        SCOPED_TRACE(text.toStdString());
        const QList<QAction*> entries = test::must(menu)->actions();
        QAction* entry =
            test::firstOf(entries, [&](const QAction* one) { return one->text().startsWith(text); });
        ASSERT_TRUE(entry->isEnabled());
        entry->trigger();
        menu->close();
        QCoreApplication::sendPostedEvents(menu, QEvent::DeferredDelete);
    }
};

TEST_F(TimelineRowActions, TheMarkBeforeALabelFoldsAndUnfolds) {
    const TimelineRows before = view.rows();
    ASSERT_TRUE(track(3).foldable());
    click(labelOf(3, 5));
    EXPECT_TRUE(track(3).folded);
    view.grab();  // draws
    click(labelOf(3, 5));
    EXPECT_EQ(view.rows(), before);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, labelOf(3));
    EXPECT_TRUE(track(3).folded);
    click(labelOf(0, 5));
    EXPECT_FALSE(track(0).folded) << "one row can't be folded";
}

TEST_F(TimelineRowActions, TheMenuChoosesWhereTimesCountFrom) {
    ASSERT_FALSE(axis.clock().steps().empty());
    const QImage byStep = view.grab().toImage();
    trigger(openMenu(QContextMenuEvent::Mouse, {300, 8}), "Times from the Start of the Run");
    EXPECT_TRUE(axis.clock().steps().empty());
    EXPECT_NE(view.grab().toImage(), byStep) << "the ruler and the lines under it";
    trigger(openMenu(QContextMenuEvent::Mouse, {300, 8}), "Times from the Start of the Run");
    EXPECT_EQ(view.grab().toImage(), byStep);
}

TEST_F(TimelineRowActions, AClickOnAStripUnfoldsItAndSelectsNothing) {
    click(labelOf(3, 5));
    ASSERT_TRUE(track(3).folded);
    const TimelineRow& strip = view.rows().rows()[track(3).firstRow];
    const QPoint middle(500, kRulerHeight + view.viewport().shownTop(strip.top) + strip.height / 2);
    QTest::mouseMove(&view, middle);
    EXPECT_EQ(view.cursor().shape(), Qt::PointingHandCursor);
    EXPECT_FALSE(axis.hoveredSpan());
    const auto hit = view.hitTest(middle);
    ASSERT_TRUE(hit && hit->row.strip);
    const QString text = view.body().toolTipOf(*hit);
    EXPECT_THAT(text, test::BeginsWith("Host ops main thread\nBusy "));
    EXPECT_TRUE(text.endsWith(QStringLiteral("Click to expand: %1 levels").arg(track(3).laneCount)))
        << text.toStdString();
    drag(middle, middle + QPoint(30, 0));
    EXPECT_TRUE(track(3).folded) << "a drag pans";
    const TimeRange visible = axis.visibleRange();
    click(middle);
    EXPECT_FALSE(track(3).folded);
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_FALSE(axis.pinnedCursor());
    EXPECT_EQ(view.cursor().shape(), Qt::ArrowCursor);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, labelOf(3));
    ASSERT_TRUE(track(3).folded);
    click(middle);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, middle);
    EXPECT_FALSE(track(3).folded);
    EXPECT_EQ(axis.visibleRange(), visible) << "what came under the mouse is not zoomed to";
}

TEST_F(TimelineRowActions, AHandThatPansStaysClosedBesideThePlot) {
    QTest::mousePress(&view, Qt::LeftButton, {}, {300, 200});
    for (const int x : {320, kTrackLabelWidth / 2, 320}) {
        QTest::mouseMove(&view, {x, 200});
        EXPECT_EQ(view.cursor().shape(), Qt::ClosedHandCursor) << x;
    }
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {320, 200});
    EXPECT_EQ(view.cursor().shape(), Qt::ArrowCursor);
}

TEST_F(TimelineRowActions, WhatIsSelectedInAFoldedTrackUnfoldsItUntilAnotherRun) {
    click(labelOf(3, 5));
    click(labelOf(2, 5));
    const RowArrangement folded = view.arrangement();
    const LaneId deep = snapshot->lanesOf(track(3).track)[2].id();
    axis.setSelectedSpan(SpanRef{snapshot->lanesOf(track(2).track)[0].id(), 3});
    EXPECT_EQ(view.arrangement(), folded) << "an outermost module is in sight";
    axis.setSelectedSpan(SpanRef{deep, 5});
    EXPECT_FALSE(track(3).folded);
    EXPECT_EQ(view.rows().rows()[*view.rows().rowOf(deep)].lane, deep);
    EXPECT_TRUE(track(2).folded);
    document.setSnapshot(test::makeSyntheticRun());
    EXPECT_TRUE(track(3).folded);
    EXPECT_EQ(view.arrangement(), folded);
    // The user has the last word.
    axis.setSelectedSpan(SpanRef{deep, 5});
    ASSERT_FALSE(track(3).folded);
    view.setFocus();
    view.labels().choose(std::nullopt);
    key(Qt::Key_C);
    EXPECT_TRUE(track(3).folded);
    view.grab();
}

TEST_F(TimelineRowActions, AFilterFadesTheColumnsOfAStripInWhichNothingCounts) {
    click(labelOf(3, 5));
    RunFilter filter{document, axis};
    view.setFilter(&filter);
    const auto pixelsOf = [&](OpFamily family) {
        const QImage image = view.grab().toImage();
        const QColor color = Theme::instance().familyColor(family);
        const TimelineRow& strip = view.rows().rows()[track(3).firstRow];
        const int top = view.plotArea().top() + view.viewport().shownTop(strip.top);
        const int left = view.plotArea().left();
        return test::countPixels(image, {left, top, view.width() - left, strip.height}, color);
    };
    const int all = pixelsOf(OpFamily::kMatmul);
    ASSERT_GT(all, 200);
    filter.setModule("blocks.0");
    view.refreshNow();
    const int ofModule = pixelsOf(OpFamily::kMatmul);
    EXPECT_GT(ofModule, all / 10);
    EXPECT_LT(ofModule, all * 9 / 10);
    filter.setText("no such op");
    view.refreshNow();
    EXPECT_EQ(pixelsOf(OpFamily::kMatmul), 0);
    view.setFilter(nullptr);
}

TEST_F(TimelineRowActions, TheContextMenuHidesPinsFoldsAndResets) {
    const std::vector<std::string> all = keys();
    trigger(openMenu(QContextMenuEvent::Mouse, labelOf(2)), "Hide");
    EXPECT_EQ(view.rows().hiddenTracks(), 1u);
    EXPECT_EQ(keys(), (std::vector<std::string>{all[0], all[1], all[3], all[4]}));
    trigger(openMenu(QContextMenuEvent::Mouse, labelOf(3)), "Pin");
    EXPECT_EQ(keys().front(), all[4]);
    trigger(openMenu(QContextMenuEvent::Mouse, labelOf(0)), "Fold All");
    EXPECT_TRUE(track(0).folded);
    trigger(openMenu(QContextMenuEvent::Mouse, labelOf(0)), "Show All");
    EXPECT_EQ(view.rows().hiddenTracks(), 0u);
    trigger(openMenu(QContextMenuEvent::Mouse, labelOf(0)), "Reset");
    EXPECT_EQ(keys(), all);
    EXPECT_TRUE(view.arrangement().isDefault());
}

TEST_F(TimelineRowActions, EverythingIsReachedByKeys) {
    const std::vector<std::string> all = keys();
    view.setFocus();
    key(Qt::Key_Down, Qt::ShiftModifier);
    ASSERT_EQ(view.labels().currentTrack(), 0u);
    for (int i = 0; i < 3; ++i)
        key(Qt::Key_Down, Qt::ShiftModifier);
    ASSERT_EQ(view.labels().currentTrack(), 3u);
    key(Qt::Key_C);
    EXPECT_TRUE(track(3).folded);
    key(Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(keys(), (std::vector<std::string>{all[0], all[1], all[3], all[2], all[4]}));
    key(Qt::Key_P);
    EXPECT_EQ(keys().front(), all[3]);
    EXPECT_TRUE(track(0).pinned);
    key(Qt::Key_H);
    EXPECT_EQ(keys(), (std::vector<std::string>{all[0], all[1], all[2], all[4]}));
    EXPECT_EQ(view.labels().currentTrack(), 0u) << "keys go on with what took its place";
    trigger(openMenu(QContextMenuEvent::Keyboard, {}), "Reset");
    EXPECT_EQ(keys(), all);
    key(Qt::Key_Escape);
    EXPECT_FALSE(view.labels().currentTrack());
}

TEST_F(TimelineRowActions, ADraggedLabelTakesItsTrackAlong) {
    const std::vector<std::string> all = keys();
    QPoint target = labelOf(0);
    target.setY(kRulerHeight + 1);
    drag(labelOf(4), target);
    EXPECT_EQ(keys(), (std::vector<std::string>{all[4], all[0], all[1], all[2], all[3]}));
    drag(labelOf(0), {40, view.height() - 2});
    EXPECT_EQ(keys(), all);
}

TEST_F(TimelineRowActions, PinnedTracksStayWhileTheRestScrolls) {
    click(labelOf(0));
    key(Qt::Key_P);
    view.resize(900, 160);
    auto* bar = view.findChild<QScrollBar*>();
    ASSERT_GT(bar->maximum(), 0);
    const LaneId step = view.rows().rows()[0].lane, module = lane(TrackKind::kModule, 0);
    const QPoint stepAt = middleOf({step, 0});
    const int moduleTop = view.viewport().shownTop(view.rows().rows()[*view.rows().rowOf(module)].top);
    bar->setValue(20);
    EXPECT_EQ(middleOf({step, 0}), stepAt);
    EXPECT_EQ(view.viewport().shownTop(view.rows().rows()[*view.rows().rowOf(module)].top), moduleTop - 20);
    const auto hit = view.hitTest(stepAt);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->row.lane, step);
    bar->setValue(bar->maximum());
    ASSERT_TRUE(view.hitTest(stepAt));
    EXPECT_EQ(view.hitTest(stepAt)->row.lane, step);
}

TEST_F(TimelineRowActions, TheArrangementOutlivesSnapshotsAndRuns) {
    click(labelOf(3, 5));
    const RowArrangement arrangement = view.arrangement();
    document.setSnapshot(test::makeSyntheticRun());
    EXPECT_EQ(view.arrangement(), arrangement);
    EXPECT_TRUE(track(3).folded);
}

TEST_F(TimelineRowActions, ThreadsStayAsTheyAreWhenTheFirstKernelOfALiveRunComes) {
    for (const bool unfolds : {false, true}) {
        test::TraceText run(
            "info config.device cuda:0 config.record ops,kernels\nop aten::mm 0-5us | op aten::add 1-2us");
        document.follow(run.feed());
        const auto isFolded = [&] {
            for (const TimelineTrack& shown : view.rows().tracks())
                if (shown.kind == TrackKind::kCpuThread)
                    return shown.folded;
            return false;
        };
        ASSERT_TRUE(isFolded());
        if (unfolds)
            view.labels().unfoldAll();
        const std::size_t before = view.rows().tracks().size();
        run.add("kernel gemm 5-9us stream 7");
        document.stopFollowing();
        ASSERT_GT(view.rows().tracks().size(), before);
        EXPECT_EQ(isFolded(), !unfolds);
    }
}

TEST_F(TimelineRowActions, TheLineUnderTheRowsBringsHiddenOnesBack) {
    view.resize(900, 700);
    click(labelOf(2));
    key(Qt::Key_H);
    ASSERT_EQ(view.rows().hiddenTracks(), 1u);
    click({30, kRulerHeight + view.rows().height() + 6});
    EXPECT_EQ(view.rows().hiddenTracks(), 0u);
}

TEST_F(TimelineRowActions, AllRowsHiddenSaysSo) {
    const QImage before = view.grab().toImage();
    for (std::size_t i = view.rows().tracks().size(); i > 0; --i) {
        click(labelOf(0));
        key(Qt::Key_H);
    }
    EXPECT_TRUE(view.rows().rows().empty());
    EXPECT_NE(view.grab().toImage(), before);
    view.labels().showAllRows();
    EXPECT_EQ(view.rows().tracks().size(), 5u);
}

}  // namespace warpglass::ui::timeline_row_actions_test
