#include "engine/query/activity/conditions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/gpu_state.h"

namespace warpglass {
namespace {

/// Between samples of rising counters: proc/stat counts in steps of 10 ms, so the last interval of a run,
/// which may be short, is joined to the one before it.
constexpr std::int64_t kLeastInterval = 50'000'000;  // ns
/// Samples are at most a second apart; one farther from a step says nothing of it.
constexpr std::int64_t kNear = 1'500'000'000;  // ns
/// The share of the time for which a reason for a clock must hold to be told.
constexpr double kLeastReason = 0.1;
/// Beyond what can be, a file is damaged: 31 years of 1,024 cores in ns; a clock, power, heat and processes;
/// cores of a machine, and how often a second a core is taken from a thread.
constexpr double kMostRising = 1e18, kMostGauge = 1e6, kMostPreemptions = 1e7;
/// Bits of a number that doubles hold exactly.
constexpr double kMostReasons = 9007199254740992.0;

double mostOf(std::size_t counter) {
    return counter < static_cast<std::size_t>(ConditionCounter::kSmClock)         ? kMostRising
           : counter == static_cast<std::size_t>(ConditionCounter::kClockReasons) ? kMostReasons
                                                                                  : kMostGauge;
}

/// Nothing where it is more than can be.
std::optional<double> within(std::optional<double> value, double most) {
    return value && *value <= most ? value : std::nullopt;
}

/// 27 MiB of them, three days of a run. Where there are more, as a file may claim, every second, fourth … is
/// kept: what the counters rose by stays what it is.
constexpr std::size_t kMostMoments = std::size_t{1} << 18;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t indexOf(ConditionCounter counter) {
    return static_cast<std::size_t>(counter);
}

}  // namespace

/// Sums over ranges, each by its length.
struct ConditionSeries::Gauges {
    std::array<double, kConditionCounterCount> sums{}, weights{};
    std::array<double, kClockReasons.size()> reasons{};
    double processes = 0;
};

ConditionSeries::ConditionSeries(const Snapshot& snapshot) {
    std::array<NameId, kConditionCounterCount> names;
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = snapshot.findName(kConditionCounterNames[i]);
        any = any || names[i].valid();
    }
    if (!any)
        return;
    std::uint64_t seen = 0, stride = 1;
    std::optional<std::int64_t> time;
    bool isTaken = false;
    for (std::uint64_t i = 0; i < snapshot.counterSampleCount(); ++i) {
        const auto sample = snapshot.counterSample(i);
        if (!sample || !sample->counter.valid() || !(sample->value >= 0))
            continue;
        const auto name = std::ranges::find(names, sample->counter);
        if (name == names.end() || sample->value > mostOf(static_cast<std::size_t>(name - names.begin())))
            continue;
        if (time != sample->time) {
            time = sample->time;
            isTaken = takesMoment(seen++, stride);
            if (isTaken) {
                m_moments.push_back({sample->time, {}});
                m_moments.back().values.fill(kNone);
            }
        }
        if (isTaken)
            m_moments.back().values[static_cast<std::size_t>(name - names.begin())] = sample->value;
    }
    std::ranges::stable_sort(m_moments, {}, &Moment::time);
    for (const Moment& moment : m_moments)
        addRising(moment);
}

/// Whether the next moment, the `number`th, is kept: one of `stride`. Makes room for it where there is none.
bool ConditionSeries::takesMoment(std::uint64_t number, std::uint64_t& stride) {
    if (m_moments.size() >= kMostMoments) {
        for (std::size_t i = 0; 2 * i < m_moments.size(); ++i)
            m_moments[i] = m_moments[2 * i];
        m_moments.resize(m_moments.size() / 2);
        stride *= 2;
    }
    return number % stride == 0;
}

void ConditionSeries::addRising(const Moment& moment) {
    for (std::size_t i = 0; i < kRising; ++i) {
        Rising& rising = m_rising[i];
        if (std::isnan(moment.values[i]))
            continue;
        if (rising.times.size() > 1 && moment.time - rising.times.back() < kLeastInterval) {
            rising.times.back() = moment.time;
            rising.values.back() = std::max(rising.values.back(), moment.values[i]);
            continue;
        }
        rising.times.push_back(moment.time);
        rising.values.push_back(rising.values.empty() ? moment.values[i]
                                                      : std::max(rising.values.back(), moment.values[i]));
    }
}

/// Precondition: within the samples' times.
double ConditionSeries::Rising::at(double time) const {
    const auto after =
        std::upper_bound(times.begin(), times.end(), time,
                         [](double t, std::int64_t sample) { return t < static_cast<double>(sample); }) -
        times.begin();
    const auto next = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(after, 1, static_cast<std::ptrdiff_t>(times.size()) - 1));
    const auto from = static_cast<double>(times[next - 1]), to = static_cast<double>(times[next]);
    const double share = to > from ? (time - from) / (to - from) : 0;
    return values[next - 1] + std::clamp(share, 0.0, 1.0) * (values[next] - values[next - 1]);
}

