// The tables of ops, phases, breakdowns and allocations against the queries that they show.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <set>

#include "engine/base/format.h"
#include "engine/query/statistics/span_search.h"
#include "engine/query/statistics/step_table.h"
#include "engine/tables/match_columns.h"
#include "engine/tables/memory_columns.h"
#include "engine/tables/step_columns.h"
#include "tests/support/must.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "ui/models/span_table_model.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::query_models_test {

using Fatal = QAbstractItemModelTester::FailureReportingMode;

struct QueryModelsTest : testing::Test {
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
        const auto cell = [&](const char* column, int role) {
            return model.index(r, spansTable(true).place(column)).data(role);
        };
        const auto plain = [&](const char* column) { return cell(column, kPlainRole); };
        EXPECT_EQ(plain("name").toString().toStdString(), expected.name);
        EXPECT_EQ(plain("total_ns").toLongLong(), expected.total.value);
        EXPECT_EQ(plain("self_ns").toLongLong(), expected.self.value);
        EXPECT_EQ(plain("instances").toLongLong(), expected.instances);
        EXPECT_EQ(plain("average_ns").toDouble(), expected.average);
        EXPECT_EQ(plain("min_ns").toLongLong(), expected.min.value);
        EXPECT_EQ(plain("max_ns").toLongLong(), expected.max.value);
        EXPECT_EQ(plain("time_share").toDouble(), expected.timeShare);
        selfShares += plain("self_share").toDouble();
        EXPECT_EQ(cell("family", kSwatchRole).value<Swatch>(),
                  (Swatch{Swatch::kFamily, static_cast<std::uint8_t>(expected.family)}));
        EXPECT_EQ(cell("total_ns", Qt::DisplayRole).toString().toStdString(), formatDuration(expected.total));
        EXPECT_TRUE(cell("total_ns", Qt::ToolTipRole)
                        .toString()
                        .contains(QString::fromStdString(formatGrouped(expected.total.value))));
    }
    EXPECT_NEAR(selfShares, 1.0, 1e-9);
    // The longest bar is the largest share.
    EXPECT_DOUBLE_EQ(
        model.index(0, spansTable(true).place("self_share")).data(kShareRole).value<ShareBar>().length, 1.0);
    // What is not known is said to be so, and sorts last either way.
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(spansTable(true).place("ceiling_share"), order);
        EXPECT_EQ(
            model.index(model.rowCount() - 1, spansTable(true).place("ceiling_share")).data().toString(),
            "–");
    }
}

TEST_F(QueryModelsTest, PhasesSortInTheOrderOfAStep) {
    DescribedTableModel<StatisticsRow, StatisticsShown> model(statisticsTable(StatisticsOf::kPhases));
    QAbstractItemModelTester tester(&model, Fatal::Fatal);
    const auto rows = phaseStatistics(*run);
    model.show(rows, {.peaks = {{"forward", 4096}}});
    // The whole comes after its parts, and under it what no step has; each in the order of the query.
    const auto group = [](const QString& word) {
        const bool outside = word == QLatin1String("setup") || word == QLatin1String("teardown");
        return outside ? 2 : word == QLatin1String("step") ? 1 : 0;
    };
    const int nameAt = model.column("name"), peakAt = model.column("peak_bytes");
    for (int r = 0; r < model.rowCount(); ++r) {
        const QModelIndex name = model.index(r, nameAt);
        const QString word = name.data(kPlainRole).toString();
        for (int other = 0; other < r; ++other) {
            const QModelIndex before = model.index(other, nameAt);
            const bool isBefore = group(before.data(kPlainRole).toString()) <= group(word);
            EXPECT_EQ(before.data(kSortRole).toInt() < name.data(kSortRole).toInt(), isBefore) << r;
        }
        EXPECT_EQ(name.data(kStrongRole).toBool(), group(word) == 1);
        const bool forward = word == QLatin1String("forward");
        EXPECT_EQ(model.index(r, peakAt).data(kPlainRole).toString(),
                  forward ? QStringLiteral("4096") : QString());
    }
    // A later result in another order keeps the rows' selection but sorts anew.
    auto reversed = rows;
    std::reverse(reversed.begin(), reversed.end());
    model.show(reversed);
    // Set-up, the first row still, is the last of them.
    for (int r = 1; r < model.rowCount(); ++r)
        EXPECT_LT(model.index(r, nameAt).data(kSortRole).toInt(),
                  model.index(0, nameAt).data(kSortRole).toInt());
}

