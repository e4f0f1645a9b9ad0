// One span of a run by its kind of track.
#pragma once

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass::test {

/// The outermost lane of the first track of a kind, which the run has.
inline SpanLane laneOf(const Snapshot& run, TrackKind kind) {
    return run.lanesOf(run.tracksOfKind(kind).front()).front();
}
inline SpanRef spanOf(const Snapshot& run, TrackKind kind, std::uint64_t row = 0) {
    return {laneOf(run, kind).id(), row};
}

}  // namespace warpglass::test
