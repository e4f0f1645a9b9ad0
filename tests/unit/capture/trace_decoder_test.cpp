#include "engine/capture/trace_decoder.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "engine/capture/name_registry.h"

namespace warpglass {
namespace {

/// A run written by hand, event by event; time advances by 10 ns an event.
class Script {
public:
    Script() : m_decoder(m_writer) {}

    Script& step(std::int64_t step) {
        CaptureEvent e = make(CaptureKind::kStepBegin);
        e.step = step;
        return send(e);
    }
    Script& endStep() { return send(make(CaptureKind::kStepEnd)); }
    Script& phase(Phase phase, bool keeps = false) {
        CaptureEvent e = make(CaptureKind::kPhaseBegin);
        e.detail = static_cast<std::uint8_t>(phase);
        e.sequence = keeps ? 1 : 0;
        return send(e);
    }
    Script& endPhase() { return send(make(CaptureKind::kPhaseEnd)); }
    Script& cutPhase() {
        CaptureEvent e = make(CaptureKind::kPhaseEnd);
        e.detail = CaptureEvent::kCutOff;
        return send(e);
    }
    Script& module(const char* path) { return named(CaptureKind::kModuleBegin, path); }
    Script& endModule() { return send(make(CaptureKind::kModuleEnd)); }
    Script& part(const char* name) { return named(CaptureKind::kPartBegin, name); }
    Script& endPart() { return send(make(CaptureKind::kPartEnd)); }
    Script& op(const char* name, std::int64_t sequence = -1, bool backwardNode = false) {
        CaptureEvent e = make(CaptureKind::kOpBegin);
        e.name = NameRegistry::idOf(name);
        e.sequence = sequence;
        e.depth = m_depth++;
        e.detail = backwardNode ? CaptureEvent::kBackwardNode : 0;
        return send(e);
    }
    Script& node(const char* name, std::int64_t sequence) { return op(name, sequence, true); }
    Script& endOp() {
        CaptureEvent e = make(CaptureKind::kOpEnd);
        e.depth = --m_depth;
        return send(e);
    }
    /// An op end that the ring had no room for.
    Script& loseEndOp() {
        --m_depth;
        return *this;
    }
    Script& allocate(std::uint64_t address, std::int64_t bytes) {
        CaptureEvent e = make(CaptureKind::kAllocate);
        e.address = address;
        e.bytes = bytes;
        e.total = m_total += bytes;
        return send(e);
    }
    Script& release(std::uint64_t address, std::int64_t bytes) {
        CaptureEvent e = make(CaptureKind::kFree);
        e.address = address;
        e.bytes = bytes;
        e.total = m_total -= bytes;
        return send(e);
    }
    Script& request(std::uint64_t address, std::int64_t bytes) {
        CaptureEvent e = make(CaptureKind::kRequest);
        e.address = address;
        e.bytes = bytes;
        return send(e);
    }
    Script& segment(SegmentAction action, std::uint64_t address, std::int64_t bytes, std::int64_t stream = 0,
                    std::uint32_t pool = 0) {
        CaptureEvent e = make(CaptureKind::kSegment);
        e.detail = static_cast<std::uint8_t>(action);
        e.address = address;
        e.bytes = bytes;
        e.total = stream;
        e.name = pool;
        return send(e);
    }
    Script& call(const char* name, std::uint64_t correlation) {
        m_calls.push_back(correlation);
        CaptureEvent e = make(CaptureKind::kApiBegin);
        e.name = NameRegistry::idOf(name);
        e.correlation = correlation;
        return send(e);
    }
    Script& endCall() {
        CaptureEvent e = make(CaptureKind::kApiEnd);
        e.correlation = m_calls.back();
        m_calls.pop_back();
        return send(e);
    }
    /// Its end, or its begin, found the ring full.
    Script& loseEndCall() {
        m_calls.pop_back();
        return *this;
    }
    Script& loseCall(std::uint64_t correlation) {
        m_calls.push_back(correlation);
        return *this;
    }
    /// What follows comes from this thread.
    Script& onThread(std::uint16_t thread) {
        std::swap(m_depth, m_depths[thread]);
        m_thread = thread;
        return *this;
    }
    GpuTracks& gpu() { return m_decoder.gpu(); }
    Script& mark(std::uint64_t address, Category category) {
        CaptureEvent e = make(CaptureKind::kMark);
        e.address = address;
        e.detail = static_cast<std::uint8_t>(category);
        return send(e);
    }
    /// What other runs of the process have allocated.
    Script& alreadyAllocated(std::int64_t bytes) {
        m_total = bytes;
        return *this;
    }

