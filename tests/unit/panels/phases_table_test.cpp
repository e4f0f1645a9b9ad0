// The table of phases, and that of steps.
#include <QSortFilterProxyModel>
#include <QTest>

#include "tests/unit/panels/tables_fixture.h"
#include "ui/panels/phases_table.h"
#include "ui/theme/data_table.h"

namespace warpglass::ui {
namespace {

TEST_F(TablesTest, PhasesAreTheQueryWithPeaks) {
    PhasesTable table(document, axis, filter);
    table.refreshNow();
    const auto rows = phaseStatistics(*run);
    ASSERT_EQ(table.model().rowCount(), static_cast<int>(rows.size()));
    for (int r = 0; r < table.model().rowCount(); ++r)
        EXPECT_EQ(table.model().rowAt(r).name, rows[static_cast<std::size_t>(r)].name);
    std::int64_t highest = 0;
    const int peak = StatisticsModel::kPeak;
    for (int r = 0; r < table.model().rowCount(); ++r)
        highest = std::max<std::int64_t>(highest, table.model().index(r, peak).data(kPlainRole).toLongLong());
    EXPECT_EQ(highest, sumOf(document.memory().peak()->bytes));
    // Enter shows the phase.
    table.table().setCurrentIndex(table.table().proxy()->index(2, 0));
    QTest::keyClick(&table.table(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(describeSpan(*run, *axis.selectedSpan())->kind, TrackKind::kPhase);
}

TEST_F(TablesTest, EveryStepHasARowAndWarmUpsSaySo) {
    PhasesTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    table.setRows(PhasesTable::Rows::kSteps);
    table.refreshNow();
    MemoryTimeline memory;
    memory.update(run);
    const auto rows = stepTable(memory, {});
    ASSERT_EQ(table.stepsModel().rowCount(), static_cast<int>(rows.size()));
    EXPECT_EQ(table.stepsModel().index(0, StepsModel::kState).data().toString(), QStringLiteral("warm-up"));
    EXPECT_EQ(table.stepsModel().index(0, StepsModel::kDuration).data(kPlainRole).toLongLong(),
              rows[0].range.duration().value);
    EXPECT_FALSE(table.steps().isColumnHidden(StepsModel::kFirstPhase));
    EXPECT_TRUE(table.steps().isColumnHidden(StepsModel::kFirstPhase + 5)) << "no step was a graph's replay";
    table.steps().setCurrentIndex(table.steps().proxy()->index(1, 0));
    QTest::keyClick(&table.steps(), Qt::Key_Return);
    EXPECT_TRUE(axis.visibleRange().contains(rows[1].range.begin));
    filter.setSteps(RunFilter::Steps::kMeasured);
    table.refreshNow();
    EXPECT_LT(table.stepsModel().rowCount(), static_cast<int>(rows.size()));
}

TEST_F(TablesTest, EnterOnAPhaseMovesTheCursorToItsLongestSpan) {
    PhasesTable table(document, axis, filter);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    QTest::keyClick(&table.table(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(axis.pinnedCursor(), describeSpan(*run, *axis.selectedSpan())->start);
}

}  // namespace
}  // namespace warpglass::ui
