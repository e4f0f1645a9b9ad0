#include "engine/experiments/fastest_answer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/experiments/experiment_words.h"

namespace warpglass::experiment {
namespace {

/// "flash in bf16".
std::string nameOf(const ChartSeries& series) {
    return series.choices[0] + " in " + series.choices[1];
}

/// "naive runs out of memory from 32,768 tokens on": which lines of the chart end so up to that length, and
/// where; with their precision where it does not hold for every one that the chart has.
std::string outOfMemoryWords(const Chart& chart, double upTo) {
    std::map<double, std::vector<std::string>> byLength;
    for (const ChartSeries& series : chart.series) {
        const auto firstOf = [](const ChartSeries& one) {
            double first = std::numeric_limits<double>::infinity();
            for (const ChartPoint& point : one.points) {
                if (point.state == PointState::kOutOfMemory)
                    first = std::min(first, point.x);
            }
            return first;
        };
        const double first = firstOf(series);
        if (first > upTo)
            continue;
        const bool everywhere = std::ranges::all_of(chart.series, [&](const ChartSeries& other) {
            return other.choices[0] != series.choices[0] || firstOf(other) == first;
        });
        std::vector<std::string>& names = byLength[first];
        if (std::string name = everywhere ? series.choices[0] : nameOf(series);
            std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    }
    std::string text;
    for (const auto& [length, names] : byLength)
        text += "; " + listed(names) + (names.size() == 1 ? " runs" : " run") + " out of memory " +
                (length < upTo ? "from " + formatGrouped(std::llround(length)) + " tokens on" : "there");
    return text;
}

}  // namespace

std::string fastestAnswer(const Chart& chart, const std::string& pass) {
    double longest = 0;
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            if (point.state == PointState::kMeasured)
                longest = std::max(longest, point.x);
        }
    }
    std::vector<std::pair<double, const ChartSeries*>> times;
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            if (point.x == longest && point.state == PointState::kMeasured)
                times.emplace_back(point.y, &series);
        }
    }
    if (times.size() < 2)
        return {};
    std::ranges::stable_sort(times, {}, &std::pair<double, const ChartSeries*>::first);
    // Each precision for itself: between two of them a ratio would tell of the precision.
    std::vector<std::string> precisions, words;
    for (const auto& [best, fastest] : times) {
        const std::string& precision = fastest->choices[1];
        if (std::ranges::find(precisions, precision) != precisions.end())
            continue;
        precisions.push_back(precision);
        const auto next = std::ranges::find_if(times, [&, best = best, fastest = fastest](const auto& other) {
            return other.second != fastest && other.second->choices[1] == precision && other.first >= best;
        });
        words.push_back(nameOf(*fastest) + " takes " + formatMeanDuration(best) +
                        (next == times.end()
                             ? ""
                             : ", " + speedWords(next->first, best) + " as " + next->second->choices[0]));
    }
    std::string all;
    for (const std::string& one : words)
        all += (all.empty() ? "" : "; ") + one;
    return "In the " + pass + " pass at " + formatGrouped(std::llround(longest)) + " tokens, " + all +
           outOfMemoryWords(chart, longest) + ".";
}

}  // namespace warpglass::experiment
