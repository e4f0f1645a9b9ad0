// The table of ops: its groups, its columns, the durations of a row, and the way to an instance.
#include <QHeaderView>
#include <QTest>
#include <algorithm>
#include <map>

#include "engine/base/format.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/has_text.h"
#include "tests/support/own_kernel_run.h"
#include "tests/support/show_unseen.h"
#include "tests/support/trace_text.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/controls/data_table.h"
#include "ui/controls/family_legend.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/op_table.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui::op_table_test {

/// The place of a column of ops, kernels and copies.
int column(const char* key) {
    return spansTable(true).place(key);
}

TEST_F(TablesTest, GroupsOpenAndCloseAndKeepTheirRowsUnderThemHoweverTheyAreSorted) {
    OpTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    table.setGrouping(SpanGrouping::kModule);
    EXPECT_EQ(instances(table), expected({}));
    DataTable& rows = table.table();
    const auto name = [&](int row) { return rows.proxy()->index(row, column("name")); };
    const auto rowNamed = [&](const QString& text) {
        for (int r = 0; r < rows.shownRows(); ++r) {
            if (name(r).data(kPlainRole).toString() == text)
                return r;
        }
        return -1;
    };
    const int closed = rows.shownRows();
    const int blocks = rowNamed("blocks");
    ASSERT_GE(blocks, 0);
    EXPECT_EQ(name(blocks).data(kExpansionRole).toInt(), kCollapsed);
    makeCurrent(rows, blocks);
    QTest::keyClick(&rows, Qt::Key_Right);
    EXPECT_EQ(rows.shownRows(), closed + 2);
    for (const char* key : {"instances", "name", "total_ns"}) {
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            rows.sortByColumn(column(key), order);
            const int at = rowNamed("blocks");
            for (int child = 1; child <= 2; ++child) {
                EXPECT_EQ(name(at + child).data(kDepthRole).toInt(), 1);
                EXPECT_TRUE(name(at + child).data(kPlainRole).toString().startsWith("blocks."));
            }
            std::vector<QVariant> values;
            for (int r = 0; r < rows.shownRows(); ++r) {
                if (name(r).data(kDepthRole).toInt() == 0)
                    values.push_back(rows.proxy()->index(r, column(key)).data(kPlainRole));
            }
            if (order == Qt::DescendingOrder)
                std::ranges::reverse(values);
            for (std::size_t i = 1; i < values.size(); ++i)
                EXPECT_NE(QVariant::compare(values[i - 1], values[i]), QPartialOrdering::Greater) << key;
        }
    }
    makeCurrent(rows, rowNamed("blocks") + 1);
    QTest::keyClick(&rows, Qt::Key_Left);  // to the group around
    EXPECT_EQ(rows.currentIndex().row(), rowNamed("blocks"));
    QTest::keyClick(&rows, Qt::Key_Left);
    EXPECT_EQ(rows.shownRows(), closed);
    // A click on the chevron, and one beside it.
    table.resize(1000, 400);
    const QModelIndex cell = name(rowNamed("blocks"));
    const QPoint chevron = rows.visualRect(cell).topLeft() + QPoint(10, 12);
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, chevron);
    EXPECT_EQ(rows.shownRows(), closed + 2);
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, chevron + QPoint(60, 0));
    EXPECT_EQ(rows.shownRows(), closed + 2);
}

TEST_F(TablesTest, ColumnsFitUntilThePersonChooses) {
    OpTable table(document, axis, filter);
    test::showUnseen(table, {720, 300});
    DataTable& rows = table.table();
    for (const int width : {720, 1100, 1900}) {
        table.resize(width, 300);
        table.refreshNow();
        rows.selectRow(0);  // its durations stand beside the table
        table.refreshNow();
        int used = 0;
        for (int c = 0; c < rows.proxy()->columnCount(); ++c)
            used += rows.isColumnHidden(c) ? 0 : rows.columnWidth(c);
        EXPECT_LE(used, rows.viewport()->width()) << "nothing is cut off, nothing scrolls";
        EXPECT_FALSE(rows.isColumnHidden(column("instances")));
        EXPECT_EQ(rows.isColumnHidden(column("stddev_ns")), width < 1900);
    }
    QMenu menu;
    rows.fillColumnMenu(menu);
    QStringList inMenu, inTable;
    for (const QAction* action : menu.actions()) {
        if (action->isSeparator())
            break;
        inMenu << action->text();
    }
    for (int at = 0; at < rows.proxy()->columnCount(); ++at) {
        const int logical = rows.horizontalHeader()->logicalIndex(at);
        if (logical == column("types"))
            continue;  // this run was recorded without
        inTable << rows.model()->headerData(logical, Qt::Horizontal).toString();
    }
    EXPECT_EQ(inMenu, inTable) << "as the columns stand";
    entryOf(menu, "Max")->trigger();
    EXPECT_TRUE(rows.isColumnHidden(column("max_ns")));
    const QStringList chosen = rows.chosenColumns();
    EXPECT_TRUE(chosen.contains("StdDev"));
    EXPECT_FALSE(chosen.contains("Max"));
    table.resize(720, 300);
    EXPECT_FALSE(rows.isColumnHidden(column("stddev_ns"))) << "what was chosen stays";
    rows.setChosenColumns({"Instances", "no such column"});
    EXPECT_EQ(rows.chosenColumns(), QStringList{"Instances"});
    EXPECT_TRUE(rows.isColumnHidden(column("stddev_ns")));
    EXPECT_FALSE(rows.isColumnHidden(column("name"))) << "the name always stays";
}