TEST_F(QueryModelsTest, APeakOfWhichRecordsAreMissingIsOneAtLeast) {
    DescribedTableModel<StatisticsRow, StatisticsShown> phases(statisticsTable(StatisticsOf::kPhases));
    DescribedTableModel<StepRow, StepsShown> steps(stepsTable());
    const std::int64_t peak = 5 << 20;
    StatisticsRow step;
    step.name = "step";
    StepRow row{.step = 1, .peak = Bytes(peak)};
    const QString size = toQString(formatBytes(Bytes(peak)));
    for (const bool least : {false, true}) {
        phases.show({step}, {.peaks = {{"step", peak}}, .peaksAreLeast = least});
        steps.show({row}, {least});
        const QString expected = (least ? QStringLiteral("≥ ") : QString()) + size;
        EXPECT_EQ(
            phases.index(0, statisticsTable(StatisticsOf::kPhases).place("peak_bytes")).data().toString(),
            expected);
        EXPECT_EQ(steps.index(0, stepsTable().place("peak_bytes")).data().toString(), expected);
    }
    EXPECT_EQ(steps.index(0, stepsTable().place("peak_bytes")).data(kPlainRole).toLongLong(), peak);
}

TEST_F(QueryModelsTest, BreakdownsAddUpToWhatIsAlive) {
    DescribedTableModel<BreakdownRow> model(breakdownTable());
    QAbstractItemModelTester tester(&model, Fatal::Fatal);
    const auto peak = test::must(memory.peak());
    for (const BreakdownKey key :
         {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp, BreakdownKey::kPhase}) {
        model.show(breakdownAt(memory, peak.time, key));
        const double largest = model.rowAt(0).share;
        std::int64_t bytes = 0, blocks = 0;
        double share = 0;
        for (int r = 0; r < model.rowCount(); ++r) {
            const auto cell = [&](const char* column, int role) {
                return model.index(r, breakdownTable().place(column)).data(role);
            };
            bytes += cell("size_bytes", kPlainRole).toLongLong();
            blocks += cell("allocations", kPlainRole).toLongLong();
            share += cell("share", kPlainRole).toDouble();
            const auto bar = cell("share", kShareRole).value<ShareBar>();
            EXPECT_DOUBLE_EQ(bar.length * largest, cell("share", kPlainRole).toDouble());
            EXPECT_EQ(sumOf(bar.parts), cell("size_bytes", kSortRole).toLongLong());
        }
        EXPECT_EQ(bytes, sumOf(peak.bytes));
        EXPECT_EQ(blocks, static_cast<std::int64_t>(memory.aliveAt(peak.time).size()));
        EXPECT_NEAR(share, 1.0, 1e-9);
        const bool colored = model.index(0, breakdownTable().place("name")).data(kSwatchRole).isValid();
        EXPECT_EQ(colored, key == BreakdownKey::kCategory || key == BreakdownKey::kPhase);
    }
}

