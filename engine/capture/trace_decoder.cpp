#include "engine/capture/trace_decoder.h"

#include <algorithm>
#include <string>

#include "engine/capture/name_registry.h"

namespace warpglass {

TraceDecoder::TraceDecoder(TraceWriter& writer, bool orderedMemory, bool gpuRecords)
    : m_writer(writer),
      m_gpu(writer,
            [this](const GpuTracks::NodeRun& run) {
                m_memory.nodeRan(run.step, run.node, run.begin, run.end);
            }),
      m_memory(writer, orderedMemory),
      m_gpuRecords(gpuRecords),
      m_steps(writer.addTrack(TrackKind::kStep, "steps")),
      m_phases(writer.addTrack(TrackKind::kPhase, "phases")),
      m_modules(writer.addTrack(TrackKind::kModule, "modules")) {
    threadTrack(0);
}

void TraceDecoder::apply(const CaptureEvent& event) {
    switch (event.kind) {
        case CaptureKind::kOpBegin:
            return applyOpBegin(event);
        case CaptureKind::kOpEnd:
            return applyOpEnd(event);
        case CaptureKind::kAllocate:
            return applyAllocate(event);
        case CaptureKind::kFree:
            return m_memory.free(event);
        case CaptureKind::kMark:
            return m_memory.mark(event);
        case CaptureKind::kStepBegin:
        case CaptureKind::kStepEnd:
            return applyStep(event);
        case CaptureKind::kPhaseBegin:
            return applyPhaseBegin(event);
        case CaptureKind::kPhaseEnd:
            return applyPhaseEnd(event);
        case CaptureKind::kModuleBegin:
            return applyRangeBegin(event, false);
        case CaptureKind::kPartBegin:
            return applyRangeBegin(event, true);
        case CaptureKind::kModuleEnd:
        case CaptureKind::kPartEnd:
            return applyRangeEnd(event);
        case CaptureKind::kCounter:
            return m_writer.appendCounter(Nanoseconds(event.time), nameOf(event.name), event.value);
        case CaptureKind::kSegment:
            return m_memory.segment(event, causeNow(threadTrack(event.thread)));
        case CaptureKind::kApiBegin:
            return applyApiBegin(event);
        case CaptureKind::kApiEnd:
            return applyApiEnd(event);
        case CaptureKind::kWait:
            return applyWait(event);
        case CaptureKind::kNodeMade:
            return applyNodeMade(event);
        case CaptureKind::kNodeCloned:
            return m_gpu.nodeCloned(event.other, event.node);
        case CaptureKind::kCaptureBegin:
        case CaptureKind::kCaptureEnd:
            return applyCapture(event);
        case CaptureKind::kGraphLaunch:
            return m_memory.replay(event.time, m_step, m_gpuRecords);
        case CaptureKind::kGpuPhase:
            return applyGpuPhase(event);
        case CaptureKind::kEnd:
            return finish(event.time);
    }
}

void TraceDecoder::finish(std::int64_t time) {
    closeBackwardRanges(0);
    m_writer.endAllSpans(Nanoseconds(time));
    for (ThreadTrack& thread : m_threads)
        thread.ops.clear();
    m_memory.finish();
}

// Ops
// ------------------------------------------------------------------------------------------------------------

void TraceDecoder::applyOpBegin(const CaptureEvent& event) {
    ThreadTrack& thread = threadTrack(event.thread);
    if (!thread.ops.empty() && thread.ops.back().depth >= event.depth) {
        m_writer.countLoss("end of an op lost");
        endOpsFrom(thread, event.depth, event.time);
    }

    std::uint64_t link = event.sequence >= 0 ? static_cast<std::uint64_t>(event.sequence) + 1 : 0;
    PlaceId place;
    if (event.detail == CaptureEvent::kBackwardNode) {
        if (event.sequence >= 0) {
            const auto found = m_forwardRanges.find(event.sequence);
            thread.backwardRange = found == m_forwardRanges.end() ? RangeTree::kRoot : found->second;
            enterBackwardRange(thread.backwardRange, event.time);
        }
        place = placeOf(thread.backwardRange);
    } else {
        place = placeNow(thread);
        if (event.sequence >= 0)
            m_forwardRanges[event.sequence] = thread.range;
    }
    const NameId name = nameOf(event.name);
    m_writer.beginSpan(thread.track, Nanoseconds(event.time), name, place, m_step, link);
    thread.ops.push_back({event.depth, place, name});
}

void TraceDecoder::applyOpEnd(const CaptureEvent& event) {
    ThreadTrack& thread = threadTrack(event.thread);
    if (thread.ops.empty() || thread.ops.back().depth < event.depth)
        return;  // its begin was lost, and counted then
    endOpsFrom(thread, event.depth, event.time, typesOf(event));
    if (m_phase == Phase::kBackward)
        m_backwardEnd = event.time;
}

DetailId TraceDecoder::typesOf(const CaptureEvent& event) {
    if (event.name == CaptureEvent().name)
        return {};
    SpanDetail types;
    types.kind = DetailKind::kOp;
    types.fullName = nameOf(event.name);
    return m_writer.internDetail(types);
}

void TraceDecoder::endOpsFrom(ThreadTrack& thread, std::uint16_t depth, std::int64_t time, DetailId detail) {
    while (!thread.ops.empty() && thread.ops.back().depth >= depth) {
        // What lies in it lost its own end.
        const bool isIt = thread.ops.back().depth == depth;
        m_writer.endSpan(thread.track, Nanoseconds(time), isIt ? detail : DetailId());
        thread.ops.pop_back();
    }
}

TraceDecoder::ThreadTrack& TraceDecoder::threadTrack(std::uint16_t thread) {
    while (m_threads.size() <= thread) {
        const std::size_t number = m_threads.size();
        ThreadTrack& added = m_threads.emplace_back();
        added.track = m_writer.addTrack(TrackKind::kCpuThread,
                                        number == 0 ? "main" : "thread " + std::to_string(number));
    }
    return m_threads[thread];
}

NameId TraceDecoder::nameOf(std::uint32_t registered) {
    if (registered >= m_names.size())
        m_names.resize(registered + 1);
    NameId& name = m_names[registered];
    if (!name.valid())
        name = m_writer.internName(NameRegistry::textOf(registered));
    return name;
}

RangeTree::Node TraceDecoder::rangeNow(const ThreadTrack& thread) const {
    return m_phase == Phase::kBackward ? thread.backwardRange : thread.range;
}

PlaceId TraceDecoder::placeNow(const ThreadTrack& thread) {
    if (!thread.ops.empty())
        return thread.ops.back().place;
    // The thread that autograd runs a GPU's nodes on knows the backward range itself; a worker of LibTorch's
    // intra-op pool works for the op that the model's thread is waiting in.
    const ThreadTrack& main = m_threads.front();
    if (&thread == &main || rangeNow(thread) != RangeTree::kRoot)
        return placeOf(rangeNow(thread));
    return placeNow(main);
}

GpuTracks::Launch TraceDecoder::launchNow(const ThreadTrack& thread) {
    return {placeNow(thread), m_step, thread.ops.empty() ? NameId() : thread.ops.back().name};
}

void TraceDecoder::applyApiBegin(const CaptureEvent& event) {
    ThreadTrack& thread = threadTrack(event.thread);
    if (!thread.apiTrack.valid()) {
        thread.apiTrack = m_writer.addTrack(
            TrackKind::kApiThread,
            "CUDA calls · " +
                (event.thread == 0 ? std::string("main") : "thread " + std::to_string(event.thread)));
    }
    if (thread.openCall != 0) {  // the driver does not call itself
        m_writer.countLoss("end of a call into CUDA lost");
        m_writer.endSpan(thread.apiTrack, Nanoseconds(event.time));
    }
    const GpuTracks::Launch launch = launchNow(thread);
    m_gpu.launched(static_cast<std::uint32_t>(event.correlation), launch, event.time, event.thread,
                   makesWork(event.name));
    thread.openCall = event.correlation;
    m_writer.beginSpan(thread.apiTrack, Nanoseconds(event.time), nameOf(event.name), launch.place, m_step,
                       event.correlation);
}

/// Launches, copies and fills by the names of CUDA's driver; a graph's launch makes any number of records.
bool TraceDecoder::makesWork(std::uint32_t registered) {
    if (registered >= m_makesWork.size())
        m_makesWork.resize(registered + 1);
    std::optional<bool>& known = m_makesWork[registered];
    if (!known) {
        const std::string& name = NameRegistry::textOf(registered);
        known = (name.starts_with("cuLaunch") && !name.starts_with("cuLaunchHostFunc")) ||
                name.starts_with("cuMemcpy") || name.starts_with("cuMemset");
    }
    return *known;
}

/// An end whose begin was lost means nothing.
void TraceDecoder::applyApiEnd(const CaptureEvent& event) {
    ThreadTrack& thread = threadTrack(event.thread);
    if (event.detail == CaptureEvent::kFailed)
        m_gpu.gaveNothing(static_cast<std::uint32_t>(event.correlation));
    if (thread.openCall != event.correlation || event.correlation == 0)
        return;
    m_writer.endSpan(thread.apiTrack, Nanoseconds(event.time));
    thread.openCall = 0;
}

/// In order of time with what the GPU did, among whose rows it stands.
void TraceDecoder::applyWait(const CaptureEvent& event) {
    GpuRecord wait;
    wait.kind = DetailKind::kSynchronization;
    wait.symbol = NameRegistry::textOf(event.name).c_str();
    wait.begin = event.time;
    wait.end = event.end;
    wait.correlation = static_cast<std::uint32_t>(event.correlation);
    m_gpu.add(wait);
}

void TraceDecoder::applyNodeMade(const CaptureEvent& event) {
    const ThreadTrack& thread = threadTrack(event.thread);
    m_memory.nodeMade(m_nodes);
    m_gpu.nodeMade(event.node, launchNow(thread), m_nodes++);
    m_gpu.gaveNothing(static_cast<std::uint32_t>(thread.openCall));  // captured, not run
}

void TraceDecoder::applyCapture(const CaptureEvent& event) {
    if (event.kind == CaptureKind::kCaptureBegin) {
        m_nodes = 0;
        m_forwardRanges.clear();
        m_memory.beginPlan();
        m_writer.beginSpan(m_steps, Nanoseconds(event.time), m_writer.internName("graph capture"),
                           m_writer.internPlace({}), kNoStep);
        return;
    }
    m_memory.endPlan();
    m_writer.endSpan(m_steps, Nanoseconds(event.time));
}

void TraceDecoder::applyGpuPhase(const CaptureEvent& event) {
    if (!m_gpuPhases.valid())
        m_gpuPhases = m_writer.addTrack(TrackKind::kGpuPhase, "phases on the GPU");
    const auto phase = static_cast<Phase>(event.detail);
    SpanRow row;
    // The steps' times are the host's, to some 10 µs: one may seem to begin before the last one ended.
    row.start = std::max(event.time, m_writer.lastEnd(m_gpuPhases, 0).value_or(event.time));
    row.duration = row.self = std::max<std::int64_t>(0, event.end - row.start);
    row.name = m_writer.internName(phaseName(phase));
    row.place = m_writer.internPlace({phase, {}, {}});
    row.step = static_cast<std::int32_t>(event.bytes);
    m_writer.appendSpan(m_gpuPhases, 0, row);
}

PlaceId TraceDecoder::placeOf(RangeTree::Node range) {
    const std::size_t index = range * kPhaseCount + static_cast<std::size_t>(m_phase);
    if (index >= m_places.size())
        m_places.resize(index + 1);
    PlaceId& place = m_places[index];
    if (!place.valid())
        place = m_writer.internPlace({m_phase, m_ranges.module(range), m_ranges.part(range)});
    return place;
}

// Ranges
// ---------------------------------------------------------------------------------------------------------

void TraceDecoder::applyStep(const CaptureEvent& event) {
    if (event.kind == CaptureKind::kStepEnd) {
        m_writer.endSpan(m_steps, Nanoseconds(event.time));
        m_step = kNoStep;
        return;
    }
    m_step = static_cast<std::int32_t>(event.step);
    m_forwardRanges.clear();
    const NameId name = m_writer.internName("step " + std::to_string(m_step));
    m_writer.beginSpan(m_steps, Nanoseconds(event.time), name, m_writer.internPlace({}), m_step);
}

void TraceDecoder::applyPhaseBegin(const CaptureEvent& event) {
    m_memory.phase(event);
    m_phase = static_cast<Phase>(event.detail);
    for (ThreadTrack& thread : m_threads)
        thread.backwardRange = RangeTree::kRoot;
    m_backwardEnd = event.time;
    m_writer.beginSpan(m_phases, Nanoseconds(event.time), m_writer.internName(phaseName(m_phase)),
                       placeOf(RangeTree::kRoot), m_step);
}

void TraceDecoder::applyPhaseEnd(const CaptureEvent& event) {
    closeBackwardRanges(0);
    m_memory.phase(event);
    m_writer.endSpan(m_phases, Nanoseconds(event.time));
    m_phase = Phase::kNone;
}

void TraceDecoder::applyRangeBegin(const CaptureEvent& event, bool isPart) {
    ThreadTrack& thread = threadTrack(event.thread);
    thread.range = m_ranges.child(thread.range, nameOf(event.name), isPart);
    m_writer.beginSpan(m_modules, Nanoseconds(event.time), m_ranges.name(thread.range), placeOf(thread.range),
                       m_step);
}

void TraceDecoder::applyRangeEnd(const CaptureEvent& event) {
    ThreadTrack& thread = threadTrack(event.thread);
    thread.range = m_ranges.parent(thread.range);
    m_writer.endSpan(m_modules, Nanoseconds(event.time));
}

void TraceDecoder::enterBackwardRange(RangeTree::Node range, std::int64_t time) {
    std::vector<RangeTree::Node> path(m_ranges.depth(range));
    for (std::size_t i = path.size(); i-- > 0; range = m_ranges.parent(range))
        path[i] = range;
    const auto differ =
        std::mismatch(path.begin(), path.end(), m_openBackwardRanges.begin(), m_openBackwardRanges.end());
    const auto common = static_cast<std::size_t>(differ.first - path.begin());
    closeBackwardRanges(common);
    for (std::size_t i = common; i < path.size(); ++i) {
        m_writer.beginSpan(m_modules, Nanoseconds(time), m_ranges.name(path[i]), placeOf(path[i]), m_step);
        m_openBackwardRanges.push_back(path[i]);
    }
}

void TraceDecoder::closeBackwardRanges(std::size_t keep) {
    while (m_openBackwardRanges.size() > keep) {
        m_writer.endSpan(m_modules, Nanoseconds(m_backwardEnd));
        m_openBackwardRanges.pop_back();
    }
}

// Memory
// ---------------------------------------------------------------------------------------------------------

MemoryLedger::Cause TraceDecoder::causeNow(const ThreadTrack& thread) {
    return {placeNow(thread), m_step, thread.ops.empty() ? NameId() : thread.ops.back().name};
}

void TraceDecoder::applyAllocate(const CaptureEvent& event) {
    // LibTorch's CPU allocator does not round, and tells of no request.
    const std::int64_t requested = event.requested != 0 ? event.requested : event.bytes;
    m_memory.allocate(event, causeNow(threadTrack(event.thread)), requested);
}

}  // namespace warpglass
