// The memory page's views, driven as a person drives them: what they select, say and draw.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <set>

#include "engine/base/format.h"
#include "tests/support/allocator_model.h"
#include "tests/support/synthetic_trace.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/between_panel.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/segments_view.h"
#include "ui/theme/data_table.h"
#include "ui/theme/segmented_control.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

std::shared_ptr<const Snapshot> gpuLikeRun() {
    test::SyntheticOptions options;
    options.allocatorEvents = 600;
    return test::makeSyntheticRun(options);
}

class MemoryViews : public testing::Test {
protected:
    void open(std::shared_ptr<const Snapshot> snapshot) {
        run = std::move(snapshot);
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        axis.fitAll();
    }
    void move(QWidget& widget, QPointF to, Qt::MouseButtons buttons = {}, Qt::KeyboardModifiers keys = {}) {
        QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, buttons, keys);
        QApplication::sendEvent(&widget, &event);
    }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    RunFilter filter{document, axis};
    MemoryFocus focus{document, axis, filter};
};

class MapView : public MemoryViews {
protected:
    MapView() {
        view.setLabelWidth(80);
        view.resize(700, 300);
    }
    QImage draw() { return renderWidget(view, {700, 300}, 1); }
    /// The widest block drawn.
    const MapRect& widest() const {
        return *std::max_element(view.geometry().blocks.begin(), view.geometry().blocks.end(),
                                 [](const MapRect& a, const MapRect& b) {
                                     return (a.right - a.left) * (a.bottom - a.top) <
                                            (b.right - b.left) * (b.bottom - b.top);
                                 });
    }
    QPoint middleOf(const MapRect& rect) const {
        return {static_cast<int>((rect.left + rect.right) / 2) + 80,
                static_cast<int>((rect.top + rect.bottom) / 2)};
    }
    AllocationMapView view{document, axis, focus};
};

TEST_F(MapView, WithoutSegmentsItStacksByBirthAndWithThemItHasAddresses) {
    open(test::makeSyntheticRun());
    draw();
    EXPECT_FALSE(view.hasAddresses());
    EXPECT_FALSE(view.geometry().blocks.empty());
    EXPECT_EQ(view.geometry().all.count, static_cast<std::int64_t>(view.map().size()));
    const bool eachDrawn = view.geometry().drawn.count == view.geometry().all.count;
    EXPECT_TRUE(view.summary().contains(eachDrawn ? QStringLiteral("allocations in view")
                                                  : QStringLiteral("drawn one by one")))
        << view.summary().toStdString();
    open(test::makeAllocatorRun(900, 2));
    draw();
    EXPECT_TRUE(view.hasAddresses());
    EXPECT_EQ(view.viewport().high, static_cast<double>(view.map().placeEnd()));
    view.setOrder(AllocationMapView::Order::kBirth);
    draw();
    EXPECT_NEAR(view.viewport().high, static_cast<double>(sumOf(document.memory().peak()->bytes)) * 1.04, 2);
    document.clear();
    draw();
    EXPECT_TRUE(view.summary().isEmpty());
}

TEST_F(MapView, PixelsHaveTheColourOfTheBlockThatIsThere) {
    open(test::makeAllocatorRun(900, 2));
    for (const auto order : {AllocationMapView::Order::kAddress, AllocationMapView::Order::kBirth}) {
        view.setOrder(order);
        view.setBytesShown(0, view.viewport().high / 6);
        const QImage picture = draw();
        int checked = 0;
        for (const MapRect& rect : view.geometry().blocks) {
            if (rect.right - rect.left < 6 || rect.bottom - rect.top < 6)
                continue;
            // Inside the border at the top and at the right; a name stands at the left.
            const QPoint at(static_cast<int>(rect.right) + 80 - 4, static_cast<int>(rect.bottom) - 2);
            checked += picture.pixelColor(at) == Theme::categoryColor(rect.category) ? 1 : 0;
        }
        EXPECT_GT(checked, 10);
    }
}

