// Turns memory events into the trace's allocations: what is alive, what each allocation is for, and whether
// the sum is LibTorch's own total.
//
// Categories (ARCHITECTURE.md, "Memory categories"). Marked storages are what they were marked as:
// parameters, .grad, the optimizer's state, input and tables. Everything else is decided when its phase ends:
// freed by then, a temporary; alive after forward or loss, an activation; alive after any other phase,
// unknown; alive after a graph's capture but of none of its phases, LibTorch's own for the graph: workspace.
//
// Replays. While a CUDA graph is captured its step's allocations are made once, in memory that stays the
// graph's; a replay makes none, and uses that memory again in the same order. So the events of the capture
// are kept as a plan, each with the node of the graph that was made next, and every replay repeats them in
// the trace: when the GPU began that node's kernel, as far as its record tells, else when the node before had
// ended. Later events wait until the replay is over, so that the trace stays in order; that is until the
// GPU's records have come, a fraction of a second.
//
// Blocks that are held. LibTorch may take a freed block back later than it was freed (another stream still
// uses it), and a block from before the recording may be in use: kHold and kRelease say so. A kHold comes
// right after the free that it belongs to.
//
// One thread. An event that contradicts those before it is repaired and counted by name.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/capture/capture_event.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {

class MemoryLedger {
public:
    /// `ordered`: events of several threads come in the order of their allocator's own lock (a GPU's), so
    /// that its total can be compared at each of them.
    MemoryLedger(TraceWriter& writer, bool ordered) : m_writer(writer), m_ordered(ordered) {}

    /// What a memory event comes from.
    struct Cause {
        PlaceId place;
        std::int32_t step = kNoStep;
        NameId op;
    };
    /// Memory is not recorded: a mark on unknown memory is then no loss.
    void leaveOut() { m_leftOut = true; }
    /// `requested`: in bytes, before the allocator rounded it up.
    void allocate(const CaptureEvent& event, const Cause& cause, std::int64_t requested);
    void free(const CaptureEvent& event) { take({event}); }
    void mark(const CaptureEvent& event) { take({event}); }
    void segment(const CaptureEvent& event, const Cause& cause) { take({event, cause}); }
    /// kPhaseBegin and kPhaseEnd.
    void phase(const CaptureEvent& event) { take({event}); }

    /// The plan is what happens from here to endPlan(); another one takes its place. `node` counts the nodes
    /// of the graph, from 0, in the order in which they were made.
    void beginPlan();
    void nodeMade(std::uint32_t node) { m_nextNode = node + 1; }
    void endPlan();
    /// The graph is launched at `time`, once in a step. `recorded`: nodeRan() will be told of what the GPU
    /// ran of it; if not, all of it happens at once.
    void replay(std::int64_t time, std::int32_t step, bool recorded);
    /// The GPU ran a node of this step's replay, from `begin` to `end`. In the order of `begin`.
    void nodeRan(std::int32_t step, std::uint32_t node, std::int64_t begin, std::int64_t end);
    /// No more records will come.
    void endReplays();

    /// The run is over: what is undecided is decided.
    void finish();

    /// Memory events at which the sum of live allocations was compared with LibTorch's own total.
    std::uint64_t checkedTotals() const { return m_checkedTotals; }

    /// For tests only: LibTorch's total, less what was allocated before, after every memory event.
    static inline std::vector<std::int64_t>* s_totalsForTest = nullptr;

private:
    struct Action {
        CaptureEvent event;
        Cause cause{};
        std::int64_t requested = 0;
        bool recorded = false;  // a replay whose nodes will be told of
    };
    struct LiveBlock {
        AllocationId allocation;
        std::int64_t bytes = 0;
        std::optional<std::uint32_t> planned{};
    };
    /// A free as it was recorded; of a block from before the recording without an allocation.
    struct LastFree {
        std::uint64_t address = 0;
        std::int64_t time = 0;
        std::int64_t bytes = 0;
        AllocationId allocation;
    };
    struct PendingAllocation {
        bool decided = false;
        bool freed = false;
    };
    struct PlannedAllocation {
        AllocationRow row;
        AllocationId made;  // by the capture
        bool freed = false;
        AllocationId alive{};  // in the replay at hand
    };
    struct PlannedEvent {
        std::uint32_t node = 0;  // happens before it
        std::uint32_t allocation = 0;
        bool isFree = false;
    };
    struct Replay {
        std::int32_t step = kNoStep;
        std::size_t done = 0;  // events of the plan
        std::int64_t time = 0;
    };

    void take(const Action& action);
    void perform(const Action& action);
    void performAllocate(const Action& action);
    void performFree(const CaptureEvent& event);
    void performMark(const CaptureEvent& event);
    void performSegment(const Action& action);
    void releaseHeld(std::uint64_t address, std::int64_t time);
    void settleWhatFailureMet();
    void performPhaseBegin(const CaptureEvent& event);
    void performPhaseEnd(const CaptureEvent& event);
    AllocationId append(std::int64_t time, const AllocationRow& row, bool decided);
    void release(AllocationId allocation, std::int64_t time);
    void playTo(std::size_t count, std::int64_t time);
    void endReplay();
    bool isWaiting(std::int32_t step) const;

    Category provisionalCategory() const;
    void settlePending();
    void checkTotal(const CaptureEvent& event);

    TraceWriter& m_writer;
    bool m_ordered = false;
    bool m_leftOut = false;

    Phase m_phase = Phase::kNone;
    bool m_keepsForBackward = false;
    bool m_cutOff = false;
    std::unordered_map<std::uint64_t, LiveBlock> m_live;  // by address
    LastFree m_lastFree;
    std::unordered_map<std::uint64_t, SegmentEvent> m_held;  // by address, as its kHold said
    std::vector<std::uint64_t> m_streams{0};                 // handles of streams as they were first seen
    std::vector<PendingAllocation> m_pending;
    std::uint32_t m_firstPending = 0;  // the allocation of m_pending[0]

    std::vector<PlannedAllocation> m_planned;
    std::vector<PlannedEvent> m_plan;
    bool m_planning = false;
    std::uint32_t m_nextNode = 0;
    std::optional<Replay> m_replay;
    std::deque<Action> m_waiting;  // for the end of m_replay

    std::int64_t m_liveBytes = 0;
    bool m_baselineKnown = false;
    std::int64_t m_baseline = 0;
    std::uint64_t m_checkedTotals = 0;
    bool m_severalMemoryThreads = false;
};

}  // namespace warpglass
