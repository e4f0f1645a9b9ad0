#include "engine/tables/memory_columns.h"

#include <functional>
#include <limits>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/base/units.h"
#include "engine/query/spans/module_group.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Share = Column<BreakdownRow>;
using Between = Column<MemoryBetweenRow>;
using Allocation = Column<AllocationDetail>;
using Alike = Column<AllocationGroup>;
using Words = std::optional<std::string>;

/// The swatch before a group's name.
std::optional<Swatch> swatchOfGroup(const std::string& name, BreakdownKey key) {
    if (key == BreakdownKey::kCategory)
        return swatchOfName(Swatch::kCategory, name);
    if (key == BreakdownKey::kPhase)
        return swatchOfName(Swatch::kPhase, name == kOutsidePhases ? phaseName(Phase::kNone) : name);
    return std::nullopt;
}

bool isCode(BreakdownKey key) {
    return key != BreakdownKey::kCategory && key != BreakdownKey::kPhase;
}

std::vector<Share> breakdownColumns() {
    return {Share("name", "Name", Unit::kText, "The category, module or op that it counts under",
                  &BreakdownRow::name,
                  {.swatch = [](const BreakdownRow& row) { return swatchOfGroup(row.name, row.key); },
                   .code = [](const BreakdownRow& row) { return isCode(row.key); },
                   .width = 280}),
            Share("size_bytes", "Size", Unit::kBytes, "Live bytes, as the allocator gave them",
                  &BreakdownRow::bytes, {.width = 96}),
            Share("share", "Share", Unit::kFraction, "Share of all live bytes, divided by category",
                  &BreakdownRow::share,
                  {.exact = [](const BreakdownRow& row) { return categoriesInWords(row.byCategory); },
                   .bar = Bar::kOfLargest,
                   .parts = &BreakdownRow::byCategory,
                   .longBar = true}),
            Share("allocations", "Allocations", Unit::kCount, "Number of live allocations",
                  &BreakdownRow::allocations, {.width = 92})};
}

/// Shows a flow's bytes, and on hover in how many allocations. `former`: what its title was.
template <class Flow>
Between flow(std::string key, std::string title, std::string description, Flow of, std::string former = {}) {
    const auto bytesOf = [of](const MemoryBetweenRow& row) { return std::invoke(of, row).bytes; };
    return Between(
        std::move(key), std::move(title), Unit::kBytes, std::move(description), bytesOf,
        {.text = [bytesOf](
                     const MemoryBetweenRow& row) { return bytesOf(row).value == 0 ? Words("–") : Words(); },
         .exact =
             [of](const MemoryBetweenRow& row) {
                 const MemoryFlow flow = std::invoke(of, row);
                 return formatBytesExact(flow.bytes) + " in " + formatGrouped(flow.allocations) +
                        " allocations";
             },
         .formerTitle = std::move(former),
         .width = 84});
}

/// The largest changes come first, whichever way they go.
template <class Row, class Change, class Parts>
Column<Row> changeColumn(std::string description, Change change, Parts parts) {
    Column<Row> column("change_bytes", "Change", Unit::kBytes, std::move(description), change);
    column.text = [change](const Row& row) { return Words(signedBytes(std::invoke(change, row))); };
    column.sort = [change](const Row& row) { return saturatingAbs(std::invoke(change, row).value); };
    column.bar = Bar::kDiverging;
    column.parts = parts;
    column.width = 132;
    return column;
}

CategoryBytes onlyOf(Category category, std::int64_t bytes) {
    CategoryBytes parts{};
    parts[static_cast<std::size_t>(category)] = bytes;
    return parts;
}

/// They add up to the change. Where categories go both ways, it is a difference between them and so of none.
CategoryBytes changeByCategory(const MemoryBetweenRow& row) {
    CategoryBytes parts{};
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        const std::int64_t bytes = row.byCategory[c];
        if (bytes != 0 && (bytes < 0) != (row.change().value < 0))
            return onlyOf(Category::kUnknown, saturatingAbs(row.change().value));
        parts[c] = saturatingAbs(bytes);
    }
    return parts;
}

std::vector<Between> betweenColumns() {
    return {
        Between("name", "Name", Unit::kText, "The category, module or op that it counts under",
                &MemoryBetweenRow::name,
                {.swatch =
                     [](const MemoryBetweenRow& row) {
                         return row.isTotal ? std::nullopt : swatchOfGroup(row.name, row.key);
                     },
                 .code = [](const MemoryBetweenRow& row) { return !row.isTotal && isCode(row.key); },
                 .width = 228}),
        flow("kept_bytes", "Kept", "Allocated between the cursors and still live at the second",
             &MemoryBetweenRow::kept, "Added"),
        flow("allocated_bytes", "Allocated", "All that was allocated between the cursors: kept and transient",
             &MemoryBetweenRow::allocated),
        Between("allocations", "Allocations", Unit::kCount,
                "How often memory was allocated between the cursors",
                [](const MemoryBetweenRow& row) { return row.allocated.allocations; },
                {.formerTitle = "Allocs", .width = 88}),
        flow("freed_bytes", "Freed", "All that was freed between the cursors: released and transient",
             &MemoryBetweenRow::freed),
        Between("frees", "Frees", Unit::kCount, "How often memory was freed between the cursors",
                [](const MemoryBetweenRow& row) { return row.freed.allocations; }, {.width = 84}),
        flow("freed_older_bytes", "Released", "Live at the first cursor and freed before the second",
             &MemoryBetweenRow::freedOlder, "Older freed"),
        changeColumn<MemoryBetweenRow>("Kept minus released: what memory in use rises or falls by",
                                       &MemoryBetweenRow::change, changeByCategory),
        flow("transient_bytes", "Transient",
             "Allocated and freed between the cursors, so that it is live at neither",
             &MemoryBetweenRow::transient)};
}

