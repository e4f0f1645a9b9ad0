// Rows of segments against what a list of all of them says: no segment is lost or shown twice, the worst come
// first, and there are no more rows than were asked for.
#include "ui/memory/segment_bins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::segment_bins_test {

/// Segments of a few or of many sizes, some full, some free as a whole.
struct RandomSegments {
    std::vector<MemorySegment> segments;
    std::vector<Category> categories;  // by allocation

    RandomSegments(std::uint64_t& seed, std::size_t count, bool fewSizes) {
        std::uint64_t address = 1 << 20;
        for (std::size_t i = 0; i < count; ++i) {
            MemorySegment segment{.address = address};
            const std::uint64_t blocks = 1 + test::nextRandom(seed) % 4;
            const std::uint64_t kind = test::nextRandom(seed) % 4;
            for (std::uint64_t k = 0; k < blocks; ++k) {
                MemoryBlock block;
                block.address = address + static_cast<std::uint64_t>(segment.bytes);
                block.bytes = static_cast<std::int64_t>(
                    512 * (fewSizes ? 4 / blocks : 1 + test::nextRandom(seed) % 50));
                block.state = kind == 0   ? BlockState::kFree
                              : kind == 1 ? BlockState::kAllocated
                                          : static_cast<BlockState>(test::nextRandom(seed) % 4);
                block.allocation = AllocationId(static_cast<std::uint32_t>(categories.size()));
                categories.push_back(static_cast<Category>(test::nextRandom(seed) % kCategoryCount));
                segment.bytes += block.bytes;
                Bytes& sum = block.state == BlockState::kFree        ? segment.totals.free
                             : block.state == BlockState::kAllocated ? segment.totals.allocated
                             : block.state == BlockState::kPending   ? segment.totals.pending
                                                                     : segment.totals.earlier;
                sum += Bytes(block.bytes);
                segment.totals.reserved += Bytes(block.bytes);
                segment.blocks.push_back(block);
            }
            address += static_cast<std::uint64_t>(segment.bytes);
            segments.push_back(std::move(segment));
        }
        sortByWaste(segments);
    }
    Category categoryOf(AllocationId id) const { return categories[id.index()]; }
};

TEST(SegmentBins, TheMostWasteComesFirst) {
    std::uint64_t seed = 5;
    const RandomSegments made(seed, 200, false);
    for (std::size_t i = 1; i < made.segments.size(); ++i) {
        const MemorySegment &a = made.segments[i - 1], &b = made.segments[i];
        EXPECT_GE(std::tuple(wasteOf(a), a.totals.free, a.bytes),
                  std::tuple(wasteOf(b), b.totals.free, b.bytes));
    }
    for (const MemorySegment& segment : made.segments) {
        std::int64_t free = 0;
        bool used = false;
        for (const MemoryBlock& block : segment.blocks) {
            free += block.state == BlockState::kFree ? block.bytes : 0;
            used = used || block.state != BlockState::kFree;
        }
        EXPECT_EQ(wasteOf(segment).value, used ? free : 0);
    }
}

TEST(SegmentBins, AConstantSegmentIsFilledByConstants) {
    std::uint64_t seed = 6;
    const RandomSegments made(seed, 1500, true);
    const auto isConstant = [&](AllocationId id) { return made.categoryOf(id) == Category::kWeights; };
    int constant = 0;
    for (const MemorySegment& segment : made.segments) {
        bool all = true;
        for (const MemoryBlock& block : segment.blocks)
            all = all && block.state == BlockState::kAllocated && isConstant(block.allocation);
        EXPECT_EQ(isConstantSegment(segment, isConstant), all);
        constant += all ? 1 : 0;
    }
    EXPECT_GT(constant, 3);
    EXPECT_FALSE(isConstantSegment({}, isConstant)) << "there is nothing in it";
}

