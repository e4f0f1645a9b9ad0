#include "engine/capture/gpu_tracks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/trace/kernel_name.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::test::gpu_tracks_test {

TEST(KernelNames, AreShortenedAsNsysDoes) {
    EXPECT_EQ(shortKernelName(
                  "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                  "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)"),
              "vectorized_elementwise_kernel");
    EXPECT_EQ(shortKernelName(
                  "void (anonymous namespace)::softmax_warp_forward<float, float, float, 9, false, false>"
                  "(float*, float const*, int, int, int, bool const*, int, bool)"),
              "softmax_warp_forward");
    EXPECT_EQ(shortKernelName("nvjet_sm90_tst_96x128_64x7_2x1_v_bz_TNN"),
              "nvjet_sm90_tst_96x128_64x7_2x1_v_bz_TNN");
    EXPECT_EQ(shortKernelName("void cutlass::Kernel2<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>"
                              "(cutlass_80_simt_sgemm_128x64_8x5_nn_align1::Params)"),
              "cutlass_80_simt_sgemm_128x64_8x5_nn_align1");
    EXPECT_EQ(shortKernelName("void cutlass::device_kernel<flash::FlashAttnFwdSm90<a<1>, b> >(flash::c)"),
              "FlashAttnFwdSm90");
    EXPECT_EQ(shortKernelName("f(void (*)(int))"), "f");
    EXPECT_EQ(shortKernelName("ns::f<a<b>, (c)1>(d<e>) [clone .kd]"), "f");
    for (const char* odd : {"", "(", ")", "<", ">", "a<b", "a)b(", "()", "<>", "a::", " "})
        EXPECT_NO_FATAL_FAILURE(shortKernelName(odd)) << odd;
    EXPECT_EQ(demangle("_ZN2at6native3fooIiEEvT_"), "void at::native::foo<int>(int)");
    EXPECT_EQ(demangle("plain_kernel"), "plain_kernel");
}

/// Kernels of one stream, and where the trace put them.
struct GpuTracksTest : testing::Test {
    GpuTracks::Launch launch(Phase phase, const char* module, std::int32_t step, const char* op) {
        return {writer.internPlace({phase, writer.internName(module), NameId()}), step,
                writer.internName(op)};
    }
    GpuRecord kernel(std::uint32_t correlation, std::int64_t begin, std::int64_t end) {
        return {.symbol = "my_kernel",
                .begin = begin,
                .end = end,
                .correlation = correlation,
                .stream = 7,
                .grid = {10, 2, 1},
                .block = {128, 1, 1}};
    }
    std::shared_ptr<const Snapshot> commit() {
        writer.commit(Nanoseconds(0));
        return writer.feed()->latest();
    }
    /// The trace once these have come too.
    std::shared_ptr<const Snapshot> traceWith(std::initializer_list<GpuRecord> records) {
        for (const GpuRecord& record : records)
            gpu.add(record);
        gpu.endBatch();
        return commit();
    }
    std::uint64_t spansWith(std::initializer_list<GpuRecord> records) {
        return traceWith(records)->spanCount();
    }
    static std::uint64_t lossOf(const Snapshot& s, std::string_view name) {
        for (const LossCount& loss : s.losses()) {
            if (loss.name == name)
                return loss.count;
        }
        return 0;
    }

    TraceWriter writer;
    GpuTracks gpu{writer};
};

TEST_F(GpuTracksTest, AKernelHasThePlaceStepAndOpOfItsLaunch) {
    gpu.launched(5, launch(Phase::kForward, "blocks.0.attn", 3, "aten::bmm"), 90, 0, true);
    gpu.launched(6, launch(Phase::kBackward, "norm", 3, "NormBackward"), 95, 1, true);
    GpuRecord second = kernel(6, 300, 350);
    second.registers = 40;
    second.occupancy = 0.5F;
    // Out of order, as buffers may come.
    const auto s = traceWith({second, kernel(5, 100, 200)});
    const auto tracks = s->tracksOfKind(TrackKind::kGpuStream);
    ASSERT_EQ(tracks.size(), 1u);
    EXPECT_EQ(s->name(s->track(tracks[0]).name), "GPU 0 · stream 7");
    const SpanLane lane = s->lanesOf(tracks[0]).at(0);
    ASSERT_EQ(lane.rows(), 2u);
    const SpanRow first = *lane.row(0);
    EXPECT_EQ(first.start, 100);
    EXPECT_EQ(first.duration, 100);
    EXPECT_EQ(first.self, 100);
    EXPECT_EQ(first.step, 3);
    EXPECT_EQ(first.link, 5u);
    EXPECT_EQ(s->name(first.name), "my_kernel");
    EXPECT_EQ(s->place(first.place).phase, Phase::kForward);
    EXPECT_EQ(s->name(s->place(first.place).module), "blocks.0.attn");
    const SpanDetail detail = *s->detail(lane.row(1)->detail);
    EXPECT_EQ(s->name(detail.op), "NormBackward");
    EXPECT_EQ(detail.registers, 40u);
    EXPECT_EQ(detail.grid, (std::array<std::uint32_t, 3>{10, 2, 1}));
    EXPECT_EQ(detail.occupancy, 0.5F);
    EXPECT_TRUE(s->losses().empty());
}

