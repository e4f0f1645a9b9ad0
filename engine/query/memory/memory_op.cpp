#include "engine/query/memory/memory_op.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "engine/query/memory/memory_event_search.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {

namespace {

constexpr std::array<std::string_view, 9> kAllocating = {
    "aten::empty",     "aten::empty_strided",  "aten::empty_like",
    "aten::new_empty", "aten::empty_permuted", "aten::new_empty_strided",
    "aten::resize_",   "aten::resize_as_",     "aten::_resize_output_"};

}  // namespace

bool onlyAllocates(std::string_view op) {
    return std::ranges::find(kAllocating, op) != kAllocating.end();
}

MemoryOps::MemoryOps(const Snapshot& snapshot) : m_snapshot(snapshot), m_allocates(snapshot.nameCount()) {
    for (std::size_t i = 0; i < m_allocates.size(); ++i)
        m_allocates[i] = onlyAllocates(snapshot.name(NameId(i))) ? 1 : 0;
    m_changesAny = std::ranges::find(m_allocates, 1) != m_allocates.end();
    if (!m_changesAny)
        return;
    std::vector<OpenSpan> openIn(snapshot.laneCount());  // of no lane: none is
    for (const OpenSpan& open : snapshot.openSpans()) {
        if (open.lane.index() < openIn.size())
            openIn[open.lane.index()] = open;
    }
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kCpuThread)) {
        std::vector<Lane>& lanes = m_threads.emplace_back();
        for (const SpanLane& ops : snapshot.lanesOf(track))
            lanes.emplace_back(Lane{ops}).open = openIn[ops.id().index()];
    }
}

NameId MemoryOps::of(AllocationId id, const AllocationRow& row, Nanoseconds made) {
    if (!changes(row.op))
        return row.op;
    NameId caller = callerAt(row, made.value);
    if (!caller.valid())
        caller = callerOfReplayed(id, row, made);
    return caller.valid() ? caller : row.op;
}

NameId MemoryOps::of(const MemoryTimeline& memory, AllocationId id, const AllocationRow& row) {
    if (!changes(row.op) || !memory.wasAllocated(id))
        return row.op;
    return of(id, row, memory.allocatedAt(id));
}

NameId MemoryOps::callerAt(const AllocationRow& row, std::int64_t t) {
    for (std::vector<Lane>& thread : m_threads) {
        m_stack.clear();
        for (Lane& lane : thread) {
            const std::optional<Op> op = opAt(lane, t);
            if (!op)
                break;
            m_stack.push_back(*op);
        }
        if (m_stack.empty() || m_stack.back().name != row.op || m_stack.back().place != row.place)
            continue;
        const auto caller = std::find_if(m_stack.rbegin(), m_stack.rend(),
                                         [this](const Op& op) { return !changes(op.name); });
        return caller == m_stack.rend() ? m_stack.front().name : caller->name;
    }
    return {};
}

/// A moment that is asked for after an earlier one mostly lies a few ops further on.
std::uint64_t MemoryOps::firstEndingAfter(Lane& lane, std::int64_t t) {
    constexpr std::uint32_t kNear = 16;
    if (t >= lane.asked && lane.next < lane.ops.rows()) {
        const auto chunk = static_cast<std::size_t>(lane.next / kChunkRows);
        const auto first = static_cast<std::uint32_t>(lane.next % kChunkRows);
        if (const SpanChunk* ops = lane.ops.chunk(chunk)) {
            const std::uint32_t last = std::min(first + kNear, lane.ops.rowsInChunk(chunk));
            for (std::uint32_t i = first; i < last; ++i) {
                if (ops->end(i) <= t)
                    continue;
                lane.asked = t;
                lane.next += i - first;
                return lane.next;
            }
        }
    }
    lane.asked = t;
    lane.next = lane.ops.firstEndingAfter(Nanoseconds(t));
    return lane.next;
}

std::optional<MemoryOps::Op> MemoryOps::opAt(Lane& lane, std::int64_t t) {
    const std::uint64_t row = firstEndingAfter(lane, t);
    if (row >= lane.ops.rows()) {
        if (lane.open.lane.valid() && lane.open.start <= t)
            return Op{lane.open.name, lane.open.place};
        return std::nullopt;
    }
    const SpanChunk* ops = lane.ops.chunk(static_cast<std::size_t>(row / kChunkRows));
    const auto i = static_cast<std::uint32_t>(row % kChunkRows);
    if (!ops || ops->start[i] > t)
        return std::nullopt;
    return Op{NameId(ops->name[i]), PlaceId(ops->place[i])};
}

/// The row of what an event makes: nothing where it frees, or the row is lost.
std::optional<AllocationRow> MemoryOps::madeBy(const MemoryEvent& event) const {
    if (event.action != MemoryAction::kAllocate || event.allocation.index() >= m_snapshot.allocationCount())
        return std::nullopt;
    return m_snapshot.allocation(event.allocation);
}