TEST_F(MapView, AClickSelectsTheAllocationAndItsOp) {
    open(test::makeSyntheticRun());
    draw();
    const MapRect rect = widest();
    const QPoint at = middleOf(rect);
    const auto hit = view.hitAt(at);
    ASSERT_TRUE(hit.row);
    EXPECT_EQ(*hit.row, rect.row);
    QTest::mouseClick(&view, Qt::LeftButton, {}, at);
    ASSERT_TRUE(focus.selected());
    EXPECT_EQ(*focus.selected(), view.map().id(rect.row));
    // Elsewhere, where an op made the block, the op is selected too.
    bool anyOp = false;
    for (const MapRect& block : view.geometry().blocks) {
        const AllocationId id = view.map().id(block.row);
        focus.setSelected(id);
        const AllocationDetail detail = describeAllocation(document.memory(), id);
        if (detail.op.empty())
            continue;
        const auto span = axis.selectedSpan();
        bool ran = false;
        for (const TrackId track : run->tracksOfKind(TrackKind::kCpuThread)) {
            for (const SpanLane& lane : run->lanesOf(track)) {
                for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                    const SpanRow row = *lane.row(i);
                    ran = ran || (run->name(row.name) == detail.op && row.start <= detail.allocated.value &&
                                  row.end() > detail.allocated.value);
                }
            }
        }
        ASSERT_EQ(span.has_value(), ran) << detail.op;
        if (!span)
            continue;
        const auto row = run->lane(span->lane).row(span->row);
        EXPECT_EQ(run->name(row->name), detail.op);
        EXPECT_LE(row->start, detail.allocated.value);
        EXPECT_GT(row->end(), detail.allocated.value);
        anyOp = true;
    }
    EXPECT_TRUE(anyOp);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(690, 2));
    EXPECT_FALSE(focus.selected()) << "a click on nothing";
}

TEST_F(MapView, HitsAreTheBlocksUnderThePoint) {
    open(test::makeAllocatorRun(1500, 5));
    draw();
    const MapViewport port = view.viewport();
    std::uint64_t seed = 4;
    int alone = 0, merged = 0;
    for (int i = 0; i < 600; ++i) {
        const QPointF at(80 + static_cast<double>(test::nextRandom(seed) % 6190) / 10,
                         static_cast<double>(test::nextRandom(seed) % 2990) / 10);
        const auto hit = view.hitAt(at);
        // All that live within the pixels around the point.
        const double place = port.high - at.y() * (port.high - port.low) / port.height;
        const double nsPerPixel = static_cast<double>(port.time.duration().value) / port.width;
        const double t = static_cast<double>(port.time.begin.value) + (at.x() - 80) * nsPerPixel;
        const double slackT = 2.5 * nsPerPixel, slackB = 2.5 * (port.high - port.low) / port.height;
        std::set<std::size_t> near;
        for (std::size_t row = 0; row < view.map().size(); ++row) {
            if (static_cast<double>(view.map().begin(row)) < t + slackT &&
                static_cast<double>(view.map().end(row)) > t - slackT &&
                static_cast<double>(view.map().place(row)) < place + slackB &&
                static_cast<double>(view.map().place(row) + view.map().bytes(row)) > place - slackB)
                near.insert(row);
        }
        if (hit.row) {
            EXPECT_TRUE(near.count(*hit.row)) << at.x() << ", " << at.y();
            ++alone;
        } else if (hit.merged.count > 0) {
            EXPECT_GE(hit.merged.count, 2);
            EXPECT_LE(hit.merged.count, static_cast<std::int64_t>(near.size()));
            ++merged;
        }
    }
    EXPECT_GT(alone, 40);
    EXPECT_GT(alone + merged, 60);
}

TEST_F(MapView, ArrowsMoveBetweenBlocksEnterZoomsEscClears) {
    open(test::makeSyntheticRun());
    draw();
    QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_TRUE(focus.selected());
    std::size_t before = *view.map().rowOf(*focus.selected());
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(&view, Qt::Key_Right);
        const std::size_t now = *view.map().rowOf(*focus.selected());
        EXPECT_GT(now, before);
        before = now;
    }
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_LT(*view.map().rowOf(*focus.selected()), before);
    QTest::keyClick(&view, Qt::Key_Up);
    const std::size_t above = *view.map().rowOf(*focus.selected());
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_LE(*view.map().rowOf(*focus.selected()), above);
    const auto shortLived =
        std::find_if(view.geometry().blocks.begin(), view.geometry().blocks.end(),
                     [&](const MapRect& r) { return view.map().end(r.row) < run->range().end.value / 2; });
    ASSERT_NE(shortLived, view.geometry().blocks.end());
    const std::size_t row = shortLived->row;
    focus.setSelected(view.map().id(row));
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_LE(axis.visibleRange().begin.value, view.map().begin(row));
    EXPECT_TRUE(axis.canZoomBack());
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(focus.selected());
    QTest::keyClick(&view, Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), run->range());
}

