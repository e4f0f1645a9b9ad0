#include "engine/query/spans/filter_extent.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

namespace {

class Hull {
public:
    void add(TimeRange range) {
        if (!m_range)
            m_range = range;
        m_range->begin = std::min(m_range->begin, range.begin);
        m_range->end = std::max(m_range->end, range.end);
    }
    const std::optional<TimeRange>& range() const { return m_range; }

private:
    std::optional<TimeRange> m_range;
};

/// The extent of the steps that pass.
std::optional<TimeRange> extentOfSteps(const Snapshot& snapshot, const RowFilter& rows) {
    Hull hull;
    forEachSpan(snapshot, TrackKind::kStep, kOpenEnd,
                [&](NameId, PlaceId, std::int32_t step, TimeRange range) {
                    if (rows.stepPasses(step))
                        hull.add(range);
                });
    return hull.range();
}

/// The extent of the GPU's phases that belong to those phases of the host in steps for which
/// wanted(step, range) is true. A step that is replayed as a graph has one phase on the host for all of
/// those on the GPU.
template <class Wanted>
std::optional<TimeRange> extentOnGpu(const Snapshot& snapshot, Wanted&& wanted) {
    using Launching = std::pair<std::int32_t, Phase>;
    std::vector<Launching> launching;
    forEachSpan(snapshot, TrackKind::kPhase, kOpenEnd,
                [&](NameId, PlaceId place, std::int32_t step, TimeRange range) {
                    if (step != kNoStep && wanted(step, range))
                        launching.emplace_back(step, snapshot.place(place).phase);
                });
    std::ranges::sort(launching);
    launching.erase(std::unique(launching.begin(), launching.end()), launching.end());
    std::vector<bool> found(launching.size(), false);
    Hull hull;
    forEachSpan(snapshot, TrackKind::kGpuPhase, kOpenEnd,
                [&](NameId, PlaceId place, std::int32_t step, TimeRange range) {
                    for (const Phase phase : {snapshot.place(place).phase, Phase::kReplay}) {
                        const Launching of(step, phase);
                        const auto at = std::lower_bound(launching.begin(), launching.end(), of);
                        if (at == launching.end() || *at != of)
                            continue;
                        found[static_cast<std::size_t>(at - launching.begin())] = true;
                        hull.add(range);
                    }
                });
    if (std::ranges::find(found, false) != found.end() || !hull.range())
        return std::nullopt;
    const TimeRange range = *hull.range();
    return TimeRange{range.begin - kGpuPhaseEdge,
                     range.end == kOpenEnd ? kOpenEnd : range.end + kGpuPhaseEdge};
}

}  // namespace

FilterExtent filterExtent(const Snapshot& snapshot, const SpanFilter& filter) {
    if (!filter.ranges.empty()) {
        const TimeRange range{filter.ranges.front().begin, filter.ranges.back().end};
        const auto launching = [range](std::int32_t, TimeRange phase) {
            return phase.begin < range.end && phase.end > range.begin;
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
            extentOnGpu(snapshot, [&](std::int32_t step, TimeRange) { return rows.stepPasses(step); })};
}

}  // namespace warpglass
