#include "engine/sweep/gate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>
#include <vector>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/base/kernel_files.h"
#include "engine/base/nearest_word.h"
#include "engine/base/student_t.h"
#include "engine/plan/settings.h"
#include "engine/query/compare/mean_spread.h"
#include "engine/sweep/sweep_slice.h"

namespace warpglass {
namespace {

using Figures = std::map<std::string, double, std::less<>>;

constexpr std::string_view kTokens = "tokens_per_second";

// ---- Reading a condition

/// "memory.peak" is peak_bytes, "step.mean" step_mean_ns.
const Measure* measureCalled(std::string_view name) {
    std::string key(name);
    std::replace(key.begin(), key.end(), '.', '_');
    constexpr std::string_view kMemory = "memory_";
    const std::string withoutMemory = key.starts_with(kMemory) ? key.substr(kMemory.size()) : key;
    for (const std::string& stem : {key, withoutMemory}) {
        for (const char* unit : {"", "_ns", "_bytes"}) {
            if (const Measure* found = findMeasure(stem + unit))
                return found;
        }
    }
    return nullptr;
}

struct Scale {
    std::string_view word;
    double factor;
    Unit of;
};
constexpr Scale kScales[] = {
    {"ns", 1, Unit::kNanoseconds},   {"us", 1e3, Unit::kNanoseconds}, {"µs", 1e3, Unit::kNanoseconds},
    {"ms", 1e6, Unit::kNanoseconds}, {"s", 1e9, Unit::kNanoseconds},  {"B", 1, Unit::kBytes},
    {"kB", 1e3, Unit::kBytes},       {"MB", 1e6, Unit::kBytes},       {"GB", 1e9, Unit::kBytes},
    {"KiB", 1024, Unit::kBytes},     {"MiB", 1048576, Unit::kBytes},  {"GiB", 1073741824, Unit::kBytes}};

Error notUnderstood(std::string_view text, const std::string& why) {
    return Error{
        "The condition \"" + std::string(text) + "\" is not understood: " + why +
        " Write a measure, > or <, and a limit, as in \"step.mean > +5%\" or \"memory.peak > +100MiB\"."};
}

/// "step.mean", "memory.peak": as people write a measure, without its unit.
std::string writtenName(const Measure& measure) {
    std::string name = measure.key;
    for (const std::string_view unit : {"_ns", "_bytes"}) {
        if (name.ends_with(unit))
            name.erase(name.size() - unit.size());
    }
    if (measure.unit == Unit::kBytes)
        return "memory." + name;
    const std::size_t last = name.rfind('_');
    if (measure.unit == Unit::kNanoseconds && last != std::string::npos)
        name[last] = '.';
    return name;
}

/// " Did you mean step.mean?": what is spelled nearly so, or begins with it.
std::string meantMeasure(std::string_view name) {
    auto written = mapped<std::string>(measures(), [&](const Measure& each) { return writtenName(each); });
    auto known = mapped<std::string_view>(measures(), &Measure::key);
    known.insert(known.end(), written.begin(), written.end());
    if (std::string meant = didYouMean(name, known); !meant.empty() || name.empty())
        return meant;
    const auto begins =
        std::ranges::find_if(written, [name](const std::string& each) { return each.starts_with(name); });
    return begins == written.end() ? std::string() : " Did you mean " + *begins + "?";
}

Error noMeasure(std::string_view text, std::string_view name) {
    const std::string why =
        name.empty() ? "none stands before the sign." : "there is no \"" + std::string(name) + "\".";
    return Error{"The condition \"" + std::string(text) + "\" names no measure: " + why + meantMeasure(name) +
                 " docs/tables.md lists them."};
}

/// "step_mean_ns is in ns, us, ms or s."
std::string unitsOf(const Measure& measure) {
    std::vector<std::string_view> words;
    for (const Scale& each : kScales) {
        if (each.of == measure.unit && each.word != "µs")
            words.push_back(each.word);
    }
    return words.empty() ? measure.key + " has no unit." : measure.key + " is in " + listedWords(words) + ".";
}

/// A number with its sign and its unit, which has to be one of the condition's measure.
Status takeLimit(std::string_view limit, GateCondition& condition) {
    const bool isSigned = limit.starts_with('+') || limit.starts_with('-');
    const double sign = limit.starts_with('-') ? -1 : 1;
    const std::string_view number = isSigned ? limit.substr(1) : limit;
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || number.empty() || number.front() == '-' || !std::isfinite(value))
        return notUnderstood(condition.text, "\"" + std::string(limit) + "\" is no limit.");
    const std::string_view unit = trimmed(number.substr(static_cast<std::size_t>(end - number.data())));
    condition.of = isSigned ? GateCondition::Of::kDifference : GateCondition::Of::kValue;
    condition.limit = sign * value;
    if (unit == "%") {
        if (!isSigned)
            return notUnderstood(condition.text, "a change in percent has a sign, +" + std::string(limit) +
                                                     " or -" + std::string(limit) + ".");
        condition.of = GateCondition::Of::kChange;
        condition.limit = sign * value / 100;
        return {};
    }
    if (unit.empty() && condition.measure->unit != Unit::kNanoseconds &&
        condition.measure->unit != Unit::kBytes)
        return {};
    const auto scale = std::find_if(std::begin(kScales), std::end(kScales), [&](const Scale& each) {
        return each.word == unit && each.of == condition.measure->unit;
    });
    if (scale == std::end(kScales))
        return notUnderstood(condition.text, (unit.empty() ? "the limit has no unit, and "
                                                           : "\"" + std::string(unit) + "\" is no unit: ") +
                                                 unitsOf(*condition.measure));
    condition.limit *= scale->factor;
    return {};
}

// ---- Judging one

std::optional<double> figure(const Figures& figures, std::string_view key) {
    const auto found = figures.find(key);
    return found == figures.end() ? std::nullopt : std::optional(found->second);
}

bool isTimed(const Measure& measure) {
    return measure.unit == Unit::kNanoseconds || measure.unit == Unit::kFlopsPerSecond ||
           measure.unit == Unit::kFraction || measure.key == kTokens;
}

/// Its value is another one in every run of the same program.
bool scatters(const Measure& measure, std::span<const GatePair> pairs) {
    const bool onGpu = std::ranges::any_of(pairs, &GatePair::onGpu);
    return isTimed(measure) || (onGpu && measure.key == "last_loss");
}

/// The sample that a measure is the mean of; what is divided by the mean step scatters as that does. Nothing
/// of other times: a median or a minimum of one run says nothing of its own spread.
std::optional<SampleMean> sampleOf(const Measure& measure, const Figures& figures) {
    constexpr std::string_view kDeviation = "_stddev_ns";
    if (!isTimed(measure))
        return std::nullopt;
    const bool isTime = measure.unit == Unit::kNanoseconds;
    const std::string deviationKey = isTime ? measure.deviationKey : "step_stddev_ns";
    if (!deviationKey.ends_with(kDeviation))
        return std::nullopt;
    const std::string part = deviationKey.substr(0, deviationKey.size() - kDeviation.size());
    const auto value = figure(figures, measure.key), mean = figure(figures, part + "_mean_ns"),
               deviation = figure(figures, deviationKey), samples = figure(figures, part + "_samples");
    if (!value || !mean || !deviation || !samples || *samples < 2 || *mean <= 0)
        return std::nullopt;
    return SampleMean{static_cast<std::int64_t>(*samples), *value, *deviation / *mean * *value};
}

struct Interval {
    double found = 0, low = 0, high = 0;

