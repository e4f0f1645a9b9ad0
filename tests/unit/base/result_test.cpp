#include "engine/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace warpglass::test::result_test {

Result<int> half(int value) {
    if (value % 2 != 0)
        return Error{"The value is odd."};
    return value / 2;
}

TEST(Result, HoldsAValue) {
    Result<int> result = half(8);
    ASSERT_TRUE(result.ok());
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, 4);
    *result = 5;
    EXPECT_EQ(result.value(), 5);
}

TEST(Result, HoldsASentence) {
    const Result<int> result = half(7);
    EXPECT_FALSE(result.ok());
    EXPECT_FALSE(result);
    EXPECT_EQ(result.message(), "The value is odd.");
    EXPECT_EQ(result.error().message, result.message());
}

TEST(Result, TellsAStringFromAnError) {
    const Result<std::string> good = std::string("fine");
    const Result<std::string> bad = Error{"broken"};
    EXPECT_TRUE(good.ok());
    EXPECT_EQ(good->size(), 4u);
    EXPECT_FALSE(bad.ok());
}

TEST(Result, CarriesWhatCanOnlyBeMoved) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
    ASSERT_TRUE(result.ok());
    const std::unique_ptr<int> taken = std::move(*result);
    EXPECT_EQ(*taken, 3);
    EXPECT_EQ(*result, nullptr);
}

TEST(Status, IsDoneUnlessGivenAnError) {
    EXPECT_TRUE(Status().ok());
    const Status failed = Error{"The disk is full."};
    EXPECT_FALSE(failed);
    EXPECT_EQ(failed.message(), "The disk is full.");
}

}  // namespace warpglass::test::result_test
