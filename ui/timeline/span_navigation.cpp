#include "ui/timeline/span_navigation.h"

#include <algorithm>

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
    // Spans of a lane don't overlap: only the first that ends after the child's start can hold it. An empty
    // child at its parent's very end is found by the row before.
    const std::uint64_t after = lane->firstEndingAfter(Nanoseconds(child->start));
    for (const std::uint64_t row : {after, after - 1}) {
        const auto parent = row < lane->rows() ? lane->row(row) : std::nullopt;
        if (parent && parent->start <= child->start && parent->end() >= child->end())
            return SpanRef{lane->id(), row};
    }
    return std::nullopt;
}

std::optional<SpanRef> childSpan(const Snapshot& snapshot, SpanRef span) {
    const auto parent = spanRow(snapshot, span);
    if (!parent)
        return std::nullopt;
    const auto lane = laneBeside(snapshot, span.lane, 1);
    if (!lane)
        return std::nullopt;
    std::uint64_t row = lane->firstStartingAt(Nanoseconds(parent->start));
    while (row < lane->rows()) {
        const auto child = lane->row(row);
        if (!child) {
            row = afterChunk(row);
            continue;
        }
        if (child->start >= parent->start && child->end() <= parent->end())
            return SpanRef{lane->id(), row};
        return std::nullopt;
    }
    return std::nullopt;
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
