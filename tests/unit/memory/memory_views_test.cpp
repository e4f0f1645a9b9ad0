// The memory page and its panels, driven as a person drives them: what they select, say and draw.
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <algorithm>
#include <map>

#include "tests/support/first_of.h"
#include "tests/support/has_text.h"
#include "tests/unit/memory/memory_views_fixture.h"
#include "ui/charts/bridge_chart.h"
#include "ui/controls/data_table.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/segmented_control.h"
#include "ui/memory/alive_panel.h"
#include "ui/memory/allocation_map_panel.h"
#include "ui/memory/between_panel.h"
#include "ui/memory/memory_page.h"

namespace warpglass::ui::memory_views_test {

std::shared_ptr<const Snapshot> gpuLikeRun() {
    return test::makeSyntheticRun({.allocatorEvents = 600});
}

/// The table of what is alive in a synthetic run, under its treemap.
struct Alive : MemoryViews {
    Alive() {
        open(test::makeSyntheticRun());
        panel.resize(500, 700);
    }
    void draw() { renderWidget(panel, {500, 700}, 1); }
    int rows() const { return panel.model().rowCount(); }
    /// Goes into the treemap's first group.
    TreemapCell enterGroup() {
        const TreemapCell group = panel.treemap().cells().front();
        EXPECT_TRUE(group.group);
        QTest::mouseClick(&panel.treemap(), Qt::LeftButton, {},
                          (group.rect.topLeft() + QPointF(20, 6)).toPoint());
        return group;
    }
    AlivePanel panel{document, focus};
};

TEST_F(Alive, TheTableHoldsWhatLiesBelowWhereTheTreemapIs) {
    panel.setListing(AllocationModel::Listing::kSingle);
    draw();
    EXPECT_EQ(rows(), static_cast<int>(
                          std::min(AlivePanel::kMost, document.memory().aliveAt(*focus.moment()).size())));
    const TreemapCell group = enterGroup();
    refreshAll(panel);
    EXPECT_EQ(rows(), static_cast<int>(std::min<std::int64_t>(500, group.allocations)));
    for (int row = 0; row < rows(); ++row)
        EXPECT_EQ(QString::fromStdString(panel.model().rowAt(row).category), group.name);
    focus.setSelected(panel.model().rowAt(2).id);
    EXPECT_EQ(panel.table().selectionModel()->selectedRows().size(), 1);
}

TEST_F(Alive, AlikeAllocationsAreOneRowThatOpensForTheOneThatIsSelected) {
    draw();
    const auto alive = document.memory().aliveAt(*focus.moment());
    const auto groups = largestAllocationGroups(document.memory(), alive, AlivePanel::kMost);
    const auto& several =
        test::firstOf(groups, [](const AllocationGroup& group) { return group.allocations > 1; });
    ASSERT_EQ(rows(), static_cast<int>(groups.size()));
    // What is selected elsewhere opens its group.
    focus.setSelected(several.children.back().id);
    EXPECT_EQ(rows(), static_cast<int>(groups.size() + several.children.size()));
    const auto marked = panel.table().selectionModel()->selectedRows();
    ASSERT_EQ(marked.size(), 1);
    EXPECT_EQ(panel.model().rowAt(panel.table().proxy()->mapToSource(marked.front()).row()).id,
              several.children.back().id);
    // It stays open and marked as the cursor moves.
    focus.setAt(MemoryFocus::At::kCursor);
    axis.setPinnedCursor(document.memory().peak()->time);
    refreshAll(panel);
    EXPECT_EQ(rows(), static_cast<int>(groups.size() + several.children.size()));
    EXPECT_EQ(panel.table().selectionModel()->selectedRows().size(), 1);
    auto* listing = panel.findChild<SegmentedControl*>("aliveListing");
    QTest::mouseClick(listing->button(1), Qt::LeftButton);
    refreshAll(panel);
    EXPECT_EQ(rows(), static_cast<int>(std::min(AlivePanel::kMost, alive.size())));
}

TEST_F(Alive, TheTableStaysWhereItIsScrolledToWhileTheCursorMoves) {
    panel.setListing(AllocationModel::Listing::kSingle);
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
            const int before = rows();
            show(peak - Nanoseconds(peak.value / 40 * i));
            if (bar.maximum() < place)  // too few are alive
                break;
            EXPECT_EQ(bar.value(), place) << i;
            moved += rows() != before ? 1 : 0;
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
    enterGroup();
    EXPECT_EQ(bar.value(), 0);
}

TEST_F(Alive, TheFirstRowIsSelectedOfWhatWasAskedForAndOfNothingLater) {
    panel.selectFirst();
    draw();
    EXPECT_TRUE(focus.selected());
    focus.letGo();
    filter.setText("no such thing");
    panel.selectFirst();
    draw();
    ASSERT_EQ(rows(), 0);
    filter.setText({});
    draw();
    ASSERT_GT(rows(), 0);
    EXPECT_FALSE(focus.selected());
    // Nor of another run.
    filter.setCategory(Category::kWeights);
    panel.selectFirst();
    open(test::makeSyntheticRun());
    draw();
    ASSERT_GT(rows(), 0);
    EXPECT_FALSE(focus.selected());
}

TEST_F(Alive, AnEmptyTableSaysWhetherAllOrOnlyHereIsLeftOut) {
    filter.setText("no such thing");
    draw();
    EXPECT_THAT(panel.table().emptyText(), test::BeginsWith("The filter hides all "));
    filter.setText({});
    filter.setCategory(Category::kWeights);
    draw();
    enterGroup();
    ASSERT_EQ(panel.treemap().path().depth(), 1);
    filter.setCategory(Category::kGradients);
    draw();
    EXPECT_EQ(rows(), 0);
    EXPECT_THAT(panel.table().emptyText(),
                test::BeginsWith("The filter hides everything here at this moment"));
}

TEST_F(MemoryViews, ThePageSaysOfWhichPartARangeIs) {
    MemoryPage page(document, axis, filter);
    open(test::makeSyntheticRun());
    EXPECT_TRUE(page.restriction().isEmpty());
    axis.setSelectedRange(TimeRange{Nanoseconds(0), Nanoseconds(run->range().end.value / 2)});
    EXPECT_THAT(page.restriction(), test::BeginsWith("live memory: only allocated in "));
    filter.setCategory(Category::kWeights);
    EXPECT_THAT(
        page.restriction(),
        test::BeginsWith("only weights; memory over time and segments show everything; live memory: only "));
    axis.setSelectedRange(std::nullopt);
    EXPECT_EQ(page.restriction(), "only weights; memory over time and segments show everything");
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
    EXPECT_THAT(page.restriction(), test::BeginsWith("showing all live allocations: "));
    // One that holds it takes what was made in it.
    axis.setSelectedRange(TimeRange{peak, end});
    renderWidget(page, {1400, 900}, 1);
    EXPECT_LT(page.alive().model().rowCount(), all);
    EXPECT_TRUE(page.restriction().startsWith("live memory: only allocated in "));
}

TEST_F(MemoryViews, WhichMomentIsShownIsNotSaidOverWhatIsOfNone) {
    MemoryPage page(document, axis, filter);
    open(test::makeSyntheticRun());
    const auto* moment = page.findChild<QWidget*>("memoryMoment");
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

/// The rows as shown, by their indented names.
std::vector<std::string> outline(const BetweenPanel::Model& model, int depth) {
    std::vector<std::pair<int, std::string>> rows;  // by place
    for (int row = 0; row < model.rowCount(); ++row) {
        if (model.rowAt(row).depth <= depth)
            rows.emplace_back(model.index(row, 0).data(kSortRole).toInt(), model.rowAt(row).name);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<std::string> names;
    for (auto& [place, name] : rows)
        names.push_back(std::move(name));
    return names;
}

TEST_F(MemoryViews, BetweenTheCursorsSaysWhatTheQuerySays) {
    open(test::makeSyntheticRun());
    BetweenPanel panel(document, axis, focus);
    renderWidget(panel, {500, 400}, 1);
    EXPECT_EQ(panel.model().rowCount(), 0);
    EXPECT_TRUE(panel.sentence().isEmpty());
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 2)};
    axis.setSelectedRange(range);
    const std::pair<BetweenPanel::By, BreakdownKey> groupings[] = {
        {BetweenPanel::By::kCategory, BreakdownKey::kCategory},
        {BetweenPanel::By::kModule, BreakdownKey::kModulePart},
        {BetweenPanel::By::kOp, BreakdownKey::kOp}};
    for (const auto& [by, key] : groupings) {
        panel.setBy(by);
        renderWidget(panel, {500, 400}, 1);
        const MemoryBetween between = memoryBetween(document.memory(), range, key);
        std::vector<std::string> expected{between.total.name};
        for (const MemoryBetweenRow& row : between.rows)
            expected.push_back(row.name);
        EXPECT_EQ(outline(panel.model(), 0), expected) << "the total, and the largest change first";
        std::map<std::string, const MemoryBetweenRow*> rows{{between.total.name, &between.total}};
        for (const MemoryBetweenRow& row : between.rows)
            rows[row.name] = &row;
        for (int row = 0; row < panel.model().rowCount(); ++row) {
            const auto& shown = panel.model().rowAt(row);
            if (shown.depth > 0)
                continue;
            EXPECT_EQ(shown.allocated, rows.at(shown.name)->allocated);
            EXPECT_EQ(
                panel.model().index(row, betweenTable().place("change_bytes")).data(kPlainRole).toLongLong(),
                rows.at(shown.name)->change().value);
        }
    }
    EXPECT_TRUE(panel.sentence().startsWith("From "));
    EXPECT_FALSE(panel.findChild<BridgeChart*>("betweenBridge")->steps().empty());
    axis.setSelectedRange(std::nullopt);
    renderWidget(panel, {500, 400}, 1);
    EXPECT_EQ(panel.model().rowCount(), 0);
}

TEST_F(MemoryViews, WhatChangesMostBetweenTheCursorsStandsOpenAndStaysAsItIsLeft) {
    open(test::makeSyntheticRun());
    BetweenPanel panel(document, axis, focus);
    const std::int64_t end = run->range().end.value;
    axis.setSelectedRange(TimeRange{Nanoseconds(0), Nanoseconds(end / 2)});
    renderWidget(panel, {500, 400}, 1);
    auto& table = *panel.findChild<DataTable*>("betweenRows");
    const auto first = [&](Expansion expansion) {
        for (int row = 0; row < panel.model().rowCount(); ++row) {
            if (panel.model().rowAt(row).expansion == expansion)
                return row;
        }
        return -1;
    };
    ASSERT_GE(first(kExpanded), 0);
    const std::string open = panel.model().rowAt(first(kExpanded)).name;
    EXPECT_EQ(
        open,
        memoryBetween(document.memory(), *axis.selectedRange(), BreakdownKey::kCategory).rows.front().name);
    const QModelIndex change = panel.model().index(first(kExpanded), betweenTable().place("change_bytes"));
    EXPECT_TRUE(change.data(kShareRole).isValid());
    EXPECT_GT(table.columnWidth(change.column()), 132) << "the bars take what the names leave";
    while (first(kExpanded) >= 0)
        emit table.expansionRequested(first(kExpanded), false);
    axis.setSelectedRange(TimeRange{Nanoseconds(0), Nanoseconds(end / 3)});
    renderWidget(panel, {500, 400}, 1);
    EXPECT_EQ(first(kExpanded), -1) << "another range opens nothing that was closed";
    table.sortBy(betweenTable().place("name"));
    EXPECT_EQ(outline(panel.model(), 0).front(), "Total");
}

TEST(TreeTableModel, TheLargestChangesThatThereCanBeComeFirstAndStandOpen) {
    const auto rowOf = [](const char* name, std::int64_t bytes) {
        MemoryBetweenRow row{.name = name, .allocated = {.bytes = Bytes(bytes)}};
        row.children = {row};
        return row;
    };
    MemoryBetween between{
        .total = {.name = "Total", .isTotal = true},
        .rows = {rowOf("least", INT64_MIN), rowOf("half", INT64_MAX / 2), rowOf("little", 1000)}};
    BetweenPanel::Model model(betweenTable(), "name", "change_bytes", 2);
    model.setNodes({between.total, between.rows[0], between.rows[1], between.rows[2]}, false);
    EXPECT_EQ(outline(model, 0), (std::vector<std::string>{"Total", "least", "half", "little"}));
    for (int row = 0; row < model.rowCount(); ++row) {
        const auto& shown = model.rowAt(row);
        if (shown.depth == 0 && shown.name != "Total") {
            EXPECT_EQ(shown.expansion, shown.name == "little" ? kCollapsed : kExpanded) << shown.name;
        }
    }
}

TEST_F(MemoryViews, TheAllocationsBetweenTheCursorsAddUpToTheChange) {
    open(test::makeSyntheticRun());
    BetweenPanel panel(document, axis, focus);
    const std::int64_t end = run->range().end.value;
    const TimeRange range{Nanoseconds(end / 3), Nanoseconds(end / 2)};
    axis.setSelectedRange(range);
    panel.setBy(BetweenPanel::By::kAllocation);
    renderWidget(panel, {500, 400}, 1);
    const MemoryBetween between = memoryBetween(document.memory(), range, BreakdownKey::kCategory);
    ASSERT_EQ(panel.allocations().rowCount(),
              static_cast<int>(std::min(BetweenPanel::kMost, between.changing.size())));
    std::int64_t sum = 0;
    for (const AllocationChange& change : largestChanges(document.memory(), between, between.changing.size()))
        sum += change.change.value;
    EXPECT_EQ(sum, between.total.change().value);
    EXPECT_TRUE(panel.findChild<DataTable*>("betweenAllocations")->isVisibleTo(&panel));
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
    auto* follow = test::must(page.findChild<QPushButton*>("followRunOnMemoryPage"));
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
    EXPECT_THAT(page.explanation(), test::BeginsWith("Peak: "));
    auto* moment = test::must(page.findChild<SegmentedControl*>("memoryMoment"));
    EXPECT_EQ(moment->current(), 0);
    axis.setPinnedCursor(Nanoseconds(run->range().end.value / 2));
    EXPECT_EQ(moment->current(), 1);
    axis.setPinnedCursor(std::nullopt);
    EXPECT_EQ(moment->current(), 0);
    document.clear();
    renderWidget(page, {1300, 800}, 1);
    EXPECT_TRUE(page.explanation().startsWith("Open or record a run"));
}

}  // namespace warpglass::ui::memory_views_test
