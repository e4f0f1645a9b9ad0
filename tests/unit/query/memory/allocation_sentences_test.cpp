// What the inspector says of one allocation, with answers worked out by hand.
#include "engine/query/memory/allocation_sentences.h"

#include <gtest/gtest.h>

#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::allocation_sentences_test {

TEST(AllocationSentences, SayWhatItIsHowLongItLivesAndWhetherItIsAtThePeak) {
    const auto run = traceOf(R"(
        step 1 0-1000
          forward 0-500
            module blocks.0 0-400
              op aten::mm 10-300
                alloc 1024 100-350 activations
                alloc 3072 150 weights
        end 1000
    )");
    const MemoryTimeline memory = timelineOf(run);
    const AllocationDetail first = describeAllocation(memory, AllocationId(0)),
                           second = describeAllocation(memory, AllocationId(1));
    EXPECT_EQ(allocatedSentence(first),
              "1.00\u202fKiB of activations, allocated by aten::mm in the forward pass of step 1.");
    EXPECT_EQ(lifetimeSentence(first, run->range()), "It lives for 250\u202fns, 25% of the run.");
    EXPECT_EQ(lifetimeSentence(second, run->range()),
              "It is live to the end of the recording, for at least 850\u202fns, 85% of the run.");
    EXPECT_EQ(atPeakSentence(first, *memory.peak()), "It is live at the peak and 25% of it.");
    MemoryPoint later = *memory.peak();
    later.time = Nanoseconds(350);
    EXPECT_EQ(atPeakSentence(first, later), "It is not live at the peak.") << "it is freed at that moment";
    EXPECT_EQ(atPeakSentence(second, later), "It is live at the peak and 75% of it.");
}

TEST(AllocationSentences, WhatOnlyTeardownFreesIsLiveToTheEndOfTheRun) {
    const auto run = traceOf(R"(
        setup 0-100 | alloc 1024 10-910 weights
        step 1 100-900
          forward 100-500 | alloc 1024 200-850 activations
        teardown 900-950
        end 1000
    )");
    const MemoryTimeline memory = timelineOf(run);
    const AllocationDetail weights = describeAllocation(memory, AllocationId(0)),
                           activations = describeAllocation(memory, AllocationId(1));
    EXPECT_EQ(weights.freed, Nanoseconds(910));
    EXPECT_TRUE(weights.toEnd);
    EXPECT_EQ(lifetimeSentence(weights, run->range()),
              "It is live to the end of the recording, for at least 900\u202fns, 90% of the run.");
    EXPECT_FALSE(activations.toEnd);
    EXPECT_EQ(lifetimeSentence(activations, run->range()), "It lives for 650\u202fns, 65% of the run.");
}

}  // namespace warpglass::test::allocation_sentences_test