/// The model's thread and autograd's have buffers of their own, and the second one's may fill first.
TEST_F(GpuTracksTest, ARecordWaitsForEarlierOnesThatAreStillToCome) {
    for (std::uint32_t i = 1; i <= 4; ++i)
        gpu.launched(i, {}, i * 100, i > 2 ? 1 : 0, true);
    gpu.launched(5, {}, 450, 0, false);  // a wait makes no work
    EXPECT_EQ(spansWith({kernel(3, 330, 340), kernel(4, 430, 440)}), 0u) << "1 and 2 may begin before them";
    EXPECT_EQ(spansWith({kernel(1, 110, 120)}), 1u);
    const auto s = traceWith({kernel(2, 220, 230)});
    const auto lanes = s->lanesOf(s->tracksOfKind(TrackKind::kGpuStream).at(0));
    ASSERT_EQ(lanes.size(), 1u) << "in order, one lane is enough";
    ASSERT_EQ(lanes[0].rows(), 4u);
    for (std::uint64_t i = 0; i < 4; ++i)
        EXPECT_EQ(lanes[0].row(i)->link, i + 1);
}

TEST_F(GpuTracksTest, ALaunchWithoutARecordIsNotWaitedForForEver) {
    // Within one thread, a later launch's record says that the earlier one gave none.
    gpu.launched(1, {}, 100, 0, true);
    gpu.launched(2, {}, 200, 0, true);
    EXPECT_EQ(spansWith({kernel(2, 210, 220)}), 1u);
    // One that is known to have failed.
    gpu.launched(3, {}, 300, 0, true);
    gpu.launched(4, {}, 400, 1, true);
    EXPECT_EQ(spansWith({kernel(4, 410, 420)}), 1u);
    gpu.gaveNothing(3);
    EXPECT_EQ(spansWith({}), 2u);
    // A GPU that runs seconds behind its launches is waited for, an hour is not.
    gpu.launched(5, {}, 500, 0, true);
    gpu.launched(6, {}, 600, 1, true);
    EXPECT_EQ(spansWith({kernel(6, 3'000'000'000, 3'000'000'010)}), 2u);
    gpu.launched(7, {}, 3'600'000'000'000, 1, true);
    EXPECT_EQ(spansWith({}), 3u);
    // The end of the run waits for nothing.
    EXPECT_EQ(spansWith({kernel(8, 3'600'000'000'100, 3'600'000'000'200)}), 3u);
    gpu.endBatch(true);
    EXPECT_EQ(commit()->spanCount(), 4u);
}

TEST_F(GpuTracksTest, CopiesAndStreamsHaveTracksOfTheirOwn) {
    GpuRecord copy = kernel(1, 10, 20);
    copy.kind = DetailKind::kCopy;
    copy.copy = CopyKind::kDeviceToHost;
    copy.bytes = 4096;
    GpuRecord other = kernel(2, 10, 20);
    other.stream = 8;
    for (const std::uint32_t correlation : {1, 2, 3})
        gpu.launched(correlation, {}, 5, 0, true);
    const auto s = traceWith({copy, other, kernel(3, 30, 40)});
    EXPECT_EQ(s->tracksOfKind(TrackKind::kGpuStream).size(), 2u);
    const auto copies = s->tracksOfKind(TrackKind::kGpuCopies);
    ASSERT_EQ(copies.size(), 1u);
    const SpanRow row = *s->lanesOf(copies[0]).at(0).row(0);
    EXPECT_EQ(s->name(row.name), "copy, device to host");
    EXPECT_EQ(s->detail(row.detail)->bytes, 4096);
}