    std::shared_ptr<const Snapshot> finish() {
        m_decoder.finish(m_time + 10);
        m_writer.commit(Nanoseconds(m_time + 10));
        return m_writer.feed()->latest();
    }
    std::uint64_t checkedTotals() const { return m_decoder.memory().checkedTotals(); }

private:
    CaptureEvent make(CaptureKind kind) {
        CaptureEvent e;
        e.kind = kind;
        e.time = m_time += 10;
        e.thread = m_thread;
        return e;
    }
    Script& named(CaptureKind kind, const char* name) {
        CaptureEvent e = make(kind);
        e.name = NameRegistry::idOf(name);
        return send(e);
    }
    Script& send(const CaptureEvent& e) {
        m_decoder.apply(e);
        return *this;
    }

    TraceWriter m_writer;
    TraceDecoder m_decoder;
    std::int64_t m_time = 0;
    std::int64_t m_total = 0;
    std::uint16_t m_depth = 0;
    std::uint16_t m_thread = 0;
    std::vector<std::uint64_t> m_calls;
    std::map<std::uint16_t, std::uint16_t> m_depths;  // where a thread left off
};

std::string describe(const Snapshot& s, PlaceId id) {
    const Place place = s.place(id);
    std::string text(phaseName(place.phase));
    if (place.module.valid())
        text += " " + std::string(s.name(place.module));
    if (place.part.valid())
        text += "/" + std::string(s.name(place.part));
    return text;
}

/// "name [place] step begin-end", in rows of depth, of every span of the tracks of a kind.
std::vector<std::string> spansOf(const Snapshot& s, TrackKind kind, bool withTimes = false) {
    std::vector<std::string> texts;
    for (TrackId track : s.tracksOfKind(kind)) {
        for (const SpanLane& lane : s.lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                const SpanRow row = *lane.row(i);
                std::string text = std::string(lane.depth(), '>') + std::string(s.name(row.name)) + " [" +
                                   describe(s, row.place) + "]";
                if (withTimes)
                    text += " " + std::to_string(row.start) + "-" + std::to_string(row.end());
                texts.push_back(text);
            }
        }
    }
    return texts;
}

using Texts = std::vector<std::string>;

/// "alloc 4096+100 stream 0 pool 0 [forward blocks.0] step 2 aten::a @30", with the allocation of a block.
Texts segmentsOf(const Snapshot& s) {
    Texts texts;
    for (std::uint64_t i = 0; i < s.segmentEventCount(); ++i) {
        const SegmentEvent e = *s.segmentEvent(i);
        texts.push_back(std::string(kSegmentActionNames[static_cast<std::size_t>(e.action)]) + " " +
                        std::to_string(e.address) + "+" + std::to_string(e.bytes) + " stream " +
                        std::to_string(e.stream) + " pool " + std::to_string(e.pool) + " [" +
                        describe(s, e.place) + "] step " + std::to_string(e.step) + " " +
                        std::string(s.name(e.op)) + " @" + std::to_string(e.time) +
                        (e.allocation.valid() ? " allocation " + std::to_string(e.allocation.value) : ""));
    }
    return texts;
}

TEST(TraceDecoder, SegmentsHaveTheirCausesAndStreamsBecomeSmallNumbers) {
    Script run;
    run.segment(SegmentAction::kAllocate, 512, 64).step(2).phase(Phase::kForward).module("blocks.0");
    run.op("aten::a").segment(SegmentAction::kMap, 4096, 100, 0x7f00deadbeef, 6).endOp();
    run.segment(SegmentAction::kUnmap, 4096, 100, 0x7f00deadbeef, 6);
    run.segment(SegmentAction::kOutOfMemory, 77, 1000, -5).endModule().endPhase().endStep();
    run.segment(SegmentAction::kFree, 512, 64);
    const auto s = run.finish();
    EXPECT_EQ(segmentsOf(*s), (Texts{"alloc 512+64 stream 0 pool 0 [none] step -1  @10",
                                     "map 4096+100 stream 1 pool 6 [forward blocks.0] step 2 aten::a @60",
                                     "unmap 4096+100 stream 1 pool 6 [forward blocks.0] step 2  @80",
                                     "out of memory 77+1000 stream 2 pool 0 [forward blocks.0] step 2  @90",
                                     "free 512+64 stream 0 pool 0 [none] step -1  @130"}));
    EXPECT_TRUE(s->losses().empty());
}

TEST(TraceDecoder, ABlockThatComesFreeLateIsHeldFromItsFreeOn) {
    Script run;
    run.phase(Phase::kForward).allocate(512, 1024).allocate(4096, 512);
    run.release(512, 1024).segment(SegmentAction::kHold, 512, 1000);  // it asked for 1000
    run.release(4096, 512);                                           // this one came free at once
    run.segment(SegmentAction::kRelease, 512, 1000).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(segmentsOf(*s),
              (Texts{"hold 512+1024 stream 0 pool 0 [forward] step -1  @40 allocation 0",
                     "release 512+1024 stream 0 pool 0 [forward] step -1  @70 allocation 0"}));
    EXPECT_EQ(s->memoryEvent(2)->time, 40);
    EXPECT_TRUE(s->losses().empty());
}

TEST(TraceDecoder, ABlockFromBeforeTheRecordingIsHeldUntilItIsFreed) {
    Script run;
    run.alreadyAllocated(3072).segment(SegmentAction::kAllocate, 512, 8192);
    run.segment(SegmentAction::kHold, 512, 1024).segment(SegmentAction::kHold, 2048, 2048);
    run.release(512, 1024).release(4096, 0);
    // Freed, and late to come free: held anew.
    run.release(2048, 2048).segment(SegmentAction::kHold, 2048, 2000);
    const auto s = run.finish();
    EXPECT_EQ(segmentsOf(*s), (Texts{"alloc 512+8192 stream 0 pool 0 [none] step -1  @10",
                                     "hold 512+1024 stream 0 pool 0 [none] step -1  @20",
                                     "hold 2048+2048 stream 0 pool 0 [none] step -1  @30",
                                     "release 512+1024 stream 0 pool 0 [none] step -1  @40",
                                     "release 2048+2048 stream 0 pool 0 [none] step -1  @60",
                                     "hold 2048+2048 stream 0 pool 0 [none] step -1  @60"}));
}

TEST(TraceDecoder, AnAllocationWhereABlockIsHeldReleasesIt) {
    Script run;
    run.allocate(512, 1024).release(512, 1024).segment(SegmentAction::kHold, 512, 1024);
    run.allocate(512, 1024);  // the release found the ring full
    const auto s = run.finish();
    EXPECT_EQ(segmentsOf(*s), (Texts{"hold 512+1024 stream 0 pool 0 [none] step -1  @20 allocation 0",
                                     "release 512+1024 stream 0 pool 0 [none] step -1  @40 allocation 0"}));
    run.segment(SegmentAction::kRelease, 9999, 1);
    EXPECT_EQ(segmentsOf(*run.finish()).size(), 2u) << "what is not held is not released";
}

TEST(TraceDecoder, ForwardOpsTakeTheInnermostRange) {
    Script run;
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

/// Two modules of one block, each with a composite op that passes its sequence number on to the op it calls.
void forwardOfTwoModules(Script& run) {
    run.step(0).phase(Phase::kForward, true).module("blocks.0");
    run.module("blocks.0.a").op("aten::linear", 5).op("aten::mm", 5).endOp().endOp().endModule();
    // Asked for the number without using it up, so the next op has it too: the last one counts.
    run.module("blocks.0.b").part("scores").op("aten::detach", 6).endOp().endPart();
    run.part("values").op("aten::bmm", 6).endOp().endPart().endModule();
    run.endModule().endPhase();
}

TEST(TraceDecoder, BackwardOpsFindTheirForwardModule) {
    Script run;
    forwardOfTwoModules(run);
    run.phase(Phase::kBackward).op("aten::ones_like").endOp();
    run.node("BmmBackward0", 6).op("aten::bmm").endOp().endOp();
    run.op("aten::add").endOp();  // autograd adds up gradients between two nodes
    run.node("MmBackward0", 5).op("aten::mm").endOp().endOp();
    run.node("AccumulateGrad", -1).op("aten::detach").endOp().endOp();
    run.node("UnknownBackward", 99).endOp().endPhase();
    const auto s = run.finish();

    Texts backward;
    for (const std::string& text : spansOf(*s, TrackKind::kCpuThread)) {
        if (text.find("[backward") != std::string::npos)
            backward.push_back(text);
    }
    EXPECT_EQ(backward, (Texts{"aten::ones_like [backward]", "BmmBackward0 [backward blocks.0.b/values]",
                               "aten::add [backward blocks.0.b/values]", "MmBackward0 [backward blocks.0.a]",
                               "AccumulateGrad [backward blocks.0.a]", "UnknownBackward [backward]",
                               ">aten::bmm [backward blocks.0.b/values]", ">aten::mm [backward blocks.0.a]",
                               ">aten::detach [backward blocks.0.a]"}));
}

TEST(TraceDecoder, ForwardAndBackwardShareALink) {
    Script run;
    forwardOfTwoModules(run);
    run.phase(Phase::kBackward).node("MmBackward0", 5).op("aten::mm").endOp().endOp().endPhase();
    const auto s = run.finish();
    std::map<std::string, std::uint64_t> links;
    for (TrackId track : s->tracksOfKind(TrackKind::kCpuThread)) {
        for (const SpanLane& lane : s->lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i)
                links[std::string(s->name(lane.row(i)->name))] = lane.row(i)->link;
        }
    }
    EXPECT_EQ(links["aten::linear"], 6u);
    EXPECT_EQ(links["MmBackward0"], 6u);
    EXPECT_EQ(links["aten::bmm"], 7u);
    EXPECT_EQ(links["aten::mm"], 0u);  // the last one of that name: inside the backward node
}

TEST(TraceDecoder, BackwardModulesAreMadeFromRunsOfNodes) {
    Script run;
    forwardOfTwoModules(run);
    run.phase(Phase::kBackward);                          // at 220
    run.node("BmmBackward0", 6).endOp();                  // 230-240
    run.node("MmBackward0", 5).endOp();                   // 250-260
    run.node("AccumulateGrad", -1).endOp();               // 270-280
    run.node("NllLossBackward0", 99).endOp().endPhase();  // 290-300
    const auto s = run.finish();
    Texts backward;
    for (const std::string& text : spansOf(*s, TrackKind::kModule, true)) {
        if (text.find("[backward") != std::string::npos)
            backward.push_back(text);
    }
    EXPECT_EQ(backward,
              (Texts{"blocks.0 [backward blocks.0] 230-280", ">blocks.0.b [backward blocks.0.b] 230-240",
                     ">blocks.0.a [backward blocks.0.a] 250-280",
                     ">>values [backward blocks.0.b/values] 230-240"}));
    EXPECT_TRUE(s->losses().empty());
}

TEST(TraceDecoder, ANewStepForgetsTheOldNumbers) {
    Script run;
    forwardOfTwoModules(run);
    run.endStep().step(1).phase(Phase::kBackward).node("MmBackward0", 5).endOp().endPhase().endStep();
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kCpuThread)[3], "MmBackward0 [backward]");
}

