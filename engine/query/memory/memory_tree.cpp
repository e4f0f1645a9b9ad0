#include "engine/query/memory/memory_tree.h"

#include <algorithm>
#include <unordered_map>

namespace warpglass {

namespace {

void add(MemoryTreeNode& node, const AllocationRow& row) {
    node.bytes += Bytes(row.bytes);
    node.asked += Bytes(row.requested);
    ++node.allocations;
    std::int64_t& ofCategory =
        node.byCategory[std::min(static_cast<std::size_t>(row.category), kCategoryCount - 1)];
    ofCategory = wrappingAdd(ofCategory, row.bytes);
}

void sortChildren(MemoryTreeNode& node) {
    std::sort(node.children.begin(), node.children.end(),
              [](const MemoryTreeNode& a, const MemoryTreeNode& b) {
                  return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
              });
}

}  // namespace

MemoryTreeNode memoryTreeAt(const MemoryTimeline& memory, Nanoseconds t, BreakdownKey outer,
                            BreakdownKey inner, const AllocationConditions& conditions) {
    MemoryTreeNode root;
    if (!memory.snapshot())
        return root;
    const Snapshot& snapshot = *memory.snapshot();
    AllocationKeys outerKeys(memory, outer), innerKeys(memory, inner);
    std::unordered_map<std::uint64_t, std::size_t> leaves;  // of both keys, where among its parent's children
    std::vector<std::size_t> groupOf(outerKeys.count() + 1, static_cast<std::size_t>(-1));
    for (const AllocationId id : filterAllocations(snapshot, memory.aliveAt(t), conditions)) {
        const auto row = snapshot.allocation(id);
        if (!row || row->bytes <= 0)
            continue;
        const std::size_t a = outerKeys.of(id, *row), b = innerKeys.of(id, *row);
        if (groupOf[a] == static_cast<std::size_t>(-1)) {
            groupOf[a] = root.children.size();
            MemoryTreeNode& group = root.children.emplace_back();
            group.key = a;
            group.name = keyName(snapshot, a, outer);
        }
        MemoryTreeNode& group = root.children[groupOf[a]];
        const auto [leaf, isNew] =
            leaves.emplace(static_cast<std::uint64_t>(a) << 32 | b, group.children.size());
        if (isNew) {
            MemoryTreeNode& made = group.children.emplace_back();
            made.key = b;
            made.name = keyName(snapshot, b, inner);
        }
        add(root, *row);
        add(group, *row);
        add(group.children[leaf->second], *row);
    }
    sortChildren(root);
    for (MemoryTreeNode& group : root.children)
        sortChildren(group);
    return root;
}

std::vector<AllocationId> allocationsUnder(const MemoryTimeline& memory, Nanoseconds t, BreakdownKey outer,
                                           std::size_t outerKey, BreakdownKey inner,
                                           std::optional<std::size_t> innerKey,
                                           const AllocationConditions& conditions) {
    std::vector<AllocationId> found;
    if (!memory.snapshot())
        return found;
    const Snapshot& snapshot = *memory.snapshot();
    AllocationKeys outerKeys(memory, outer), innerKeys(memory, inner);
    for (const AllocationId id : filterAllocations(snapshot, memory.aliveAt(t), conditions)) {
        const auto row = snapshot.allocation(id);
        if (!row || row->bytes <= 0 || outerKeys.of(id, *row) != outerKey)
            continue;
        if (!innerKey || innerKeys.of(id, *row) == *innerKey)
            found.push_back(id);
    }
    return found;
}

}  // namespace warpglass
