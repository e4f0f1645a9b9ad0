// Panels over a large run whose file is damaged: all of it is read for what they say of it, by a worker.
#include <gtest/gtest.h>

#include <QLabel>
#include <QTest>

#include "engine/query/completeness/completeness.h"
#include "engine/query/statistics/statistics.h"
#include "tests/support/large_damaged_run.h"
#include "tests/support/show_unseen.h"
#include "ui/controls/data_table.h"
#include "ui/models/run_filter.h"
#include "ui/panels/inspector.h"
#include "ui/panels/op_table.h"
#include "ui/panels/phases_table.h"
#include "ui/panels/property_list.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::damaged_run_test {

struct PanelsOfADamagedRun : test::LargeDamagedRun {
    PanelsOfADamagedRun() : LargeDamagedRun({TrackKind::kGpuStream, TrackKind::kGpuPhase}) {}
};

TEST_F(PanelsOfADamagedRun, TheInspectorSaysThatTheGpusUseIsNotKnown) {
    Inspector inspector(document, axis);
    const auto busy = [&]() -> const Property* {
        for (const Property& property : inspector.subject().properties()) {
            if (property.label == QStringLiteral("GPU busy"))
                return &property;
        }
        return nullptr;
    };
    expectLeftToTheWorkers(inspector, [&] { return busy() != nullptr; });
    EXPECT_EQ(busy()->value, "–") << "all kernels are lost";
    EXPECT_TRUE(busy()->toolTip.endsWith("missing from the file"));
}

TEST_F(PanelsOfADamagedRun, TheTableOfKernelsSaysThatTheyAreNotInTheFile) {
    RunFilter filter(document, axis);
    OpTable table(document, axis, filter);
    table.setSubject(OpTable::Subject::kKernels);
    const QString lost = toQString(absenceInWords(DataKind::kKernels, Absence::kLost));
    expectLeftToTheWorkers(table, [&] { return table.table().emptyText() == lost; });
    EXPECT_EQ(table.model().rowCount(), 0);
}

TEST_F(PanelsOfADamagedRun, TheTableOfPhasesSaysWhyItIsByTheHostsClock) {
    RunFilter filter(document, axis);
    PhasesTable table(document, axis, filter);
    expectLeftToTheWorkers(table, [&] { return table.model().rowCount() > 0; });
    EXPECT_EQ(table.clock(), TrackKind::kPhase);
    const QString summary = table.findChild<QLabel*>("phasesSummary")->text();
    EXPECT_TRUE(summary.contains("measured steps after 1 warm-up")) << summary.toStdString();
    EXPECT_TRUE(summary.contains("the GPU's phases are missing from the file")) << summary.toStdString();
    SpanFilter measured{.measuredOnly = true};
    for (const StatisticsRow& row : phaseStatistics(*run, measured)) {
        bool shown = false;
        for (int r = 0; r < table.model().rowCount(); ++r)
            shown = shown || (table.model().rowAt(r).name == row.name &&
                              table.model().rowAt(r).average == row.average);
        EXPECT_TRUE(shown) << row.name;
    }
}

TEST_F(PanelsOfADamagedRun, PhasesOfTheFormerRunAreNotLeftBesideThisOne) {
    const auto former = test::openSampleRun("small-bf16-naive");
    document.setSnapshot(former);
    axis.setFullRange(former->range());
    RunFilter filter(document, axis);
    PhasesTable table(document, axis, filter);
    test::showUnseen(table, {900, 400});
    table.setRows(PhasesTable::Rows::kSteps);
    table.refreshNow();
    ASSERT_EQ(table.clock(), TrackKind::kGpuPhase);
    ASSERT_GT(table.steps().shownRows(), 1);
    table.steps().selectRow(1);
    {
        test::HeldWorkers workers;
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        EXPECT_FALSE(QTest::qWaitFor(
            [&] { return table.stepsModel().rowCount() > 0 || table.model().rowCount() > 0; }, kMoment));
        EXPECT_EQ(table.clock(), TrackKind::kPhase) << "there is no other clock that is known of";
        EXPECT_TRUE(table.findChild<QLabel*>("phasesSummary")->text().isEmpty());
        const TimeRange visible = axis.visibleRange();
        QTest::keyClick(&table.steps(), Qt::Key_Return);
        EXPECT_EQ(axis.visibleRange(), visible);
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return table.stepsModel().rowCount() > 0; }, kLong));
}

}  // namespace warpglass::ui::damaged_run_test
