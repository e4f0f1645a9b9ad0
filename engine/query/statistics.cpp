#include "engine/query/statistics.h"

#include <algorithm>

#include "engine/query/filtered_spans.h"
#include "engine/query/outermost_times.h"
#include "engine/query/span_groups.h"

namespace warpglass {

namespace {

std::vector<std::uint8_t> optimizerPlaces(const Snapshot& snapshot) {
    std::vector<std::uint8_t> places(snapshot.placeCount() + 1);
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = snapshot.place(PlaceId(i)).phase == Phase::kOptimizer ? 1 : 0;
    return places;
}

double shareOf(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// The spans of one kind of track by name.
std::vector<StatisticsRow> statisticsOf(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind) {
    const FilteredSpans spans(snapshot, filter, kind);
    const std::size_t names = snapshot.nameCount();  // one key more, for ids beyond the snapshot
    const auto key = [names](const SpanChunk& chunk, std::uint32_t i) {
        return std::min<std::size_t>(chunk.name[i], names);
    };
    const std::vector<std::uint8_t> inOptimizer = optimizerPlaces(snapshot);
    std::vector<std::int64_t> optimizerSelf(names + 1);

    // Ops nest, and time is shared out once; kernels and copies of a stream follow each other.
    const PlaceGroups together(snapshot, SpanGrouping::kFlat);
    OutermostTimes outermost(snapshot, together, SpanGrouping::kFlat);
    const auto counts = [&spans](const SpanChunk& chunk, std::uint32_t i) { return spans.takes(chunk, i); };

    SpanGroups groups(names + 1);
    spans.forEach([&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
        groups.add(key(chunk, i), chunk.duration[i], chunk.self[i]);
        if (kind == TrackKind::kCpuThread)
            outermost.add(lane, chunk, i, counts);
        if (inOptimizer[std::min<std::size_t>(chunk.place[i], inOptimizer.size() - 1)])
            optimizerSelf[key(chunk, i)] = wrappingAdd(optimizerSelf[key(chunk, i)], chunk.self[i]);
    });
    groups.startSecondPass();
    spans.forEach([&](const SpanLane&, const SpanChunk& chunk, std::uint32_t i, std::uint64_t) {
        groups.addAgain(key(chunk, i), chunk.duration[i]);
    });

    std::vector<StatisticsRow> rows;
    Nanoseconds total, self;
    for (SpanGroups::Row& group : groups.takeRows()) {
        StatisticsRow& row = rows.emplace_back(std::move(group.statistics));
        row.name = snapshot.name(NameId(group.key));
        // An op of several phases has the family of the phase that it mostly works in.
        const bool updates = optimizerSelf[group.key] > row.self.value / 2;
        row.family = opFamily(row.name, updates ? Phase::kOptimizer : Phase::kNone);
        total += row.total;
        self += row.self;
    }
    const Nanoseconds taken = kind == TrackKind::kCpuThread ? outermost.all() : total;
    for (StatisticsRow& row : rows) {
        row.timeShare = shareOf(row.total.value, taken.value);
        row.selfShare = shareOf(row.self.value, self.value);
    }
    std::sort(rows.begin(), rows.end(), [](const StatisticsRow& a, const StatisticsRow& b) {
        return a.self != b.self ? a.self > b.self : a.name < b.name;
    });
    return rows;
}

}  // namespace

std::vector<StatisticsRow> opStatistics(const Snapshot& snapshot, const SpanFilter& filter) {
    return statisticsOf(snapshot, filter, TrackKind::kCpuThread);
}

std::vector<StatisticsRow> kernelStatistics(const Snapshot& snapshot, const SpanFilter& filter) {
    return statisticsOf(snapshot, filter, TrackKind::kGpuStream);
}

std::vector<StatisticsRow> copyStatistics(const Snapshot& snapshot, const SpanFilter& filter) {
    return statisticsOf(snapshot, filter, TrackKind::kGpuCopies);
}

}  // namespace warpglass
