#include "engine/base/format.h"

#include <algorithm>
#include <cctype>

#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

namespace warpglass {
namespace {

constexpr std::string_view kThinSpace = "\u202F";

// Wide enough for an int64 scaled by a thousand, so that rounding is exact at every magnitude.
__extension__ typedef unsigned __int128 Wide;

/// |INT64_MIN| has no int64, but it has a uint64.
std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
}

/// numerator / denominator with three significant digits, and `minimumDecimals` all the same, rounded half
/// up. What has more than three digits before the point keeps them.
std::string rounded(std::uint64_t numerator, std::uint64_t denominator, int minimumDecimals = 0) {
    constexpr std::array<std::uint64_t, 3> kScale = {1, 10, 100};
    for (int decimals = 2;; --decimals) {
        const std::uint64_t scale = kScale[static_cast<std::size_t>(decimals)];
        const Wide doubled = Wide(numerator) * scale * 2 + denominator;
        const auto digits = static_cast<std::uint64_t>(doubled / (Wide(denominator) * 2));
        if (digits >= 1000 && decimals > minimumDecimals)
            continue;
        std::string text = std::to_string(digits / scale);
        if (decimals > 0) {
            std::string fraction = std::to_string(digits % scale);
            text += '.' + std::string(static_cast<std::size_t>(decimals) - fraction.size(), '0') + fraction;
        }
        return text;
    }
}

std::string withUnit(std::int64_t value, std::string_view number, std::string_view unit) {
    std::string text = value < 0 ? "-" : "";
    text += number;
    if (!unit.empty()) {
        text += kThinSpace;
        text += unit;
    }
    return text;
}

/// The number in the unit in which it has at most three digits before the point, after rounding: 999,999 is
/// 1.00 M and not 1000 k, and 1010 MiB are 0.99 GiB.
template <std::size_t N>
std::string scaled(std::int64_t value, std::uint64_t base, const std::array<std::string_view, N>& units,
                   int minimumDecimals = 0) {
    const std::uint64_t size = magnitude(value);
    if (size < base)
        return withUnit(value, std::to_string(size), units[0]);
    std::uint64_t unitSize = base;
    std::size_t unit = 1;
    constexpr Wide kFourDigits = 1000;
    // In twice the last digit shown, so that the half at which it rounds up to four is a whole number.
    const Wide steps = minimumDecimals == 0 ? 2 : 20;
    while (unit + 1 < N && Wide(size) * steps >= Wide(unitSize) * (kFourDigits * steps - 1)) {
        unitSize *= base;
        ++unit;
    }
    return withUnit(value, rounded(size, unitSize, minimumDecimals), units[unit]);
}

std::string grouped(std::uint64_t value) {
    std::string digits = std::to_string(value);
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits;
}

}  // namespace

std::string formatBytes(Bytes bytes) {
    static constexpr std::array<std::string_view, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    return scaled(bytes.value, 1024, kUnits);
}

std::string formatBytesExact(Bytes bytes) {
    const bool one = bytes.value == 1 || bytes.value == -1;
    return formatGrouped(bytes.value) + (one ? " byte" : " bytes");
}

std::string formatDuration(Nanoseconds duration) {
    constexpr std::uint64_t kMicro = 1'000;
    constexpr std::uint64_t kMilli = 1'000'000;
    constexpr std::uint64_t kSecond = 1'000'000'000;
    const std::int64_t value = duration.value;
    const std::uint64_t size = magnitude(value);
    if (size < kMicro)
        return withUnit(value, std::to_string(size), "ns");
    // Limits are where three digits would round up to the next unit: 999.5 µs is 1.00 ms, 59.95 s is 1 min.
    if (size < kMilli - kMicro / 2)
        return withUnit(value, rounded(size, kMicro), "µs");
    if (size < kSecond - kMilli / 2)
        return withUnit(value, rounded(size, kMilli), "ms");
    if (size < 60 * kSecond - kSecond / 20)
        return withUnit(value, rounded(size, kSecond), "s");
    const std::uint64_t seconds = size / kSecond + (size % kSecond >= kSecond / 2 ? 1 : 0);
    if (seconds < 3600)
        return withUnit(value, std::to_string(seconds / 60), "min ") +
               withUnit(0, std::to_string(seconds % 60), "s");
    const std::uint64_t minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0);
    return withUnit(value, std::to_string(minutes / 60), "h ") +
           withUnit(0, std::to_string(minutes % 60), "min");
}

