// The text that other tests write their runs as, against runs that are written by hand.
#include "tests/support/trace_text.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "tests/support/snapshot_compare.h"
#include "tests/support/span_between.h"

namespace warpglass::test::trace_text_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::shared_ptr<const Snapshot> committed(TraceWriter& writer, std::int64_t end) {
    writer.settle();
    writer.commit(Nanoseconds(end));
    return writer.feed()->latest();
}

/// Empty where the text makes this very run. Names, places and details are numbered as it has them.
std::string differenceOf(const Snapshot& expected, std::string_view text, TraceText& trace) {
    for (std::size_t i = 0; i < expected.nameCount(); ++i)
        trace.writer.internName(expected.name(NameId(i)));
    for (std::size_t i = 0; i < expected.placeCount(); ++i)
        trace.writer.internPlace(expected.place(PlaceId(i)));
    for (std::size_t i = 0; i < expected.detailCount(); ++i)
        trace.writer.internDetail(*expected.detail(DetailId(i)));
    return firstDifference(expected, *trace.add(text));
}

TEST(TraceText, IsTheRunThatIsWrittenByHand) {
    TraceWriter writer;
    writer.setInfo("config.warmup", "0");
    writer.setInfo("state.message", "In words.");
    const auto name = [&](const char* text) { return writer.internName(text); };
    const TrackId steps = writer.addTrack(TrackKind::kStep, "steps");
    const TrackId phases = writer.addTrack(TrackKind::kPhase, "phases");
    const TrackId modules = writer.addTrack(TrackKind::kModule, "modules");
    const TrackId main = writer.addTrack(TrackKind::kCpuThread, "main");
    const TrackId calls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · main");
    const TrackId stream = writer.addTrack(TrackKind::kGpuStream, "GPU 1 · stream 7");
    const TrackId copies = writer.addTrack(TrackKind::kGpuCopies, "GPU 0 copies · stream 9");
    const TrackId waits = writer.addTrack(TrackKind::kGpuSync, "Waits · CUPTI");
    const TrackId onGpu = writer.addTrack(TrackKind::kGpuPhase, "phases on the GPU");
    const NameId attention = name("blocks.0.attn");
    const PlaceId forward = writer.internPlace({Phase::kForward, {}, {}});
    const PlaceId inModule = writer.internPlace({Phase::kForward, attention, {}});
    const PlaceId inPart = writer.internPlace({Phase::kForward, attention, name("scores")});
    const auto append = [&](TrackId track, std::uint32_t depth, std::int64_t begin, std::int64_t end,
                            const char* text, SpanRow rest, std::int64_t within = 0) {
        SpanRow row = spanBetween(writer, begin, end, text, rest);
        row.self -= within;
        ASSERT_TRUE(writer.appendSpan(track, depth, row));
    };
    append(steps, 0, 0, 100, "step 3", {.step = 3});
    append(phases, 0, 0, 40, "forward", {.place = forward, .step = 3});
    append(modules, 0, 0, 20, "blocks.0.attn", {.place = inModule, .step = 3}, 9);
    append(modules, 1, 1, 10, "scores", {.place = inPart, .step = 3});
    append(main, 0, 1, 9, "aten::linear", {.place = inPart, .step = 3}, 6);
    append(main, 1, 2, 8, "aten::mm", {.place = inPart, .step = 3});
    append(calls, 0, 3, 4, "cuLaunchKernel", {.place = inPart, .step = 3, .link = 1});
    SpanDetail detail{.op = name("aten::mm"), .grid = {132, 2, 1}, .occupancy = 0.5F};
    append(stream, 0, 5, 20, "a gemm",
           {.place = inPart, .step = 3, .link = 1, .detail = writer.internDetail(detail)});
    SpanDetail copy{.kind = DetailKind::kCopy, .copy = CopyKind::kHostToDevice, .bytes = 2 << 20};
    append(copies, 0, 1500, 2000, "copy", {.link = 70, .detail = writer.internDetail(copy)});
    append(waits, 0, 1'000'000, 2'000'000, "stream", {.link = 8});
    append(onGpu, 0, 30, 60, "forward", {.place = forward, .step = 3});
    const AllocationId kept = writer.appendAllocation(Nanoseconds(3), {.address = 4096,
                                                                       .requested = 500,
                                                                       .bytes = 512,
                                                                       .place = inPart,
                                                                       .step = 3,
                                                                       .op = name("aten::mm"),
                                                                       .category = Category::kGradients});
    const AllocationId brief = writer.appendAllocation(
        Nanoseconds(3), {.requested = 64, .bytes = 64, .category = Category::kUnknown});
    writer.appendFree(Nanoseconds(3), brief);
    writer.appendFree(Nanoseconds(50), kept);
    writer.appendSegmentEvent({.time = 7,
                               .action = SegmentAction::kHold,
                               .address = 4096,
                               .bytes = 1 << 20,
                               .stream = 2,
                               .allocation = kept});
    writer.appendCounter(Nanoseconds(5), name("loss"), 2.5);
    writer.countLoss("kernel", 3);
    TraceText text;
    EXPECT_EQ(differenceOf(*committed(writer, 3'000'000), R"(
        info config.warmup 0 state.message "In words."
        step 3 0-100
          forward 0-40 | module blocks.0.attn 0-20 | part scores 1-10
            op aten::linear 1-9 | op aten::mm 2-8  # the inner one launches
              launch 3-4 | kernel "a gemm" 5-20 gpu 1 grid 132,2 occupancy 0.5
              alloc 512 3-50 gradients requested 500 address 4096
        copy copy 1500-2000 stream 9 link 70 bytes 2MiB direction "host to device"
        wait stream 1-2ms link 8
        in step 3 phase forward | gpu forward 30-60
        alloc 64 3-3 ; counter loss 2.5 5 ; lost kernel 3 ; end 3ms
        segment hold 1MiB 7 address 4096 stream 2 allocation 0
    )",
                           text),
              "");
}