    static Interval exact(double value) { return {value, value, value}; }
    static Interval around(double value, double half) { return {value, value - half, value + half}; }
};

/// What the limit is set to, from the means of two runs; not finite for a change of nothing.
double quantity(GateCondition::Of of, double a, double b) {
    switch (of) {
        case GateCondition::Of::kChange:
            return a != 0 ? b / a - 1 : b == 0 ? 0.0 : std::numeric_limits<double>::infinity();
        case GateCondition::Of::kDifference:
            return b - a;
        case GateCondition::Of::kValue:
            break;
    }
    return b;
}

/// The error of b / a is that of b − a · b / a, over a; of b alone only b's.
std::optional<Interval> fromSteps(GateCondition::Of of, const SampleMean& a, const SampleMean& b) {
    const bool isChange = of == GateCondition::Of::kChange;
    const double found = quantity(of, a.mean, b.mean);
    SampleMean weighed = a;
    weighed.standardDeviation *= isChange ? found + 1 : of == GateCondition::Of::kValue ? 0 : 1;
    const std::optional<double> margin = differenceMargin(weighed, b);
    if (!std::isfinite(found) || !margin || !std::isfinite(*margin))
        return std::nullopt;
    return Interval::around(found, *margin / (isChange ? std::abs(a.mean) : 1));
}

std::optional<Interval> fromPairs(const std::vector<double>& quantities) {
    const bool alike =
        std::ranges::all_of(quantities, [&](double each) { return each == quantities.front(); });
    if (alike)  // to the last bit, which their mean need not be
        return Interval::exact(quantities.front());
    const SampleMean sample = meanOf(quantities);
    if (!std::isfinite(sample.mean) || !std::isfinite(sample.standardDeviation))
        return std::nullopt;
    const double error = sample.standardDeviation / std::sqrt(static_cast<double>(sample.count));
    return Interval::around(sample.mean, studentQuantile95(quantities.size() - 1) * error);
}

std::optional<Interval> intervalOf(const GateCondition& condition, std::span<const GatePair> pairs) {
    const Measure& measure = *condition.measure;
    auto quantities = mapped<double>(pairs, [&](const GatePair& pair) {
        return quantity(condition.of, figure(pair.a, measure.key).value_or(0), *figure(pair.b, measure.key));
    });
    if (pairs.size() > 1)
        return fromPairs(quantities);
    if (!scatters(measure, pairs))
        return Interval::exact(quantities.front());
    const auto a = sampleOf(measure, pairs.front().a), b = sampleOf(measure, pairs.front().b);
    if (!b || (!a && condition.of != GateCondition::Of::kValue))
        return std::nullopt;
    return fromSteps(condition.of, a.value_or(*b), *b);
}

/// The first pair whose figure of A is 0 and whose figure of B is not, where a condition is on a change in
/// percent; else how many pairs there are.
std::size_t pairWithoutChange(const GateCondition& condition, std::span<const GatePair> pairs) {
    if (condition.of != GateCondition::Of::kChange)
        return pairs.size();
    const auto found = std::ranges::find_if(pairs, [&](const GatePair& pair) {
        return figure(pair.a, condition.measure->key) == 0.0 && figure(pair.b, condition.measure->key) != 0.0;
    });
    return static_cast<std::size_t>(found - pairs.begin());
}

GateVerdict verdictOf(const GateCondition& condition, const Interval& interval) {
    const double least = condition.above ? interval.low : -interval.high;
    const double most = condition.above ? interval.high : -interval.low;
    const double limit = condition.above ? condition.limit : -condition.limit;
    return least > limit   ? GateVerdict::kTrips
           : most <= limit ? GateVerdict::kHolds
                           : GateVerdict::kUndecided;
}

// ---- In words

std::string signedPercent(double fraction) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%+.2f%%", 100 * fraction);
    return text.data();
}

