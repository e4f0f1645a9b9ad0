// The table of allocations: which are in it, and the way to one's life.
#include <QLineEdit>
#include <QScrollBar>
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

struct AllocationsTest : TablesTest {
    /// Each in a row of its own.
    void listSingly() {
        table.setListing(AllocationModel::Listing::kSingle);
        table.refreshNow();
    }
    int rows() const { return table.model().rowCount(); }
    AllocationsTable table{document, axis, filter};
};

TEST_F(AllocationsTest, AreThoseAliveAtTheCursor) {
    for (const std::int64_t part : {0, 3, 5, 9}) {
        const Nanoseconds t(run->range().end.value * part / 10);
        axis.setCursor(t);
        table.refreshNow();
        const auto alive = document.memory().aliveAt(t);
        const auto largest = largestAllocations(document.memory(), alive, AllocationsTable::kMost);
        std::int64_t bytes = 0;
        for (const auto& detail : largest)
            bytes += detail.row.bytes;
        const auto bytesShown = [this](AllocationModel::Listing listing) {
            table.setListing(listing);
            table.refreshNow();
            std::int64_t shown = 0;
            for (int r = 0; r < rows(); ++r)
                shown += table.model().rowAt(r).row.bytes;
            return shown;
        };
        EXPECT_EQ(bytesShown(AllocationModel::Listing::kSingle), bytes);
        ASSERT_EQ(rows(), static_cast<int>(largest.size()));
        EXPECT_GE(bytesShown(AllocationModel::Listing::kGrouped), bytes) << "of all that are alive";
        EXPECT_LE(rows(), static_cast<int>(largest.size()));
    }
}

TEST_F(AllocationsTest, StayWhereTheyAreScrolledToWhileTheCursorMoves) {
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
        const int before = rows();
        show(peak - Nanoseconds(peak.value / 40 * i));
        if (bar.maximum() < place)  // too few are alive
            break;
        EXPECT_EQ(bar.value(), place) << i;
        moved += rows() != before ? 1 : 0;
    }
    EXPECT_GE(moved, 1) << "others are alive then";
    // Another run begins at its first row.
    show(peak);
    bar.setValue(place);
    document.setSnapshot(test::makeSyntheticRun());
    table.refreshNow();
    EXPECT_EQ(bar.value(), 0);
}

TEST_F(AllocationsTest, OneThatIsChosenIsSelectedAndOneThatBecomesCurrentIsNot) {
    listSingly();
    makeCurrent(table.table(), 0);
    EXPECT_FALSE(axis.selectedAllocation()) << "the keyboard is elsewhere";
    table.table().setFocus();
    makeCurrent(table.table(), 1);
    EXPECT_EQ(axis.selectedAllocation(), table.model().rowAt(modelRow(table.table(), 1)).id);
    EXPECT_TRUE(filter.isLooking()) << "what counts stays as it is";
    EXPECT_TRUE(filter.letGo());
    EXPECT_FALSE(axis.selectedAllocation());
}

TEST_F(AllocationsTest, EnterOnOneShowsItsLife) {
    listSingly();
    makeCurrent(table.table(), 0);
    QTest::keyClick(&table.table(), Qt::Key_Return);
    const AllocationDetail& d = table.model().rowAt(modelRow(table.table(), 0));
    EXPECT_EQ(axis.pinnedCursor(), d.allocated);
    EXPECT_TRUE(axis.visibleRange().contains(d.allocated));
    EXPECT_FALSE(axis.selectedRange()) << "it would filter the table that it was picked in";
}

TEST_F(AllocationsTest, EnterOnAGroupOpensIt) {
    table.refreshNow();
    const int groups = rows();
    int shown = 0;
    while (shown < groups && table.model().rowAt(modelRow(table.table(), shown)).allocations == 1)
        ++shown;
    makeCurrent(table.table(), shown);
    QTest::keyClick(&table.table(), Qt::Key_Return);
    EXPECT_GT(rows(), groups);
    EXPECT_FALSE(axis.pinnedCursor());
}

TEST_F(AllocationsTest, AreFilteredByWhereTheyWereMadeAndByWhen) {
    filter.setModule("blocks.1");
    listSingly();
    ASSERT_GT(rows(), 0);
    for (int r = 0; r < rows(); ++r)
        EXPECT_TRUE(table.model().rowAt(r).module.starts_with("blocks.1"));
    filter.setModule({});
    const TimeRange range{Nanoseconds(run->range().end.value / 2),
                          Nanoseconds(run->range().end.value / 2 + run->range().end.value / 20)};
    axis.setSelectedRange(range);
    table.refreshNow();
    EXPECT_EQ(rows(),
              static_cast<int>(std::min(allocationsMadeIn(*run, {range}).size(), AllocationsTable::kMost)));
    for (int r = 0; r < rows(); ++r)
        EXPECT_TRUE(range.contains(table.model().rowAt(r).allocated));
    filter.setModule("no such module");
    table.refreshNow();
    EXPECT_EQ(rows(), 0);
    EXPECT_TRUE(table.table().emptyText().contains("no such module"));
}

TEST_F(AllocationsTest, ThatTheFileHasLostAreNotSaidToBeUnrecorded) {
    const auto emptyText = [this](const char* recorded) {
        document.setSnapshot(
            test::traceOf("end 100", {{"config.record", recorded}, {"steps.completed", "3"}}));
        table.refreshNow();
        return table.table().emptyText().toStdString();
    };
    EXPECT_EQ(emptyText("ops,memory"), absenceInWords(DataKind::kMemory, Absence::kLost));
    EXPECT_EQ(emptyText("ops"), absenceInWords(DataKind::kMemory, Absence::kNotRecorded));
}

TEST_F(AllocationsTest, InAFigureHaveTheirSentencesAmongTheSettingsAndAFindingOverThem) {
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

TEST_F(AllocationsTest, HaveACaptionThatFollowsTheText) {
    listSingly();
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
        EXPECT_EQ(rows(), static_cast<int>(std::min(kept.size(), AllocationsTable::kMost)))
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
