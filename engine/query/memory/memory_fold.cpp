#include "engine/query/memory/memory_fold.h"

#include <algorithm>

#include "engine/base/collect.h"

namespace warpglass {

namespace {

/// A list of live allocations is made at least this often, unless more than twice as many are alive.
constexpr std::uint64_t kAliveListEvents = 4096;

constexpr std::size_t chunksFor(std::uint64_t rows) {
    return static_cast<std::size_t>((rows + kChunkRows - 1) / kChunkRows);
}

}  // namespace

void MemoryFold::Cursor::step() {
    const auto i = static_cast<std::size_t>(m_index++);
    const std::int64_t by = m_fold->m_deltaBytes[i];
    addWrapping(m_bytes[static_cast<std::size_t>(m_fold->m_deltaCategories[i])], by);
    m_total = wrappingAdd(m_total, by);
}

void MemoryFold::Cursor::advanceTo(std::uint64_t last, MemoryExtremes& extremes) {
    const auto take = [&](const Block& block, std::uint64_t events) {
        extremes.follow(block.extremes);
        m_bytes = block.atEnd;
        m_total = sumOf(m_bytes);
        m_index += events;
    };
    while (m_index < last) {
        const std::uint64_t block = m_index / kBlockRows;
        const std::uint64_t superBlock = m_index / kSuperEvents;
        if (m_index % kSuperEvents == 0 && m_index + kSuperEvents <= last &&
            superBlock < m_fold->m_superBlocks.size()) {
            take(m_fold->m_superBlocks[static_cast<std::size_t>(superBlock)], kSuperEvents);
        } else if (m_index % kBlockRows == 0 && m_index + kBlockRows <= last &&
                   block < m_fold->m_blocks.size()) {
            take(m_fold->m_blocks[static_cast<std::size_t>(block)], kBlockRows);
        } else {
            const std::uint64_t stop = std::min(last, (block + 1) * kBlockRows);
            while (m_index < stop) {
                step();
                extremes.hold(
                    m_index, [this] { return m_fold->eventTime(m_index - 1); }, m_total, m_bytes);
            }
        }
    }
}

void MemoryFold::extend(std::shared_ptr<const Snapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    const std::uint64_t known = m_events;
    m_events = m_snapshot->memoryEventCount();
    cacheChunks();
    recordLives(known);
    recordDeltas();
    foldBlocks();
    m_finalBlocks = static_cast<std::size_t>(settledEvents() / kBlockRows);
}

void MemoryFold::cacheChunks() {
    for (std::size_t i = m_eventChunks.size(); i < chunksFor(m_events); ++i)
        m_eventChunks.push_back(m_snapshot->memoryEventChunk(i));
    for (std::size_t i = m_allocationChunks.size(); i < chunksFor(m_snapshot->allocationCount()); ++i)
        m_allocationChunks.push_back(m_snapshot->allocationChunk(i));
    m_lives.resize(static_cast<std::size_t>(m_snapshot->allocationCount()));
}

void MemoryFold::recordLives(std::uint64_t from) {
    for (std::uint64_t event = from; event < m_events; ++event) {
        const std::uint64_t listed = m_aliveIndex.empty() ? 0 : m_aliveIndex.back().events;
        const std::size_t lastList =
            m_aliveIndex.empty() ? 0 : m_aliveLists.size() - m_aliveIndex.back().begin;
        if (event - listed >= std::max<std::uint64_t>(kAliveListEvents, lastList / 2)) {
            const std::vector<std::uint32_t> alive = aliveIds(event);
            m_aliveIndex.push_back({event, m_aliveLists.size()});
            m_aliveLists.insert(m_aliveLists.end(), alive.begin(), alive.end());
        }
        const MemoryEventChunk* chunk = m_eventChunks[static_cast<std::size_t>(event / kChunkRows)];
        if (!chunk)
            continue;
        const std::uint32_t id = chunk->allocation[event % kChunkRows];
        if (id >= m_lives.size())
            continue;
        Life& life = m_lives[id];
        const auto index = static_cast<std::uint32_t>(event);
        if (chunk->action[event % kChunkRows] == MemoryAction::kAllocate) {
            if (life.allocated == kNoEvent)
                life.allocated = index;
        } else if (life.allocated != kNoEvent && life.freed == kNoEvent) {
            life.freed = index;
        }
    }
}

/// A writer may hold any value.
Category MemoryFold::storedCategoryOf(std::uint32_t id) const {
    const AllocationChunk* chunk = m_allocationChunks[id / kChunkRows];
    if (!chunk)
        return Category::kUnknown;
    const Category category = id < m_snapshot->settledAllocationCount()
                                  ? chunk->category[id % kChunkRows]
                                  : m_snapshot->categoryOf(AllocationId(id));
    return static_cast<std::size_t>(category) < kStoredCategoryCount ? category : Category::kUnknown;
}

MemoryFold::Delta MemoryFold::deltaOf(std::uint64_t event, WeightCopies& copies) const {
    const MemoryEventChunk* events = m_eventChunks[static_cast<std::size_t>(event / kChunkRows)];
    if (!events)
        return {};
    const std::uint32_t id = events->allocation[event % kChunkRows];
    if (id >= m_lives.size())
        return {};
    const bool allocates = events->action[event % kChunkRows] == MemoryAction::kAllocate;
    const Life& life = m_lives[id];
    if ((allocates ? life.allocated : life.freed) != event)
        return {};  // a second allocation or free of the same id, or a free of what was never seen
    const AllocationChunk* allocations = m_allocationChunks[id / kChunkRows];
    if (!allocations)
        return {};
    const std::int64_t bytes = std::max<std::int64_t>(0, allocations->bytes[id % kChunkRows]);
    if (!allocates)
        return {m_deltaCategories[life.allocated], -bytes};
    const Category stored = storedCategoryOf(id);
    const bool copy =
        (stored == Category::kActivations || stored == Category::kTemporaries) &&
        copies.has(AllocationId(id), PlaceId(allocations->place[id % kChunkRows]),
                   allocations->requested[id % kChunkRows], Nanoseconds(events->time[event % kChunkRows]));
    return {copy ? Category::kWeightCopies : stored, bytes};
}

/// From the first that was not final on: categories may have changed.
void MemoryFold::recordDeltas() {
    const auto events = static_cast<std::size_t>(m_events);
    m_deltaBytes.resize(events);
    m_deltaCategories.resize(events);
    WeightCopies copies(*m_snapshot);
    for (std::size_t i = m_finalBlocks * kBlockRows; i < events; ++i) {
        const Delta delta = deltaOf(i, copies);
        m_deltaBytes[i] = delta.bytes;
        m_deltaCategories[i] = delta.category;
    }
}

void MemoryFold::foldBlocks() {
    m_blocks.resize(m_finalBlocks);
    m_blockEnds.resize(m_finalBlocks);
    m_superBlocks.resize(m_finalBlocks * kBlockRows / kSuperEvents);
    const auto blocks = static_cast<std::size_t>(m_events / kBlockRows);
    // While a run grows, a few blocks at a time: exactly as many each time would copy all of them each time.
    if (m_blocks.capacity() < blocks) {
        m_blocks.reserve(std::max(blocks, 2 * m_blocks.size()));
        m_blockEnds.reserve(std::max(blocks, 2 * m_blockEnds.size()));
    }

    Cursor cursor = cursorAt(static_cast<std::uint64_t>(m_finalBlocks) * kBlockRows);
    while (m_blocks.size() < blocks) {
        Block block;
        cursor.advanceTo(cursor.index() + kBlockRows, block.extremes);
        block.atEnd = cursor.bytes();
        m_blocks.push_back(block);
        m_blockEnds.push_back(eventTime(cursor.index() - 1));
    }
    constexpr std::size_t kBlocksPerSuper = kSuperEvents / kBlockRows;
    while ((m_superBlocks.size() + 1) * kBlocksPerSuper <= m_blocks.size()) {
        const std::size_t first = m_superBlocks.size() * kBlocksPerSuper;
        Block super = m_blocks[first];
        for (std::size_t i = first + 1; i < first + kBlocksPerSuper; ++i)
            super.extremes.follow(m_blocks[i].extremes);
        super.atEnd = m_blocks[first + kBlocksPerSuper - 1].atEnd;
        m_superBlocks.push_back(super);
    }
}

/// Events before this one refer to settled allocations only: ids rise in the order of their allocate events.
std::uint64_t MemoryFold::settledEvents() const {
    for (auto id = static_cast<std::size_t>(m_snapshot->settledAllocationCount()); id < m_lives.size();
         ++id) {
        if (m_lives[id].allocated != kNoEvent)
            return m_lives[id].allocated;
    }
    return m_events;
}

std::int64_t MemoryFold::timeBeforeLost(std::uint64_t event) const {
    for (auto i = static_cast<std::size_t>(event / kChunkRows); i > 0;) {
        if (m_eventChunks[--i])
            return m_eventChunks[i]->time[kChunkRows - 1];
    }
    return 0;
}

/// The first event from `from` on for whose time `before` does not hold.
template <class Before>
std::uint64_t MemoryFold::partitionEvents(std::uint64_t from, Before&& before) const {
    // Blocks in leaps that double, then between the last two.
    std::size_t first = std::min(static_cast<std::size_t>(from / kBlockRows), m_blockEnds.size());
    std::size_t last = first;
    for (std::size_t leap = 1; last < m_blockEnds.size() && before(m_blockEnds[last]); leap *= 2) {
        first = last + 1;
        last = std::min(m_blockEnds.size(), first + leap);
    }
    const auto begin = m_blockEnds.begin();
    const auto block = std::partition_point(begin + static_cast<std::ptrdiff_t>(first),
                                            begin + static_cast<std::ptrdiff_t>(last), before) -
                       begin;
    std::uint64_t low = std::max(from, static_cast<std::uint64_t>(block) * kBlockRows);
    std::uint64_t high =
        std::min<std::uint64_t>((static_cast<std::uint64_t>(block) + 1) * kBlockRows, m_events);
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (before(eventTime(middle)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::uint64_t MemoryFold::firstEventAt(std::int64_t t) const {
    return firstEventAt(t, 0);
}

std::uint64_t MemoryFold::firstEventAt(std::int64_t t, std::uint64_t from) const {
    return partitionEvents(from, [t](std::int64_t time) { return time < t; });
}

std::uint64_t MemoryFold::firstEventAfter(std::int64_t t) const {
    return partitionEvents(0, [t](std::int64_t time) { return time <= t; });
}

MemoryFold::Cursor MemoryFold::cursorAt(std::uint64_t index) const {
    WG_DCHECK(index <= m_events);
    const std::size_t blocks = std::min(static_cast<std::size_t>(index / kBlockRows), m_blocks.size());
    Cursor cursor(*this, static_cast<std::uint64_t>(blocks) * kBlockRows,
                  blocks == 0 ? CategoryBytes{} : m_blocks[blocks - 1].atEnd);
    while (cursor.index() < index)
        cursor.step();
    return cursor;
}

std::vector<std::uint32_t> MemoryFold::aliveIds(std::uint64_t events) const {
    const auto after = std::ranges::upper_bound(m_aliveIndex, events, {}, &AliveList::events);
    std::vector<std::uint32_t> alive;
    std::uint64_t event = 0;
    const auto survives = [&](std::uint32_t id) { return m_lives[id].freed >= events; };
    if (after != m_aliveIndex.begin()) {
        const AliveList& list = *(after - 1);
        const std::size_t end = after == m_aliveIndex.end() ? m_aliveLists.size() : after->begin;
        std::copy_if(m_aliveLists.begin() + static_cast<std::ptrdiff_t>(list.begin),
                     m_aliveLists.begin() + static_cast<std::ptrdiff_t>(end), std::back_inserter(alive),
                     survives);
        event = list.events;
    }
    for (; event < events; ++event) {
        const MemoryEventChunk* chunk = m_eventChunks[static_cast<std::size_t>(event / kChunkRows)];
        if (!chunk)
            continue;
        const std::uint32_t id = chunk->allocation[event % kChunkRows];
        if (id < m_lives.size() && m_lives[id].allocated == event && survives(id))
            alive.push_back(id);
    }
    return alive;
}

std::vector<AllocationId> MemoryFold::aliveAfter(std::uint64_t events) const {
    return mapped<AllocationId>(aliveIds(events), [&](std::uint32_t id) { return id; });
}

}  // namespace warpglass
