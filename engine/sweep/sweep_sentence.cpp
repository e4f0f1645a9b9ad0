// What a chart of a sweep says, in one sentence.
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/sweep/growth_words.h"
#include "engine/sweep/sweep_slice.h"

namespace warpglass {

namespace {

/// More series than that are not told one by one.
constexpr std::size_t kMostTold = 3;

std::string ratioWords(double ratio) {
    return readableCell(ratio, Unit::kRatio);
}

struct Extremes {
    std::size_t least = 0, most = 0;  // by x
    bool any = false;
    /// Each is nearer to 1 than its deviation.
    bool withinDeviation = true;
};

Extremes extremesOf(const std::vector<SlicePoint>& row) {
    Extremes found;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!row[i].isMeasured())
            continue;
        if (!found.any)
            found.least = found.most = i;
        found.any = true;
        if (row[i].value < row[found.least].value)
            found.least = i;
        if (row[i].value > row[found.most].value)
            found.most = i;
        if (!(std::fabs(row[i].value - 1) < row[i].deviation))
            found.withinDeviation = false;
    }
    return found;
}

/// "1.90 to 2.40 times as fast", of bytes "0.42 to 0.53 times the peak memory".
std::string timesWords(const SweepSlice& slice, double least, double most) {
    const bool time = slice.measure->unit == Unit::kNanoseconds;
    const bool inverse = slice.measure->better == Better::kLower && !time;
    const std::string low = ratioWords(inverse ? 1 / most : least);
    const std::string high = ratioWords(inverse ? 1 / least : most);
    const std::string name = withinSentence(measureName(*slice.measure));
    return (low == high ? low : low + " to " + high) + " times " +
           (time ? "as fast as" : "the " + name + " of");
}

std::string againstBaseline(const SweepSlice& slice, std::size_t baseline) {
    const std::string& base = slice.series.values[baseline].name;
    std::vector<std::pair<double, std::string>> told;
    for (std::size_t s = 0; s < slice.points.size(); ++s) {
        const Extremes at = extremesOf(slice.points[s]);
        if (s == baseline || !at.any)
            continue;
        const std::string& name = slice.series.values[s].name;
        const double least = slice.points[s][at.least].value, most = slice.points[s][at.most].value;
        const bool time = slice.measure->unit == Unit::kNanoseconds;
        std::string words = name + (time ? " is " : " has ") + timesWords(slice, least, most) + " " + base;
        if (at.withinDeviation)
            words = name + " does not differ from " + base + " by more than the error bars";
        else if (slice.measure->better != Better::kNeither && ratioWords(least) != ratioWords(most))
            words += ", best at " + slice.x.values[at.most].place;
        told.emplace_back(most, std::move(words));
    }
    if (told.empty())
        return "No cell can be compared with " + base + " yet.";
    std::ranges::stable_sort(told, [](const auto& a, const auto& b) { return a.first > b.first; });
    if (told.size() > kMostTold)
        return "Best of " + std::to_string(told.size()) + ": " + told.front().second + ".";
    std::string text;
    for (const auto& [most, words] : told)
        text += (text.empty() ? "" : "; ") + words;
    return text + ".";
}

std::string growthSentence(const SweepSlice& slice) {
    std::vector<std::string> grows;
    std::size_t falling = 0;
    bool isOfTail = false;
    for (std::size_t s = 0; s < slice.points.size(); ++s) {
        const auto growth = growthOf(slice, s);
        if (!growth)
            continue;
        const std::string& name = slice.series.values[s].name;
        falling += growth->growth.exponent < 0 ? 1 : 0;
        isOfTail = isOfTail || growth->isOfTail;
        grows.push_back(growthWords(growth->growth) + (name.empty() ? "" : " for " + name));
    }
    if (grows.empty() || grows.size() > kMostTold)
        return {};
    const char* how = falling == 0 ? " grows as " : falling == grows.size() ? " falls as " : " goes as ";
    return measureName(*slice.measure) + how + listed(grows) + ", where n is the " + slice.x.noun() +
           (isOfTail ? ", fitted to its larger values" : "") + ".";
}

