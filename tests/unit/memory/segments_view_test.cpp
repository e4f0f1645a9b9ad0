// The view of the allocator's segments, driven as a person drives it: order, scale, blocks and unfolding.
#include "ui/memory/segments_view.h"

#include <QScrollBar>
#include <QtMath>
#include <algorithm>
#include <map>
#include <set>

#include "engine/base/format.h"
#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/support/pixels.h"
#include "tests/support/trace_text.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/controls/figure_mode.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::segments_view_test {

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

struct Segments : MemoryViews {
    /// At that size from here on.
    QImage draw(QSize size) {
        view.resize(size);
        return renderWidget(view, size, 1);
    }
    void click(QPoint at) { QTest::mouseClick(&view, Qt::LeftButton, {}, at); }
    QRectF barOf(std::size_t row) const { return view.picture().barOf(row); }
    /// The middle of a block of the segment in the first row.
    QPointF middleOf(const MemorySegment& first, const MemoryBlock& block) const {
        const double at =
            static_cast<double>(block.address - first.address) + static_cast<double>(block.bytes) / 2;
        return {barOf(0).left() + at / static_cast<double>(first.bytes) * barOf(0).width(),
                barOf(0).center().y()};
    }
    /// The first row that `is` holds for.
    template <class Is>
    std::size_t rowThat(Is&& is, std::source_location at = std::source_location::current()) const {
        return test::placeOf(view.list().rows(), is, at);
    }
    SegmentsView view{document, focus};
};

TEST_F(Segments, AreShownWithTheMostWasteFirstAndSelectAllocations) {
    open(test::makeAllocatorRun(900, 2));
    draw({500, 500});
    ASSERT_GT(view.list().state().segments.size(), 3u);
    for (std::size_t i = 1; i < view.list().state().segments.size(); ++i)
        EXPECT_GE(wasteOf(view.list().state().segments[i - 1]), wasteOf(view.list().state().segments[i]));
    EXPECT_TRUE(view.sentence().contains("lost to holes"));
    ASSERT_EQ(view.list().shown().front().segment, 0u);
    const MemorySegment& first = view.list().state().segments.front();
    ASSERT_FALSE(first.blocks.empty());
    for (const MemoryBlock& block : first.blocks)
        EXPECT_EQ(test::must(view.picture().blockAt(middleOf(first, block)))->address, block.address);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Up);
    for (std::size_t i = 0; i < first.blocks.size() && !focus.selected(); ++i)
        QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_TRUE(focus.selected());
    for (const bool taken : {true, false}) {
        EXPECT_EQ(test::takesKey(view, Qt::Key_Escape), taken);
        EXPECT_FALSE(focus.selected());
    }
    open(test::makeSyntheticRun());
    draw({500, 500});
    EXPECT_TRUE(view.sentence().startsWith("The run was recorded on the CPU"));
}

