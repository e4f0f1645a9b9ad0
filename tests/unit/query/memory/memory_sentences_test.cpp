// Findings on memory, with answers worked out by hand.
#include "engine/query/memory/memory_sentences.h"

#include <gmock/gmock.h>

#include "engine/query/memory/allocation_sentences.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::memory_sentences_test {

constexpr std::int64_t kMiB = 1 << 20;

CategoryBytes bytesOf(std::initializer_list<std::pair<Category, std::int64_t>> parts) {
    CategoryBytes bytes{};
    for (const auto& [category, mib] : parts)
        bytes[static_cast<std::size_t>(category)] = mib * kMiB;
    return bytes;
}

TEST(MemorySentences, NameTheLargestCategories) {
    EXPECT_EQ(categoriesSentence(bytesOf({{Category::kWeights, 20},
                                          {Category::kOptimizerState, 43},
                                          {Category::kActivations, 35},
                                          {Category::kInput, 2}}),
                                 "at the peak"),
              "Of the 100\u202fMiB live at the peak, 43% is optimizer state, 35% activations and "
              "20% weights.");
    EXPECT_EQ(categoriesSentence({}, "at the peak"), "");
}

TEST(MemorySentences, SayWhereMemoryIsByAnyKey) {
    const std::vector<BreakdownRow> rows = {{"blocks.0.ffn", Bytes(3 * kMiB), 0.75, 3, {}},
                                            {"lm_head", Bytes(1 * kMiB), 0.25, 1, {}}};
    EXPECT_EQ(breakdownSentence(rows, BreakdownKey::kModule, "at the cursor"),
              "Of the 4.00\u202fMiB live at the cursor, 75% is in blocks.0.ffn and 25% in lm_head.");
    EXPECT_EQ(breakdownSentence(rows, BreakdownKey::kOp, "at the cursor"),
              "Of the 4.00\u202fMiB live at the cursor, 75% is from blocks.0.ffn and 25% from lm_head.");
    EXPECT_EQ(breakdownSentence({}, BreakdownKey::kOp, "at the cursor"), "");
}

TEST(MemorySentences, SayWhereFreeMemoryLies) {
    SegmentTotals totals;
    FreePlaces places;
    totals.reserved = Bytes(40 * kMiB);
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "None of the 40.0\u202fMiB reserved was free at the peak.");
    totals.free = places.wholeBytes = Bytes(4 * kMiB);
    places.whole = 1;
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "4.00\u202fMiB of the 40.0\u202fMiB reserved was free at the peak, in a whole segment that "
              "could be given back.");
    totals.free = Bytes(8 * kMiB);
    places.whole = 2;
    places.holes = 1444;
    places.holeBytes = Bytes(4 * kMiB);
    places.largestHole = Bytes(1 * kMiB);
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "8.00\u202fMiB of the 40.0\u202fMiB reserved was free at the peak: 4.00\u202fMiB in 2 whole "
              "segments that could be given back and 4.00\u202fMiB in 1,444 holes of at most 1.00\u202fMiB.");
    places.whole = 0;
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "8.00\u202fMiB of the 40.0\u202fMiB reserved was free at the peak, in 1,444 holes of at most "
              "1.00\u202fMiB.");
    EXPECT_EQ(reservedSentence({}, {}, "at the peak"), "");
}

TEST(MemorySentences, SayHowMuchOfWhatIsReservedIsLostToHoles) {
    FreeMemory free{.totals = {.reserved = Bytes(40 * kMiB)}};
    EXPECT_EQ(segmentsSentence(free, "At 1 ms"),
              "At 1 ms, nothing of the 40.0\u202fMiB reserved is lost to holes.");
    free.places.holes = 3;
    free.places.holeBytes = Bytes(4 * kMiB);
    free.places.whole = 2;
    free.places.wholeBytes = Bytes(5 * kMiB);
    EXPECT_EQ(segmentsSentence(free, "At 1 ms"),
              "At 1 ms, 10% of the 40.0\u202fMiB reserved is lost to holes (4.00\u202fMiB in 3); "
              "5.00\u202fMiB in 2 whole segments could be given back.");
    free.places.holeBytes = Bytes(kMiB);
    free.places.whole = 1;
    EXPECT_EQ(segmentsSentence(free, "At 1 ms"),
              "At 1 ms, only 2.5% of the 40.0\u202fMiB reserved is lost to holes (1.00\u202fMiB in 3); "
              "5.00\u202fMiB in a whole segment could be given back.");
}

TEST(MemorySentences, SayWhatIsInUseAndWhatOfItIsNoAllocation) {
    SegmentTotals totals{.allocated = Bytes(30 * kMiB)};
    EXPECT_EQ(inUseSentence(totals, Bytes(kMiB)),
              "30.0\u202fMiB is in use, 1.00\u202fMiB of it by rounding.");
    totals.pending = Bytes(kMiB);
    totals.earlier = Bytes(2 * kMiB);
    EXPECT_EQ(inUseSentence(totals, Bytes(kMiB)),
              "33.0\u202fMiB is in use, 1.00\u202fMiB of it by rounding. 1.00\u202fMiB is freed but still "
              "used by another stream. 2.00\u202fMiB is in use since before the recording.");
}