/// What only the end of the run ends comes after all that was freed before.
std::int64_t lifetimeOrder(Nanoseconds life, bool toEnd) {
    return toEnd ? wrappingAdd(life.value, std::numeric_limits<std::int64_t>::max() / 2) : life.value;
}

Allocation placed(std::string key, std::string title, std::string description,
                  std::string AllocationDetail::*of, int width, bool code) {
    Allocation column(std::move(key), std::move(title), Unit::kText, std::move(description), unlessEmpty(of),
                      {.width = width});
    if (code)
        column.code = kAlways;
    return column;
}

std::vector<Allocation> allocationColumns() {
    return {
        Allocation("size_bytes", "Size", Unit::kBytes, "Size as the allocator gave it",
                   [](const AllocationDetail& a) { return a.row.bytes; },
                   {.exact =
                        [](const AllocationDetail& a) {
                            return formatBytesExact(Bytes(a.row.bytes)) + " allocated, " +
                                   formatBytesExact(Bytes(a.row.requested)) + " requested";
                        },
                    .width = 84}),
        Allocation("requested_bytes", "Requested", Unit::kBytes, "Size before the allocator rounded it up",
                   [](const AllocationDetail& a) { return a.row.requested; }, {.width = 84}),
        Allocation("category", "Category", Unit::kText, "What it is used for, as observed by the engine",
                   &AllocationDetail::category,
                   {.sort = [](const AllocationDetail& a) { return static_cast<int>(a.row.category); },
                    .swatch = [](const AllocationDetail& a) { return swatchOf(a.row.category); },
                    .width = 108}),
        Allocation("step", "Step", Unit::kOrdinal, "The step that allocated it; – if before the first step",
                   stepOf([](const AllocationDetail& a) { return a.row.step; }),
                   {.sort = [](const AllocationDetail& a) { return a.row.step; }, .width = 52}),
        placed("phase", "Phase", "The phase that allocated it", &AllocationDetail::phase, 80, false),
        placed("module", "Module", "The module that allocated it", &AllocationDetail::module, 168, true),
        placed("part", "Part", "The named piece of the module's work", &AllocationDetail::part, 76, false),
        placed("op", "Op",
               "The op that requested it; for empty, empty_strided and similar ops, the op that called them",
               &AllocationDetail::op, 148, true),
        Allocation("allocated_ns", "Allocated", Unit::kMoment, "Time since recording began",
                   &AllocationDetail::allocated, {.width = 84}),
        Allocation("freed_ns", "Freed", Unit::kMoment, "Time since recording began; – if it was never freed",
                   &AllocationDetail::freed, {.seen = Seen::kCommandLine}),
        Allocation("allocation", "Id", Unit::kOrdinal, "The allocation's number in the run",
                   &AllocationDetail::id, {.seen = Seen::kCommandLine}),
        Allocation(
            "lifetime_ns", "Lifetime", Unit::kNanoseconds,
            "From allocation to free; what only the end of the run ends lives at least so long",
            [](const AllocationDetail& a) { return a.freed ? cellOf(*a.freed - a.allocated) : Cell(); },
            {.text =
                 [](const AllocationDetail& a) {
                     return a.toEnd ? Words("to the end, ≥ " + formatDuration(a.until - a.allocated))
                                    : Words();
                 },
             .exact =
                 [](const AllocationDetail& a) {
                     return a.freed ? Words() : Words("Not freed when the run ended");
                 },
             .sort = [](const AllocationDetail& a) { return lifetimeOrder(a.until - a.allocated, a.toEnd); },
             .width = 136,
             .after = "freed_ns"}),
        Allocation(
            "address", "Address", Unit::kAddress, "The device's or host's address",
            [](const AllocationDetail& a) { return addressText(a.row.address); },
            {.sort = [](const AllocationDetail& a) { return static_cast<std::int64_t>(a.row.address); },
             .width = 116}),
    };
}

/// The columns of rows that hold an allocation, `inner(row)`.
template <class Row, class Inner>
std::vector<Column<Row>> allocationColumnsOf(Inner inner) {
    return mapped<Column<Row>>(allocationColumns(),
                               [&](const Allocation& column) { return lifted<Row>(column, inner); });
}

Words lifetimeText(const AllocationGroup& group) {
    const std::string longest = formatDuration(group.longest), shortest = formatDuration(group.shortest);
    if (group.toEnd)
        return "to the end, ≥ " + shortest;
    if (group.someToEnd)
        return "≥ " + shortest + " to the end";
    return shortest == longest ? longest : shortest + " to " + longest;
}

