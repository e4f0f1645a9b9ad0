#include "engine/base/format_moment.h"

#include <cstdint>

namespace warpglass {

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
