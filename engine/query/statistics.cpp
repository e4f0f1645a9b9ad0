#include "engine/query/statistics.h"

#include <algorithm>

#include "engine/query/span_groups.h"
#include "engine/query/span_scan.h"

namespace warpglass {

namespace {

/// Calls fn(chunk, row) for every op that passes.
template <class Fn>
void forEachOp(const std::vector<SpanLane>& lanes, const SpanFilter& filter, const RowFilter& rows, Fn&& fn) {
    for (const SpanLane& lane : lanes) {
        forEachStretch(lane, filter.ranges,
                       [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end) {
                           if (rows.passesAll()) {
                               for (std::uint32_t i = begin; i < end; ++i)
                                   fn(chunk, i);
                               return;
                           }
                           for (std::uint32_t i = begin; i < end; ++i) {
                               if (rows.passes(chunk.place[i], chunk.step[i]))
                                   fn(chunk, i);
                           }
                       });
    }
}

std::vector<std::uint8_t> optimizerPlaces(const Snapshot& snapshot) {
    std::vector<std::uint8_t> places(snapshot.placeCount() + 1);
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = snapshot.place(PlaceId(i)).phase == Phase::kOptimizer ? 1 : 0;
    return places;
}

double shareOf(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// Calls fn(chunk, row) for every span of a GPU that passes, its ranges being those of its launch.
template <class Fn>
void forEachLaunched(const std::vector<SpanLane>& lanes, const SpanFilter& filter,
                     const LaunchTimes& launches, const RowFilter& rows, Fn&& fn) {
    for (const SpanLane& lane : lanes) {
        forEachStretch(lane, {}, [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t i = begin; i < end; ++i) {
                if (rows.passes(chunk.place[i], chunk.step[i]) &&
                    launches.startsIn(chunk.link[i], filter.ranges))
                    fn(chunk, i);
            }
        });
    }
}

/// The spans of one kind of track by name.
std::vector<StatisticsRow> statisticsOf(const Snapshot& snapshot, const SpanFilter& filter, TrackKind kind) {
    const bool byLaunch = filter.byLaunch && isGpuTrack(kind) && !filter.ranges.empty();
    const std::optional<LaunchTimes> launches =
        byLaunch ? std::optional<LaunchTimes>(snapshot) : std::nullopt;
    const RowFilter rowFilter(snapshot, filter);
    const std::vector<SpanLane> lanes = lanesOfKind(snapshot, kind);
    const std::size_t names = snapshot.nameCount();  // one key more, for ids beyond the snapshot
    const auto key = [names](const SpanChunk& chunk, std::uint32_t i) {
        return std::min<std::size_t>(chunk.name[i], names);
    };
    const std::vector<std::uint8_t> inOptimizer = optimizerPlaces(snapshot);
    std::vector<std::int64_t> optimizerSelf(names + 1);

    const auto forEachRow = [&](auto&& fn) {
        if (launches)
            forEachLaunched(lanes, filter, *launches, rowFilter, fn);
        else
            forEachOp(lanes, filter, rowFilter, fn);
    };

    SpanGroups groups(names + 1);
    forEachRow([&](const SpanChunk& chunk, std::uint32_t i) {
        groups.add(key(chunk, i), chunk.duration[i], chunk.self[i]);
        if (inOptimizer[std::min<std::size_t>(chunk.place[i], inOptimizer.size() - 1)])
            optimizerSelf[key(chunk, i)] = wrappingAdd(optimizerSelf[key(chunk, i)], chunk.self[i]);
    });
    groups.startSecondPass();
    forEachRow(
        [&](const SpanChunk& chunk, std::uint32_t i) { groups.addAgain(key(chunk, i), chunk.duration[i]); });

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
    for (StatisticsRow& row : rows) {
        row.timeShare = shareOf(row.total.value, total.value);
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
