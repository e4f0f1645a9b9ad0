// What was lost or cut off: repaired at the next event, closed at the end, and counted.
#include <gtest/gtest.h>

#include "tests/unit/capture/capture_script.h"

namespace warpglass::test::trace_decoder_losses_test {

TEST_F(TraceDecoderTest, ALostEndClosesItsSpanAtTheNextBegin) {
    run.phase(Phase::kForward).op("aten::a").op("aten::b").loseEndOp().loseEndOp();
    run.op("aten::c").endOp().endPhase();
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kCpuThread, true),
              (Texts{"aten::a [forward] 20-40", "aten::c [forward] 40-50", ">aten::b [forward] 30-40"}));
    ASSERT_EQ(s->losses().size(), 1u);
    EXPECT_EQ(s->losses()[0].name, "end of an op lost");
}

TEST_F(TraceDecoderTest, ALostFreeIsMadeUpWhenTheAddressComesAgain) {
    run.phase(Phase::kForward).allocate(1, 64);
    run.alreadyAllocated(0).allocate(1, 16).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(s->memoryEventCount(), 3u);
    ASSERT_EQ(s->losses().size(), 1u);
    EXPECT_EQ(s->losses()[0].name, "free lost");
}

TEST_F(TraceDecoderTest, ALostBeginOrEndOfACallIsRepairedAtTheNext) {
    run.call("cuLaunchKernel", 1).loseEndCall().call("cuMemcpyHtoD", 2).endCall();
    run.loseCall(3).endCall().call("cuLaunchKernel", 4).endCall().call("cuLaunchKernel", 5).endCall();
    const auto s = run.finish();
    const auto lanes = s->lanesOf(s->tracksOfKind(TrackKind::kApiThread).at(0));
    ASSERT_EQ(lanes.size(), 1u) << "the driver does not call itself";
    EXPECT_EQ(lanes[0].rows(), 4u);
    EXPECT_EQ(lanes[0].row(0)->end(), lanes[0].row(1)->start);
    ASSERT_EQ(s->losses().size(), 1u);
    EXPECT_EQ(s->losses()[0].name, "end of a call into CUDA lost");
    EXPECT_TRUE(s->openSpans().empty());
}

TEST_F(TraceDecoderTest, WhatAPhaseThatWasCutOffHeldIsATemporary) {
    run.phase(Phase::kForward, true).allocate(1, 8).cutPhase();
    run.phase(Phase::kBackward).allocate(2, 8).allocate(3, 8).mark(3, Category::kGradients).cutPhase();
    run.phase(Phase::kBackward).allocate(4, 8).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(s->categoryOf(AllocationId(0)), Category::kActivations);
    EXPECT_EQ(s->categoryOf(AllocationId(1)), Category::kTemporaries);
    EXPECT_EQ(s->categoryOf(AllocationId(2)), Category::kGradients);
    EXPECT_EQ(s->categoryOf(AllocationId(3)), Category::kUnknown);
}

TEST_F(TraceDecoderTest, WhatIsOpenAtTheEndIsClosed) {
    run.step(0).phase(Phase::kForward).module("norm").op("aten::a").allocate(1, 8);
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kModule, true), Texts{"norm [forward norm] 30-60"});
    EXPECT_EQ(spansOf(*s, TrackKind::kStep, true), Texts{"step 0 [none] 10-60"});
    EXPECT_TRUE(s->openSpans().empty());
    EXPECT_EQ(s->settledAllocationCount(), 1u);
}

}  // namespace warpglass::test::trace_decoder_losses_test
