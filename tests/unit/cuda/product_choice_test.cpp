// Which algorithm wins by a clock that the test keeps, and what one choice is for.
#include "engine/cuda/product_choice.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpglass::test::product_choice_test {

constexpr double kFails = 0;

/// A clock that always says the same of each.
std::size_t fastest(const std::vector<double>& times) {
    return fastestOf(
        times.size(), [&](std::size_t i) { return times[i] > kFails; },
        [&](std::size_t i) { return times[i]; });
}

TEST(ProductChoice, TakesTheFastestAndStaysWithTheFirstWhereNoneIsClearlyFaster) {
    EXPECT_EQ(fastest({10, 9, 8, 9}), 2u);
    EXPECT_EQ(fastest({10, 9.95, 9.85}), 0u) << "noise";
    EXPECT_EQ(fastest({10, 9.79}), 1u);
    EXPECT_EQ(fastest({10, 10, 10}), 0u);
    EXPECT_EQ(fastest({8, 9, 10}), 0u);
    EXPECT_EQ(fastest({10}), 0u);
    EXPECT_EQ(fastest({}), 0u);
}

TEST(ProductChoice, LeavesOutWhatFails) {
    EXPECT_EQ(fastest({10, kFails, 8}), 2u);
    EXPECT_EQ(fastest({kFails, 12, 11}), 2u) << "whatever works";
    EXPECT_EQ(fastest({kFails, kFails}), 0u);
}

TEST(ProductChoice, IsNotMisledByATurnThatWasDisturbed) {
    std::vector<int> turns(3);
    const std::size_t best = fastestOf(
        3, [](std::size_t) { return true; },
        [&](std::size_t i) -> double {
            const int turn = turns[i]++;
            if (i == 1)
                return turn == 3 ? 90 : 5;  // once another program was in the way
            return i == 2 && turn == 2 ? 1 : 6;
        });
    EXPECT_EQ(best, 1u);
}

TEST(ProductChoice, GivesWhatIsFarBehindOneTurn) {
    std::vector<int> turns(3);
    const std::vector<double> times{10, 13, 5};
    const std::size_t best = fastestOf(
        3, [](std::size_t) { return true; }, [&](std::size_t i) { return ++turns[i], times[i]; });
    EXPECT_EQ(best, 2u);
    EXPECT_EQ(turns, (std::vector<int>{5, 1, 5})) << "the first is what the others are held against";
}

TEST(ProductChoice, TilesAreMorePromisingTheFullerTheirLastWaveAndTheFewerTheWaves) {
    EXPECT_LT(unpromising(0.97), unpromising(1.05));
    EXPECT_LT(unpromising(0.97), unpromising(0.7));
    EXPECT_LT(unpromising(0.97), unpromising(1.94));
    EXPECT_LT(unpromising(1.94), unpromising(1.6));
    EXPECT_LT(unpromising(1.0), unpromising(0.99));
    EXPECT_LT(unpromising(1.0001), unpromising(0.98)) << "rounding makes no second wave";
    EXPECT_EQ(unpromising(0), std::numeric_limits<double>::infinity()) << "unknown";
}

TEST(ProductChoice, IsForOneKindOfProduct) {
    const MatrixLayout layout{.rows = 64, .columns = 32, .stride = 32, .type = 1, .alignment = 256};
    const ProductKind kind{0, layout, layout, layout};
    EXPECT_EQ(kind, (ProductKind{0, layout, layout, layout}));
    std::vector<ProductKind> others(4, kind);
    others[0].device = 1;
    others[1].a.rows = 65;
    others[2].b.transposed = true;
    others[3].out.type = 2;
    for (auto member : {&MatrixLayout::columns, &MatrixLayout::stride}) {
        others.push_back(kind);
        others.back().b.*member = 33;
    }
    others.push_back(kind);
    others.back().a.alignment = 2;
    for (const ProductKind& other : others)
        EXPECT_TRUE(other < kind || kind < other);
}

TEST(ProductChoice, KnowsWhatAnAddressIsAMultipleOf) {
    EXPECT_EQ(alignmentOf(0x7f0000000200), 256u);
    EXPECT_EQ(alignmentOf(0x7f0000000300), 256u);
    EXPECT_EQ(alignmentOf(0x7f0000000110), 16u);
    EXPECT_EQ(alignmentOf(0x7f0000000102), 2u);
    EXPECT_EQ(alignmentOf(0x7f0000000103), 1u);
}

}  // namespace warpglass::test::product_choice_test
