#include "ui/timeline/overview_strip.h"

#include <gtest/gtest.h>

#include <QTest>

#include "tests/support/gestures.h"
#include "tests/support/synthetic_trace.h"
#include "ui/models/run_filter.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui::overview_strip_test {

struct OverviewStripTest : testing::Test {
    OverviewStripTest() : strip(document, axis, kTrackLabelWidth) {
        strip.resize(kTrackLabelWidth + 800, OverviewStrip::kHeight);
        document.setSnapshot(snapshot);
        axis.setFullRange(snapshot->range());
        strip.show();
        (void)QTest::qWaitForWindowExposed(&strip, 60'000);
        strip.refreshNow();
        strip.grab();
    }
    /// A moment of the run, by its share.
    Nanoseconds at(double share) const {
        return Nanoseconds(static_cast<std::int64_t>(static_cast<double>(whole().end.value) * share));
    }
    TimeRange whole() const { return snapshot->range(); }
    QPoint pixel(double share) const { return {kTrackLabelWidth + static_cast<int>(800 * share), 18}; }
    void drag(QPoint from, QPoint to) { test::drag(strip, from, to); }
    void expectNear(TimeRange range, double begin, double end) {
        const double pixelTime = static_cast<double>(whole().duration().value) / 800;
        EXPECT_NEAR(static_cast<double>(range.begin.value), static_cast<double>(at(begin).value),
                    2 * pixelTime);
        EXPECT_NEAR(static_cast<double>(range.end.value), static_cast<double>(at(end).value), 2 * pixelTime);
    }

    std::shared_ptr<const Snapshot> snapshot = test::makeSyntheticRun();
    RunDocument document;
    TimeAxis axis;
    OverviewStrip strip;
};

TEST_F(OverviewStripTest, TimeThatTheFilterLeavesOutIsMuted) {
    RunFilter filter(document, axis);
    filter.setSteps(RunFilter::Steps::kAll);
    strip.setFilter(&filter);
    const QImage all = strip.grab().toImage();
    filter.setSteps(RunFilter::Steps::kMeasured);
    const QImage measured = strip.grab().toImage();
    const auto host = filter.extent().host;
    ASSERT_TRUE(host);
    const int begin = kTrackLabelWidth + static_cast<int>(timeToPixel(host->begin, whole(), 800));
    const int y = strip.plotArea().top() + 3;  // among the phases
    int changed = 0;
    for (int x = kTrackLabelWidth + 2; x < strip.width() - 2; ++x) {
        const bool differs = all.pixel(x, y) != measured.pixel(x, y);
        changed += differs;
        const bool counts = x >= begin && x < kTrackLabelWidth + timeToPixel(host->end, whole(), 800) - 1;
        EXPECT_FALSE(counts && differs) << x;
    }
    EXPECT_GT(changed, (begin - kTrackLabelWidth) / 2);
}

TEST_F(OverviewStripTest, ADragOverTheWholeRunDrawsAWindow) {
    EXPECT_EQ(strip.windowRect().left(), kTrackLabelWidth);
    EXPECT_EQ(strip.windowRect().width(), 800);
    drag(pixel(0.25), pixel(0.5));
    expectNear(axis.visibleRange(), 0.25, 0.5);
    EXPECT_NEAR(strip.windowRect().left(), pixel(0.25).x(), 2);
    EXPECT_NEAR(strip.windowRect().right(), pixel(0.5).x(), 2);
    axis.zoomBack();
    EXPECT_EQ(axis.visibleRange(), whole()) << "one gesture is one step back";
    EXPECT_FALSE(axis.canZoomBack());
    QTest::mouseClick(&strip, Qt::LeftButton, {}, pixel(0.3));
    EXPECT_EQ(axis.visibleRange(), whole());
}

TEST_F(OverviewStripTest, TheWindowIsMovedAndItsEdgesPulled) {
    axis.setVisibleRange({at(0.25), at(0.5)});
    drag(pixel(0.375), pixel(0.475));
    expectNear(axis.visibleRange(), 0.35, 0.6);
    drag(strip.windowRect().center(), {5000, 18});
    expectNear(axis.visibleRange(), 0.75, 1.0);
    drag({strip.windowRect().left(), 18}, pixel(0.4));
    expectNear(axis.visibleRange(), 0.4, 1.0);
    drag({strip.windowRect().right(), 18}, pixel(0.8));
    expectNear(axis.visibleRange(), 0.4, 0.8);
    drag({strip.windowRect().left(), 18}, pixel(0.95));
    EXPECT_LE(axis.visibleRange().duration(), Nanoseconds(1000)) << "an edge stops at the other";
}

TEST_F(OverviewStripTest, APressBesideTheWindowBringsItThere) {
    axis.setVisibleRange({at(0.1), at(0.2)});
    QTest::mouseClick(&strip, Qt::LeftButton, {}, pixel(0.7));
    expectNear(axis.visibleRange(), 0.65, 0.75);
    QTest::mouseDClick(&strip, Qt::LeftButton, {}, pixel(0.7));
    EXPECT_EQ(axis.visibleRange(), whole());
}

TEST_F(OverviewStripTest, ANarrowWindowCanStillBeSeenAndMoved) {
    axis.setVisibleRange({at(0.5), at(0.5) + Nanoseconds(200)});
    EXPECT_GE(strip.windowRect().width(), OverviewStrip::kLeastWindow);
    drag(strip.windowRect().center(), pixel(0.25));
    EXPECT_EQ(axis.visibleRange().duration(), Nanoseconds(200));
    EXPECT_NEAR(strip.windowRect().center().x(), pixel(0.25).x(), 4);
}

TEST_F(OverviewStripTest, WheelAndKeysZoomAndMove) {
    test::turnWheel(strip, pixel(0.5), {0, 240});
    const TimeRange zoomed = axis.visibleRange();
    EXPECT_LT(zoomed.duration(), whole().duration());
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_Right);
    EXPECT_GT(axis.visibleRange().begin, zoomed.begin);
    QTest::keyClick(&strip, Qt::Key_Left);
    EXPECT_EQ(axis.visibleRange(), zoomed);
    QTest::keyClick(&strip, Qt::Key_Up);
    EXPECT_LT(axis.visibleRange().duration(), zoomed.duration());
    QTest::keyClick(&strip, Qt::Key_Home);
    EXPECT_EQ(axis.visibleRange(), whole());
    QTest::keyClick(&strip, Qt::Key_Up);
    EXPECT_NE(axis.visibleRange(), whole());
    QTest::keyClick(&strip, Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), whole());
}

