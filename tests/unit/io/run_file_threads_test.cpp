// Recording, writing the file and reading at the same time, as a live run does; under the thread sanitizer
// this is the test that the store's promises hold.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/support/must.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/snapshot_walk.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io/random_trace.h"

namespace warpglass::test::run_file_threads_test {

TEST(RunFileThreads, RecordingWritingViewingAndOpeningAtOnce) {
    TemporaryFolder folder;
    RandomTrace trace(41);
    const std::shared_ptr<TraceFeed> feed = trace.writer().feed();
    trace.burst(100);
    trace.commit();
    auto writer = must(RunFileWriter::create(folder / "a.wgrun"));
    ASSERT_TRUE(writer->write(*feed->latest()));

    std::atomic<bool> recording{true};
    std::atomic<std::uint64_t> sum{0};
    trace.writer().handOver();
    std::thread recorder([&] {
        for (int i = 0; i < 150; ++i) {
            trace.burst(1000);
            trace.commit();
        }
        trace.writer().settle();
        trace.commit();
        recording = false;
    });
    std::thread fileWriter([&] {
        while (recording)
            EXPECT_TRUE(writer->write(*feed->latest()));
    });
    std::thread viewer([&] {
        while (recording)
            sum += readEverything(*feed->latest());
    });
    std::thread opener([&] {
        while (recording) {
            const auto opened = must(openRun(folder / "a.wgrun"));
            // What was read at opening holds, though the file grows beneath it.
            const Snapshot& snapshot = *opened.snapshot;
            for (std::size_t lane = 0; lane < snapshot.laneCount(); ++lane) {
                if (const std::uint64_t rows = snapshot.lane(LaneId(lane)).rows(); rows > 0) {
                    EXPECT_TRUE(snapshot.lane(LaneId(lane)).row(rows - 1));
                }
            }
            sum += readEverything(snapshot);
        }
    });
    for (std::thread* thread : {&recorder, &fileWriter, &viewer, &opener})
        thread->join();
    ASSERT_TRUE(finishRun(*writer, *feed->latest()));
    const auto opened = must(openRun(folder / "a.wgrun"));
    // The trace was never told that its run had ended.
    EXPECT_EQ(firstDifferenceOfCutOff(*feed->latest(), *opened.snapshot), "");
}

TEST(RunFileThreads, ManyThreadsLoadTheChunksOfOneOpenedRun) {
    TemporaryFolder folder;
    const auto run = makeManySpans(6 * kChunkRows + 100, 2);
    ASSERT_TRUE(saveRun(*run, folder / "a.wgrun"));
    const std::uint64_t expected = readEverything(*run);
    const auto opened = must(openRun(folder / "a.wgrun"));
    std::vector<std::thread> threads;
    std::atomic<int> same{0};
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { same += readEverything(*opened.snapshot) == expected ? 1 : 0; });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(same, 4);
}

}  // namespace warpglass::test::run_file_threads_test