Texts categoriesOf(const Snapshot& s) {
    Texts texts;
    for (std::uint64_t i = 0; i < s.allocationCount(); ++i)
        texts.emplace_back(categoryName(s.categoryOf(AllocationId(i))));
    return texts;
}

TEST(TraceDecoder, CategoriesFollowFacts) {
    Script run;
    run.phase(Phase::kSetup)
        .allocate(1, 100)
        .mark(1, Category::kWeights)
        .allocate(2, 10)
        .allocate(3, 5)
        .release(3, 5);
    run.endPhase().step(0).phase(Phase::kForward, true);
    run.allocate(4, 7).allocate(5, 8).release(4, 7).endPhase();
    run.phase(Phase::kLoss, true).allocate(6, 9).endPhase();
    run.phase(Phase::kBackward).release(5, 8).allocate(7, 100).allocate(8, 3).release(8, 3).allocate(9, 1);
    run.mark(7, Category::kGradients).endPhase();
    run.phase(Phase::kOptimizer).allocate(10, 200).mark(10, Category::kOptimizerState).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(categoriesOf(*s), (Texts{"weights", "unknown", "temporaries", "temporaries", "activations",
                                       "activations", "gradients", "temporaries", "unknown", "optimizer"}));
    EXPECT_EQ(s->settledAllocationCount(), s->allocationCount());
    EXPECT_TRUE(s->losses().empty());
}

