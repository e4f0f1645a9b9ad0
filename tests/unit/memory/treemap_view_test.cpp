// The treemap, driven as a person drives it: areas, and the way in and out.
#include <QPainter>
#include <QSignalSpy>
#include <QToolTip>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/spans/module_group.h"
#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/memory/treemap_painting.h"
#include "ui/memory/treemap_view.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::treemap_view_test {

/// Whether the keys of a cell say that it is in the group of those.
bool liesIn(const TreemapCell& cell, const std::vector<std::size_t>& group) {
    return cell.path.size() >= group.size() && std::equal(group.begin(), group.end(), cell.path.begin());
}

struct Treemap : MemoryViews {
    Treemap() { view.resize(500, 400); }
    void settle() { renderWidget(view, {500, 400}, 1); }
    /// A copy: clicks make other cells.
    template <class Is>
    TreemapCell cellThat(Is&& is, std::source_location at = std::source_location::current()) {
        return test::firstOf(view.cells(), is, at);
    }
    /// On its title, which its cells leave free.
    static QPoint titleOf(const TreemapCell& group) {
        return (group.rect.topLeft() + QPointF(20, 6)).toPoint();
    }
    void click(QPoint at) { QTest::mouseClick(&view, Qt::LeftButton, {}, at); }
    /// The sum of the outermost cells.
    Bytes bytesShown() const {
        const auto depth = static_cast<std::size_t>(view.path().depth());
        Bytes sum;
        std::vector<std::size_t> group;
        for (const TreemapCell& cell : view.cells()) {
            if (!group.empty() && liesIn(cell, group))
                continue;
            sum += cell.bytes;
            group = cell.group && cell.path.size() > depth ? cell.path : std::vector<std::size_t>();
        }
        return sum;
    }
    TreemapView view{document, focus};
};

TEST(TreemapForms, AreEverShorterAndNeverCut) {
    TreemapCell cell;
    cell.name = QStringLiteral("blocks.*.attn.output_proj");
    cell.label = QStringLiteral("attn.output_proj");
    cell.modules = 48;
    EXPECT_EQ(treemapForms(cell),
              (QStringList{"attn.output_proj × 48", cell.label, "output_proj", "output"}));
    cell.modules = 0;
    cell.name = cell.label = QStringLiteral("lm_head");
    EXPECT_EQ(treemapForms(cell), QStringList{cell.label}) << "\"lm\" says nothing";
    cell.name = cell.label = QStringLiteral("weight copies");
    EXPECT_EQ(treemapForms(cell), (QStringList{cell.label, "copies"}));
    cell.name = QStringLiteral("blocks.7.attn.q_proj");
    cell.label = QStringLiteral("block 7");
    EXPECT_EQ(treemapForms(cell), QStringList{cell.label});
    cell.allocation = AllocationId(1);
    cell.name = cell.label = QStringLiteral("aten::_to_copy");
    EXPECT_EQ(treemapForms(cell), QStringList{cell.label});
}

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
        std::size_t outermost = 0;
        std::vector<const TreemapCell*> around;  // groups that the cell may lie in
        for (const TreemapCell& cell : view.cells()) {
            while (!around.empty() && !liesIn(cell, around.back()->path))
                around.pop_back();
            if (around.empty()) {
                seen += cell.bytes.value;
                EXPECT_NEAR(cell.rect.width() * cell.rect.height(),
                            area * static_cast<double>(cell.bytes.value) / static_cast<double>(all), 1.0);
                ++outermost;
            } else {
                const TreemapCell& group = *around.back();
                EXPECT_TRUE(group.rect.adjusted(-0.1, -0.1, 0.1, 0.1).contains(cell.rect))
                    << cell.name.toStdString();
                EXPECT_GE(cell.rect.top(), group.rect.top() + group.title - 0.1) << "its name is seen";
                if (cell.rest && grouping == TreemapView::Grouping::kCategory) {
                    EXPECT_EQ(cell.category, group.category) << "it has its group's color";
                }
            }
            if (cell.group)
                around.push_back(&cell);
        }
        EXPECT_EQ(seen, all);
        EXPECT_GT(outermost, 1u);
    }
}

