#include "engine/base/strong_id.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace warpglass::test::strong_id_test {

using AppleId = StrongId<struct AppleTag>;
using PearId = StrongId<struct PearTag>;

static_assert(!std::is_convertible_v<AppleId, PearId>);
static_assert(!std::is_constructible_v<AppleId, PearId>);
static_assert(!std::is_convertible_v<int, AppleId>, "an index becomes an id only on purpose");
static_assert(!std::is_convertible_v<AppleId, std::uint32_t>);
static_assert(sizeof(AppleId) == sizeof(std::uint32_t));

TEST(StrongId, IsInvalidUntilGivenAValue) {
    EXPECT_FALSE(AppleId().valid());
    EXPECT_TRUE(AppleId(0).valid());
    EXPECT_FALSE(AppleId(AppleId::kNone).valid());
    EXPECT_EQ(AppleId(std::size_t{7}).index(), 7u);
}

TEST(StrongId, ComparesByValue) {
    EXPECT_EQ(AppleId(3), AppleId(3));
    EXPECT_NE(AppleId(3), AppleId(4));
    EXPECT_LT(AppleId(3), AppleId(4));
    EXPECT_LT(AppleId(4), AppleId()) << "an invalid id sorts last";
}

TEST(StrongId, IsAKeyOfHashTables) {
    std::unordered_set<AppleId> set;
    for (int i = 0; i < 100; ++i)
        set.insert(AppleId(i % 10));
    EXPECT_EQ(set.size(), 10u);
    EXPECT_TRUE(set.contains(AppleId(9)));
    EXPECT_FALSE(set.contains(AppleId(10)));
}

}  // namespace warpglass::test::strong_id_test
