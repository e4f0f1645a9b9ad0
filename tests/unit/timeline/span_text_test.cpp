#include "ui/timeline/span_text.h"

#include <gtest/gtest.h>

#include "tests/support/has_text.h"
#include "tests/support/trace_text.h"

namespace warpglass::ui::span_text_test {

TEST(ShortName, KeepsWhatTellsSpansApart) {
    EXPECT_EQ(shortName(TrackKind::kModule, "blocks.7"), "blocks.7");
    EXPECT_EQ(shortName(TrackKind::kModule, "model.blocks.7"), "blocks.7");
    EXPECT_EQ(shortName(TrackKind::kModule, "blocks.7.attn"), "attn");
    EXPECT_EQ(shortName(TrackKind::kModule, "head"), "head");
    EXPECT_EQ(shortName(TrackKind::kModule, "7"), "7");
    EXPECT_EQ(shortName(TrackKind::kModule, ".7"), ".7");
    EXPECT_EQ(shortName(TrackKind::kModule, ""), "");
    EXPECT_EQ(shortName(TrackKind::kCpuThread, "aten::mm"), "mm");
    EXPECT_EQ(shortName(TrackKind::kCpuThread, "autograd::engine::evaluate_function: MmBackward0"),
              "MmBackward0");
    EXPECT_EQ(shortName(TrackKind::kCpuThread, "blocks.7.attn"), "blocks.7.attn");
    EXPECT_EQ(shortName(TrackKind::kPhase, "forward"), "forward");
}

struct SpanText : testing::Test {
    std::vector<TimelineRect> rects(LaneId lane, TrackKind kind, int width) {
        std::vector<TimelineRect> result;
        GeometryBuilder builder;
        builder.buildLane(*snapshot, snapshot->lane(lane), kind, ColumnMap(snapshot->range(), width), result);
        return result;
    }

