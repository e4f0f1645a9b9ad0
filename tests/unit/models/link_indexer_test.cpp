#include "ui/models/link_indexer.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/support/run_damage.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "ui/models/run_document.h"

namespace warpglass::ui::link_indexer_test {

/// One every 100 ns from the `from`-th on, each of one kernel.
void appendLaunches(test::TraceText& run, std::uint64_t from, std::uint64_t to) {
    run.add(test::filled("repeat % every 100 | launch %-% | kernel gemm %-%\nend %", to - from, from * 100,
                         from * 100 + 10, from * 100 + 50, from * 100 + 60, to * 100));
}

struct LinkIndexerTest : testing::Test {
    SpanRef at(TrackId track, std::uint64_t row) const {
        return {document.snapshot()->lanesOf(track)[0].id(), row};
    }

    test::TraceText run;
    TrackId calls = run.track(TrackKind::kApiThread, "CUDA calls · main");
    TrackId kernels = run.track(TrackKind::kGpuStream, "GPU 0 · stream 7");
    RunDocument document;
};

TEST_F(LinkIndexerTest, OfASmallRunIsThereAtOnceAndFollowsItsGrowth) {
    EXPECT_EQ(document.links().current(), nullptr);
    appendLaunches(run, 0, 1000);
    document.follow(run.feed());
    EXPECT_EQ(document.links().links(at(kernels, 999)).launch, at(calls, 999));
    appendLaunches(run, 1000, 2000);
    document.stopFollowing();
    EXPECT_EQ(document.links().links(at(kernels, 1999)).launch, at(calls, 1999));
    EXPECT_EQ(document.links().chain(at(calls, 1500)).beside(1), at(kernels, 1500));
    document.clear();
    EXPECT_EQ(document.links().current(), nullptr);
    EXPECT_TRUE(document.links().links(SpanRef{LaneId(0), 0}).work.empty());
}

TEST_F(LinkIndexerTest, OfALargeRunComesFromAWorkerAndSaysSo) {
    appendLaunches(run, 0, DeferredQuery::kHeavySpans);
    document.setSnapshot(run.snapshot());
    QSignalSpy changed(&document.links(), &LinkIndexer::changed);
    EXPECT_EQ(document.links().current(), nullptr) << "it is being made";
    EXPECT_FALSE(document.links().links(at(kernels, 5)).launch);
    ASSERT_TRUE(changed.count() > 0 || changed.wait(60'000));
    ASSERT_NE(document.links().current(), nullptr);
    EXPECT_EQ(document.links().links(at(kernels, 123'456)).launch, at(calls, 123'456));
}

/// A module with two ops of three launches each: up from any kernel and down again are the same spans.
TEST_F(LinkIndexerTest, TheWayBackIsTheWayOneCame) {
    const TrackId modules = run.track(TrackKind::kModule, "modules"),
                  ops = run.track(TrackKind::kCpuThread, "main");
    run.add("module blocks.0 0-600 phase forward | op aten::mm 0-290 ; op aten::mm 300-590");
    appendLaunches(run, 0, 6);
    document.setSnapshot(run.snapshot());
    LinkIndexer& links = document.links();
    for (std::uint64_t i = 0; i < 6; ++i) {
        const std::vector<SpanRef> way = {at(kernels, i), at(calls, i), at(ops, i / 3), at(modules, 0)};
        for (std::size_t level = 1; level < way.size(); ++level) {
            EXPECT_EQ(links.walk(way[level - 1], -1), way[level]);
            EXPECT_EQ(links.chain(way[level]).spans[static_cast<std::size_t>(CauseLevel::kWork)], way[0])
                << "what a panel shows is what is walked";
        }
        EXPECT_EQ(links.walk(way.back(), -1), std::nullopt);
        for (std::size_t level = way.size() - 1; level > 0; --level)
            EXPECT_EQ(links.walk(way[level], 1), way[level - 1]);
    }
    // By a line of a panel likewise, over several levels.
    links.chain(at(kernels, 5));
    links.follow(at(kernels, 5), at(modules, 0));
    EXPECT_EQ(links.walk(at(modules, 0), 1), at(ops, 1));
    EXPECT_EQ(links.walk(at(ops, 1), 1), at(calls, 5));
    // Whoever has been elsewhere begins anew: the first op of the module, and its first launch.
    links.chain(at(kernels, 2));
    EXPECT_EQ(links.walk(at(modules, 0), 1), at(ops, 0));
    EXPECT_EQ(links.walk(at(ops, 0), 1), at(calls, 0));
    EXPECT_EQ(links.chain(at(ops, 1)).beside(1), at(calls, 3));
}

/// A capture of one kernel and its replay; the rows of another thread turn out damaged once the links are
/// known: what was lost may have been a call of the capture.
TEST_F(LinkIndexerTest, TheLinksOfAGraphGoWithDamageThatIsFoundLater) {
    const auto recorded = test::traceOf(R"(
        capture 5-100 | op aten::mm 10-30 | launch 15-20
        op aten::add 40-60 thread "thread 1"
        step 0 105-130 | call cuGraphLaunch 110-115 | kernel kernel 120-123 op aten::mm node 8589934593
        end 200
    )");
    const test::TemporaryFolder folder;
    const auto path = folder / "damaged.wgrun";
    ASSERT_TRUE(saveRun(*recorded, path));
    test::alterRun(path,
                   "UPDATE chunks SET data=zeroblob(1000) WHERE kind=0 AND lane IN (SELECT lanes.id FROM "
                   "lanes JOIN tracks ON tracks.id=lanes.track WHERE tracks.kind=" +
                       std::to_string(static_cast<int>(TrackKind::kCpuThread)) +
                       " ORDER BY tracks.id DESC LIMIT 1)");
    const auto run = openRun(path);
    ASSERT_TRUE(run) << run.message();
    document.setSnapshot(run->snapshot);
    ASSERT_TRUE(document.links().current());
    EXPECT_TRUE(document.links().current()->knowsCaptured());
    EXPECT_EQ(run->snapshot->damage().count(), 0u) << "nobody has read it";
    const TrackId damaged = run->snapshot->tracksOfKind(TrackKind::kCpuThread).back();
    EXPECT_FALSE(run->snapshot->lanesOf(damaged)[0].row(0));
    EXPECT_TRUE(QTest::qWaitFor([this] { return !document.links().current()->knowsCaptured(); }, 60'000));
}

}  // namespace warpglass::ui::link_indexer_test
