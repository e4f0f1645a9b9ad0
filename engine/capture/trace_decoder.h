// Turns capture events into the trace: spans with their places, allocations with their causes and categories.
//
// Places. In the forward pass an op's place is the innermost range of its thread. A backward op has none
// there: LibTorch gives an autograd node the sequence number that the forward op which made it had when it
// began, and since composite ops pass it on to the ops they call, the last forward op to begin with a number
// is the one that used it up; the node, and all ops inside it, get that op's module and part. What autograd
// does between nodes (adding up gradients, AccumulateGrad, which has no number) belongs to the node before.
// Module spans of the backward pass are made from runs of nodes of one place, nested as the forward pass
// nested them.
//
// Categories (ARCHITECTURE.md, "Memory categories"). Marked storages are what they were marked as:
// parameters, .grad, the optimizer's state, input and tables. Everything else is decided when its phase ends:
// freed by then, a temporary; alive after forward or loss, an activation; alive after any other phase,
// unknown.
//
// One thread. An event that contradicts the events before it (a lost begin or end) is repaired and counted by
// name.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/capture/capture_event.h"
#include "engine/capture/gpu_tracks.h"
#include "engine/capture/range_tree.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {

class TraceDecoder {
public:
    /// `ordered`: memory events of several threads come in the order of their allocator's own lock (a GPU's),
    /// so that its total can be compared at each of them.
    explicit TraceDecoder(TraceWriter& writer, bool ordered = false);

    void apply(const CaptureEvent& event);
    /// Closes what is open. Nothing may follow.
    void finish(std::int64_t time);

    /// What the GPU did of what the events launched.
    GpuTracks& gpu() { return m_gpu; }

    /// Memory events at which the sum of live allocations was compared with LibTorch's own total.
    std::uint64_t checkedTotals() const { return m_checkedTotals; }
    std::int64_t liveBytes() const { return m_liveBytes; }

    /// For tests only: LibTorch's total, less what was allocated before the recording, after every memory
    /// event.
    static inline std::vector<std::int64_t>* s_totalsForTest = nullptr;

private:
    struct OpenOp {
        std::uint16_t depth = 0;
        PlaceId place;
        NameId name;
    };
    struct ThreadTrack {
        TrackId track;
        /// Calls into CUDA; made at the first. The correlation id of the one that is open, 0 for none.
        TrackId apiTrack;
        std::uint64_t openCall = 0;
        std::vector<OpenOp> ops;
        /// The innermost open range of the forward pass.
        RangeTree::Node range = RangeTree::kRoot;
        /// Where the last backward node of the present phase belongs.
        RangeTree::Node backwardRange = RangeTree::kRoot;
        /// What the next allocation asked for, and where it will be.
        std::uint64_t requestAddress = 0;
        std::int64_t requested = 0;
    };
    struct LiveBlock {
        AllocationId allocation;
        std::int64_t bytes = 0;
    };
    struct PendingAllocation {
        bool decided = false;
        bool freed = false;
    };

    void applyOpBegin(const CaptureEvent& event);
    void applyOpEnd(const CaptureEvent& event);
    void applyAllocate(const CaptureEvent& event);
    void applyFree(const CaptureEvent& event);
    void applyMark(const CaptureEvent& event);
    void applyApiBegin(const CaptureEvent& event);
    void applyApiEnd(const CaptureEvent& event);
    void applyNodeMade(const CaptureEvent& event);
    bool makesWork(std::uint32_t registered);
    void applyStep(const CaptureEvent& event);
    void applyPhaseBegin(const CaptureEvent& event);
    void applyPhaseEnd(const CaptureEvent& event);
    void applyRangeBegin(const CaptureEvent& event, bool isPart);
    void applyRangeEnd(const CaptureEvent& event);

    ThreadTrack& threadTrack(std::uint16_t thread);
    NameId nameOf(std::uint32_t registered);
    /// Where an op that begins now (or an allocation outside any op) is.
    PlaceId placeNow(const ThreadTrack& thread);
    /// Where work for a GPU that is asked for now comes from.
    GpuTracks::Launch launchNow(const ThreadTrack& thread);
    RangeTree::Node rangeNow(const ThreadTrack& thread) const;
    PlaceId placeOf(RangeTree::Node range);

    void enterBackwardRange(RangeTree::Node range, std::int64_t time);
    void closeBackwardRanges(std::size_t keep);
    void endOpsFrom(ThreadTrack& thread, std::uint16_t depth, std::int64_t time);
    void release(const LiveBlock& block, std::int64_t time);

    Category provisionalCategory() const;
    void settlePending();
    void checkTotal(const CaptureEvent& event);

    TraceWriter& m_writer;
    GpuTracks m_gpu;
    TrackId m_steps, m_phases, m_modules;
    std::vector<ThreadTrack> m_threads;
    std::vector<NameId> m_names;                   // by registered name
    std::vector<std::optional<bool>> m_makesWork;  // likewise
    RangeTree m_ranges;
    std::vector<PlaceId> m_places;  // by range node × phase

    std::int32_t m_step = kNoStep;
    Phase m_phase = Phase::kNone;
    bool m_keepsForBackward = false;
    bool m_cutOff = false;

    /// Forward ranges by sequence number, of the step at hand.
    std::unordered_map<std::int64_t, RangeTree::Node> m_forwardRanges;
    std::vector<RangeTree::Node> m_openBackwardRanges;  // outermost first
    std::int64_t m_backwardEnd = 0;                     // when the last backward op ended

    std::unordered_map<std::uint64_t, LiveBlock> m_live;  // by address
    std::vector<PendingAllocation> m_pending;
    std::uint32_t m_firstPending = 0;  // the allocation of m_pending[0]

    std::int64_t m_liveBytes = 0;
    bool m_baselineKnown = false;
    std::int64_t m_baseline = 0;
    std::uint64_t m_checkedTotals = 0;
    bool m_ordered = false;
    bool m_severalMemoryThreads = false;
};

}  // namespace warpglass
