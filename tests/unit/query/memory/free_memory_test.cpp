// What is free piece by piece, with answers worked out by hand, and against the segments themselves.
#include "engine/query/memory/free_memory.h"

#include <gtest/gtest.h>

#include "tests/support/allocator_model.h"
#include "tests/support/must.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::free_memory_test {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

struct Asked {
    explicit Asked(std::shared_ptr<const Snapshot> snapshot) {
        memory.update(snapshot);
        segments.update(snapshot);
    }
    FreeMemory at(std::int64_t t) { return freeMemory(segments.at(memory, Nanoseconds(t)), memory); }
    MemoryTimeline memory;
    MemorySegments segments;
};

/// Two segments of 20 MiB that end in a hole of 2 MiB, one with holes of 5 and 7 MiB, and one that is free;
/// then 6, 19, 19 and 1 MiB are allocated.
std::shared_ptr<const Snapshot> handMade() {
    return traceOf(R"(
        segment alloc 20MiB 1 address 100MiB ; segment alloc 20MiB 2 address 200MiB
        segment alloc 20MiB 3 address 300MiB ; segment alloc 32MiB 4 address 400MiB
        in phase forward module blocks.0.ffn
          alloc 18MiB 10-900 activations address 100MiB
        in phase forward module blocks.1.ffn
          alloc 18MiB 11-900 activations address 200MiB
        in phase setup module head
          alloc 8MiB 12 weights address 305MiB
        alloc 6MiB 100 address 500MiB ; alloc 19MiB 110 address 510MiB ; alloc 19MiB 120 address 540MiB
        alloc 1MiB 130 address 590MiB
        end 1000
    )");
}

TEST(FreeMemory, EqualPiecesAreAGroupNamedForWhatIsBesideThem) {
    Asked asked(handMade());
    const FreeMemory free = asked.at(50);
    std::vector<std::int64_t> bytes;
    for (const FreePiece& piece : free.pieces)
        bytes.push_back(piece.bytes / kMiB);
    EXPECT_EQ(bytes, (std::vector<std::int64_t>{7, 5, 2, 2, 32})) << "holes first, the largest first";
    ASSERT_EQ(free.groups.size(), 4u);
    EXPECT_EQ(free.groups[0].beside, "weights of head");
    EXPECT_EQ(free.groups[2].count, 2u);
    EXPECT_EQ(free.groups[2].beside, "activations of blocks.*.ffn") << "both blocks";
    EXPECT_EQ(free.bytesOf(free.groups[2]), 4 * kMiB);
    EXPECT_TRUE(free.pieces[free.groups[3].first].whole);
    EXPECT_EQ(free.groups[3].beside, "");
    // The ends of a segment have nothing beyond them.
    EXPECT_FALSE(free.pieces[2].above);
    EXPECT_EQ(free.pieces[2].below, AllocationId(0));
    EXPECT_EQ(free.pieces[2].segmentBytes, 20 * kMiB);
    EXPECT_EQ(free.places.largestWhole.value, 32 * kMiB);
}

TEST(FreeMemory, SizesArePowersOfTwoFromTheSmallestPieceToTheLargest) {
    Asked asked(handMade());
    const FreeMemory free = asked.at(50);
    ASSERT_EQ(free.sizes.size(), 5u) << "2, 4, 8, 16 and 32 MiB";
    EXPECT_EQ(free.sizes[0].from, 2 * kMiB);
    EXPECT_EQ(free.sizes[0].to, 4 * kMiB);
    EXPECT_EQ(free.sizes[0].holes, 2);
    EXPECT_EQ(free.sizes[1].holeBytes.value, 12 * kMiB);
    EXPECT_EQ(free.sizes[2].holes + free.sizes[2].whole, 0) << "a size in between, of which there is none";
    EXPECT_EQ(free.sizes[4].whole, 1);
    EXPECT_EQ(free.sizes[4].wholeBytes.value, 32 * kMiB);
    EXPECT_TRUE(freeMemory({}, asked.memory).sizes.empty());
}

TEST(FreeMemory, TheLargestAllocationStillToComeFitsIntoTheSmallestPieceForIt) {
    Asked asked(handMade());
    const auto coming = must(largestAfter(asked.memory, Nanoseconds(50)));
    EXPECT_EQ(coming.id, AllocationId(4)) << "the first of two";
    EXPECT_EQ(coming.bytes.value, 19 * kMiB);
    EXPECT_EQ(largestAfter(asked.memory, Nanoseconds(120))->bytes.value, kMiB);
    EXPECT_FALSE(largestAfter(asked.memory, Nanoseconds(130)));
    const FreeMemory free = asked.at(50);
    EXPECT_EQ(pieceFor(free, Bytes(6 * kMiB))->bytes, 7 * kMiB);
    EXPECT_EQ(pieceFor(free, Bytes(2 * kMiB))->bytes, 2 * kMiB);
    EXPECT_TRUE(pieceFor(free, Bytes(19 * kMiB))->whole);
    EXPECT_EQ(pieceFor(free, Bytes(33 * kMiB)), nullptr);
    EXPECT_EQ(pieceFor(free, Bytes(kMiB)), nullptr) << "a small one has segments of its own";
}

TEST(FreeMemory, AddsUpToWhatTheSegmentsHaveFree) {
    TraceWriter writer;
    AllocatorModel model(writer, 12);
    model.append(6'000);
    Asked asked(model.commit());
    std::int64_t holes = 0;
    for (int probe = 0; probe < 40; ++probe) {
        const FreeMemory free = asked.at(model.endTime() * probe / 39);
        Bytes pieces, groups, sizes;
        std::size_t grouped = 0;
        for (const FreePiece& piece : free.pieces) {
            pieces += Bytes(piece.bytes);
            EXPECT_NE(piece.whole, piece.below || piece.above);
        }
        for (const FreeGroup& group : free.groups) {
            EXPECT_EQ(group.first, grouped);
            grouped += group.count;
            groups += Bytes(free.bytesOf(group));
        }
        for (const FreeSizes& size : free.sizes)
            sizes += size.holeBytes + size.wholeBytes;
        EXPECT_EQ(grouped, free.pieces.size());
        EXPECT_EQ(pieces, free.totals.free);
        EXPECT_EQ(groups, free.totals.free);
        EXPECT_EQ(sizes, free.totals.free);
        EXPECT_EQ(free.places.holeBytes + free.places.wholeBytes, free.totals.free);
        holes += free.places.holes;
    }
    EXPECT_GT(holes, 100);
}

}  // namespace warpglass::test::free_memory_test
