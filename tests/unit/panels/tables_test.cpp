// The tables of ops, phases and allocations on a run: what they count, and what a selection changes.
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/query/allocation_filter.h"
#include "tests/support/synthetic_trace.h"
#include "ui/models/span_details.h"
#include "ui/panels/allocations_table.h"
#include "ui/panels/distribution_pane.h"
#include "ui/panels/duration_histogram.h"
#include "ui/panels/op_table.h"
#include "ui/panels/phases_table.h"
#include "ui/panels/property_list.h"
#include "ui/theme/data_table.h"

namespace warpglass::ui {
namespace {

class TablesTest : public testing::Test {
protected:
    TablesTest() : run(test::makeSyntheticRun()) {
        document.setSnapshot(run);
        axis.setFullRange(run->range());
    }
    static std::int64_t instances(OpTable& table) {
        table.refreshNow();
        std::int64_t sum = 0;
        for (int r = 0; r < table.model().rowCount(); ++r)
            sum += table.model().rowAt(r).row.figures.instances;
        return sum;
    }
    std::int64_t expected(const SpanFilter& filter) const {
        std::int64_t sum = 0;
        for (const StatisticsRow& row : opStatistics(*run, filter))
            sum += row.instances;
        return sum;
    }
    /// The first span of a name on tracks of a kind.
    SpanRef spanOf(TrackKind kind, const char* name) const {
        return *longestSpan(*run, kind, run->findName(name), {});
    }

    std::shared_ptr<const Snapshot> run;
    RunDocument document;
    TimeAxis axis;
    RunFilter filter{document, axis};
};

/// The chip of a condition over a table; null when there is none.
QToolButton* chip(QWidget& table, RunFilter::Condition condition) {
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.resize(1000, 300);
    table.show();
    QCoreApplication::processEvents();
    for (auto* found :
         table.findChildren<QToolButton*>(QStringLiteral("chip%1").arg(static_cast<int>(condition)))) {
        if (!found->isHidden())
            return found;
    }
    return nullptr;
}

TEST_F(TablesTest, OpsCountWhatTheFilterSays) {
    OpTable table(document, axis, filter);
    SpanFilter measured;
    measured.measuredOnly = true;
    EXPECT_EQ(instances(table), expected(measured));
    QTest::mouseClick(chip(table, RunFilter::Condition::kSteps), Qt::LeftButton);
    EXPECT_EQ(instances(table), expected({}));
    EXPECT_GT(expected({}), expected(measured));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    filter.setSteps(RunFilter::Steps::kInView);
    const TimeRange view{Nanoseconds(run->range().end.value / 3), Nanoseconds(run->range().end.value / 2)};
    axis.setVisibleRange(view);
    SpanFilter inView;
    inView.ranges = {view};
    EXPECT_EQ(instances(table), expected(inView));
    filter.setSteps(RunFilter::Steps::kMeasured);
    filter.setModule("blocks.1");
    filter.setPhase(Phase::kBackward);
    measured.modulePath = "blocks.1";
    measured.phase = Phase::kBackward;
    EXPECT_EQ(instances(table), expected(measured));
    EXPECT_GT(expected(measured), 0);
    filter.setName("aten::mm");
    measured.name = "aten::mm";
    EXPECT_EQ(instances(table), expected(measured));
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .contains(QStringLiteral("in measured steps, backward, blocks.1, aten::mm")));
}

TEST_F(TablesTest, ASelectionOverrulesTheStepsUntilItsChipIsClicked) {
    OpTable table(document, axis, filter);
    const std::int64_t all = instances(table);
    EXPECT_EQ(chip(table, RunFilter::Condition::kSelection), nullptr);
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 3)};
    axis.setSelectedRange(range);
    SpanFilter selected;
    selected.ranges = {range};
    EXPECT_EQ(instances(table), expected(selected));
    EXPECT_EQ(chip(table, RunFilter::Condition::kSteps), nullptr);
    auto* selection = chip(table, RunFilter::Condition::kSelection);
    ASSERT_NE(selection, nullptr);
    EXPECT_TRUE(selection->text().endsWith(QString::fromStdString(formatMoment(range.end))));
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .contains(QStringLiteral(" ops begin in the selected ")));
    QTest::keyClick(selection, Qt::Key_Delete);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_EQ(instances(table), all);
    EXPECT_EQ(chip(table, RunFilter::Condition::kSelection), nullptr);
}

