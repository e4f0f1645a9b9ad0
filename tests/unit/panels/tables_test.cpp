// The tables of ops, phases and allocations on a run: what they count, and what a selection changes.
#include <gtest/gtest.h>

#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTest>
#include <QToolButton>

#include "engine/base/format.h"
#include "tests/support/synthetic_trace.h"
#include "ui/models/span_details.h"
#include "ui/panels/allocations_table.h"
#include "ui/panels/op_table.h"
#include "ui/panels/phases_table.h"
#include "ui/theme/data_table.h"
#include "ui/theme/segmented_control.h"

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
            sum += table.model().rowAt(r).instances;
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
};

TEST_F(TablesTest, OpsCountWhatTheScopeSays) {
    OpTable table(document, axis);
    EXPECT_EQ(table.scope(), OpTable::Scope::kMeasured);
    SpanFilter measured;
    measured.measuredOnly = true;
    EXPECT_EQ(instances(table), expected(measured));
    auto* scopes = table.findChild<SegmentedControl*>(QStringLiteral("opScope"));
    QTest::mouseClick(scopes->button(0), Qt::LeftButton);
    EXPECT_EQ(instances(table), expected({}));
    EXPECT_GT(expected({}), expected(measured));
    QTest::mouseClick(scopes->button(2), Qt::LeftButton);
    const TimeRange view{Nanoseconds(run->range().end.value / 3), Nanoseconds(run->range().end.value / 2)};
    axis.setVisibleRange(view);
    SpanFilter inView;
    inView.ranges = {view};
    EXPECT_EQ(instances(table), expected(inView));
}

TEST_F(TablesTest, ASelectionOverrulesTheScopeUntilItsChipIsClicked) {
    OpTable table(document, axis);
    const std::int64_t all = instances(table);
    auto* chip = table.findChild<QToolButton*>(QStringLiteral("opSelection"));
    EXPECT_TRUE(chip->isHidden());
    const TimeRange range{Nanoseconds(run->range().end.value / 4), Nanoseconds(run->range().end.value / 3)};
    axis.setSelectedRange(range);
    SpanFilter filter;
    filter.ranges = {range};
    EXPECT_EQ(instances(table), expected(filter));
    EXPECT_FALSE(chip->isHidden());
    EXPECT_TRUE(chip->text().contains(QString::fromStdString(formatDuration(range.duration()))));
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .contains(QStringLiteral(" ops begin in the selected ")));
    QTest::mouseClick(chip, Qt::LeftButton);
    EXPECT_FALSE(axis.selectedRange());
    EXPECT_EQ(instances(table), all);
    EXPECT_TRUE(chip->isHidden());
}

TEST_F(TablesTest, ASelectedPhaseOrModuleFiltersAndASelectedOpDoesNot) {
    OpTable table(document, axis);
    const std::int64_t all = instances(table);
    for (const auto& [kind, name] :
         {std::pair{TrackKind::kPhase, "backward"}, std::pair{TrackKind::kModule, "blocks.1.attn"}}) {
        const SpanRef span = spanOf(kind, name);
        axis.setSelectedSpan(span);
        SpanFilter filter;
        filter.ranges = {describeSpan(*run, span)->range()};
        EXPECT_EQ(instances(table), expected(filter)) << name;
        EXPECT_LT(expected(filter), all);
    }
    axis.setSelectedSpan(spanOf(TrackKind::kCpuThread, "aten::mm"));
    EXPECT_EQ(instances(table), all);
}

TEST_F(TablesTest, TheFilterAndTheSummaryAgree) {
    OpTable table(document, axis);
    table.refreshNow();
    auto* filter = table.findChild<QLineEdit*>(QStringLiteral("opFilter"));
    QTest::keyClicks(filter, QStringLiteral("MM"));
    std::int64_t sum = 0;
    int rows = 0;
    for (int r = 0; r < table.model().rowCount(); ++r) {
        const StatisticsRow& row = table.model().rowAt(r);
        if (QString::fromStdString(row.name).contains(QStringLiteral("mm"), Qt::CaseInsensitive)) {
            ++rows;
            sum += row.instances;
        }
    }
    ASSERT_GT(rows, 0);
    EXPECT_EQ(table.table().shownRows(), rows);
    EXPECT_TRUE(table.findChild<QLabel*>(QStringLiteral("opSummary"))
                    ->text()
                    .startsWith(QString::fromStdString(formatGrouped(sum)) + QLatin1Char(' ')));
}

