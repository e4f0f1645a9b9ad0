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

/// The mean of the two middle ones where there are two, as in the tables of statistics.
std::int64_t medianOf(const std::vector<std::int64_t>& sorted) {
    const std::int64_t low = sorted[(sorted.size() - 1) / 2], high = sorted[sorted.size() / 2];
    return std::midpoint(low, high);
}

/// Nearest rank, so that it is a duration that occurred.
std::int64_t percentile(const std::vector<std::int64_t>& sorted, double fraction) {
    const auto rank = static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1) + 0.5);
    return sorted[std::min(rank, sorted.size() - 1)];
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
    if (d.gpu) {
        d.fullName = std::string(snapshot.name(d.gpu->fullName));
        d.op = std::string(snapshot.name(d.gpu->op));
    }
    return d;
}

Nanoseconds KindStatistics::binEdge(int i) const {
    const double share = static_cast<double>(i) / kBins;
    const auto low = static_cast<double>(min.value), high = static_cast<double>(p99.value);
    const double edge =
        logarithmic ? (low + 1) * std::pow((high + 1) / (low + 1), share) - 1 : low + (high - low) * share;
    return Nanoseconds(std::llround(edge));
}

int KindStatistics::binOf(Nanoseconds duration) const {
    const auto low = static_cast<double>(min.value), high = static_cast<double>(p99.value);
    const auto d = static_cast<double>(duration.value);
    if (d <= low || high <= low)
        return 0;
    // One more than each, so that a duration of 0 has a logarithm.
    const double share = logarithmic ? std::log((d + 1) / (low + 1)) / std::log((high + 1) / (low + 1))
                                     : (d - low) / (high - low);
    return static_cast<int>(std::min(share * kBins, kBins - 1.0));
}

KindStatistics kindStatistics(const Snapshot& snapshot, TrackKind kind, NameId name) {
    KindStatistics s;
    std::vector<std::int64_t> durations;
    std::int64_t allSelf = 0;
    const bool every = kind == TrackKind::kStep;
    forEachLaneOfKind(snapshot, kind, [&](const SpanLane& lane) {
        lane.forEachChunk(0, lane.rows(),
                          [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t) {
                              for (std::uint32_t i = begin; i < end; ++i) {
                                  allSelf = wrappingAdd(allSelf, chunk.self[i]);
                                  if (!every && chunk.name[i] != name.value)
                                      continue;
                                  durations.push_back(chunk.duration[i]);
                                  s.total += Nanoseconds(chunk.duration[i]);
                                  s.self += Nanoseconds(chunk.self[i]);
                              }
                          });
    });
    if (durations.empty())
        return s;
    std::sort(durations.begin(), durations.end());
    s.instances = static_cast<std::int64_t>(durations.size());
    s.selfShare = allSelf > 0 ? static_cast<double>(s.self.value) / static_cast<double>(allSelf) : 0;
    s.min = Nanoseconds(durations.front());
    s.median = Nanoseconds(medianOf(durations));
    s.p99 = Nanoseconds(percentile(durations, 0.99));
    s.max = Nanoseconds(durations.back());
    if (s.p99 > s.min) {
        s.logarithmic = s.p99.value > KindStatistics::kWide * std::max<std::int64_t>(1, s.min.value);
        s.histogram.assign(KindStatistics::kBins, 0);
        for (const std::int64_t d : durations)
            ++s.histogram[static_cast<std::size_t>(s.binOf(Nanoseconds(d)))];
    }
    return s;
}

std::optional<SpanRef> longestSpan(const Snapshot& snapshot, TrackKind kind, std::optional<NameId> name,
                                   const std::vector<TimeRange>& ranges, std::int32_t fromStep) {
    std::optional<SpanRef> best;
    std::int64_t longest = -1;
    const auto scan = [&](const SpanLane& lane, std::uint64_t from, std::uint64_t to) {
        lane.forEachChunk(
            from, to,
            [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t first) {
                for (std::uint32_t i = begin; i < end; ++i) {
                    if ((!name || chunk.name[i] == name->value) && chunk.duration[i] > longest &&
                        chunk.step[i] >= fromStep) {
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
