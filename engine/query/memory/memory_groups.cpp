#include "engine/query/memory/memory_groups.h"

#include <algorithm>
#include <map>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/spans/module_group.h"

namespace warpglass {

namespace {

/// Group names of every name of the run, and what allocations have as their name.
struct Naming {
    using NameOfGroup = std::string (*)(std::string_view name);
    std::vector<std::string> groups;  // in order of first meeting
    std::vector<std::size_t> ofName;  // by NameId; one more for "none"
    BreakdownKey key;
    NameOfGroup nameOfGroup;

    Naming(const Snapshot& snapshot, BreakdownKey by, NameOfGroup nameGroup)
        : ofName(snapshot.nameCount() + 1, kNone), key(by), nameOfGroup(nameGroup) {}

    std::size_t groupOf(const Snapshot& snapshot, std::size_t name) {
        if (ofName[name] == kNone) {
            std::string group = keyName(snapshot, name, key);
            if (name + 1 < ofName.size() && !group.starts_with('('))
                group = nameOfGroup(group);
            const auto [at, isNew] = m_known.emplace(group, groups.size());
            if (isNew)
                groups.push_back(std::move(group));
            ofName[name] = at->second;
        }
        return ofName[name];
    }
    /// By allocation.
    std::vector<std::uint32_t> groupsOfAll(const MemoryTimeline& memory) {
        const Snapshot& snapshot = *memory.snapshot();
        AllocationKeys keys(memory, key);
        std::vector<std::uint32_t> met(static_cast<std::size_t>(snapshot.allocationCount()), 0);
        for (std::size_t i = 0; i < met.size(); ++i) {
            const AllocationId id(static_cast<std::uint32_t>(i));
            if (const auto row = snapshot.allocation(id))
                met[i] = static_cast<std::uint32_t>(groupOf(snapshot, keys.of(id, *row)));
        }
        return met;
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::map<std::string, std::size_t> m_known;
};

std::string itself(std::string_view name) {
    return std::string(name);
}
std::string stem(std::string_view path) {
    return std::string(moduleStem(path));
}

std::int64_t bytesOf(const AllocationRow& row) {
    return std::max<std::int64_t>(0, row.bytes);
}

/// The largest groups by bytes, of equal ones the first met.
std::vector<std::size_t> largestGroups(const std::vector<std::int64_t>& bytes, std::size_t most) {
    std::vector<std::size_t> order(bytes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
    order.resize(std::min(order.size(), most));
    return order;
}

}  // namespace

MemoryGroups::MemoryGroups(const MemoryTimeline& memory, MemoryGrouping grouping) {
    const auto peak = memory.peak();
    if (!memory.snapshot() || memory.eventCount() == 0 || !peak)
        return;
    const Snapshot& snapshot = *memory.snapshot();
    Naming naming = grouping == MemoryGrouping::kModule ? Naming(snapshot, BreakdownKey::kModule, stem)
                                                        : Naming(snapshot, BreakdownKey::kOp, itself);
    std::vector<std::uint32_t> met = naming.groupsOfAll(memory);
    if (grouping == MemoryGrouping::kModule && naming.groups.size() > kMost) {
        naming = Naming(snapshot, BreakdownKey::kModulePart, itself);
        met = naming.groupsOfAll(memory);
    }
    std::vector<std::int64_t> atPeak(naming.groups.size());
    forEachAllocation(snapshot, memory.aliveAt(peak->time), [&](AllocationId id, const AllocationRow& row) {
        addWrapping(atPeak[met[id.index()]], bytesOf(row));
    });
    std::vector<std::size_t> largest = largestGroups(atPeak, kMost);
    if (grouping == MemoryGrouping::kModule)
        std::ranges::sort(largest);
    std::vector<std::uint8_t> slotOf(naming.groups.size(), kMost);
    for (std::size_t slot = 0; slot < largest.size(); ++slot) {
        slotOf[largest[slot]] = static_cast<std::uint8_t>(slot);
        m_names.push_back(naming.groups[largest[slot]]);
    }
    m_hasRest = naming.groups.size() > largest.size();
    if (m_hasRest)
        m_names.emplace_back("rest");

    m_groups.assign(met.size(), static_cast<std::uint8_t>(kMost));
    m_sums.resize(static_cast<std::size_t>(memory.eventCount() / kBlock) + 1);
    const auto add = [&](std::optional<std::uint64_t> event, std::size_t group, std::int64_t bytes) {
        // The event is the first to count in the sums after the end of its block.
        const std::uint64_t block = event ? *event / kBlock + 1 : m_sums.size();
        if (block < m_sums.size()) {
            addWrapping(m_sums[static_cast<std::size_t>(block)][group], bytes);
        }
    };
    for (std::size_t i = 0; i < met.size(); ++i) {
        const AllocationId id(static_cast<std::uint32_t>(i));
        const auto row = snapshot.allocation(id);
        if (!row)
            continue;
        m_groups[i] = slotOf[met[i]];
        add(memory.allocateEvent(id), m_groups[i], bytesOf(*row));
        add(memory.freeEvent(id), m_groups[i], -bytesOf(*row));
    }
    for (std::size_t block = 1; block < m_sums.size(); ++block) {
        for (std::size_t group = 0; group <= kMost; ++group)
            addWrapping(m_sums[block][group], m_sums[block - 1][group]);
    }
}

const MemoryGroups::Bytes9& MemoryGroups::Cursor::after(std::uint64_t events) {
    const auto& sums = m_groups->m_sums;
    if (!sums.empty()) {
        const std::uint64_t block = std::min<std::uint64_t>(events / kBlock, sums.size() - 1);
        if (block * kBlock > m_events || events < m_events) {
            m_events = block * kBlock;
            m_bytes = sums[static_cast<std::size_t>(block)];
        }
    } else if (events < m_events) {
        m_events = 0;
        m_bytes = {};
    }
    const Snapshot& snapshot = *m_memory->snapshot();
    for (; m_events < events; ++m_events) {
        const auto event = snapshot.memoryEvent(m_events);
        if (!event || event->allocation.index() >= snapshot.allocationCount())
            continue;
        const AllocationId id = event->allocation;
        const bool allocates = event->action == MemoryAction::kAllocate;
        const auto row = snapshot.allocation(id);
        if (!row || (allocates ? m_memory->allocateEvent(id) : m_memory->freeEvent(id)) != m_events)
            continue;
        addWrapping(m_bytes[m_groups->groupOf(id)], allocates ? bytesOf(*row) : -bytesOf(*row));
    }
    return m_bytes;
}

}  // namespace warpglass