Words exactLifetime(const AllocationGroup& group) {
    if (!group.freed)
        return group.toEnd ? "Not freed when the run ended" : "Some were not freed when the run ended";
    if (group.shortest == group.longest)
        return {};
    return exactCell(cellOf(group.shortest), Unit::kNanoseconds) + " to " +
           exactCell(cellOf(group.longest), Unit::kNanoseconds);
}

std::vector<Alike> alikeColumns() {
    std::vector<Alike> columns = allocationColumnsOf<AllocationGroup>(
        [](const AllocationGroup& group) -> const AllocationDetail* { return &group; });
    for (Alike& column : columns) {
        const auto ofOne = [](const auto& read) {
            return [read](const AllocationGroup& group) {
                return group.allocations == 1 ? read(group, {}) : Cell();
            };
        };
        if (column.key == "address" || column.key == "allocation")
            column.value = ofOne(column.value);
        if (column.key == "address")
            column.sort = ofOne(column.sort);
        if (column.key == "module") {
            column.description = "The module that allocated it; blocks.* where several blocks did";
            column.text = [](const AllocationGroup& group) {
                return group.module.empty() ? Words(std::string(kOutsideModel)) : Words();
            };
            column.swatch = [](const AllocationGroup& group) { return swatchOf(group.row.category); };
            column.width = 240;
        }
        if (column.key == "category")
            column.swatch = {};
        if (column.key == "size_bytes")
            column.width = 76;
        if (column.key == "allocated_ns")
            column.description = "When the first was allocated, since recording began";
        if (column.key == "lifetime_ns") {
            column.description =
                "From allocation to free, the shortest and the longest; what only the end of "
                "the run ends lives at least so long";
            column.value = [](const AllocationGroup& group) {
                return group.freed ? cellOf(group.longest) : Cell();
            };
            column.text = lifetimeText;
            column.exact = exactLifetime;
            column.sort = [](const AllocationGroup& group) {
                return lifetimeOrder(group.longest, group.someToEnd);
            };
            column.width = 148;
        }
    }
    columns.push_back(Alike("allocations", "Count", Unit::kCount, "How many alike allocations it is",
                            &AllocationGroup::allocations, {.width = 56}));
    columns.push_back(Alike("each_bytes", "Each", Unit::kBytes, "The mean size of one of them",
                            &AllocationGroup::each, {.width = 76}));
    columns.push_back(Alike(
        "share", "Share", Unit::kFraction, "Share of the bytes of all allocations that pass the filter",
        &AllocationGroup::share,
        {.bar = Bar::kOfLargest,
         .parts = [](const AllocationGroup& group) { return onlyOf(group.row.category, group.row.bytes); },
         .width = 160}));
    return columns;
}

}  // namespace

std::string signedBytes(Bytes bytes) {
    if (bytes.value == 0)
        return "0";
    return (bytes.value > 0 ? "+" : "−") + formatBytes(bytes.value > 0 ? bytes : -bytes);
}

const TableDescription<BreakdownRow>& breakdownTable() {
    static const TableDescription<BreakdownRow> table{
        "memory-by", breakdownColumns(), {"name", "size_bytes", "allocations", "share"}};
    return table;
}

const TableDescription<MemoryBetweenRow>& betweenTable() {
    static const TableDescription<MemoryBetweenRow> table{
        "between",
        betweenColumns(),
        {"name", "change_bytes", "kept_bytes", "freed_older_bytes", "transient_bytes", "allocations",
         "frees"},
        &MemoryBetweenRow::isTotal};
    return table;
}

const TableDescription<AllocationChange>& allocationChangesTable() {
    static const TableDescription<AllocationChange> table = [] {
        std::vector<Column<AllocationChange>> columns = allocationColumnsOf<AllocationChange>(
            [](const AllocationChange& change) { return &change.allocation; });
        columns.insert(
            columns.begin(),
            changeColumn<AllocationChange>(
                "Its size; − if it was freed", &AllocationChange::change, [](const AllocationChange& change) {
                    return onlyOf(change.allocation.row.category, saturatingAbs(change.change.value));
                }));
        return TableDescription<AllocationChange>{
            "between-allocations",
            std::move(columns),
            {"category", "change_bytes", "module", "phase", "op", "step", "allocated_ns"}};
    }();
    return table;
}

const TableDescription<AllocationDetail>& allocationsTable() {
    static const TableDescription<AllocationDetail> table{
        "allocations",
        allocationColumns(),
        {"category", "size_bytes", "requested_bytes", "module", "part", "phase", "step", "allocated_ns",
         "lifetime_ns", "address", "op"}};
    return table;
}

const TableDescription<AllocationGroup>& allocationGroupsTable() {
    static const TableDescription<AllocationGroup> table{
        "allocation-groups",
        alikeColumns(),
        {"module", "category", "size_bytes", "share", "allocations", "each_bytes", "phase", "op", "step",
         "allocated_ns", "lifetime_ns", "requested_bytes", "part", "address"}};
    return table;
}

}  // namespace warpglass
