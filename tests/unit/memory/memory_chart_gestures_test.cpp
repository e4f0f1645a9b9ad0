// The chart's gestures and keys: cursor, selection, zoom and pan on the shared axis.
#include <QTest>
#include <cmath>

#include "tests/unit/memory/memory_chart_fixture.h"
#include "ui/memory/memory_legend.h"

namespace warpglass::ui::memory_chart_gestures_test {

TEST_F(MemoryChartTest, TimeAndPixelAgree) {
    open();
    image();
    EXPECT_EQ(chart.plot().timeAt(100), axis.visibleRange().begin);
    EXPECT_EQ(chart.plot().timeAt(600), axis.visibleRange().end);
    EXPECT_EQ(chart.plot().timeAt(0), axis.visibleRange().begin) << "the label column";
    for (int x = 100; x <= 600; x += 7)
        EXPECT_NEAR(chart.plot().xOf(chart.plot().timeAt(x)), x, 1e-3);
}

TEST_F(MemoryChartTest, HoverMovesTheSharedCursorAndLeavingClearsIt) {
    open();
    image();
    const Nanoseconds middle(run->range().end.value / 2);
    test::movePointer(chart.plot(), at(middle));
    ASSERT_TRUE(axis.cursor());
    EXPECT_NEAR(static_cast<double>(axis.cursor()->value), static_cast<double>(middle.value),
                static_cast<double>(run->range().end.value) / 400);
    EXPECT_FALSE(chart.legend().reading().isEmpty());
    test::movePointer(chart.plot(), {50, 100});
    EXPECT_FALSE(axis.cursor()) << "labels have no time";
    test::movePointer(chart.plot(), at(middle));
    test::leave(chart.plot());
    EXPECT_FALSE(axis.cursor());
    EXPECT_TRUE(chart.legend().reading().isEmpty());
}

TEST_F(MemoryChartTest, AClickFixesTheCursorAndShiftDragSelects) {
    open();
    image();
    const Nanoseconds a(run->range().end.value / 4), b(run->range().end.value / 2);
    QTest::mouseClick(&chart.plot(), Qt::LeftButton, Qt::NoModifier, at(a));
    EXPECT_EQ(axis.pinnedCursor(), chart.plot().timeAt(at(a).x()));
    EXPECT_FALSE(axis.selectedRange());

    QTest::mousePress(&chart.plot(), Qt::LeftButton, Qt::ShiftModifier, at(b));
    test::movePointer(chart.plot(), at(a), Qt::LeftButton, Qt::ShiftModifier);
    QTest::mouseRelease(&chart.plot(), Qt::LeftButton, Qt::ShiftModifier, at(a));
    ASSERT_TRUE(axis.selectedRange());
    EXPECT_EQ(axis.selectedRange()->begin, chart.plot().timeAt(at(a).x()));
    EXPECT_EQ(axis.selectedRange()->end, chart.plot().timeAt(at(b).x()));
    EXPECT_EQ(axis.visibleRange(), run->range()) << "selecting does not pan";
}

TEST_F(MemoryChartTest, WheelZoomsAtThePointerAndDraggingPans) {
    open();
    image();
    const QPoint pointer(350, 100);
    const Nanoseconds anchor = chart.plot().timeAt(pointer.x());
    test::turnWheel(chart.plot(), pointer, {0, 120 * 5});
    const TimeRange zoomed = axis.visibleRange();
    EXPECT_NEAR(static_cast<double>(zoomed.duration().value),
                std::pow(0.8, 5) * static_cast<double>(run->range().duration().value), 2);
    EXPECT_NEAR(chart.plot().xOf(anchor), pointer.x(), 0.5);

    QTest::mousePress(&chart.plot(), Qt::LeftButton, Qt::NoModifier, pointer);
    test::movePointer(chart.plot(), pointer + QPoint(50, 0), Qt::LeftButton);
    QTest::mouseRelease(&chart.plot(), Qt::LeftButton, Qt::NoModifier, pointer + QPoint(50, 0));
    EXPECT_EQ(axis.visibleRange().duration(), zoomed.duration());
    EXPECT_NEAR(chart.plot().xOf(anchor), pointer.x() + 50, 0.5) << "what was taken stays under the pointer";
    EXPECT_FALSE(axis.pinnedCursor()) << "a drag is not a click";
    QTest::keyClick(&chart.plot(), Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(&chart.plot(), Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), run->range());
}

TEST_F(MemoryChartTest, KeysWasdMoveTheAxis) {
    open();
    image();
    QTest::keyClick(&chart.plot(), Qt::Key_W);
    const TimeRange in = axis.visibleRange();
    EXPECT_LT(in.duration(), run->range().duration());
    QTest::keyClick(&chart.plot(), Qt::Key_D);
    EXPECT_GT(axis.visibleRange().begin, in.begin);
    QTest::keyClick(&chart.plot(), Qt::Key_A);
    EXPECT_EQ(axis.visibleRange(), in);
    QTest::keyClick(&chart.plot(), Qt::Key_S);
    EXPECT_GT(axis.visibleRange().duration(), in.duration());
    QTest::keyClick(&chart.plot(), Qt::Key_P);
    ASSERT_TRUE(axis.pinnedCursor());
    EXPECT_EQ(axis.pinnedCursor(), chart.plot().scale().visiblePeak()->time);
}

}  // namespace warpglass::ui::memory_chart_gestures_test
