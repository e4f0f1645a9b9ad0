#include "engine/capture/memory_ledger.h"

#include <algorithm>

namespace warpglass {

void MemoryLedger::allocate(const CaptureEvent& event, const Cause& cause, std::int64_t requested) {
    take({event, cause, requested});
}

void MemoryLedger::take(const Action& action) {
    if (m_replay)
        m_waiting.push_back(action);
    else
        perform(action);
}

void MemoryLedger::perform(const Action& action) {
    switch (action.event.kind) {
        case CaptureKind::kAllocate:
            return performAllocate(action);
        case CaptureKind::kFree:
            return performFree(action.event);
        case CaptureKind::kMark:
            return performMark(action.event);
        case CaptureKind::kSegment:
            return performSegment(action);
        case CaptureKind::kPhaseBegin:
            return performPhaseBegin(action.event);
        case CaptureKind::kPhaseEnd:
            return performPhaseEnd(action.event);
        case CaptureKind::kGraphLaunch:
            m_replay = Replay{action.cause.step, 0, action.event.time};
            if (!action.recorded || m_plan.empty())
                endReplay();
            return;
        default:
            return;
    }
}

void MemoryLedger::performPhaseBegin(const CaptureEvent& event) {
    settlePending();  // what was allocated between two phases
    m_phase = static_cast<Phase>(event.detail);
    m_keepsForBackward = event.sequence == 1;
}

void MemoryLedger::performPhaseEnd(const CaptureEvent& event) {
    m_cutOff = event.detail == CaptureEvent::kCutOff;
    settlePending();
    m_cutOff = false;
    m_phase = Phase::kNone;
    m_keepsForBackward = false;
}

void MemoryLedger::finish() {
    endReplays();
    settlePending();
}

// Events
// ------------------------------------------------------------------------------------------------------------

void MemoryLedger::performAllocate(const Action& action) {
    const CaptureEvent& event = action.event;
    if (const auto live = m_live.find(event.address); live != m_live.end()) {
        m_writer.countLoss("free lost");
        release(live->second.allocation, event.time);
        m_liveBytes -= live->second.bytes;
        m_live.erase(live);
    }
    if (!m_held.empty())
        releaseHeld(event.address, event.time);  // its release was lost
    AllocationRow row;
    row.address = event.address;
    row.requested = action.requested;
    row.bytes = event.bytes;
    row.place = action.cause.place;
    row.step = action.cause.step;
    row.op = action.cause.op;
    row.category = provisionalCategory();
    LiveBlock block{append(event.time, row, false), event.bytes};
    if (m_planning) {
        block.planned = static_cast<std::uint32_t>(m_planned.size());
        m_plan.push_back({m_nextNode, *block.planned, false});
        m_planned.push_back({row, block.allocation});
    }
    m_live.emplace(event.address, block);
    m_liveBytes += event.bytes;
    if (!m_baselineKnown) {
        m_baselineKnown = true;
        m_baseline = event.total - event.bytes;
    }
    checkTotal(event);
}

void MemoryLedger::performFree(const CaptureEvent& event) {
    const auto live = m_live.find(event.address);
    m_lastFree = {event.address, event.time, event.bytes, AllocationId()};
    if (live == m_live.end()) {
        // Allocated before the recording began (or its allocation was lost, and counted then).
        m_baseline -= event.bytes;
        releaseHeld(event.address, event.time);
        return;
    }
    const LiveBlock block = live->second;
    m_lastFree.allocation = block.allocation;
    if (m_planning && block.planned) {
        m_planned[*block.planned].freed = true;
        m_plan.push_back({m_nextNode, *block.planned, true});
    }
    release(block.allocation, event.time);
    m_liveBytes -= block.bytes;
    m_live.erase(live);
    checkTotal(event);
}

void MemoryLedger::performSegment(const Action& action) {
    const CaptureEvent& event = action.event;
    SegmentEvent segment;
    segment.time = event.time;
    segment.action = static_cast<SegmentAction>(event.detail);
    segment.address = event.address;
    segment.bytes = event.bytes;
    segment.pool = event.name;
    if (segment.action == SegmentAction::kRelease)
        return releaseHeld(event.address, event.time);
    const auto handle = static_cast<std::uint64_t>(event.total);
    const auto stream = std::ranges::find(m_streams, handle);
    segment.stream = static_cast<std::uint32_t>(stream - m_streams.begin());
    if (stream == m_streams.end())
        m_streams.push_back(handle);
    segment.place = action.cause.place;
    segment.step = action.cause.step;
    segment.op = action.cause.op;
    if (segment.action == SegmentAction::kHold) {
        // What it asked for was rounded up; the free says what it was given.
        if (m_lastFree.address == event.address) {
            segment.time = m_lastFree.time;
            segment.bytes = m_lastFree.bytes;
            segment.allocation = m_lastFree.allocation;
        }
        m_held[event.address] = segment;
    }
    if (segment.action == SegmentAction::kOutOfMemory)
        settleWhatFailureMet();
    m_writer.appendSegmentEvent(segment);
}

/// What is alive when memory has run out is freed as the failure unwinds: it is decided before that.
void MemoryLedger::settleWhatFailureMet() {
    if (m_phase != Phase::kForward && m_phase != Phase::kLoss)
        return;
    for (std::size_t i = 0; i < m_pending.size(); ++i) {
        if (m_pending[i].decided || m_pending[i].freed)
            continue;
        m_pending[i].decided = true;
        m_writer.setCategory(AllocationId(m_firstPending + i), provisionalCategory());
    }
}

/// Nothing where nothing was held: an ordinary free from before the recording.
void MemoryLedger::releaseHeld(std::uint64_t address, std::int64_t time) {
    const auto held = m_held.find(address);
    if (held == m_held.end())
        return;
    SegmentEvent release = held->second;
    m_held.erase(held);
    release.time = time;
    release.action = SegmentAction::kRelease;
    m_writer.appendSegmentEvent(release);
}

void MemoryLedger::performMark(const CaptureEvent& event) {
    const auto live = m_live.find(event.address);
    if (live == m_live.end() || m_writer.isSettled(live->second.allocation)) {
        if (!m_leftOut)
            m_writer.countLoss("mark without an allocation");
        return;
    }
    const AllocationId id = live->second.allocation;
    m_writer.setCategory(id, static_cast<Category>(event.detail));
    m_pending[id.value - m_firstPending].decided = true;
}

AllocationId MemoryLedger::append(std::int64_t time, const AllocationRow& row, bool decided) {
    // Room first, so that m_pending goes with the writer's allocations one by one even when memory runs out.
    if (m_pending.size() == m_pending.capacity())
        m_pending.reserve(2 * m_pending.capacity() + 64);
    const AllocationId id = m_writer.appendAllocation(Nanoseconds(time), row);
    if (m_pending.empty())
        m_firstPending = id.value;
    m_pending.push_back({decided, false});
    return id;
}

void MemoryLedger::release(AllocationId allocation, std::int64_t time) {
    m_writer.appendFree(Nanoseconds(time), allocation);
    if (!m_writer.isSettled(allocation))
        m_pending[allocation.value - m_firstPending].freed = true;
}

Category MemoryLedger::provisionalCategory() const {
    return m_keepsForBackward ? Category::kActivations : Category::kTemporaries;
}

void MemoryLedger::settlePending() {
    const bool keeps = m_phase == Phase::kForward || m_phase == Phase::kLoss;
    for (std::size_t i = 0; i < m_pending.size(); ++i) {
        if (m_pending[i].decided)
            continue;
        // What a phase that was cut off still held, it would have freed.
        // In a capture but outside its phases only LibTorch allocates, for the graph itself.
        const Category category = m_pending[i].freed                      ? Category::kTemporaries
                                  : keeps                                 ? Category::kActivations
                                  : m_planning && m_phase == Phase::kNone ? Category::kWorkspace
                                  : m_cutOff                              ? Category::kTemporaries
                                                                          : Category::kUnknown;
        m_writer.setCategory(AllocationId(m_firstPending + i), category);
    }
    m_pending.clear();
    m_writer.settle();
}

/// The sum over all categories is the sum of the live allocations; it must be LibTorch's own figure at every
/// event. Several threads take LibTorch's lock and push their events in two steps, so their order may differ
/// for a moment: the comparison is then left out.
void MemoryLedger::checkTotal(const CaptureEvent& event) {
    m_severalMemoryThreads = m_severalMemoryThreads || (event.thread != 0 && !m_ordered);
    if (s_totalsForTest)
        s_totalsForTest->push_back(event.total - m_baseline);
    if (m_severalMemoryThreads)
        return;
    ++m_checkedTotals;
    if (event.total - m_baseline == m_liveBytes)
        return;
    m_writer.countLoss("allocator total that differs from the recorded sum");
    m_baseline = event.total - m_liveBytes;  // count a difference once, not at every later event
}

// Replays
// ------------------------------------------------------------------------------------------------------------

void MemoryLedger::beginPlan() {
    endReplays();
    m_planned.clear();
    m_plan.clear();
    m_nextNode = 0;
    settlePending();
    m_planning = true;
}

void MemoryLedger::endPlan() {
    settlePending();
    m_planning = false;
    for (PlannedAllocation& planned : m_planned)
        planned.row.category = m_writer.category(planned.made);
    // What the capture leaves alive (the loss) is there once and for all.
    std::erase_if(m_plan, [this](const PlannedEvent& event) { return !m_planned[event.allocation].freed; });
}

void MemoryLedger::replay(std::int64_t time, std::int32_t step, bool recorded) {
    Action action;
    action.event.kind = CaptureKind::kGraphLaunch;
    action.event.time = time;
    action.cause.step = step;
    action.recorded = recorded;
    take(action);
}

bool MemoryLedger::isWaiting(std::int32_t step) const {
    return std::ranges::any_of(m_waiting, [step](const Action& action) {
        return action.event.kind == CaptureKind::kGraphLaunch && action.cause.step == step;
    });
}

void MemoryLedger::nodeRan(std::int32_t step, std::uint32_t node, std::int64_t begin, std::int64_t end) {
    while (m_replay && m_replay->step != step && isWaiting(step))
        endReplay();
    if (!m_replay || m_replay->step != step)
        return;
    std::size_t count = m_replay->done;
    while (count < m_plan.size() && m_plan[count].node <= node)
        ++count;
    playTo(count, begin);
    m_replay->time = std::max(m_replay->time, end);
}

void MemoryLedger::playTo(std::size_t count, std::int64_t time) {
    for (; m_replay->done < count; ++m_replay->done) {
        const PlannedEvent& event = m_plan[m_replay->done];
        PlannedAllocation& planned = m_planned[event.allocation];
        if (event.isFree) {
            if (planned.alive.valid())
                release(planned.alive, time);
            planned.alive = AllocationId();
            continue;
        }
        AllocationRow row = planned.row;
        row.step = m_replay->step;
        planned.alive = append(time, row, true);
    }
}

void MemoryLedger::endReplay() {
    playTo(m_plan.size(), m_replay->time);
    m_replay.reset();
    while (!m_replay && !m_waiting.empty()) {
        const Action action = m_waiting.front();
        m_waiting.pop_front();
        perform(action);
    }
}

void MemoryLedger::endReplays() {
    while (m_replay)
        endReplay();
}

}  // namespace warpglass