TEST_F(TablesTest, KernelsOfSeveralModulesAreSplitByModuleAndTheTableSaysSo) {
    const test::OwnKernelRun fused;
    OpTable table(document, axis, filter);
    const auto* summary = table.findChild<QLabel*>("opSummary");
    table.resize(1900, 300);
    table.show();
    const auto shows = [&](const std::shared_ptr<const Snapshot>& run, OpTable::Subject subject,
                           SpanGrouping grouping) {
        document.setSnapshot(run);
        table.setSubject(subject);
        table.setGrouping(grouping);
        table.refreshNow();
        return summary->toolTip().contains("AdamW's time is split over the modules");
    };
    EXPECT_TRUE(shows(fused.run, OpTable::Subject::kKernels, SpanGrouping::kModule));
    EXPECT_THAT(summary->text(), test::HasText("kernels that serve several modules are split"));
    EXPECT_EQ(table.model().instances(), table.model().statistics().spansOfFilter) << "each once";
    EXPECT_FALSE(shows(fused.run, OpTable::Subject::kKernels, SpanGrouping::kFlat));
    EXPECT_FALSE(shows(fused.run, OpTable::Subject::kKernels, SpanGrouping::kPhase));
    const auto other = test::traceOf("step 0 0-100 | kernel gemm 5-20 module blocks.0.ffn op aten::mm");
    EXPECT_FALSE(shows(other, OpTable::Subject::kKernels, SpanGrouping::kModule));
    // Among some modules alone, they are whole where they ran.
    EXPECT_TRUE(shows(fused.run, OpTable::Subject::kKernels, SpanGrouping::kModule));
    filter.setModule("blocks.0");
    table.refreshNow();
    EXPECT_THAT(summary->text(), test::HasText("kernels by the module that launched them"));
}

TEST_F(TablesTest, ColumnsThatWereChosenStayWhicheverSubjectNamesThem) {
    OpTable table(document, axis, filter);
    table.setSubject(OpTable::Subject::kKernels);
    table.resize(1900, 300);
    DataTable& rows = table.table();
    const QStringList chosen{"Name", "Time %", "Total time"};
    const auto holds = [&] {
        EXPECT_EQ(rows.chosenColumns(), chosen);
        EXPECT_FALSE(rows.isColumnHidden(column("time_share")));
        EXPECT_FALSE(rows.isColumnHidden(column("total_ns")));
        EXPECT_TRUE(rows.isColumnHidden(column("max_ns")));
    };
    rows.setChosenColumns(chosen);
    holds();
    table.setSubject(OpTable::Subject::kOps);
    holds();
    QMenu menu;
    rows.fillColumnMenu(menu);
    EXPECT_TRUE(entryOf(menu, "CPU total")->isChecked());
    // A layout of before, with the titles of ops.
    const QStringList titles{"Name", "CPU Total %", "CPU Total"};
    rows.setChosenColumns(titles);
    holds();
    table.setSubject(OpTable::Subject::kKernels);
    rows.setChosenColumns({});
    rows.setChosenColumns(titles);
    holds();
}