TEST_F(TablesTest, EnterOnAnOpGoesToItsLongestInstance) {
    OpTable table(document, axis);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    const std::string name =
        table.model().rowAt(table.table().proxy()->mapToSource(table.table().currentIndex()).row()).name;
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
    OpTable table(document, axis);
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
    OpTable ops(document, axis);
    AllocationsTable allocations(document, axis);
    ops.findChild<QWidget*>(QStringLiteral("opSubject"))->show();
    axis.setSelectedSpan(spanOf(TrackKind::kModule, "blocks.1.attn"));
    ops.refreshNow();
    allocations.refreshNow();
    constexpr int kCentre = 720;  // of a window of 1280 px, beside run panel and inspector
    EXPECT_LE(ops.minimumSizeHint().width(), kCentre);
    EXPECT_LE(allocations.minimumSizeHint().width(), kCentre);
}

TEST_F(TablesTest, ComputesOnlyWhileShown) {
    OpTable table(document, axis);
    QCoreApplication::processEvents();
    EXPECT_EQ(table.model().rowCount(), 0);
    table.setAttribute(Qt::WA_DontShowOnScreen);
    table.show();
    for (int i = 0; i < 1000 && table.model().rowCount() == 0; ++i)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    EXPECT_GT(table.model().rowCount(), 5);
}

TEST_F(TablesTest, PhasesAreTheQueryWithPeaks) {
    PhasesTable table(document, axis);
    table.refreshNow();
    const auto rows = phaseStatistics(*run);
    ASSERT_EQ(table.model().rowCount(), static_cast<int>(rows.size()));
    for (int r = 0; r < table.model().rowCount(); ++r)
        EXPECT_EQ(table.model().rowAt(r).name, rows[static_cast<std::size_t>(r)].name);
    std::int64_t highest = 0;
    const int peak = table.model().position(StatisticsModel::kPeak);
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
    AllocationsTable table(document, axis);
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

TEST_F(TablesTest, EnterOnAnAllocationSelectsItsLife) {
    AllocationsTable table(document, axis);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    QTest::keyClick(&table.table(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedRange());
    const AllocationDetail& d =
        table.model().rowAt(table.table().proxy()->mapToSource(table.table().proxy()->index(0, 0)).row());
    EXPECT_EQ(axis.selectedRange()->begin, d.allocated);
}

TEST_F(TablesTest, AnAllocationsLifeReplacesTheSelectedSpan) {
    AllocationsTable table(document, axis);
    table.refreshNow();
    axis.setSelectedSpan(spanOf(TrackKind::kCpuThread, "aten::mm"));
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    QTest::keyClick(&table.table(), Qt::Key_Return);
    EXPECT_FALSE(axis.selectedSpan()) << "the inspector would go on describing it";
}

TEST_F(TablesTest, TheAllocationsCaptionFollowsTheFilter) {
    AllocationsTable table(document, axis);
    table.refreshNow();
    const auto* summary = table.findChild<QLabel*>(QStringLiteral("allocationSummary"));
    const QString all = summary->text();
    auto* filter = table.findChild<QLineEdit*>(QStringLiteral("allocationFilter"));
    QTest::keyClicks(filter, QStringLiteral("weights"));
    ASSERT_LT(table.table().shownRows(), table.model().rowCount());
    EXPECT_EQ(summary->text(), QStringLiteral("%1 of %2").arg(table.table().shownRows()).arg(all));
    filter->clear();
    EXPECT_EQ(summary->text(), all);
}

TEST_F(TablesTest, EnterOnAPhaseMovesTheCursorToItsLongestSpan) {
    PhasesTable table(document, axis);
    table.refreshNow();
    table.table().setCurrentIndex(table.table().proxy()->index(0, 0));
    QTest::keyClick(&table.table(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(axis.pinnedCursor(), describeSpan(*run, *axis.selectedSpan())->start);
}

TEST_F(TablesTest, EveryTableDrawsWithAndWithoutARunAtAnySize) {
    OpTable ops(document, axis);
    PhasesTable phases(document, axis);
    AllocationsTable allocations(document, axis);
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
