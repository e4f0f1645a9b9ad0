// Where ops are: in the ranges around them, backward ones in their forward ops', kernels in their launch's.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/every_span.h"
#include "tests/unit/capture/capture_script.h"

namespace warpglass::test::trace_decoder_test {

TEST_F(TraceDecoderTest, ForwardOpsTakeTheInnermostRange) {
    run.step(0).phase(Phase::kForward).op("aten::a").endOp();
    run.module("blocks.0").module("blocks.0.attn").part("scores").op("aten::b").op("aten::c").endOp().endOp();
    run.endPart().op("aten::d").endOp().endModule().endModule().endPhase().endStep();
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kCpuThread),
              (Texts{"aten::a [forward]", "aten::b [forward blocks.0.attn/scores]",
                     "aten::d [forward blocks.0.attn]", ">aten::c [forward blocks.0.attn/scores]"}));
    EXPECT_EQ(spansOf(*s, TrackKind::kModule),
              (Texts{"blocks.0 [forward blocks.0]", ">blocks.0.attn [forward blocks.0.attn]",
                     ">>scores [forward blocks.0.attn/scores]"}));
    EXPECT_EQ(spansOf(*s, TrackKind::kPhase), Texts{"forward [forward]"});
    EXPECT_EQ(spansOf(*s, TrackKind::kStep), Texts{"step 0 [none]"});
    EXPECT_TRUE(s->losses().empty());
}

TEST_F(TraceDecoderTest, TypesAreOfTheOpThatEndsAndNotOfWhatIsInIt) {
    run.step(0).phase(Phase::kForward);
    run.op("aten::linear").op("aten::mm").endOp("fp32[2,3] → fp32[2]").endOp("bf16[2,3] → bf16[2]");
    // The end of what is in it is lost, and comes with its own.
    run.op("aten::outer").op("aten::inner").loseEndOp().endOp("fp32[1] → ");
    run.op("aten::plain").endOp().endPhase().endStep();
    const auto s = run.finish();
    std::map<std::string, std::string> types;
    for (const auto& op : spansOfKind(*s, TrackKind::kCpuThread)) {
        const auto detail = s->detail(op.row.detail);
        types[std::string(s->name(op.row.name))] = detail ? s->name(detail->fullName) : "none";
        EXPECT_TRUE(!detail || detail->kind == DetailKind::kOp);
    }
    EXPECT_EQ(types, (std::map<std::string, std::string>{{"aten::linear", "bf16[2,3] → bf16[2]"},
                                                         {"aten::mm", "fp32[2,3] → fp32[2]"},
                                                         {"aten::outer", "fp32[1] → "},
                                                         {"aten::inner", "none"},
                                                         {"aten::plain", "none"}}));
}

/// Two modules of one block, each with a composite op that passes its sequence number on to the op it calls.
void forwardOfTwoModules(CaptureScript& run) {
    run.step(0).phase(Phase::kForward, true).module("blocks.0");
    run.module("blocks.0.a").op("aten::linear", 5).op("aten::mm", 5).endOp().endOp().endModule();
    // Asked for the number without using it up, so the next op has it too: the last one counts.
    run.module("blocks.0.b").part("scores").op("aten::detach", 6).endOp().endPart();
    run.part("values").op("aten::bmm", 6).endOp().endPart().endModule();
    run.endModule().endPhase();
}

/// As spansOf(), of the backward pass alone.
Texts backwardSpansOf(const Snapshot& s, TrackKind kind, bool withTimes = false) {
    Texts texts = spansOf(s, kind, withTimes);
    std::erase_if(texts, [](const std::string& text) { return text.find("[backward") == text.npos; });
    return texts;
}

TEST_F(TraceDecoderTest, BackwardOpsFindTheirForwardModule) {
    forwardOfTwoModules(run);
    run.phase(Phase::kBackward).op("aten::ones_like").endOp();
    run.node("BmmBackward0", 6).op("aten::bmm").endOp().endOp();
    run.op("aten::add").endOp();  // autograd adds up gradients between two nodes
    run.node("MmBackward0", 5).op("aten::mm").endOp().endOp();
    run.node("AccumulateGrad", -1).op("aten::detach").endOp().endOp();
    run.node("UnknownBackward", 99).endOp().endPhase();
    EXPECT_EQ(backwardSpansOf(*run.finish(), TrackKind::kCpuThread),
              (Texts{"aten::ones_like [backward]", "BmmBackward0 [backward blocks.0.b/values]",
                     "aten::add [backward blocks.0.b/values]", "MmBackward0 [backward blocks.0.a]",
                     "AccumulateGrad [backward blocks.0.a]", "UnknownBackward [backward]",
                     ">aten::bmm [backward blocks.0.b/values]", ">aten::mm [backward blocks.0.a]",
                     ">aten::detach [backward blocks.0.a]"}));
}

TEST_F(TraceDecoderTest, ForwardAndBackwardShareALink) {
    forwardOfTwoModules(run);
    run.phase(Phase::kBackward).node("MmBackward0", 5).op("aten::mm").endOp().endOp().endPhase();
    const auto s = run.finish();
    std::map<std::string, std::uint64_t> links;
    for (const auto& op : spansOfKind(*s, TrackKind::kCpuThread))
        links[std::string(s->name(op.row.name))] = op.row.link;
    EXPECT_EQ(links["aten::linear"], 6u);
    EXPECT_EQ(links["MmBackward0"], 6u);
    EXPECT_EQ(links["aten::bmm"], 7u);
    EXPECT_EQ(links["aten::mm"], 0u);  // the last one of that name: inside the backward node
}