    test::TraceText trace{R"(
        info config.warmup 1
        step 0 0-45.4ms self 0
        step 1 45.4-90.8ms self 0
        in step 1 phase forward module blocks.3.attn part scores
          op aten::mm 1000-5060 self 1230 ; op aten::mm 6000-8030 ; op aten::mm 90ms-
        end 91ms
    )"};
    std::shared_ptr<const Snapshot> snapshot = trace.snapshot();
    TrackId steps = snapshot->tracksOfKind(TrackKind::kStep)[0],
            thread = snapshot->tracksOfKind(TrackKind::kCpuThread)[0];
};

TEST_F(SpanText, StepsSayWhetherTheyCountAndHowLongTheyTook) {
    const auto bars = rects(LaneId(0), TrackKind::kStep, 1000);
    ASSERT_EQ(bars.size(), 2u);
    EXPECT_EQ(barLabel(*snapshot, TrackKind::kStep, bars[0]), "step 0 · warm-up · 45.4\u202Fms");
    EXPECT_EQ(barLabel(*snapshot, TrackKind::kStep, bars[1]), "step 1 · measured · 45.4\u202Fms");
    EXPECT_EQ(shortBarLabel(*snapshot, TrackKind::kStep, bars[1]), "step 1");
    EXPECT_EQ(leastBarLabel(*snapshot, TrackKind::kStep, bars[1]), "1");
}

TEST_F(SpanText, ATooltipHasTheFullNameExactTimesAndWhere) {
    const TimelineRow row{LaneId(1), thread, TrackKind::kCpuThread, 0, 0, 0};
    auto bars = rects(LaneId(1), TrackKind::kCpuThread, 91'000);
    ASSERT_EQ(bars.size(), 3u);
    const QString text = tooltipText(*snapshot, row, bars[0]);
    for (const QString& part :
         {QStringLiteral("aten::mm"), QStringLiteral("4.06\u202Fµs (4,060\u202Fns)"),
          QStringLiteral("Self  1.23\u202Fµs (1,230\u202Fns)"), QStringLiteral("blocks.3.attn · scores"),
          QStringLiteral("Phase  forward"), QStringLiteral("Step  1 · measured")})
        EXPECT_TRUE(text.contains(part)) << part.toStdString() << " in\n" << text.toStdString();
    EXPECT_FALSE(tooltipText(*snapshot, row, bars[1]).contains("Self")) << "all of it is self";
    EXPECT_TRUE(tooltipText(*snapshot, row, bars[2]).contains("Running for  1.00\u202Fms"));
}

TEST_F(SpanText, AMomentIsToldByTheClock) {
    const TimelineRow row{LaneId(1), thread, TrackKind::kCpuThread, 0, 0, 0};
    const auto bars = rects(LaneId(1), TrackKind::kCpuThread, 91'000);
    EXPECT_TRUE(tooltipText(*snapshot, row, bars[1]).contains("Start  0.006\u202Fms"));
    EXPECT_TRUE(
        tooltipText(*snapshot, row, bars[1], StepClock(*snapshot)).contains("Start  step 0 + 0.006\u202Fms"));
}

TEST_F(SpanText, AKernelIsOfTheOpThatLaunchedItOrOfTheOneThatAGraphCapturedItIn) {
    snapshot = trace.add(R"(
        in step 1 op aten::mm | kernel gemm 1000-3000 ; kernel gemm 6000-8000 node 12
        end 92ms
    )");
    const TrackId stream = snapshot->tracksOfKind(TrackKind::kGpuStream)[0];
    const LaneId lane = snapshot->lanesOf(stream).front().id();
    const TimelineRow row{lane, stream, TrackKind::kGpuStream, 0, 0, 0};
    const auto bars = rects(lane, TrackKind::kGpuStream, 92'000);
    ASSERT_EQ(bars.size(), 2u);
    const QString launched = tooltipText(*snapshot, row, bars[0]),
                  replayed = tooltipText(*snapshot, row, bars[1]);
    EXPECT_THAT(launched, test::HasText("Launched by  aten::mm"));
    EXPECT_THAT(replayed, test::HasText("Captured in  aten::mm"));
    EXPECT_THAT(replayed, testing::Not(test::HasText("Launched by")));
}

TEST_F(SpanText, AMergedRunSaysHowManyAndNamesTheLongest) {
    const TimelineRow row{LaneId(1), thread, TrackKind::kCpuThread, 0, 0, 0};
    const auto bars = rects(LaneId(1), TrackKind::kCpuThread, 100);
    ASSERT_TRUE(bars[0].merged());
    const QString text = tooltipText(*snapshot, row, bars[0]);
    EXPECT_TRUE(text.startsWith("2 spans in 7.03\u202Fµs, busy 87")) << text.toStdString();
    EXPECT_TRUE(text.contains("4,060\u202Fns")) << text.toStdString();
}

TEST(KernelLabel, SaysWhatTheKernelDoesAndTheToolTipItsFullName) {
    const std::string full =
        "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, int>(int)";
    const auto snapshot = test::traceOf("kernel vectorized_elementwise_kernel 0-100 full \"" + full +
                                        "\" ; kernel mine 200-300");
    const TrackId stream = snapshot->tracksOfKind(TrackKind::kGpuStream)[0];
    const LaneId lane = snapshot->lanesOf(stream).front().id();
    const TimelineRow row{lane, stream, TrackKind::kGpuStream, 0, 0, 0};
    TimelineRect rect{.count = 1, .name = snapshot->lane(lane).row(0)->name};
    const NameId fullName = fullNameOf(*snapshot, row, rect);
    EXPECT_EQ(kernelLabel(*snapshot, rect.name, fullName), "elementwise · add fp32");
    EXPECT_EQ(shortKernelLabel(*snapshot, rect.name, fullName), "add fp32");
    EXPECT_EQ(leastKernelLabel(*snapshot, rect.name, fullName), "add");
    const QString text = tooltipText(*snapshot, row, rect);
    EXPECT_THAT(text, test::BeginsWith("vectorized_elementwise_kernel\nelementwise · add fp32\n"));
    EXPECT_TRUE(text.contains(QString::fromStdString(full)));
    rect.row = 1;
    rect.name = snapshot->lane(lane).row(1)->name;
    EXPECT_EQ(kernelLabel(*snapshot, rect.name, fullNameOf(*snapshot, row, rect)), "mine");
    EXPECT_EQ(leastKernelLabel(*snapshot, rect.name, NameId()), QString());
}

TEST(ShortBarLabel, OfABlockIsItsNumberWhereNothingElseFits) {
    const auto snapshot = test::traceOf("module blocks.7 0-100 | module blocks.7.attn 10-20");
    TimelineRect rect;
    const auto label = [&](LaneId lane) {
        rect.name = snapshot->lane(lane).row(0)->name;
        return shortBarLabel(*snapshot, TrackKind::kModule, rect);
    };
    const auto lanes = snapshot->lanesOf(snapshot->tracksOfKind(TrackKind::kModule)[0]);
    EXPECT_EQ(label(lanes[1].id()), "attn");
    EXPECT_EQ(leastBarLabel(*snapshot, TrackKind::kModule, rect), QString());
    EXPECT_EQ(label(lanes[0].id()), "blocks.7");
    EXPECT_EQ(leastBarLabel(*snapshot, TrackKind::kModule, rect), "7")
        << "where nothing else fits: the track's label says of what";
}

TEST(ShortBarLabel, OfAWaitIsThatWhereTheRestDoesNotFit) {
    TraceWriter writer;
    TimelineRect rect;
    rect.name = writer.internName("wait for a stream");
    writer.commit(Nanoseconds(0));
    EXPECT_EQ(leastBarLabel(*writer.feed()->latest(), TrackKind::kGpuSync, rect), "wait");
}

TEST(RangeText, SaysHowLongItIsAndWhatHappensInIt) {
    RangeActivity activity{.ops = 1055, .hostBusy = Nanoseconds(1'500'000)};
    const TimeRange range{Nanoseconds(1'000'000), Nanoseconds(4'000'000)};
    EXPECT_EQ(rangeText(range, activity), "Range  3.00\u202Fms (3,000,000\u202Fns)\nOps  1,055\nIn ops  50%");
    activity.hasGpu = true;
    activity.kernels = 12;
    activity.gpuBusy = Nanoseconds(2'700'000);
    activity.copies = 2;
    activity.copiedBytes[static_cast<std::size_t>(CopyKind::kHostToDevice)] = 1024;
    activity.copiedBytes[static_cast<std::size_t>(CopyKind::kDeviceToHost)] = 1024;
    activity.fills = 1;
    activity.filledBytes = 512;
    EXPECT_EQ(rangeText(range, activity),
              "Range  3.00\u202Fms (3,000,000\u202Fns)\nGPU busy  90%\nKernels  12\n"
              "Copied  2.00\u202FKiB, copies: 2\nFilled  512\u202FB, fills: 1\nOps  1,055\n"
              "In ops  50%");
}

}  // namespace warpglass::ui::span_text_test
