#include "app/cli/time_argument.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace warpglass::cli {
namespace {

struct TimeUnit {
    std::string_view name;
    double nanoseconds;
};
constexpr std::array<TimeUnit, 6> kUnits = {
    {{"", 1}, {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

// The last double below 2^63.
constexpr double kLimit = 9.2233720368547748e18;

}  // namespace

Result<Nanoseconds> parseTime(std::string_view text) {
    const Error error{
        "\"" + std::string(text) +
        "\" is not a time from the start of the run: write a number and ns, us, ms or s, as in 1.5ms."};
    double number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || !(number >= 0))
        return error;
    std::string_view word = text.substr(static_cast<std::size_t>(end - text.data()));
    while (word.starts_with(' '))
        word.remove_prefix(1);
    for (const TimeUnit& unit : kUnits) {
        const double nanoseconds = number * unit.nanoseconds;
        if (unit.name == word && nanoseconds <= kLimit)
            return Nanoseconds(std::llround(nanoseconds));
    }
    return error;
}

}  // namespace warpglass::cli
