#include "engine/query/spans/span_filter.h"

#include <algorithm>
#include <unordered_set>

#include "engine/query/spans/step_selection.h"

namespace warpglass {

std::vector<std::uint8_t> idsOfNames(const Snapshot& snapshot, std::string_view names) {
    std::unordered_set<std::string_view> wanted{names};  // one may have the sign in it
    for (std::size_t begin = 0; begin <= names.size();) {
        const std::size_t end = std::min(names.find('|', begin), names.size());
        wanted.insert(names.substr(begin, end - begin));
        begin = end + 1;
    }
    std::vector<std::uint8_t> said(snapshot.nameCount());
    for (std::size_t i = 0; i < said.size(); ++i)
        said[i] = wanted.contains(snapshot.name(NameId(i))) ? 1 : 0;
    return said;
}

std::int64_t wholeStepsOf(const Snapshot& snapshot, const SpanFilter& filter) {
    if (filter.ranges.empty() && !filter.measuredOnly)
        return 0;
    const StepSelection averaged = stepsToAverage(snapshot);
    for (const TimeRange& range : filter.ranges) {
        // A step that still runs is no whole one.
        const auto last = stepHolding(snapshot, range.end - Nanoseconds(1));
        if (!filter.measuredOnly && last && last->step >= 0 && !averaged.contains(last->step))
            return 0;
    }
    // For measured steps, the filter takes what there is of the one that still runs.
    if (filter.measuredOnly && !completedSteps(snapshot)) {
        const auto last = stepHolding(snapshot, snapshot.range().end - Nanoseconds(1));
        const bool reached =
            filter.ranges.empty() || std::ranges::any_of(filter.ranges, [&](const TimeRange& range) {
                return last && last->range.begin < range.end;
            });
        if (reached && last && last->step >= 0 && !averaged.contains(last->step))
            return 0;
    }
    std::int64_t count = 0;
    for (const StepSpan& step : endedSteps(snapshot)) {
        const bool counted = averaged.contains(step.step);
        if (!counted && filter.measuredOnly)
            continue;  // the filter takes nothing of it
        bool inside = filter.ranges.empty();
        for (const TimeRange& range : filter.ranges) {
            const bool apart = step.range.end <= range.begin || range.end <= step.range.begin;
            const bool within = range.begin <= step.range.begin && step.range.end <= range.end;
            if (!apart && !(within && counted))
                return 0;
            inside = inside || within;
        }
        count += inside ? 1 : 0;
    }
    return count;
}

std::int64_t stepsWithRanges(const Snapshot& snapshot, const SpanFilter& filter) {
    if (!filter.measuredOnly)
        return 0;
    const StepSelection averaged = stepsToAverage(snapshot);
    std::unordered_set<std::int32_t> found;
    for (const TimeRange& range : filter.ranges) {
        const std::optional<StepSpan> first = stepHolding(snapshot, range.begin),
                                      last = stepHolding(snapshot, range.end - Nanoseconds(1));
        if (!first && !last)
            continue;  // of the set-up, of which the filter takes nothing
        if (!first || !last || first->step != last->step)
            return 0;
        if (averaged.contains(first->step))
            found.insert(first->step);
        else if (first->step > averaged.last)
            return 0;  // it has not ended
    }
    return static_cast<std::int64_t>(found.size());
}

}  // namespace warpglass
