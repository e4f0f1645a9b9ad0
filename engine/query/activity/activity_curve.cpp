#include "engine/query/activity/activity_curve.h"

#include <algorithm>

#include "engine/base/collect.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {

namespace {

/// Adds up time by column.
class Columns {
public:
    Columns(TimeRange range, std::size_t count)
        : m_range(range),
          m_width(static_cast<double>(std::max<std::int64_t>(1, range.duration().value)) /
                  static_cast<double>(count)),
          m_sums(count) {}

    /// `busy` ns of [begin, end), evenly.
    void add(std::int64_t begin, std::int64_t end, std::int64_t busy) {
        if (end <= begin || busy <= 0)
            return;
        const double density = static_cast<double>(busy) / static_cast<double>(end - begin);
        begin = std::max(begin, m_range.begin.value);
        end = std::min(end, m_range.end.value);
        if (end <= begin)
            return;
        const double from = static_cast<double>(begin - m_range.begin.value);
        const double to = static_cast<double>(end - m_range.begin.value);
        auto column = std::min(static_cast<std::size_t>(from / m_width), m_sums.size() - 1);
        for (; column < m_sums.size(); ++column) {
            const double left = static_cast<double>(column) * m_width;
            if (left >= to)
                break;
            m_sums[column] += density * std::max(0.0, std::min(to, left + m_width) - std::max(from, left));
        }
    }

    std::vector<float> shares() const {
        return mapped<float>(
            m_sums, [&](double sum) { return static_cast<float>(std::clamp(sum / m_width, 0.0, 1.0)); });
    }

private:
    TimeRange m_range;
    double m_width;
    std::vector<double> m_sums;
};

void addRows(Columns& columns, const SpanLane& lane, std::uint64_t from, std::uint64_t to) {
    lane.forEachChunk(from, to, [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, auto) {
        for (std::uint32_t i = begin; i < end; ++i)
            columns.add(chunk.start[i], wrappingAdd(chunk.start[i], chunk.duration[i]), chunk.duration[i]);
    });
}

void addBlocks(Columns& columns, const SpanLane& lane) {
    for (std::size_t c = 0; c < lane.chunkCount(); ++c) {
        const std::uint64_t first = static_cast<std::uint64_t>(c) * kChunkRows;
        const std::uint32_t rows = lane.rowsInChunk(c);
        const SpanMip& mip = lane.mip(c);
        for (std::uint32_t row = 0; row < rows; row += kBlockRows) {
            const SpanSummary* block = row + kBlockRows <= rows ? &mip.blocks[row / kBlockRows] : nullptr;
            if (block && block->count > 0)
                columns.add(block->start, block->end, block->busy);
            else  // not yet whole, or without a mip-map
                addRows(columns, lane, first + row, first + std::min(rows, row + kBlockRows));
        }
    }
}

}  // namespace

ActivityCurve activityCurve(const Snapshot& snapshot, TimeRange range, std::size_t columns) {
    columns = std::max<std::size_t>(columns, 1);
    std::vector<SpanLane> lanes = lanesOfKind(snapshot, TrackKind::kGpuStream);
    for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kGpuCopies))
        lanes.push_back(lane);
    ActivityCurve curve{!lanes.empty(), {}, range};
    if (!curve.ofGpu) {
        for (const SpanLane& lane : lanesOfKind(snapshot, TrackKind::kCpuThread)) {
            if (lane.depth() == 0)
                lanes.push_back(lane);
        }
    }
    Columns sums(range, columns);
    for (const SpanLane& lane : lanes) {
        if (lane.rows() > columns * kBlockRows)
            addBlocks(sums, lane);
        else
            addRows(sums, lane, lane.firstEndingAfter(range.begin), lane.firstStartingAt(range.end));
    }
    curve.share = sums.shares();
    return curve;
}

}  // namespace warpglass
