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
// Memory. Events go to the ledger (memory_ledger.h) with what they come from.
//
// One thread. An event that contradicts those before it (a lost begin or end) is mended and counted by name.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/capture/capture_event.h"
#include "engine/capture/gpu_tracks.h"
#include "engine/capture/memory_ledger.h"
#include "engine/capture/range_tree.h"
#include "engine/trace/trace_writer.h"

namespace warpglass {

class TraceDecoder {
public:
    /// `orderedMemory`: as MemoryLedger's. `gpuRecords`: calls into CUDA and
    /// records of what the GPU did will come.
    explicit TraceDecoder(TraceWriter& writer, bool orderedMemory = false, bool gpuRecords = false);
    TraceDecoder(const TraceDecoder&) = delete;
    TraceDecoder& operator=(const TraceDecoder&) = delete;

    void apply(const CaptureEvent& event);
    /// Closes what is open. Nothing may follow.
    void finish(std::int64_t time);

    /// What the GPU did of what the events launched.
    GpuTracks& gpu() { return m_gpu; }

    const MemoryLedger& memory() const { return m_memory; }
    void leaveOutMemory() { m_memory.leaveOut(); }

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
    };
    void applyOpBegin(const CaptureEvent& event);
    void applyOpEnd(const CaptureEvent& event);
    void applyAllocate(const CaptureEvent& event);
    MemoryLedger::Cause causeNow(const ThreadTrack& thread);
    void applyApiBegin(const CaptureEvent& event);
    void applyApiEnd(const CaptureEvent& event);
    void applyWait(const CaptureEvent& event);
    void applyNodeMade(const CaptureEvent& event);
    void applyCapture(const CaptureEvent& event);
    void applyGpuPhase(const CaptureEvent& event);
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
    /// The origin of GPU work that is launched now.
    GpuTracks::Launch launchNow(const ThreadTrack& thread);
    RangeTree::Node rangeNow(const ThreadTrack& thread) const;
    PlaceId placeOf(RangeTree::Node range);

    void enterBackwardRange(RangeTree::Node range, std::int64_t time);
    void closeBackwardRanges(std::size_t keep);
    /// What is open at `depth` and deeper; `detail` is of the op at `depth`.
    void endOpsFrom(ThreadTrack& thread, std::uint16_t depth, std::int64_t time, DetailId detail = {});
    /// Not valid where they were not recorded.
    DetailId typesOf(const CaptureEvent& event);
    TraceWriter& m_writer;
    GpuTracks m_gpu;
    MemoryLedger m_memory;
    bool m_gpuRecords = false;
    TrackId m_steps, m_phases, m_modules, m_gpuPhases;
    std::vector<ThreadTrack> m_threads;
    std::vector<NameId> m_names;                   // by registered name
    std::vector<std::optional<bool>> m_makesWork;  // likewise
    RangeTree m_ranges;
    std::vector<PlaceId> m_places;  // by range node × phase

    std::int32_t m_step = kNoStep;
    Phase m_phase = Phase::kNone;
    std::uint32_t m_nodes = 0;  // of the graph that is being captured

    /// Forward ranges by sequence number, of the step at hand.
    std::unordered_map<std::int64_t, RangeTree::Node> m_forwardRanges;
    std::vector<RangeTree::Node> m_openBackwardRanges;  // outermost first
    std::int64_t m_backwardEnd = 0;                     // when the last backward op ended
};

}  // namespace warpglass
