// The view of the allocator's segments, driven as a person drives it: order, scale, blocks and unfolding.
#include "ui/memory/segments_view.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <QtMath>
#include <algorithm>
#include <map>
#include <set>

#include "engine/base/format.h"
#include "tests/support/trace_text.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/controls/figure_mode.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

TEST(SegmentPieces, EveryPixelIsWhatMostOfItsBytesAre) {
    std::uint64_t seed = 21;
    for (int probe = 0; probe < 60; ++probe) {
        MemorySegment segment{.address = 1 << 20};
        std::vector<Category> categories;
        const int blocks = 1 + static_cast<int>(test::nextRandom(seed) % (probe % 2 ? 12 : 300));
        for (int i = 0; i < blocks; ++i) {
            MemoryBlock block;
            block.address = segment.address + static_cast<std::uint64_t>(segment.bytes);
            block.bytes = static_cast<std::int64_t>(512 * (1 + test::nextRandom(seed) % 40));
            block.state = static_cast<BlockState>(test::nextRandom(seed) % 4);
            block.allocation = AllocationId(static_cast<std::uint32_t>(i));
            categories.push_back(static_cast<Category>(test::nextRandom(seed) % kCategoryCount));
            segment.bytes += block.bytes;
            segment.blocks.push_back(block);
        }
        const auto categoryOf = [&](AllocationId id) { return categories[id.index()]; };
        const int pixels = 1 + static_cast<int>(test::nextRandom(seed) % 200);
        const auto pieces = segmentPieces(segment, pixels, categoryOf);
        int at = 0;
        for (const SegmentPiece& piece : pieces) {
            ASSERT_EQ(piece.left, at);
            ASSERT_GT(piece.right, piece.left);
            at = piece.right;
            for (int pixel = piece.left; pixel < piece.right; ++pixel) {
                const double perPixel = static_cast<double>(segment.bytes) / pixels;
                std::map<std::pair<int, int>, double> share;
                for (const MemoryBlock& block : segment.blocks) {
                    const auto from = static_cast<double>(block.address - segment.address);
                    const double inside =
                        std::min(from + static_cast<double>(block.bytes), (pixel + 1) * perPixel) -
                        std::max(from, pixel * perPixel);
                    const bool own =
                        block.state == BlockState::kAllocated || block.state == BlockState::kPending;
                    if (inside > 0)
                        share[{static_cast<int>(block.state),
                               own ? static_cast<int>(categoryOf(block.allocation))
                                   : static_cast<int>(Category::kUnknown)}] += inside;
                }
                double best = 0;
                for (const auto& [look, bytes] : share)
                    best = std::max(best, bytes);
                EXPECT_NEAR((share[{static_cast<int>(piece.state), static_cast<int>(piece.category)}]), best,
                            perPixel * 1e-6);
            }
        }
        EXPECT_EQ(at, pixels);
    }
}

TEST_F(MemoryViews, SegmentsAreShownWithTheMostWasteFirstAndSelectAllocations) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    ASSERT_GT(view.list().state().segments.size(), 3u);
    for (std::size_t i = 1; i < view.list().state().segments.size(); ++i)
        EXPECT_GE(wasteOf(view.list().state().segments[i - 1]), wasteOf(view.list().state().segments[i]));
    EXPECT_TRUE(view.sentence().contains("lost to holes"));
    ASSERT_EQ(view.list().shown().front().segment, 0u);
    const MemorySegment& first = view.list().state().segments.front();
    int checked = 0;
    for (const MemoryBlock& block : first.blocks) {
        const QRectF bar = view.picture().barOf(0);
        const double middle =
            static_cast<double>(block.address - first.address) + static_cast<double>(block.bytes) / 2;
        const QPointF at(bar.left() + middle / static_cast<double>(first.bytes) * bar.width(),
                         bar.center().y());
        const MemoryBlock* hit = view.picture().blockAt(at);
        ASSERT_NE(hit, nullptr);
        EXPECT_EQ(hit->address, block.address);
        ++checked;
    }
    EXPECT_GT(checked, 0);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Up);
    for (std::size_t i = 0; i < first.blocks.size() && !focus.selected(); ++i)
        QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_TRUE(focus.selected());
    for (const bool taken : {true, false}) {
        QKeyEvent press(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
        QApplication::sendEvent(&view, &press);
        EXPECT_FALSE(focus.selected());
        EXPECT_EQ(press.isAccepted(), taken);
    }
    open(test::makeSyntheticRun());
    renderWidget(view, {500, 500}, 1);
    EXPECT_TRUE(view.sentence().startsWith("The run was recorded on the CPU"));
}

