#include "engine/base/median.h"

#include <gtest/gtest.h>

namespace warpglass::test::median_test {

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
    EXPECT_EQ(medianOf({}), 0);
    EXPECT_EQ(medianOf({3}), 3);
    EXPECT_EQ(medianOf({9, 1, 5}), 5);
    EXPECT_EQ(medianOf({9, 1, 5, 2}), 3.5);
}

}  // namespace warpglass::test::median_test
