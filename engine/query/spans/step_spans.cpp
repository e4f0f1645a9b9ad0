#include "engine/query/spans/step_spans.h"

#include <algorithm>
#include <limits>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

std::vector<StepSpan> averagedSteps(const Snapshot& snapshot) {
    return stepSpans(snapshot, stepsToAverage(snapshot));
}

TimeRange averagedRange(const Snapshot& snapshot) {
    const TimeRange run = snapshot.range();
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    if (steps.empty())
        return run;
    const TimeRange all{std::max(run.begin, steps.front().range.begin),
                        std::min(run.end, steps.back().range.end)};
    if (all.end <= all.begin)
        return run;
    const Nanoseconds margin(all.duration().value / 50);
    return {std::max(run.begin, all.begin - margin), std::min(run.end, all.end + margin)};
}

std::vector<StepSpan> endedSteps(const Snapshot& snapshot) {
    StepSelection all;
    all.last = std::numeric_limits<std::int32_t>::max();
    return stepSpans(snapshot, all);
}

std::optional<StepSpan> stepHolding(const Snapshot& snapshot, Nanoseconds moment) {
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kStep)) {
        const std::uint64_t at = lane.firstEndingAfter(moment);
        const auto row = at < lane.rows() ? lane.row(at) : std::nullopt;
        if (row && row->start <= moment.value)
            return StepSpan{row->step,
                            {Nanoseconds(row->start), Nanoseconds(wrappingAdd(row->start, row->duration))}};
    }
    for (const OpenSpan& open : snapshot.openSpans()) {
        if (open.lane.index() < snapshot.laneCount() && open.start <= moment.value &&
            snapshot.track(snapshot.lane(open.lane).track()).kind == TrackKind::kStep)
            return StepSpan{
                open.step,
                {Nanoseconds(open.start), std::max(snapshot.range().end, Nanoseconds(open.start))}};
    }
    return std::nullopt;
}

std::vector<TimeRange> captureRanges(const Snapshot& snapshot) {
    std::vector<TimeRange> ranges;
    StepSelection captures;
    captures.first = captures.last = kNoStep;
    for (const StepSpan& capture : stepSpans(snapshot, captures)) {
        if (!ranges.empty() && capture.range.begin <= ranges.back().end)
            ranges.back().end = std::max(ranges.back().end, capture.range.end);
        else
            ranges.push_back(capture.range);
    }
    return ranges;
}

std::vector<StepSpan> stepSpans(const Snapshot& snapshot, const StepSelection& selection) {
    std::vector<StepSpan> steps;
    forEachRow(snapshot, TrackKind::kStep, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (selection.contains(chunk.step[i]))
            steps.push_back({chunk.step[i], chunk.range(i)});
    });
    std::ranges::sort(steps,
                      [](const StepSpan& a, const StepSpan& b) { return a.range.begin < b.range.begin; });
    return steps;
}

Nanoseconds teardownBegin(const Snapshot& snapshot) {
    Nanoseconds begin = snapshot.range().end;
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kPhase)) {
        const auto last = lane.rows() > 0 ? lane.row(lane.rows() - 1) : std::nullopt;
        if (last && snapshot.name(last->name) == phaseName(Phase::kTeardown))
            begin = std::min(begin, Nanoseconds(last->start));
    }
    return begin;
}

}  // namespace warpglass