TEST_F(TablesTest, TheSelectedRowsDurationsLeadToTheLongestOfABar) {
    OpTable table(document, axis, filter);
    test::showUnseen(table, {1000, 400});
    table.refreshNow();
    EXPECT_TRUE(table.distribution().isHidden()) << "there is no row to show them of";
    DataTable& rows = table.table();
    makeCurrent(rows, 0);
    ASSERT_FALSE(table.distribution().isHidden());
    table.refreshNow();
    DurationHistogram& histogram = table.distribution().histogram();
    const DurationDistribution& shown = histogram.distribution();
    const StatisticsRow& row = table.model().rowAt(currentRow(rows)).row.figures;
    EXPECT_EQ(shown.instances, row.instances);
    EXPECT_EQ(shown.max, row.max);
    ASSERT_FALSE(shown.counts.empty());
    int bin = -1;
    for (int i = 0; i < DurationDistribution::kBins; ++i) {
        if (shown.counts[static_cast<std::size_t>(i)] > 0)
            bin = i;
    }
    QTest::mouseClick(&histogram, Qt::LeftButton, {}, histogram.binRect(bin).center());
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(describeSpan(*run, *axis.selectedSpan())->duration, row.max);
    axis.setSelectedSpan(std::nullopt);
    histogram.setFocus();
    QTest::keyClick(&histogram, Qt::Key_Right);
    QTest::keyClick(&histogram, Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(describeSpan(*run, *axis.selectedSpan())->name, row.name);
    bool p999 = false;
    for (const Property& property : table.distribution().properties().properties())
        p999 =
            p999 || (property.label.startsWith("P99.9") &&
                     property.value.endsWith(QString::fromStdString(formatDuration(shown.percentiles[4]))));
    EXPECT_TRUE(p999);
}

TEST_F(TablesTest, TheDurationsOfARowThatIsGoneGoWithIt) {
    OpTable table(document, axis, filter);
    test::showUnseen(table, {1000, 400});
    table.refreshNow();
    makeCurrent(table.table(), 0);
    table.refreshNow();
    const DurationHistogram& histogram = table.distribution().histogram();
    ASSERT_FALSE(histogram.distribution().counts.empty());
    table.setGrouping(SpanGrouping::kModule);
    table.refreshNow();
    ASSERT_FALSE(table.table().currentIndex().isValid());
    EXPECT_TRUE(histogram.distribution().counts.empty());
}

TEST_F(TablesTest, EnterOnAnOpGoesToItsLongestInstance) {
    OpTable table(document, axis, filter);
    table.refreshNow();
    makeCurrent(table.table(), 0);
    const std::string name = table.model().rowAt(currentRow(table.table())).row.figures.name;
    QTest::keyClick(&table.table(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan());
    const auto span = describeSpan(*run, *axis.selectedSpan());
    EXPECT_EQ(span->name, name);
    EXPECT_TRUE(axis.visibleRange().contains(span->start));
    EXPECT_LT(axis.visibleRange().duration(), run->range().duration());
}

TEST_F(TablesTest, WhileARunIsInWarmUpEverythingCounts) {
    RunConfig config = test::syntheticConfig();
    config.warmup = 100;
    config.steps = 1;
    TraceWriter writer;
    test::SyntheticRecorder recorder(writer, config);
    recorder.setup();
    ASSERT_TRUE(recorder.step(0));
    writer.commit(recorder.now());
    document.setSnapshot(writer.feed()->latest());
    OpTable table(document, axis, filter);
    table.refreshNow();
    EXPECT_GT(table.model().rowCount(), 5) << "rows appear before the first measured step";
    const auto* summary = table.findChild<QLabel*>("opSummary");
    EXPECT_TRUE(summary->text().contains("in set-up and warm-up steps"))
        << "a run that ended is not in warm-up any more";
    document.follow(writer.feed());
    table.refreshNow();
    EXPECT_TRUE(summary->text().contains("in the run so far, in warm-up"));
}

TEST_F(TablesTest, ComputesOnlyWhileShown) {
    OpTable table(document, axis, filter);
    QCoreApplication::processEvents();
    EXPECT_EQ(table.model().rowCount(), 0);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.show();
    EXPECT_TRUE(QTest::qWaitFor([&] { return table.model().rowCount() > 5; }, 60'000));
}

/// A run that was recorded with shapes, in which one op was called with two.
std::shared_ptr<const Snapshot> typedRun() {
    return test::traceOf(R"(
        op aten::mm 0-100 types "bf16[4,8], bf16[8,2] → bf16[4,2]"
        op aten::mm 100-130 types "fp32[4,8], fp32[8,2] → fp32[4,2]"
        op aten::empty 130-140 types " → fp32[4]"
        op aten::add 140-145
    )");
}

TEST_F(TablesTest, TypesAndShapesAreThoseThatTookMostOfAnOpsTimeAndLeadToTheirOps) {
    document.setSnapshot(typedRun());
    OpTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    table.refreshNow();
    const SpanTableModel& model = table.model();
    const int types = model.column("types");
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.headerData(types, Qt::Horizontal, Qt::DisplayRole).toString(), "Types and shapes");
    std::map<QString, int> rows;
    for (int r = 0; r < model.rowCount(); ++r)
        rows[model.index(r, model.column("name")).data(kPlainRole).toString()] = r;
    const auto at = [&](const char* name, int role) {
        return model.index(rows.at(QString::fromLatin1(name)), types).data(role).toString();
    };
    const QString inBf16 = "bf16[4,8], bf16[8,2] → bf16[4,2]";
    EXPECT_EQ(at("aten::mm", Qt::DisplayRole), inBf16 + QStringLiteral(" +1"));
    EXPECT_EQ(at("aten::mm", Qt::ToolTipRole), inBf16 + QStringLiteral(", and 1 other"));
    EXPECT_EQ(at("aten::mm", kPlainRole), inBf16);
    EXPECT_EQ(at("aten::empty", Qt::DisplayRole), "→ fp32[4]");
    EXPECT_EQ(at("aten::add", Qt::DisplayRole), "–");
    EXPECT_EQ(at("aten::add", kPlainRole), QString());

    QStringList wanted;
    QObject::connect(&table, &OpTable::findRequested, &table, [&](const QString& text) { wanted << text; });
    for (const auto& [name, row] : rows) {
        QMenu menu;
        emit table.table().menuRequested(&menu, row);
        for (QAction* action : menu.actions()) {
            if (action->text() == QStringLiteral("Find All of These Types"))
                action->trigger();
        }
    }
    EXPECT_EQ(wanted, (QStringList{"→ fp32[4]", inBf16})) << "none for the op without";
}

TEST_F(TablesTest, AColumnOfTypesAndShapesIsOfferedOnlyWhereTheyWereRecorded) {
    OpTable table(document, axis, filter);
    test::showUnseen(table, {2600, 300});
    filter.setSteps(RunFilter::Steps::kAll);
    DataTable& rows = table.table();
    const auto offers = [&] {
        table.refreshNow();
        QMenu menu;
        rows.fillColumnMenu(menu);
        const bool inMenu =
            std::ranges::count(menu.actions(), QStringLiteral("Types and shapes"), &QAction::text) > 0;
        EXPECT_EQ(rows.isColumnHidden(table.model().column("types")), !inMenu);
        return inMenu;
    };
    EXPECT_FALSE(offers());
    document.setSnapshot(typedRun());
    EXPECT_TRUE(offers());
    rows.sortBy(table.model().column("types"));
    table.setSubject(OpTable::Subject::kKernels);
    EXPECT_FALSE(offers());
    table.setSubject(OpTable::Subject::kOps);
    EXPECT_TRUE(offers());
    document.setSnapshot(run);
    EXPECT_FALSE(offers());
}

TEST_F(TablesTest, FamiliesThatOccurAreNamedInAFigureAndWhereThereIsRoom) {
    OpTable table(document, axis, filter);
    test::showUnseen(table, {1000, 300});
    table.refreshNow();
    const auto* key = table.findChild<LegendStrip*>("familyKey");
    EXPECT_TRUE(key->isHidden()) << "a row is worth more";
    const auto expectFamilies = [&] {
        QStringList names, expected;
        for (const LegendEntry& entry : key->entries())
            names << entry.name;
        for (std::size_t family = 0; family < kOpFamilyCount; ++family) {
            for (int row = 0; row < table.model().rowCount(); ++row) {
                const QString name = familyName(static_cast<OpFamily>(family));
                if (table.model().rowAt(row).row.figures.family == static_cast<OpFamily>(family) &&
                    !expected.contains(name))
                    expected << name;
            }
        }
        EXPECT_FALSE(key->isHidden());
        EXPECT_EQ(names, expected);
        return names.size();
    };
    {
        const FigureMode figure(table, {900, 400});
        EXPECT_GT(expectFamilies(), 1);
    }
    EXPECT_TRUE(key->isHidden());
    table.resize(1000, 600);
    QCoreApplication::processEvents();
    const auto all = expectFamilies();
    filter.setText("aten::mm");
    table.refreshNow();
    EXPECT_LT(expectFamilies(), all) << "it follows the rows";
}

TEST_F(TablesTest, OfARunRecordedWithoutOpsTheTableSaysSo) {
    document.setSnapshot(test::traceOf("info config.device cpu config.record memory state finished ; end 1"));
    OpTable table(document, axis, filter);
    table.refreshNow();
    EXPECT_EQ(table.table().emptyText(), "The run was recorded without ops");
}

}  // namespace warpglass::ui::op_table_test