TEST_F(TablesTest, ASelectedPhaseOrModuleFiltersAndASelectedOpDoesNot) {
    OpTable table(document, axis, filter);
    const std::int64_t all = instances(table);
    SpanFilter selected;
    for (const auto& [kind, name] :
         {std::pair{TrackKind::kPhase, "backward"}, std::pair{TrackKind::kModule, "blocks.1.attn"}}) {
        const SpanRef span = spanOf(kind, name);
        axis.setSelectedSpan(span);
        selected.ranges = {describeSpan(*run, span)->range()};
        EXPECT_EQ(instances(table), expected(selected)) << name;
        EXPECT_LT(expected(selected), all);
    }
    // An op is looked at, and letting go of it lets go of nothing else.
    axis.setSelectedSpan(spanOf(TrackKind::kCpuThread, "aten::mm"));
    EXPECT_EQ(instances(table), expected(selected));
    EXPECT_TRUE(filter.isLooking());
    axis.setSelectedSpan(std::nullopt);
    EXPECT_EQ(instances(table), expected(selected));
    QTest::keyClick(chip(table, RunFilter::Condition::kSelection), Qt::Key_Delete);
    EXPECT_EQ(instances(table), all);
    axis.setSelectedSpan(spanOf(TrackKind::kCpuThread, "aten::mm"));
    EXPECT_EQ(instances(table), all);
}

TEST_F(TablesTest, WhatCountsStaysUntilSomethingElseIsPicked) {
    const SpanRef phase = spanOf(TrackKind::kPhase, "backward"),
                  op = spanOf(TrackKind::kCpuThread, "aten::mm");
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 3)};
    axis.setSelectedSpan(phase);
    axis.setSelectedRange(range);
    EXPECT_EQ(filter.state().range, range);
    EXPECT_FALSE(filter.state().span) << "a range takes the place of a span";
    filter.pick(op);
    EXPECT_EQ(filter.state().range, range);
    EXPECT_EQ(axis.selectedRange(), range);
    filter.pick(phase);
    EXPECT_EQ(filter.state().span, phase) << "and a span that of a range";
    EXPECT_FALSE(axis.selectedRange());
    filter.back();
    EXPECT_EQ(filter.state().range, range) << "in one step";
    EXPECT_EQ(axis.selectedRange(), range);
    filter.forward();
    EXPECT_EQ(filter.state().span, phase);

    // Looked at, it does not count until it is picked.
    filter.remove(RunFilter::Condition::kSelection);
    EXPECT_FALSE(axis.selectedSpan());
    filter.look(phase);
    EXPECT_FALSE(filter.usesSelection());
    filter.pick(phase);
    EXPECT_EQ(filter.state().span, phase);

    // The chip goes and what is looked at stays; so it does going back.
    filter.pick(op);
    filter.remove(RunFilter::Condition::kSelection);
    EXPECT_FALSE(filter.usesSelection());
    EXPECT_EQ(axis.selectedSpan(), op);
    filter.back();
    EXPECT_EQ(filter.state().span, phase);
    EXPECT_EQ(axis.selectedSpan(), op);
    filter.reset();
    EXPECT_EQ(filter.state(), RunFilter::State());
}

TEST_F(TablesTest, BackUndoesTheFilterAndTheSelection) {
    OpTable table(document, axis, filter);
    const std::int64_t all = instances(table);
    auto* back = table.findChild<QToolButton*>(QStringLiteral("filterBack"));
    EXPECT_FALSE(back->isEnabled());
    filter.setModule("blocks.0");
    const std::int64_t inModule = instances(table);
    // Dragging a range is one step, however many positions it goes through.
    for (int i = 3; i < 8; ++i)
        axis.setSelectedRange(
            TimeRange{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value * i / 10)});
    EXPECT_NE(instances(table), inModule);
    QTest::mouseClick(back, Qt::LeftButton);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_EQ(instances(table), inModule);
    filter.forward();
    EXPECT_TRUE(axis.selectedRange());
    filter.back();
    filter.back();
    EXPECT_EQ(instances(table), all);
    EXPECT_FALSE(back->isEnabled());
    filter.setText(QStringLiteral("m"));
    filter.setText(QStringLiteral("mm"));
    filter.back();
    EXPECT_TRUE(filter.state().text.isEmpty());
    // Another run starts anew.
    filter.setModule("blocks.0");
    document.setSnapshot(test::makeSyntheticRun());
    EXPECT_EQ(filter.state(), RunFilter::State());
    EXPECT_FALSE(filter.canGoBack());
}