TEST_F(MapView, CtrlWheelZoomsBytesAboutThePointerAndShiftDragSelectsTime) {
    open(test::makeAllocatorRun(900, 2));
    draw();
    const MapViewport before = view.viewport();
    const double at = before.high - 100 * (before.high - before.low) / before.height;
    QWheelEvent wheel(QPointF(300, 100), view.mapToGlobal(QPointF(300, 100)), {}, {0, 240}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
    const MapViewport after = view.viewport();
    EXPECT_NEAR((after.high - after.low) / (before.high - before.low), 0.64, 0.001);
    EXPECT_NEAR(after.high - 100 * (after.high - after.low) / after.height, at, 1);
    EXPECT_EQ(axis.visibleRange(), run->range());
    draw();
    EXPECT_LE(view.geometry().all.count, static_cast<std::int64_t>(view.map().size()));

    QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, {200, 50});
    move(view, {400, 60}, Qt::LeftButton, Qt::ShiftModifier);
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, {400, 60});
    ASSERT_TRUE(axis.selectedRange());
    EXPECT_NEAR(static_cast<double>(axis.selectedRange()->duration().value),
                static_cast<double>(run->range().duration().value) * 200 / 620,
                static_cast<double>(run->range().duration().value) / 300);
}

TEST_F(MapView, ManyAllocationsSayThatTheRestIsMerged) {
    open(test::makeManyMemoryEvents(120'000, 3));
    draw();
    ASSERT_GT(view.map().size(), 40'000u);
    std::set<std::uint32_t> drawn;
    for (const MapRect& block : view.geometry().blocks)
        drawn.insert(block.row);
    EXPECT_EQ(view.geometry().drawn.count, static_cast<std::int64_t>(drawn.size()));
    const auto count = formatGrouped(static_cast<std::int64_t>(drawn.size()));
    EXPECT_TRUE(view.summary().startsWith(QString::fromStdString(count) + QStringLiteral(" of ")))
        << view.summary().toStdString();
    EXPECT_TRUE(view.summary().endsWith(QStringLiteral("of the bytes, merged")));
}

TEST_F(MapView, ALiveRunGrowsInIt) {
    TraceWriter writer;
    test::AllocatorModel model(writer, 8);
    model.append(200);
    model.commit();
    view.show();
    document.follow(writer.feed());
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.map().size() > 0; }, 60'000));
    const std::size_t before = view.map().size();
    model.append(400);
    model.commit();
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.map().size() > before; }, 60'000));
}

class Treemap : public MemoryViews {
protected:
    Treemap() { view.resize(500, 400); }
    void settle() { renderWidget(view, {500, 400}, 1); }
    TreemapView view{document, focus};
};

TEST_F(Treemap, AreasAreBytesAndChildrenLieInTheirGroup) {
    open(test::makeSyntheticRun());
    for (const auto grouping : {TreemapView::Grouping::kCategory, TreemapView::Grouping::kModule,
                                TreemapView::Grouping::kPhase, TreemapView::Grouping::kOp}) {
        view.setGrouping(grouping);
        settle();
        const auto total = breakdownAt(document.memory(), *focus.moment(), view.outerKey());
        std::int64_t all = 0;
        for (const BreakdownRow& row : total)
            all += row.bytes.value;
        const double area = 500.0 * (400 - 24);
        std::int64_t seen = 0;
        const TreemapCell* group = nullptr;
        std::size_t groups = 0;
        for (const TreemapCell& cell : view.cells()) {
            const bool inGroup = group && group->rect.adjusted(-0.1, -0.1, 0.1, 0.1).contains(cell.rect);
            if (cell.group || (cell.rest && !inGroup)) {
                seen += cell.bytes.value;
                EXPECT_NEAR(cell.rect.width() * cell.rect.height(),
                            area * static_cast<double>(cell.bytes.value) / static_cast<double>(all), 1.0);
                group = cell.group ? &cell : nullptr;
                ++groups;
            } else {
                EXPECT_TRUE(inGroup) << cell.name.toStdString();
            }
        }
        EXPECT_EQ(seen, all);
        EXPECT_GT(groups, 1u);
    }
}

TEST_F(Treemap, AClickGoesInAndBackspaceOut) {
    open(test::makeSyntheticRun());
    settle();
    QSignalSpy moved(&view, &TreemapView::pathChanged);
    const auto group = std::find_if(view.cells().begin(), view.cells().end(),
                                    [](const TreemapCell& c) { return c.group && c.title > 0; });
    ASSERT_NE(group, view.cells().end());
    const QString name = group->name;
    const Bytes bytes = group->bytes;
    QTest::mouseClick(&view, Qt::LeftButton, {},
                      QPointF(group->rect.left() + 20, group->rect.top() + 6).toPoint());
    EXPECT_EQ(moved.count(), 1);
    EXPECT_EQ(view.path().depth(), 1);
    EXPECT_EQ(view.path().outerName, name);
    settle();
    Bytes sum;
    for (const TreemapCell& cell : view.cells())
        sum += cell.bytes;
    EXPECT_EQ(sum, bytes);
    // The first child, by keyboard; its allocations.
    QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_TRUE(view.currentCell());
    const Bytes childBytes = view.cells()[*view.currentCell()].bytes;
    QTest::keyClick(&view, Qt::Key_Return);
    EXPECT_EQ(view.path().depth(), 2);
    settle();
    sum = {};
    for (const TreemapCell& cell : view.cells()) {
        EXPECT_TRUE(cell.allocation || cell.rest);
        sum += cell.bytes;
    }
    EXPECT_EQ(sum, childBytes);
    const auto one = std::find_if(view.cells().begin(), view.cells().end(),
                                  [](const TreemapCell& c) { return c.allocation.has_value(); });
    ASSERT_NE(one, view.cells().end());
    QTest::mouseClick(&view, Qt::LeftButton, {}, one->rect.center().toPoint());
    EXPECT_EQ(focus.selected(), one->allocation);
    QTest::keyClick(&view, Qt::Key_Backspace);
    EXPECT_EQ(view.path().depth(), 1);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(view.path().depth(), 0);
}

TEST_F(Treemap, WhatWasElsewhereIsGoneAtOnce) {
    open(test::makeSyntheticRun());
    settle();
    // In, out and in again.
    for (int turn = 0; turn < 2; ++turn) {
        const auto group = std::find_if(view.cells().begin(), view.cells().end(), [](const TreemapCell& c) {
            return c.group && c.title > 0 && c.allocations > 3;
        });
        ASSERT_NE(group, view.cells().end());
        QTest::mouseClick(&view, Qt::LeftButton, {},
                          QPointF(group->rect.left() + 20, group->rect.top() + 6).toPoint());
        settle();
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Return);
        ASSERT_EQ(view.path().depth(), 2);
        EXPECT_TRUE(view.cells().empty()) << "its allocations are not known yet";
        settle();
        EXPECT_FALSE(view.cells().empty());
        view.goUp();
        view.goUp();
        EXPECT_FALSE(view.cells().empty()) << "the tree is the same wherever one is in it";
    }
    view.setGrouping(TreemapView::Grouping::kOp);
    EXPECT_TRUE(view.cells().empty()) << "the keys of the cells were those of categories";
    settle();
    EXPECT_FALSE(view.cells().empty());
}

