#include "engine/query/statistics/step_table.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "engine/query/spans/filtered_spans.h"

namespace warpglass {

StepStates::StepStates(const Snapshot& snapshot)
    : m_warmup(warmupSteps(snapshot)), m_lastComplete(std::numeric_limits<std::int32_t>::max()) {
    const std::string state = snapshot.info().get("state");
    if (const auto completed = completedSteps(snapshot))  // without a look at every step
        m_lastComplete = *completed - 1;
    else if (state == run_state::kStopped || state == run_state::kFailed)
        m_lastComplete = completeSteps(snapshot).last;
}

StepState stepState(const Snapshot& snapshot, std::int32_t step) {
    return StepStates(snapshot).of(step);
}

bool hasBegunMeasuring(const Snapshot& snapshot) {
    const StepStates states(snapshot);
    const auto isMeasured = [&states](std::int32_t step) {
        return step != kNoStep && states.of(step) == StepState::kMeasured;
    };
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kStep)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            // In a run that was cut off, the one before the last may be measured.
            for (std::uint64_t back = 1; back <= std::min<std::uint64_t>(2, lane.rows()); ++back) {
                const auto row = lane.row(lane.rows() - back);
                if (row && isMeasured(row->step))
                    return true;
            }
        }
    }
    return std::ranges::any_of(snapshot.openSpans(), isMeasured, &OpenSpan::step);
}

bool overlapsAny(TimeRange span, const std::vector<TimeRange>& ranges) {
    if (ranges.empty())
        return true;
    const auto next = std::ranges::upper_bound(ranges, span.begin, {}, &TimeRange::end);
    return next != ranges.end() && (next->begin <= span.begin || next->begin < span.end);
}

std::vector<StepRow> stepTable(const MemoryTimeline& memory, const SpanFilter& filter, TrackKind phases) {
    std::vector<StepRow> rows;
    if (!memory.snapshot())
        return rows;
    const Snapshot& snapshot = *memory.snapshot();
    SpanFilter steps;  // a step is in no phase and in no module
    steps.step = filter.step;
    steps.measuredOnly = filter.measuredOnly;
    const StepStates states(snapshot);
    const ConditionSeries conditions(snapshot);
    std::unordered_map<std::int32_t, std::size_t> rowOf;
    FilteredSpans(snapshot, steps, TrackKind::kStep)
        .forEach([&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
            const TimeRange range = chunk.range(i);
            if (chunk.step[i] < 0 || !overlapsAny(range, filter.ranges) ||
                !rowOf.emplace(chunk.step[i], rows.size()).second)
                return;
            StepRow& row = rows.emplace_back();
            row.step = chunk.step[i];
            row.range = range;
            row.state = states.of(row.step);
            row.conditions = conditions.in(range);
            if (const auto peak = memory.eventCount() > 0 ? memory.peakIn(row.range) : std::nullopt)
                row.peak = Bytes(sumOf(peak->bytes));
        });
    const SpanFilter everything;
    FilteredSpans(snapshot, everything, phases)
        .forEach([&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
            const auto found = rowOf.find(chunk.step[i]);
            const Phase phase = phaseNamed(snapshot.name(NameId(chunk.name[i])));
            if (found == rowOf.end() || phase == Phase::kNone)
                return;
            auto& time = rows[found->second].phases[static_cast<std::size_t>(phase)];
            time = time.value_or(Nanoseconds()) + Nanoseconds(chunk.duration[i]);
        });
    std::ranges::sort(rows, [](const StepRow& a, const StepRow& b) { return a.range.begin < b.range.begin; });
    return rows;
}

}  // namespace warpglass