TEST(TraceDecoder, AllocationsSayWhereTheyCameFrom) {
    Script run;
    run.step(3).phase(Phase::kForward, true).module("norm").op("aten::empty").allocate(1, 64).endOp();
    run.allocate(2, 32).endModule().endPhase().endStep();
    const auto s = run.finish();
    const AllocationRow first = *s->allocation(AllocationId(0)), second = *s->allocation(AllocationId(1));
    EXPECT_EQ(s->name(first.op), "aten::empty");
    EXPECT_EQ(describe(*s, first.place), "forward norm");
    EXPECT_EQ(first.step, 3);
    EXPECT_EQ(first.bytes, 64);
    EXPECT_EQ(first.address, 1u);
    EXPECT_FALSE(second.op.valid());
    EXPECT_EQ(describe(*s, second.place), "forward norm");
}

TEST(TraceDecoder, TotalsAreComparedAtEveryEvent) {
    Script run;
    run.alreadyAllocated(1000).phase(Phase::kForward);
    run.allocate(1, 64).allocate(2, 32).release(1, 64).release(77, 500).allocate(3, 1).endPhase();
    const auto s = run.finish();
    EXPECT_TRUE(s->losses().empty());
    EXPECT_EQ(run.checkedTotals(), 4u);  // all but the free of what was there before
}

