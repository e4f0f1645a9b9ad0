// Attention's kernels from inside, drawn multiprocessor by multiprocessor.
#include <gtest/gtest.h>

#include <QTest>
#include <QToolButton>

#include "tests/support/made_clocks.h"
#include "tests/support/trace_text.h"
#include "tests/unit/charts/shown_view.h"
#include "ui/charts/clocks_view.h"
#include "ui/controls/data_table.h"
#include "ui/controls/segmented_control.h"

namespace warpglass::ui::clocks_view_test {

std::shared_ptr<const Snapshot> runWith(KernelClocksList clocks) {
    const char* const clock = ", warpglass::kernels::KernelClock";
    test::TraceText run(test::filled(R"text(
        info config.record ops,kernel-clocks state finished
        in step 2
          kernel flash 1000-1500 full "void flashForwardHopperKernel<T, 64, true>()"
          kernel flash 2000-2500 full "void flashForwardHopperKernel<T, 64, true%>()"
          kernel flash 3000-3500 full "void flashBackwardHopperKernel<T, 64, true%>()"
    )text",
                                     clock, clock));
    run.writer.setKernelClocks(std::move(clocks));
    return run.add("end 10000");
}

std::shared_ptr<const Snapshot> clockedRun() {
    return runWith({test::makeClocks(), test::makeClocks({.seed = 2, .kernel = "backward"})});
}

TEST(ClocksView, EveryTileIsABarOnItsMultiprocessorsRowThatSaysWhatItDid) {
    Shown<ClocksView> shown(clockedRun());
    EXPECT_FALSE(shown.view.chart().isVisible()) << "all together come first";
    shown.choose("clocksApart", 1);
    QCoreApplication::processEvents();
    ClockChart& chart = shown.view.chart();
    const ClockedKernel& kernel = chart.kernel();
    EXPECT_EQ(kernel.kernel, "forward");
    ASSERT_EQ(chart.markCount(), 16 * 4 * 2);
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const QRectF rect = chart.markRect(mark);
        EXPECT_TRUE(QRectF(chart.rect()).adjusted(0, 0, 1, 0).contains(rect)) << mark;
        EXPECT_EQ(chart.markAt(rect.center()), mark);
        EXPECT_TRUE(chart.toolTipOf(mark).contains("softmax"));
        for (int other = 0; other < mark; ++other)
            EXPECT_LT(rect.intersected(chart.markRect(other)).width() *
                          rect.intersected(chart.markRect(other)).height(),
                      1.5)
                << mark << " lies over " << other;
    }
    const QString finding = shown.view.heading().finding;
    EXPECT_TRUE(finding.contains("8 SMs ran 64 tiles")) << finding.toStdString();
    EXPECT_TRUE(shown.view.summary().startsWith("one call, in step ")) << shown.view.summary().toStdString();
    EXPECT_EQ(shown.view.table().model()->rowCount(), 2);
}

TEST(ClocksView, AllMultiprocessorsTogetherAreAStackOverTime) {
    Shown<ClocksView> shown(clockedRun());
    ClockLoadChart& chart = shown.view.loadChart();
    ASSERT_TRUE(chart.isVisible());
    ASSERT_GT(chart.markCount(), 100);
    for (const int mark : {0, chart.markCount() / 2, chart.markCount() - 1}) {
        EXPECT_EQ(chart.markAt(chart.markRect(mark).center()), mark);
        EXPECT_TRUE(chart.toolTipOf(mark).contains("idle"));
    }
    shown.click(chart, chart.markCount() / 2);
    QTest::keyClick(&chart, Qt::Key_Return);
    ASSERT_TRUE(shown.selected());
    EXPECT_NE(shown.selected()->fullName.find("flashForward"), std::string::npos);
}

TEST(ClocksView, TheOtherKernelIsChosenAndATileLeadsToItsKernelInTheTimeline) {
    Shown<ClocksView> shown(clockedRun());
    shown.choose("clocksPass", 1);
    EXPECT_EQ(shown.view.chart().kernel().kernel, "backward");
    shown.view.setApart(true);
    QCoreApplication::processEvents();
    shown.click(shown.view.chart(), 3);
    EXPECT_EQ(shown.view.chart().chosen(), 3);
    QTest::keyClick(&shown.view.chart(), Qt::Key_Return);
    ASSERT_TRUE(shown.selected());
    EXPECT_NE(shown.selected()->fullName.find("flashBackward"), std::string::npos);
}

/// As a damaged file may have it.
TEST(ClocksView, TheBackwardKernelAloneIsNotCalledForward) {
    KernelClocks backward = test::makeClocks({.processors = 4, .tilesOfHead = 2, .heads = 2});
    backward.kernel = "backward";
    Shown<ClocksView> shown(runWith({backward}));
    auto* passes = shown.view.findChild<SegmentedControl*>("clocksPass");
    EXPECT_FALSE(passes->button(0)->isEnabled());
    EXPECT_TRUE(passes->button(1)->isEnabled());
    EXPECT_TRUE(passes->button(1)->isChecked());
    EXPECT_EQ(shown.view.chart().kernel().kernel, "backward");
}

TEST(ClocksView, ARunWithoutThemSaysHowToRecordThem) {
    Shown<ClocksView> shown(openSampleRun("small-bf16-naive"));
    EXPECT_TRUE(shown.view.chart().emptyText().contains("--record all,kernel-clocks"));
    EXPECT_EQ(shown.view.chart().markCount(), 0);
    Shown<ClocksView> none(nullptr);
    EXPECT_FALSE(none.view.chart().emptyText().isEmpty());
}

TEST(ClocksView, AKernelOfManyTilesAndOneOfNoneAreDrawn) {
    KernelClocks empty{.kernel = "forward"};
    for (const KernelClocks& clocks :
         {test::makeClocks({.processors = 132, .tilesOfHead = 64, .heads = 32}),
          test::makeClocks({.processors = 1, .tilesOfHead = 1, .heads = 1, .groups = 1}), empty}) {
        Shown<ClocksView> shown(runWith({clocks}));
        for (const int width : {320, 700, 2000}) {
            shown.view.resize(width, 500);
            EXPECT_FALSE(shown.view.grab().isNull());
        }
    }
}

}  // namespace warpglass::ui::clocks_view_test
