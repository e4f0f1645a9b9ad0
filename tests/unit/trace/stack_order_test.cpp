// The order of stacks holds every category once, the constant ones below those that come and go.
#include "engine/trace/stack_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace warpglass::test::stack_order_test {

TEST(StackOrder, IsAPermutationOfTheCategories) {
    const std::set<Category> held(kStackOrder.begin(), kStackOrder.end());
    EXPECT_EQ(held.size(), kCategoryCount);
    EXPECT_EQ(*held.begin(), Category::kWeights);
    EXPECT_EQ(static_cast<std::size_t>(*held.rbegin()), kCategoryCount - 1);
}

TEST(StackOrder, HasWhatStaysBelowWhatComesAndGoes) {
    const auto placeOf = [](Category category) {
        return std::ranges::find(kStackOrder, category) - kStackOrder.begin();
    };
    for (const Category constant :
         {Category::kWeights, Category::kOptimizerState, Category::kInput, Category::kWorkspace}) {
        for (const Category varying : {Category::kGradients, Category::kWeightCopies, Category::kActivations,
                                       Category::kTemporaries, Category::kUnknown})
            EXPECT_LT(placeOf(constant), placeOf(varying)) << categoryName(constant);
    }
}

}  // namespace warpglass::test::stack_order_test
