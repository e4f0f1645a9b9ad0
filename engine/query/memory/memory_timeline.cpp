#include "engine/query/memory/memory_timeline.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_fold.h"

namespace warpglass {

struct MemoryTimeline::State {
    MemoryFold fold;

    /// Whether `next` continues the snapshot already folded. A chunk never moves and the old snapshot keeps
    /// its own alive, so the same first chunk means the same run.
    bool continuedBy(const Snapshot& next) const {
        const auto& last = fold.snapshot();
        if (!last || last->memoryEventCount() == 0)
            return false;
        const MemoryEventChunk* first = last->memoryEventChunk(0);
        return first != nullptr && next.epoch() >= last->epoch() &&
               next.memoryEventCount() >= last->memoryEventCount() && next.memoryEventChunk(0) == first;
    }
};

MemoryTimeline::MemoryTimeline() : m_state(std::make_unique<State>()) {}
MemoryTimeline::~MemoryTimeline() = default;
MemoryTimeline::MemoryTimeline(MemoryTimeline&&) noexcept = default;
MemoryTimeline& MemoryTimeline::operator=(MemoryTimeline&&) noexcept = default;

void MemoryTimeline::update(std::shared_ptr<const Snapshot> snapshot) {
    if (snapshot && snapshot == m_state->fold.snapshot())
        return;
    if (!snapshot || !m_state->continuedBy(*snapshot))
        m_state->fold = MemoryFold();
    if (!snapshot)
        return;
    try {
        m_state->fold.extend(std::move(snapshot));
    } catch (...) {
        m_state->fold = MemoryFold();  // half of it is of the new snapshot: no later call may build on that
        throw;
    }
}

const std::shared_ptr<const Snapshot>& MemoryTimeline::snapshot() const {
    return m_state->fold.snapshot();
}

std::uint64_t MemoryTimeline::eventCount() const {
    return m_state->fold.eventCount();
}

CategoryBytes MemoryTimeline::at(Nanoseconds t) const {
    const MemoryFold& fold = m_state->fold;
    return fold.cursorAt(fold.firstEventAfter(t.value)).bytes();
}

MemoryPoint MemoryTimeline::afterEvent(std::uint64_t index) const {
    const MemoryFold& fold = m_state->fold;
    WG_CHECK(index < fold.eventCount());
    return {Nanoseconds(fold.eventTime(index)), fold.cursorAt(index + 1).bytes()};
}

std::optional<MemoryPoint> MemoryTimeline::peak() const {
    const MemoryFold& fold = m_state->fold;
    if (fold.eventCount() == 0 || !Completeness(*fold.snapshot()).has(DataKind::kMemory))
        return std::nullopt;  // that of lost events is not 0
    MemoryExtremes extremes;
    fold.cursorAt(0).advanceTo(fold.eventCount(), extremes);
    return extremes.peak();
}

namespace {

/// What held from `begin` until event `last` (exclusive): the value at `begin` unless an event changes it
/// that very moment, then the value after each event.
MemoryExtremes extremesFrom(const MemoryFold& fold, MemoryFold::Cursor& cursor, std::int64_t begin,
                            std::uint64_t last) {
    MemoryExtremes extremes;
    if (cursor.index() >= last || fold.eventTime(cursor.index()) > begin)
        extremes.hold(cursor.index(), begin, cursor.total(), cursor.bytes());
    cursor.advanceTo(last, extremes);
    return extremes;
}

MemoryColumn columnOf(const MemoryExtremes& extremes) {
    const MemoryPoint peak = extremes.peak();
    return {peak.bytes, extremes.minTotal(), extremes.maxTotal(), peak.time, extremes.peakEvents()};
}

}  // namespace

std::optional<MemoryPoint> MemoryTimeline::peakIn(TimeRange range) const {
    const MemoryFold& fold = m_state->fold;
    if (fold.eventCount() == 0 || range.begin >= range.end ||
        !Completeness(*fold.snapshot()).has(DataKind::kMemory))
        return std::nullopt;
    MemoryFold::Cursor cursor = fold.cursorAt(fold.firstEventAt(range.begin.value));
    return extremesFrom(fold, cursor, range.begin.value, fold.firstEventAt(range.end.value)).peak();
}

std::vector<MemoryColumn> MemoryTimeline::columns(TimeRange range, std::size_t width) const {
    std::vector<MemoryColumn> columns;
    if (range.begin >= range.end || width == 0)
        return columns;
    columns.reserve(width);
    const MemoryFold& fold = m_state->fold;
    const auto count = static_cast<std::int64_t>(width);
    const std::int64_t whole = range.duration().value / count;
    const std::int64_t rest = range.duration().value % count;
    // begin + duration · i / width, without overflow.
    const auto edge = [&](std::int64_t i) { return range.begin.value + whole * i + rest * i / count; };

    MemoryFold::Cursor cursor = fold.cursorAt(fold.firstEventAt(range.begin.value));
    std::int64_t doneUntil = range.begin.value;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t begin = edge(i);
        if (begin < doneUntil) {  // several columns to a nanosecond
            columns.push_back(columns.back());
            continue;
        }
        doneUntil = std::max(edge(i + 1), begin + 1);
        const MemoryExtremes extremes =
            extremesFrom(fold, cursor, begin, fold.firstEventAt(doneUntil, cursor.index()));
        columns.push_back(columnOf(extremes));
    }
    return columns;
}