TEST_F(TablesTest, ManyConditionsGoUnderOneChipWhereThereIsNoRoom) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.resize(720, 300);
    table.show();
    filter.setModule("blocks.1.attn");
    filter.setPhase(Phase::kBackward);
    filter.setName("aten::_scaled_dot_product_attention_math");
    QCoreApplication::processEvents();
    EXPECT_LE(table.minimumSizeHint().width(), 720);
    auto* more = table.findChild<QToolButton*>(QStringLiteral("filterMore"));
    int shown = 0;
    for (auto* found : table.findChildren<QToolButton*>())
        shown += found->objectName().startsWith(QStringLiteral("chip")) && found->isVisible() ? 1 : 0;
    EXPECT_EQ(more->isVisible(), shown < 4);
    if (more->isVisible()) {
        EXPECT_EQ(more->text(), QStringLiteral("%1 more").arg(4 - shown));
        emit more->menu()->aboutToShow();
        ASSERT_EQ(more->menu()->actions().size(), 4 - shown);
        more->menu()->actions().last()->trigger();
        EXPECT_TRUE(filter.state().name.empty());
    }
}

TEST_F(TablesTest, TheTextAndTheSummaryAgree) {
    OpTable table(document, axis, filter);
    table.refreshNow();
    std::int64_t sum = 0;
    int rows = 0;
    for (int r = 0; r < table.model().rowCount(); ++r) {
        const StatisticsRow& row = table.model().rowAt(r).row.figures;
        if (QString::fromStdString(row.name).contains(QStringLiteral("mm"), Qt::CaseInsensitive)) {
            ++rows;
            sum += row.instances;
        }
    }
    ASSERT_GT(rows, 0);
    QTest::keyClicks(table.findChild<QLineEdit*>(QStringLiteral("filterText")), QStringLiteral("MM"));
    EXPECT_EQ(table.table().shownRows(), rows);
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .startsWith(QString::fromStdString(formatGrouped(sum)) + QLatin1Char(' ')));
    filter.setText(QStringLiteral("nothing like it"));
    table.refreshNow();
    EXPECT_EQ(table.table().emptyText(), QStringLiteral("No name contains “nothing like it”"));
}

TEST_F(TablesTest, GroupsOpenAndCloseAndKeepTheirRowsUnderThemHoweverTheyAreSorted) {
    OpTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    table.setGrouping(SpanGrouping::kModule);
    EXPECT_EQ(instances(table), expected({}));
    DataTable& rows = table.table();
    const auto name = [&](int row) { return rows.proxy()->index(row, SpanTableModel::kName); };
    const auto rowNamed = [&](const QString& text) {
        for (int r = 0; r < rows.shownRows(); ++r) {
            if (name(r).data(kPlainRole).toString() == text)
                return r;
        }
        return -1;
    };
    const int closed = rows.shownRows();
    const int blocks = rowNamed(QStringLiteral("blocks"));
    ASSERT_GE(blocks, 0);
    EXPECT_EQ(name(blocks).data(kExpansionRole).toInt(), kCollapsed);
    rows.setCurrentIndex(rows.proxy()->index(blocks, 0));
    QTest::keyClick(&rows, Qt::Key_Right);
    EXPECT_EQ(rows.shownRows(), closed + 2);
    for (const int column : {SpanTableModel::kInstances, SpanTableModel::kName, SpanTableModel::kTotal}) {
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            rows.sortByColumn(column, order);
            const int at = rowNamed(QStringLiteral("blocks"));
            for (int child = 1; child <= 2; ++child) {
                EXPECT_EQ(name(at + child).data(kDepthRole).toInt(), 1);
                EXPECT_TRUE(
                    name(at + child).data(kPlainRole).toString().startsWith(QStringLiteral("blocks.")));
            }
            std::vector<QVariant> values;
            for (int r = 0; r < rows.shownRows(); ++r) {
                if (name(r).data(kDepthRole).toInt() == 0)
                    values.push_back(rows.proxy()->index(r, column).data(kPlainRole));
            }
            for (std::size_t i = 1; i < values.size(); ++i) {
                const bool inOrder = QVariant::compare(values[i - 1], values[i]) != QPartialOrdering::Greater;
                const bool reversed =
                    QVariant::compare(values[i], values[i - 1]) != QPartialOrdering::Greater;
                EXPECT_TRUE(order == Qt::AscendingOrder ? inOrder : reversed) << column;
            }
        }
    }
    rows.setCurrentIndex(rows.proxy()->index(rowNamed(QStringLiteral("blocks")) + 1, 0));
    QTest::keyClick(&rows, Qt::Key_Left);  // to the group around
    EXPECT_EQ(rows.currentIndex().row(), rowNamed(QStringLiteral("blocks")));
    QTest::keyClick(&rows, Qt::Key_Left);
    EXPECT_EQ(rows.shownRows(), closed);
    // A click on the chevron, and one beside it.
    table.resize(1000, 400);
    const QModelIndex cell = name(rowNamed(QStringLiteral("blocks")));
    const QPoint chevron = rows.visualRect(cell).topLeft() + QPoint(10, 12);
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, chevron);
    EXPECT_EQ(rows.shownRows(), closed + 2);
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, chevron + QPoint(60, 0));
    EXPECT_EQ(rows.shownRows(), closed + 2);
}

