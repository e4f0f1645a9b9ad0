#include "ui/models/link_indexer.h"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "engine/trace/trace_writer.h"
#include "ui/models/run_document.h"

namespace warpglass::ui {
namespace {

/// Launch i has the id i + 1 and one kernel.
void appendLaunches(TraceWriter& writer, TrackId calls, TrackId kernels, std::uint64_t from,
                    std::uint64_t to) {
    const NameId name = writer.internName("launch");
    for (std::uint64_t i = from; i < to; ++i) {
        SpanRow row;
        row.start = static_cast<std::int64_t>(i) * 100;
        row.duration = row.self = 10;
        row.name = name;
        row.link = i + 1;
        writer.appendSpan(calls, 0, row);
        row.start += 50;
        writer.appendSpan(kernels, 0, row);
    }
    writer.commit(Nanoseconds(static_cast<std::int64_t>(to) * 100));
}

class LinkIndexerTest : public testing::Test {
protected:
    SpanRef at(TrackId track, std::uint64_t row) const {
        return {document.snapshot()->lanesOf(track)[0].id(), row};
    }

    TraceWriter writer;
    TrackId calls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · main");
    TrackId kernels = writer.addTrack(TrackKind::kGpuStream, "GPU 0 · stream 7");
    RunDocument document;
};

TEST_F(LinkIndexerTest, OfASmallRunIsThereAtOnceAndFollowsItsGrowth) {
    EXPECT_EQ(document.links().current(), nullptr);
    appendLaunches(writer, calls, kernels, 0, 1000);
    document.follow(writer.feed());
    EXPECT_EQ(document.links().links(at(kernels, 999)).launch, at(calls, 999));
    appendLaunches(writer, calls, kernels, 1000, 2000);
    document.stopFollowing();
    EXPECT_EQ(document.links().links(at(kernels, 1999)).launch, at(calls, 1999));
    EXPECT_EQ(document.links().chain(at(calls, 1500)).beside(1), at(kernels, 1500));
    document.clear();
    EXPECT_EQ(document.links().current(), nullptr);
    EXPECT_TRUE(document.links().links(SpanRef{LaneId(0), 0}).work.empty());
}

TEST_F(LinkIndexerTest, OfALargeRunComesFromAWorkerAndSaysSo) {
    appendLaunches(writer, calls, kernels, 0, DeferredQuery::kHeavySpans);
    document.setSnapshot(writer.feed()->latest());
    QSignalSpy changed(&document.links(), &LinkIndexer::changed);
    EXPECT_EQ(document.links().current(), nullptr) << "it is being made";
    EXPECT_FALSE(document.links().links(at(kernels, 5)).launch);
    ASSERT_TRUE(changed.count() > 0 || changed.wait(60'000));
    ASSERT_NE(document.links().current(), nullptr);
    EXPECT_EQ(document.links().links(at(kernels, 123'456)).launch, at(calls, 123'456));
}

}  // namespace
}  // namespace warpglass::ui
