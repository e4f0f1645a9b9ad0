// The table of phases, and that of steps: whose clock it goes by, and what it says of what is in no step.
#include <QLineEdit>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/query/findings/run_overview.h"
#include "tests/support/run_conditions.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/panels/tables_fixture.h"
#include "ui/controls/cell_roles.h"
#include "ui/controls/data_table.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/segmented_control.h"
#include "ui/panels/inspector.h"
#include "ui/panels/phases_table.h"
#include "ui/panels/property_list.h"

namespace warpglass::ui::phases_table_test {

double averageOf(const std::vector<StatisticsRow>& rows, const std::string& name,
                 std::source_location at = std::source_location::current()) {
    return test::firstOf(
               rows, [&](const StatisticsRow& row) { return row.name == name; }, at)
        .average;
}

/// A cell of the table of phases, or of that of steps, by its column's key.
QModelIndex phaseCell(const PhasesTable& table, int row, const char* key) {
    return table.model().index(row, statisticsTable(StatisticsOf::kPhases).place(key));
}
QModelIndex stepCell(const PhasesTable& table, int row, const char* key) {
    return table.stepsModel().index(row, stepsTable().place(key));
}

TEST_F(TablesTest, PhasesAreTheQueryWithPeaks) {
    PhasesTable table(document, axis, filter);
    table.refreshNow();
    const auto rows = phaseStatistics(*run);
    ASSERT_EQ(table.model().rowCount(), static_cast<int>(rows.size()));
    for (int r = 0; r < table.model().rowCount(); ++r)
        EXPECT_DOUBLE_EQ(table.model().rowAt(r).average, averageOf(rows, table.model().rowAt(r).name));
    std::int64_t highest = 0;
    for (int r = 0; r < table.model().rowCount(); ++r)
        highest =
            std::max<std::int64_t>(highest, phaseCell(table, r, "peak_bytes").data(kPlainRole).toLongLong());
    EXPECT_EQ(highest, sumOf(document.memory().peak()->bytes));
    // Enter shows the phase.
    makeCurrent(table.table(), 2);
    QTest::keyClick(&table.table(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(describeSpan(*run, *axis.selectedSpan())->kind, TrackKind::kPhase);
}

TEST_F(TablesTest, OfAFileThatHasLostItsMemoryNoneIsStated) {
    const std::filesystem::path cut = std::filesystem::path(testing::TempDir()) / "phases_half.wgrun";
    std::filesystem::copy_file(test::sampleRunPath("small-bf16-naive"), cut,
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
    const auto opened = openRun(cut);
    ASSERT_TRUE(opened) << opened.message();
    show(opened->snapshot);
    PhasesTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    table.refreshNow();
    ASSERT_GT(table.model().rowCount(), 1);
    for (int r = 0; r < table.model().rowCount(); ++r)
        EXPECT_EQ(phaseCell(table, r, "peak_bytes").data().toString(), "–");
    ASSERT_GT(table.stepsModel().rowCount(), 0);
    for (int r = 0; r < table.stepsModel().rowCount(); ++r)
        EXPECT_EQ(stepCell(table, r, "peak_bytes").data().toString(), "–");
    Inspector inspector(document, axis);
    inspector.refreshNow();
    bool unknown = false;
    for (const Property& property : inspector.subject().properties()) {
        unknown = unknown ||
                  (property.label == QStringLiteral("GPU busy") && property.value == QStringLiteral("–"));
        EXPECT_NE(property.label, "Peak");
    }
    EXPECT_TRUE(unknown);
    std::filesystem::remove(cut);
}

TEST_F(TablesTest, EveryStepHasARowAndWarmUpsSaySo) {
    PhasesTable table(document, axis, filter);
    filter.setSteps(RunFilter::Steps::kAll);
    table.setRows(PhasesTable::Rows::kSteps);
    table.refreshNow();
    const MemoryTimeline memory = test::timelineOf(run);
    const auto rows = stepTable(memory, {});
    ASSERT_EQ(table.stepsModel().rowCount(), static_cast<int>(rows.size()));
    EXPECT_EQ(stepCell(table, 0, "counts_as").data().toString(), "warm-up");
    EXPECT_EQ(stepCell(table, 0, "duration_ns").data(kPlainRole).toLongLong(),
              rows[0].range.duration().value);
    EXPECT_FALSE(table.steps().isColumnHidden(stepsTable().place("forward_ns")));
    EXPECT_TRUE(table.steps().isColumnHidden(stepsTable().place("replay_ns")))
        << "no step was a graph's replay";
    makeCurrent(table.steps(), 1);
    QTest::keyClick(&table.steps(), Qt::Key_Return);
    EXPECT_TRUE(axis.visibleRange().contains(rows[1].range.begin));
    filter.setSteps(RunFilter::Steps::kMeasured);
    table.refreshNow();
    EXPECT_LT(table.stepsModel().rowCount(), static_cast<int>(rows.size()));
}

TEST_F(TablesTest, AFilteredPhaseForgetsNoColumnOfStepsThatWasChosen) {
    PhasesTable table(document, axis, filter);
    table.setRows(PhasesTable::Rows::kSteps);
    table.refreshNow();
    const int forward = stepsTable().place("forward_ns"), backward = stepsTable().place("backward_ns");
    DataTable& steps = table.steps();
    steps.setChosenColumns({"Step", "forward", "backward"});
    const QStringList chosen = steps.chosenColumns();
    ASSERT_EQ(chosen.size(), 3);
    filter.setPhase(Phase::kForward);
    table.refreshNow();
    EXPECT_FALSE(steps.isColumnHidden(forward));
    EXPECT_TRUE(steps.isColumnHidden(backward));
    EXPECT_EQ(steps.chosenColumns(), chosen);
    filter.setPhase(std::nullopt);
    table.refreshNow();
    EXPECT_FALSE(steps.isColumnHidden(backward));
    EXPECT_TRUE(steps.isColumnHidden(stepsTable().place("duration_ns"))) << "it was not chosen";
}

TEST_F(TablesTest, EnterOnAPhaseMovesTheCursorToItsLongestSpan) {
    PhasesTable table(document, axis, filter);
    table.refreshNow();
    makeCurrent(table.table(), 0);
    QTest::keyClick(&table.table(), Qt::Key_Return);
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(axis.pinnedCursor(), describeSpan(*run, *axis.selectedSpan())->start);
}

TEST_F(TablesTest, PhasesOfAGpuRunAreTheGpusAndTheHostsAtAChoice) {
    const auto gpuRun = test::openSampleRun("xl-bf16-step");
    show(gpuRun);
    PhasesTable table(document, axis, filter);
    table.refreshNow();
    const auto shown = [&](const std::string& name) {
        for (int r = 0; r < table.model().rowCount(); ++r) {
            if (table.model().rowAt(r).name == name)
                return table.model().rowAt(r).average;
        }
        return -1.0;
    };
    const auto column = [](const char* key) { return statisticsTable(StatisticsOf::kPhases).place(key); };
    EXPECT_TRUE(table.table().isColumnHidden(column("stddev_ns"))) << "one step has no deviation";
    EXPECT_FALSE(table.table().isColumnHidden(column("wait_ns")));
    EXPECT_NE(table.heading().finding.indexOf("the GPU waits for the host for "), -1);
    // What the summary says of the same run.
    const auto gpu = phaseStatistics(*gpuRun, TrackKind::kGpuPhase), host = phaseStatistics(*gpuRun);
    EXPECT_EQ(table.clock(), TrackKind::kGpuPhase);
    for (const RunOverview::PhaseTime& phase : overviewOf(document.memory()).phases)
        EXPECT_DOUBLE_EQ(shown(std::string(phaseName(phase.phase))), phase.nsPerStep);
    EXPECT_NE(shown("optimizer"), averageOf(host, "optimizer"));
    const auto* summary = table.findChild<QLabel*>("phasesSummary");
    EXPECT_EQ(summary->text(), table.heading().finding + " GPU time · 1 measured step after 1 warm-up");
    for (int r = 0; r < table.model().rowCount(); ++r) {
        const auto bar = phaseCell(table, r, "time_share").data(kShareRole).value<ShareBar>();
        const double wait = phaseCell(table, r, "wait_ns").data(kPlainRole).toDouble();
        const QString text = phaseCell(table, r, "wait_ns").data().toString();
        if (!isOutsideSteps(table.model().rowAt(r))) {
            EXPECT_NEAR(bar.pale, wait / table.model().rowAt(r).average, 1e-9) << r;
            EXPECT_EQ(text.endsWith("%)"), wait > 0) << text.toStdString();
        }
    }
    {
        const FigureMode figure(table, {1120, 290});
        EXPECT_TRUE(table.table().isColumnHidden(column("host_ns"))) << "it does not add up to the step";
    }
    EXPECT_FALSE(table.table().isColumnHidden(column("host_ns")));
    auto* clocks = table.findChild<SegmentedControl*>("phasesTableClock");
    ASSERT_FALSE(clocks->isHidden());
    table.setRows(PhasesTable::Rows::kSteps);
    const QModelIndex optimizer = stepCell(table, 0, "optimizer_ns");
    EXPECT_NEAR(optimizer.data(kPlainRole).toDouble(), averageOf(gpu, "optimizer"), 1);
    QTest::mouseClick(clocks->button(0), Qt::LeftButton);
    table.refreshNow();
    EXPECT_EQ(table.clock(), TrackKind::kPhase);
    EXPECT_DOUBLE_EQ(shown("optimizer"), averageOf(host, "optimizer"));
    EXPECT_TRUE(summary->text().contains(" host time · "));
    EXPECT_TRUE(table.table().isColumnHidden(column("wait_ns")) &&
                table.table().isColumnHidden(column("host_ns")));
    EXPECT_NEAR(optimizer.data(kPlainRole).toDouble(), averageOf(host, "optimizer"), 1);
    // A run without a GPU has nothing to choose.
    document.setSnapshot(run);
    table.refreshNow();
    EXPECT_TRUE(clocks->isHidden());
    EXPECT_EQ(table.clock(), TrackKind::kPhase);
}

TEST_F(TablesTest, OfAPhasePickedOnTheHostTheGpusTimeIsThatOfTheSamePhase) {
    const auto gpuRun = test::openSampleRun("xl-bf16-step");
    show(gpuRun);
    PhasesTable table(document, axis, filter);
    const std::int32_t measured = 1;
    const auto spanOfStep = [&](TrackKind kind, const char* name) {
        return longestSpan(*gpuRun, kind, gpuRun->findName(name), {}, measured);
    };
    const auto totals = [&] {
        std::map<std::string, std::int64_t> found;
        for (int r = 0; r < table.model().rowCount(); ++r)
            found[table.model().rowAt(r).name] = table.model().rowAt(r).total.value;
        return found;
    };
    const SpanRef step = *longestSpan(*gpuRun, TrackKind::kStep, std::nullopt, {}, measured);
    std::map<std::string, std::int64_t> all{{"step", describeSpan(*gpuRun, step)->duration.value}};
    // The GPU comes to the last of them after the host has gone through it.
    for (const char* phase : {"forward", "loss", "backward", "optimizer", "zero-grad"}) {
        const auto host = spanOfStep(TrackKind::kPhase, phase), gpu = spanOfStep(TrackKind::kGpuPhase, phase);
        ASSERT_TRUE(host && gpu) << phase;
        filter.pick(*host);
        table.refreshNow();
        EXPECT_EQ(table.clock(), TrackKind::kGpuPhase);
        all[phase] = describeSpan(*gpuRun, *gpu)->duration.value;
        EXPECT_EQ(totals(), (std::map<std::string, std::int64_t>{{"step", all["step"]}, {phase, all[phase]}}))
            << phase;
        EXPECT_EQ(table.stepsModel().rowCount(), 1) << phase;
    }
    filter.pick(step);
    table.refreshNow();
    EXPECT_EQ(totals(), all);
}

TEST_F(TablesTest, WhatHappensOnceStandsUnderTheStepsAndSaysSo) {
    for (const char* sample : {"small-bf16-flash", "large-fp32-out-of-memory"}) {
        document.setSnapshot(test::openSampleRun(sample));
        PhasesTable table(document, axis, filter);
        table.refreshNow();
        bool outside = false;
        int once = 0;
        const QAbstractItemModel& rows = *table.table().proxy();
        for (int r = 0; r < rows.rowCount(); ++r) {
            const auto& columns = statisticsTable(StatisticsOf::kPhases);
            const QString name = rows.index(r, columns.place("name")).data().toString();
            const QModelIndex share = rows.index(r, columns.place("time_share"));
            const bool isOnce =
                name == QLatin1String("setup, once") || name == QLatin1String("teardown, once");
            EXPECT_TRUE(isOnce || !outside) << name.toStdString() << " stands under what happens once";
            outside = outside || isOnce;
            once += isOnce ? 1 : 0;
            EXPECT_EQ(share.data(kShareRole).isValid(), !isOnce);
        }
        EXPECT_EQ(once, 2) << sample;
    }
}

TEST_F(TablesTest, PhasesOfARunWithoutACompleteStepSayWhy) {
    document.setSnapshot(test::openSampleRun("large-fp32-out-of-memory"));
    PhasesTable table(document, axis, filter);
    table.refreshNow();
    EXPECT_EQ(label(table, "phasesSummary"),
              "no step was completed: memory ran out in step 0, see Every step");
    ASSERT_EQ(table.stepsModel().rowCount(), 1) << "which has the step that was cut off";
    EXPECT_EQ(stepCell(table, 0, "counts_as").data().toString(), "cut off");
}

TEST_F(TablesTest, OfARangeThatCutsAStepTheSummarySaysWhatIsWhole) {
    PhasesTable table(document, axis, filter);
    const auto* summary = table.findChild<QLabel*>("phasesSummary");
    const QString rule = "that reaches into the selected";
    table.refreshNow();
    EXPECT_FALSE(summary->text().contains(rule));
    const auto backward = describeSpan(*run, spanOf(TrackKind::kPhase, "backward"));
    ASSERT_TRUE(backward);
    axis.setSelectedRange(backward->range());
    table.refreshNow();
    EXPECT_TRUE(summary->text().contains(rule)) << summary->text().toStdString();
    QStringList names;
    for (int r = 0; r < table.model().rowCount(); ++r)
        names << QString::fromStdString(table.model().rowAt(r).name);
    EXPECT_TRUE(names.contains("step") && names.contains("backward"));
    EXPECT_FALSE(names.contains("forward"));
    // The field is for the names of phases alone.
    auto* field = table.findChild<QLineEdit*>("filterText");
    EXPECT_EQ(field->toolTip(), "Shows only phases with this text in their name");
}

TEST_F(TablesTest, EveryStepSaysWhatItRanUnder) {
    PhasesTable table(document, axis, filter);
    table.setRows(PhasesTable::Rows::kSteps);
    table.refreshNow();
    const auto isHidden = [&](const char* key) {
        return table.steps().isColumnHidden(stepsTable().place(key));
    };
    for (const char* key : {"others_cores", "waited_share", "sm_clock_mhz"})
        EXPECT_TRUE(isHidden(key)) << "it was not recorded";
    test::MadeConditions made{.othersCores = 3.2};
    made.smClock = [](std::int64_t step) { return step == 2 ? 1410.0 : 1980.0; };
    made.reasons = 4;
    document.setSnapshot(test::makeRun(made));
    filter.setSteps(RunFilter::Steps::kAll);
    table.refreshNow();
    EXPECT_FALSE(isHidden("others_cores"));
    EXPECT_TRUE(isHidden("waited_share")) << "that was not recorded";
    EXPECT_FALSE(isHidden("sm_clock_mhz"));
    ASSERT_EQ(table.stepsModel().rowCount(), 5);
    EXPECT_EQ(stepCell(table, 0, "others_cores").data().toString(), "0.0") << "the warm-up";
    EXPECT_EQ(stepCell(table, 1, "others_cores").data().toString(), "3.2");
    EXPECT_NEAR(stepCell(table, 1, "others_cores").data(kPlainRole).toDouble(), 3.2, 1e-6);
    EXPECT_EQ(stepCell(table, 1, "sm_clock_mhz").data().toString(), "1,980 MHz");
    EXPECT_EQ(stepCell(table, 2, "sm_clock_mhz").data().toString(), "1,410 MHz");
    EXPECT_TRUE(stepCell(table, 2, "sm_clock_mhz").data(Qt::ToolTipRole).toString().contains("power cap"));
}

}  // namespace warpglass::ui::phases_table_test
