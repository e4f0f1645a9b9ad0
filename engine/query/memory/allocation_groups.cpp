#include "engine/query/memory/allocation_groups.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "engine/base/collect.h"
#include "engine/base/units.h"
#include "engine/query/spans/module_group.h"

namespace warpglass {

namespace {

/// Category, module group, part, op, requested size, phase and step.
using AllocationKey = std::tuple<Category, std::size_t, NameId, NameId, std::int64_t, Phase, std::int32_t>;

struct Members {
    std::vector<AllocationId> ids;
    Bytes bytes;
};

Bytes bytesOf(const Snapshot& snapshot, const std::vector<AllocationId>& ids) {
    Bytes sum;
    forEachAllocation(snapshot, ids,
                      [&](AllocationId, const AllocationRow& row) { sum += Bytes(row.bytes); });
    return sum;
}

/// The `most` largest, with their shares of `all`.
std::vector<AllocationGroup> singles(AllocationDetails& details, const std::vector<AllocationId>& ids,
                                     std::size_t most, Bytes all) {
    std::vector<AllocationGroup> list;
    for (AllocationDetail& detail : details.largest(ids, most)) {
        AllocationGroup& one = list.emplace_back();
        static_cast<AllocationDetail&>(one) = std::move(detail);
        one.each = Bytes(one.row.bytes);
        one.share = shareOf(one.each, all);
        one.shortest = one.longest = one.until - one.allocated;
        one.someToEnd = one.toEnd;
        one.key = std::to_string(one.id.value);
    }
    return list;
}

std::map<AllocationKey, Members> membersOf(const MemoryTimeline& memory, const std::vector<AllocationId>& ids,
                                           MemoryOps& ops) {
    const Snapshot& snapshot = *memory.snapshot();
    AllocationKeys modules(memory, BreakdownKey::kModuleGroup);
    std::map<AllocationKey, Members> groups;
    forEachAllocation(snapshot, ids, [&](AllocationId id, const AllocationRow& row) {
        const Place place = snapshot.place(row.place);
        Members& members = groups[{memory.categoryOf(id), modules.of(id, row), place.part,
                                   ops.of(memory, id, row), row.requested, place.phase, row.step}];
        members.ids.push_back(id);
        members.bytes += Bytes(row.bytes);
    });
    return groups;
}

/// Makes one that stands for the first of several stand for all of them.
void sumUp(AllocationGroup& group, const Members& members, AllocationDetails& details,
           const Snapshot& snapshot) {
    group.allocations = static_cast<std::int64_t>(members.ids.size());
    const std::int64_t requested = group.row.requested;
    group.row.bytes = members.bytes.value;
    group.row.requested = 0;
    group.each = Bytes(members.bytes.value / group.allocations);
    for (const AllocationId id : members.ids) {
        const AllocationTimes life = details.timesOf(id);
        addWrapping(group.row.requested, requested);
        group.shortest = std::min(group.shortest, life.until - life.allocated);
        group.longest = std::max(group.longest, life.until - life.allocated);
        group.allocated = std::min(group.allocated, life.allocated);
        group.until = std::max(group.until, life.until);
        group.freed =
            group.freed && life.freed ? std::optional(std::max(*group.freed, *life.freed)) : std::nullopt;
        group.toEnd = group.toEnd && life.toEnd;
        group.someToEnd = group.someToEnd || life.toEnd;
        if (snapshot.name(snapshot.place(snapshot.allocation(id)->place).module) != group.module)
            group.module = moduleGroup(group.module);
    }
    group.key.clear();
    for (const std::string& part : {group.category, moduleGroup(group.module), group.part, group.op,
                                    group.phase, std::to_string(group.row.step), std::to_string(requested)})
        group.key += part + '\n';
}

}  // namespace

std::vector<AllocationGroup> singleAllocations(const MemoryTimeline& memory,
                                               const std::vector<AllocationId>& ids, std::size_t most) {
    if (!memory.snapshot())
        return {};
    AllocationDetails details(memory);
    return singles(details, ids, most, bytesOf(*memory.snapshot(), ids));
}

LargestHolding largestHolding(const MemoryTimeline& memory, const std::vector<AllocationId>& ids) {
    LargestHolding holding;
    if (!memory.snapshot())
        return holding;
    const Snapshot& snapshot = *memory.snapshot();
    AllocationKeys parts(memory, BreakdownKey::kModulePart);
    struct InPart {
        Bytes bytes;
        std::int64_t allocations = 0, least = std::numeric_limits<std::int64_t>::max(), most = 0;
    };
    std::array<Bytes, kCategoryCount> bytes{};
    std::map<std::pair<Category, std::size_t>, InPart> inParts;
    forEachAllocation(snapshot, ids, [&](AllocationId id, const AllocationRow& row) {
        const Category category = memory.categoryOf(id);
        bytes[static_cast<std::size_t>(category)] += Bytes(row.bytes);
        InPart& in = inParts[{category, parts.of(id, row)}];
        in.bytes += Bytes(row.bytes);
        ++in.allocations;
        in.least = std::min(in.least, row.bytes);
        in.most = std::max(in.most, row.bytes);
    });
    const auto largest = std::ranges::max_element(bytes);
    holding.category = static_cast<Category>(largest - bytes.begin());
    holding.bytes = *largest;
    for (const auto& [key, in] : inParts) {
        if (key.first != holding.category || in.bytes <= holding.partBytes)
            continue;
        holding.part = keyName(snapshot, key.second, BreakdownKey::kModulePart);
        holding.partBytes = in.bytes;
        holding.partAllocations = in.allocations;
        holding.each = in.least == in.most ? std::optional(Bytes(in.most)) : std::nullopt;
    }
    return holding;
}

std::int64_t allocationsIn(std::span<const AllocationGroup> rows) {
    return sumOver<std::int64_t>(rows, &AllocationGroup::allocations);
}

std::vector<AllocationGroup> largestAllocationGroups(const MemoryTimeline& memory,
                                                     const std::vector<AllocationId>& ids, std::size_t most) {
    std::vector<AllocationGroup> list;
    if (!memory.snapshot() || most == 0)
        return list;
    const Snapshot& snapshot = *memory.snapshot();
    AllocationDetails details(memory);
    auto groups = mapped<Members>(membersOf(memory, ids, details.ops()),
                                  [&](auto& each) { return std::move(each.second); });
    std::ranges::sort(groups, [](const Members& a, const Members& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.ids.front() < b.ids.front();
    });
    groups.resize(std::min(groups.size(), most));
    const Bytes all = bytesOf(snapshot, ids);
    std::size_t left = 10 * most;
    for (const Members& members : groups) {
        std::vector<AllocationGroup> largest =
            singles(details, members.ids, std::clamp<std::size_t>(left, 1, most), all);
        AllocationGroup& group = list.emplace_back(largest.front());
        if (members.ids.size() == 1)
            continue;
        sumUp(group, members, details, snapshot);
        group.share = shareOf(members.bytes, all);
        left -= std::min(left, largest.size());
        group.children = std::move(largest);
    }
    return list;
}

}  // namespace warpglass
