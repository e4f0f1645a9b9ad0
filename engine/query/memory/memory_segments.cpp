#include "engine/query/memory/memory_segments.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "engine/base/check.h"
#include "engine/base/collect.h"

namespace warpglass {

namespace {

/// A list of what is alive is made at least this often, unless more than twice as much is alive.
constexpr std::uint64_t kListEvents = 1024;
/// LibTorch's kSmallBuffer: what a small segment is taken in, and a small expandable one mapped in.
constexpr std::int64_t kSmallBuffer = std::int64_t{2} << 20;
/// Beyond any real size and address, so that sums of an address and a size do not wrap.
constexpr std::int64_t kMaxPartSize = std::int64_t{1} << 48;
constexpr std::uint64_t kMaxPartAddress = std::uint64_t{1} << 62;

struct Mapped {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t since = 0;
    std::uint32_t stream = 0;
    std::uint32_t pool = 0;
    bool large = false;
    bool expandable = false;

    std::uint64_t end() const { return address + static_cast<std::uint64_t>(bytes); }
    bool joins(const Mapped& next) const {
        return expandable && next.expandable && end() == next.address && stream == next.stream &&
               pool == next.pool && large == next.large;
    }
};

struct HeldBlock {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    AllocationId allocation{};
};

/// What is alive after some events.
class Live {
public:
    Live() = default;
    Live(const std::vector<Mapped>& ranges, const std::vector<HeldBlock>& held) {
        for (const Mapped& range : ranges)
            put(range);
        for (const HeldBlock& block : held)
            m_held.emplace_hint(m_held.end(), block.address, block);
    }

    void apply(const SegmentEvent& event) {
        if (event.bytes <= 0 || event.bytes > kMaxPartSize || event.address > kMaxPartAddress)
            return;
        switch (event.action) {
            case SegmentAction::kAllocate:
            case SegmentAction::kMap:
                cut(event.address, event.bytes);
                add({event.address, event.bytes, event.time, event.stream, event.pool,
                     event.bytes != kSmallBuffer, event.action == SegmentAction::kMap});
                break;
            case SegmentAction::kFree:
            case SegmentAction::kUnmap:
                cut(event.address, event.bytes);
                break;
            case SegmentAction::kHold:
                m_held[event.address] = {event.address, event.bytes, event.allocation};
                break;
            case SegmentAction::kRelease:
                m_held.erase(event.address);
                break;
            case SegmentAction::kOutOfMemory:
                break;
        }
    }

    std::int64_t reserved() const { return m_reserved; }
    std::size_t size() const { return m_ranges.size() + m_held.size(); }
    std::vector<Mapped> ranges() const { return valuesOf<Mapped>(m_ranges); }
    std::vector<HeldBlock> held() const { return valuesOf<HeldBlock>(m_held); }

private:
    template <class Value>
    static std::vector<Value> valuesOf(const std::map<std::uint64_t, Value>& map) {
        return mapped<Value>(map, [&](const auto& each) { return each.second; });
    }

    void put(const Mapped& range) {
        m_ranges[range.address] = range;
        addWrapping(m_reserved, range.bytes);
    }
    void remove(std::map<std::uint64_t, Mapped>::iterator at) {
        addWrapping(m_reserved, -at->second.bytes);
        m_ranges.erase(at);
    }

    void add(Mapped range) {
        auto next = m_ranges.lower_bound(range.address);
        if (next != m_ranges.end() && range.joins(next->second)) {
            range.bytes += next->second.bytes;
            range.since = std::min(range.since, next->second.since);
            const auto joined = next++;
            remove(joined);
        }
        if (next != m_ranges.begin()) {
            const auto before = std::prev(next);
            if (before->second.joins(range)) {
                range.address = before->second.address;
                range.bytes += before->second.bytes;
                range.since = std::min(range.since, before->second.since);
                remove(before);
            }
        }
        put(range);
    }

    /// Takes [address, address + bytes) out of whatever lies there.
    void cut(std::uint64_t address, std::int64_t bytes) {
        const std::uint64_t end = address + static_cast<std::uint64_t>(bytes);
        auto at = m_ranges.upper_bound(address);
        if (at != m_ranges.begin())
            --at;
        while (at != m_ranges.end() && at->first < end) {
            const Mapped range = at->second;
            const auto here = at++;
            if (range.end() <= address)
                continue;
            remove(here);
            if (range.address < address) {
                Mapped head = range;
                head.bytes = static_cast<std::int64_t>(address - range.address);
                put(head);
            }
            if (range.end() > end) {
                Mapped tail = range;
                tail.address = end;
                tail.bytes = static_cast<std::int64_t>(range.end() - end);
                put(tail);
            }
        }
    }

