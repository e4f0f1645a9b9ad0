#include "engine/query/memory_op.h"

#include <algorithm>
#include <array>

#include "engine/query/memory_event_search.h"

namespace warpglass {

namespace {

constexpr std::array<std::string_view, 9> kAllocating = {
    "aten::empty",     "aten::empty_strided",  "aten::empty_like",
    "aten::new_empty", "aten::empty_permuted", "aten::new_empty_strided",
    "aten::resize_",   "aten::resize_as_",     "aten::_resize_output_"};

}  // namespace

bool onlyAllocates(std::string_view op) {
    return std::find(kAllocating.begin(), kAllocating.end(), op) != kAllocating.end();
}

MemoryOps::MemoryOps(const Snapshot& snapshot) : m_snapshot(snapshot) {
    for (std::size_t i = 0; i < snapshot.nameCount(); ++i) {
        if (onlyAllocates(snapshot.name(NameId(i))))
            m_allocating.emplace_back(i);
    }
    if (m_allocating.empty())
        return;
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kCpuThread)) {
        std::vector<Lane>& lanes = m_threads.emplace_back();
        for (const SpanLane& ops : snapshot.lanesOf(track)) {
            Lane& lane = lanes.emplace_back(Lane{ops});
            for (const OpenSpan& open : snapshot.openSpans()) {
                if (open.lane == ops.id())
                    lane.open = open;
            }
        }
    }
}

bool MemoryOps::allocates(NameId op) const {
    return std::find(m_allocating.begin(), m_allocating.end(), op) != m_allocating.end();
}

NameId MemoryOps::of(const AllocationRow& row, Nanoseconds made) {
    if (!allocates(row.op))
        return row.op;
    if (const NameId caller = callerAt(row, made.value); caller.valid())
        return caller;
    readCaptures();
    const auto captured = m_captured.find({row.address, row.bytes, row.op, row.place});
    return captured == m_captured.end() ? row.op : captured->second;
}

NameId MemoryOps::of(const MemoryTimeline& memory, AllocationId id, const AllocationRow& row) {
    if (!allocates(row.op) || !memory.wasAllocated(id))
        return row.op;
    return of(row, memory.allocatedAt(id));
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
                                         [this](const Op& op) { return !allocates(op.name); });
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

/// A capture is among the steps, and has no step's number.
void MemoryOps::readCaptures() {
    if (m_knowsCaptures)
        return;
    m_knowsCaptures = true;
    for (const TrackId track : m_snapshot.tracksOfKind(TrackKind::kStep)) {
        for (const SpanLane& lane : m_snapshot.lanesOf(track)) {
            for (std::uint64_t i = 0; i < lane.rows(); ++i) {
                if (const auto span = lane.row(i); span && span->step == kNoStep)
                    readCapture({Nanoseconds(span->start), Nanoseconds(span->end())});
            }
        }
    }
}

void MemoryOps::readCapture(TimeRange capture) {
    for (std::uint64_t i = firstMemoryEventAt(m_snapshot, capture.begin); i < m_snapshot.memoryEventCount();
         ++i) {
        const auto event = m_snapshot.memoryEvent(i);
        if (event && event->time > capture.end.value)
            return;
        if (!event || event->action != MemoryAction::kAllocate ||
            event->allocation.index() >= m_snapshot.allocationCount())
            continue;
        const auto row = m_snapshot.allocation(event->allocation);
        if (!row || !allocates(row->op))
            continue;
        if (const NameId caller = callerAt(*row, event->time); caller.valid())
            m_captured[{row->address, row->bytes, row->op, row->place}] = caller;
    }
}

NameId memoryOp(const MemoryTimeline& memory, AllocationId id) {
    const Snapshot& snapshot = *memory.snapshot();
    const auto row = snapshot.allocation(id);
    return row ? MemoryOps(snapshot).of(memory, id, *row) : NameId();
}

}  // namespace warpglass
