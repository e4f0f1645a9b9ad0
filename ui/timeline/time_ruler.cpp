#include "ui/timeline/time_ruler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warpglass::ui {

namespace {

struct TimeUnit {
    std::int64_t nanoseconds;
    const char* name;
};
constexpr std::array<TimeUnit, 4> kUnits = {
    {{1, "ns"}, {1'000, "µs"}, {1'000'000, "ms"}, {1'000'000'000, "s"}}};

/// The largest unit that is not larger than t.
const TimeUnit& unitFor(std::int64_t t) {
    std::size_t i = 0;
    while (i + 1 < kUnits.size() && kUnits[i + 1].nanoseconds <= t)
        ++i;
    return kUnits[i];
}

/// More decimals than this and a label counts from the base.
constexpr int kMaxDecimals = 3;

/// The decimals that `step` needs in `unit`.
int decimalsFor(std::int64_t step, const TimeUnit& unit) {
    int decimals = 0;
    for (std::int64_t size = unit.nanoseconds; step % size != 0 && size > 1; size /= 10)
        ++decimals;
    return decimals;
}

/// Exact: t is a whole number of the last decimal.
std::string inUnit(std::int64_t t, const TimeUnit& unit, int decimals) {
    std::string text = std::to_string(t / unit.nanoseconds);
    if (decimals > 0) {
        std::int64_t scale = unit.nanoseconds;
        std::int64_t rest = t % unit.nanoseconds;
        text += '.';
        for (int i = 0; i < decimals; ++i) {
            scale /= 10;
            text += static_cast<char>('0' + rest / scale);
            rest %= scale;
        }
    }
    return text + "\u202F" + unit.name;
}

std::int64_t stepFor(double minimum) {
    std::int64_t decade = 1;
    while (true) {
        for (const std::int64_t factor : {1, 2, 5}) {
            if (static_cast<double>(decade * factor) >= minimum)
                return decade * factor;
        }
        if (decade > std::numeric_limits<std::int64_t>::max() / 100)
            return decade;
        decade *= 10;
    }
}

}  // namespace

Ruler makeRuler(TimeRange visible, double width, double minimumSpacing) {
    Ruler ruler;
    // Times that only a damaged file has (over 70 years) are not worth adding up with care.
    constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 4;
    if (visible.begin.value < -kLatest || visible.end.value > kLatest)
        return ruler;
    const std::int64_t duration = visible.duration().value;
    // Before 0 nothing is recorded: a run beside another one that begins earlier shows that room empty.
    const std::int64_t from = std::max<std::int64_t>(0, visible.begin.value);
    if (duration <= 0 || width <= 0 || visible.end.value < from)
        return ruler;
    const std::int64_t step = stepFor(static_cast<double>(duration) * minimumSpacing / width);
    ruler.step = Nanoseconds(step);

    const TimeUnit& whole = unitFor(visible.end.value);
    const int decimals = decimalsFor(step, whole);
    const bool relative = decimals > kMaxDecimals;
    const TimeUnit& unit = relative ? unitFor(step) : whole;
    // A base on the next unit's grid keeps the numbers after it short.
    const std::int64_t baseGrid = unit.nanoseconds * 1000;
    const std::int64_t base = relative ? from / baseGrid * baseGrid : 0;
    if (relative)
        ruler.base = inUnit(base, whole, decimalsFor(baseGrid, whole));

    std::int64_t leading = step;
    while (leading >= 10)
        leading /= 10;
    const std::int64_t parts = leading == 2 ? 2 : 5;
    const std::int64_t minor = step % parts == 0 ? step / parts : step;
    for (std::int64_t t = (from + minor - 1) / minor * minor; t <= visible.end.value; t += minor) {
        RulerTick tick{Nanoseconds(t), {}};
        if (t % step == 0) {
            tick.label = inUnit(t - base, unit, relative ? 0 : decimals);
            if (relative)
                tick.label.insert(0, 1, '+');
        }
        ruler.ticks.push_back(std::move(tick));
    }
    return ruler;
}

}  // namespace warpglass::ui
