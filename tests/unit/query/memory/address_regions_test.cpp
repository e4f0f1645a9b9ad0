#include "engine/query/memory/address_regions.h"

#include <gtest/gtest.h>

#include "tests/support/allocator_model.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"

namespace warpglass::test::address_regions_test {

TEST(AddressRegions, AGapLargerThanBothRangesBesideItPartsThem) {
    // The second gap is larger than the range below it alone, the third than both.
    const std::vector<AllocationMap::Piece> pieces = {
        {1000, 20, 0}, {1040, 30, 20}, {1110, 50, 50}, {1211, 40, 100}};
    EXPECT_EQ(addressRegions(pieces),
              (std::vector<AddressRegion>{{1000, 0, 100, 3, 0}, {1211, 100, 140, 1, 51}}));
    EXPECT_TRUE(addressRegions({}).empty());
}

TEST(AddressRegions, CoverThePiecesOfARun) {
    const AllocationMap map(timelineOf(makeAllocatorRun(3000, 5)));
    std::int64_t end = 0, ranges = 0;
    for (const AddressRegion& region : addressRegions(map.pieces())) {
        EXPECT_EQ(region.from, end);
        EXPECT_EQ(map.addressAt(region.from), region.address);
        end = region.to;
        ranges += region.ranges;
    }
    EXPECT_EQ(end, map.placeEnd());
    EXPECT_EQ(ranges, static_cast<std::int64_t>(map.pieces().size()));
}

}  // namespace warpglass::test::address_regions_test
