#include "engine/query/statistics/statistics.h"

#include "engine/base/collect.h"
#include "engine/query/statistics/grouped_statistics.h"

namespace warpglass {

namespace {

std::vector<StatisticsRow> flatStatistics(const Snapshot& snapshot, const SpanFilter& filter,
                                          TrackKind kind) {
    return mapped<StatisticsRow>(groupedStatistics(snapshot, filter, kind, SpanGrouping::kFlat).rows,
                                 [&](GroupedRow& row) { return std::move(row.figures); });
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