    std::map<std::uint64_t, Mapped> m_ranges;  // they do not overlap
    std::map<std::uint64_t, HeldBlock> m_held;
    std::int64_t m_reserved = 0;
};

/// The blocks in use at a moment, by address.
std::vector<MemoryBlock> blocksInUse(const MemoryTimeline& memory, Nanoseconds t,
                                     const std::vector<HeldBlock>& held) {
    const std::vector<AllocationId> alive = memory.aliveAt(t);
    const Snapshot& snapshot = *memory.snapshot();
    std::vector<MemoryBlock> blocks;
    blocks.reserve(alive.size() + held.size());
    for (const AllocationId id : alive) {
        if (const auto row = snapshot.allocation(id))
            blocks.push_back({row->address, row->bytes, BlockState::kAllocated, id});
    }
    for (const HeldBlock& block : held)
        blocks.push_back({block.address, block.bytes,
                          block.allocation.valid() ? BlockState::kPending : BlockState::kEarlier,
                          block.allocation});
    // At one address what is allocated comes first, and hides the rest.
    std::ranges::sort(blocks, [](const MemoryBlock& a, const MemoryBlock& b) {
        return a.address != b.address ? a.address < b.address : a.state < b.state;
    });
    return blocks;
}

void count(SegmentTotals& totals, const MemoryBlock& block) {
    const Bytes bytes(block.bytes);
    totals.reserved += bytes;
    switch (block.state) {
        case BlockState::kFree:
            totals.free += bytes;
            totals.largestFree = std::max(totals.largestFree, bytes);
            ++totals.gaps;
            return;
        case BlockState::kAllocated:
            totals.allocated += bytes;
            break;
        case BlockState::kPending:
            totals.pending += bytes;
            break;
        case BlockState::kEarlier:
            totals.earlier += bytes;
            break;
    }
    ++totals.blocks;
}

/// Lays the blocks in use that begin within the range into it, gaps between them. `at` is the first block
/// that begins at or after the range's begin, and moves to the first beyond it.
MemorySegment layOut(const Mapped& range, const std::vector<MemoryBlock>& used, std::size_t& at) {
    MemorySegment segment{range.address,
                          range.bytes,
                          range.stream,
                          range.pool,
                          range.large,
                          range.expandable,
                          Nanoseconds(range.since),
                          {},
                          {}};
    std::uint64_t covered = range.address;
    const auto put = [&](MemoryBlock block) {
        count(segment.totals, block);
        segment.blocks.push_back(block);
        covered = block.address + static_cast<std::uint64_t>(block.bytes);
    };
    const auto fillTo = [&](std::uint64_t end) {
        if (covered < end)
            put({covered, static_cast<std::int64_t>(end - covered), BlockState::kFree, AllocationId()});
    };
    for (; at < used.size() && used[at].address < range.end(); ++at) {
        MemoryBlock block = used[at];
        if (block.bytes <= 0 || block.address < covered)
            continue;
        const std::uint64_t room = range.end() - block.address;
        if (static_cast<std::uint64_t>(block.bytes) > room)
            block.bytes = static_cast<std::int64_t>(room);
        fillTo(block.address);
        put(block);
    }
    fillTo(range.end());
    return segment;
}

}  // namespace

SegmentTotals& SegmentTotals::operator+=(const SegmentTotals& part) {
    reserved += part.reserved;
    allocated += part.allocated;
    pending += part.pending;
    earlier += part.earlier;
    free += part.free;
    largestFree = std::max(largestFree, part.largestFree);
    blocks += part.blocks;
    gaps += part.gaps;
    return *this;
}

double SegmentTotals::fragmentation() const {
    if (free.value <= 0)
        return 0;
    return 1 - static_cast<double>(largestFree.value) / static_cast<double>(free.value);
}

double SegmentTotals::freeShare() const {
    if (reserved.value <= 0)
        return 0;
    return static_cast<double>(free.value) / static_cast<double>(reserved.value);
}

struct MemorySegments::State {
    struct List {
        std::uint64_t events = 0;
        std::vector<Mapped> ranges;
        std::vector<HeldBlock> held;
    };

