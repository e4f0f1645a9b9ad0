#include "engine/base/format_moment.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace warpglass::test::format_moment_test {

std::string moment(std::int64_t nanoseconds) {
    return formatMoment(Nanoseconds(nanoseconds));
}

TEST(FormatMoment, TellsMicrosecondsApart) {
    EXPECT_EQ(moment(248'481'000), "248.481\u202Fms");
    EXPECT_EQ(moment(248'481'500), "248.482\u202Fms");
    EXPECT_EQ(moment(248'481'499), "248.481\u202Fms");
    EXPECT_EQ(moment(0), "0.000\u202Fms");
    EXPECT_EQ(moment(7'040), "0.007\u202Fms");
}

TEST(FormatMoment, GoesOverToSecondsAfterRounding) {
    EXPECT_EQ(moment(999'999'499), "999.999\u202Fms");
    EXPECT_EQ(moment(999'999'500), "1.000000\u202Fs");
    EXPECT_EQ(moment(12'345'678'000), "12.345678\u202Fs");
    EXPECT_EQ(moment(3'600'000'001'000), "3600.000001\u202Fs");
}

TEST(FormatMoment, HoldsAtTheEndsOfTheClock) {
    EXPECT_EQ(moment(-1'500), "-0.002\u202Fms");
    EXPECT_EQ(moment(-400), "0.000\u202Fms");
    EXPECT_EQ(moment(INT64_MAX), "9223372036.854776\u202Fs");
    EXPECT_EQ(moment(INT64_MIN), "-9223372036.854776\u202Fs");
}

}  // namespace warpglass::test::format_moment_test