TEST(TraceText, SpansWithoutAnEndAreOpenAndGoOnInTheNextText) {
    TraceWriter writer;
    const TrackId main = writer.addTrack(TrackKind::kCpuThread, "thread 1");
    const NameId linear = writer.internName("aten::linear"), mm = writer.internName("aten::mm");
    writer.beginSpan(main, Nanoseconds(10), linear, {}, kNoStep);
    writer.beginSpan(main, Nanoseconds(20), mm, {}, kNoStep);
    TraceText text;
    EXPECT_EQ(differenceOf(*committed(writer, 30), R"(
        in thread "thread 1" | op aten::linear 10- | op aten::mm 20-
        end 30
    )",
                           text),
              "");
    for (TraceWriter* each : {&writer, &text.writer})
        each->endAllSpans(Nanoseconds(40));
    writer.appendSpan(main, 0, spanBetween(writer, 40, 50, "aten::mm"));
    text.add("op aten::mm 40-50 thread \"thread 1\"");
    EXPECT_EQ(firstDifference(*committed(writer, 0), *text.snapshot()), "");
}

TEST(TraceText, RepeatsWithStepsTimesAndLinks) {
    const auto run = traceOf(R"(
        repeat 2 every 1us
          step 4 0-900 | op aten::mm 10-20 | call cuGraphLaunch 11-12 link 7 | kernel k 30-40 node 5
    )");
    const auto same = traceOf(R"(
        step 4 0-900 | op aten::mm 10-20 | call cuGraphLaunch 11-12 link 7 | kernel k 30-40 node 5
        step 5 1000-1900 | op aten::mm 1010-1020 | call cuGraphLaunch 1011-1012 link 8 | kernel k 1030-1040 node 5
    )");
    EXPECT_EQ(run->spanCount(), 8u);
    EXPECT_EQ(firstDifference(*run, *same), "");
    EXPECT_EQ(run->detail(run->lane(LaneId(3)).row(0)->detail)->graphNode, 5u);
}

TEST(TraceText, HasTheInformationThatIsGivenBesideIt) {
    const auto run = traceOf("info state failed", {{"state", "finished"}, {"config.device", "cpu"}});
    EXPECT_EQ(run->info().get("state"), "failed");
    EXPECT_EQ(run->info().get("config.device"), "cpu");
    EXPECT_EQ(traceOf()->range().end, Nanoseconds(0));
    EXPECT_EQ(filled("step % 0-%ms | op %", 3, 2.5, "aten::mm"), "step 3 0-2.5ms | op aten::mm");
}

TEST(TraceText, OfWhatCannotBeReadTheLineIsNamed) {
    const std::pair<const char*, const char*> wrong[] = {
        {"step 0 0-9\n  opp aten::mm 1-2", "line 2 of the trace's text: no such item: opp"},
        {"\n\nop aten::mm", "line 3 of the trace's text: something is missing after aten::mm"},
        {"op aten::mm 5", "line 1 of the trace's text: a span needs an end"},
        {"op aten::mm 5-2", "line 1 of the trace's text: ends before it begins: 5-2"},
        {"op aten::mm 5-7min", "not a number: "},
        {"op aten::mm 1-2 color red", "not understood: color"},
        {"op aten::mm 1-2 phase fore", "not known: fore"},
        {"op aten::mm 1-2 | | op aten::mm 1-2", "nothing stands before |"},
        {"step 0 0-9\nstep 1 8-12", "line 2 of the trace's text: it overlaps the one before it on its track"},
        {"step 0 0-9\n  step 1 9-10", "line 2 of the trace's text: it does not lie within the one around it"},
        {"info state", "something is missing after state"},
        {"info state \"not ended", "a quote has no end"},
        {"alloc 5XB 1-2", "not a number: 5XB"},
        {"segment take 5 1", "not known: take"},
        {"track wheel main", "not known: wheel"},
        {"repeat 3 each 5", "repeat N every TIME"},
        {"end 5 6", "not understood: 6"}};
    for (const auto& [text, cause] : wrong)
        EXPECT_THAT([text = text] { traceOf(text); }, ThrowsMessage<std::runtime_error>(HasSubstr(cause)))
            << text;
}

}  // namespace warpglass::test::trace_text_test
