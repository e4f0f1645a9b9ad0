// Which op memory counts under.
//
// The recorder notes the innermost op that ran. LibTorch's ops request memory through others that do nothing
// else: aten::zeros_like through aten::empty_like and that through aten::empty_strided. The memory of such an
// op therefore counts under the op that called it, the nearest enclosing one that does more than allocate:
// aten::_to_copy in aten::linear › aten::to › aten::_to_copy › aten::empty_strided. The outermost op would
// say less: a weight's cast and the GEMM that needs it are both in aten::linear. If all enclosing ops only
// allocate (a parameter made by aten::empty), it counts under the outermost of these.
//
// The op is found on the thread whose innermost op at that moment has the noted name and place. While a graph
// is replayed no op runs on the host; the op is then that of the capture's allocation with the same address,
// size, name and place. One address may serve several ops of a capture in turn. A replay repeats the
// capture's allocations in order, so the nth of these in a replayed step is the nth among those that the
// capture also freed (what it leaves live is not made again). If the trace lacks this (ops that were not
// recorded, or lost), the op stays what the recorder noted.
//
// O(depth) for allocations in order of time, O(depth · log n) for any other; the first one of a replay reads
// the events of the captures, and one whose address served several ops those of its step. Not thread-safe:
// each query makes its own, or a view keeps one for its snapshot.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "engine/query/memory/memory_timeline.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// Whether an op does nothing but make room: aten::empty, aten::resize_ and their like.
bool onlyAllocates(std::string_view op);

class MemoryOps {
public:
    /// The snapshot outlives it.
    explicit MemoryOps(const Snapshot& snapshot);

    /// The op of an allocation made at `made`; invalid outside any op.
    NameId of(AllocationId id, const AllocationRow& row, Nanoseconds made);
    /// Where its event is lost, what the recorder noted.
    NameId of(const MemoryTimeline& memory, AllocationId id, const AllocationRow& row);
    /// Whether any op that only allocates is named in the run: else every allocation's is what it noted.
    bool changesAny() const { return m_changesAny; }
    /// Whether memory noted under this op may count under another.
    bool changes(NameId op) const { return op.index() < m_allocates.size() && m_allocates[op.index()] != 0; }

private:
    struct Op {
        NameId name;
        PlaceId place;
    };
    /// The ops of one thread at one depth.
    struct Lane {
        SpanLane ops;
        OpenSpan open{};  // of no lane: none is
        /// When it was last looked up, and the first op that ends after that.
        std::int64_t asked = INT64_MIN;
        std::uint64_t next = 0;
    };
    using Block = std::tuple<std::uint64_t, std::int64_t, NameId, PlaceId>;
    struct Capture {
        TimeRange range;
        /// Callers of the blocks that were allocated and freed in the capture, in order of time; a single
        /// entry if they are all the same. Invalid if unknown.
        std::map<Block, std::vector<NameId>> callers;
    };

    static Block blockOf(const AllocationRow& row) { return {row.address, row.bytes, row.op, row.place}; }
    std::optional<AllocationRow> madeBy(const MemoryEvent& event) const;
    NameId callerAt(const AllocationRow& row, std::int64_t t);
    NameId callerOfReplayed(AllocationId id, const AllocationRow& row, Nanoseconds made);
    void readCaptures();
    void readCapture(Capture& capture);
    std::uint64_t firstOfStepAt(Nanoseconds t, Nanoseconds after) const;
    void readReplaysAt(const Capture& capture, Nanoseconds t);
    static std::uint64_t firstEndingAfter(Lane& lane, std::int64_t t);
    static std::optional<Op> opAt(Lane& lane, std::int64_t t);

    const Snapshot& m_snapshot;
    std::vector<std::uint8_t> m_allocates;  // by NameId
    bool m_changesAny = false;
    std::vector<std::vector<Lane>> m_threads;  // each from the outermost in
    std::vector<Op> m_stack;
    bool m_knowsCaptures = false;
    std::vector<Capture> m_captures;  // in order of time
    /// Ops of what replays allocated at addresses that served several ops, as far as it has been read.
    std::unordered_map<AllocationId, NameId> m_replayed;
    std::uint64_t m_read = 0;  // events for it
};

/// The op of one allocation. Precondition: the allocation is in the timeline's snapshot.
NameId memoryOp(const MemoryTimeline& memory, AllocationId id);

}  // namespace warpglass
