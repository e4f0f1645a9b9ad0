#include "engine/query/spans/span_scan.h"

#include <utility>

#include "engine/base/sorted_runs.h"

namespace warpglass {

RowFilter::RowFilter(const Snapshot& snapshot, const SpanFilter& filter) {
    m_places.resize(snapshot.placeCount() + 1);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const Place place = snapshot.place(PlaceId(i));
        const bool phase = !filter.phase || place.phase == *filter.phase;
        const bool module =
            filter.modulePath.empty() || isWithin(snapshot.name(place.module), filter.modulePath);
        m_places[i] = static_cast<std::uint8_t>((phase ? kPhase : 0) | (module ? kModule : 0));
    }
    if (filter.step)
        m_firstStep = m_lastStep = *filter.step;
    if (filter.measuredOnly)
        m_firstStep = std::max(m_firstStep, warmupSteps(snapshot));
    if (const auto completed = completedSteps(snapshot); filter.measuredOnly && completed)
        m_lastStep = std::min(m_lastStep, *completed - 1);  // a step cut off by a stop was not measured
    m_named = !filter.name.empty();
    m_all = !filter.phase && filter.modulePath.empty() && !filter.step && !filter.measuredOnly && !m_named;
    if (!m_named)
        return;
    m_names = idsOfNames(snapshot, filter.name);
    m_launched.resize(snapshot.detailCount());
    for (std::size_t i = 0; i < m_launched.size(); ++i) {
        const auto detail = snapshot.detail(DetailId(i));
        m_launched[i] = detail && detail->op.index() < m_names.size() ? m_names[detail->op.index()] : 0;
    }
}

RowFilter::RowFilter(const Snapshot& snapshot, const StepSelection& steps)
    : RowFilter(snapshot, SpanFilter()) {
    keepSteps(steps);
}

void RowFilter::keepSteps(const StepSelection& steps) {
    m_firstStep = std::max(m_firstStep, steps.first);
    m_lastStep = std::min(m_lastStep, steps.last);
    m_all = false;
}

std::vector<SpanLane> lanesOfKind(const Snapshot& snapshot, TrackKind kind) {
    std::vector<SpanLane> lanes;
    for (std::size_t i = 0; i < snapshot.laneCount(); ++i) {
        const SpanLane lane = snapshot.lane(LaneId(i));
        if (lane.track().index() < snapshot.trackCount() && snapshot.track(lane.track()).kind == kind)
            lanes.push_back(lane);
    }
    return lanes;
}

LaunchTimes::LaunchTimes(const Snapshot& snapshot) {
    constexpr std::uint64_t kMostIdsPerCall = 4;  // gaps are other calls', and those of a damaged chunk
    const auto forEachCall = [&](auto&& fn) {
        forEachRow(snapshot, TrackKind::kApiThread,
                   [&](const SpanChunk& chunk, std::uint32_t i) { fn(chunk.link[i], chunk.start[i]); });
    };
    std::uint64_t count = 0, lowest = UINT64_MAX, highest = 0;
    forEachCall([&](std::uint64_t correlation, std::int64_t) {
        ++count;
        lowest = std::min(lowest, correlation);
        highest = std::max(highest, correlation);
    });
    if (count == 0)
        return;
    if ((highest - lowest) / kMostIdsPerCall <= count) {
        m_first = lowest;
        m_starts.assign(static_cast<std::size_t>(highest - lowest) + 1, kNoCall);
        forEachCall([&](std::uint64_t correlation, std::int64_t start) {
            m_starts[static_cast<std::size_t>(correlation - lowest)] = start;
        });
        return;
    }
    m_calls.reserve(static_cast<std::size_t>(count));
    std::vector<std::size_t> ends;
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kApiThread)) {
        forEachRow(lane, {}, [&](const SpanChunk& chunk, std::uint32_t i) {
            m_calls.push_back({chunk.link[i], chunk.start[i]});
        });
        ends.push_back(m_calls.size());
    }
    sortRuns(m_calls, std::move(ends),
             [](const Call& a, const Call& b) { return a.correlation < b.correlation; });
}

std::optional<std::int64_t> LaunchTimes::startOf(std::uint64_t correlation) const {
    if (!m_starts.empty()) {
        const std::uint64_t at = correlation - m_first;  // wraps to beyond the table below it
        if (at >= m_starts.size() || m_starts[static_cast<std::size_t>(at)] == kNoCall)
            return std::nullopt;
        return m_starts[static_cast<std::size_t>(at)];
    }
    const auto call = std::ranges::lower_bound(m_calls, correlation, {}, &Call::correlation);
    if (call == m_calls.end() || call->correlation != correlation)
        return std::nullopt;
    return call->start;
}

bool LaunchTimes::startsIn(std::uint64_t correlation, const std::vector<TimeRange>& ranges) const {
    const auto time = startOf(correlation);
    if (!time)
        return false;
    return startsInside(Nanoseconds(*time), ranges);
}

bool startsInside(Nanoseconds start, const std::vector<TimeRange>& ranges) {
    const auto after = std::ranges::upper_bound(ranges, start, {}, &TimeRange::begin);
    return after != ranges.begin() && (after - 1)->contains(start);
}

SelfTimes opSelfTimes(const Snapshot& snapshot, const RowFilter& filter) {
    SelfTimes times;
    times.byName.resize(snapshot.nameCount() + 1);
    times.byPlace.resize(snapshot.placeCount() + 1);
    forEachRow(snapshot, TrackKind::kCpuThread, [&](const SpanChunk& chunk, std::uint32_t i) {
        if (!filter.passes(chunk.place[i], chunk.step[i]))
            return;
        auto& ofName = times.byName[std::min<std::size_t>(chunk.name[i], times.byName.size() - 1)];
        auto& ofPlace = times.byPlace[std::min<std::size_t>(chunk.place[i], times.byPlace.size() - 1)];
        addWrapping(ofName, chunk.self[i]);
        addWrapping(ofPlace, chunk.self[i]);
    });
    return times;
}

}  // namespace warpglass
