#include "engine/query/statistics/pair_keys.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

namespace warpglass::test::pair_keys_test {

TEST(PairKeys, NumberPairsAsTheyFirstOccur) {
    constexpr std::size_t kNames = 1'000'000'007;  // as a file from outside may state
    PairKeys keys(5'000, kNames);
    std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> expected;
    std::mt19937 random(7);
    for (int i = 0; i < 20'000; ++i) {
        const auto group = static_cast<std::uint32_t>(random() % 50);
        const std::size_t name = kNames - 1 - random() % 100;
        const auto key = static_cast<std::uint32_t>(expected.size());
        const std::uint32_t known = expected.try_emplace({group, name}, key).first->second;
        ASSERT_EQ(keys.of(group, name), known);
        ASSERT_EQ(keys.groupOf(known), group);
        ASSERT_EQ(keys.nameOf(known), name);
    }
    ASSERT_GT(expected.size(), 4'000u) << "more than the table begins with";
    PairKeys others(5'000, kNames);
    EXPECT_EQ(others.of(keys, 11), 0u);
    EXPECT_EQ(others.groupOf(0), keys.groupOf(11));
    EXPECT_EQ(others.nameOf(0), keys.nameOf(11));
}

TEST(PairKeys, OfOneGroupAreNamesUnlessFewOfThemOccur) {
    EXPECT_EQ(PairKeys(1, 100).of(0, 42), 42u);
    PairKeys sparse(1, 100, true);
    EXPECT_EQ(sparse.of(0, 42), 0u);
    EXPECT_EQ(sparse.nameOf(0), 42u);
}

}  // namespace warpglass::test::pair_keys_test