TEST_F(Treemap, FollowsThePeakOrTheCursor) {
    open(test::makeSyntheticRun());
    settle();
    const auto bytesShown = [&] {
        Bytes sum;
        for (const TreemapCell& cell : view.cells())
            sum += cell.group ? cell.bytes : Bytes();
        return sum.value;
    };
    EXPECT_EQ(bytesShown(), sumOf(document.memory().peak()->bytes));
    const Nanoseconds t(run->range().end.value / 5);
    axis.setPinnedCursor(t);
    EXPECT_EQ(focus.at(), MemoryFocus::At::kCursor);
    settle();
    EXPECT_EQ(bytesShown(), sumOf(document.memory().at(t)));
    focus.setAt(MemoryFocus::At::kPeak);
    settle();
    EXPECT_EQ(bytesShown(), sumOf(document.memory().peak()->bytes));
    EXPECT_TRUE(focus.momentText().startsWith(QStringLiteral("at the peak")));
}

TEST_F(Treemap, AtTheCursorIsTheSecondCursorAfterADrag) {
    open(test::makeSyntheticRun());
    focus.setAt(MemoryFocus::At::kCursor);
    const Nanoseconds peak = document.memory().peak()->time;
    EXPECT_EQ(focus.moment(), peak) << "there is no cursor";
    QSignalSpy moved(&focus, &MemoryFocus::momentChanged);
    const Nanoseconds a(run->range().end.value / 7), b(run->range().end.value / 3);
    axis.setSelectedRange(TimeRange{a, b});
    EXPECT_EQ(moved.count(), 1);
    EXPECT_EQ(focus.moment(), b);
    EXPECT_TRUE(focus.momentText().startsWith(QStringLiteral("at the second cursor")))
        << qPrintable(focus.momentText());
    axis.setCursor(a);
    EXPECT_EQ(focus.moment(), a) << "the mouse comes first";
    axis.setCursor(std::nullopt);
    focus.setAt(MemoryFocus::At::kPeak);
    EXPECT_EQ(focus.moment(), peak);
    moved.clear();
    axis.setSelectedRange(std::nullopt);
    EXPECT_EQ(moved.count(), 0) << "the peak is where it was";
}