NameId MemoryOps::callerOfReplayed(AllocationId id, const AllocationRow& row, Nanoseconds made) {
    readCaptures();
    // Where there are several captures, the last one before is what is replayed.
    const auto after = std::ranges::partition_point(
        m_captures, [made](const Capture& capture) { return capture.range.end < made; });
    if (after == m_captures.begin())
        return {};
    const Capture& capture = *(after - 1);
    const auto captured = capture.callers.find(blockOf(row));
    if (captured == capture.callers.end())
        return {};
    if (captured->second.size() == 1)
        return captured->second.front();
    if (!m_replayed.contains(id))
        readReplaysAt(capture, made);
    return m_replayed[id];  // left without where its event is not there: not looked for again
}

void MemoryOps::readCaptures() {
    if (m_knowsCaptures)
        return;
    m_knowsCaptures = true;
    for (const TimeRange& range : captureRanges(m_snapshot))
        readCapture(m_captures.emplace_back(Capture{range, {}}));
}

void MemoryOps::readCapture(Capture& capture) {
    struct Made {
        AllocationId id;
        Block block;
        NameId caller;
    };
    std::vector<Made> made;
    std::unordered_set<AllocationId> freed;
    bool lost = false;
    for (std::uint64_t i = firstMemoryEventAt(m_snapshot, capture.range.begin);
         i < m_snapshot.memoryEventCount(); ++i) {
        const auto event = m_snapshot.memoryEvent(i);
        if (event && event->time > capture.range.end.value)
            break;
        if (event && event->action != MemoryAction::kAllocate) {
            freed.insert(event->allocation);
            continue;
        }
        const auto row = event ? madeBy(*event) : std::nullopt;
        lost = lost || !row;
        if (row && changes(row->op))
            made.push_back({event->allocation, blockOf(*row), callerAt(*row, event->time)});
    }
    for (const Made& one : made) {
        if (freed.contains(one.id))
            capture.callers[one.block].push_back(one.caller);
    }
    for (auto& [block, callers] : capture.callers) {
        if (lost)  // what was lost may be another's turn at the block
            callers.assign(1, NameId());
        else if (std::adjacent_find(callers.begin(), callers.end(), std::not_equal_to<>()) == callers.end())
            callers.resize(1);
    }
}

/// The first event of the step in which something is made at t or next after it, or from which on its events
/// are known; none before `after`.
std::uint64_t MemoryOps::firstOfStepAt(Nanoseconds t, Nanoseconds after) const {
    std::uint64_t first = firstMemoryEventAt(m_snapshot, t);
    std::optional<std::int32_t> step;
    for (std::uint64_t i = first; i < m_snapshot.memoryEventCount() && !step; ++i) {
        const auto event = m_snapshot.memoryEvent(i);
        const auto row = event ? madeBy(*event) : std::nullopt;
        if (row)
            step = row->step;
        else if (!event || event->action == MemoryAction::kAllocate)
            break;
    }
    for (; step && first > 0; --first) {
        const auto event = m_snapshot.memoryEvent(first - 1);
        if (!event || event->time <= after.value)
            break;
        if (event->action != MemoryAction::kAllocate)
            continue;
        const auto row = madeBy(*event);
        if (!row || row->step != *step)
            break;
    }
    return first;
}

/// Notes the callers of all that is replayed in the step at t. A step may hold several replays, each of them
/// whole. After a loss the order is not known until the step is over.
void MemoryOps::readReplaysAt(const Capture& capture, Nanoseconds t) {
    // Where times go back, as in a file from outside they may, the same steps would be read without end.
    if (m_read / 8 > m_snapshot.memoryEventCount())
        return;
    const std::uint64_t first = firstOfStepAt(t, capture.range.end);
    std::map<Block, std::size_t> seen;  // in the step
    std::optional<std::int32_t> step;
    const auto before = first > 0 ? m_snapshot.memoryEvent(first - 1) : std::nullopt;
    bool lost = first > 0 && (!before || (before->action == MemoryAction::kAllocate && !madeBy(*before)));
    bool known = true;
    for (std::uint64_t i = first; i < m_snapshot.memoryEventCount(); ++i, ++m_read) {
        const auto event = m_snapshot.memoryEvent(i);
        if (event && event->action != MemoryAction::kAllocate)
            continue;
        const auto row = event ? madeBy(*event) : std::nullopt;
        if (!row) {
            lost = true;
            continue;
        }
        if (row->step != step) {
            if (event->time > t.value && step)
                return;
            step = row->step;
            seen.clear();
            known = true;
        }
        known = !std::exchange(lost, false) && known;
        const auto captured = capture.callers.find(blockOf(*row));
        if (captured == capture.callers.end() || captured->second.size() == 1)
            continue;
        const std::size_t nth = seen[captured->first]++ % captured->second.size();
        m_replayed.emplace(event->allocation, known ? captured->second[nth] : NameId());
    }
}

NameId memoryOp(const MemoryTimeline& memory, AllocationId id) {
    const Snapshot& snapshot = *memory.snapshot();
    const auto row = snapshot.allocation(id);
    return row ? MemoryOps(snapshot).of(memory, id, *row) : NameId();
}

}  // namespace warpglass