TEST_F(Segments, HaveBarsOnOneScaleAndUnfoldedOnesOnTheirRows) {
    open(test::makeAllocatorRun(6'000, 3));
    draw({900, 700});
    std::int64_t reserved = 0;
    for (const MemorySegment& segment : view.list().state().segments)
        reserved += segment.bytes;
    double all = 0;
    for (std::size_t i = 0; i < view.list().shown().size(); ++i)
        all += barOf(i).width();
    for (std::size_t i = 0; i < view.list().shown().size(); ++i) {
        const double bytes = static_cast<double>(view.list().rows()[i].totals.reserved.value);
        EXPECT_NEAR(barOf(i).width(), std::max(2.0, all * bytes / static_cast<double>(reserved)), 2);
    }
    const std::size_t at = rowThat([](const SegmentRow& row) { return row.folded && row.fold.bytes != 0; });
    click(barOf(at).center().toPoint());
    EXPECT_GT(barOf(at + 1).width(), all * 0.9) << "one segment has the room of all";
}

TEST_F(Segments, InANarrowBarHaveItsOutlineAndNoStripesOfBlocks) {
    // A large segment, beside which the others are of the least width: a free one, and one of two blocks.
    open(
        test::traceOf("segment alloc 8192MiB 1 address 1024MiB ; alloc 8192MiB 2 address 1024MiB\n"
                      "segment alloc 32MiB 10 address 16384MiB\n"
                      "segment alloc 32MiB 11 address 32768MiB ; alloc 24MiB 12 address 32768MiB ; alloc "
                      "8MiB 13 address 32792MiB\n"
                      "end 1000\n"));
    const QImage image = draw({900, 400});
    ASSERT_EQ(view.list().shown().size(), 3u);
    for (std::size_t row = 0; row < 3; ++row) {
        const QRect bar = barOf(row).toRect();
        const int y = bar.center().y();
        EXPECT_EQ(image.pixel(bar.left(), y), image.pixel(bar.right(), y)) << row;
        if (view.list().rowOf(row).totals.free.value == 0) {
            EXPECT_EQ(test::distinctColors(image.copy(bar.left(), y, bar.width(), 1), 1), 1) << row;
        }
    }
}

TEST_F(Segments, InAFigureAreWholeWithALineForTheOthers) {
    open(test::makeAllocatorRun(900, 2));
    draw({500, 200});
    const std::size_t all = view.list().shown().size();
    ASSERT_GT(all, 3u);
    EXPECT_EQ(view.picture().drawnRows(), all) << "the others can be scrolled to";
    FigureMode figure(view, {500, 200});
    int full = 0;
    withWidgetAt(view, {500, 200}, [&] { full = qCeil(barOf(all - 1).bottom()); });
    for (int height = full - 60; height < full + 20; ++height) {
        withWidgetAt(view, {500, height}, [&] {
            const std::size_t drawn = view.picture().drawnRows();
            EXPECT_EQ(drawn == all, height >= full) << height;
            if (drawn == all)
                return;
            EXPECT_LE(barOf(drawn).bottom(), height) << "of the line";
            EXPECT_GT(barOf(drawn + 1).bottom(), height) << "one more would not be whole";
        });
    }
}

TEST_F(Segments, InALowFigureHaveNoRowAndALineThatSaysHowManyThereAre) {
    open(test::makeAllocatorRun(900, 2));
    draw({500, 200});
    ASSERT_GT(view.list().shown().size(), 1u);
    FigureMode figure(view, {500, 60});
    withWidgetAt(view, {500, 60}, [&] { EXPECT_EQ(view.picture().drawnRows(), 0u); });
    EXPECT_FALSE(renderWidget(view, {500, 60}, 1).isNull());
    // The lowest in which the line has room, with no row over it.
    int height = 0;
    withWidgetAt(view, {500, 60}, [&] { height = qCeil(barOf(0).bottom()); });
    withWidgetAt(view, {500, height}, [&] { EXPECT_EQ(view.picture().drawnRows(), 0u); });
    const QImage image = renderWidget(view, {500, height}, 1);
    const int blank = test::countPixels(image, {0, height - 16, 180, 16}, image.pixelColor(0, height - 1));
    EXPECT_LT(blank, 180 * 16 - 20) << "the line";
}

TEST_F(Segments, HaveRoomForTheLineUnderTheirRows) {
    open(test::makeAllocatorRun(900, 2));
    draw({500, 150});
    const std::size_t last = view.list().shown().size() - 1;
    view.scrollBar().setValue(view.scrollBar().maximum());
    ASSERT_GT(view.scrollBar().value(), 0);
    // A row is 24 pixels high.
    EXPECT_LE(barOf(last).bottom() + 24, view.height());
    FigureMode figure(view, {500, 400});
    withWidgetAt(view, {500, 400}, [&] {
        const int height = view.figureHeight(500, 10'000);
        EXPECT_LE(barOf(std::min<std::size_t>(last, 19)).bottom() + 24, height);
    });
}

TEST_F(Segments, AreScrolledUnderTheHeadByTheWheelAndPageKeys) {
    open(test::makeAllocatorRun(6'000, 3));
    const QImage before = draw({500, 300});
    const int head = view.picture().headHeight();
    const QRectF bar = barOf(0);
    const auto wheel = [&](int turned, int across = 0) {
        return test::turnWheel(view, {100, 200}, {across, turned});
    };
    EXPECT_TRUE(wheel(-120));
    EXPECT_LT(barOf(0).top(), bar.top());
    EXPECT_EQ(view.markAt({100, head + 2.0}), view.scrollBar().value() / 24);
    const QImage after = renderWidget(view, {500, 300}, 1);
    const QRect still(0, 0, view.scrollBar().x(), head);
    EXPECT_EQ(after.copy(still), before.copy(still)) << "nothing of a row stands in the head";
    EXPECT_NE(after, before);
    EXPECT_TRUE(wheel(1200));
    EXPECT_EQ(barOf(0), bar);
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

TEST_F(Segments, HaveBlocksThatAClickSelectsAndEnterZoomsToTheLifeOf) {
    open(test::makeAllocatorRun(900, 2));
    const QSize size(3000, 500);
    const QImage before = draw(size);
    const MemorySegment& first = *test::must(view.list().segmentOf(0));
    const auto middleOf = [&](const MemoryBlock& block) {
        const QPointF at = Segments::middleOf(first, block);
        return QPoint(static_cast<int>(at.x()), static_cast<int>(at.y()));
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
    ASSERT_GT(static_cast<double>(used->bytes) / static_cast<double>(first.bytes) * barOf(0).width(), 6);
    click(middleOf(*used));
    EXPECT_EQ(focus.selected(), used->allocation);
    const QImage selected = draw(size);
    EXPECT_NE(selected, before);
    EXPECT_EQ(selected.pixelColor(middleOf(*used)), before.pixelColor(middleOf(*used)))
        << "a frame, which covers nothing";
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_TRUE(axis.canZoomBack());
    click(middleOf(*free));
    EXPECT_FALSE(focus.selected());
    EXPECT_EQ(draw(size), before);
}

TEST_F(Segments, HaveToolTipsThatSayWhatAClickOnARowDoes) {
    open(test::makeAllocatorRun(6'000, 3));
    draw({900, 900});
    const QPoint bar = barOf(rowThat([](const SegmentRow& row) { return row.folded; })).center().toPoint();
    for (const char* does : {"A click shows them one by one", "A click folds them"}) {
        EXPECT_THAT(test::toolTipAt(view, bar), test::HasText(does));
        click(bar);
    }
    // The bar over them is of all that is in use.
    const QPoint all(bar.x(), static_cast<int>(barOf(0).center().y()) - 24);
    EXPECT_EQ(test::toolTipAt(view, all), view.inUse());
}

TEST_F(Segments, UnfoldFromARowOfMany) {
    open(test::makeAllocatorRun(6'000, 3));
    draw({500, 500});
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
    const std::size_t at = rowThat([&](const SegmentRow& row) {
        return row.folded && row.segments.size() > 1 && std::ranges::any_of(row.segments, holdsOne);
    });
    const std::vector<std::size_t> segments = view.list().rows()[at].segments;
    const auto expectUnfolded = [&](bool unfolded, const char* by) {
        ASSERT_EQ(view.list().shown().size(), rows + (unfolded ? segments.size() : 0)) << by;
        EXPECT_EQ(view.list().shown()[at].segment, std::nullopt);
        for (std::size_t i = 0; unfolded && i < segments.size(); ++i)
            EXPECT_EQ(view.list().shown()[at + 1 + i].segment, segments[i]);
    };
    // All of it in one bar, which is no block.
    draw({500, 900});
    const QPoint bar = barOf(at).center().toPoint();
    EXPECT_EQ(view.picture().blockAt(bar), nullptr);
    click(bar);
    expectUnfolded(true, "a click");
    click(bar);
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

TEST_F(Segments, HaveACurrentBlockThatIsThereAtAnotherMoment) {
    open(test::makeAllocatorRun(900, 2));
    draw({500, 500});
    ASSERT_TRUE(view.list().shown().front().segment);
    const std::size_t blocks = view.list().state().segments.front().blocks.size();
    int fewer = 0;
    for (std::int64_t part = 1; part <= 40; ++part) {
        focus.setAt(MemoryFocus::At::kPeak);
        draw({500, 500});
        ASSERT_EQ(view.list().state().segments.front().blocks.size(), blocks);
        for (std::size_t i = 0; i < blocks; ++i)
            QTest::keyClick(&view, Qt::Key_Right);
        axis.setPinnedCursor(Nanoseconds(run->range().end.value * part / 41));
        draw({500, 500});
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

TEST_F(Segments, HaveASentenceThatAddsUpToWhatIsReserved) {
    open(test::makeAllocatorRun(6'000, 3));
    draw({900, 700});
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

TEST_F(Segments, HaveASentenceOfTheMomentThatItWasAskedFor) {
    open(test::makeAllocatorRun(140'000, 3));
    ASSERT_TRUE(MemorySource::of(document).isHeavy());
    view.show();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return workerPool().activeThreadCount() > 0 || !view.sentence().isEmpty(); }, 60'000));
    focus.setAt(MemoryFocus::At::kCursor);
    view.hide();  // the other moment is not asked for then
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.sentence().isEmpty(); }, 60'000));
    EXPECT_TRUE(view.sentence().startsWith("At the peak")) << view.sentence().toStdString();
}

TEST_F(Segments, HaveTheSizesOfWhatIsFreeUnderThemWhereThereIsRoomForAllOfThem) {
    open(test::makeAllocatorRun(6'000, 3));
    draw({900, 300});
    const FreeSizesPart sizes(view.free(), std::nullopt);
    const int height = sizes.heightAt(900 - 2 * Metrics::kSpace3);
    ASSERT_GT(height, 100);
    EXPECT_GT(sizes.heightAt(400), height) << "one above the other";
    EXPECT_EQ(FreeSizesPart().heightAt(900), 0);
    for (std::size_t i = 1; i < sizes.listed().size(); ++i)
        EXPECT_GE(view.free().bytesOf(view.free().groups[sizes.listed()[i - 1]]),
                  view.free().bytesOf(view.free().groups[sizes.listed()[i]]));
    // It can be scrolled to; a figure has it or leaves it out.
    const QRectF last = barOf(view.list().shown().size() - 1);
    EXPECT_GE(view.scrollBar().maximum() + 300, last.bottom() + height);
    FigureMode figure(view, {900, 2'000});
    withWidgetAt(view, {900, 2'000}, [&] {
        const int with = view.figureHeight(900, 10'000), without = view.figureHeight(900, 1);
        EXPECT_GE(with, without + height);
        EXPECT_GE(without, barOf(view.list().shown().size() - 1).bottom());
    });
}

}  // namespace warpglass::ui::segments_view_test
