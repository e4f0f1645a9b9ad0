#include "engine/query/memory/memory_breakdown.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "engine/base/collect.h"
#include "engine/query/spans/step_spans.h"

namespace warpglass {

namespace {

std::string textOr(std::string_view text, std::string_view otherwise) {
    return std::string(text.empty() ? otherwise : text);
}

/// By module, the first name of a module that `nameOf` calls the same.
std::vector<std::size_t> firstsOfSame(const Snapshot& snapshot, std::string (*nameOf)(std::string_view)) {
    std::vector<std::uint8_t> isModule(snapshot.nameCount());
    for (std::size_t i = 0; i < snapshot.placeCount(); ++i) {
        const NameId module = snapshot.place(PlaceId(i)).module;
        if (module.valid() && module.index() < isModule.size())
            isModule[module.index()] = 1;
    }
    std::unordered_map<std::string, std::size_t> firsts;
    std::vector<std::size_t> partOf(isModule.size());
    for (std::size_t name = 0; name < partOf.size(); ++name) {
        if (isModule[name])
            partOf[name] = firsts.try_emplace(nameOf(snapshot.name(NameId(name))), name).first->second;
    }
    return partOf;
}

/// Row numbers by a dense index; the last index stands for "none".
class RowIndex {
public:
    explicit RowIndex(std::size_t keys) : m_rows(keys + 1, kNone) {}

