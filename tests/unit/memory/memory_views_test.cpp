// The memory page and its panels, driven as a person drives them: what they select, say and draw.
#include <QComboBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QtMath>
#include <algorithm>

#include "engine/base/format.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/between_panel.h"
#include "ui/memory/memory_page.h"
#include "ui/memory/segments_view.h"
#include "ui/theme/data_table.h"
#include "ui/theme/elided_label.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/segmented_control.h"

namespace warpglass::ui {
namespace {

std::shared_ptr<const Snapshot> gpuLikeRun() {
    test::SyntheticOptions options;
    options.allocatorEvents = 600;
    return test::makeSyntheticRun(options);
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

TEST_F(MemoryViews, TheTableStaysWhereItIsScrolledToWhileTheCursorMoves) {
    open(test::makeSyntheticRun());
    AlivePanel panel(document, focus);
    panel.resize(500, 500);
    panel.show();
    QApplication::processEvents();
    focus.setAt(MemoryFocus::At::kCursor);
    const QScrollBar& bar = *panel.table().verticalScrollBar();
    const auto show = [&](Nanoseconds t) {
        axis.setPinnedCursor(t);
        refreshAll(panel);
    };
    const Nanoseconds peak = document.memory().peak()->time;
    show(peak);
    const int place = bar.maximum() / 4;
    ASSERT_GT(place, 3);
    const auto scrollAndMove = [&] {
        panel.table().verticalScrollBar()->setValue(place);
        int moved = 0;
        for (int i = 1; i <= 12; ++i) {
            const int rows = panel.model().rowCount();
            show(peak - Nanoseconds(peak.value / 40 * i));
            if (bar.maximum() < place)  // too few are alive
                break;
            EXPECT_EQ(bar.value(), place) << i;
            moved += panel.model().rowCount() != rows ? 1 : 0;
        }
        EXPECT_GE(moved, 1) << "others are alive then";
    };
    scrollAndMove();
    // A row that was selected is scrolled to once.
    show(peak);
    focus.setSelected(
        panel.model().rowAt(panel.table().proxy()->mapToSource(panel.table().proxy()->index(0, 0)).row()).id);
    EXPECT_EQ(bar.value(), 0);
    scrollAndMove();
    // What lies below a group is another list.
    show(peak);
    renderWidget(panel, {500, 500}, 1);
    panel.table().verticalScrollBar()->setValue(place);
    const TreemapCell group = panel.treemap().cells().front();
    QTest::mouseClick(&panel.treemap(), Qt::LeftButton, {},
                      QPointF(group.rect.left() + 20, group.rect.top() + 6).toPoint());
    EXPECT_EQ(bar.value(), 0);
}

TEST_F(MemoryViews, TheFirstRowIsSelectedOfWhatWasAskedForAndOfNothingLater) {
    open(test::makeSyntheticRun());
    AlivePanel panel(document, focus);
    panel.resize(500, 700);
    panel.selectFirst();
    renderWidget(panel, {500, 700}, 1);
    EXPECT_TRUE(focus.selected());
    focus.letGo();
    filter.setText(QStringLiteral("no such thing"));
    panel.selectFirst();
    renderWidget(panel, {500, 700}, 1);
    ASSERT_EQ(panel.model().rowCount(), 0);
    filter.setText({});
    renderWidget(panel, {500, 700}, 1);
    ASSERT_GT(panel.model().rowCount(), 0);
    EXPECT_FALSE(focus.selected());
    // Nor of another run.
    filter.setCategory(Category::kWeights);
    panel.selectFirst();
    open(test::makeSyntheticRun());
    renderWidget(panel, {500, 700}, 1);
    ASSERT_GT(panel.model().rowCount(), 0);
    EXPECT_FALSE(focus.selected());
}

TEST_F(MemoryViews, AnEmptyTableSaysWhetherAllOrOnlyHereIsLeftOut) {
    open(test::makeSyntheticRun());
    AlivePanel panel(document, focus);
    panel.resize(500, 700);
    filter.setText(QStringLiteral("no such thing"));
    renderWidget(panel, {500, 700}, 1);
    EXPECT_TRUE(panel.table().emptyText().startsWith(QStringLiteral("The filter hides all ")))
        << panel.table().emptyText().toStdString();
    filter.setText({});
    filter.setCategory(Category::kWeights);
    renderWidget(panel, {500, 700}, 1);
    const TreemapCell group = panel.treemap().cells().front();
    QTest::mouseClick(&panel.treemap(), Qt::LeftButton, {},
                      QPointF(group.rect.left() + 20, group.rect.top() + 6).toPoint());
    ASSERT_EQ(panel.treemap().path().depth(), 1);
    filter.setCategory(Category::kGradients);
    renderWidget(panel, {500, 700}, 1);
    EXPECT_EQ(panel.model().rowCount(), 0);
    EXPECT_TRUE(panel.table().emptyText().startsWith(
        QStringLiteral("The filter hides everything here at this moment")))
        << panel.table().emptyText().toStdString();
}

TEST_F(MemoryViews, ThePageSaysOfWhichPartARangeIs) {
    MemoryPage page(document, axis, filter);
    open(test::makeSyntheticRun());
    EXPECT_TRUE(page.restriction().isEmpty());
    axis.setSelectedRange(TimeRange{Nanoseconds(0), Nanoseconds(run->range().end.value / 2)});
    EXPECT_TRUE(page.restriction().startsWith(QStringLiteral("live memory: only allocated in ")))
        << page.restriction().toStdString();
    filter.setCategory(Category::kWeights);
    EXPECT_TRUE(page.restriction().startsWith(
        QStringLiteral("only weights; memory over time and segments show everything; live memory: only ")))
        << page.restriction().toStdString();
    axis.setSelectedRange(std::nullopt);
    EXPECT_EQ(page.restriction(),
              QStringLiteral("only weights; memory over time and segments show everything"));
}

TEST_F(MemoryViews, ARangeAfterTheMomentLeavesNothingOutOfWhatIsAliveThen) {
    MemoryPage page(document, axis, filter);
    open(test::makeSyntheticRun());
    renderWidget(page, {1400, 900}, 1);
    const int all = page.alive().model().rowCount();
    ASSERT_GT(all, 0);
    const Nanoseconds peak = document.memory().peak()->time, end = run->range().end;
    ASSERT_LT(peak + Nanoseconds(2), end);
    axis.setSelectedRange(TimeRange{peak + Nanoseconds(1), end});
    renderWidget(page, {1400, 900}, 1);
    EXPECT_EQ(page.alive().model().rowCount(), all);
    EXPECT_FALSE(page.alive().treemap().cells().empty());
    EXPECT_TRUE(page.restriction().startsWith(QStringLiteral("showing all live allocations: ")))
        << page.restriction().toStdString();
    // One that holds it takes what was made in it.
    axis.setSelectedRange(TimeRange{peak, end});
    renderWidget(page, {1400, 900}, 1);
    EXPECT_LT(page.alive().model().rowCount(), all);
    EXPECT_TRUE(page.restriction().startsWith(QStringLiteral("live memory: only allocated in ")));
}

TEST_F(MemoryViews, WhichMomentIsShownIsNotSaidOverWhatIsOfNone) {
    MemoryPage page(document, axis, filter);
    open(test::makeSyntheticRun());
    const auto* moment = page.findChild<QWidget*>(QStringLiteral("memoryMoment"));
    const QString when = page.focus().momentText();
    ASSERT_FALSE(when.isEmpty());
    for (int tab = 0; tab < page.tabs().count(); ++tab) {
        page.tabs().setCurrentIndex(tab);
        const bool ofOne = page.tabs().currentWidget()->objectName() != QStringLiteral("between");
        EXPECT_EQ(moment->isEnabled(), ofOne);
        const auto texts = page.findChildren<ElidedLabel*>();
        EXPECT_EQ(std::any_of(texts.begin(), texts.end(), [&](const auto* l) { return l->text() == when; }),
                  ofOne);
    }
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
            EXPECT_EQ(
                panel.model().index(row, betweenTable().place("change_bytes")).data(kPlainRole).toLongLong(),
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

TEST_F(MemoryViews, SegmentsAreShownWithTheMostWasteFirstAndSelectAllocations) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    ASSERT_GT(view.state().segments.size(), 3u);
    for (std::size_t i = 1; i < view.state().segments.size(); ++i)
        EXPECT_GE(wasteOf(view.state().segments[i - 1]), wasteOf(view.state().segments[i]));
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("Fragmentation")));
    ASSERT_EQ(view.shown().front().segment, 0u);
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
    for (const bool taken : {true, false}) {
        QKeyEvent press(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
        QApplication::sendEvent(&view, &press);
        EXPECT_FALSE(focus.selected());
        EXPECT_EQ(press.isAccepted(), taken);
    }
    open(test::makeSyntheticRun());
    renderWidget(view, {500, 500}, 1);
    EXPECT_TRUE(view.sentence().startsWith(QStringLiteral("The run was recorded on the CPU")));
}

TEST_F(MemoryViews, AFigureHasWholeSegmentsAndALineForTheOthers) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    renderWidget(view, {500, 200}, 1);
    const std::size_t all = view.shown().size();
    ASSERT_GT(all, 3u);
    EXPECT_EQ(view.drawnRows(), all) << "the others can be scrolled to";
    FigureMode figure(view, {500, 200});
    int full = 0;
    withWidgetAt(view, {500, 200}, [&] { full = qCeil(view.barOf(all - 1).bottom()); });
    for (int height = full - 60; height < full + 20; ++height) {
        withWidgetAt(view, {500, height}, [&] {
            const std::size_t drawn = view.drawnRows();
            EXPECT_EQ(drawn == all, height >= full) << height;
            if (drawn == all)
                return;
            EXPECT_LE(view.barOf(drawn).bottom(), height) << "of the line";
            EXPECT_GT(view.barOf(drawn + 1).bottom(), height) << "one more would not be whole";
        });
    }
}

TEST_F(MemoryViews, ARowOfManySegmentsUnfoldsIntoThem) {
    open(test::makeAllocatorRun(6'000, 3));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    ASSERT_GT(view.state().segments.size(), 30u);
    const std::size_t rows = view.rows().size();
    EXPECT_LE(rows, 20u);
    EXPECT_EQ(view.shown().size(), rows);
    const auto folded = std::find_if(view.rows().begin(), view.rows().end(), [](const SegmentRow& row) {
        return row.folded && row.segments.size() > 1;
    });
    ASSERT_NE(folded, view.rows().end());
    const auto at = static_cast<std::size_t>(folded - view.rows().begin());
    const std::vector<std::size_t> segments = folded->segments;
    const auto expectUnfolded = [&](bool unfolded, const char* by) {
        ASSERT_EQ(view.shown().size(), rows + (unfolded ? segments.size() : 0)) << by;
        EXPECT_EQ(view.shown()[at].segment, std::nullopt);
        for (std::size_t i = 0; unfolded && i < segments.size(); ++i)
            EXPECT_EQ(view.shown()[at + 1 + i].segment, segments[i]);
    };
    // All of it in one bar, which is no block.
    view.resize(500, 900);
    renderWidget(view, {500, 900}, 1);
    const QPoint bar = view.barOf(at).center().toPoint();
    EXPECT_EQ(view.blockAt(bar), nullptr);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, bar);
    expectUnfolded(true, "a click");
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, bar);
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
    QTest::keyClick(&view, Qt::Key_Down);
    const MemorySegment& inside = view.state().segments[segments.front()];
    for (std::size_t i = 0; i < inside.blocks.size() && !focus.selected(); ++i)
        QTest::keyClick(&view, Qt::Key_Right);
    if (focus.selected()) {
        EXPECT_TRUE(std::any_of(inside.blocks.begin(), inside.blocks.end(), [&](const MemoryBlock& block) {
            return block.allocation == focus.selected();
        }));
    }
}

TEST_F(MemoryViews, TheCurrentBlockIsOneThatIsThereAtAnotherMoment) {
    open(test::makeAllocatorRun(900, 2));
    SegmentsView view(document, focus);
    view.resize(500, 500);
    renderWidget(view, {500, 500}, 1);
    ASSERT_TRUE(view.shown().front().segment);
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
        if (view.shown().empty() || view.shown().front().segment != 0u ||
            view.state().segments.front().blocks.size() >= blocks)
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
    QSignalSpy moved(&focus, &MemoryFocus::momentChanged), grown(&focus, &MemoryFocus::grown);
    model.append(200);
    model.commit();
    EXPECT_TRUE(QTest::qWaitFor([&] { return grown.count() > 0; }, 60'000));
    EXPECT_EQ(moved.count(), 0);
}

TEST_F(MemoryViews, ThePageOffersToFollowALiveRunThatIsNotFollowed) {
    MemoryPage page(document, axis, filter);
    auto* follow = page.findChild<QPushButton*>(QStringLiteral("followRunOnMemoryPage"));
    ASSERT_NE(follow, nullptr);
    open(gpuLikeRun());
    axis.setFollowing(false);
    EXPECT_TRUE(follow->isHidden()) << "a run that has ended is not followed";
    TraceWriter writer;
    test::AllocatorModel model(writer, 8);
    model.append(20);
    model.commit();
    document.follow(writer.feed());
    axis.setFollowing(true);
    EXPECT_TRUE(follow->isHidden());
    axis.setFollowing(false);
    EXPECT_FALSE(follow->isHidden());
    follow->click();
    EXPECT_TRUE(axis.following());
    EXPECT_TRUE(follow->isHidden());
    axis.setFollowing(false);
    document.stopFollowing();
    EXPECT_TRUE(follow->isHidden());
}

TEST_F(MemoryViews, ThePageExplainsThePeakAndItsMomentIsOneForAll) {
    MemoryPage page(document, axis, filter);
    open(gpuLikeRun());
    renderWidget(page, {1300, 800}, 1);
    EXPECT_TRUE(page.explanation().startsWith(QStringLiteral("Peak: "))) << page.explanation().toStdString();
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
