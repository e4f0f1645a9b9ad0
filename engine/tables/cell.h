// A cell of a table: its plain value, and how people read one of its unit. The window's tables, the command
// line's text and Markdown and the clipboard all read cells here; CSV, JSON and copied tables have the plain
// values.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace warpglass {

enum class Unit : std::uint8_t {
    kText,
    kCount,
    kNanoseconds,
    kBytes,
    kFraction,
    kFlops,
    kFlopsPerSecond,
    kNumber,
    kRatio,    // a number that people read to three digits
    kOrdinal,  // which one and not how many: a step, counted from 0
    kMoment,   // ns on the run's clock
    kAddress,  // a text, "0x7f…"
    kMegahertz
};
/// As files name them, by Unit.
inline constexpr std::array<std::string_view, 13> kUnitNames = {
    "text",   "count", "ns",      "bytes",     "fraction", "flops",    "flops-per-second",
    "number", "ratio", "ordinal", "moment-ns", "address",  "megahertz"};

/// monostate is an absent value: "–" for people, empty in CSV, null in JSON. Numbers that are not finite are
/// absent too.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

bool isAbsent(const Cell& cell);
/// As people read it: rounded, with its unit. Control characters of texts are shown as \x1b (names come from
/// files, and must not steer a terminal).
std::string readableCell(const Cell& cell, Unit unit);
/// The exact value with its unit, for tooltips: "1,234,567 ns".
std::string exactCell(const Cell& cell, Unit unit);
/// As scripts read it: the shortest digits that read back as the same number, without an exponent where a
/// person would write none; "" if absent.
std::string plainCell(const Cell& cell);

/// Over plain values: "Total time (ns)"; "Self share" of "Self %".
std::string plainTitleOf(std::string_view title, Unit unit);

/// Sizes and most times are whole; a mean may not be.
Cell wholeIfExact(double value);
/// Rounded to a whole number.
Cell wholeCell(double value);
inline Cell wholeCell(const std::optional<double>& value) {
    return value ? wholeCell(*value) : Cell();
}
/// Absent where there is none of it.
inline Cell wholeOrAbsent(double value) {
    return value > 0 ? wholeCell(value) : Cell();
}
inline Cell textOrAbsent(std::string_view text) {
    return text.empty() ? Cell() : Cell(std::string(text));
}
/// "0x7f10".
std::string addressText(std::uint64_t address);

template <std::same_as<Cell> Known>
Cell cellOf(Known cell) {
    return cell;
}
inline Cell cellOf(std::string_view text) {
    return std::string(text);
}
template <class Number>
requires std::is_arithmetic_v<Number> Cell cellOf(Number value) {
    if constexpr (std::is_floating_point_v<Number>)
        return static_cast<double>(value);
    else
        return static_cast<std::int64_t>(value);
}
/// Nanoseconds, Bytes, Flops.
template <class Quantity>
requires requires(const Quantity& q) {
    static_cast<std::int64_t>(q.value);
}
Cell cellOf(const Quantity& quantity) {
    return static_cast<std::int64_t>(quantity.value);
}
template <class Value>
Cell cellOf(const std::optional<Value>& value) {
    return value ? cellOf(*value) : Cell();
}

}  // namespace warpglass