TEST_F(MemoryViews, BarsOfSegmentsAreOnOneScaleAndUnfoldedOnesOnTheirRows) {
    open(test::makeAllocatorRun(6'000, 3));
    SegmentsView view(document, focus);
    view.resize(900, 700);
    renderWidget(view, {900, 700}, 1);
    std::int64_t reserved = 0;
    for (const MemorySegment& segment : view.list().state().segments)
        reserved += segment.bytes;
    double all = 0;
    for (std::size_t i = 0; i < view.list().shown().size(); ++i)
        all += view.picture().barOf(i).width();
    for (std::size_t i = 0; i < view.list().shown().size(); ++i) {
        const double bytes = static_cast<double>(view.list().rows()[i].totals.reserved.value);
        EXPECT_NEAR(view.picture().barOf(i).width(),
                    std::max(2.0, all * bytes / static_cast<double>(reserved)), 2);
    }
    const auto folded = std::find_if(view.list().rows().begin(), view.list().rows().end(),
                                     [](const SegmentRow& row) { return row.folded && row.fold.bytes != 0; });
    ASSERT_NE(folded, view.list().rows().end());
    const auto at = static_cast<std::size_t>(folded - view.list().rows().begin());
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.picture().barOf(at).center().toPoint());
    EXPECT_GT(view.picture().barOf(at + 1).width(), all * 0.9) << "one segment has the room of all";
}

TEST_F(MemoryViews, ANarrowBarHasItsOutlineAndNoStripesOfBlocks) {
    // A large segment, beside which the others are of the least width: a free one, and one of two blocks.
    open(
        test::traceOf("segment alloc 8192MiB 1 address 1024MiB ; alloc 8192MiB 2 address 1024MiB\n"
                      "segment alloc 32MiB 10 address 16384MiB\n"
                      "segment alloc 32MiB 11 address 32768MiB ; alloc 24MiB 12 address 32768MiB ; alloc "
                      "8MiB 13 address 32792MiB\n"
                      "end 1000\n"));
    SegmentsView view(document, focus);
    const QImage image = renderWidget(view, {900, 400}, 1);
    ASSERT_EQ(view.list().shown().size(), 3u);
    const auto colorsOf = [&](std::size_t row) {
        const QRect bar = view.picture().barOf(row).toRect();
        std::vector<QRgb> colors;
        for (int x = bar.left(); x <= bar.right(); ++x)
            colors.push_back(image.pixel(x, bar.center().y()));
        return colors;
    };
    for (std::size_t row = 0; row < 3; ++row) {
        const std::vector<QRgb> colors = colorsOf(row);
        EXPECT_EQ(colors.front(), colors.back()) << row;
        if (view.list().rowOf(row).totals.free.value == 0) {
            EXPECT_EQ(std::set<QRgb>(colors.begin(), colors.end()).size(), 1u) << row;
        }
    }
}

TEST_F(MemoryViews, AFigureHasWholeSegmentsAndALineForTheOthers) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    renderWidget(view, {500, 200}, 1);
    const std::size_t all = view.list().shown().size();
    ASSERT_GT(all, 3u);
    EXPECT_EQ(view.picture().drawnRows(), all) << "the others can be scrolled to";
    FigureMode figure(view, {500, 200});
    int full = 0;
    withWidgetAt(view, {500, 200}, [&] { full = qCeil(view.picture().barOf(all - 1).bottom()); });
    for (int height = full - 60; height < full + 20; ++height) {
        withWidgetAt(view, {500, height}, [&] {
            const std::size_t drawn = view.picture().drawnRows();
            EXPECT_EQ(drawn == all, height >= full) << height;
            if (drawn == all)
                return;
            EXPECT_LE(view.picture().barOf(drawn).bottom(), height) << "of the line";
            EXPECT_GT(view.picture().barOf(drawn + 1).bottom(), height) << "one more would not be whole";
        });
    }
}

