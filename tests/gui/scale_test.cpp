// Views on a screen with two device pixels a logical one: what is drawn lies, to the device pixel, where the
// geometry says, and what is under the pointer is what is seen there. A program of its own, since the scale
// is that of the whole application.
#include <gtest/gtest.h>

#include <QApplication>
#include <QTest>

#include "tests/support/sample_run.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/charts/flame_chart.h"
#include "ui/charts/flame_view.h"
#include "ui/memory/allocation_map_view.h"
#include "ui/memory/treemap_view.h"
#include "ui/theme/theme.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui::scale_test {

constexpr int kScale = 2;

struct AtTwiceTheScale : MemoryViews {
    /// As the screen shows it.
    QImage seen(QWidget& widget) {
        widget.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&widget, 60'000));
        EXPECT_EQ(widget.devicePixelRatioF(), kScale);
        if (auto* view = dynamic_cast<Refreshable*>(&widget))
            view->refreshNow();
        const QImage image = widget.grab().toImage();
        EXPECT_EQ(image.size(), widget.size() * kScale);
        return image;
    }
    /// The first and the last device pixel of a color in a row, from one pixel on.
    static std::pair<int, int> extent(const QImage& image, QPoint from, const QColor& color) {
        int left = from.x(), right = from.x();
        while (left > 0 && image.pixelColor(left - 1, from.y()) == color)
            --left;
        while (right + 1 < image.width() && image.pixelColor(right + 1, from.y()) == color)
            ++right;
        return {left, right};
    }
};

TEST_F(AtTwiceTheScale, BarsOfTheTimelineEndAtTheirDevicePixelAndAreHitThere) {
    open(test::makeSyntheticRun());
    TimelineView view(&document, &axis);
    view.resize(900, 500);
    const QImage image = seen(view);
    int checked = 0;
    for (const TimelineRow& row : view.rows().rows()) {
        if (row.kind != TrackKind::kPhase)
            continue;
        const int middle = kRulerHeight + view.viewport().shownTop(row.top) + row.height / 2;
        const SpanLane lane = run->lane(row.lane);
        for (std::uint64_t i = 0; i < lane.rows(); ++i) {
            const SpanRow span = *lane.row(i);
            const auto pixel = [&](std::int64_t t) {
                return kTrackLabelWidth +
                       timeToPixel(Nanoseconds(t), axis.visibleRange(), view.plotArea().width());
            };
            const double left = pixel(span.start), right = pixel(span.end());
            if (right - left < 8)
                continue;
            // Below the name, which is in the middle of the height.
            const QPoint corner(static_cast<int>(right * kScale) - 4,
                                (kRulerHeight + view.viewport().shownTop(row.top) + row.height - 4) * kScale);
            const QColor color = image.pixelColor(corner);
            const auto [first, last] = extent(image, corner, color);
            EXPECT_NEAR(first, left * kScale, 2) << i;
            EXPECT_LE(last + 1, right * kScale + 0.5) << i;
            // The column that it shares with a narrow one is a stack, in logical pixels.
            const auto next = lane.row(std::min(i + 1, lane.rows() - 1));
            const bool shares = next && next->start == span.end() && pixel(next->end()) - right < 3;
            EXPECT_GE(last + 1, right * kScale - 2.5 - (shares ? kScale : 0))
                << i << ", with a gap to the next";
            for (const double x : {left + 1.5, (left + right) / 2, right - 1.5}) {
                const auto hit = view.hitTest({static_cast<int>(x), middle});
                ASSERT_TRUE(hit) << i;
                EXPECT_EQ(hit->row.lane, row.lane);
                EXPECT_EQ(hit->rect.row, i);
            }
            QTest::mouseClick(&view, Qt::LeftButton, {}, {static_cast<int>((left + right) / 2), middle});
            EXPECT_EQ(axis.selectedSpan(), std::optional(SpanRef{row.lane, i}));
            ++checked;
        }
    }
    EXPECT_GT(checked, 4);
}

