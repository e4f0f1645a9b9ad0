#include "engine/query/spans/spans_around.h"

#include <algorithm>

#include "engine/query/spans/span_scan.h"

namespace warpglass {

SpansAround::SpansAround(const Snapshot& snapshot) {
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kCpuThread))
        m_lanes[lane.track()].push_back(lane);
    for (auto& [track, lanes] : m_lanes)
        std::ranges::stable_sort(lanes, {}, &SpanLane::depth);
}

bool SpansAround::Cursor::findEndingAfter(std::int64_t time) {
    if (!chunk && at == 0)
        at = lane.firstEndingAfter(Nanoseconds(time));
    while (at < lane.rows()) {
        if (!chunk || at >= first + kChunkRows) {
            first = at / kChunkRows * kChunkRows;
            chunk = lane.chunk(static_cast<std::size_t>(at / kChunkRows));
            if (!chunk) {
                at = first + kChunkRows;  // damaged
                continue;
            }
        }
        if (end() > time)
            return true;
        ++at;
    }
    return false;
}

void SpansAround::beginLane(const SpanLane& lane) {
    m_lane = lane.id();
    m_above.clear();
    const std::vector<SpanLane>& thread = m_lanes[lane.track()];
    auto above = std::ranges::partition_point(
        thread, [&lane](const SpanLane& other) { return other.depth() < lane.depth(); });
    while (above != thread.begin() && m_above.size() < kMostAbove)
        m_above.push_back({*--above});
}

}  // namespace warpglass