TEST(SegmentBins, EverySegmentIsInOneRowOfABoundedNumber) {
    std::uint64_t seed = 7;
    std::size_t binned = 0, several = 0;
    for (int probe = 0; probe < 120; ++probe) {
        const RandomSegments made(seed, test::nextRandom(seed) % 150, probe % 2 == 0);
        const std::size_t most = 4 + test::nextRandom(seed) % 20;
        std::vector<bool> constant;
        for (std::size_t i = 0; i < made.segments.size(); ++i)
            constant.push_back(test::nextRandom(seed) % 4 == 0);
        const auto rows =
            segmentRows(made.segments, constant, most, [&](AllocationId id) { return made.categoryOf(id); });
        const auto constants = static_cast<std::size_t>(std::count(constant.begin(), constant.end(), true));
        EXPECT_LE(rows.size(), most + (constants > 0 ? 1 : 0));
        std::vector<int> seen(made.segments.size(), 0);
        std::set<SegmentFold> folds;
        const std::size_t varying = made.segments.size() - constants;
        const std::size_t alone = varying <= most ? varying : 0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const SegmentRow& row = rows[r];
            ASSERT_FALSE(row.segments.empty());
            EXPECT_TRUE(std::is_sorted(row.segments.begin(), row.segments.end()));
            Bytes reserved, free, holes;
            std::map<std::tuple<BlockState, Category, bool>, std::int64_t> parts;
            for (const std::size_t i : row.segments) {
                ++seen[i];
                EXPECT_EQ(constant[i], row.fold.constant);
                if (row.fold.bytes != 0) {
                    EXPECT_EQ(made.segments[i].bytes, row.fold.bytes);
                }
                reserved += made.segments[i].totals.reserved;
                free += made.segments[i].totals.free;
                holes += wasteOf(made.segments[i]);
                EXPECT_LE(made.segments[i].bytes, row.widest);
                const bool used = made.segments[i].totals.active().value > 0;
                for (const MemoryBlock& block : made.segments[i].blocks) {
                    const bool own =
                        block.state == BlockState::kAllocated || block.state == BlockState::kPending;
                    parts[{block.state, own ? made.categoryOf(block.allocation) : Category::kUnknown,
                           block.state == BlockState::kFree && !used}] += block.bytes;
                }
            }
            EXPECT_EQ(row.totals.reserved, reserved);
            EXPECT_EQ(row.totals.free, free);
            EXPECT_EQ(row.holes, holes);
            EXPECT_EQ(row.wholeFree(), free - holes);
            EXPECT_EQ(row.parts.size(), parts.size());
            for (const SegmentPart& part : row.parts)
                EXPECT_EQ(part.bytes, (parts[{part.state, part.category, part.whole}]));
            if (row.folded) {
                EXPECT_TRUE(folds.insert(row.fold).second)
                    << "a row is told from the others by what it holds";
                binned += row.fold.constant ? 0 : 1;
                several += !row.fold.constant && row.fold.bytes == 0 ? 1 : 0;
            } else {
                EXPECT_EQ(row.segments.size(), 1u);
            }
            if (r < alone) {
                EXPECT_FALSE(row.folded);
                EXPECT_TRUE(r == 0 || row.segments.front() > rows[r - 1].segments.front())
                    << "in the order of waste";
            } else if (r > 0 && !row.fold.constant && row.fold.bytes != 0) {
                EXPECT_GE(rows[r - 1].holes, row.holes) << "the sizes with the most waste first";
            }
        }
        const SegmentRow all =
            allSegments(made.segments, [&](AllocationId id) { return made.categoryOf(id); });
        Bytes reserved, holes;
        std::int64_t parts = 0;
        for (const SegmentRow& row : rows) {
            reserved += row.totals.reserved;
            holes += row.holes;
        }
        for (const SegmentPart& part : all.parts)
            parts += part.bytes;
        EXPECT_EQ(all.segments.size(), made.segments.size());
        EXPECT_EQ(all.totals.reserved, reserved);
        EXPECT_EQ(all.holes, holes);
        EXPECT_EQ(parts, reserved.value);
        EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
        EXPECT_GE(rows.size(), alone);
    }
    EXPECT_GT(binned, 50u);
    EXPECT_GT(several, 10u);
}

}  // namespace warpglass::ui::segment_bins_test