TEST_F(MemoryViews, ALowFigureHasNoRowAndSaysHowManySegmentsThereAre) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    renderWidget(view, {500, 200}, 1);
    ASSERT_GT(view.list().shown().size(), 1u);
    FigureMode figure(view, {500, 60});
    withWidgetAt(view, {500, 60}, [&] { EXPECT_EQ(view.picture().drawnRows(), 0u); });
    EXPECT_FALSE(renderWidget(view, {500, 60}, 1).isNull());
    // The lowest in which the line has room, with no row over it.
    int height = 0;
    withWidgetAt(view, {500, 60}, [&] { height = qCeil(view.picture().barOf(0).bottom()); });
    withWidgetAt(view, {500, height}, [&] { EXPECT_EQ(view.picture().drawnRows(), 0u); });
    const QImage image = renderWidget(view, {500, height}, 1);
    int inked = 0;
    for (int y = height - 16; y < height; ++y) {
        for (int x = 0; x < 180; ++x)
            inked += image.pixel(x, y) != image.pixel(0, height - 1);
    }
    EXPECT_GT(inked, 20) << "the line";
}

TEST_F(MemoryViews, TheLineUnderTheRowsHasRoom) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    view.resize(500, 150);
    renderWidget(view, {500, 150}, 1);
    const std::size_t last = view.list().shown().size() - 1;
    view.scrollBar().setValue(view.scrollBar().maximum());
    ASSERT_GT(view.scrollBar().value(), 0);
    // A row is 24 pixels high.
    EXPECT_LE(view.picture().barOf(last).bottom() + 24, view.height());
    FigureMode figure(view, {500, 400});
    withWidgetAt(view, {500, 400}, [&] {
        const int height = view.figureHeight(500, 10'000);
        EXPECT_LE(view.picture().barOf(std::min<std::size_t>(last, 19)).bottom() + 24, height);
    });
}

