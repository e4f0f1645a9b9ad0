// The charts page over a large run whose file is damaged: all of it is read for what the views say of it, and
// for what is chosen in them, by a worker.
#include <QCoreApplication>
#include <QTest>
#include <functional>

#include "engine/base/format.h"
#include "tests/support/has_text.h"
#include "tests/support/large_damaged_run.h"
#include "tests/support/show_unseen.h"
#include "tests/support/span_of.h"
#include "ui/charts/layers_view.h"
#include "ui/charts/phases_view.h"
#include "ui/controls/data_table.h"
#include "ui/models/span_details.h"
#include "ui/models/worker_pool.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui::damaged_run_test {

struct ChartsOfADamagedRun : test::LargeDamagedRun {
    ChartsOfADamagedRun() : LargeDamagedRun({TrackKind::kGpuCopies, TrackKind::kGpuPhase}) {}

    void expectLeftToTheWorkers(ChartView& view, const std::function<bool()>& shown) {
        LargeDamagedRun::expectLeftToTheWorkers(view, shown, [&view] {
            EXPECT_FALSE(view.summary().contains("missing")) << "it is not known yet";
        });
    }

    static QModelIndex rowNamed(DataTable& table, const char* name) {
        const QAbstractItemModel& rows = *table.model();
        for (int row = 0; row < rows.rowCount(); ++row) {
            if (rows.index(row, 0).data().toString() == QLatin1String(name))
                return rows.index(row, 0);
        }
        return {};
    }

    RunFilter filter{document, axis};
};

TEST_F(ChartsOfADamagedRun, PhasesSayWhyTheyAreTheHosts) {
    PhasesView view(document, axis, filter);
    expectLeftToTheWorkers(view, [&] { return !view.chart().phases().empty(); });
    EXPECT_FALSE(view.showsGpu());
    EXPECT_THAT(view.summary(),
                test::HasText(
                    "By the host's clock, which only launches: the GPU's phases are missing from the file"));
}

TEST_F(ChartsOfADamagedRun, LayersSayWhatTheyAreWithoutAndAWorkerFindsWhatIsChosen) {
    LayersView view(document, axis, filter);
    expectLeftToTheWorkers(view, [&] { return view.chart().markCount() > 0; });
    std::uint64_t copies = 0;
    for (const TrackId track : run->tracksOfKind(TrackKind::kGpuCopies)) {
        for (const SpanLane& lane : run->lanesOf(track))
            copies += lane.rows();
    }
    EXPECT_THAT(view.summary(),
                test::BeginsWith(QStringLiteral("incomplete: all %1 copies missing")
                                     .arg(toQString(formatGrouped(static_cast<std::int64_t>(copies))))));

    DataTable& table = view.table();
    ASSERT_TRUE(rowNamed(table, "blocks.3").isValid() && rowNamed(table, "blocks.4").isValid());
    {
        test::HeldWorkers workers;
        table.setCurrentIndex(rowNamed(table, "blocks.3"));
        EXPECT_FALSE(QTest::qWaitFor([&] { return axis.selectedSpan().has_value(); }, kMoment));
        workers.release();
        ASSERT_TRUE(QTest::qWaitFor([&] { return axis.selectedSpan().has_value(); }, kLong));
        EXPECT_EQ(describeSpan(*run, *axis.selectedSpan())->name, "blocks.3");
    }
    // Let go before it has been found.
    {
        test::HeldWorkers workers;
        table.setCurrentIndex(rowNamed(table, "blocks.4"));
        QCoreApplication::processEvents();
        QTest::keyClick(&view.chart(), Qt::Key_Escape);
        EXPECT_FALSE(axis.selectedSpan());
    }
    workerPool().waitForDone();
    EXPECT_FALSE(QTest::qWaitFor([&] { return axis.selectedSpan().has_value(); }, kMoment));
}

TEST_F(ChartsOfADamagedRun, WhatIsSelectedMeanwhileIsNotReplaced) {
    LayersView view(document, axis, filter);
    test::showUnseen(view, {1200, 800});
    view.refreshNow();
    DataTable& table = view.table();
    // An op is looked at: what counts stays.
    const SpanRef other = test::spanOf(*run, TrackKind::kCpuThread);
    {
        test::HeldWorkers workers;
        table.setCurrentIndex(rowNamed(table, "blocks.3"));
        QCoreApplication::processEvents();
        axis.setSelectedSpan(other);
    }
    workerPool().waitForDone();
    EXPECT_FALSE(QTest::qWaitFor([&] { return axis.selectedSpan() != other; }, kMoment));
    // What is chosen after it is looked for.
    table.setCurrentIndex(rowNamed(table, "blocks.4"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return axis.selectedSpan() != other; }, kLong));
    ASSERT_TRUE(axis.selectedSpan());
    EXPECT_EQ(describeSpan(*run, *axis.selectedSpan())->name, "blocks.4");
}

TEST_F(ChartsOfADamagedRun, NothingOfTheFormerRunIsLeftWhileThisOneIsComputed) {
    const auto former = test::openSampleRun("small-bf16-naive");
    document.setSnapshot(former);
    axis.setFullRange(former->range());
    PhasesView phases(document, axis, filter);
    LayersView layers(document, axis, filter);
    for (ChartView* view : {static_cast<ChartView*>(&phases), static_cast<ChartView*>(&layers)}) {
        test::showUnseen(*view, {1200, 800});
        view->refreshNow();
        ASSERT_FALSE(view->summary().isEmpty());
    }
    ASSERT_GT(phases.chart().markCount(), 0);
    ASSERT_TRUE(phases.showsGpu());
    const QPoint dot = phases.chart().markRect(0).center().toPoint();
    {
        test::HeldWorkers workers;
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        EXPECT_FALSE(QTest::qWaitFor(
            [&] { return phases.chart().markCount() > 0 || layers.chart().markCount() > 0; }, kMoment));
        EXPECT_EQ(phases.table().model()->rowCount(), 0);
        EXPECT_EQ(layers.table().model()->rowCount(), 0);
        EXPECT_TRUE(phases.summary().isEmpty() && layers.summary().isEmpty());
        // A dot of the former run would lead to whatever this one has in its place.
        QTest::mouseClick(&phases.chart(), Qt::LeftButton, {}, dot);
        EXPECT_FALSE(axis.selectedSpan());
    }
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return phases.chart().markCount() > 0 && layers.chart().markCount() > 0; }, kLong));
    EXPECT_FALSE(phases.showsGpu());
    workerPool().waitForDone();
}

}  // namespace warpglass::ui::damaged_run_test
