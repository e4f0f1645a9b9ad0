// The table of allocations: which are in it, and the way to one's life.
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTest>

#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/allocation_filter.h"
#include "tests/support/show_unseen.h"
#include "tests/support/trace_text.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/controls/data_table.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/refresh.h"
#include "ui/panels/allocations_table.h"
#include "ui/theme/theme.h"

namespace warpglass::ui::allocations_table_test {

TEST_F(TablesTest, AllocationsAreThoseAliveAtTheCursor) {
    AllocationsTable table(document, axis, filter);
    for (const std::int64_t part : {0, 3, 5, 9}) {
        const Nanoseconds t(run->range().end.value * part / 10);
        axis.setCursor(t);
        table.refreshNow();
        const auto alive = document.memory().aliveAt(t);
        const auto largest = largestAllocations(document.memory(), alive, AllocationsTable::kMost);
        std::int64_t bytes = 0;
        for (const auto& detail : largest)
            bytes += detail.row.bytes;
        const auto bytesShown = [&table](AllocationModel::Listing listing) {
            table.setListing(listing);
            table.refreshNow();
            std::int64_t shown = 0;
            for (int r = 0; r < table.model().rowCount(); ++r)
                shown += table.model().rowAt(r).row.bytes;
            return shown;
        };
        EXPECT_EQ(bytesShown(AllocationModel::Listing::kSingle), bytes);
        ASSERT_EQ(table.model().rowCount(), static_cast<int>(largest.size()));
        EXPECT_GE(bytesShown(AllocationModel::Listing::kGrouped), bytes) << "of all that are alive";
        EXPECT_LE(table.model().rowCount(), static_cast<int>(largest.size()));
    }
}

TEST_F(TablesTest, AllocationsStayWhereTheyAreScrolledToWhileTheCursorMoves) {
    AllocationsTable table(document, axis, filter);
    table.setListing(AllocationModel::Listing::kSingle);
    test::showUnseen(table, {1000, 300});
    QScrollBar& bar = *table.table().verticalScrollBar();
    const auto show = [&](Nanoseconds t) {
        axis.setPinnedCursor(t);
        table.refreshNow();
        QCoreApplication::processEvents();
    };
    const Nanoseconds peak = document.memory().peak()->time;
    show(peak);
    const int place = bar.maximum() / 4;
    ASSERT_GT(place, 3);
    bar.setValue(place);
    int moved = 0;
    for (int i = 1; i <= 12; ++i) {
        const int rows = table.model().rowCount();
        show(peak - Nanoseconds(peak.value / 40 * i));
        if (bar.maximum() < place)  // too few are alive
            break;
        EXPECT_EQ(bar.value(), place) << i;
        moved += table.model().rowCount() != rows ? 1 : 0;
    }
    EXPECT_GE(moved, 1) << "others are alive then";
    // Another run begins at its first row.
    show(peak);
    bar.setValue(place);
    document.setSnapshot(test::makeSyntheticRun());
    table.refreshNow();
    EXPECT_EQ(bar.value(), 0);
}

TEST_F(TablesTest, AnAllocationThatIsChosenIsSelectedAndOneThatBecomesCurrentIsNot) {
    AllocationsTable table(document, axis, filter);
    table.setListing(AllocationModel::Listing::kSingle);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    EXPECT_FALSE(axis.selectedAllocation()) << "the keyboard is elsewhere";
    table.table().setFocus();
    table.table().setCurrentIndex(table.table().proxy()->index(1, 0));
    const int row = table.table().proxy()->mapToSource(table.table().proxy()->index(1, 0)).row();
    EXPECT_EQ(axis.selectedAllocation(), table.model().rowAt(row).id);
    EXPECT_TRUE(filter.isLooking()) << "what counts stays as it is";
    EXPECT_TRUE(filter.letGo());
    EXPECT_FALSE(axis.selectedAllocation());
}

TEST_F(TablesTest, EnterOnAnAllocationShowsItsLife) {
    AllocationsTable table(document, axis, filter);
    table.setListing(AllocationModel::Listing::kSingle);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    QTest::keyClick(&table.table(), Qt::Key_Return);
    const AllocationDetail& d =
        table.model().rowAt(table.table().proxy()->mapToSource(table.table().proxy()->index(0, 0)).row());
    EXPECT_EQ(axis.pinnedCursor(), d.allocated);
    EXPECT_TRUE(axis.visibleRange().contains(d.allocated));
    EXPECT_FALSE(axis.selectedRange()) << "it would filter the table that it was picked in";
}

TEST_F(TablesTest, EnterOnAGroupOpensIt) {
    AllocationsTable table(document, axis, filter);
    table.refreshNow();
    const int groups = table.model().rowCount();
    for (int shown = 0; shown < groups; ++shown) {
        const QModelIndex index = table.table().proxy()->index(shown, 0);
        if (table.model().rowAt(table.table().proxy()->mapToSource(index).row()).allocations == 1)
            continue;
        table.table().setCurrentIndex(index);
        QTest::keyClick(&table.table(), Qt::Key_Return);
        break;
    }
    EXPECT_GT(table.model().rowCount(), groups);
    EXPECT_FALSE(axis.pinnedCursor());
}

TEST_F(TablesTest, AllocationsAreFilteredByWhereTheyWereMadeAndByWhen) {
    AllocationsTable table(document, axis, filter);
    table.setListing(AllocationModel::Listing::kSingle);
    filter.setModule("blocks.1");
    table.refreshNow();
    ASSERT_GT(table.model().rowCount(), 0);
    for (int r = 0; r < table.model().rowCount(); ++r)
        EXPECT_TRUE(table.model().rowAt(r).module.starts_with("blocks.1"));
    filter.setModule({});
    const TimeRange range{Nanoseconds(run->range().end.value / 2),
                          Nanoseconds(run->range().end.value / 2 + run->range().end.value / 20)};
    axis.setSelectedRange(range);
    table.refreshNow();
    EXPECT_EQ(table.model().rowCount(),
              static_cast<int>(std::min(allocationsMadeIn(*run, {range}).size(), AllocationsTable::kMost)));
    for (int r = 0; r < table.model().rowCount(); ++r)
        EXPECT_TRUE(range.contains(table.model().rowAt(r).allocated));
    filter.setModule("no such module");
    table.refreshNow();
    EXPECT_EQ(table.model().rowCount(), 0);
    EXPECT_TRUE(table.table().emptyText().contains("no such module"));
}

TEST_F(TablesTest, AllocationsThatTheFileHasLostAreNotSaidToBeUnrecorded) {
    const auto emptyText = [this](const char* recorded) {
        document.setSnapshot(
            test::traceOf("end 100", {{"config.record", recorded}, {"steps.completed", "3"}}));
        AllocationsTable table(document, axis, filter);
        table.refreshNow();
        return table.table().emptyText().toStdString();
    };
    EXPECT_EQ(emptyText("ops,memory"), absenceInWords(DataKind::kMemory, Absence::kLost));
    EXPECT_EQ(emptyText("ops"), absenceInWords(DataKind::kMemory, Absence::kNotRecorded));
}

TEST_F(TablesTest, InAFigureTheSentencesAreAmongTheSettingsAndAFindingIsOverThem) {
    AllocationsTable table(document, axis, filter);
    test::showUnseen(table, {900, 400});
    table.refreshNow();
    const auto* moment = table.findChild<QLabel*>("allocationMoment");
    const auto* summary = table.findChild<QLabel*>("allocationSummary");
    {
        const FigureMode figure(table, {900, 400});
        EXPECT_TRUE(figure.words().contains(moment->text(), Qt::CaseInsensitive));
        EXPECT_FALSE(figure.words().contains(summary->text())) << "the finding says it";
        EXPECT_TRUE(moment->isHidden() && summary->isHidden());
        EXPECT_TRUE(table.heading().finding.contains("allocations hold"));
    }
    EXPECT_FALSE(moment->isHidden() || summary->isHidden());
}

TEST_F(TablesTest, TheAllocationsCaptionFollowsTheText) {
    AllocationsTable table(document, axis, filter);
    table.setListing(AllocationModel::Listing::kSingle);
    table.refreshNow();
    const auto* summary = table.findChild<QLabel*>("allocationSummary");
    const QString all = summary->text();
    auto* field = table.findChild<QLineEdit*>("filterText");
    const auto alive = document.memory().aliveAt(document.memory().peak()->time);
    for (const char* const typed : {"WEIGHTS", "Blocks.1"}) {
        field->clear();
        QTest::keyClicks(field, QString::fromLatin1(typed));
        table.refreshNow();
        AllocationConditions conditions;
        conditions.text = typed;
        const auto kept = filterAllocations(document.memory(), alive, conditions);
        ASSERT_GT(kept.size(), 0u) << typed;
        ASSERT_LT(kept.size(), alive.size()) << typed;
        EXPECT_EQ(table.model().rowCount(), static_cast<int>(std::min(kept.size(), AllocationsTable::kMost)))
            << "as in the map and the treemap";
        EXPECT_TRUE(summary->text().endsWith(" shown"));
    }
    filter.setText("nothing like it");
    table.refreshNow();
    EXPECT_TRUE(table.table().emptyText().endsWith("names or modules with “nothing like it”"))
        << table.table().emptyText().toStdString();
    filter.setText({});
    table.refreshNow();
    EXPECT_EQ(summary->text(), all);
}

}  // namespace warpglass::ui::allocations_table_test