TEST(MemorySentences, SayWhereTheLargestAllocationStillToComeWouldFit) {
    FreeMemory free;
    EXPECT_EQ(
        comingSentence(free, Bytes(8 * kMiB)),
        "The largest allocation still to come, 8.00\u202fMiB, would now fit into nothing that is free: it "
        "would need a new segment.");
    free.pieces.push_back({0, 8 * kMiB, 8 * kMiB, true, true, {}, {}});
    EXPECT_EQ(
        comingSentence(free, Bytes(8 * kMiB)),
        "The largest allocation still to come, 8.00\u202fMiB, would now fit into a free segment, but into "
        "no hole.");
    free.pieces.insert(free.pieces.begin(), {0, 9 * kMiB, 20 * kMiB, true, false, AllocationId(0), {}});
    EXPECT_EQ(comingSentence(free, Bytes(8 * kMiB)),
              "The largest allocation still to come, 8.00\u202fMiB, would now fit into a hole.");
}

TEST(MemorySentences, SayHowMuchTheListedAllocationsHold) {
    std::vector<AllocationGroup> rows(2);
    rows[0].row.bytes = 6 * kMiB;
    rows[1].row.bytes = 2 * kMiB;
    LargestHolding holding{
        Category::kOptimizerState, Bytes(6 * kMiB), "blocks.*.ffn", Bytes(4 * kMiB), 2, Bytes(2 * kMiB)};
    const auto sentence = [&](std::int64_t allocations, std::int64_t mib) {
        return allocationsWordings(rows, allocations, Bytes(mib * kMiB), holding).front();
    };
    EXPECT_EQ(sentence(5, 10),
              "The largest 2 of 5 allocations account for 80% of the 10.0\u202fMiB; of all, 6.00\u202fMiB is "
              "optimizer state, of which 4.00\u202fMiB is in blocks.*.ffn (2 × 2.00\u202fMiB).");
    EXPECT_EQ(sentence(2, 8),
              "2 allocations hold 8.00\u202fMiB: 6.00\u202fMiB is optimizer state, of which 4.00\u202fMiB is "
              "in blocks.*.ffn (2 × 2.00\u202fMiB).");
    holding.each.reset();
    EXPECT_TRUE(sentence(2, 8).ends_with("blocks.*.ffn (2 allocations).")) << "of several sizes";
    holding = {Category::kWeights, Bytes(6 * kMiB), std::string(kOutsideModel), Bytes(6 * kMiB), 1,
               Bytes(6 * kMiB)};
    EXPECT_EQ(sentence(2, 8),
              "2 allocations hold 8.00\u202fMiB: 6.00\u202fMiB is weights, all of it outside the model (1 "
              "allocation).");
    holding.bytes = Bytes(8 * kMiB);
    EXPECT_EQ(sentence(2, 8),
              "2 allocations hold 8.00\u202fMiB, all of it weights, of which 6.00\u202fMiB is outside the "
              "model (1 allocation).");
    holding.partBytes = Bytes(8 * kMiB);
    holding.partAllocations = 2;
    EXPECT_EQ(sentence(2, 8),
              "2 allocations hold 8.00\u202fMiB, all of it weights outside the model (2 × 6.00\u202fMiB).");
    EXPECT_EQ(sentence(1, 8), "The only allocation holds 8.00\u202fMiB.");
    EXPECT_TRUE(allocationsWordings({}, 0, Bytes(0), {}).empty());
    EXPECT_THAT(
        allocationsWordings(rows, 2, Bytes(12 * kMiB), holding),
        testing::ElementsAre(testing::_, "2 allocations hold 12.0\u202fMiB.", "8.00\u202fMiB is weights."));
    rows[0].allocations = 3;
    EXPECT_EQ(
        sentence(1005, 10),
        "The 2 largest groups, of 4 of 1,005 allocations, account for 80% of the 10.0\u202fMiB; of all, "
        "8.00\u202fMiB is weights, all of it outside the model (2 × 6.00\u202fMiB).");
    EXPECT_EQ(listedAllocations(rows, 1005), "2 largest groups, of 4 of 1,005 allocations");
    EXPECT_EQ(listedAllocations(rows, 4), "4 allocations");
    rows[0].allocations = 1;
    EXPECT_EQ(listedAllocations(rows, 5), "largest 2 of 5 allocations");
    rows.pop_back();
    EXPECT_EQ(listedAllocations(rows, 1), "1 allocation");
}

// What the inspector says of one allocation, with answers worked out by hand.

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

}  // namespace warpglass::test::memory_sentences_test