TEST_F(MemoryViews, TheWheelAndPageKeysScrollTheRowsUnderTheHead) {
    open(test::makeAllocatorRun(6'000, 3));
    SegmentsView view(document, focus);
    view.resize(500, 300);
    const QImage before = renderWidget(view, {500, 300}, 1);
    const int head = view.picture().headHeight();
    const QRectF bar = view.picture().barOf(0);
    const auto wheel = [&](int turned, int across = 0) {
        QWheelEvent event(QPointF(100, 200), view.mapToGlobal(QPointF(100, 200)), {}, {across, turned},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
        return event.isAccepted();
    };
    EXPECT_TRUE(wheel(-120));
    EXPECT_LT(view.picture().barOf(0).top(), bar.top());
    EXPECT_EQ(view.markAt({100, head + 2.0}), view.scrollBar().value() / 24);
    const QImage after = renderWidget(view, {500, 300}, 1);
    const QRect still(0, 0, view.scrollBar().x(), head);
    EXPECT_EQ(after.copy(still), before.copy(still)) << "nothing of a row stands in the head";
    EXPECT_NE(after, before);
    EXPECT_TRUE(wheel(1200));
    EXPECT_EQ(view.picture().barOf(0), bar);
    EXPECT_FALSE(wheel(120)) << "those around it may scroll";
    for (const int across : {-120, 120}) {
        EXPECT_FALSE(wheel(0, across));
        EXPECT_EQ(view.scrollBar().value(), 0);
    }
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ControlModifier);
    EXPECT_EQ(view.scrollBar().value(), 0) << "it leads to the next run";
    QTest::keyClick(&view, Qt::Key_PageDown);
    EXPECT_GT(view.scrollBar().value(), 100);
    QTest::keyClick(&view, Qt::Key_PageUp);
    EXPECT_EQ(view.scrollBar().value(), 0);
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_EQ(view.chosen(), view.markCount() - 1);
    EXPECT_LE(view.markRect(view.chosen()).bottom(), 300) << "it is in view";
}

TEST_F(MemoryViews, AClickSelectsABlockOfASegmentAndEnterZoomsToItsLife) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    const QSize size(3000, 500);
    view.resize(size);
    renderWidget(view, size, 1);
    ASSERT_NE(view.list().segmentOf(0), nullptr);
    const MemorySegment& first = *view.list().segmentOf(0);
    const QRectF bar = view.picture().barOf(0);
    const auto middleOf = [&](const MemoryBlock& block) {
        const double at =
            static_cast<double>(block.address - first.address) + static_cast<double>(block.bytes) / 2;
        return QPoint(static_cast<int>(bar.left() + at / static_cast<double>(first.bytes) * bar.width()),
                      static_cast<int>(bar.center().y()));
    };
    const auto largest = [&](bool used) {
        const auto bytesOf = [&](const MemoryBlock& block) {
            return allocationIn(block).has_value() == used ? block.bytes : 0;
        };
        return std::max_element(
            first.blocks.begin(), first.blocks.end(),
            [&](const MemoryBlock& a, const MemoryBlock& b) { return bytesOf(a) < bytesOf(b); });
    };
    const auto used = largest(true), free = largest(false);
    ASSERT_TRUE(allocationIn(*used));
    ASSERT_FALSE(allocationIn(*free));
    ASSERT_GT(static_cast<double>(used->bytes) / static_cast<double>(first.bytes) * bar.width(), 6);
    const QImage before = renderWidget(view, size, 1);
    QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(*used));
    EXPECT_EQ(focus.selected(), used->allocation);
    const QImage selected = renderWidget(view, size, 1);
    EXPECT_NE(selected, before);
    EXPECT_EQ(selected.pixelColor(middleOf(*used)), before.pixelColor(middleOf(*used)))
        << "a frame, which covers nothing";
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_TRUE(axis.canZoomBack());
    QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(*free));
    EXPECT_FALSE(focus.selected());
    EXPECT_EQ(renderWidget(view, size, 1), before);
}