std::vector<MemoryColumn> MemoryTimeline::columnsOfEvents(std::uint64_t first, std::uint64_t last,
                                                          std::size_t width) const {
    std::vector<MemoryColumn> columns;
    const MemoryFold& fold = m_state->fold;
    last = std::min(last, fold.eventCount());
    if (first >= last || width == 0)
        return columns;
    columns.reserve(width);
    MemoryFold::Cursor cursor = fold.cursorAt(first);
    for (std::uint64_t i = 0; i < width; ++i) {
        const std::uint64_t end = first + (last - first) * (i + 1) / width;
        if (i > 0 && end <= cursor.index()) {  // several columns to an event
            columns.push_back(columns.back());
            continue;
        }
        MemoryExtremes extremes;
        cursor.advanceTo(std::max(end, first + 1), extremes);
        columns.push_back(columnOf(extremes));
    }
    return columns;
}

Category MemoryTimeline::categoryOf(AllocationId id) const {
    return m_state->fold.categoryOf(id);
}

std::vector<AllocationId> MemoryTimeline::aliveAt(Nanoseconds t) const {
    const MemoryFold& fold = m_state->fold;
    return fold.aliveAfter(fold.firstEventAfter(t.value));
}

bool MemoryTimeline::wasAllocated(AllocationId id) const {
    return allocateEvent(id).has_value();
}

std::optional<std::uint64_t> MemoryTimeline::allocateEvent(AllocationId id) const {
    return m_state->fold.allocateEventOf(id);
}

std::optional<std::uint64_t> MemoryTimeline::freeEvent(AllocationId id) const {
    return m_state->fold.freeEventOf(id);
}

std::uint64_t MemoryTimeline::firstEventAfter(Nanoseconds t) const {
    return m_state->fold.firstEventAfter(t.value);
}

Nanoseconds MemoryTimeline::eventTime(std::uint64_t index) const {
    WG_CHECK(index < m_state->fold.eventCount());
    return Nanoseconds(m_state->fold.eventTime(index));
}

Nanoseconds MemoryTimeline::allocatedAt(AllocationId id) const {
    const MemoryFold& fold = m_state->fold;
    const auto event = fold.allocateEventOf(id);
    return Nanoseconds(event ? fold.eventTime(*event) : 0);
}

std::optional<Nanoseconds> MemoryTimeline::freedAt(AllocationId id) const {
    const MemoryFold& fold = m_state->fold;
    if (const auto event = fold.freeEventOf(id))
        return Nanoseconds(fold.eventTime(*event));
    return std::nullopt;
}

void MemoryTimeline::livesFrom(AllocationId first, std::span<AllocationLife> lives) const {
    const MemoryFold& fold = m_state->fold;
    const auto eventOr = [](std::optional<std::uint64_t> event) {
        return event ? static_cast<std::uint32_t>(*event) : AllocationLife::kNoEvent;
    };
    // The events first, then their times: frees lie far apart, and so many misses are under way at once.
    for (std::size_t i = 0; i < lives.size(); ++i) {
        const AllocationId id(first.value + static_cast<std::uint32_t>(i));
        lives[i].allocateEvent = eventOr(fold.allocateEventOf(id));
        lives[i].freeEvent = eventOr(fold.freeEventOf(id));
    }
    const auto timeOf = [&](std::uint32_t event) {
        return Nanoseconds(event == AllocationLife::kNoEvent ? 0 : fold.eventTime(event));
    };
    for (AllocationLife& life : lives) {
        life.allocated = timeOf(life.allocateEvent);
        life.freed = timeOf(life.freeEvent);
    }
}

}  // namespace warpglass