/// "-24 points": of the difference of two shares.
std::string inPoints(double difference) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%+.3g points", 100 * difference);
    return text.data();
}

std::string inWords(const GateCondition& condition, double value) {
    if (condition.of == GateCondition::Of::kChange)
        return signedPercent(value);
    if (condition.of == GateCondition::Of::kDifference && condition.measure->unit == Unit::kFraction)
        return inPoints(value);
    const std::string size = readableCell(wholeIfExact(std::abs(value)), condition.measure->unit);
    const bool difference = condition.of == GateCondition::Of::kDifference;
    return (value < 0 ? "-" : difference ? "+" : "") + size;
}

std::string whatWasFound(const GateCondition& condition, const GateJudgment& judgment,
                         const Interval& interval, std::size_t pairs) {
    std::string text = measureName(*condition.measure);
    if (judgment.a && judgment.b && condition.of != GateCondition::Of::kValue)
        text += " went from " + readableCell(wholeIfExact(*judgment.a), condition.measure->unit) + " to " +
                readableCell(wholeIfExact(*judgment.b), condition.measure->unit) + ", ";
    else
        text += " is ";
    // A share's change in percent would be read as one of percentage points.
    if (condition.measure->unit == Unit::kFraction && condition.of == GateCondition::Of::kChange &&
        judgment.a && judgment.b)
        text += inPoints(*judgment.b - *judgment.a) + "; relative to A ";
    text += inWords(condition, interval.found);
    // The mean of changes is not the change of means.
    if (pairs > 1 && condition.of != GateCondition::Of::kValue)
        text += " in the mean of " + std::to_string(pairs) + " pairs";
    if (interval.low < interval.high)
        text +=
            " (95%: " + inWords(condition, interval.low) + " to " + inWords(condition, interval.high) + ")";
    return text;
}

// ---- Out of memory

/// `pair` counts from 0.
std::string nameInPairs(std::string_view run, std::size_t pair, std::size_t pairs) {
    return runOfPair(run, pairs == 1 ? 0 : pair + 1);
}

/// What a run that ran out of memory decides, and why; nothing where none did. Where several did, the first
/// that trips decides.
std::optional<std::pair<GateVerdict, std::string>> judgeOutOfMemory(const GateCondition& condition,
                                                                    std::span<const GatePair> pairs) {
    const bool onB = condition.of == GateCondition::Of::kValue;
    std::optional<std::pair<GateVerdict, std::string>> undecided;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto& ofA = pairs[i].outOfMemoryA;
        const auto& ofB = pairs[i].outOfMemoryB;
        const std::string a = nameInPairs("A", i, pairs.size()), b = nameInPairs("B", i, pairs.size());
        if (ofB && (onB || !ofA))
            return std::pair(GateVerdict::kTrips,
                             b + " ran out of memory " + *ofB + (onB ? "." : ", and A did not."));
        if (!ofA || onB || undecided)
            continue;
        undecided.emplace(GateVerdict::kUndecided,
                          a + " ran out of memory " + *ofA +
                              (ofB ? ", and B " + *ofB + "." : ", so there is nothing to hold B against."));
    }
    return undecided;
}