TEST_F(AtTwiceTheScale, BlocksOfTheMapAreWhereTheyAreHit) {
    open(test::makeAllocatorRun(900, 2));
    AllocationMapView view(document, axis, focus);
    view.setLabelWidth(80);
    view.resize(700, 300);
    seen(view);
    view.bytes().setShown(0, view.viewport().high / 6);
    const QImage image = seen(view);
    int checked = 0, colored = 0;
    for (const MapRect& rect : view.geometry().blocks) {
        if (rect.right - rect.left < 6 || rect.bottom - rect.top < 6)
            continue;
        const QPointF middle((rect.left + rect.right) / 2 + 80, (rect.top + rect.bottom) / 2);
        const auto hit = view.hitAt(middle);
        ASSERT_TRUE(hit.row);
        EXPECT_EQ(*hit.row, rect.row);
        const QPoint at(static_cast<int>((rect.right + 80) * kScale) - 7,
                        static_cast<int>(rect.bottom * kScale) - 4);
        colored += image.rect().contains(at) && image.pixelColor(at) == Theme::categoryColor(rect.category);
        ++checked;
    }
    EXPECT_GT(checked, 10);
    EXPECT_GT(colored, checked * 9 / 10) << "of " << checked;
}

TEST_F(AtTwiceTheScale, CellsOfTheTreemapAreWhereTheyAreHit) {
    open(test::makeSyntheticRun());
    TreemapView view(document, focus);
    view.resize(600, 400);
    const QImage image = seen(view);
    int checked = 0;
    for (std::size_t i = 0; i < view.cells().size(); ++i) {
        const TreemapCell& cell = view.cells()[i];
        // Smaller ones have no gap after them.
        if (cell.group || cell.rect.width() < 8 || cell.rect.height() < 8)
            continue;
        EXPECT_EQ(view.markAt(cell.rect.center()), static_cast<int>(i));
        const QColor color =
            cell.rest ? Theme::instance().colors().equal : Theme::categoryColor(cell.category);
        // In the lower right corner: names begin at the left; the last pixel is the gap.
        const QPoint corner(static_cast<int>((cell.rect.right() - 1) * kScale) - 3,
                            static_cast<int>((cell.rect.bottom() - 1) * kScale) - 1);
        EXPECT_EQ(image.pixelColor(corner), color) << i;
        const auto [first, last] = extent(image, corner, color);
        EXPECT_NEAR(last + 1, (cell.rect.right() - 1) * kScale, 2) << i;
        // A group's stripe of the same color, 3 logical pixels, shows 2 of them beside its first cells.
        EXPECT_LE(first, cell.rect.left() * kScale + 2) << i;
        EXPECT_GE(first, (cell.rect.left() - 2) * kScale - 1) << i;
        ++checked;
    }
    EXPECT_GT(checked, 3);
}

TEST_F(AtTwiceTheScale, BlocksOfTheFlameChartAreWhereTheyAreHit) {
    FlameView view(document, axis, filter, FlameTree::Subject::kTime);
    view.resize(1200, 700);
    open(test::openSampleRun("small-bf16-naive"));
    seen(view);
    FlameChart& chart = view.chart();
    const QImage image = chart.grab().toImage();
    ASSERT_EQ(image.size(), chart.size() * kScale);
    int checked = 0;
    for (int mark = 0; mark < chart.markCount(); ++mark) {
        const FlameBlock& block = chart.blocks()[static_cast<std::size_t>(mark)];
        const QRectF rect = chart.markRect(mark);
        if (block.merged() || block.ancestor || rect.width() < 5 || !QRectF(chart.rect()).contains(rect))
            continue;
        EXPECT_EQ(chart.markAt(rect.center()), mark);
        const QPoint corner(static_cast<int>(rect.right() * kScale) - 4,
                            static_cast<int>(rect.bottom() * kScale) - 4);
        EXPECT_EQ(image.pixelColor(corner), chart.colorOf(block.node)) << mark;
        const auto [first, last] = extent(image, corner, chart.colorOf(block.node));
        EXPECT_LE(last, rect.right() * kScale + 1.5) << mark;
        EXPECT_NEAR(first, rect.left() * kScale, 2.5) << mark;
        ++checked;
    }
    EXPECT_GT(checked, 20);
}

}  // namespace warpglass::ui::scale_test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", "2");
    QApplication application(argc, argv);
    warpglass::ui::Theme::loadFonts();
    warpglass::ui::Theme::instance().apply(application);
    return RUN_ALL_TESTS();
}