TEST_F(Treemap, CategoriesHoldTheModulesOfAllBlocksTogether) {
    open(test::makeSyntheticRun());
    settle();
    int roles = 0;
    for (const TreemapCell& cell : view.cells()) {
        if (cell.modules == 0)
            continue;
        EXPECT_GT(cell.modules, 1u);
        ++roles;
        EXPECT_TRUE(cell.name.startsWith("blocks.*")) << cell.name.toStdString();
        EXPECT_FALSE(cell.label.contains("blocks.*.")) << cell.label.toStdString();
        EXPECT_EQ(cell.path.size(), 2u);
    }
    EXPECT_GT(roles, 2);
    // One of them: its blocks, by number.
    const TreemapCell chosen = cellThat([](const TreemapCell& c) { return c.modules > 0; });
    click(chosen.rect.topLeft().toPoint() + QPoint(4, 4));
    settle();
    EXPECT_EQ(view.path().depth(), 1) << "one level at a time";
    const TreemapCell again = cellThat([&](const TreemapCell& c) { return c.path == chosen.path; });
    click(again.rect.topLeft().toPoint() + QPoint(4, 4));
    settle();
    EXPECT_EQ(view.path().keys, chosen.path);
    Bytes sum;
    for (const TreemapCell& cell : view.cells()) {
        sum += cell.bytes;
        EXPECT_TRUE(cell.rest || cell.label.startsWith("block ")) << cell.label.toStdString();
    }
    EXPECT_EQ(sum, chosen.bytes);
}

TEST_F(Treemap, ModulesStandInThePartOfTheModelThatTheyAreOf) {
    open(test::makeSyntheticRun());
    view.setGrouping(TreemapView::Grouping::kModule);
    settle();
    std::string part;
    std::vector<std::size_t> partPath;
    int ofBlocks = 0;
    for (const TreemapCell& cell : view.cells()) {
        if (cell.path.size() == 1 && !cell.rest) {
            part = cell.name.toStdString();
            partPath = cell.path;
        } else if (!cell.rest && !partPath.empty() && cell.path.front() == partPath.front()) {
            std::string name = cell.name.toStdString();
            if (const auto star = name.find('*'); star != std::string::npos)
                name[star] = '0';
            EXPECT_EQ(modulePart(name), part);
            ofBlocks += part.starts_with("blocks.*.") ? 1 : 0;
        }
    }
    EXPECT_GT(ofBlocks, 1);
    const TreemapCell group =
        cellThat([](const TreemapCell& c) { return c.group && c.name.startsWith("blocks.*."); });
    click(titleOf(group));
    settle();
    EXPECT_EQ(bytesShown(), group.bytes);
}

TEST_F(Treemap, AClickGoesInAndBackspaceOut) {
    open(test::makeSyntheticRun());
    settle();
    QSignalSpy moved(&view, &TreemapView::pathChanged);
    const TreemapCell group = cellThat([](const TreemapCell& c) { return c.group && c.title > 0; });
    click(titleOf(group));
    EXPECT_EQ(moved.count(), 1);
    EXPECT_EQ(view.path().depth(), 1);
    EXPECT_EQ(view.path().names.front(), group.name);
    settle();
    EXPECT_EQ(bytesShown(), group.bytes);
    // Further in by keyboard, to allocations.
    Bytes childBytes;
    while (view.path().keys.size() < view.keys().size()) {
        const int depth = view.path().depth();
        QTest::keyClick(&view, Qt::Key_Right);
        ASSERT_GE(view.chosen(), 0);
        const TreemapCell child = view.cells()[static_cast<std::size_t>(view.chosen())];
        EXPECT_FALSE(child.group) << "arrows lead to what holds no others";
        childBytes = child.bytes;
        QTest::keyClick(&view, Qt::Key_Return);
        ASSERT_GT(view.path().depth(), depth);
        settle();
    }
    Bytes sum;
    for (const TreemapCell& cell : view.cells()) {
        EXPECT_TRUE(cell.allocation || cell.rest);
        sum += cell.bytes;
    }
    EXPECT_EQ(sum, childBytes);
    const TreemapCell one = cellThat([](const TreemapCell& c) { return c.allocation.has_value(); });
    click(one.rect.center().toPoint());
    EXPECT_EQ(focus.selected(), one.allocation);
    int before = view.path().depth();
    QTest::keyClick(&view, Qt::Key_Backspace);
    EXPECT_LT(view.path().depth(), before);
    while (view.path().depth() > 0) {
        before = view.path().depth();
        QTest::keyClick(&view, Qt::Key_Escape);
        ASSERT_LT(view.path().depth(), before);
    }
}

