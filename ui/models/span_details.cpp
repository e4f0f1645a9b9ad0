#include "ui/models/span_details.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpglass::ui {

namespace {

SpanDetails resolve(const Snapshot& snapshot, const SpanLane& lane, NameId name, PlaceId placeId) {
    SpanDetails d;
    const TrackInfo& track = snapshot.track(lane.track());
    const Place place = snapshot.place(placeId);
    d.kind = track.kind;
    d.track = std::string(snapshot.name(track.name));
    d.depth = lane.depth();
    d.nameId = name;
    d.name = std::string(snapshot.name(name));
    d.phase = place.phase;
    d.module = std::string(snapshot.name(place.module));
    d.part = std::string(snapshot.name(place.part));
    if (d.kind == TrackKind::kCpuThread || d.kind == TrackKind::kGpuStream)
        d.family = opFamily(d.name, d.phase);
    return d;
}

template <class Fn>
void forEachLaneOfKind(const Snapshot& snapshot, TrackKind kind, Fn&& fn) {
    for (const TrackId track : snapshot.tracksOfKind(kind)) {
        for (const SpanLane& lane : snapshot.lanesOf(track))
            fn(lane);
    }
}

}  // namespace

std::optional<SpanDetails> describeSpan(const Snapshot& snapshot, SpanRef span) {
    if (!span.lane.valid() || span.lane.index() >= snapshot.laneCount())
        return std::nullopt;
    const SpanLane lane = snapshot.lane(span.lane);
    if (span.row >= lane.rows())
        return std::nullopt;
    const std::optional<SpanRow> row = lane.row(span.row);
    if (!row)
        return std::nullopt;
    SpanDetails d = resolve(snapshot, lane, row->name, row->place);
    d.start = Nanoseconds(row->start);
    d.duration = Nanoseconds(row->duration);
    d.self = Nanoseconds(row->self);
    d.step = row->step;
    d.gpu = snapshot.detail(row->detail);
    if (d.gpu && d.gpu->kind == DetailKind::kOp) {
        const std::string_view types = snapshot.name(d.gpu->fullName);
        const std::size_t arrow = types.find(kTypesArrow);
        d.inputs = std::string(types.substr(0, arrow));
        d.outputs =
            arrow == types.npos ? std::string() : std::string(types.substr(arrow + kTypesArrow.size()));
        d.gpu.reset();
    }
    if (d.gpu) {
        d.fullName = std::string(snapshot.name(d.gpu->fullName));
        d.op = std::string(snapshot.name(d.gpu->op));
    }
    return d;
}

KindStatistics kindStatistics(const Snapshot& snapshot, TrackKind kind, NameId name) {
    KindStatistics s;
    std::int64_t allSelf = 0;
    const bool every = kind == TrackKind::kStep;
    std::vector<std::int64_t> all;
    DurationCollector collector;
    const auto forEachRow = [&](auto&& fn) {
        forEachLaneOfKind(snapshot, kind, [&](const SpanLane& lane) {
            lane.forEachChunk(
                0, lane.rows(),
                [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t first) {
                    for (std::uint32_t i = begin; i < end; ++i)
                        fn(chunk, i, SpanPosition{lane.id(), first + i},
                           every || chunk.name[i] == name.value);
                });
        });
    };
    forEachRow([&](const SpanChunk& chunk, std::uint32_t i, SpanPosition, bool ofKind) {
        allSelf = wrappingAdd(allSelf, chunk.self[i]);
        if (!ofKind)
            return;
        collector.add(chunk.duration[i]);
        all.push_back(chunk.duration[i]);
        s.total += Nanoseconds(chunk.duration[i]);
        s.self += Nanoseconds(chunk.self[i]);
    });
    collector.startSecondPass();
    forEachRow([&](const SpanChunk& chunk, std::uint32_t i, SpanPosition at, bool ofKind) {
        if (ofKind)
            collector.addAgain(chunk.duration[i], at);
    });
    s.durations = collector.take();
    s.instances = s.durations.instances;
    if (allSelf > 0) {
        s.selfShare = static_cast<double>(s.self.value) / static_cast<double>(allSelf);
        s.timeShare = static_cast<double>(s.total.value) / static_cast<double>(allSelf);
    }
    if (!all.empty()) {
        const auto high = all.begin() + std::ssize(all) / 2;
        std::nth_element(all.begin(), high, all.end());
        const std::int64_t low = all.size() % 2 == 1 ? *high : *std::max_element(all.begin(), high);
        s.median = Nanoseconds(std::midpoint(low, *high));
    }
    return s;
}

std::optional<SpanRef> longestSpan(const Snapshot& snapshot, TrackKind kind, std::optional<NameId> name,
                                   const std::vector<TimeRange>& ranges, std::int32_t fromStep,
                                   std::optional<Phase> phase) {
    std::optional<SpanRef> best;
    std::int64_t longest = -1;
    const auto scan = [&](const SpanLane& lane, std::uint64_t from, std::uint64_t to) {
        lane.forEachChunk(
            from, to,
            [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t first) {
                for (std::uint32_t i = begin; i < end; ++i) {
                    if ((!name || chunk.name[i] == name->value) && chunk.duration[i] > longest &&
                        chunk.step[i] >= fromStep &&
                        (!phase || snapshot.place(PlaceId(chunk.place[i])).phase == *phase)) {
                        longest = chunk.duration[i];
                        best = SpanRef{lane.id(), first + i};
                    }
                }
            });
    };
    forEachLaneOfKind(snapshot, kind, [&](const SpanLane& lane) {
        if (ranges.empty())
            scan(lane, 0, lane.rows());
        for (const TimeRange& range : ranges)
            scan(lane, lane.firstStartingAt(range.begin), lane.firstStartingAt(range.end));
    });
    return best;
}

std::string spanNameAt(const Snapshot& snapshot, TrackKind kind, Nanoseconds t) {
    const auto tracks = snapshot.tracksOfKind(kind);
    if (tracks.empty())
        return {};
    NameId found;
    std::int64_t latest = -1;
    for (const SpanLane& lane : snapshot.lanesOf(tracks.front())) {
        const std::uint64_t at = lane.firstEndingAfter(t);
        if (at >= lane.rows())
            continue;
        if (const auto row = lane.row(at); row && row->start <= t.value && row->start >= latest) {
            latest = row->start;
            found = row->name;
        }
    }
    for (const OpenSpan& open : snapshot.openSpans()) {
        if (open.lane.valid() && snapshot.lane(open.lane).track() == tracks.front() &&
            open.start <= t.value && open.start >= latest) {
            latest = open.start;
            found = open.name;
        }
    }
    return std::string(snapshot.name(found));
}

}  // namespace warpglass::ui