TEST_F(TablesTest, ColumnsFitUntilThePersonChooses) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.show();
    DataTable& rows = table.table();
    for (const int width : {720, 1100, 1900}) {
        table.resize(width, 300);
        table.refreshNow();
        int used = 0;
        for (int c = 0; c < SpanTableModel::kColumnCount; ++c)
            used += rows.isColumnHidden(c) ? 0 : rows.columnWidth(c);
        EXPECT_LE(used, rows.viewport()->width()) << "nothing is cut off, nothing scrolls";
        EXPECT_FALSE(rows.isColumnHidden(SpanTableModel::kInstances));
        EXPECT_EQ(rows.isColumnHidden(SpanTableModel::kStandardDeviation), width < 1900);
    }
    QMenu menu;
    rows.fillColumnMenu(menu);
    for (QAction* action : menu.actions()) {
        if (action->text() == QStringLiteral("Max"))
            action->trigger();
    }
    EXPECT_TRUE(rows.isColumnHidden(SpanTableModel::kMax));
    const QStringList chosen = rows.chosenColumns();
    EXPECT_TRUE(chosen.contains(QStringLiteral("StdDev")));
    EXPECT_FALSE(chosen.contains(QStringLiteral("Max")));
    table.resize(720, 300);
    EXPECT_FALSE(rows.isColumnHidden(SpanTableModel::kStandardDeviation)) << "what was chosen stays";
    rows.setChosenColumns({QStringLiteral("Instances"), QStringLiteral("no such column")});
    EXPECT_EQ(rows.chosenColumns(), QStringList{QStringLiteral("Instances")});
    EXPECT_TRUE(rows.isColumnHidden(SpanTableModel::kStandardDeviation));
    EXPECT_FALSE(rows.isColumnHidden(SpanTableModel::kName)) << "the name always stays";
}

TEST_F(TablesTest, TheSelectedRowsDurationsLeadToTheLongestOfABar) {
    OpTable table(document, axis, filter);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.resize(1000, 400);
    table.show();
    table.refreshNow();
    ASSERT_FALSE(table.distribution().isHidden());
    DataTable& rows = table.table();
    rows.setCurrentIndex(rows.proxy()->index(0, 0));
    table.refreshNow();
    DurationHistogram& histogram = table.distribution().histogram();
    const DurationDistribution& shown = histogram.distribution();
    const StatisticsRow& row =
        table.model().rowAt(rows.proxy()->mapToSource(rows.currentIndex()).row()).row.figures;
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
            p999 || (property.label.startsWith(QStringLiteral("P99.9")) &&
                     property.value.endsWith(QString::fromStdString(formatDuration(shown.percentiles[4]))));
    EXPECT_TRUE(p999);
}

TEST_F(TablesTest, EnterOnAnOpGoesToItsLongestInstance) {
    OpTable table(document, axis, filter);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    const std::string name =
        table.model()
            .rowAt(table.table().proxy()->mapToSource(table.table().currentIndex()).row())
            .row.figures.name;
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
    const auto* summary = table.findChild<QLabel*>(QStringLiteral("opSummary"));
    EXPECT_TRUE(summary->text().contains(QStringLiteral("in set-up and warm-up steps")))
        << "a run that ended is not in warm-up any more";
    document.follow(writer.feed());
    table.refreshNow();
    EXPECT_TRUE(summary->text().contains(QStringLiteral("in the run so far, in warm-up")));
}

