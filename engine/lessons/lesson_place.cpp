#include "engine/lessons/lesson_place.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/base/collect.h"
#include "engine/base/nearest_word.h"
#include "engine/query/spans/step_spans.h"
#include "engine/query/statistics/span_search.h"
#include "engine/query/statistics/statistics.h"

namespace warpglass {
namespace {

/// " Did you mean forward?", of the names of steps, phases, modules and their parts.
std::string didYouMeanPlace(const Snapshot& run, std::string_view name) {
    const std::vector<StatisticsRow> ranges = rangeStatistics(run, {});
    auto names = mapped<std::string_view>(ranges, &StatisticsRow::name);
    return didYouMean(name, names);
}

TimeRange chosenOf(const std::vector<TimeRange>& ranges, const LessonWord& name, const Snapshot& run) {
    if (name.text.find_first_of("*?") != std::string::npos)
        return {ranges.front().begin, ranges.back().end};
    const std::vector<StepSpan> steps = averagedSteps(run);
    const Nanoseconds first = steps.empty() ? ranges.front().begin : steps.front().range.begin;
    const auto measured =
        std::ranges::find_if(ranges, [first](const TimeRange& range) { return first <= range.begin; });
    return measured == ranges.end() ? ranges.front() : *measured;
}

std::optional<SpanRef> longestNamed(const Snapshot& run, TimeRange range,
                                    const std::function<bool(std::string_view)>& matches) {
    SpanFilter within;
    within.ranges = {range};
    SpanSearch search = searchOf(run, {true, true, true, true}, matches);
    if (search.matchesNothing())
        return std::nullopt;
    search.within = std::make_shared<const SpansWithin>(run, within);
    const SearchResult found = searchSpans(run, search);
    const auto longest = std::ranges::max_element(found.matches, {}, &SearchMatch::duration);
    if (longest == found.matches.end())
        return std::nullopt;
    return SpanRef{longest->at.lane, longest->at.row};
}

}  // namespace

Result<TimeRange> lessonRange(const Snapshot& run, const LessonStep& step) {
    if (step.range.empty())
        return averagedRange(run);
    std::optional<TimeRange> outer;
    for (const LessonWord& name : step.range) {
        std::vector<TimeRange> ranges = rangesMatching(run, name.text);
        if (ranges.empty())
            return Error{"No range of " + step.run.word.text + " is called \"" + name.text + "\"." +
                         didYouMeanPlace(run, name.text)};
        if (outer) {
            std::erase_if(ranges, [&outer](const TimeRange& range) {
                return range.begin < outer->begin || outer->end <= range.begin;
            });
        }
        if (ranges.empty())
            return Error{"No range called \"" + name.text + "\" begins in the range before it."};
        outer = chosenOf(ranges, name, run);
    }
    return *outer;
}

Result<LessonCount> lessonCount(const Snapshot& run, const LessonStep& step) {
    LessonCount count;
    if (step.only.empty())
        return count;
    if (const Phase phase = phaseNamed(step.only.text); phase != Phase::kNone) {
        count.phase = phase;
        return count;
    }
    for (const StatisticsRow& row : rangeStatistics(run, {})) {
        if (row.name == step.only.text && row.kind == "module") {
            count.module = row.name;
            return count;
        }
    }
    return Error{step.run.word.text + " has neither a phase nor a module \"" + step.only.text + "\"." +
                 didYouMeanPlace(run, step.only.text)};
}

std::optional<SpanRef> longestSpanCalled(const Snapshot& run, TimeRange range, const std::string& name) {
    const auto exact = longestNamed(run, range, [&name](std::string_view n) { return n == name; });
    const auto contains = [&name](std::string_view n) { return n.find(name) != std::string_view::npos; };
    return exact ? exact : longestNamed(run, range, contains);
}

Result<SpanRef> lessonSpan(const Snapshot& run, const LessonStep& step, TimeRange range) {
    const std::string& name = step.point.name.text;
    if (const auto span = longestSpanCalled(run, range, name))
        return *span;
    return Error{"Nothing in that range of " + step.run.word.text + " has \"" + name + "\" in its name."};
}

}  // namespace warpglass