    std::shared_ptr<const Snapshot> snapshot;
    std::vector<const SegmentEventChunk*> chunks;  // null where damaged; the snapshot keeps them alive
    std::uint64_t events = 0;
    Live last;
    std::vector<List> lists;
    std::int64_t peakReserved = 0;

    /// As MemoryTimeline tells whether a snapshot continues the one before.
    bool continuedBy(const Snapshot& next) const {
        if (!snapshot || events == 0)
            return false;
        return chunks[0] && next.epoch() >= snapshot->epoch() && next.segmentEventCount() >= events &&
               next.segmentEventChunk(0) == chunks[0];
    }

    void extend(std::shared_ptr<const Snapshot> next) {
        snapshot = std::move(next);
        const std::uint64_t count = snapshot->segmentEventCount();
        while (chunks.size() * kChunkRows < count)
            chunks.push_back(snapshot->segmentEventChunk(chunks.size()));
        std::uint64_t listed = lists.empty() ? 0 : lists.back().events;
        for (; events < count; ++events) {
            if (events - listed >= std::max<std::uint64_t>(kListEvents, last.size() / 2)) {
                lists.push_back({events, last.ranges(), last.held()});
                listed = events;
            }
            applyTo(last, events);
            peakReserved = std::max(peakReserved, last.reserved());
        }
    }

    void applyTo(Live& live, std::uint64_t event) const {
        if (const SegmentEventChunk* chunk = chunks[static_cast<std::size_t>(event / kChunkRows)])
            live.apply(chunk->row(static_cast<std::uint32_t>(event % kChunkRows)));
    }

    /// For an event in a damaged chunk, the time of the last one before it.
    std::int64_t timeOf(std::uint64_t event) const {
        auto i = static_cast<std::size_t>(event / kChunkRows);
        if (chunks[i])
            return chunks[i]->time[event % kChunkRows];
        while (i > 0) {
            if (chunks[--i])
                return chunks[i]->time[kChunkRows - 1];
        }
        return 0;
    }

    std::uint64_t firstEventAfter(std::int64_t t) const {
        std::uint64_t low = 0, high = events;
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (timeOf(middle) <= t)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    Live liveAt(Nanoseconds t) const {
        const std::uint64_t end = firstEventAfter(t.value);
        if (end == events)
            return last;
        const auto after = std::ranges::upper_bound(lists, end, {}, &List::events);
        Live live;
        std::uint64_t event = 0;
        if (after != lists.begin()) {
            const List& list = *(after - 1);
            live = Live(list.ranges, list.held);
            event = list.events;
        }
        for (; event < end; ++event)
            applyTo(live, event);
        return live;
    }
};

MemorySegments::MemorySegments() : m_state(std::make_unique<State>()) {}
MemorySegments::~MemorySegments() = default;
MemorySegments::MemorySegments(MemorySegments&&) noexcept = default;
MemorySegments& MemorySegments::operator=(MemorySegments&&) noexcept = default;

void MemorySegments::update(std::shared_ptr<const Snapshot> snapshot) {
    if (!snapshot || !m_state->continuedBy(*snapshot))
        m_state = std::make_unique<State>();
    if (snapshot)
        m_state->extend(std::move(snapshot));
}

const std::shared_ptr<const Snapshot>& MemorySegments::snapshot() const {
    return m_state->snapshot;
}

std::uint64_t MemorySegments::eventCount() const {
    return m_state->events;
}

SegmentState MemorySegments::at(const MemoryTimeline& memory, Nanoseconds t) const {
    WG_CHECK(memory.snapshot() == m_state->snapshot);
    SegmentState state;
    if (!m_state->snapshot)
        return state;
    const Live live = m_state->liveAt(t);
    const std::vector<MemoryBlock> used = blocksInUse(memory, t, live.held());
    std::size_t at = 0;
    const auto passOver = [&](std::uint64_t until) {
        for (; at < used.size() && used[at].address < until; ++at) {
            if (used[at].state == BlockState::kAllocated)
                state.outside += Bytes(used[at].bytes);
        }
    };
    for (const Mapped& range : live.ranges()) {
        passOver(range.address);
        state.segments.push_back(layOut(range, used, at));
        state.totals += state.segments.back().totals;
    }
    passOver(~std::uint64_t{0});
    return state;
}

Bytes MemorySegments::reservedAt(Nanoseconds t) const {
    return Bytes(m_state->liveAt(t).reserved());
}

Bytes MemorySegments::peakReserved() const {
    return Bytes(m_state->peakReserved);
}

}  // namespace warpglass
