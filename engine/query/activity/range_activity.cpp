#include "engine/query/activity/range_activity.h"

#include <algorithm>
#include <vector>

#include "engine/base/collect.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {

namespace {

/// The rows of one lane that overlap a range, one after another.
class LaneCursor {
public:
    LaneCursor(const SpanLane& lane, TimeRange range)
        : m_lane(lane), m_row(lane.firstEndingAfter(range.begin)), m_end(lane.firstStartingAt(range.end)) {
        skipDamage();
    }
    bool atEnd() const { return m_row >= m_end; }
    std::int64_t start() const { return m_chunk->start[m_row % kChunkRows]; }
    std::int64_t end() const { return wrappingAdd(start(), m_chunk->duration[m_row % kChunkRows]); }
    void next() {
        ++m_row;
        if (m_row % kChunkRows == 0)
            skipDamage();
    }

private:
    void skipDamage() {
        while (m_row < m_end && !(m_chunk = m_lane.chunk(static_cast<std::size_t>(m_row / kChunkRows))))
            m_row = (m_row / kChunkRows + 1) * kChunkRows;
    }

    SpanLane m_lane;
    std::uint64_t m_row;
    std::uint64_t m_end;
    const SpanChunk* m_chunk = nullptr;
};

/// How much of the range the spans of all lanes cover together: a merge of the lanes, each in order of time.
Nanoseconds coverage(const std::vector<SpanLane>& lanes, TimeRange range) {
    auto cursors = mapped<LaneCursor>(lanes, [&](const SpanLane& lane) { return LaneCursor(lane, range); });
    std::int64_t covered = 0, until = range.begin.value;
    while (true) {
        LaneCursor* first = nullptr;
        for (LaneCursor& cursor : cursors) {
            if (!cursor.atEnd() && (!first || cursor.start() < first->start()))
                first = &cursor;
        }
        if (!first)
            return Nanoseconds(covered);
        const std::int64_t from = std::max(first->start(), until),
                           to = std::min(first->end(), range.end.value);
        if (to > from) {
            covered += to - from;
            until = to;
        }
        first->next();
    }
}

std::uint64_t startsIn(const SpanLane& lane, TimeRange range) {
    return lane.firstStartingAt(range.end) - lane.firstStartingAt(range.begin);
}

/// What is not known to be a fill counts as a copy.
void addCopy(RangeActivity& activity, const std::optional<SpanDetail>& detail) {
    if (detail && detail->kind == DetailKind::kFill) {
        ++activity.fills;
        addWrapping(activity.filledBytes, detail->bytes);
        return;
    }
    ++activity.copies;
    if (!detail || detail->kind != DetailKind::kCopy)
        return;
    addWrapping(
        activity
            .copiedBytes[std::min(static_cast<std::size_t>(detail->copy), activity.copiedBytes.size() - 1)],
        detail->bytes);
}

}  // namespace

RangeActivity rangeActivity(const Snapshot& snapshot, TimeRange range) {
    RangeActivity activity;
    std::vector<SpanLane> gpu, host;
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kCpuThread)) {
        activity.ops += startsIn(lane, range);
        if (lane.depth() == 0)
            host.push_back(lane);
    }
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kGpuStream)) {
        activity.kernels += startsIn(lane, range);
        gpu.push_back(lane);
    }
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kGpuCopies)) {
        gpu.push_back(lane);
        forEachRow(lane, {range}, [&](const SpanChunk& chunk, std::uint32_t i) {
            addCopy(activity, snapshot.detail(DetailId(chunk.detail[i])));
        });
    }
    activity.hasGpu = !gpu.empty();
    activity.gpuBusy = coverage(gpu, range);
    activity.hostBusy = coverage(host, range);
    activity.hostWaited = coverage(lanesOfKind(snapshot, TrackKind::kGpuSync), range);
    return activity;
}

}  // namespace warpglass
