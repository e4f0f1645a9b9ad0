#include "app/cli/number_option.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>

namespace warpglass::cli {

void refuseValue(const std::string& option, const std::string& allowed, const std::string& text) {
    // Without a name, which CLI11 would put before the sentence.
    throw CLI::ValidationError(option + " takes " + allowed + ", not \"" + text + "\".");
}

CLI::Option* addParsedOption(CLI::App& command, const std::string& name,
                             const std::function<void(const std::string&)>& take, const std::string& what,
                             const std::string& shown) {
    return command.add_option_function<std::string>(name, take, what)->type_name("N")->default_str(shown);
}

Bytes parseSize(const std::string& option, const std::string& text) {
    const std::string allowed = "a size such as 16GiB, a whole number with a unit, or 0 for no limit";
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || number < 0)
        refuseValue(option, allowed, text);
    std::string unit(stop, end);
    unit.erase(0, std::min(unit.find_first_not_of(' '), unit.size()));
    std::transform(unit.begin(), unit.end(), unit.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    constexpr std::string_view kPrefixes = "kmgtpe";
    const std::size_t prefix = unit.empty() ? std::string_view::npos : kPrefixes.find(unit.front());
    const std::string_view rest = std::string_view(unit).substr(prefix == std::string_view::npos ? 0 : 1);
    const bool known = prefix == std::string_view::npos
                           ? rest.empty() || rest == "b"
                           : rest.empty() || rest == "b" || rest == "i" || rest == "ib";
    const std::size_t shift = prefix == std::string_view::npos ? 0 : 10 * (prefix + 1);
    if (!known || number > std::numeric_limits<std::int64_t>::max() >> shift)
        refuseValue(option, allowed, text);
    return Bytes(number << shift);
}

std::optional<double> inUnits(std::string_view text, std::initializer_list<NamedUnit> units) {
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || !(number >= 0))
        return std::nullopt;
    std::string_view word = text.substr(static_cast<std::size_t>(end - text.data()));
    while (word.starts_with(' '))
        word.remove_prefix(1);
    for (const auto& [name, size] : units) {
        if (name == word)
            return number * size;
    }
    return std::nullopt;
}

Result<Nanoseconds> parseTime(std::string_view text) {
    constexpr double kMost = 9.2233720368547748e18;  // the last double below 2^63
    const auto time = inUnits(text, {{"", 1}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}});
    if (time && *time <= kMost)
        return Nanoseconds(std::llround(*time));
    return Error{
        "\"" + std::string(text) +
        "\" is not a time from the start of the run: write a number and ns, us, ms or s, as in 1.5ms."};
}

}  // namespace warpglass::cli