TEST_F(GpuTracksTest, AKernelOfAGraphBelongsWhereItWasCaptured) {
    gpu.nodeMade(1000, launch(Phase::kForward, "blocks.1.ffn", 0, "aten::silu"), 0);
    gpu.nodeCloned(2000, 1000);
    gpu.nodeMade(2000, launch(Phase::kNone, "", kNoStep, ""), 1);    // by the same copying
    gpu.launched(50, launch(Phase::kNone, "", 9, ""), 5, 0, false);  // the replay
    GpuRecord known = kernel(50, 10, 20), earlier = kernel(50, 20, 25);
    known.graphNode = 2000;
    earlier.graphNode = 3000;  // of a graph that was captured before the recording
    const auto s = traceWith({known, earlier});
    const SpanLane lane = s->lanesOf(s->tracksOfKind(TrackKind::kGpuStream)[0]).at(0);
    EXPECT_EQ(s->name(s->place(lane.row(0)->place).module), "blocks.1.ffn");
    EXPECT_EQ(lane.row(0)->step, 9);
    EXPECT_EQ(s->name(s->detail(lane.row(0)->detail)->op), "aten::silu");
    EXPECT_EQ(lossOf(*s, "kernel of a graph whose capture was not seen"), 1u);
}

TEST_F(GpuTracksTest, WhatCannotBePlacedIsCountedByName) {
    const auto s = traceWith({kernel(77, 10, 20), kernel(78, 0, 0), kernel(78, 50, 40)});
    EXPECT_EQ(lossOf(*s, "kernel whose launch was not seen"), 1u);
    EXPECT_EQ(lossOf(*s, "GPU record without times"), 2u);
    EXPECT_EQ(s->spanCount(), 1u);
}

/// Random kernels on two streams, overlapping, in random batches with some disorder: every one arrives, in
/// the lane of least depth where it fits when batches are sorted, and no lane has two at once.
TEST_F(GpuTracksTest, RandomKernelsAllArriveAndNoneOverlapsInItsLane) {
    std::uint64_t random = 11;
    std::vector<GpuRecord> all;
    for (std::uint32_t i = 0; i < 20000; ++i) {
        GpuRecord record = kernel(
            i + 1, static_cast<std::int64_t>(i) * 50 + static_cast<std::int64_t>(nextRandom(random) % 40), 0);
        record.end = record.begin + static_cast<std::int64_t>(nextRandom(random) % 120);
        record.end = std::max<std::int64_t>(record.end, 1);
        record.stream = static_cast<std::uint32_t>(nextRandom(random) % 2);
        all.push_back(record);
        gpu.launched(
            i + 1, launch(Phase::kForward, i % 2 ? "odd" : "even", static_cast<std::int32_t>(i % 100), "op"),
            record.begin, 0, true);
    }
    for (std::size_t first = 0; first < all.size();) {
        const std::size_t last = std::min(all.size(), first + 1 + nextRandom(random) % 500);
        for (std::size_t i = last; i > first; --i)
            gpu.add(all[i - 1]);
        gpu.endBatch();
        first = last;
    }
    const auto s = commit();
    EXPECT_TRUE(s->losses().empty());
    std::map<std::uint64_t, SpanRow> found;
    for (const TrackId track : s->tracksOfKind(TrackKind::kGpuStream)) {
        EXPECT_LE(s->lanesOf(track).size(), 5u);
        for (const SpanLane& lane : s->lanesOf(track)) {
            std::int64_t end = 0;
            for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                const SpanRow row = *lane.row(i);
                EXPECT_GE(row.start, end);
                end = row.end();
                found.emplace(row.link, row);
            }
        }
    }
    ASSERT_EQ(found.size(), all.size());
    for (const GpuRecord& record : all) {
        const SpanRow& row = found.at(record.correlation);
        EXPECT_EQ(row.start, record.begin);
        EXPECT_EQ(row.end(), record.end);
        EXPECT_EQ(row.step, static_cast<std::int32_t>((record.correlation - 1) % 100));
        EXPECT_EQ(s->name(s->place(row.place).module), (record.correlation - 1) % 2 ? "odd" : "even");
    }
}

}  // namespace warpglass::test::gpu_tracks_test
