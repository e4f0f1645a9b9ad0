#include "ui/memory/caused_allocations.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>

#include "tests/support/every_span.h"
#include "tests/support/first_of.h"
#include "tests/support/span_of.h"
#include "tests/support/synthetic_trace.h"
#include "ui/memory/label_place.h"
#include "ui/memory/memory_plot.h"

namespace warpglass::ui::caused_allocations_test {

struct CausedAllocationsTest : testing::Test {
    CausedAllocationsTest() : plot(document, axis) {
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        plot.resize(900, 240);
    }
    /// The first op that allocated anything, by looking at all.
    SpanRef allocatingOp() const {
        const auto ops = test::spansOfKind(*run, TrackKind::kCpuThread);
        return test::firstOf(
                   ops,
                   [&](const test::FoundSpan& op) { return allocationsDuring(*run, op.ref, 1).size() == 1; })
            .ref;
    }

    std::shared_ptr<const Snapshot> run = test::makeSyntheticRun();
    RunDocument document;
    TimeAxis axis;
    MemoryPlot plot;
};

TEST_F(CausedAllocationsTest, AreThoseOfTheHoveredOpElseOfTheSelectedOne) {
    EXPECT_TRUE(causedAllocations(document, axis).empty());
    const SpanRef op = allocatingOp();
    axis.setSelectedSpan(op);
    EXPECT_EQ(causedAllocations(document, axis).size(),
              allocationsDuring(*run, op, kMostCausedAllocations).size());
    axis.setHoveredSpan(test::spanOf(*run, TrackKind::kStep));
    EXPECT_TRUE(causedAllocations(document, axis).empty());
    axis.setHoveredSpan(SpanRef{LaneId(9999), 0});
    EXPECT_TRUE(causedAllocations(document, axis).empty());
}

TEST_F(CausedAllocationsTest, AreLookedForOncePerSpanAndRun) {
    CausedAllocations kept;
    const SpanRef op = allocatingOp();
    axis.setSelectedSpan(op);
    const auto* const found = kept.of(document, axis).data();
    ASSERT_FALSE(kept.of(document, axis).empty());
    EXPECT_EQ(kept.of(document, axis).data(), found);
    axis.setHoveredSpan(test::spanOf(*run, TrackKind::kStep));
    EXPECT_TRUE(kept.of(document, axis).empty());
    axis.setHoveredSpan(std::nullopt);
    EXPECT_FALSE(kept.of(document, axis).empty());
    document.clear();
    EXPECT_TRUE(kept.of(document, axis).empty());
}

TEST_F(CausedAllocationsTest, AreDrawnWhereTheyHappened) {
    const QImage before = plot.grab().toImage();
    const SpanRef op = allocatingOp();
    const auto caused = allocationsDuring(*run, op, kMostCausedAllocations);
    axis.setHoveredSpan(op);
    const QImage after = plot.grab().toImage();
    ASSERT_NE(before, after);
    const int x = static_cast<int>(plot.xOf(Nanoseconds(caused[0].time)) * after.devicePixelRatio());
    const QRect line(x, 0, 1, after.height());
    EXPECT_NE(before.copy(line), after.copy(line));
    axis.setHoveredSpan(std::nullopt);
    EXPECT_EQ(plot.grab().toImage(), before);
}

TEST_F(CausedAllocationsTest, TheWordsStandAtTheMark) {
    axis.setSelectedSpan(allocatingOp());
    const auto caused = causedAllocations(document, axis);
    const Nanoseconds time(caused.front().time);
    const QPointF tip(plot.xOf(time), plot.yOf(sumOf(document.memory().at(time))));
    const QPointF above = tip - QPointF(0, 14), beneath = tip + QPointF(0, 9);
    QImage canvas(plot.size(), QImage::Format_RGB32);
    QPainter painter(&canvas);
    const auto isFree = [](LabelPlace& place, QPointF at) {
        return place.placeFree({QRectF(at, QSizeF(1, 1))}).has_value();
    };
    LabelPlace empty{QRectF(plot.rect())};
    const CausedMarks marks(plot, document, axis, caused, empty);
    EXPECT_FALSE(isFree(empty, tip - QPointF(0, 3))) << "the mark itself";
    marks.paint(painter, empty);
    EXPECT_FALSE(isFree(empty, above));
    EXPECT_TRUE(isFree(empty, beneath));
    LabelPlace taken{QRectF(plot.rect())};
    taken.keepFree(QRectF(0, 0, plot.width(), tip.y() - 5));  // by the peak's label, as it were
    CausedMarks(plot, document, axis, caused, taken).paint(painter, taken);
    EXPECT_FALSE(isFree(taken, beneath));
}

TEST_F(CausedAllocationsTest, TheCursorLiesUnderTheWords) {
    axis.setSelectedSpan(allocatingOp());
    const Nanoseconds time(causedAllocations(document, axis).front().time);
    const QImage before = plot.grab().toImage();
    axis.setCursor(time);
    const QImage after = plot.grab().toImage();
    const double scale = before.devicePixelRatio();
    const int x = static_cast<int>(std::floor(plot.xOf(time)) * scale);
    int longest = 0, same = 0;
    for (int y = 0; y < static_cast<int>(plot.scale().plotRect().bottom() * scale); ++y) {
        const QColor a = before.pixelColor(x, y), b = after.pixelColor(x, y);
        same = std::abs(a.lightness() - b.lightness()) < 32 ? same + 1 : 0;
        longest = std::max(longest, same);
    }
    EXPECT_GE(longest, 12 * scale) << "a line of text";
}

}  // namespace warpglass::ui::caused_allocations_test