/// A first click on one of these columns brings the least to the top; on any other of numbers, the most.
void expectFirstSorts(const QAbstractItemModel& model, const std::set<int>& least) {
    ASSERT_GT(model.rowCount(), 0);
    for (int c = 0; c < model.columnCount(); ++c) {
        bool number = false, anything = false;
        for (int r = 0; r < model.rowCount(); ++r) {
            const QVariant plain = model.index(r, c).data(kPlainRole);
            anything = anything || !plain.toString().isEmpty();
            number = number || (plain.isValid() && plain.userType() != QMetaType::QString);
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
    for (const int column : {spansTable(true).place("flops"), spansTable(true).place("bytes"),
                             spansTable(true).place("ceiling_share")})
        EXPECT_EQ(ops.headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
                  Qt::DescendingOrder);
    for (const int column : {spansTable(true).place("name"), spansTable(true).place("family"),
                             spansTable(true).place("launched_by")})
        EXPECT_EQ(ops.headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole).toInt(),
                  Qt::AscendingOrder);
    DescribedTableModel<StatisticsRow, StatisticsShown> phases(statisticsTable(StatisticsOf::kPhases));
    phases.show(phaseStatistics(*run), {.peaks = {{"forward", 4096}}});
    expectFirstSorts(phases, {});
    const auto peak = test::must(memory.peak());
    DescribedTableModel<BreakdownRow> breakdown(breakdownTable());
    breakdown.show(breakdownAt(memory, peak.time, BreakdownKey::kModule));
    expectFirstSorts(breakdown, {});
    DescribedTableModel<AllocationDetail> allocations(allocationsTable());
    allocations.show(largestAllocations(memory, memory.aliveAt(peak.time), 50));
    expectFirstSorts(allocations,
                     {allocationsTable().place("step"), allocationsTable().place("allocated_ns")});
    EXPECT_EQ(
        allocations.headerData(allocationsTable().place("address"), Qt::Horizontal, Qt::InitialSortOrderRole)
            .toInt(),
        Qt::AscendingOrder);
    DescribedTableModel<SearchMatch, MatchesShown> matches(matchesTable());
    const SpanSearch all = searchOf(*run, {true, true, true, true}, [](std::string_view) { return true; });
    matches.show(searchSpans(*run, all).matches, {run});
    expectFirstSorts(matches, {matchesTable().place("start_ns"), matchesTable().place("step")});
    DescribedTableModel<StepRow, StepsShown> steps(stepsTable());
    steps.show(stepTable(memory, {}));
    expectFirstSorts(steps, {stepsTable().place("step")});
}

/// Both kinds of life: a finished run has freed everything, one that is being recorded has not.
class AllocationsModelTest : public testing::TestWithParam<const char*> {};

TEST_P(AllocationsModelTest, RowsSayWhatTheyAre) {
    test::SyntheticOptions options{.state = GetParam()};
    const auto run = test::makeSyntheticRun(options);
    const MemoryTimeline memory = test::timelineOf(run);
    DescribedTableModel<AllocationDetail> model(allocationsTable());
    QAbstractItemModelTester tester(&model, Fatal::Fatal);
    const auto peak = test::must(memory.peak());
    const auto rows = largestAllocations(memory, memory.aliveAt(peak.time), 50);
    model.show(rows);
    ASSERT_EQ(model.rowCount(), static_cast<int>(rows.size()));
    bool anyFreed = false, anyKept = false;
    for (int r = 0; r < model.rowCount(); ++r) {
        const AllocationDetail& d = rows[static_cast<std::size_t>(r)];
        const auto cell = [&](int column, int role) { return model.index(r, column).data(role); };
        EXPECT_EQ(cell(allocationsTable().place("size_bytes"), kPlainRole).toLongLong(), d.row.bytes);
        EXPECT_EQ(cell(allocationsTable().place("module"), kPlainRole).toString().toStdString(), d.module);
        EXPECT_EQ(cell(allocationsTable().place("op"), kPlainRole).toString().toStdString(), d.op);
        EXPECT_EQ(cell(allocationsTable().place("step"), kSortRole).toInt(), d.row.step);
        EXPECT_TRUE(cell(allocationsTable().place("size_bytes"), Qt::ToolTipRole)
                        .toString()
                        .contains(QString::fromStdString(formatBytesExact(Bytes(d.row.requested)))));
        EXPECT_EQ(
            cell(allocationsTable().place("address"), Qt::DisplayRole).toString().toULongLong(nullptr, 16),
            d.row.address);
        const auto swatch = cell(allocationsTable().place("category"), kSwatchRole).value<Swatch>();
        EXPECT_EQ(swatch, (Swatch{Swatch::kCategory, static_cast<std::uint8_t>(d.row.category)}));
        if (d.freed) {
            anyFreed = true;
            EXPECT_EQ(cell(allocationsTable().place("lifetime_ns"), kPlainRole).toLongLong(),
                      (*d.freed - d.allocated).value);
        } else {
            anyKept = true;
            EXPECT_EQ(cell(allocationsTable().place("lifetime_ns"), kPlainRole).toString(), QString());
        }
    }
    EXPECT_TRUE(options.state == run_state::kRecording ? anyKept : anyFreed);
}

INSTANTIATE_TEST_SUITE_P(States, AllocationsModelTest, testing::Values("finished", "recording"));

}  // namespace warpglass::ui::query_models_test
