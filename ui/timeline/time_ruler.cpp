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

/// A stretch of the view whose times count from one moment.
struct Stretch {
    std::int64_t origin = 0;
    /// Where it begins and ends in the view; the end is the next one's begin.
    std::int64_t from = 0;
    std::int64_t to = 0;
    /// Null for the run's own time, before its first step.
    const StepClock::Step* step = nullptr;
    /// The step's begin, in view, is labeled.
    bool named = false;

    bool beginsInView() const { return step && from == origin; }
};

std::vector<Stretch> stretchesOf(const StepClock& clock, std::int64_t from, std::int64_t to) {
    const StepClock::Step* step = clock.at(Nanoseconds(from));
    std::vector<Stretch> stretches{{step ? step->begin.value : 0, from, to, step}};
    const StepClock::Step* const end = clock.steps().data() + clock.steps().size();
    for (step = step ? step + 1 : clock.steps().data(); step != end && step->begin.value < to; ++step) {
        if (step->begin.value == stretches.back().from)
            stretches.pop_back();  // an empty one
        else
            stretches.back().to = step->begin.value;
        stretches.push_back({step->begin.value, step->begin.value, to, step});
    }
    return stretches;
}

/// Every step with room for its name; of others every second, fifth, tenth … where there is some.
void nameSteps(std::vector<Stretch>& stretches, double spacing) {
    std::int64_t narrow = 0, narrowTime = 0;
    for (Stretch& stretch : stretches) {
        const std::int64_t length = stretch.to - stretch.from;
        stretch.named = stretch.beginsInView() && static_cast<double>(length) >= spacing;
        if (stretch.beginsInView() && !stretch.named) {
            ++narrow;
            narrowTime += length;
        }
    }
    if (narrow == 0)
        return;
    const std::int64_t stride = stepFor(spacing * static_cast<double>(narrow) /
                                        static_cast<double>(std::max<std::int64_t>(1, narrowTime)));
    // Room until the next name, from the view's end backwards.
    std::vector<double> next(stretches.size());
    double named = static_cast<double>(stretches.back().to);
    for (std::size_t i = stretches.size(); i-- > 0;) {
        next[i] = named;
        if (stretches[i].named)
            named = static_cast<double>(stretches[i].from);
    }
    double last = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        Stretch& stretch = stretches[i];
        const auto at = static_cast<double>(stretch.from);
        if (stretch.beginsInView() && !stretch.named)
            stretch.named =
                stretch.step->number % stride == 0 && at - last >= spacing && next[i] - at >= spacing;
        if (stretch.named)
            last = at;
    }
}

/// The times before an alignment are those after it, the other way round, with a sign.
void addBefore(Ruler& ruler, const Ruler& turned) {
    std::vector<RulerTick> before;
    for (auto tick = turned.ticks.rbegin(); tick != turned.ticks.rend(); ++tick) {
        if (tick->time.value == 0)
            continue;
        std::string label = tick->label;
        if (label.starts_with('+'))
            label.erase(0, 1);
        before.push_back({-tick->time, label.empty() ? label : "−" + label});
    }
    ruler.ticks.insert(ruler.ticks.begin(), before.begin(), before.end());
}

Ruler alignedRuler(TimeRange visible, double width, Nanoseconds alignment, double minimumSpacing) {
    const Nanoseconds begin = visible.begin - alignment, end = visible.end - alignment, none(0);
    const double perTime = width / static_cast<double>(std::max<std::int64_t>(1, visible.duration().value));
    const auto part = [&](Nanoseconds from, Nanoseconds to) {
        return to < from ? Ruler()
                         : makeRuler({from, to}, static_cast<double>((to - from).value) * perTime, {},
                                     minimumSpacing);
    };
    Ruler ruler = part(std::max(none, begin), end);
    if (begin < none) {
        const Ruler turned = part(std::max(none, -end), -begin);
        if (end < none && !turned.base.empty())
            ruler.base = "−" + turned.base;
        else
            ruler.base.clear();  // it is 0, which has its own tick
        if (ruler.step == none)
            ruler.step = turned.step;
        addBefore(ruler, turned);
    }
    for (RulerTick& tick : ruler.ticks) {
        tick.step = tick.time == none;
        tick.time = tick.time + alignment;
    }
    return ruler;
}

}  // namespace