std::optional<ConditionSeries::Rise> ConditionSeries::rise(ConditionCounter counter,
                                                           const std::vector<TimeRange>& ranges) const {
    const Rising& rising = m_rising[indexOf(counter)];
    if (rising.times.size() < 2 || rising.times.back() - rising.times.front() < kLeastInterval)
        return std::nullopt;
    Rise rise;
    double whole = 0;
    for (const TimeRange& range : ranges) {
        const auto begin = static_cast<double>(std::max(range.begin.value, rising.times.front()));
        const auto end = static_cast<double>(std::min(range.end.value, rising.times.back()));
        whole += static_cast<double>(range.duration().value);
        if (end <= begin)
            continue;
        rise.by += rising.at(end) - rising.at(begin);
        rise.over += end - begin;
    }
    return rise.over > 0 && rise.over >= whole / 2 ? std::optional(rise) : std::nullopt;
}

void ConditionSeries::addGauges(TimeRange range, Gauges& gauges) const {
    const auto from = [this](std::int64_t time) {
        return std::ranges::lower_bound(m_moments, time, {}, &Moment::time);
    };
    auto first = from(range.begin.value), last = from(range.end.value);
    if (first == last) {  // the nearest
        const std::int64_t middle = range.begin.value + range.duration().value / 2;
        const auto distance = [&](auto moment) { return std::abs(moment->time - middle); };
        if (first == m_moments.end() ||
            (first != m_moments.begin() && distance(std::prev(first)) < distance(first)))
            --first;
        if (distance(first) > kNear)
            return;
        last = std::next(first);
    }
    const auto weight = static_cast<double>(std::max<std::int64_t>(1, range.duration().value));
    const auto reasonsOf = [](const Moment& moment) {
        const double value = moment.values[indexOf(ConditionCounter::kClockReasons)];
        return std::isnan(value) ? std::uint64_t{0} : static_cast<std::uint64_t>(value);
    };
    const bool allIdle = std::all_of(
        first, last, [&](const Moment& moment) { return (reasonsOf(moment) & clock_reason::kIdle) != 0; });
    for (std::size_t i = kRising; i < kConditionCounterCount; ++i) {
        const bool isClock = i == indexOf(ConditionCounter::kSmClock);
        double sum = 0;
        std::int64_t count = 0;
        for (auto moment = first; moment != last; ++moment) {
            if (std::isnan(moment->values[i]) ||
                (isClock && !allIdle && (reasonsOf(*moment) & clock_reason::kIdle) != 0))
                continue;
            sum += moment->values[i];
            ++count;
        }
        if (count == 0)
            continue;
        gauges.sums[i] += weight * sum / static_cast<double>(count);
        gauges.weights[i] += weight;
    }
    for (auto moment = first; moment != last; ++moment) {
        for (std::size_t bit = 0; bit < kClockReasons.size(); ++bit) {
            if ((reasonsOf(*moment) & kClockReasons[bit].bit) != 0)
                gauges.reasons[bit] += weight / static_cast<double>(last - first);
        }
        const double processes = moment->values[indexOf(ConditionCounter::kGpuProcesses)];
        if (!std::isnan(processes))
            gauges.processes = std::max(gauges.processes, processes);
    }
}

Conditions ConditionSeries::over(const std::vector<TimeRange>& ranges) const {
    Conditions conditions;
    if (empty())
        return conditions;
    using Counter = ConditionCounter;
    const auto rate = [&](Counter counter) -> std::optional<double> {
        const auto found = rise(counter, ranges);
        return found ? std::optional(found->by / found->over) : std::nullopt;
    };
    const auto busy = rate(Counter::kHostBusy), own = rate(Counter::kOwnTime);
    if (busy && own)
        conditions.othersCores = within(std::max(0.0, *busy - *own), condition_limit::kMostCores);
    conditions.stolenCores = within(rate(Counter::kHostStolen), condition_limit::kMostCores);
    // Counters and clock are not read in one moment: a thread that does nothing but wait may seem to wait
    // longer.
    if (const auto waited = within(rate(Counter::kWaited), 2))
        conditions.waitedShare = std::min(1.0, *waited);
    // The kernel adds up what every core was held back.
    if (const auto throttled = within(rate(Counter::kThrottled), condition_limit::kMostCores))
        conditions.throttledShare = std::min(1.0, *throttled);
    if (const auto preempted = rate(Counter::kPreempted))
        conditions.preemptions = within(*preempted * 1e9, kMostPreemptions);

    Gauges gauges;
    for (const TimeRange& range : ranges)
        addGauges(range, gauges);
    const auto mean = [&](Counter counter) -> std::optional<double> {
        const double weight = gauges.weights[indexOf(counter)];
        return weight > 0 ? std::optional(gauges.sums[indexOf(counter)] / weight) : std::nullopt;
    };
    conditions.smClock = mean(Counter::kSmClock);
    conditions.memoryClock = mean(Counter::kMemoryClock);
    conditions.power = mean(Counter::kPower);
    conditions.temperature = mean(Counter::kTemperature);
    if (const double weight = gauges.weights[indexOf(Counter::kClockReasons)]; weight > 0) {
        std::uint64_t reasons = 0;
        for (std::size_t bit = 0; bit < kClockReasons.size(); ++bit)
            reasons |= gauges.reasons[bit] >= kLeastReason * weight ? kClockReasons[bit].bit : 0;
        conditions.clockReasons = reasons;
    }
    if (gauges.weights[indexOf(Counter::kGpuProcesses)] > 0)
        conditions.gpuProcesses = static_cast<std::int64_t>(gauges.processes);
    return conditions;
}

}  // namespace warpglass
