// Every completed span of a run, one by one: for oracles that look at all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass::test {

struct FoundSpan {
    SpanRef ref;
    SpanRow row;
    TrackKind kind;
    TrackId track;
    std::uint32_t depth;
};

/// Those that can be read of the tracks of a kind, track by track and lane by lane.
inline std::vector<FoundSpan> spansOfKind(const Snapshot& run, TrackKind kind) {
    std::vector<FoundSpan> spans;
    for (const TrackId track : run.tracksOfKind(kind)) {
        for (const SpanLane& lane : run.lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                if (const auto row = lane.row(i))
                    spans.push_back({{lane.id(), i}, *row, kind, track, lane.depth()});
            }
        }
    }
    return spans;
}

inline std::vector<FoundSpan> everySpan(const Snapshot& run) {
    std::vector<FoundSpan> spans;
    for (std::size_t kind = 0; kind < kTrackKindNames.size(); ++kind) {
        const std::vector<FoundSpan> some = spansOfKind(run, static_cast<TrackKind>(kind));
        spans.insert(spans.end(), some.begin(), some.end());
    }
    return spans;
}

}  // namespace warpglass::test