Ruler makeRuler(TimeRange visible, double width, const StepClock& clock, double minimumSpacing) {
    Ruler ruler;
    // Times that only a damaged file has (over 70 years) are not worth adding up with care.
    constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max() / 4;
    if (visible.begin.value < -kLatest || visible.end.value > kLatest)
        return ruler;
    if (clock.alignment())
        return alignedRuler(visible, width, *clock.alignment(), minimumSpacing);
    const std::int64_t duration = visible.duration().value;
    // Before 0 nothing is recorded: a run beside another one that begins earlier shows that room empty.
    const std::int64_t from = std::max<std::int64_t>(0, visible.begin.value);
    if (duration <= 0 || width <= 0 || visible.end.value < from)
        return ruler;
    const double perPixel = static_cast<double>(duration) / width;
    const double spacing = perPixel * minimumSpacing;
    const std::int64_t step = stepFor(spacing);
    ruler.step = Nanoseconds(step);

    std::vector<Stretch> stretches = stretchesOf(clock, from, visible.end.value);
    nameSteps(stretches, spacing);
    std::int64_t latest = 0;  // of all that is told
    for (const Stretch& stretch : stretches)
        latest = std::max(latest, stretch.to - stretch.origin);
    const TimeUnit& whole = unitFor(latest);
    const int decimals = decimalsFor(step, whole);
    const bool relative = decimals > kMaxDecimals;
    const TimeUnit& unit = relative ? unitFor(step) : whole;
    // A base on the next unit's grid keeps the numbers after it short. What begins in the view needs none.
    const std::int64_t baseGrid = unit.nanoseconds * 1000;
    const Stretch& first = stretches.front();
    const std::int64_t base =
        relative && !first.beginsInView() ? (from - first.origin) / baseGrid * baseGrid : 0;
    if (relative && !first.beginsInView())
        ruler.base = inUnit(base, whole, decimalsFor(baseGrid, whole));

    std::int64_t leading = step;
    while (leading >= 10)
        leading /= 10;
    const std::int64_t parts = leading == 2 ? 2 : 5;
    const std::int64_t minor = step % parts == 0 ? step / parts : step;
    constexpr double kLeastPixels = 4, kBeforeStep = 0.75;
    for (const Stretch& stretch : stretches) {
        const bool isLast = &stretch == &stretches.back();
        const bool fromBase = relative && &stretch == &first && !stretch.beginsInView();
        std::int64_t t = (stretch.from - stretch.origin + minor - 1) / minor * minor;
        if (stretch.beginsInView()) {
            const bool seenApart =
                ruler.ticks.empty() ||
                static_cast<double>(stretch.from - ruler.ticks.back().time.value) >= kLeastPixels * perPixel;
            if (stretch.named)
                ruler.ticks.push_back(
                    {Nanoseconds(stretch.from), StepClock::name(*stretch.step).toStdString(), true});
            else if (seenApart)
                ruler.ticks.push_back({Nanoseconds(stretch.from), {}, true});
            t = minor;
        }
        for (; isLast ? stretch.origin + t <= stretch.to : stretch.origin + t < stretch.to; t += minor) {
            RulerTick tick{Nanoseconds(stretch.origin + t), {}};
            const bool hasRoom =
                isLast || static_cast<double>(stretch.to - tick.time.value) >= kBeforeStep * spacing;
            if (t % step == 0 && hasRoom && (!stretch.beginsInView() || stretch.named)) {
                tick.label = inUnit(fromBase ? t - base : t, unit, relative ? 0 : decimals);
                if (first.step && &stretch == &first && !stretch.beginsInView())
                    ruler.origin = StepClock::name(*first.step).toStdString();
                if (fromBase)
                    tick.label.insert(0, 1, '+');
            }
            ruler.ticks.push_back(std::move(tick));
        }
    }
    return ruler;
}

}  // namespace warpglass::ui
