#include "engine/query/statistics/statistics.h"

#include "engine/query/statistics/grouped_statistics.h"

namespace warpglass {

namespace {

std::vector<StatisticsRow> flatStatistics(const Snapshot& snapshot, const SpanFilter& filter,
                                          TrackKind kind) {
    std::vector<StatisticsRow> rows;
    for (GroupedRow& row : groupedStatistics(snapshot, filter, kind, SpanGrouping::kFlat).rows)
        rows.push_back(std::move(row.figures));
    return rows;
}

}  // namespace

std::vector<StatisticsRow> opStatistics(const Snapshot& snapshot, const SpanFilter& filter) {
    return flatStatistics(snapshot, filter, TrackKind::kCpuThread);
}

std::vector<StatisticsRow> kernelStatistics(const Snapshot& snapshot, const SpanFilter& filter) {
    return flatStatistics(snapshot, filter, TrackKind::kGpuStream);
}

std::vector<StatisticsRow> copyStatistics(const Snapshot& snapshot, const SpanFilter& filter) {
    return flatStatistics(snapshot, filter, TrackKind::kGpuCopies);
}

}  // namespace warpglass
