// Findings on memory, with answers worked out by hand.
#include "engine/query/memory/memory_sentences.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace memory_sentences_test {

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
              "Of the 4.00\u202fMiB live at the cursor, 75% is from blocks.0.ffn and 25% from "
              "lm_head.");
    EXPECT_EQ(breakdownSentence({}, BreakdownKey::kOp, "at the cursor"), "");
}

TEST(MemorySentences, SayWhereFreeMemoryLiesAndWhatIsBesideIt) {
    SegmentTotals totals;
    FreePlaces places;
    totals.reserved = Bytes(40 * kMiB);
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "None of the 40.0\u202fMiB reserved was free at the peak.");
    totals.free = places.wholeBytes = Bytes(4 * kMiB);
    places.whole = 1;
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "4.00\u202fMiB of the 40.0\u202fMiB reserved was free at the peak, in a whole segment.");
    totals.free = Bytes(8 * kMiB);
    places.whole = 2;
    places.holes = 1444;
    places.holeBytes = Bytes(4 * kMiB);
    places.largestHole = Bytes(1 * kMiB);
    places.beside[static_cast<std::size_t>(Category::kOptimizerState)] = 3 * kMiB;
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "8.00\u202fMiB of the 40.0\u202fMiB reserved was free at the peak: 4.00\u202fMiB in 2 whole "
              "segments and 4.00\u202fMiB in 1,444 holes of at most 1.00\u202fMiB, 75% of it beside "
              "optimizer state.");
    places.beside[static_cast<std::size_t>(Category::kOptimizerState)] = kMiB;
    places.whole = 0;
    EXPECT_EQ(reservedSentence(totals, places, "at the peak"),
              "8.00\u202fMiB of the 40.0\u202fMiB reserved was free at the peak, in 1,444 holes of at most "
              "1.00\u202fMiB.");
    EXPECT_EQ(reservedSentence({}, {}, "at the peak"), "");
}

TEST(MemorySentences, SayHowMuchTheListedAllocationsHold) {
    std::vector<AllocationDetail> rows(2);
    rows[0].row.bytes = 6 * kMiB;
    rows[0].category = "weights";
    rows[1].row.bytes = 2 * kMiB;
    EXPECT_EQ(allocationsSentence(rows, 5, Bytes(10 * kMiB)),
              "The largest 2 of 5 allocations account for 80% of their 10.0\u202fMiB; the largest is "
              "6.00\u202fMiB of weights.");
    EXPECT_EQ(allocationsSentence(rows, 2, Bytes(8 * kMiB)),
              "2 allocations hold 8.00\u202fMiB; the largest is 6.00\u202fMiB of weights.");
    EXPECT_EQ(allocationsSentence({}, 0, Bytes(0)), "");
}

}  // namespace memory_sentences_test
}  // namespace warpglass