TEST_F(TraceDecoderTest, BackwardModulesAreMadeFromRunsOfNodes) {
    forwardOfTwoModules(run);
    run.phase(Phase::kBackward);                          // at 220
    run.node("BmmBackward0", 6).endOp();                  // 230-240
    run.node("MmBackward0", 5).endOp();                   // 250-260
    run.node("AccumulateGrad", -1).endOp();               // 270-280
    run.node("NllLossBackward0", 99).endOp().endPhase();  // 290-300
    const auto s = run.finish();
    EXPECT_EQ(backwardSpansOf(*s, TrackKind::kModule, true),
              (Texts{"blocks.0 [backward blocks.0] 230-280", ">blocks.0.b [backward blocks.0.b] 230-240",
                     ">blocks.0.a [backward blocks.0.a] 250-280",
                     ">>values [backward blocks.0.b/values] 230-240"}));
    EXPECT_TRUE(s->losses().empty());
}

TEST_F(TraceDecoderTest, ANewStepForgetsTheOldNumbers) {
    forwardOfTwoModules(run);
    run.endStep().step(1).phase(Phase::kBackward).node("MmBackward0", 5).endOp().endPhase().endStep();
    EXPECT_EQ(spansOf(*run.finish(), TrackKind::kCpuThread)[3], "MmBackward0 [backward]");
}

TEST_F(TraceDecoderTest, AWaitHasTheTimesThePlaceAndTheOpOfItsCall) {
    run.step(3).phase(Phase::kLoss).op("aten::item").call("cuStreamSynchronize", 7);
    run.waited("wait for a stream").endCall().endOp().endPhase().endStep();
    EXPECT_TRUE(run.gpu().hasRows());
    run.gpu().endBatch();
    EXPECT_FALSE(run.gpu().hasRows());
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kGpuSync, true), (Texts{"wait for a stream [loss] 40-50"}));
    const SpanRow wait = *s->lanesOf(s->tracksOfKind(TrackKind::kGpuSync).at(0)).at(0).row(0);
    EXPECT_EQ(wait.step, 3);
    EXPECT_EQ(wait.link, 7u);
    EXPECT_EQ(s->detail(wait.detail)->kind, DetailKind::kSynchronization);
    EXPECT_EQ(s->name(s->detail(wait.detail)->op), "aten::item");
    EXPECT_TRUE(s->losses().empty());
}

TEST_F(TraceDecoderTest, AWaitOfACallThatIsNotToldOfHasNoPlaceAndIsNoLoss) {
    run.step(0).phase(Phase::kForward).loseCall(9).waited("a stream waits for an event");
    run.endPhase().endStep();
    run.gpu().endBatch(true);
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kGpuSync, true).size(), 1u);
    EXPECT_TRUE(s->losses().empty());
}

TEST_F(TraceDecoderTest, CallsIntoCudaHaveATrackOfTheirThreadAndTheirKernelsTheirPlace) {
    run.step(0).phase(Phase::kForward, true).module("norm").op("aten::norm", 4).call("cuLaunchKernel", 21);
    run.endCall().endOp().endModule().endPhase();
    // Autograd runs a GPU's nodes on a thread of its own, while the model's thread waits.
    run.phase(Phase::kBackward).onThread(1).node("NormBackward", 4).op("aten::norm_backward");
    run.call("cuLaunchKernel", 22).endCall().endOp().endOp().call("cuMemsetD8Async", 23).endCall();
    run.allocate(1, 512).onThread(0).endPhase().endStep();
    for (const std::uint32_t correlation : {21u, 22u, 23u}) {
        GpuRecord record{.symbol = "k", .begin = 1000 + correlation, .correlation = correlation};
        record.end = record.begin + 1;
        run.gpu().add(record);
    }
    run.gpu().endBatch();
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kApiThread, true),
              (Texts{"cuLaunchKernel [forward norm] 50-60", "cuLaunchKernel [backward norm] 130-140",
                     "cuMemsetD8Async [backward norm] 170-180"}));
    EXPECT_EQ(s->tracksOfKind(TrackKind::kApiThread).size(), 2u);
    EXPECT_EQ(spansOf(*s, TrackKind::kGpuStream),
              (Texts{"k [forward norm]", "k [backward norm]", "k [backward norm]"}));
    const SpanLane kernels = s->lanesOf(s->tracksOfKind(TrackKind::kGpuStream)[0]).at(0);
    EXPECT_EQ(kernels.row(2)->step, 0);
    EXPECT_EQ(s->name(s->detail(kernels.row(0)->detail)->op), "aten::norm");
    EXPECT_EQ(s->name(s->detail(kernels.row(1)->detail)->op), "aten::norm_backward");
    EXPECT_FALSE(s->detail(kernels.row(2)->detail)->op.valid());
    EXPECT_EQ(s->name(s->place(s->allocation(AllocationId(0))->place).module), "norm");
    EXPECT_TRUE(s->losses().empty());
}

}  // namespace warpglass::test::trace_decoder_test