TEST_F(Treemap, ThePointerIsSeenOverTheKeptPictureAndAlsoWhereTheKeyboardWas) {
    open(test::makeSyntheticRun());
    settle();
    const auto mark = static_cast<int>(test::placeOf(view.cells(), [](const TreemapCell& c) {
        return !c.group && c.rect.width() > 20 && c.rect.height() > 20;
    }));
    const QRectF leaf = view.markRect(mark);
    const QPoint middle = leaf.center().toPoint();
    const QPoint edge(static_cast<int>(std::ceil(leaf.left())), middle.y());
    const auto edgeColor = [&] { return renderWidget(view, {500, 400}, 1).pixelColor(edge); };
    const QColor before = edgeColor(), frame = Theme::instance().colors().text;
    ASSERT_NE(before, frame);
    for (const int chosen : {-1, mark}) {
        view.setChosen(chosen);
        EXPECT_EQ(edgeColor(), before) << "the keyboard is elsewhere";
        test::movePointer(view, middle);
        EXPECT_EQ(view.hovered(), mark);
        EXPECT_EQ(view.grab().toImage().pixelColor(edge), frame);
        test::leave(view);
        EXPECT_EQ(edgeColor(), before);
    }
}

TEST_F(Treemap, ThePathAndTheBackButtonLeadOut) {
    open(test::makeSyntheticRun());
    settle();
    const auto goIn = [this] {
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Return);
        settle();
    };
    goIn();
    goIn();
    const int depth = view.path().depth();
    ASSERT_GT(depth, 1);
    EXPECT_EQ(view.chosen(), -1) << "cells are others";
    QTest::mouseClick(&view, Qt::BackButton, {}, {250, 200});
    EXPECT_LT(view.path().depth(), depth);
    settle();
    goIn();
    click({16, 12});  // "All"
    EXPECT_EQ(view.path().depth(), 0);
    for (const Qt::Key key : {Qt::Key_Backspace, Qt::Key_Home, Qt::Key_End})
        EXPECT_FALSE(test::takesKey(view, key)) << key;
}

TEST_F(Treemap, EscLetsGoOfWhatIsLookedAtAndIsThenLeftToOthers) {
    open(test::makeSyntheticRun());
    settle();
    for (const AllocationId id : document.memory().aliveAt(*focus.moment())) {
        if (!filter.isLooking())
            focus.setSelected(id);
    }
    ASSERT_TRUE(filter.isLooking()) << "one of them was made by an op";
    EXPECT_TRUE(test::takesKey(view, Qt::Key_Escape));
    EXPECT_FALSE(focus.selected());
    EXPECT_FALSE(axis.selectedSpan());
    EXPECT_FALSE(test::takesKey(view, Qt::Key_Escape));
}

TEST_F(Treemap, AShareIsOfAllThatIsAliveWhateverTheFilter) {
    open(test::makeSyntheticRun());
    filter.setCategory(Category::kWeights);
    settle();
    ASSERT_FALSE(view.cells().empty());
    const TreemapCell group = view.cells().front();
    ASSERT_TRUE(group.group && group.title > 0);
    const double share =
        static_cast<double>(group.bytes.value) / static_cast<double>(sumOf(document.memory().peak()->bytes));
    EXPECT_LT(share, 1);
    EXPECT_THAT(test::toolTipAt(view, titleOf(group)),
                test::HasText(QString::fromStdString(formatPercent(share)) + " of live memory"));
    QToolTip::hideText();
}

