// The tables of ops, phases, breakdowns and allocations against the queries that they show.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <set>

#include "engine/base/format.h"
#include "engine/query/span_search.h"
#include "engine/query/step_table.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "ui/models/allocations_model.h"
#include "ui/models/breakdown_model.h"
#include "ui/models/matches_model.h"
#include "ui/models/span_table_model.h"
#include "ui/models/statistics_model.h"
#include "ui/models/steps_model.h"

namespace warpglass::ui {
namespace {

using Fatal = QAbstractItemModelTester::FailureReportingMode;

class QueryModelsTest : public testing::Test {
protected:
    QueryModelsTest() : run(test::makeSyntheticRun()) { memory.update(run); }
    std::shared_ptr<const Snapshot> run;
    MemoryTimeline memory;
};

TEST_F(QueryModelsTest, OpsShowTheStatistics) {
    SpanTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto rows = opStatistics(*run, {});
    ASSERT_GT(rows.size(), 5u);
    model.setStatistics(groupedStatistics(*run, {}, TrackKind::kCpuThread, SpanGrouping::kFlat),
                        SpanGrouping::kFlat);
    ASSERT_EQ(model.rowCount(), static_cast<int>(rows.size()));
    double selfShares = 0;
    for (int r = 0; r < model.rowCount(); ++r) {
        const auto& expected = rows[static_cast<std::size_t>(r)];
        const auto plain = [&](SpanTableModel::Column column) {
            return model.index(r, column).data(kPlainRole);
        };
        EXPECT_EQ(plain(SpanTableModel::kName).toString().toStdString(), expected.name);
        EXPECT_EQ(plain(SpanTableModel::kTotal).toLongLong(), expected.total.value);
        EXPECT_EQ(plain(SpanTableModel::kSelf).toLongLong(), expected.self.value);
        EXPECT_EQ(plain(SpanTableModel::kInstances).toLongLong(), expected.instances);
        EXPECT_EQ(plain(SpanTableModel::kAverage).toDouble(), expected.average);
        EXPECT_EQ(plain(SpanTableModel::kMin).toLongLong(), expected.min.value);
        EXPECT_EQ(plain(SpanTableModel::kMax).toLongLong(), expected.max.value);
        EXPECT_EQ(plain(SpanTableModel::kTimeShare).toDouble(), expected.timeShare);
        selfShares += plain(SpanTableModel::kSelfShare).toDouble();
        const auto swatch = model.index(r, SpanTableModel::kFamily).data(kSwatchRole).value<Swatch>();
        EXPECT_EQ(swatch, (Swatch{Swatch::kFamily, static_cast<std::uint8_t>(expected.family)}));
        const QModelIndex total = model.index(r, SpanTableModel::kTotal);
        EXPECT_EQ(total.data().toString().toStdString(), formatDuration(expected.total));
        EXPECT_TRUE(total.data(Qt::ToolTipRole)
                        .toString()
                        .contains(QString::fromStdString(formatGrouped(expected.total.value))));
    }
    EXPECT_NEAR(selfShares, 1.0, 1e-9);
    // The longest bar is the largest share.
    EXPECT_DOUBLE_EQ(model.index(0, SpanTableModel::kSelfShare).data(kShareRole).value<ShareBar>().length,
                     1.0);
    // What is not known is said to be so, and sorts last either way.
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(SpanTableModel::kPeakShare, order);
        EXPECT_EQ(model.index(model.rowCount() - 1, SpanTableModel::kPeakShare).data().toString(),
                  QStringLiteral("–"));
    }
}

TEST_F(QueryModelsTest, PhasesSortInTheOrderOfAStep) {
    StatisticsModel model;
    QAbstractItemModelTester tester(&model, Fatal::Fatal);
    const auto rows = phaseStatistics(*run);
    model.setRows(rows, {{"forward", 4096}});
    for (int r = 0; r < model.rowCount(); ++r) {
        const QModelIndex name = model.index(r, StatisticsModel::kName);
        // The whole comes after its parts, and under it what no step has.
        const QString word = name.data().toString();
        const bool step = word == QLatin1String("step");
        const bool outside = word == QLatin1String("setup") || word == QLatin1String("teardown");
        const int below = outside ? model.rowCount() + 1 : 0;
        EXPECT_EQ(name.data(kSortRole).toInt(), step ? model.rowCount() : below + r);
        EXPECT_EQ(name.data(kStrongRole).toBool(), step);
        const bool forward = name.data().toString() == QLatin1String("forward");
        const QModelIndex peak = model.index(r, StatisticsModel::kPeak);
        EXPECT_EQ(peak.data(kPlainRole).toString(), forward ? QStringLiteral("4096") : QString());
    }
    // A later result in another order keeps the rows' selection but sorts anew.
    auto reversed = rows;
    std::reverse(reversed.begin(), reversed.end());
    model.setRows(reversed);
    // Set-up, the first row still, was the last of them.
    EXPECT_EQ(model.index(0, StatisticsModel::kName).data(kSortRole).toInt(), 2 * model.rowCount());
}

TEST_F(QueryModelsTest, APeakOfWhichRecordsAreMissingIsOneAtLeast) {
    StatisticsModel phases;
    StepsModel steps;
    const std::int64_t peak = 5 << 20;
    StatisticsRow step;
    step.name = "step";
    StepRow row;
    row.step = 1;
    row.peak = Bytes(peak);
    const QString size = toQString(formatBytes(Bytes(peak)));
    for (const bool least : {false, true}) {
        phases.setRows({step}, {{"step", peak}}, least);
        steps.setRows({row}, least);
        const QString expected = (least ? QStringLiteral("≥ ") : QString()) + size;
        EXPECT_EQ(phases.index(0, StatisticsModel::kPeak).data().toString(), expected);
        EXPECT_EQ(steps.index(0, StepsModel::kPeak).data().toString(), expected);
    }
    EXPECT_EQ(steps.index(0, StepsModel::kPeak).data(kPlainRole).toLongLong(), peak);
}

TEST_F(QueryModelsTest, BreakdownsAddUpToWhatIsAlive) {
    BreakdownModel model;
    QAbstractItemModelTester tester(&model, Fatal::Fatal);
    const auto peak = memory.peak();
    ASSERT_TRUE(peak);
    for (const BreakdownKey key :
         {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp, BreakdownKey::kPhase}) {
        model.setRows(key, breakdownAt(memory, peak->time, key));
        std::int64_t bytes = 0, blocks = 0;
        double share = 0;
        for (int r = 0; r < model.rowCount(); ++r) {
            bytes += model.index(r, BreakdownModel::kBytes).data(kPlainRole).toLongLong();
            blocks += model.index(r, BreakdownModel::kAllocations).data(kPlainRole).toLongLong();
            share += model.index(r, BreakdownModel::kShare).data(kPlainRole).toDouble();
            const auto bar = model.index(r, BreakdownModel::kShare).data(kShareRole).value<ShareBar>();
            EXPECT_DOUBLE_EQ(bar.length, model.index(r, BreakdownModel::kShare).data(kPlainRole).toDouble());
            EXPECT_EQ(sumOf(bar.parts), model.index(r, BreakdownModel::kBytes).data(kSortRole).toLongLong());
        }
        EXPECT_EQ(bytes, sumOf(peak->bytes));
        EXPECT_EQ(blocks, static_cast<std::int64_t>(memory.aliveAt(peak->time).size()));
        EXPECT_NEAR(share, 1.0, 1e-9);
        const bool coloured = model.index(0, BreakdownModel::kName).data(kSwatchRole).isValid();
        EXPECT_EQ(coloured, key == BreakdownKey::kCategory || key == BreakdownKey::kPhase);
    }
}

/// Of these columns a first click brings the least to the top; of all others that hold numbers, the most.
void expectFirstSorts(const QAbstractItemModel& model, const std::set<int>& least) {
    ASSERT_GT(model.rowCount(), 0);
    for (int c = 0; c < model.columnCount(); ++c) {
        // What is not known of a row is an empty text.
        bool number = false, anything = false;
        for (int r = 0; r < model.rowCount(); ++r) {
            const QVariant plain = model.index(r, c).data(kPlainRole);
            anything = anything || !plain.toString().isEmpty();
            number = number || plain.userType() != QMetaType::QString;
        }
        if (!anything)
            continue;
        EXPECT_EQ(model.headerData(c, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
                  number && !least.contains(c) ? Qt::DescendingOrder : Qt::AscendingOrder)
            << model.headerData(c, Qt::Horizontal).toString().toStdString();
    }
}

TEST_F(QueryModelsTest, AFirstClickSortsByTheMostButWhereItSaysWhereOrWhen) {
    SpanTableModel ops;
    ops.setStatistics(groupedStatistics(*run, {}, TrackKind::kCpuThread, SpanGrouping::kFlat),
                      SpanGrouping::kFlat);
    // These are known of no op of this run, and are numbers all the same.
    for (const int column : {SpanTableModel::kFlops, SpanTableModel::kBytes, SpanTableModel::kPeakShare})
        EXPECT_EQ(ops.headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
                  Qt::DescendingOrder);
    for (const int column : {SpanTableModel::kName, SpanTableModel::kFamily, SpanTableModel::kLaunchedBy})
        EXPECT_EQ(ops.headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
                  Qt::AscendingOrder);
    StatisticsModel phases;
    phases.setRows(phaseStatistics(*run), {{"forward", 4096}});
    expectFirstSorts(phases, {});
    const auto peak = memory.peak();
    ASSERT_TRUE(peak);
    BreakdownModel breakdown;
    breakdown.setRows(BreakdownKey::kModule, breakdownAt(memory, peak->time, BreakdownKey::kModule));
    expectFirstSorts(breakdown, {});
    AllocationsModel allocations;
    allocations.setRows(largestAllocations(memory, memory.aliveAt(peak->time), 50));
    expectFirstSorts(allocations, {AllocationsModel::kStep, AllocationsModel::kAllocated});
    EXPECT_EQ(
        allocations.headerData(AllocationsModel::kAddress, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
        Qt::AscendingOrder);
    MatchesModel matches;
    const SpanSearch all = searchOf(*run, {true, true, true, true}, [](std::string_view) { return true; });
    matches.setMatches(run, searchSpans(*run, all).matches);
    expectFirstSorts(matches, {MatchesModel::kStart, MatchesModel::kStep});
    StepsModel steps;
    steps.setRows(stepTable(memory, {}));
    expectFirstSorts(steps, {StepsModel::kStep});
}

/// Both kinds of life: a finished run has freed everything, one that is being recorded has not.
class AllocationsModelTest : public testing::TestWithParam<const char*> {};

TEST_P(AllocationsModelTest, RowsSayWhatTheyAre) {
    test::SyntheticOptions options;
    options.state = GetParam();
    const auto run = test::makeSyntheticRun(options);
    const MemoryTimeline memory = test::timelineOf(run);
    AllocationsModel model;
    QAbstractItemModelTester tester(&model, Fatal::Fatal);
    const auto peak = memory.peak();
    ASSERT_TRUE(peak);
    const auto rows = largestAllocations(memory, memory.aliveAt(peak->time), 50);
    model.setRows(rows);
    ASSERT_EQ(model.rowCount(), static_cast<int>(rows.size()));
    bool anyFreed = false, anyKept = false;
    for (int r = 0; r < model.rowCount(); ++r) {
        const AllocationDetail& d = rows[static_cast<std::size_t>(r)];
        const auto cell = [&](int column, int role) { return model.index(r, column).data(role); };
        EXPECT_EQ(cell(AllocationsModel::kBytes, kPlainRole).toLongLong(), d.row.bytes);
        EXPECT_EQ(cell(AllocationsModel::kModule, kPlainRole).toString().toStdString(), d.module);
        EXPECT_EQ(cell(AllocationsModel::kOp, kPlainRole).toString().toStdString(), d.op);
        EXPECT_EQ(cell(AllocationsModel::kStep, kSortRole).toInt(), d.row.step);
        EXPECT_TRUE(cell(AllocationsModel::kBytes, Qt::ToolTipRole)
                        .toString()
                        .contains(QString::fromStdString(formatBytesExact(Bytes(d.row.requested)))));
        EXPECT_EQ(cell(AllocationsModel::kAddress, Qt::DisplayRole).toString().toULongLong(nullptr, 16),
                  d.row.address);
        const auto swatch = cell(AllocationsModel::kCategory, kSwatchRole).value<Swatch>();
        EXPECT_EQ(swatch, (Swatch{Swatch::kCategory, static_cast<std::uint8_t>(d.row.category)}));
        if (d.freed) {
            anyFreed = true;
            EXPECT_EQ(cell(AllocationsModel::kLifetime, kPlainRole).toLongLong(),
                      (*d.freed - d.allocated).value);
        } else {
            anyKept = true;
            EXPECT_EQ(cell(AllocationsModel::kLifetime, kPlainRole).toString(), QString());
        }
    }
    EXPECT_TRUE(options.state == run_state::kRecording ? anyKept : anyFreed);
}

INSTANTIATE_TEST_SUITE_P(States, AllocationsModelTest, testing::Values("finished", "recording"));

}  // namespace
}  // namespace warpglass::ui