TEST(TraceDecoder, ADifferenceFromLibTorchsTotalIsCounted) {
    Script run;
    run.phase(Phase::kForward).allocate(1, 64).alreadyAllocated(70).allocate(2, 32).release(1, 64).endPhase();
    const auto s = run.finish();
    ASSERT_EQ(s->losses().size(), 1u);
    EXPECT_EQ(s->losses()[0].name, "allocator total that differs from the recorded sum");
    EXPECT_EQ(s->losses()[0].count, 1u);
}

TEST(TraceDecoder, ALostEndClosesItsSpanAtTheNextBegin) {
    Script run;
    run.phase(Phase::kForward).op("aten::a").op("aten::b").loseEndOp().loseEndOp();
    run.op("aten::c").endOp().endPhase();
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kCpuThread, true),
              (Texts{"aten::a [forward] 20-40", "aten::c [forward] 40-50", ">aten::b [forward] 30-40"}));
    ASSERT_EQ(s->losses().size(), 1u);
    EXPECT_EQ(s->losses()[0].name, "end of an op lost");
}

TEST(TraceDecoder, ALostFreeIsMadeUpWhenTheAddressComesAgain) {
    Script run;
    run.phase(Phase::kForward).allocate(1, 64);
    run.alreadyAllocated(0).allocate(1, 16).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(s->memoryEventCount(), 3u);
    ASSERT_EQ(s->losses().size(), 1u);
    EXPECT_EQ(s->losses()[0].name, "free lost");
}

