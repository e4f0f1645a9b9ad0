#include "engine/experiments/fastest_answer.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "engine/base/format.h"
#include "engine/experiments/experiment_words.h"

namespace warpglass::experiment {
namespace {

/// "flash in bf16".
std::string nameOf(const ChartSeries& series) {
    return series.choices[0] + " in " + series.choices[1];
}

}  // namespace

std::vector<FastestAnswer> fastestAnswers(const Chart& chart, const std::string& pass,
                                          const CellOfPoint& cellOf) {
    double longest = 0;
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            if (point.state == PointState::kMeasured)
                longest = std::max(longest, point.x);
        }
    }
    struct Time {
        double time;
        const ChartSeries* series;
        const SweepCell* cell;
    };
    std::vector<Time> times;
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            if (point.x == longest && point.state == PointState::kMeasured)
                times.push_back({point.y, &series, cellOf(series, point)});
        }
    }
    if (times.size() < 2)
        return {};
    std::ranges::stable_sort(times, {}, &Time::time);
    // Each precision for itself: between two of them a ratio would tell of the precision.
    std::vector<std::string> precisions;
    std::vector<FastestAnswer> answers;
    const std::string at = " pass at " + formatGrouped(std::llround(longest)) + " tokens, ";
    for (const Time& fastest : times) {
        const std::string& precision = fastest.series->choices[1];
        if (std::ranges::find(precisions, precision) != precisions.end())
            continue;
        precisions.push_back(precision);
        const auto next = std::ranges::find_if(times, [&](const Time& other) {
            return other.series != fastest.series && other.series->choices[1] == precision &&
                   other.time >= fastest.time;
        });
        const std::string name = nameOf(*fastest.series), time = formatMeanDuration(fastest.time);
        std::vector<const SweepCell*> cells{fastest.cell};
        FastestAnswer answer{"In the " + pass + at + name + " takes " + time, {{}, time, name}};
        if (next != times.end()) {
            const std::string& other = next->series->choices[0];
            answer.sentence += ", " + speedWords(next->time, fastest.time) + " as " + other;
            answer.entry = speedEntry(next->time, fastest.time, other);
            answer.entry.clause += ": " + name + ", " + time;
            cells.push_back(next->cell);
        }
        answer.sentence += disturbedClause(cells) + ".";
        answer.entry.clause += disturbedMark(cells);
        answer.entry.group = capitalized(pass) + " pass, " + formatGrouped(std::llround(longest)) + " tokens";
        answers.push_back(std::move(answer));
    }
    return answers;
}

void tellFastest(ExperimentResult& result, const CellOfPoint& cellOf, const std::string& forward,
                 const std::string& backward) {
    std::vector<std::string> first, rest;
    std::vector<AnswerEntry> entries;
    bool anySaid = false;
    for (const auto& [index, pass, growth] :
         {std::tuple(0U, "forward", &forward), {1U, "backward", &backward}}) {
        Chart& chart = result.charts[index];
        const std::vector<FastestAnswer> answers = fastestAnswers(chart, pass, cellOf);
        chart.sentence = answers.empty() ? *growth : answers.front().sentence;
        for (const FastestAnswer& answer : answers) {
            (&answer == &answers.front() ? first : rest).push_back(answer.sentence);
            if (std::exchange(anySaid, true))  // the very first stands over the list
                entries.push_back(answer.entry);
        }
    }
    first.insert(first.end(), rest.begin(), rest.end());
    result.answers.insert(result.answers.begin(), first.begin(), first.end());
    result.entries.insert(result.entries.begin(), entries.begin(), entries.end());
}

}  // namespace warpglass::experiment