TEST_F(OverviewStripTest, DrawsPhasesAndActivityAndShadesWhatIsOutside) {
    const QImage all = strip.grab().toImage();
    const ThemeColors& colors = Theme::instance().colors();
    const double scale = all.devicePixelRatio();
    int phases = 0, busy = 0;
    for (int x = kTrackLabelWidth; x < strip.width(); ++x) {
        const auto color = [&](int y) {
            return all.pixelColor(static_cast<int>(x * scale), static_cast<int>(y * scale));
        };
        phases += color(strip.plotArea().top() + 1) != colors.background;
        busy += color(strip.plotArea().bottom() - 1) != colors.background;
    }
    EXPECT_GT(phases, 700);
    EXPECT_GT(busy, 400);
    axis.setVisibleRange({at(0.5), at(0.75)});
    const QImage part = strip.grab().toImage();
    const QPoint outside(static_cast<int>(pixel(0.2).x() * scale),
                         static_cast<int>((strip.plotArea().top() + 1) * scale));
    EXPECT_NE(part.pixelColor(outside), all.pixelColor(outside));
}

TEST_F(OverviewStripTest, WithoutARunNothingHappens) {
    document.clear();
    axis.reset();
    drag(pixel(0.2), pixel(0.6));
    strip.grab();
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
}

}  // namespace warpglass::ui::overview_strip_test
