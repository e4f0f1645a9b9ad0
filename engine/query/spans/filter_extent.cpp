#include "engine/query/spans/filter_extent.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

namespace {

class Hull {
public:
    void add(std::int64_t begin, std::int64_t end) {
        if (!m_range)
            m_range = TimeRange{Nanoseconds(begin), Nanoseconds(end)};
        m_range->begin = std::min(m_range->begin, Nanoseconds(begin));
        m_range->end = std::max(m_range->end, Nanoseconds(end));
    }
    const std::optional<TimeRange>& range() const { return m_range; }

private:
    std::optional<TimeRange> m_range;
};

/// Calls fn(place, step, start, end) for every span on tracks of the kind, those that still run included.
template <class Fn>
void forEachSpan(const Snapshot& snapshot, TrackKind kind, Fn&& fn) {
    for (const SpanLane& lane : lanesOfKind(snapshot, kind)) {
        lane.forEachChunk(0, lane.rows(),
                          [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t) {
                              for (std::uint32_t i = begin; i < end; ++i)
                                  fn(PlaceId(chunk.place[i]), chunk.step[i], chunk.start[i], chunk.end(i));
                          });
        for (const OpenSpan& open : snapshot.openSpans()) {
            if (open.lane == lane.id())
                fn(open.place, open.step, open.start, kOpenEnd.value);
        }
    }
}

/// The extent of the steps that pass.
std::optional<TimeRange> extentOfSteps(const Snapshot& snapshot, const RowFilter& rows) {
    Hull hull;
    forEachSpan(snapshot, TrackKind::kStep,
                [&](PlaceId, std::int32_t step, std::int64_t start, std::int64_t end) {
                    if (rows.stepPasses(step))
                        hull.add(start, end);
                });
    return hull.range();
}

/// The extent of the GPU's phases that belong to those phases of the host in steps for which
/// wanted(step, start, end) is true. A step that is replayed as a graph has one phase on the host for all of
/// those on the GPU.
template <class Wanted>
std::optional<TimeRange> extentOnGpu(const Snapshot& snapshot, Wanted&& wanted) {
    using Launching = std::pair<std::int32_t, Phase>;
    std::vector<Launching> launching;
    forEachSpan(snapshot, TrackKind::kPhase,
                [&](PlaceId place, std::int32_t step, std::int64_t start, std::int64_t end) {
                    if (step != kNoStep && wanted(step, start, end))
                        launching.emplace_back(step, snapshot.place(place).phase);
                });
    std::sort(launching.begin(), launching.end());
    launching.erase(std::unique(launching.begin(), launching.end()), launching.end());
    std::vector<bool> found(launching.size(), false);
    Hull hull;
    forEachSpan(snapshot, TrackKind::kGpuPhase,
                [&](PlaceId place, std::int32_t step, std::int64_t start, std::int64_t end) {
                    for (const Phase phase : {snapshot.place(place).phase, Phase::kReplay}) {
                        const Launching of(step, phase);
                        const auto at = std::lower_bound(launching.begin(), launching.end(), of);
                        if (at == launching.end() || *at != of)
                            continue;
                        found[static_cast<std::size_t>(at - launching.begin())] = true;
                        hull.add(start, end);
                    }
                });
    if (std::find(found.begin(), found.end(), false) != found.end() || !hull.range())
        return std::nullopt;
    const TimeRange range = *hull.range();
    return TimeRange{range.begin - kGpuPhaseEdge,
                     range.end == kOpenEnd ? kOpenEnd : range.end + kGpuPhaseEdge};
}

}  // namespace

FilterExtent filterExtent(const Snapshot& snapshot, const SpanFilter& filter) {
    if (!filter.ranges.empty()) {
        const TimeRange range{filter.ranges.front().begin, filter.ranges.back().end};
        const auto launching = [range](std::int32_t, std::int64_t start, std::int64_t end) {
            return start < range.end.value && end > range.begin.value;
        };
        return {range, filter.byLaunch ? extentOnGpu(snapshot, launching) : range};
    }
    if (!filter.step && !filter.measuredOnly)
        return {};
    SpanFilter steps;
    steps.step = filter.step;
    steps.measuredOnly = filter.measuredOnly;
    const RowFilter rows(snapshot, steps);
    return {extentOfSteps(snapshot, rows),
            extentOnGpu(snapshot, [&](std::int32_t step, std::int64_t, std::int64_t) {
                return rows.stepPasses(step);
            })};
}

}  // namespace warpglass
