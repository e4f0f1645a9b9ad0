#include "engine/sweep/growth_words.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/base/format.h"

namespace warpglass {

namespace {

std::vector<std::pair<double, double>> measuredPoints(const SweepSlice& slice, std::size_t series) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < slice.points[series].size(); ++i) {
        if (slice.points[series][i].isMeasured())
            points.emplace_back(slice.x.values[i].number, slice.points[series][i].value);
    }
    return points;
}

/// More series than that are counted.
constexpr std::size_t kMostNamed = 3;

std::string seriesWords(const std::vector<std::string>& names, std::size_t series) {
    return names.size() > kMostNamed
               ? std::to_string(names.size()) + " of " + std::to_string(series) + " series"
               : listed(names);
}

/// "256": a number of the x axis as it stands there.
const SliceValue& valueAt(const SweepSlice& slice, double number) {
    return *std::ranges::find(slice.x.values, number, &SliceValue::number);
}

}  // namespace

std::optional<TailGrowth> growthOf(const SweepSlice& slice, std::size_t series) {
    return slice.x.isNumeric ? tailPowerLaw(measuredPoints(slice, series)) : std::nullopt;
}

std::string flatSentence(const SweepSlice& slice) {
    struct Flat {
        FlatStart start;
        std::vector<std::string> names;
    };
    std::vector<Flat> flats;  // one for each x that series are flat up to
    for (std::size_t s = 0; s < slice.points.size() && slice.isOfLaunches && slice.x.isNumeric; ++s) {
        const auto start = flatStart(measuredPoints(slice, s));
        if (!start)
            continue;
        auto at = std::ranges::find_if(flats, [&](const Flat& flat) {
            return flat.start.to == start->to && flat.start.isWhole == start->isWhole &&
                   flat.start.timesX == start->timesX;
        });
        if (at == flats.end())
            at = flats.insert(at, {*start, {}});
        at->start.timesY = std::max(at->start.timesY, start->timesY);
        at->names.push_back(slice.series.values[s].place);
    }
    std::string text;
    for (const auto& [start, names] : flats)
        text += (text.empty() ? "It hardly grows" : " and") +
                (names.front().empty() ? "" : " for " + seriesWords(names, slice.points.size())) +
                (start.isWhole ? " throughout (" : " up to " + valueAt(slice, start.to).place + " (") +
                (names.size() == 1 ? "" : "at most ") + readableCell(start.timesY, Unit::kRatio) +
                "× the time for " + readableCell(start.timesX, Unit::kRatio) + "× the " + slice.x.noun() +
                ")";
    return text.empty() ? text : text + ", which is typical of launch-bound steps.";
}

std::string unfittedSentence(const SweepSlice& slice) {
    std::vector<std::string> scattered, tooShort;
    bool haveAny = false;
    for (std::size_t s = 0; s < slice.points.size(); ++s) {
        if (growthOf(slice, s))
            continue;
        const std::string& place = slice.series.values[s].place;
        const auto measured = std::ranges::count_if(slice.points[s], &SlicePoint::isMeasured);
        (measured >= static_cast<std::ptrdiff_t>(kLeastPoints) ? scattered : tooShort)
            .push_back(place.empty() ? "these points" : place);
        haveAny = haveAny || measured > 0;
    }
    if (!haveAny || slice.waiting > 0)
        return {};
    std::string text;
    if (!scattered.empty())
        text = "No growth can be fitted to " + seriesWords(scattered, slice.points.size()) +
               ": no power of the " + slice.x.noun() +
               " goes near enough through the points for its exponent to be known to within half of itself.";
    if (!tooShort.empty())
        text.append(text.empty() ? "" : " ")
            .append("No growth can be fitted to " + seriesWords(tooShort, slice.points.size()) +
                    ": that takes at least three measured points.");
    return text;
}

std::string growthWords(const Growth& growth) {
    std::array<char, 64> text{};
    if (growth.margin)
        std::snprintf(text.data(), text.size(), "n^%.2f ± %.2f", growth.exponent, *growth.margin);
    else
        std::snprintf(text.data(), text.size(), "n^%.2f", growth.exponent);
    return text.data();
}

}  // namespace warpglass