TEST_F(Treemap, WhatWasElsewhereIsGoneAtOnce) {
    open(test::makeSyntheticRun());
    settle();
    // In, out and in again.
    for (int turn = 0; turn < 2; ++turn) {
        click(titleOf(
            cellThat([](const TreemapCell& c) { return c.group && c.title > 0 && c.allocations > 3; })));
        settle();
        while (view.path().keys.size() < view.keys().size()) {
            settle();
            QTest::keyClick(&view, Qt::Key_Right);
            QTest::keyClick(&view, Qt::Key_Return);
        }
        EXPECT_TRUE(view.cells().empty()) << "its allocations are not known yet";
        settle();
        EXPECT_FALSE(view.cells().empty());
        while (view.path().depth() > 0)
            view.goOut();
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
    EXPECT_EQ(bytesShown().value, sumOf(document.memory().peak()->bytes));
    const Nanoseconds t(run->range().end.value / 5);
    axis.setPinnedCursor(t);
    EXPECT_EQ(focus.at(), MemoryFocus::At::kCursor);
    settle();
    EXPECT_EQ(bytesShown().value, sumOf(document.memory().at(t)));
    focus.setAt(MemoryFocus::At::kPeak);
    settle();
    EXPECT_EQ(bytesShown().value, sumOf(document.memory().peak()->bytes));
    EXPECT_TRUE(
        focus.momentText().startsWith(QString::fromStdString(formatMoment(document.memory().peak()->time))))
        << qPrintable(focus.momentText()) << ": that it is the peak's is said by the choice beside it";
}

TEST_F(Treemap, AtTheCursorIsTheSecondCursorAfterADrag) {
    open(test::makeSyntheticRun());
    focus.setAt(MemoryFocus::At::kCursor);
    const Nanoseconds peak = document.memory().peak()->time;
    EXPECT_EQ(focus.moment(), peak) << "there is no cursor";
    EXPECT_TRUE(focus.momentText().startsWith("at the peak")) << "other than is chosen";
    QSignalSpy moved(&focus, &MemoryFocus::momentChanged);
    const Nanoseconds a(run->range().end.value / 7), b(run->range().end.value / 3);
    axis.setSelectedRange(TimeRange{a, b});
    EXPECT_EQ(moved.count(), 1);
    EXPECT_EQ(focus.moment(), b);
    EXPECT_TRUE(focus.momentText().startsWith("at the second cursor")) << qPrintable(focus.momentText());
    axis.setCursor(a);
    EXPECT_EQ(focus.moment(), a) << "the mouse comes first";
    axis.setCursor(std::nullopt);
    focus.setAt(MemoryFocus::At::kPeak);
    EXPECT_EQ(focus.moment(), peak);
    moved.clear();
    axis.setSelectedRange(std::nullopt);
    EXPECT_EQ(moved.count(), 0) << "the peak is where it was";
}

/// A tree of blocks' modules, of as many bytes each.
MemoryTreeNode roleOf(std::size_t blocks) {
    MemoryTreeNode role{.name = "blocks.*.ffn.w1"};
    for (std::size_t i = 0; i < blocks; ++i) {
        MemoryTreeNode& block = role.children.emplace_back();
        block.name = "blocks." + std::to_string(i) + ".ffn.w1";
        block.key = i + 1;
        block.bytes = Bytes(100);
        block.allocations = 1;
        role.bytes += block.bytes;
        role.allocations += 1;
    }
    return role;
}

TEST(TreemapCells, AGroupIsDividedWhereItsPartsCanBeTold) {
    MemoryTreeNode other = roleOf(1);
    other.name = "blocks.*.ffn.w2";
    other.key = 1;
    const MemoryTreeNode category{.name = "weights", .bytes = Bytes(4900), .children = {roleOf(48), other}};
    const MemoryTreeNode root{.children = {category}};
    const auto countAt = [&](const QRectF& area) {
        const auto cells = layOutTree(root, {}, area);
        return std::count_if(cells.begin(), cells.end(),
                             [](const TreemapCell& c) { return c.label.startsWith("block "); });
    };
    EXPECT_EQ(countAt({0, 0, 400, 300}), 48);
    EXPECT_EQ(countAt({0, 0, 60, 60}), 0) << "each would be of less than 8 by 8 pixels";
    const auto cells = layOutTree(root, {}, {0, 0, 400, 300});
    EXPECT_EQ(cells[1].label, "ffn.w1");
    EXPECT_EQ(cells[1].modules, 48u);
    EXPECT_EQ(cells.back().name, "blocks.0.ffn.w1") << "the only one of its kind";
    EXPECT_EQ(cells.back().path, (std::vector<std::size_t>{0, 1, 1}));
}

TEST(TreemapCells, AGroupHasALineForItsSizeWhereThatHasNoRoomBesideItsName) {
    const MemoryTreeNode category{.bytes = Bytes(4800), .children = {roleOf(48)}};
    const MemoryTreeNode root{.children = {category}};
    const auto titleAt = [&](double width) { return layOutTree(root, {}, {0, 0, width, 300})[1].title; };
    EXPECT_EQ(titleAt(100) - titleAt(400), TreemapCell::kLine);
    const auto cells = layOutTree(root, {}, {0, 0, 100, 300});
    for (std::size_t i = 2; i < cells.size(); ++i)
        EXPECT_GE(cells[i].rect.top(), cells[1].rect.top() + cells[1].title - 0.01);
}

TEST(TreemapPainting, AGapLiesBetweenAGroupAndItsNeighborHoweverSmallTheCellAtItsEdge) {
    std::vector<TreemapCell> cells(3);
    cells[0].rect = QRectF(0, 0, 100, 60);
    cells[0].group = true;
    cells[0].title = 18;
    cells[0].path = {0, 1};
    cells[1].rect = QRectF(60, 55, 40, 5);  // too low for a gap of its own
    cells[2].rect = QRectF(0, 60, 100, 40);
    QImage image(100, 100, QImage::Format_RGB32);
    QPainter painter(&image);
    paintTreemap(painter, cells);
    painter.end();
    const QColor fill = Theme::categoryColor(cells[1].category);
    EXPECT_EQ(image.pixelColor(80, 57), fill);
    EXPECT_NE(image.pixelColor(80, 59), fill);
    EXPECT_EQ(image.pixelColor(80, 80), fill);
}

TEST(TreemapCells, ALabelSaysWhatTheGroupAroundItDoesNot) {
    EXPECT_EQ(treemapLabel("blocks.*.ffn.w1", "weights"), "ffn.w1");
    EXPECT_EQ(treemapLabel("blocks.*", "weights"), "blocks");
    EXPECT_EQ(treemapLabel("blocks.7.ffn.w1", "blocks.*.ffn.w1"), "block 7");
    EXPECT_EQ(treemapLabel("blocks.7.ffn.w1", "weights"), "blocks.7.ffn.w1");
    EXPECT_EQ(treemapLabel("head", "head"), "head");
}

TEST(TreemapCells, AnArrowPassesGroupsByAtEveryLevel) {
    // A group of a group of two cells, and one that is too small to be divided.
    std::vector<TreemapCell> cells(5);
    for (std::size_t i : {0u, 1u}) {
        cells[i].rect = QRectF(0, 0, 100, 50);
        cells[i].group = true;
    }
    cells[2].rect = QRectF(0, 10, 50, 40);
    cells[3].rect = QRectF(50, 10, 50, 40);
    cells[4].rect = QRectF(100, 0, 50, 50);
    EXPECT_EQ(cellTowards(cells, std::nullopt, Qt::Key_Down), 2u);
    EXPECT_EQ(cellTowards(cells, 2, Qt::Key_Right), 3u);
    EXPECT_EQ(cellTowards(cells, 3, Qt::Key_Right), 4u);
    EXPECT_EQ(cellTowards(cells, 4, Qt::Key_Left), 3u);
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

}  // namespace warpglass::ui::treemap_view_test
