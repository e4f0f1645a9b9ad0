#include "engine/tables/cell.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "engine/base/format.h"
#include "engine/tables/control_characters.h"

namespace warpglass {
namespace {

constexpr std::string_view kAbsent = "–";

std::string digitsOf(double value, std::chars_format format) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
    return {buffer.data(), end.ptr};
}

/// With so many significant digits.
std::string roundedNumber(double value, int digits) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::general, digits);
    return {buffer.data(), end.ptr};
}

std::int64_t rounded(double value) {
    // Beyond this a double does not fit the integer that the formatters take.
    constexpr double limit = 9.2e18;
    return std::llround(std::clamp(value, -limit, limit));
}

std::string readableInteger(std::int64_t value, Unit unit) {
    switch (unit) {
        case Unit::kNanoseconds:
            return formatDuration(Nanoseconds(value));
        case Unit::kMoment:
            return formatMoment(Nanoseconds(value));
        case Unit::kBytes:
            return formatBytes(Bytes(value));
        case Unit::kFlops:
            return formatFlops(Flops(value));
        case Unit::kFlopsPerSecond:
            return formatFlops(Flops(value)) + "/s";
        case Unit::kFraction:
            return formatPercent(static_cast<double>(value));
        case Unit::kCount:
            return formatGrouped(value);
        case Unit::kMegahertz:
            return formatGrouped(value) + " MHz";
        case Unit::kText:
        case Unit::kNumber:
        case Unit::kRatio:
        case Unit::kOrdinal:
        case Unit::kAddress:
            break;
    }
    return std::to_string(value);
}

std::string readableReal(double number, Unit unit) {
    constexpr double kThreeDigits = 1000;  // from there on they would take an exponent
    switch (unit) {
        case Unit::kFraction:
            return formatPercent(number);
        case Unit::kRatio:
            return std::fabs(number) < kThreeDigits ? roundedNumber(number, 3)
                                                    : formatGrouped(rounded(number));
        case Unit::kCount:
            return formatMeanCount(number);
        case Unit::kNumber:
        case Unit::kText:
            // Enough for a loss, and short enough for a column.
            return roundedNumber(number, 6);
        default:
            return readableInteger(rounded(number), unit);
    }
}

double numberOf(const Cell& cell) {
    const auto* integer = std::get_if<std::int64_t>(&cell);
    return integer ? static_cast<double>(*integer) : std::get<double>(cell);
}

}  // namespace

std::string withoutControls(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byteAt = [&](std::size_t j) {
            return j < text.size() ? static_cast<unsigned char>(text[j]) : 0u;
        };
        unsigned code = byteAt(i);
        const bool c1 = code == 0xc2 && byteAt(i + 1) >= 0x80 && byteAt(i + 1) < 0xa0;  // U+0080 … U+009F
        if (!c1 && code >= 0x20 && code != 0x7f) {
            out += text[i];
            continue;
        }
        if (c1)
            code = byteAt(++i);
        out += "\\x";
        out += digits[code >> 4];
        out += digits[code & 15];
    }
    return out;
}

bool isAbsent(const Cell& cell) {
    if (const double* number = std::get_if<double>(&cell))
        return !std::isfinite(*number);
    return std::holds_alternative<std::monostate>(cell);
}

std::string readableCell(const Cell& cell, Unit unit) {
    if (isAbsent(cell))
        return std::string(kAbsent);
    if (const auto* text = std::get_if<std::string>(&cell))
        return withoutControls(*text);
    if (const auto* integer = std::get_if<std::int64_t>(&cell))
        return readableInteger(*integer, unit);
    return readableReal(std::get<double>(cell), unit);
}

std::string exactCell(const Cell& cell, Unit unit) {
    if (isAbsent(cell) || std::holds_alternative<std::string>(cell))
        return readableCell(cell, unit);
    const double number = numberOf(cell);
    const std::int64_t whole =
        std::holds_alternative<double>(cell) ? rounded(number) : std::get<std::int64_t>(cell);
    switch (unit) {
        case Unit::kNanoseconds:
        case Unit::kMoment:
            return formatGrouped(whole) + " ns";
        case Unit::kBytes:
            return formatBytesExact(Bytes(whole));
        case Unit::kFlops:
            return formatGrouped(whole) + " FLOP";
        case Unit::kFraction: {
            std::array<char, 64> text;
            std::snprintf(text.data(), text.size(), "%.3f%%", 100 * number);
            return text.data();
        }
        default:
            return readableCell(cell, unit);
    }
}

std::string plainCell(const Cell& cell) {
    if (isAbsent(cell))
        return {};
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* integer = std::get_if<std::int64_t>(&cell))
        return std::to_string(*integer);
    const double number = std::get<double>(cell);
    const double magnitude = std::fabs(number);
    const bool fixed = magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e18);
    return digitsOf(number, fixed ? std::chars_format::fixed : std::chars_format::scientific);
}

std::string plainTitleOf(std::string_view title, Unit unit) {
    const std::string words(title);
    switch (unit) {
        case Unit::kNanoseconds:
        case Unit::kMoment:
            return words + " (ns)";
        case Unit::kBytes:
            return words + " (bytes)";
        case Unit::kMegahertz:
            return words + " (MHz)";
        case Unit::kFraction:
            return title.ends_with(" %") ? words.substr(0, words.size() - 1) + "share" : words;
        default:
            return words;
    }
}

Cell wholeIfExact(double value) {
    constexpr double exact = 9007199254740992.0;  // 2^53
    if (std::trunc(value) == value && std::fabs(value) < exact)
        return static_cast<std::int64_t>(value);
    return value;
}

Cell wholeCell(double value) {
    return rounded(value);
}

std::string addressText(std::uint64_t address) {
    std::array<char, 24> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(address));
    return text.data();
}

}  // namespace warpglass