std::string formatFlops(Flops flops) {
    static constexpr std::array<std::string_view, 7> kUnits = {"FLOP",  "kFLOP", "MFLOP", "GFLOP",
                                                               "TFLOP", "PFLOP", "EFLOP"};
    return scaled(flops.value, 1000, kUnits);
}

std::string formatCount(std::int64_t count) {
    static constexpr std::array<std::string_view, 7> kUnits = {"", "k", "M", "G", "T", "P", "E"};
    return scaled(count, 1000, kUnits, 1);
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return text;
}

std::string capitalized(std::string text) {
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

std::string withinSentence(std::string text) {
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

std::string formatMeanDuration(double nanoseconds) {
    constexpr double kMost = 9e18;
    return formatDuration(Nanoseconds(static_cast<std::int64_t>(
        std::llround(std::clamp(std::isfinite(nanoseconds) ? nanoseconds : 0.0, -kMost, kMost)))));
}

std::string formatGrouped(std::int64_t count) {
    return (count < 0 ? "-" : "") + grouped(magnitude(count));
}

std::string formatMeanCount(double count) {
    // Beyond that a tenth is nothing, and the number of tenths no whole number of this type.
    constexpr double kMostWithTenths = 1e15;
    if (!(std::fabs(count) < kMostWithTenths))
        return formatGrouped(static_cast<std::int64_t>(std::clamp(count, -9e18, 9e18)));
    const std::int64_t tenths = std::llround(count * 10);
    std::string text = formatGrouped(tenths / 10);
    if (tenths % 10 != 0)
        text += "." + std::to_string(std::abs(tenths % 10));
    return text;
}

std::string formatPercent(double fraction) {
    if (!std::isfinite(fraction))
        return "–";
    const double percent = std::fabs(fraction) * 100;
    std::string text = fraction < 0 ? "-" : "";
    if (percent == 0)
        return "0%";
    if (percent < 0.005)
        return text + "<\u202F0.01%";
    // Two significant digits, by the limits at which they round up to one digit more.
    const int decimals = percent < 0.995 ? 2 : percent < 9.95 ? 1 : 0;
    std::array<char, 64> buffer{};
    const double scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    // printf alone would round a half to even. A fraction beyond 1e15 is a caller's bug, but prints too.
    const double half = percent < 1e15 ? std::floor(percent * scale + 0.5) / scale : percent;
    std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, half);
    return text + buffer.data() + "%";
}

std::string formatPercentAtLeast(double fraction) {
    // By the digit that formatPercent() ends with.
    const double steps = fraction >= 0.1 ? 100 : fraction >= 0.01 ? 1000 : 10'000;
    return formatPercent(std::floor(fraction * steps + 1e-9) / steps);
}

std::string formatFlopRate(double perSecond) {
    return formatFlops(Flops(std::llround(std::min(perSecond, 9e18)))) + "/s";
}

std::string formatByteRate(double perSecond) {
    constexpr std::array<const char*, 6> kUnits = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
    std::size_t unit = 0;
    while (perSecond >= 999.5 && unit + 1 < kUnits.size()) {
        perSecond /= 1000;
        ++unit;
    }
    const int decimals = unit == 0 || perSecond >= 99.95 ? 0 : perSecond >= 9.995 ? 1 : 2;
    std::array<char, 32> number;
    std::snprintf(number.data(), number.size(), "%.*f", decimals, perSecond);
    return number.data() + std::string(kThinSpace) + kUnits[unit];
}

std::string formatMoment(Nanoseconds moment) {
    constexpr std::uint64_t kMillisecond = 1'000, kSecond = 1'000'000;  // in µs
    const std::int64_t value = moment.value;
    // |INT64_MIN| has no int64, but it has a uint64.
    const std::uint64_t size =
        value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    const std::uint64_t microseconds = size / 1000 + (size % 1000 >= 500 ? 1 : 0);
    const bool seconds = microseconds >= kSecond;
    const std::uint64_t unit = seconds ? kSecond : kMillisecond;
    const std::string fraction = std::to_string(microseconds % unit);
    std::string text = value < 0 && microseconds > 0 ? "-" : "";
    text += std::to_string(microseconds / unit) + '.' +
            std::string((seconds ? 6 : 3) - fraction.size(), '0') + fraction;
    return text + (seconds ? "\u202Fs" : "\u202Fms");
}

}  // namespace warpglass
