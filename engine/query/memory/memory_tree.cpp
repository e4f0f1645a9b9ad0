#include "engine/query/memory/memory_tree.h"

#include <algorithm>
#include <unordered_map>

namespace warpglass {

namespace {

void add(MemoryTreeNode& node, const AllocationRow& row, Category category) {
    node.bytes += Bytes(row.bytes);
    node.asked += Bytes(row.requested);
    ++node.allocations;
    addWrapping(node.byCategory[static_cast<std::size_t>(category)], row.bytes);
}

void add(MemoryTreeNode& node, const MemoryTreeNode& child) {
    node.bytes += child.bytes;
    node.asked += child.asked;
    node.allocations += child.allocations;
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        addWrapping(node.byCategory[c], child.byCategory[c]);
}

/// The nodes while they are made: parents come before what is in them, and only the innermost have sums.
class Nodes {
public:
    /// The node of the key in that parent, made if there is none yet.
    std::size_t in(std::size_t parent, std::size_t key, const Snapshot& snapshot, BreakdownKey kind) {
        const auto [at, isNew] =
            m_found.emplace(static_cast<std::uint64_t>(parent) << 32 | key, m_nodes.size());
        if (isNew) {
            m_parents.push_back(parent);
            MemoryTreeNode& made = m_nodes.emplace_back();
            made.key = key;
            made.name = keyName(snapshot, key, kind);
        }
        return at->second;
    }
    MemoryTreeNode& operator[](std::size_t node) { return m_nodes[node]; }

    /// The root with all the others in it.
    MemoryTreeNode take() {
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            sortChildren(m_nodes[i]);
            if (i == 0)
                break;
            MemoryTreeNode& parent = m_nodes[m_parents[i]];
            add(parent, m_nodes[i]);
            parent.children.push_back(std::move(m_nodes[i]));
        }
        return std::move(m_nodes.front());
    }

private:
    static void sortChildren(MemoryTreeNode& node) {
        std::ranges::sort(node.children, [](const MemoryTreeNode& a, const MemoryTreeNode& b) {
            return a.bytes != b.bytes ? a.bytes > b.bytes : a.key < b.key;
        });
    }

    std::vector<MemoryTreeNode> m_nodes{1};
    std::vector<std::size_t> m_parents{0};
    std::unordered_map<std::uint64_t, std::size_t> m_found;
};

std::vector<AllocationKeys> keysOf(const MemoryTimeline& memory, const std::vector<BreakdownKey>& keys,
                                   std::size_t levels) {
    std::vector<AllocationKeys> made;
    made.reserve(levels);
    for (std::size_t i = 0; i < levels; ++i)
        made.emplace_back(memory, keys[i]);
    return made;
}

}  // namespace

MemoryTreeNode memoryTreeAt(const MemoryTimeline& memory, Nanoseconds t,
                            const std::vector<BreakdownKey>& keys, const AllocationConditions& conditions) {
    if (!memory.snapshot())
        return {};
    const Snapshot& snapshot = *memory.snapshot();
    std::vector<AllocationKeys> levels = keysOf(memory, keys, keys.size());
    Nodes nodes;
    forEachAllocation(snapshot, filterAllocations(memory, memory.aliveAt(t), conditions),
                      [&](AllocationId id, const AllocationRow& row) {
                          if (row.bytes <= 0)
                              return;
                          std::size_t node = 0;
                          for (std::size_t level = 0; level < levels.size(); ++level)
                              node = nodes.in(node, levels[level].of(id, row), snapshot, keys[level]);
                          add(nodes[node], row, memory.categoryOf(id));
                      });
    return nodes.take();
}

std::vector<AllocationId> allocationsUnder(const MemoryTimeline& memory, Nanoseconds t,
                                           const std::vector<BreakdownKey>& keys,
                                           const std::vector<std::size_t>& path,
                                           const AllocationConditions& conditions) {
    std::vector<AllocationId> found;
    if (!memory.snapshot())
        return found;
    const Snapshot& snapshot = *memory.snapshot();
    std::vector<AllocationKeys> levels = keysOf(memory, keys, path.size());
    for (const AllocationId id : filterAllocations(memory, memory.aliveAt(t), conditions)) {
        const auto row = snapshot.allocation(id);
        bool below = row && row->bytes > 0;
        for (std::size_t level = 0; below && level < path.size(); ++level)
            below = levels[level].of(id, *row) == path[level];
        if (below)
            found.push_back(id);
    }
    return found;
}

}  // namespace warpglass