TEST(TreemapCells, AnArrowLeadsToTheNearestThatWay) {
    // Two by two.
    std::vector<TreemapCell> cells(4);
    for (std::size_t i = 0; i < 4; ++i)
        cells[i].rect = QRectF(i % 2 ? 50 : 0, i / 2 ? 50 : 0, 50, 50);
    EXPECT_EQ(cellTowards(cells, std::nullopt, Qt::Key_Down), 0u);
    EXPECT_EQ(cellTowards(cells, 0, Qt::Key_Right), 1u);
    EXPECT_EQ(cellTowards(cells, 0, Qt::Key_Down), 2u);
    EXPECT_EQ(cellTowards(cells, 3, Qt::Key_Left), 2u);
    EXPECT_EQ(cellTowards(cells, 3, Qt::Key_Up), 1u);
    EXPECT_FALSE(cellTowards(cells, 0, Qt::Key_Up).has_value());
    EXPECT_FALSE(cellTowards({}, std::nullopt, Qt::Key_Left).has_value());
}

TEST_F(MemoryViews, TheTableHoldsWhatLiesBelowWhereTheTreemapIs) {
    open(test::makeSyntheticRun());
    AlivePanel panel(document, focus);
    panel.resize(500, 700);
    renderWidget(panel, {500, 700}, 1);
    EXPECT_EQ(
        panel.model().rowCount(),
        static_cast<int>(std::min(AlivePanel::kMost, document.memory().aliveAt(*focus.moment()).size())));
    const TreemapCell group = panel.treemap().cells().front();
    ASSERT_TRUE(group.group);
    QTest::mouseClick(&panel.treemap(), Qt::LeftButton, {},
                      QPointF(group.rect.left() + 20, group.rect.top() + 6).toPoint());
    refreshAll(panel);
    EXPECT_EQ(panel.model().rowCount(), static_cast<int>(std::min<std::int64_t>(500, group.allocations)));
    for (int row = 0; row < panel.model().rowCount(); ++row)
        EXPECT_EQ(QString::fromStdString(panel.model().rowAt(row).category), group.name);
    focus.setSelected(panel.model().rowAt(2).id);
    EXPECT_EQ(panel.table().selectionModel()->selectedRows().size(), 1);
}

TEST_F(MemoryViews, BetweenTheCursorsSaysWhatTheQuerySays) {
    open(test::makeSyntheticRun());
    BetweenPanel panel(document, axis, focus);
    renderWidget(panel, {500, 400}, 1);
    EXPECT_EQ(panel.model().rowCount(), 0);
    EXPECT_TRUE(panel.sentence().isEmpty());
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 2)};
    axis.setSelectedRange(range);
    for (const BreakdownKey key : {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp}) {
        panel.setKey(key);
        renderWidget(panel, {500, 400}, 1);
        const MemoryBetween between = memoryBetween(document.memory(), range, key);
        ASSERT_EQ(panel.model().rowCount(), static_cast<int>(between.rows.size()));
        for (int row = 0; row < panel.model().rowCount(); ++row) {
            const MemoryBetweenRow& shown = panel.model().rowAt(row);
            const auto found = std::find_if(between.rows.begin(), between.rows.end(),
                                            [&](const MemoryBetweenRow& r) { return r.name == shown.name; });
            ASSERT_NE(found, between.rows.end());
            EXPECT_EQ(shown.allocated, found->allocated);
            EXPECT_EQ(panel.model().index(row, BetweenModel::kChange).data(kPlainRole).toLongLong(),
                      found->change().value);
        }
    }
    EXPECT_TRUE(panel.sentence().startsWith(QStringLiteral("From ")));
    axis.setSelectedRange(std::nullopt);
    renderWidget(panel, {500, 400}, 1);
    EXPECT_EQ(panel.model().rowCount(), 0);
}

