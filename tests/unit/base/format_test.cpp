#include "engine/base/format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace warpglass::test::format_test {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

std::string bytes(std::int64_t value) {
    return formatBytes(Bytes(value));
}
std::string duration(std::int64_t value) {
    return formatDuration(Nanoseconds(value));
}

TEST(FormatBytes, KeepsThreeDigits) {
    EXPECT_EQ(bytes(0), "0\u202FB");
    EXPECT_EQ(bytes(512), "512\u202FB");
    EXPECT_EQ(bytes(1023), "1023\u202FB");
    EXPECT_EQ(bytes(1024), "1.00\u202FKiB");
    EXPECT_EQ(bytes(10 * 1024), "10.0\u202FKiB");
    EXPECT_EQ(bytes(100 * 1024), "100\u202FKiB");
    EXPECT_EQ(bytes(999 * 1024), "999\u202FKiB");
    EXPECT_EQ(bytes(1000 * 1024), "0.98\u202FMiB");
    EXPECT_EQ(bytes(1010LL << 20), "0.99\u202FGiB");
    EXPECT_EQ(bytes(3'479'482'368), "3.24\u202FGiB");
    EXPECT_EQ(bytes(-1536), "-1.50\u202FKiB");
    EXPECT_EQ(bytes(kHighest), "8.00\u202FEiB");
    EXPECT_EQ(bytes(kLowest), "-8.00\u202FEiB");
}

TEST(FormatBytes, RoundsHalfUpAndCarriesIntoTheNextUnit) {
    EXPECT_EQ(bytes(1024 + 5), "1.00\u202FKiB");    // 1.00488
    EXPECT_EQ(bytes(1024 + 128), "1.13\u202FKiB");  // 1.125 exactly: half goes up
    EXPECT_EQ(bytes(10 * 1024 - 1), "10.0\u202FKiB");
    EXPECT_EQ(bytes(100 * 1024 - 1), "100\u202FKiB");
    EXPECT_EQ(bytes(1000 * 1024 - 513), "999\u202FKiB");
    EXPECT_EQ(bytes(1000 * 1024 - 512), "0.98\u202FMiB");
    EXPECT_EQ(bytes(1024 * 1024 - 512), "1.00\u202FMiB");
    EXPECT_EQ(bytes((std::int64_t{1} << 50) - 1), "1.00\u202FPiB");
}

TEST(FormatBytes, StaysWithinHalfAUnitOfTheLastDigit) {
    std::mt19937_64 random(1);
    const std::array<std::string_view, 7> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    for (int i = 0; i < 20000; ++i) {
        const auto value = static_cast<std::int64_t>(random() >> (1 + random() % 62));
        const std::string text = bytes(value);
        const std::size_t space = text.find("\u202F");
        ASSERT_NE(space, std::string::npos) << text;
        const std::string number = text.substr(0, space);
        const std::string unit = text.substr(space + std::string("\u202F").size());
        const auto found = std::ranges::find(units, unit);
        ASSERT_NE(found, units.end()) << text;
        const long double size = std::pow(1024.0L, static_cast<long double>(found - units.begin()));
        const std::size_t point = number.find('.');
        const std::size_t decimals = point == std::string::npos ? 0 : number.size() - point - 1;
        const long double shown = std::stold(number) * size;
        const long double half = size / std::pow(10.0L, static_cast<long double>(decimals)) / 2;
        EXPECT_LE(std::fabs(shown - static_cast<long double>(value)), half * 1.0000001L)
            << value << " as " << text;
        EXPECT_LT(std::stold(number), 1024) << text;
        if (value >= 1024) {
            EXPECT_GE(std::ranges::count_if(number, [](char c) { return c != '.'; }), 3) << text;
        }
    }
}

TEST(FormatBytesExact, GroupsDigits) {
    EXPECT_EQ(formatBytesExact(Bytes(3'479'482'368)), "3,479,482,368 bytes");
    EXPECT_EQ(formatBytesExact(Bytes(1)), "1 byte");
    EXPECT_EQ(formatBytesExact(Bytes(0)), "0 bytes");
    EXPECT_EQ(formatBytesExact(Bytes(-1000)), "-1,000 bytes");
}

TEST(FormatDuration, PicksTheUnit) {
    EXPECT_EQ(duration(0), "0\u202Fns");
    EXPECT_EQ(duration(999), "999\u202Fns");
    EXPECT_EQ(duration(4'056), "4.06\u202Fµs");
    EXPECT_EQ(duration(45'400'000), "45.4\u202Fms");
    EXPECT_EQ(duration(12'300'000'000), "12.3\u202Fs");
    EXPECT_EQ(duration(125'000'000'000), "2\u202Fmin 5\u202Fs");
    EXPECT_EQ(duration(7'260'000'000'000), "2\u202Fh 1\u202Fmin");
    EXPECT_EQ(duration(-4'056), "-4.06\u202Fµs");
    EXPECT_EQ(duration(-125'000'000'000), "-2\u202Fmin 5\u202Fs");
}

TEST(FormatDuration, CarriesIntoTheNextUnit) {
    EXPECT_EQ(duration(999'499), "999\u202Fµs");
    EXPECT_EQ(duration(999'500), "1.00\u202Fms");
    EXPECT_EQ(duration(999'499'999), "999\u202Fms");
    EXPECT_EQ(duration(999'500'000), "1.00\u202Fs");
    EXPECT_EQ(duration(59'949'999'999), "59.9\u202Fs");
    EXPECT_EQ(duration(59'950'000'000), "1\u202Fmin 0\u202Fs");
    EXPECT_EQ(duration(119'500'000'000), "2\u202Fmin 0\u202Fs");
    EXPECT_EQ(duration(3'599'500'000'000), "1\u202Fh 0\u202Fmin");
    EXPECT_EQ(duration(kHighest), "2562047\u202Fh 47\u202Fmin");
    EXPECT_EQ(duration(kLowest), "-2562047\u202Fh 47\u202Fmin");
}

TEST(FormatFlops, UsesDecimalUnits) {
    EXPECT_EQ(formatFlops(Flops(0)), "0\u202FFLOP");
    EXPECT_EQ(formatFlops(Flops(999)), "999\u202FFLOP");
    EXPECT_EQ(formatFlops(Flops(1'000)), "1.00\u202FkFLOP");
    EXPECT_EQ(formatFlops(Flops(1'750'000'000'000)), "1.75\u202FTFLOP");
    EXPECT_EQ(formatFlops(Flops(999'600)), "1.00\u202FMFLOP");
    EXPECT_EQ(formatFlops(Flops(kHighest)), "9.22\u202FEFLOP");
}

TEST(FormatCount, ReadsAsModelSizesAreNamed) {
    EXPECT_EQ(formatCount(0), "0");
    EXPECT_EQ(formatCount(950), "950");
    EXPECT_EQ(formatCount(50'265), "50.3\u202Fk");
    EXPECT_EQ(formatCount(128'625'408), "128.6\u202FM");
    EXPECT_EQ(formatCount(423'183'360), "423.2\u202FM");
    EXPECT_EQ(formatCount(3'406'809'600), "3.41\u202FG");
    EXPECT_EQ(formatCount(999'949), "999.9\u202Fk");
    EXPECT_EQ(formatCount(999'950), "1.00\u202FM");
    EXPECT_EQ(formatCount(-50'265), "-50.3\u202Fk");
}

TEST(FormatGrouped, PutsACommaEveryThreeDigits) {
    EXPECT_EQ(formatGrouped(0), "0");
    EXPECT_EQ(formatGrouped(999), "999");
    EXPECT_EQ(formatGrouped(1000), "1,000");
    EXPECT_EQ(formatGrouped(128'625'408), "128,625,408");
    EXPECT_EQ(formatMeanCount(36), "36");
    EXPECT_EQ(formatMeanCount(1234.5), "1,234.5");
    EXPECT_EQ(formatMeanCount(1.0 / 3), "0.3");
    EXPECT_EQ(formatMeanCount(0.99), "1");
    EXPECT_EQ(formatMeanCount(1e300), formatGrouped(9'000'000'000'000'000'000));
    EXPECT_EQ(formatGrouped(-999'999), "-999,999");
    EXPECT_EQ(formatGrouped(kLowest), "-9,223,372,036,854,775,808");
}

TEST(FormatMeanDuration, RoundsAndStandsWhatIsNoTime) {
    EXPECT_EQ(formatMeanDuration(1'799.6), formatDuration(Nanoseconds(1'800)));
    EXPECT_EQ(formatMeanDuration(std::nan("")), formatDuration(Nanoseconds(0)));
    EXPECT_FALSE(formatMeanDuration(1e300).empty());
    EXPECT_FALSE(formatMeanDuration(-1e300).empty());
}

TEST(Words, AreListedAndBegin) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"a"}), "a");
    EXPECT_EQ(listed({"a", "b"}), "a and b");
    EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
    EXPECT_EQ(capitalized("backward takes"), "Backward takes");
    EXPECT_EQ(capitalized(""), "");
    EXPECT_EQ(capitalized("×2"), "×2");
}

TEST(FormatPercent, KeepsTwoDigits) {
    EXPECT_EQ(formatPercent(0.24), "24%");
    EXPECT_EQ(formatPercent(0.089), "8.9%");
    EXPECT_EQ(formatPercent(0.0031), "0.31%");
    EXPECT_EQ(formatPercent(1), "100%");
    EXPECT_EQ(formatPercent(1.5), "150%");
    EXPECT_EQ(formatPercent(0), "0%");
    EXPECT_EQ(formatPercent(-0.25), "-25%");
    EXPECT_EQ(formatPercent(0.0997), "10%");
    EXPECT_EQ(formatPercent(0.00996), "1.0%");
    EXPECT_EQ(formatPercent(0.00004), "<\u202F0.01%");
    EXPECT_EQ(formatPercent(std::nan("")), "–");
}

TEST(FormatPercentAtLeast, IsNeverMoreThanTheNumber) {
    EXPECT_EQ(formatPercentAtLeast(0.1496), "14%");
    EXPECT_EQ(formatPercentAtLeast(0.14), "14%");
    EXPECT_EQ(formatPercentAtLeast(0.0996), "9.9%");
    EXPECT_EQ(formatPercentAtLeast(0.00999), "0.99%");
    EXPECT_EQ(formatPercentAtLeast(1.0), "100%");
    EXPECT_EQ(formatPercentAtLeast(0), "0%");
}

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

}  // namespace warpglass::test::format_test