TEST(TraceDecoder, CallsIntoCudaHaveATrackOfTheirThreadAndTheirKernelsTheirPlace) {
    Script run;
    run.step(0).phase(Phase::kForward, true).module("norm").op("aten::norm", 4).call("cuLaunchKernel", 21);
    run.endCall().endOp().endModule().endPhase();
    // Autograd runs a GPU's nodes on a thread of its own, while the model's thread waits.
    run.phase(Phase::kBackward).onThread(1).node("NormBackward", 4).op("aten::norm_backward");
    run.call("cuLaunchKernel", 22).endCall().endOp().endOp().call("cuMemsetD8Async", 23).endCall();
    run.allocate(1, 512).onThread(0).endPhase().endStep();
    for (const std::uint32_t correlation : {21u, 22u, 23u}) {
        GpuRecord record;
        record.symbol = "k";
        record.correlation = correlation;
        record.begin = 1000 + correlation;
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
    const auto allocation = s->allocation(AllocationId(0));
    EXPECT_EQ(s->name(s->place(allocation->place).module), "norm");
    EXPECT_TRUE(s->losses().empty());
}

TEST(TraceDecoder, ALostBeginOrEndOfACallIsRepairedAtTheNext) {
    Script run;
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

TEST(TraceDecoder, WhatAPhaseThatWasCutOffHeldIsATemporary) {
    Script run;
    run.phase(Phase::kForward, true).allocate(1, 8).cutPhase();
    run.phase(Phase::kBackward).allocate(2, 8).allocate(3, 8).mark(3, Category::kGradients).cutPhase();
    run.phase(Phase::kBackward).allocate(4, 8).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(s->categoryOf(AllocationId(0)), Category::kActivations);
    EXPECT_EQ(s->categoryOf(AllocationId(1)), Category::kTemporaries);
    EXPECT_EQ(s->categoryOf(AllocationId(2)), Category::kGradients);
    EXPECT_EQ(s->categoryOf(AllocationId(3)), Category::kUnknown);
}

TEST(TraceDecoder, AnAllocationHasWhatWasAskedForAndWhatWasGiven) {
    Script run;
    run.phase(Phase::kForward).request(64, 100).allocate(64, 512).allocate(128, 1024).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(s->allocation(AllocationId(0))->requested, 100);
    EXPECT_EQ(s->allocation(AllocationId(0))->bytes, 512);
    EXPECT_EQ(s->allocation(AllocationId(1))->requested, 1024);
}

TEST(TraceDecoder, WhatIsOpenAtTheEndIsClosed) {
    Script run;
    run.step(0).phase(Phase::kForward).module("norm").op("aten::a").allocate(1, 8);
    const auto s = run.finish();
    EXPECT_EQ(spansOf(*s, TrackKind::kModule, true), Texts{"norm [forward norm] 30-60"});
    EXPECT_EQ(spansOf(*s, TrackKind::kStep, true), Texts{"step 0 [none] 10-60"});
    EXPECT_TRUE(s->openSpans().empty());
    EXPECT_EQ(s->settledAllocationCount(), 1u);
}

}  // namespace
}  // namespace warpglass
