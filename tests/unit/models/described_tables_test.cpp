// What the window shows of the sample runs against what the command line prints of them: the same value in
// each cell, and the same words.
#include <gtest/gtest.h>

#include "engine/query/memory/peak_explanation.h"
#include "engine/tables/comparison_columns.h"
#include "engine/tables/layer_columns.h"
#include "engine/tables/memory_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/step_columns.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"
#include "ui/models/span_table_model.h"

namespace warpglass::ui::described_tables_test {

class DescribedTablesTest : public testing::TestWithParam<const char*> {
protected:
    std::shared_ptr<const Snapshot> run = test::openSampleRun(GetParam());
    MemoryTimeline memory = test::timelineOf(run);
};

/// Every column that both have, in rows of the same order.
template <class Row, class Of, class Rows>
void expectSame(const TableDescription<Row, Of>& printed, const Rows& rows, const Of& of,
                const QAbstractItemModel& shown, const std::function<int(const std::string&)>& placeOf) {
    const ReportTable scripts = reportOf(printed, "", rows, of, false);
    const ReportTable people = reportOf(printed, "", rows, of, true);
    ASSERT_EQ(shown.rowCount(), static_cast<int>(scripts.rows.size()));
    int compared = 0;
    const auto compare = [&](const ReportTable& report, std::size_t c, const auto& cellText, int role) {
        const int place = placeOf(report.columns[c].key);
        if (place < 0)
            return;
        ++compared;
        for (std::size_t r = 0; r < report.rows.size(); ++r) {
            const QVariant cell = shown.index(static_cast<int>(r), place).data(role);
            const std::string text = cell.userType() == QMetaType::Double ? plainCell(cell.toDouble())
                                                                          : cell.toString().toStdString();
            ASSERT_EQ(text, cellText(report.rows[r][c], report.columns[c].unit))
                << printed.key << ' ' << report.columns[c].key << ' ' << r;
        }
    };
    for (std::size_t c = 0; c < scripts.columns.size(); ++c)
        compare(
            scripts, c, [](const Cell& cell, Unit) { return plainCell(cell); }, kPlainRole);
    for (std::size_t c = 0; c < people.columns.size(); ++c)
        compare(people, c, readableCell, Qt::DisplayRole);
    EXPECT_GT(compared, 6) << printed.key;
}

template <class Row, class Of>
void expectShown(const TableDescription<Row, Of>& table, const std::vector<Row>& rows, const Of& of) {
    DescribedTableModel<Row, Of> model(table);
    model.show(rows, of);
    const auto shown = table.inWindow();
    expectSame(table, rows, of, model, [&](const std::string& key) {
        const auto found =
            std::find_if(shown.begin(), shown.end(), [&](const auto* column) { return column->key == key; });
        return found == shown.end() ? -1 : static_cast<int>(found - shown.begin());
    });
}

TEST_P(DescribedTablesTest, OpsKernelsAndCopies) {
    SpanFilter filter{.measuredOnly = true};
    const std::int64_t steps = wholeStepsOf(*run, filter);
    struct Kind {
        TrackKind kind;
        StatisticsOf what;
        std::vector<StatisticsRow> rows;
    };
    for (const Kind& kind :
         {Kind{TrackKind::kCpuThread, StatisticsOf::kOps, opStatistics(*run, filter)},
          Kind{TrackKind::kGpuStream, StatisticsOf::kKernels, kernelStatistics(*run, filter)},
          Kind{TrackKind::kGpuCopies, StatisticsOf::kKernels, copyStatistics(*run, filter)}}) {
        SpanTableModel model;
        model.setOfCpu(kind.what == StatisticsOf::kOps);
        // By name: rows of the same time have no order.
        model.sort(model.column("name"), Qt::AscendingOrder);
        model.setStatistics(groupedStatistics(*run, filter, kind.kind, SpanGrouping::kFlat),
                            SpanGrouping::kFlat, steps);
        std::vector<StatisticsRow> rows = kind.rows;
        // Kernels of one template stay as they are.
        std::ranges::stable_sort(rows, {}, &StatisticsRow::name);
        expectSame(statisticsTable(kind.what), rows, StatisticsShown{.steps = steps}, model,
                   [&](const std::string& key) {
                       // A kernel is called by its title; what is copied is its name.
                       return key == "name" && kind.kind == TrackKind::kGpuStream ? -1 : model.column(key);
                   });
        for (int row = 0; kind.kind == TrackKind::kGpuStream && row < model.rowCount(); ++row) {
            const QModelIndex name = model.index(row, model.column("name"));
            const GroupedRow& kernel = model.rowAt(row).row;
            EXPECT_EQ(name.data(kPlainRole).toString().toStdString(),
                      rows[static_cast<std::size_t>(row)].name);
            EXPECT_EQ(name.data(Qt::DisplayRole).toString().toStdString(), titleWords(kernel).value());
            const std::string toolTip = name.data(Qt::ToolTipRole).toString().toStdString();
            EXPECT_TRUE(toolTip.starts_with(kernel.figures.name)) << toolTip;
            EXPECT_TRUE(toolTip.ends_with(kernel.signature)) << toolTip;
        }
    }
}

TEST_P(DescribedTablesTest, Phases) {
    expectShown(statisticsTable(StatisticsOf::kPhases), phaseStatistics(*run), {});
}

TEST_P(DescribedTablesTest, Steps) {
    expectShown(stepsTable(), stepTable(memory, {}), {});
}

TEST_P(DescribedTablesTest, LayersAttentionAndRoofline) {
    const auto peak = memory.peak();
    const Layers layers =
        layersOf(*run, peak ? LiveMemory{memory.aliveAt(peak->time), &memory} : LiveMemory());
    expectShown(layersTable(), layers.rows, LayersShown(layers));
    const AttentionParts parts = attentionParts(*run);
    expectShown(attentionTable(), parts.rows, parts);
    expectShown(rooflineTable(), roofline(*run), {100.0});
}

TEST_P(DescribedTablesTest, Memory) {
    const auto peak = memory.peak();
    ASSERT_TRUE(peak);
    for (const BreakdownKey key : {BreakdownKey::kCategory, BreakdownKey::kModule, BreakdownKey::kOp})
        expectShown(breakdownTable(), breakdownAt(memory, peak->time, key), {});
    expectShown(allocationsTable(), largestAllocations(memory, memory.aliveAt(peak->time), 200), {});
    expectShown(allocationGroupsTable(), largestAllocationGroups(memory, memory.aliveAt(peak->time), 200),
                {});
}

TEST_P(DescribedTablesTest, Comparisons) {
    const RunComparison comparison = compareRuns(test::openSampleRun("small-fp32-naive"), run, {});
    const auto expectCompared = [](Unit unit, const std::vector<ComparisonRow>& rows) {
        DescribedTableModel<ComparedRow, ComparisonShown> model(comparedTable(unit));
        model.show(joinedRows(rows, {}), {.completeSteps = true});
        expectSame(comparisonTable(unit), rows, ComparisonShown{.completeSteps = true}, model,
                   [&](const std::string& key) { return model.column(key.substr(0, key.find('_'))); });
    };
    expectCompared(Unit::kNanoseconds, comparison.ops);
    expectCompared(Unit::kNanoseconds, comparison.phases);
    expectCompared(Unit::kBytes, comparison.categories);
}

INSTANTIATE_TEST_SUITE_P(Samples, DescribedTablesTest,
                         testing::Values("small-bf16-naive", "small-bf16-graph", "small-no-warmup",
                                         "large-fp32-out-of-memory", "xl-bf16-forward"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace warpglass::ui::described_tables_test
