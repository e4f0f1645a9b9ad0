#include "ui/models/span_details.h"

#include <algorithm>
#include <numeric>

#include "engine/query/spans/spans_at.h"

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
        d.family = opFamily(d.name, d.phase);  // of a kernel as far as its name alone tells
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
        if (d.kind == TrackKind::kGpuStream)
            d.family = kernelFamily(d.name, d.fullName, d.op, d.phase);
    }
    return d;
}

KindStatistics kindStatistics(const Snapshot& snapshot, TrackKind kind, NameId name,
                              std::optional<Nanoseconds> one) {
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
    if (one) {
        s.longer = std::ranges::count_if(all, [&](std::int64_t duration) { return duration > one->value; });
        s.shorter = std::ranges::count_if(all, [&](std::int64_t duration) { return duration < one->value; });
    }
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

SpansAroundOne spansAroundOne(const Snapshot& snapshot, const SpanDetails& span, const CauseChain& chain) {
    const auto in = [&chain](CauseLevel level) { return chain.spans[static_cast<std::size_t>(level)]; };
    SpansAroundOne around;
    if (chain.at && *chain.at > CauseLevel::kOp)
        around.op = in(CauseLevel::kOp);
    if (chain.at && *chain.at > CauseLevel::kModule) {
        const auto module = in(CauseLevel::kModule);
        const auto row = module ? rowOf(snapshot, *module) : std::nullopt;
        if (row && snapshot.name(row->name) == span.module)
            around.module = module;
        else if (row && snapshot.name(row->name) == span.part)
            around.part = module;
    }
    // Where work belongs follows from when it was launched.
    const auto launch = in(CauseLevel::kLaunch);
    const auto call = launch && span.gpu ? rowOf(snapshot, *launch) : std::nullopt;
    const std::int64_t moment = call ? call->start : span.start.value;
    const auto innermost = [&](TrackKind kind) -> std::optional<SpanRef> {
        const auto tracks = snapshot.tracksOfKind(kind);
        const auto open = tracks.empty() ? std::vector<SpanRef>() : spansAt(snapshot, tracks.front(), moment);
        const auto row = open.empty() ? std::nullopt : rowOf(snapshot, open.back());
        const bool phase = kind == TrackKind::kPhase;
        if (!row || row->step != span.step || (phase && snapshot.place(row->place).phase != span.phase))
            return std::nullopt;
        return open.back();
    };
    if (span.kind != TrackKind::kPhase && span.kind != TrackKind::kGpuPhase && span.phase != Phase::kNone)
        around.phase = innermost(TrackKind::kPhase);
    if (span.kind != TrackKind::kStep && span.step != kNoStep)
        around.step = innermost(TrackKind::kStep);
    return around;
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