    BreakdownRow& row(std::size_t key, std::vector<BreakdownRow>& rows) {
        std::size_t& index = m_rows[key];
        if (index == kNone) {
            index = rows.size();
            rows.emplace_back();
        }
        return rows[index];
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> m_rows;
};

}  // namespace

std::size_t keyCount(const Snapshot& snapshot, BreakdownKey key) {
    switch (key) {
        case BreakdownKey::kCategory:
            return kCategoryCount;
        case BreakdownKey::kPhase:
            return kPhaseCount;
        case BreakdownKey::kModule:
        case BreakdownKey::kModulePart:
        case BreakdownKey::kModuleGroup:
        case BreakdownKey::kOp:
            return snapshot.nameCount();
    }
    return 0;
}

AllocationKeys::AllocationKeys(const MemoryTimeline& memory, BreakdownKey key)
    : m_memory(memory), m_key(key), m_count(keyCount(*memory.snapshot(), key)), m_ops(*memory.snapshot()) {
    if (key == BreakdownKey::kModulePart)
        m_partOf = firstsOfSame(*memory.snapshot(), modulePart);
    else if (key == BreakdownKey::kModuleGroup)
        m_partOf = firstsOfSame(*memory.snapshot(), moduleGroup);
}

std::size_t AllocationKeys::of(AllocationId id, const AllocationRow& row) {
    return std::min(keyOf(id, row), m_count);
}

std::size_t AllocationKeys::keyOf(AllocationId id, const AllocationRow& row) {
    const Snapshot& snapshot = *m_memory.snapshot();
    switch (m_key) {
        case BreakdownKey::kCategory:
            return static_cast<std::size_t>(m_memory.categoryOf(id));
        case BreakdownKey::kPhase:
            return static_cast<std::size_t>(snapshot.place(row.place).phase);
        case BreakdownKey::kModule:
            return snapshot.place(row.place).module.index();
        case BreakdownKey::kModulePart:
        case BreakdownKey::kModuleGroup: {
            const std::size_t module = snapshot.place(row.place).module.index();
            return module < m_partOf.size() ? m_partOf[module] : m_count;
        }
        case BreakdownKey::kOp:
            return m_ops.of(m_memory, id, row).index();
    }
    return m_count;
}

std::string keyName(const Snapshot& snapshot, std::size_t index, BreakdownKey key) {
    switch (key) {
        case BreakdownKey::kCategory:
            return std::string(kCategoryNames[std::min(index, kCategoryCount - 1)]);
        case BreakdownKey::kPhase:
            return std::string(index > 0 && index < kPhaseCount ? kPhaseNames[index] : kOutsidePhases);
        case BreakdownKey::kModule:
            return textOr(snapshot.name(NameId(index)), kOutsideModel);
        case BreakdownKey::kModulePart:
            return textOr(modulePart(snapshot.name(NameId(index))), kOutsideModel);
        case BreakdownKey::kModuleGroup:
            return textOr(moduleGroup(snapshot.name(NameId(index))), kOutsideModel);
        case BreakdownKey::kOp:
            return textOr(snapshot.name(NameId(index)), kOutsideOps);
    }
    return {};
}

namespace {

/// What is within a row and less than this of all is one row, unless it is one already.
constexpr double kSmall = 0.005;

/// Precondition: they are sorted, the largest first.
void foldSmall(std::vector<BreakdownRow>& rows) {
    const auto first = std::ranges::find_if(rows, [](const BreakdownRow& row) { return row.share < kSmall; });
    if (rows.end() - first < 2)
        return;
    BreakdownRow rest;
    rest.name = "(" + std::to_string(rows.end() - first) + " smaller)";
    rest.key = first->key;
    for (auto row = first; row != rows.end(); ++row) {
        rest.bytes += row->bytes;
        rest.share += row->share;
        rest.allocations += row->allocations;
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            addWrapping(rest.byCategory[c], row->byCategory[c]);
    }
    rows.erase(first, rows.end());
    rows.push_back(std::move(rest));
}

/// The rows of `ids`, by the first level, and within each row by the others; shares are of `all`.
std::vector<BreakdownRow> rowsBy(const MemoryTimeline& timeline, const std::vector<AllocationId>& ids,
                                 std::span<AllocationKeys> levels, Bytes all) {
    const Snapshot& snapshot = *timeline.snapshot();
    AllocationKeys& of = levels.front();
    const auto inner = levels.subspan(1);
    RowIndex index(of.count());
    std::vector<BreakdownRow> rows;
    std::vector<std::vector<AllocationId>> within;  // by row, for the keys that follow
    forEachAllocation(snapshot, ids, [&](AllocationId id, const AllocationRow& allocation) {
        const std::size_t k = of.of(id, allocation);
        BreakdownRow& row = index.row(k, rows);
        if (row.allocations++ == 0) {
            row.name = keyName(snapshot, k, of.key());
            row.key = of.key();
        }
        addWrapping(row.byCategory[static_cast<std::size_t>(timeline.categoryOf(id))], allocation.bytes);
        row.bytes += Bytes(allocation.bytes);
        within.resize(rows.size());
        if (!inner.empty())
            within[static_cast<std::size_t>(&row - rows.data())].push_back(id);
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        BreakdownRow& row = rows[i];
        row.share = shareOf(row.bytes, all);
        if (!inner.empty())
            row.children = rowsBy(timeline, within[i], inner, all);
        nameRowsBesideTheirOwn(row.children);
        foldSmall(row.children);
        if (row.children.size() == 1)
            row.children.clear();
    }
    std::ranges::sort(rows, [](const BreakdownRow& a, const BreakdownRow& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.name < b.name;
    });
    return rows;
}

}  // namespace

std::vector<BreakdownRow> breakdownAt(const MemoryTimeline& timeline, Nanoseconds t,
                                      const std::vector<BreakdownKey>& keys,
                                      const AllocationConditions& conditions) {
    if (!timeline.snapshot() || keys.empty())
        return {};
    const std::vector<AllocationId> ids = filterAllocations(timeline, timeline.aliveAt(t), conditions);
    Bytes all;
    forEachAllocation(*timeline.snapshot(), ids,
                      [&](AllocationId, const AllocationRow& allocation) { all += Bytes(allocation.bytes); });
    auto levels =
        mapped<AllocationKeys>(keys, [&](BreakdownKey key) { return AllocationKeys(timeline, key); });
    return rowsBy(timeline, ids, levels, all);
}

AllocationDetail describeAllocation(const MemoryTimeline& timeline, AllocationId id) {
    return AllocationDetails(timeline).of(id);
}

AllocationDetails::AllocationDetails(const MemoryTimeline& timeline)
    : m_timeline(timeline), m_ops(*timeline.snapshot()), m_teardown(teardownBegin(*timeline.snapshot())) {}

AllocationDetail AllocationDetails::of(AllocationId id) {
    const Snapshot& snapshot = *m_timeline.snapshot();
    AllocationDetail detail;
    detail.id = id;
    detail.row = snapshot.allocation(id).value_or(AllocationRow());
    static_cast<AllocationTimes&>(detail) = timesOf(id);
    const Place place = snapshot.place(detail.row.place);
    detail.row.category = m_timeline.categoryOf(id);
    detail.category = categoryName(detail.row.category);
    detail.phase = phaseName(place.phase);
    detail.module = snapshot.name(place.module);
    detail.part = snapshot.name(place.part);
    detail.op = snapshot.name(m_ops.of(m_timeline, id, detail.row));
    return detail;
}

AllocationTimes AllocationDetails::timesOf(AllocationId id) const {
    const Nanoseconds end = m_timeline.snapshot()->range().end;
    AllocationTimes life{m_timeline.allocatedAt(id), m_timeline.freedAt(id), {}, false};
    life.until = life.freed.value_or(end);
    life.toEnd =
        !life.freed || (m_teardown < end && life.allocated < m_teardown && *life.freed >= m_teardown);
    return life;
}

std::vector<AllocationDetail> AllocationDetails::largest(const std::vector<AllocationId>& ids,
                                                         std::size_t count) {
    struct Sized {
        std::int64_t bytes;
        AllocationId id;
    };
    std::vector<Sized> sized;
    sized.reserve(ids.size());
    for (const AllocationId id : ids) {
        if (const auto row = m_timeline.snapshot()->allocation(id))
            sized.push_back({row->bytes, id});
    }
    count = std::min(count, sized.size());
    std::partial_sort(
        sized.begin(), sized.begin() + static_cast<std::ptrdiff_t>(count), sized.end(),
        [](const Sized& a, const Sized& b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.id < b.id; });
    std::vector<AllocationDetail> details;
    details.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        details.push_back(of(sized[i].id));
    return details;
}

std::vector<AllocationDetail> largestAllocations(const MemoryTimeline& timeline,
                                                 const std::vector<AllocationId>& ids, std::size_t count) {
    if (!timeline.snapshot())
        return {};
    return AllocationDetails(timeline).largest(ids, count);
}

}  // namespace warpglass
