// What a track or a thread had open at a moment.
//
// Any thread. O(depth · log n).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

/// Nothing when the reference is not of this snapshot or its row is lost.
std::optional<SpanRow> rowOf(const Snapshot& snapshot, SpanRef ref);

/// The spans of a track that hold t, from the outermost in. One of length 0 holds nothing.
std::vector<SpanRef> spansAt(const Snapshot& snapshot, TrackId track, std::int64_t t);

/// The track of the wanted kind that belongs to the same thread; of ops and of calls into CUDA a thread has
/// one each.
std::optional<TrackId> sameThread(const Snapshot& snapshot, TrackId track, TrackKind wanted);

/// What the thread of a call into CUDA was doing at t: its innermost op; nothing outside any.
std::optional<SpanRef> opAt(const Snapshot& snapshot, SpanRef call, std::int64_t t);

}  // namespace warpglass
