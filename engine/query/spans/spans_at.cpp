#include "engine/query/spans/spans_at.h"

#include <string_view>

namespace warpglass {

namespace {

/// What comes after the first dot of a track's name: the thread, for calls into CUDA.
std::string_view threadName(const Snapshot& snapshot, TrackId track, bool calls) {
    constexpr std::string_view kDot = " · ";
    const std::string_view name = snapshot.name(snapshot.track(track).name);
    const auto dot = calls ? name.find(kDot) : std::string_view::npos;
    return dot == std::string_view::npos ? name : name.substr(dot + kDot.size());
}

}  // namespace

std::optional<SpanRow> rowOf(const Snapshot& snapshot, SpanRef ref) {
    if (!ref.lane.valid() || ref.lane.index() >= snapshot.laneCount())
        return std::nullopt;
    const SpanLane lane = snapshot.lane(ref.lane);
    return ref.row < lane.rows() ? lane.row(ref.row) : std::nullopt;
}

std::vector<SpanRef> spansAt(const Snapshot& snapshot, TrackId track, std::int64_t t) {
    std::vector<SpanRef> spans;
    for (const SpanLane& lane : snapshot.lanesOf(track)) {
        const std::uint64_t row = lane.firstEndingAfter(Nanoseconds(t));
        if (row >= lane.rows())
            continue;
        if (const auto span = lane.row(row); span && span->start <= t)
            spans.push_back({lane.id(), row});
    }
    return spans;
}

std::optional<TrackId> sameThread(const Snapshot& snapshot, TrackId track, TrackKind wanted) {
    const bool calls = snapshot.track(track).kind == TrackKind::kApiThread;
    const std::string_view thread = threadName(snapshot, track, calls);
    for (const TrackId other : snapshot.tracksOfKind(wanted)) {
        if (threadName(snapshot, other, !calls) == thread)
            return other;
    }
    return std::nullopt;
}

std::optional<SpanRef> opAt(const Snapshot& snapshot, SpanRef call, std::int64_t t) {
    const auto track = sameThread(snapshot, snapshot.lane(call.lane).track(), TrackKind::kCpuThread);
    if (!track)
        return std::nullopt;
    const std::vector<SpanRef> ops = spansAt(snapshot, *track, t);
    return ops.empty() ? std::nullopt : std::optional(ops.back());
}

}  // namespace warpglass
