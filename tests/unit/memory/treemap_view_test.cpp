// The treemap, driven as a person drives it: areas, and the way in and out.
#include <QHelpEvent>
#include <QSignalSpy>
#include <QToolTip>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/query/spans/module_group.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/memory/treemap_view.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {
namespace {

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
        const double area = (500.0 - 2 * Metrics::kSpace3) * (400 - 24 - Metrics::kSpace2);
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
                if (cell.rest && grouping == TreemapView::Grouping::kCategory) {
                    EXPECT_EQ(cell.category, group->category) << "it has its group's colour";
                }
            }
        }
        EXPECT_EQ(seen, all);
        EXPECT_GT(groups, 1u);
    }
}

TEST_F(Treemap, ModulesStandInThePartOfTheModelThatTheyAreOf) {
    open(test::makeSyntheticRun());
    view.setGrouping(TreemapView::Grouping::kModule);
    settle();
    std::string part;
    int ofBlocks = 0;
    for (const TreemapCell& cell : view.cells()) {
        if (cell.group) {
            part = cell.name.toStdString();
        } else if (!cell.rest) {
            EXPECT_EQ(modulePart(cell.name.toStdString()), part);
        }
        ofBlocks += !cell.group && part.starts_with("blocks.*.") ? 1 : 0;
    }
    EXPECT_GT(ofBlocks, 1);
    const auto group = std::find_if(view.cells().begin(), view.cells().end(), [](const TreemapCell& c) {
        return c.group && c.title > 0 && c.name.startsWith(QStringLiteral("blocks.*."));
    });
    ASSERT_NE(group, view.cells().end());
    const Bytes bytes = group->bytes;
    QTest::mouseClick(&view, Qt::LeftButton, {},
                      QPointF(group->rect.left() + 20, group->rect.top() + 6).toPoint());
    settle();
    Bytes sum;
    for (const TreemapCell& cell : view.cells())
        sum += cell.bytes;
    EXPECT_EQ(sum, bytes);
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

TEST_F(Treemap, EscLetsGoOfWhatIsLookedAtAndIsThenLeftToOthers) {
    open(test::makeSyntheticRun());
    settle();
    const auto pressEscape = [this] {
        QKeyEvent press(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
        QApplication::sendEvent(&view, &press);
        return press.isAccepted();
    };
    for (const AllocationId id : document.memory().aliveAt(*focus.moment())) {
        if (!filter.isLooking())
            focus.setSelected(id);
    }
    ASSERT_TRUE(filter.isLooking()) << "one of them was made by an op";
    EXPECT_TRUE(pressEscape());
    EXPECT_FALSE(focus.selected());
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_FALSE(pressEscape());
}

TEST_F(Treemap, AShareIsOfAllThatIsAliveWhateverTheFilter) {
    open(test::makeSyntheticRun());
    filter.setCategory(Category::kWeights);
    settle();
    ASSERT_FALSE(view.cells().empty());
    const TreemapCell group = view.cells().front();
    ASSERT_TRUE(group.group && group.title > 0);
    const QPoint at = QPointF(group.rect.left() + 20, group.rect.top() + 6).toPoint();
    QHelpEvent help(QEvent::ToolTip, at, view.mapToGlobal(at));
    QApplication::sendEvent(&view, &help);
    const double share =
        static_cast<double>(group.bytes.value) / static_cast<double>(sumOf(document.memory().peak()->bytes));
    EXPECT_LT(share, 1);
    EXPECT_TRUE(QToolTip::text().contains(QString::fromStdString(formatPercent(share)) +
                                          QStringLiteral(" of live memory")))
        << QToolTip::text().toStdString();
    QToolTip::hideText();
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
    EXPECT_TRUE(
        focus.momentText().startsWith(QString::fromStdString(formatMoment(document.memory().peak()->time))))
        << qPrintable(focus.momentText()) << ": that it is the peak's is said by the choice beside it";
}

TEST_F(Treemap, AtTheCursorIsTheSecondCursorAfterADrag) {
    open(test::makeSyntheticRun());
    focus.setAt(MemoryFocus::At::kCursor);
    const Nanoseconds peak = document.memory().peak()->time;
    EXPECT_EQ(focus.moment(), peak) << "there is no cursor";
    EXPECT_TRUE(focus.momentText().startsWith(QStringLiteral("at the peak"))) << "other than is chosen";
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

}  // namespace
}  // namespace warpglass::ui
