// Options that take a number, a size or a time: what is no such value is answered in one sentence that names
// the option, the value and what is allowed. It is thrown as the parser's own error (CLI::ValidationError).
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "app/cli/cli_fwd.h"
#include "engine/base/result.h"
#include "engine/base/units.h"

namespace warpglass::cli {

/// Throws that `option` does not take `text`: "--limit takes ALLOWED, not "-1"."
[[noreturn]] void refuseValue(const std::string& option, const std::string& allowed, const std::string& text);

/// The whole numbers that an option takes.
template <class Integer>
struct NumberRange {
    Integer least = 0;
    Integer most = std::numeric_limits<Integer>::max();
    /// Where it is not, any number is taken: a configuration says itself what is wrong with it, all at once.
    bool checked = true;

    /// "a whole number of at least 0"; with `tellMost`, "a whole number from 0 to 4,294,967,295".
    std::string inWords(bool tellMost) const {
        const std::string from = groupedDigits(std::to_string(least));
        if (!tellMost)
            return "a whole number of at least " + from;
        return checked ? "a whole number from " + from + " to " + groupedDigits(std::to_string(most))
                       : "a whole number of at least " + from + " and of at most 18 digits";
    }

private:
    static std::string groupedDigits(std::string digits) {
        const std::size_t first = digits.front() == '-' ? 1 : 0;
        for (std::size_t at = digits.size(); at > first + 3; digits.insert(at, ","))
            at -= 3;
        return digits;
    }
};

/// Reads decimal digits only: "0x10", "1e3" and "1.5" are refused.
template <class Integer>
Integer parseNumber(const std::string& option, const std::string& text,
                    const NumberRange<Integer>& range = {}) {
    Integer value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    const bool tooLarge = error == std::errc::result_out_of_range || value > range.most;
    const bool outside = range.checked && (value < range.least || value > range.most);
    if (error != std::errc() || stop != end || outside)
        refuseValue(option, range.inWords(tooLarge), text);
    return value;
}

/// `shown`: the default as the help has it, "" for none.
CLI::Option* addParsedOption(CLI::App& command, const std::string& name,
                             const std::function<void(const std::string&)>& take, const std::string& what,
                             const std::string& shown);

/// Adds an option that takes a whole number of `to`'s type, or of what an optional `to` holds. `to` must
/// outlive the parse; a number that it already holds is shown as the default.
template <class Target, class Integer = typename std::conditional_t<
                            std::is_integral_v<Target>, std::optional<Target>, Target>::value_type>
CLI::Option* addNumberOption(CLI::App& command, const std::string& name, Target& to, const std::string& what,
                             NumberRange<Integer> range = {}) {
    const auto take = [&to, name, range](const std::string& text) {
        to = parseNumber<Integer>(name, text, range);
    };
    std::string shown;
    if constexpr (std::is_integral_v<Target>)
        shown = std::to_string(to);
    return addParsedOption(command, name, take, what, shown);
}

/// "16GiB", "512 mb", "4096": a whole number and a binary unit of b, k, m, g, t, p or e.
Bytes parseSize(const std::string& option, const std::string& text);

/// The unit's word, and how many of the smallest it is.
using NamedUnit = std::pair<std::string_view, double>;
/// "1.5 ms": a number and one of the units, with a space between or without; nothing for anything else, and
/// for a negative number.
std::optional<double> inUnits(std::string_view text, std::initializer_list<NamedUnit> units);

/// A point in time: "1500", "1.5ms", "2 s". Units ns (also without a unit), us, µs, ms, s. An error for
/// anything else, and for one beyond 292 years.
Result<Nanoseconds> parseTime(std::string_view text);

}  // namespace warpglass::cli
