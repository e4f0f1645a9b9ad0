// Allocations with their categories, places and sizes, totals, and the segments they lie in.
#include <gtest/gtest.h>

#include "tests/unit/capture/capture_script.h"

namespace warpglass::test::trace_decoder_memory_test {

Texts categoriesOf(const Snapshot& s) {
    Texts texts;
    for (std::uint64_t i = 0; i < s.allocationCount(); ++i)
        texts.emplace_back(categoryName(s.categoryOf(AllocationId(i))));
    return texts;
}

TEST_F(TraceDecoderTest, CategoriesFollowFacts) {
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

TEST_F(TraceDecoderTest, AllocationsSayWhereTheyCameFrom) {
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

TEST_F(TraceDecoderTest, AnAllocationHasWhatWasAskedForAndWhatWasGiven) {
    run.phase(Phase::kForward).allocate(64, 512, 100).allocate(128, 1024).endPhase();
    const auto s = run.finish();
    EXPECT_EQ(s->allocation(AllocationId(0))->requested, 100);
    EXPECT_EQ(s->allocation(AllocationId(0))->bytes, 512);
    EXPECT_EQ(s->allocation(AllocationId(1))->requested, 1024);
}

TEST_F(TraceDecoderTest, TotalsAreComparedAtEveryEvent) {
    run.alreadyAllocated(1000).phase(Phase::kForward);
    run.allocate(1, 64).allocate(2, 32).release(1, 64).release(77, 500).allocate(3, 1).endPhase();
    EXPECT_TRUE(run.finish()->losses().empty());
    EXPECT_EQ(run.checkedTotals(), 4u);  // all but the free of what was there before
}

TEST_F(TraceDecoderTest, ADifferenceFromLibTorchsTotalIsCounted) {
    run.phase(Phase::kForward).allocate(1, 64).alreadyAllocated(70).allocate(2, 32).release(1, 64).endPhase();
    const auto s = run.finish();
    ASSERT_EQ(s->losses().size(), 1u);
    EXPECT_EQ(s->losses()[0].name, "allocator total that differs from the recorded sum");
    EXPECT_EQ(s->losses()[0].count, 1u);
}

TEST_F(TraceDecoderTest, SegmentsHaveTheirCausesAndStreamsBecomeSmallNumbers) {
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

TEST_F(TraceDecoderTest, ABlockThatComesFreeLateIsHeldFromItsFreeOn) {
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

TEST_F(TraceDecoderTest, ABlockFromBeforeTheRecordingIsHeldUntilItIsFreed) {
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

TEST_F(TraceDecoderTest, AnAllocationWhereABlockIsHeldReleasesIt) {
    run.allocate(512, 1024).release(512, 1024).segment(SegmentAction::kHold, 512, 1024);
    run.allocate(512, 1024);  // the release found the ring full
    const auto s = run.finish();
    EXPECT_EQ(segmentsOf(*s), (Texts{"hold 512+1024 stream 0 pool 0 [none] step -1  @20 allocation 0",
                                     "release 512+1024 stream 0 pool 0 [none] step -1  @40 allocation 0"}));
    run.segment(SegmentAction::kRelease, 9999, 1);
    EXPECT_EQ(segmentsOf(*run.finish()).size(), 2u) << "what is not held is not released";
}

}  // namespace warpglass::test::trace_decoder_memory_test