std::optional<double> meanFigure(std::span<const GatePair> pairs, Figures GatePair::*side,
                                 std::string_view key) {
    double sum = 0;
    for (const GatePair& pair : pairs) {
        const auto value = figure(pair.*side, key);
        if (!value)
            return std::nullopt;
        sum += *value;
    }
    return sum / static_cast<double>(pairs.size());
}

}  // namespace

Result<GateCondition> parseGateCondition(std::string_view text) {
    GateCondition condition;
    condition.text = trimmed(text);
    const std::string_view whole = condition.text;
    const std::size_t sign = whole.find_first_of("<>");
    if (sign == std::string_view::npos || whole.find_first_of("<>", sign + 1) != std::string_view::npos)
        return notUnderstood(text, "it has to have one > or <.");
    if (whole.find('=') != std::string_view::npos)
        return notUnderstood(text, "it has to have > or < alone, without =.");
    const std::string_view name = trimmed(whole.substr(0, sign));
    condition.above = whole[sign] == '>';
    condition.measure = measureCalled(name);
    if (!condition.measure)
        return noMeasure(text, name);
    if (const Status taken = takeLimit(trimmed(whole.substr(sign + 1)), condition); !taken)
        return taken.error();
    return condition;
}

std::string runOfPair(std::string_view run, std::size_t pair) {
    return std::string(run) + (pair == 0 ? std::string() : " of pair " + std::to_string(pair));
}

GateJudgment judge(const GateCondition& condition, std::span<const GatePair> pairs,
                   const GateCautions& cautions) {
    const Measure& measure = *condition.measure;
    const std::string name = withinSentence(measureName(measure));
    GateJudgment judgment;
    judgment.a = meanFigure(pairs, &GatePair::a, measure.key);
    judgment.b = meanFigure(pairs, &GatePair::b, measure.key);
    const std::string begin = "\"" + condition.text + "\" ";
    const auto undecided = [&](const std::string& why) {
        judgment.sentence = begin + "is undecided: " + why;
        return judgment;
    };
    if (const auto decided = judgeOutOfMemory(condition, pairs)) {
        if (decided->first == GateVerdict::kUndecided)
            return undecided(decided->second);
        judgment.verdict = decided->first;
        judgment.sentence = begin + "trips: " + decided->second;
        return judgment;
    }
    if (!judgment.b || (!judgment.a && condition.of != GateCondition::Of::kValue))
        return undecided((pairs.size() > 1 ? "a run of " : "") + std::string(judgment.b ? "A" : "B") +
                         " has no " + name + ".");
    if (condition.of == GateCondition::Of::kChange && *judgment.a == 0 && *judgment.b != 0)
        return undecided("A's " + name + " is 0, so there is no change in percent.");
    if (const std::size_t pair = pairWithoutChange(condition, pairs); pair < pairs.size())
        return undecided("the " + name + " of " + nameInPairs("A", pair, pairs.size()) +
                         " is 0, so there is no change in percent.");
    if (!cautions.all.empty())
        return undecided(cautions.all);
    if (!cautions.againstA.empty() && condition.of != GateCondition::Of::kValue)
        return undecided(cautions.againstA);
    const std::optional<Interval> interval = intervalOf(condition, pairs);
    if (!interval)
        return undecided("one pair of runs does not tell how much " + name +
                         " scatters; measure it again and give the runs with --repeat.");
    judgment.found = interval->found;
    judgment.low = interval->low;
    judgment.high = interval->high;
    const std::string found = whatWasFound(condition, judgment, *interval, pairs.size()) + ".";
    const std::string& caution = isTimed(measure)               ? cautions.times
                                 : measure.unit == Unit::kBytes ? cautions.memory
                                                                : cautions.all;
    if (!caution.empty())
        return undecided(found + " " + caution);
    judgment.verdict = verdictOf(condition, *interval);
    if (judgment.verdict == GateVerdict::kUndecided)
        return undecided(found + " The limit is within what the measurements leave open.");
    judgment.sentence = begin + (judgment.verdict == GateVerdict::kTrips ? "trips: " : "holds: ") + found;
    return judgment;
}

}  // namespace warpglass
