// Where the spans with a given correlation id are: the call into CUDA, and the kernels, copies and waits that
// it made. Ids are nearly in order of time, so each chunk's least and greatest id finds the chunk, and a
// binary search the row: 20 bytes for 65,536 spans, independent of the ids.
//
// Bringing it up to date reads every row once (only those that are new, after the first time), and where
// details of GPU work, losses or damage are new and some details are of a graph's nodes, what
// graph_captures.h reads: on a worker when there are many. Looking up reads chunks' summaries and one or two
// chunks. A copy costs little: readers may keep one while the next is brought up to date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/trace/snapshot.h"
#include "engine/trace/span_ref.h"

namespace warpglass {

class LinkIndex {
public:
    /// Precondition: `snapshot` is of the same run as before, and not earlier.
    void update(const Snapshot& snapshot);
    /// Whether every row of the snapshot is in it.
    bool covers(const Snapshot& snapshot) const;

    /// The call with this id. Nothing for 0, and where it was not recorded.
    std::optional<SpanRef> call(const Snapshot& snapshot, std::uint64_t id) const;
    /// Kernels, copies and fills that it made run, at most `most` of them, by lane and time.
    std::vector<SpanRef> work(const Snapshot& snapshot, std::uint64_t id, std::size_t most) const;
    /// Its wait, as CUPTI reports it.
    std::optional<SpanRef> wait(const Snapshot& snapshot, std::uint64_t id) const;
    /// The call that made a node of a graph, at its capture (graph_captures.h). Nothing where that is not
    /// known.
    std::optional<SpanRef> captured(std::uint64_t node) const;
    /// Whether that is known of any node.
    bool knowsCaptured() const { return m_captured != nullptr; }

private:
    struct Chunk {
        std::uint64_t least = UINT64_MAX;
        std::uint64_t greatest = 0;
        std::uint32_t rows = 0;  // seen
        bool ascending = true;
    };
    struct Lane {
        LaneId id;
        TrackKind kind = TrackKind::kApiThread;
        std::vector<Chunk> chunks;
        std::uint64_t rows = 0;
    };
    /// Calls fn(SpanRef) for rows with the id in lanes whose kind passes, until it returns false.
    template <class Passes, class Fn>
    void find(const Snapshot& snapshot, std::uint64_t id, Passes&& passes, Fn&& fn) const;

    std::vector<Lane> m_lanes;
    /// Shared with the copies, null where nothing is known.
    std::shared_ptr<const std::unordered_map<std::uint64_t, SpanRef>> m_captured;
    /// What the run had when m_captured was computed.
    std::size_t m_details = 0, m_losses = 0, m_damage = 0;
};

}  // namespace warpglass
