// Folding, hiding, pinning and moving tracks, by mouse and by keys alone.
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>

#include "tests/unit/timeline/timeline_view_fixture.h"

namespace warpglass::ui {
namespace {

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
        ASSERT_NE(menu, nullptr);
        for (QAction* action : menu->actions()) {
            if (action->text().startsWith(text)) {
                ASSERT_TRUE(action->isEnabled()) << text.toStdString();
                action->trigger();
                menu->close();
                QCoreApplication::sendPostedEvents(menu, QEvent::DeferredDelete);
                return;
            }
        }
        FAIL() << "no " << text.toStdString() << " in the menu";
    }
};

TEST_F(TimelineRowActions, TheMarkBeforeALabelFoldsAndUnfolds) {
    const TimelineRows before = view.rows();
    ASSERT_TRUE(track(3).foldable());
    QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(3, 5));
    EXPECT_TRUE(track(3).folded);
    view.grab();  // draws
    QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(3, 5));
    EXPECT_EQ(view.rows(), before);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, labelOf(3));
    EXPECT_TRUE(track(3).folded);
    QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(0, 5));
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

TEST_F(TimelineRowActions, AClickInAFoldedTrackMeansItsDeepestSpan) {
    QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(3, 5));
    ASSERT_TRUE(track(3).folded);
    const LaneId deep = lane(TrackKind::kCpuThread, 2);
    const SpanRef ref{deep, 5};
    const SpanRow span = *spanRow(*snapshot, ref);
    axis.setVisibleRange({Nanoseconds(span.start - span.duration), Nanoseconds(span.end() + span.duration)});
    QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(ref));
    ASSERT_TRUE(axis.selectedSpan());
    const SpanRow hit = *spanRow(*snapshot, *axis.selectedSpan());
    EXPECT_GE(snapshot->lane(axis.selectedSpan()->lane).depth(), 2u);
    EXPECT_LE(hit.start, (span.start + span.end()) / 2);
    EXPECT_GE(hit.end(), (span.start + span.end()) / 2);
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
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    ASSERT_EQ(view.labels().currentTrack(), 0u);
    for (int i = 0; i < 3; ++i)
        QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    ASSERT_EQ(view.labels().currentTrack(), 3u);
    QTest::keyClick(&view, Qt::Key_C);
    EXPECT_TRUE(track(3).folded);
    QTest::keyClick(&view, Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(keys(), (std::vector<std::string>{all[0], all[1], all[3], all[2], all[4]}));
    QTest::keyClick(&view, Qt::Key_P);
    EXPECT_EQ(keys().front(), all[3]);
    EXPECT_TRUE(track(0).pinned);
    QTest::keyClick(&view, Qt::Key_H);
    EXPECT_EQ(keys(), (std::vector<std::string>{all[0], all[1], all[2], all[4]}));
    EXPECT_EQ(view.labels().currentTrack(), 0u) << "keys go on with what took its place";
    trigger(openMenu(QContextMenuEvent::Keyboard, {}), "Reset");
    EXPECT_EQ(keys(), all);
    QTest::keyClick(&view, Qt::Key_Escape);
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
    QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(0));
    QTest::keyClick(&view, Qt::Key_P);
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
    QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(3, 5));
    const RowArrangement arrangement = view.arrangement();
    document.setSnapshot(warpglass::test::makeSyntheticRun());
    EXPECT_EQ(view.arrangement(), arrangement);
    EXPECT_TRUE(track(3).folded);
}

TEST_F(TimelineRowActions, TheLineUnderTheRowsBringsHiddenOnesBack) {
    view.resize(900, 700);
    QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(2));
    QTest::keyClick(&view, Qt::Key_H);
    ASSERT_EQ(view.rows().hiddenTracks(), 1u);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {30, kRulerHeight + view.rows().height() + 6});
    EXPECT_EQ(view.rows().hiddenTracks(), 0u);
}

TEST_F(TimelineRowActions, AllRowsHiddenSaysSo) {
    const QImage before = view.grab().toImage();
    for (std::size_t i = view.rows().tracks().size(); i > 0; --i) {
        QTest::mouseClick(&view, Qt::LeftButton, {}, labelOf(0));
        QTest::keyClick(&view, Qt::Key_H);
    }
    EXPECT_TRUE(view.rows().rows().empty());
    EXPECT_NE(view.grab().toImage(), before);
    view.labels().showAllRows();
    EXPECT_EQ(view.rows().tracks().size(), 5u);
}

}  // namespace
}  // namespace warpglass::ui
