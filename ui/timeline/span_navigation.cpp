#include "ui/timeline/span_navigation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace warpglass::ui {

namespace {

/// The lane of the same track, `by` depths further down; nothing past the first or last.
std::optional<SpanLane> laneBeside(const Snapshot& snapshot, LaneId id, int by) {
    const SpanLane lane = snapshot.lane(id);
    const auto wanted = static_cast<std::int64_t>(lane.depth()) + by;
    for (const SpanLane& other : snapshot.lanesOf(lane.track())) {
        if (other.depth() == wanted)
            return other;
    }
    return std::nullopt;
}

/// The first row of the chunk after the one that holds `row`.
std::uint64_t afterChunk(std::uint64_t row) {
    return (row / kChunkRows + 1) * kChunkRows;
}

/// Spans of a lane don't overlap: only the first that ends after the child's start can hold it. An empty
/// child at its parent's very end is found by the row before.
std::optional<SpanRef> holderIn(const SpanLane& lane, const SpanRow& child) {
    const std::uint64_t after = lane.firstEndingAfter(Nanoseconds(child.start));
    for (const std::uint64_t row : {after, after - 1}) {
        const auto parent = row < lane.rows() ? lane.row(row) : std::nullopt;
        if (parent && parent->start <= child.start && parent->end() >= child.end())
            return SpanRef{lane.id(), row};
    }
    return std::nullopt;
}

std::optional<SpanRef> firstIn(const SpanLane& lane, const SpanRow& parent) {
    std::uint64_t row = lane.firstStartingAt(Nanoseconds(parent.start));
    while (row < lane.rows()) {
        const auto child = lane.row(row);
        if (!child) {
            row = afterChunk(row);
            continue;
        }
        if (child->start >= parent.start && child->end() <= parent.end())
            return SpanRef{lane.id(), row};
        return std::nullopt;
    }
    return std::nullopt;
}

constexpr std::array kChain = {TrackKind::kStep, TrackKind::kPhase, TrackKind::kModule};

/// The kind `by` further down the chain; nothing past its ends and for a kind that is not of it.
std::optional<TrackKind> kindBeside(TrackKind kind, int by) {
    const auto* const at = std::find(kChain.begin(), kChain.end(), kind);
    const auto wanted = at - kChain.begin() + by;
    if (at == kChain.end() || wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(kChain.size()))
        return std::nullopt;
    return kChain[static_cast<std::size_t>(wanted)];
}

/// What `find` gives of the outermost lanes of the kind beside the span's: the first that begins.
template <class Find>
std::optional<SpanRef> inKindBeside(const Snapshot& snapshot, SpanRef span, int by, Find&& find) {
    const auto from = spanRow(snapshot, span);
    if (!from)
        return std::nullopt;
    const auto kind = kindBeside(snapshot.track(snapshot.lane(span.lane).track()).kind, by);
    if (!kind)
        return std::nullopt;
    std::optional<SpanRef> best;
    std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
    for (const TrackId track : snapshot.tracksOfKind(*kind)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            if (lane.depth() > 0)
                continue;
            const std::optional<SpanRef> found = find(lane, *from);
            const std::int64_t start = found ? lane.row(found->row)->start : earliest;
            if (start < earliest) {
                best = found;
                earliest = start;
            }
        }
    }
    return best;
}

}  // namespace

std::optional<SpanRow> spanRow(const Snapshot& snapshot, SpanRef span) {
    if (span.lane.index() >= snapshot.laneCount())
        return std::nullopt;
    const SpanLane lane = snapshot.lane(span.lane);
    return span.row < lane.rows() ? lane.row(span.row) : std::nullopt;
}

std::optional<SpanRef> previousSpan(const Snapshot& snapshot, SpanRef span) {
    if (!spanRow(snapshot, span))
        return std::nullopt;
    const SpanLane lane = snapshot.lane(span.lane);
    for (std::uint64_t row = span.row; row > 0;) {
        --row;
        if (lane.chunk(static_cast<std::size_t>(row / kChunkRows)))
            return SpanRef{span.lane, row};
        row -= row % kChunkRows;  // a lost chunk: go on before it
    }
    return std::nullopt;
}

std::optional<SpanRef> nextSpan(const Snapshot& snapshot, SpanRef span) {
    if (!spanRow(snapshot, span))
        return std::nullopt;
    const SpanLane lane = snapshot.lane(span.lane);
    for (std::uint64_t row = span.row + 1; row < lane.rows(); row = afterChunk(row)) {
        if (lane.chunk(static_cast<std::size_t>(row / kChunkRows)))
            return SpanRef{span.lane, row};
    }
    return std::nullopt;
}

std::optional<SpanRef> parentSpan(const Snapshot& snapshot, SpanRef span) {
    const auto child = spanRow(snapshot, span);
    if (!child)
        return std::nullopt;
    const auto lane = laneBeside(snapshot, span.lane, -1);
    if (!lane)
        return std::nullopt;
    return holderIn(*lane, *child);
}

std::optional<SpanRef> childSpan(const Snapshot& snapshot, SpanRef span) {
    const auto parent = spanRow(snapshot, span);
    if (!parent)
        return std::nullopt;
    const auto lane = laneBeside(snapshot, span.lane, 1);
    if (!lane)
        return std::nullopt;
    return firstIn(*lane, *parent);
}

std::optional<SpanRef> spanAround(const Snapshot& snapshot, SpanRef span) {
    if (const auto parent = parentSpan(snapshot, span))
        return parent;
    if (!spanRow(snapshot, span) || snapshot.lane(span.lane).depth() > 0)
        return std::nullopt;
    return inKindBeside(snapshot, span, -1, holderIn);
}

std::optional<SpanRef> firstSpanIn(const Snapshot& snapshot, SpanRef span) {
    if (const auto child = childSpan(snapshot, span))
        return child;
    return inKindBeside(snapshot, span, 1, firstIn);
}

RunSummary summarizeRun(const SpanLane& lane, std::uint64_t first, std::uint64_t count) {
    RunSummary run;
    run.longestRow = first;
    std::int64_t longest = -1;
    const std::uint64_t last = std::min(lane.rows(), first + count);
    lane.forEachChunk(
        first, last, [&](const SpanChunk& chunk, std::uint32_t begin, std::uint32_t end, std::uint64_t base) {
            for (std::uint32_t i = begin; i < end; ++i) {
                run.busy += Nanoseconds(chunk.duration[i]);
                if (chunk.duration[i] > longest) {
                    longest = chunk.duration[i];
                    run.longestRow = base + i;
                }
            }
            run.count += end - begin;
        });
    return run;
}

}  // namespace warpglass::ui
