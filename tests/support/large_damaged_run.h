// A large run whose file is damaged, as views look at it: what they say of all of it is a worker's to find.
#pragma once

#include <gtest/gtest.h>

#include <QTest>
#include <QWidget>

#include "tests/support/held_workers.h"
#include "tests/support/large_lossy_run.h"
#include "tests/support/show_unseen.h"
#include "tests/support/temporary_folder.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::test {

/// Shown in a document; its chunks of some kinds of track cannot be read.
struct LargeDamagedRun : testing::Test {
    static constexpr int kMoment = 500;  // ms in which the window's thread could do what is not its own
    static constexpr int kLong = 60'000;

    explicit LargeDamagedRun(std::initializer_list<TrackKind> without)
        : run(openLargeRunWithout(folder.path(), without)) {
        EXPECT_GT(run->spanCount(), ui::DeferredQuery::kHeavySpans);
        document.setSnapshot(run);
        axis.setFullRange(run->range());
        // What is measured is looked up in the steps, one chunk of them.
        for (const TrackId track : run->tracksOfKind(TrackKind::kStep)) {
            for (const SpanLane& lane : run->lanesOf(track))
                lane.row(0);
        }
    }

    /// Shown, the view reads nothing until workers are free, and then says `shown`; `meanwhile` is asked
    /// while they are held.
    template <class Shown, class Meanwhile>
    void expectLeftToTheWorkers(QWidget& view, Shown&& shown, Meanwhile&& meanwhile) {
        HeldWorkers workers;
        const std::uint64_t before = run->bytesInMemory();
        showUnseen(view, {1200, 900});
        EXPECT_FALSE(QTest::qWaitFor([&] { return shown() || run->bytesInMemory() != before; }, kMoment));
        EXPECT_EQ(run->bytesInMemory(), before) << "the window's thread has read some of it";
        meanwhile();
        workers.release();
        EXPECT_TRUE(QTest::qWaitFor(shown, kLong));
        EXPECT_GT(run->bytesInMemory(), before);
    }
    template <class Shown>
    void expectLeftToTheWorkers(QWidget& view, Shown&& shown) {
        expectLeftToTheWorkers(view, shown, [] {});
    }

    TemporaryFolder folder;
    std::shared_ptr<const Snapshot> run;
    ui::RunDocument document;
    ui::TimeAxis axis;
};

}  // namespace warpglass::test
