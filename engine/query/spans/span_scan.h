// Walking the rows of a trace under a SpanFilter, chunk by chunk: what every statistic of spans is built on.
//
// Internal to engine/query. A filter by time touches only the chunks its ranges reach; conditions on place
// and step are two table look-ups per row. Damaged chunks are passed over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/query/spans/module_group.h"
#include "engine/query/spans/span_filter.h"
#include "engine/query/spans/step_selection.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// The conditions of a SpanFilter other than its time ranges.
class RowFilter {
public:
    RowFilter(const Snapshot& snapshot, const SpanFilter& filter);
    /// Only steps of the selection.
    RowFilter(const Snapshot& snapshot, const StepSelection& steps);

    /// Also only these steps.
    void keepSteps(const StepSelection& steps);

    bool passes(std::uint32_t place, std::int32_t step) const {
        return stepPasses(step) && m_places[slot(place)] == kBoth;
    }
    /// With the condition on the name.
    bool passes(const SpanChunk& chunk, std::uint32_t i) const {
        return passes(chunk.place[i], chunk.step[i]) && (!m_named || namePasses(chunk, i));
    }
    bool stepPasses(std::int32_t step) const { return m_firstStep <= step && step <= m_lastStep; }
    bool phasePasses(std::uint32_t place) const { return (m_places[slot(place)] & kPhase) != 0; }
    bool modulePasses(std::uint32_t place) const { return (m_places[slot(place)] & kModule) != 0; }
    /// No row can fail.
    bool passesAll() const { return m_all; }

private:
    static constexpr std::uint8_t kPhase = 1, kModule = 2, kBoth = 3;
    bool namePasses(const SpanChunk& chunk, std::uint32_t i) const {
        return (chunk.name[i] < m_names.size() && m_names[chunk.name[i]] != 0) ||
               (chunk.detail[i] < m_launched.size() && m_launched[chunk.detail[i]] != 0);
    }
    /// The last entry stands for places beyond the snapshot.
    std::size_t slot(std::uint32_t place) const { return std::min<std::size_t>(place, m_places.size() - 1); }

    std::vector<std::uint8_t> m_places;
    std::int32_t m_firstStep = std::numeric_limits<std::int32_t>::min();
    std::int32_t m_lastStep = std::numeric_limits<std::int32_t>::max();
    bool m_all = true;
    bool m_named = false;
    std::vector<std::uint8_t> m_names;     // by NameId
    std::vector<std::uint8_t> m_launched;  // by DetailId: by an op of such a name
};

/// Whether a moment is inside one of the ranges (sorted, closed-open).
bool startsInside(Nanoseconds start, const std::vector<TimeRange>& ranges);

/// When each call into CUDA began, by correlation id.
class LaunchTimes {
public:
    explicit LaunchTimes(const Snapshot& snapshot);
    /// Whether the call with this id began inside one of the ranges (sorted, closed-open).
    bool startsIn(std::uint64_t correlation, const std::vector<TimeRange>& ranges) const;
    /// Nothing when no call with this id was recorded.
    std::optional<std::int64_t> startOf(std::uint64_t correlation) const;

private:
    struct Call {
        std::uint64_t correlation;
        std::int64_t start;
    };
    static constexpr std::int64_t kNoCall = std::numeric_limits<std::int64_t>::min();

    // CUPTI counts calls up: a start for each id from m_first on. A file with other ids has a sorted list.
    std::uint64_t m_first = 0;
    std::vector<std::int64_t> m_starts;
    std::vector<Call> m_calls;
};

/// Every lane of every track of a kind.
std::vector<SpanLane> lanesOfKind(const Snapshot& snapshot, TrackKind kind);

/// Calls fn(const SpanChunk&, row) for the rows of a lane that start inside one of the ranges (all rows when
/// there are none).
template <class Fn>
void forEachRow(const SpanLane& lane, const std::vector<TimeRange>& ranges, Fn&& fn) {
    const auto visit = [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t) {
        for (std::uint32_t i = begin; i < end; ++i)
            fn(chunk, i);
    };
    if (ranges.empty())
        lane.forEachChunk(0, lane.rows(), visit);
    for (const TimeRange& range : ranges)
        lane.forEachChunk(lane.firstStartingAt(range.begin), lane.firstStartingAt(range.end), visit);
}

/// The same for every lane of every track of a kind.
template <class Fn>
void forEachRow(const Snapshot& snapshot, TrackKind kind, const std::vector<TimeRange>& ranges, Fn&& fn) {
    for (const SpanLane& lane : lanesOfKind(snapshot, kind))
        forEachRow(lane, ranges, fn);
}
template <class Fn>
void forEachRow(const Snapshot& snapshot, TrackKind kind, Fn&& fn) {
    forEachRow(snapshot, kind, {}, fn);
}

/// Calls fn(NameId, PlaceId, step, TimeRange) for every span on tracks of the kind, those that still run
/// included, which end at `openEnd`.
template <class Fn>
void forEachSpan(const Snapshot& snapshot, TrackKind kind, Nanoseconds openEnd, Fn&& fn) {
    for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
        forEachRow(lane, {}, [&](const SpanChunk& chunk, std::uint32_t i) {
            fn(NameId(chunk.name[i]), PlaceId(chunk.place[i]), chunk.step[i], chunk.range(i));
        });
        for (const OpenSpan& open : snapshot.openSpans()) {
            if (open.lane == lane.id())
                fn(open.name, open.place, open.step, TimeRange{Nanoseconds(open.start), openEnd});
        }
    }
}

/// Self time of the ops of all CPU threads, added up; the last entry of each is for ids beyond the snapshot.
struct SelfTimes {
    std::vector<std::int64_t> byName;
    std::vector<std::int64_t> byPlace;
};
SelfTimes opSelfTimes(const Snapshot& snapshot, const RowFilter& filter);

}  // namespace warpglass
