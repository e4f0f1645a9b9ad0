#include "ui/timeline/read_ahead.h"
#include "ui/models/worker_pool.h"

#include <gtest/gtest.h>

#include <QTemporaryDir>
#include <QThreadPool>
#include <algorithm>

#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::read_ahead_test {

constexpr std::int64_t kEach = 10;
constexpr std::size_t kChunks = 12;

/// One lane of kChunks chunks, a span every kEach ns.
std::shared_ptr<const Snapshot> makeLongLane() {
    TraceWriter writer;
    const TrackId track = writer.addTrack(TrackKind::kCpuThread, "main");
    SpanRow row{.duration = kEach - 3, .self = kEach - 3, .name = writer.internName("aten::mm")};
    for (std::size_t i = 0; i < kChunks * kChunkRows; ++i) {
        row.start = static_cast<std::int64_t>(i) * kEach;
        writer.appendSpan(track, 0, row);
    }
    writer.commit(Nanoseconds(row.start + kEach));
    return writer.feed()->latest();
}

TEST(ReadAhead, WantsWhatIsInViewAndItsNeighbors) {
    const auto run = makeLongLane();
    const SpanLane lane = run->lane(LaneId(0));
    std::uint64_t random = 9;
    const std::int64_t end = run->range().end.value;
    int some = 0;
    for (int i = 0; i < 300; ++i) {
        const auto begin =
            static_cast<std::int64_t>(test::nextRandom(random) % static_cast<std::uint64_t>(end));
        const TimeRange visible{Nanoseconds(begin), Nanoseconds(begin + (end >> (i % 12)))};
        std::vector<std::size_t> inView;
        for (std::size_t c = 0; c < lane.chunkCount(); ++c) {
            if (lane.chunkRange(c).overlaps(visible))
                inView.push_back(c);
        }
        const std::vector<std::size_t> wanted = ReadAhead::chunksFor(lane, visible);
        if (inView.size() > ReadAhead::kMostInView) {
            EXPECT_TRUE(wanted.empty());
            continue;
        }
        ++some;
        ASSERT_LE(wanted.size(), inView.size() + 2);
        ASSERT_TRUE(std::equal(inView.begin(), inView.end(), wanted.begin()))
            << "what is in view comes first";
        for (const std::size_t c : inView) {
            for (const std::size_t neighbor : {c - 1, c + 1}) {
                if (neighbor < lane.chunkCount()) {
                    EXPECT_NE(std::find(wanted.begin(), wanted.end(), neighbor), wanted.end());
                }
            }
        }
    }
    EXPECT_GT(some, 100);
}

/// Beside the frames, which read the same chunks: the thread sanitizer looks at this one.
TEST(ReadAhead, ReadsOnAWorker) {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("run.wgrun").toStdString();
    ASSERT_TRUE(saveRun(*makeLongLane(), path));
    const auto opened = openRun(path);
    ASSERT_TRUE(opened);
    ReadAhead ahead;
    // Many requests, each giving up what is left of the one before; the last one is carried out.
    for (std::int64_t i = 0; i < 50; ++i)
        ahead.request(opened->snapshot, {LaneId(0)}, {Nanoseconds(i * 1000), Nanoseconds(i * 1000 + 500)});
    workerPool().waitForDone();
    ahead.request(opened->snapshot, {LaneId(0)}, opened->snapshot->range());
    ahead.giveUp();
    workerPool().waitForDone();
    // The rows are those that were saved.
    const SpanLane lane = opened->snapshot->lane(LaneId(0));
    for (std::uint64_t row = 0; row < 2 * kChunkRows; row += 997)
        ASSERT_EQ(lane.row(row)->start, static_cast<std::int64_t>(row) * kEach);
}

}  // namespace warpglass::ui::read_ahead_test