TEST_F(MemoryViews, AToolTipSaysWhatAClickOnARowDoes) {
    open(test::makeAllocatorRun(6'000, 3));
    SegmentsView view(document, focus);
    view.resize(900, 900);
    renderWidget(view, {900, 900}, 1);
    const auto folded = std::find_if(view.list().rows().begin(), view.list().rows().end(),
                                     [](const SegmentRow& row) { return row.folded; });
    ASSERT_NE(folded, view.list().rows().end());
    const QPoint bar = view.picture()
                           .barOf(static_cast<std::size_t>(folded - view.list().rows().begin()))
                           .center()
                           .toPoint();
    for (const char* click : {"A click shows them one by one", "A click folds them"}) {
        QHelpEvent help(QEvent::ToolTip, bar, view.mapToGlobal(bar));
        QApplication::sendEvent(&view, &help);
        EXPECT_TRUE(QToolTip::text().contains(QLatin1String(click))) << QToolTip::text().toStdString();
        QTest::mouseClick(&view, Qt::LeftButton, {}, bar);
    }
    // The bar over them is of all that is in use.
    const QPoint all(bar.x(), static_cast<int>(view.picture().barOf(0).center().y()) - 24);
    QHelpEvent help(QEvent::ToolTip, all, view.mapToGlobal(all));
    QApplication::sendEvent(&view, &help);
    EXPECT_EQ(QToolTip::text(), view.inUse());
}

TEST_F(MemoryViews, ARowOfManySegmentsUnfoldsIntoThem) {
    open(test::makeAllocatorRun(6'000, 3));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    ASSERT_GT(view.list().state().segments.size(), 30u);
    const std::size_t rows = view.list().rows().size();
    EXPECT_LE(rows, 20u);
    EXPECT_EQ(view.list().shown().size(), rows);
    const auto isAllocated = [](const MemoryBlock& block) {
        return block.allocation.valid() && block.state != BlockState::kFree;
    };
    const auto holdsOne = [&](std::size_t segment) {
        const std::vector<MemoryBlock>& blocks = view.list().state().segments[segment].blocks;
        return std::any_of(blocks.begin(), blocks.end(), isAllocated);
    };
    const auto folded =
        std::find_if(view.list().rows().begin(), view.list().rows().end(), [&](const SegmentRow& row) {
            return row.folded && row.segments.size() > 1 &&
                   std::any_of(row.segments.begin(), row.segments.end(), holdsOne);
        });
    ASSERT_NE(folded, view.list().rows().end());
    const auto at = static_cast<std::size_t>(folded - view.list().rows().begin());
    const std::vector<std::size_t> segments = folded->segments;
    const auto expectUnfolded = [&](bool unfolded, const char* by) {
        ASSERT_EQ(view.list().shown().size(), rows + (unfolded ? segments.size() : 0)) << by;
        EXPECT_EQ(view.list().shown()[at].segment, std::nullopt);
        for (std::size_t i = 0; unfolded && i < segments.size(); ++i)
            EXPECT_EQ(view.list().shown()[at + 1 + i].segment, segments[i]);
    };
    // All of it in one bar, which is no block.
    view.resize(500, 900);
    renderWidget(view, {500, 900}, 1);
    const QPoint bar = view.picture().barOf(at).center().toPoint();
    EXPECT_EQ(view.picture().blockAt(bar), nullptr);
    QTest::mouseClick(&view, Qt::LeftButton, {}, bar);
    expectUnfolded(true, "a click");
    QTest::mouseClick(&view, Qt::LeftButton, {}, bar);
    expectUnfolded(false, "a second click");
    for (std::size_t i = 0; i < at; ++i)
        QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    expectUnfolded(true, "Right");
    QTest::keyClick(&view, Qt::Key_Left);
    expectUnfolded(false, "Left");
    QTest::keyClick(&view, Qt::Key_Return);
    expectUnfolded(true, "Enter");
    // Its segments are walked like others.
    const auto holding = std::find_if(segments.begin(), segments.end(), holdsOne);
    for (auto segment = segments.begin(); segment <= holding; ++segment)
        QTest::keyClick(&view, Qt::Key_Down);
    const MemorySegment& inside = view.list().state().segments[*holding];
    for (std::size_t i = 0; i < inside.blocks.size() && !focus.selected(); ++i)
        QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_TRUE(focus.selected());
    EXPECT_TRUE(std::any_of(inside.blocks.begin(), inside.blocks.end(), [&](const MemoryBlock& block) {
        return isAllocated(block) && block.allocation == focus.selected();
    }));
}

TEST_F(MemoryViews, TheCurrentBlockIsOneThatIsThereAtAnotherMoment) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    ASSERT_TRUE(view.list().shown().front().segment);
    const std::size_t blocks = view.list().state().segments.front().blocks.size();
    int fewer = 0;
    for (std::int64_t part = 1; part <= 40; ++part) {
        focus.setAt(MemoryFocus::At::kPeak);
        renderWidget(view, {500, 500}, 1);
        ASSERT_EQ(view.list().state().segments.front().blocks.size(), blocks);
        for (std::size_t i = 0; i < blocks; ++i)
            QTest::keyClick(&view, Qt::Key_Right);
        axis.setPinnedCursor(Nanoseconds(run->range().end.value * part / 41));
        renderWidget(view, {500, 500}, 1);
        if (view.list().shown().empty() || view.list().shown().front().segment != 0u ||
            view.list().state().segments.front().blocks.size() >= blocks)
            continue;
        ++fewer;
        const std::vector<MemoryBlock>& now = view.list().state().segments.front().blocks;
        QTest::keyClick(&view, Qt::Key_Left);
        const MemoryBlock& block = now[now.size() < 2 ? 0 : now.size() - 2];
        const bool allocated = block.allocation.valid() && block.state != BlockState::kFree;
        EXPECT_EQ(focus.selected(), allocated ? std::optional(block.allocation) : std::nullopt);
        axis.setPinnedCursor(std::nullopt);
    }
    EXPECT_GT(fewer, 0);
}

TEST_F(MemoryViews, TheSentenceOfSegmentsAddsUpToWhatIsReserved) {
    open(test::makeAllocatorRun(6'000, 3));
    SegmentsView view(document, focus);
    renderWidget(view, {900, 700}, 1);
    SegmentTotals totals;
    Bytes holes;
    for (const MemorySegment& segment : view.list().state().segments) {
        totals += segment.totals;
        holes += wasteOf(segment);
    }
    const auto says = [&](Bytes bytes) {
        return view.sentence().contains(QString::fromStdString(formatBytes(bytes)));
    };
    EXPECT_TRUE(says(totals.reserved)) << view.sentence().toStdString();
    EXPECT_TRUE(view.inUse().startsWith(QString::fromStdString(formatBytes(totals.active()))))
        << view.inUse().toStdString();
    ASSERT_GT(holes.value, 0);
    EXPECT_TRUE(says(holes)) << view.sentence().toStdString();
    EXPECT_TRUE(totals.free == holes || says(totals.free - holes)) << view.sentence().toStdString();
}

TEST_F(MemoryViews, TheSentenceOfSegmentsIsOfTheMomentThatItWasAskedFor) {
    open(test::makeAllocatorRun(140'000, 3));
    ASSERT_TRUE(MemorySource::of(document).isHeavy());
    SegmentsView view(document, focus);
    view.show();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return workerPool().activeThreadCount() > 0 || !view.sentence().isEmpty(); }, 60'000));
    focus.setAt(MemoryFocus::At::kCursor);
    view.hide();  // the other moment is not asked for then
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.sentence().isEmpty(); }, 60'000));
    EXPECT_TRUE(view.sentence().startsWith("At the peak")) << view.sentence().toStdString();
}

TEST_F(MemoryViews, SizesOfWhatIsFreeStandUnderTheSegmentsWhereThereIsRoomForAllOfThem) {
    open(test::makeAllocatorRun(6'000, 3));
    SegmentsView view(document, focus);
    view.resize(900, 300);
    renderWidget(view, {900, 300}, 1);
    const FreeSizesPart sizes(view.free(), std::nullopt);
    const int height = sizes.heightAt(900 - 2 * Metrics::kSpace3);
    ASSERT_GT(height, 100);
    EXPECT_GT(sizes.heightAt(400), height) << "one above the other";
    EXPECT_EQ(FreeSizesPart().heightAt(900), 0);
    for (std::size_t i = 1; i < sizes.listed().size(); ++i)
        EXPECT_GE(view.free().bytesOf(view.free().groups[sizes.listed()[i - 1]]),
                  view.free().bytesOf(view.free().groups[sizes.listed()[i]]));
    // It can be scrolled to; a figure has it or leaves it out.
    const QRectF last = view.picture().barOf(view.list().shown().size() - 1);
    EXPECT_GE(view.scrollBar().maximum() + 300, last.bottom() + height);
    FigureMode figure(view, {900, 2'000});
    withWidgetAt(view, {900, 2'000}, [&] {
        const int with = view.figureHeight(900, 10'000), without = view.figureHeight(900, 1);
        EXPECT_GE(with, without + height);
        EXPECT_GE(without, view.picture().barOf(view.list().shown().size() - 1).bottom());
    });
}

}  // namespace
}  // namespace warpglass::ui