TEST(SegmentPieces, EveryPixelIsWhatMostOfItsBytesAre) {
    std::uint64_t seed = 21;
    for (int probe = 0; probe < 60; ++probe) {
        MemorySegment segment;
        segment.address = 1 << 20;
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

TEST_F(MemoryViews, SegmentsAreShownLargestFirstAndSelectAllocations) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    ASSERT_GT(view.state().segments.size(), 3u);
    for (std::size_t i = 1; i < view.state().segments.size(); ++i)
        EXPECT_GE(view.state().segments[i - 1].bytes, view.state().segments[i].bytes);
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("Fragmentation")));
    const MemorySegment& first = view.state().segments.front();
    int checked = 0;
    for (const MemoryBlock& block : first.blocks) {
        const QRectF bar = view.barOf(0);
        const double middle =
            static_cast<double>(block.address - first.address) + static_cast<double>(block.bytes) / 2;
        const QPointF at(bar.left() + middle / static_cast<double>(first.bytes) * bar.width(),
                         bar.center().y());
        const MemoryBlock* hit = view.blockAt(at);
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
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(focus.selected());
    open(test::makeSyntheticRun());
    renderWidget(view, {500, 500}, 1);
    EXPECT_TRUE(view.sentence().startsWith(QStringLiteral("No segments in this run")));
}

TEST_F(MemoryViews, TheCurrentBlockIsOneThatIsThereAtAnotherMoment) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    const std::size_t blocks = view.state().segments.front().blocks.size();
    int fewer = 0;
    for (std::int64_t part = 1; part <= 40; ++part) {
        focus.setAt(MemoryFocus::At::kPeak);
        renderWidget(view, {500, 500}, 1);
        ASSERT_EQ(view.state().segments.front().blocks.size(), blocks);
        for (std::size_t i = 0; i < blocks; ++i)
            QTest::keyClick(&view, Qt::Key_Right);
        axis.setPinnedCursor(Nanoseconds(run->range().end.value * part / 41));
        renderWidget(view, {500, 500}, 1);
        if (view.state().segments.empty() || view.state().segments.front().blocks.size() >= blocks)
            continue;
        ++fewer;
        const std::vector<MemoryBlock>& now = view.state().segments.front().blocks;
        QTest::keyClick(&view, Qt::Key_Left);
        const MemoryBlock& block = now[now.size() < 2 ? 0 : now.size() - 2];
        const bool allocated = block.allocation.valid() && block.state != BlockState::kFree;
        EXPECT_EQ(focus.selected(), allocated ? std::optional(block.allocation) : std::nullopt);
        axis.setPinnedCursor(std::nullopt);
    }
    EXPECT_GT(fewer, 0);
}

TEST_F(MemoryViews, GrowthIsNotAnotherMoment) {
    TraceWriter writer;
    test::AllocatorModel model(writer, 8);
    model.append(200);
    model.commit();
    document.follow(writer.feed());
    ASSERT_TRUE(QTest::qWaitFor([&] { return focus.moment().has_value(); }, 60'000));
    QTest::qWait(50);
    QSignalSpy moved(&focus, &MemoryFocus::momentChanged), grown(&focus, &MemoryFocus::grown);
    model.append(200);
    model.commit();
    EXPECT_TRUE(QTest::qWaitFor([&] { return grown.count() > 0; }, 60'000));
    EXPECT_EQ(moved.count(), 0);
}

TEST_F(MemoryViews, ThePageExplainsThePeakAndItsMomentIsOneForAll) {
    MemoryPage page(document, axis, filter);
    open(gpuLikeRun());
    renderWidget(page, {1300, 800}, 1);
    EXPECT_TRUE(page.explanation().startsWith(QStringLiteral("The peak, ")))
        << page.explanation().toStdString();
    auto* moment = page.findChild<SegmentedControl*>(QStringLiteral("memoryMoment"));
    ASSERT_NE(moment, nullptr);
    EXPECT_EQ(moment->current(), 0);
    axis.setPinnedCursor(Nanoseconds(run->range().end.value / 2));
    EXPECT_EQ(moment->current(), 1);
    axis.setPinnedCursor(std::nullopt);
    EXPECT_EQ(moment->current(), 0);
    document.clear();
    renderWidget(page, {1300, 800}, 1);
    EXPECT_TRUE(page.explanation().startsWith(QStringLiteral("Open or record a run")));
}

}  // namespace
}  // namespace warpglass::ui
