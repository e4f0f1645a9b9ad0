#include "engine/base/units.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

#include "engine/base/strong_id.h"

namespace warpglass::test::units_test {

template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
    a < b;
};

static_assert(Addable<Bytes, Bytes>);
static_assert(!Addable<Bytes, Nanoseconds>);
static_assert(!Addable<Bytes, std::int64_t>);
static_assert(!Comparable<Bytes, Nanoseconds>);
static_assert(!std::is_convertible_v<std::int64_t, Bytes>);

TEST(Quantity, AddsSubtractsAndScales) {
    Bytes size(100);
    size += Bytes(50);
    EXPECT_EQ(size, Bytes(150));
    size -= Bytes(200);
    EXPECT_EQ(size, Bytes(-50));
    EXPECT_EQ(-size, Bytes(50));
    EXPECT_EQ(size * 3, Bytes(-150));
    EXPECT_EQ(3 * size, size * 3);
    EXPECT_EQ(Bytes(7) - Bytes(3) + Bytes(1), Bytes(5));
    EXPECT_EQ(Bytes(), Bytes(0));
    EXPECT_LT(Bytes(-1), Bytes(0));
}

TEST(TimeRange, IsClosedAtItsBeginAndOpenAtItsEnd) {
    const TimeRange range{Nanoseconds(10), Nanoseconds(20)};
    EXPECT_EQ(range.duration(), Nanoseconds(10));
    EXPECT_FALSE(range.contains(Nanoseconds(9)));
    EXPECT_TRUE(range.contains(Nanoseconds(10)));
    EXPECT_TRUE(range.contains(Nanoseconds(19)));
    EXPECT_FALSE(range.contains(Nanoseconds(20)));
}

TEST(TimeRange, OverlapsWhenAPointIsShared) {
    const TimeRange range{Nanoseconds(10), Nanoseconds(20)};
    // Against the definition: some whole nanosecond lies in both.
    for (std::int64_t begin = 5; begin < 25; ++begin)
        for (std::int64_t end = begin + 1; end < 26; ++end) {
            const TimeRange other{Nanoseconds(begin), Nanoseconds(end)};
            bool shared = false;
            for (std::int64_t t = 0; t < 30; ++t)
                shared = shared || (range.contains(Nanoseconds(t)) && other.contains(Nanoseconds(t)));
            EXPECT_EQ(range.overlaps(other), shared) << begin << " to " << end;
            EXPECT_EQ(other.overlaps(range), shared) << begin << " to " << end;
        }
}

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

}  // namespace warpglass::test::units_test
