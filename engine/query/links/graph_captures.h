// Which captured call made a node of a CUDA graph. This gives the op and the modules that a replayed kernel
// belongs to.
//
// No record states this; it follows from order. CUPTI numbers the nodes of a graph as they are made, and
// those of its executable copy likewise. Within the capture, the calls that made them are those that launch,
// copy or fill and whose id appears on no work. So the nth node of an op (SpanDetail::op) is made by the nth
// such call in ops of that name. This holds if none is missing: a run that states losses of calls, ops or GPU
// records, or whose file has lost some, gives no result. Neither does an op with unequal numbers of nodes and
// calls (a replay that was cut off before it had run once), or with a node that ran in another place than its
// call was made in. What remains is coincidence: the same number of both lost without being stated, all in
// one place.
//
// Any thread. O(d log d + c log n + r) for d details, c calls during captures and the r rows of GPU tracks
// until each node has run once, at most kMostRowsForPlaces; in a damaged file every chunk is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

class LinkIndex;

/// Nodes that have not run within this many rows after the first capture count as run where they were made.
inline constexpr std::uint64_t kMostRowsForPlaces = 1'000'000;

/// The call by the node's id (SpanDetail::graphNode). `index` covers the snapshot.
std::unordered_map<std::uint64_t, SpanRef> callsOfGraphNodes(const Snapshot& snapshot,
                                                             const LinkIndex& index);

/// The way down: what the first replay of a graph ran of the nodes that calls on the track `calls` (of kind
/// kApiThread) made in a stretch of its capture, in order of time, at most `most`. Empty outside a capture,
/// where the calls of the nodes are not known, and where they are not among the first kMostReplayed that a
/// stream ran after the capture. O(s) for s steps, and one look-up for each of those.
std::vector<SpanRef> firstReplayOf(const Snapshot& snapshot, const LinkIndex& index, TrackId calls,
                                   TimeRange made, std::size_t most);
inline constexpr std::uint64_t kMostReplayed = 16'384;

}  // namespace warpglass