std::string lowestAndHighest(const SweepSlice& slice) {
    struct At {
        std::size_t series, x;
    };
    std::optional<At> low, high;
    const auto valueOf = [&](const At& at) { return slice.points[at.series][at.x].value; };
    for (std::size_t s = 0; s < slice.points.size(); ++s) {
        for (std::size_t i = 0; i < slice.points[s].size(); ++i) {
            if (!slice.points[s][i].isMeasured())
                continue;
            const At at{s, i};
            if (!low || valueOf(at) < valueOf(*low))
                low = at;
            if (!high || valueOf(at) > valueOf(*high))
                high = at;
        }
    }
    if (!low)
        return slice.outOfMemory > 0 ? "No cell has a figure: memory ran out." : "No cell has a figure yet.";
    const auto words = [&](const At& at) {
        const std::string& series = slice.series.values[at.series].place;
        return readableCell(wholeIfExact(valueOf(at)), slice.measure->unit) + " (" +
               slice.x.values[at.x].place + (series.empty() ? "" : ", " + series) + ")";
    };
    const std::string name = measureName(*slice.measure);
    if (low->series == high->series && low->x == high->x)
        return name + " is " + words(*low) + ".";
    return name + " lies between " + words(*low) + " and " + words(*high) + ".";
}

/// "At 4× the context length (128 to 512), step time is 2.04× as high for small (7.83 ms to 16.0 ms)
/// and 2.67× for medium (…).", for series of an axis of numbers that only rise; empty for any other, and for
/// more than can be told.
std::string endsSentence(const SweepSlice& slice) {
    if (!slice.x.isNumeric || slice.x.values.size() < 2 || slice.points.empty() ||
        slice.points.size() > kMostTold)
        return {};
    std::vector<std::string> goes;
    goes.reserve(slice.points.size());
    for (std::size_t s = 0; s < slice.points.size(); ++s) {
        const std::vector<SlicePoint>& row = slice.points[s];
        const bool rises = std::ranges::all_of(row, &SlicePoint::isMeasured) && row.front().value > 0 &&
                           std::ranges::is_sorted(row, {}, &SlicePoint::value) &&
                           row.front().value < row.back().value;
        if (!rises)
            return {};
        const auto words = [&](const SlicePoint& point) {
            return readableCell(wholeIfExact(point.value), slice.measure->unit);
        };
        const std::string& name = slice.series.values[s].name;
        goes.push_back(ratioWords(row.back().value / row.front().value) + "×" + (s == 0 ? " as high" : "") +
                       (name.empty() ? "" : " for " + name) + " (" + words(row.front()) + " to " +
                       words(row.back()) + ")");
    }
    const SliceValue &from = slice.x.values.front(), &to = slice.x.values.back();
    const std::string x = from.number > 0 ? "At " + ratioWords(to.number / from.number) + "× the " +
                                                slice.x.noun() + " (" + from.name + " to " + to.name + "), "
                                          : "From " + from.place + " to " + to.name + ", ";
    return x + withinSentence(measureName(*slice.measure)) + " is " + listed(goes) + ".";
}

}  // namespace

std::string sentenceOf(const SweepSlice& slice, std::optional<std::size_t> baseline, bool fitted) {
    if (baseline)
        return againstBaseline(slice, *baseline);
    const std::string growth = fitted ? growthSentence(slice) : std::string();
    std::string sentence = growth.empty() ? endsSentence(slice) : growth;
    if (sentence.empty())
        sentence = lowestAndHighest(slice);
    for (const std::string& more : {flatSentence(slice), fitted ? unfittedSentence(slice) : std::string()})
        sentence += (more.empty() ? "" : " ") + more;
    return sentence;
}

}  // namespace warpglass