TEST_F(TablesTest, NoBarForcesTheCentreToBeWide) {
    OpTable ops(document, axis, filter);
    AllocationsTable allocations(document, axis, filter);
    ops.findChild<QWidget*>(QStringLiteral("opSubject"))->show();
    axis.setSelectedSpan(spanOf(TrackKind::kModule, "blocks.1.attn"));
    ops.refreshNow();
    allocations.refreshNow();
    constexpr int kCentre = 720;  // of a window of 1280 px, beside run panel and inspector
    EXPECT_LE(ops.minimumSizeHint().width(), kCentre);
    EXPECT_LE(allocations.minimumSizeHint().width(), kCentre);
}

TEST_F(TablesTest, ComputesOnlyWhileShown) {
    OpTable table(document, axis, filter);
    QCoreApplication::processEvents();
    EXPECT_EQ(table.model().rowCount(), 0);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.show();
    for (int i = 0; i < 1000 && table.model().rowCount() == 0; ++i)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    EXPECT_GT(table.model().rowCount(), 5);
}

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

TEST_F(TablesTest, AllocationsAreThoseAliveAtTheCursor) {
    AllocationsTable table(document, axis, filter);
    for (const std::int64_t part : {0, 3, 5, 9}) {
        const Nanoseconds t(run->range().end.value * part / 10);
        axis.setCursor(t);
        table.refreshNow();
        const auto alive = document.memory().aliveAt(t);
        const auto largest = largestAllocations(document.memory(), alive, AllocationsTable::kMost);
        ASSERT_EQ(table.model().rowCount(), static_cast<int>(largest.size()));
        std::int64_t shown = 0, bytes = 0;
        for (int r = 0; r < table.model().rowCount(); ++r)
            shown += table.model().rowAt(r).row.bytes;
        for (const auto& detail : largest)
            bytes += detail.row.bytes;
        EXPECT_EQ(shown, bytes);
    }
}

TEST_F(TablesTest, EnterOnAnAllocationShowsItsLife) {
    AllocationsTable table(document, axis, filter);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    QTest::keyClick(&table.table(), Qt::Key_Return);
    const AllocationDetail& d =
        table.model().rowAt(table.table().proxy()->mapToSource(table.table().proxy()->index(0, 0)).row());
    EXPECT_EQ(axis.pinnedCursor(), d.allocated);
    EXPECT_TRUE(axis.visibleRange().contains(d.allocated));
    EXPECT_FALSE(axis.selectedRange()) << "it would filter the table that it was picked in";
}

TEST_F(TablesTest, AllocationsAreFilteredByWhereTheyWereMadeAndByWhen) {
    AllocationsTable table(document, axis, filter);
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
    EXPECT_TRUE(table.table().emptyText().contains(QStringLiteral("no such module")));
}

TEST_F(TablesTest, TheAllocationsCaptionFollowsTheText) {
    AllocationsTable table(document, axis, filter);
    table.refreshNow();
    const auto* summary = table.findChild<QLabel*>(QStringLiteral("allocationSummary"));
    const QString all = summary->text();
    QTest::keyClicks(table.findChild<QLineEdit*>(QStringLiteral("filterText")), QStringLiteral("weights"));
    ASSERT_LT(table.table().shownRows(), table.model().rowCount());
    EXPECT_EQ(summary->text(), QStringLiteral("%1 of %2").arg(table.table().shownRows()).arg(all));
    filter.setText({});
    EXPECT_EQ(summary->text(), all);
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

TEST_F(TablesTest, EveryTableDrawsWithAndWithoutARunAtAnySize) {
    OpTable ops(document, axis, filter);
    PhasesTable phases(document, axis, filter);
    AllocationsTable allocations(document, axis, filter);
    for (const bool opened : {true, false}) {
        if (!opened)
            document.clear();
        for (QWidget* view : std::initializer_list<QWidget*>{&ops, &phases, &allocations}) {
            for (const QSize size : {QSize(40, 30), QSize(1064, 330)}) {
                const QImage image = renderWidget(*view, size, 2);
                EXPECT_EQ(image.size(), size * 2);
            }
        }
        EXPECT_EQ(ops.model().rowCount() > 0, opened);
    }
}

}  // namespace
}  // namespace warpglass::ui
