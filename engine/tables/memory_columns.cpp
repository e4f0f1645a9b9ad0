#include "engine/tables/memory_columns.h"

#include <functional>
#include <limits>

#include "engine/base/format.h"
#include "engine/base/saturating_abs.h"
#include "engine/query/spans/module_group.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Share = Column<BreakdownRow, GroupedBy>;
using Between = Column<MemoryBetweenRow>;
using Allocation = Column<AllocationDetail>;
using Words = std::optional<std::string>;

/// The swatch before a group's name.
std::optional<Swatch> swatchOfGroup(const std::string& name, BreakdownKey key) {
    if (key == BreakdownKey::kCategory)
        return swatchOfName(Swatch::kCategory, name);
    if (key == BreakdownKey::kPhase)
        return swatchOfName(Swatch::kPhase, name == kOutsidePhases ? phaseName(Phase::kNone) : name);
    return std::nullopt;
}

bool isCode(const GroupedBy& of) {
    return of.key == BreakdownKey::kModule || of.key == BreakdownKey::kOp;
}

std::vector<Share> breakdownColumns() {
    return {Share("name", "Name", Unit::kText, "The category, module or op that it counts under",
                  &BreakdownRow::name,
                  {.swatch = [](const BreakdownRow& row,
                                const GroupedBy& of) { return swatchOfGroup(row.name, of.key); },
                   .code = isCode,
                   .width = 280}),
            Share("size_bytes", "Size", Unit::kBytes, "Live bytes, as the allocator gave them",
                  &BreakdownRow::bytes, {.width = 96}),
            Share("share", "Share", Unit::kFraction, "Share of all live bytes, divided by category",
                  &BreakdownRow::share,
                  {.exact = [](const BreakdownRow& row) { return categoriesInWords(row.byCategory); },
                   .bar = Bar::kOfWhole,
                   .parts = &BreakdownRow::byCategory,
                   .longBar = true}),
            Share("allocations", "Allocations", Unit::kCount, "Number of live allocations",
                  &BreakdownRow::allocations, {.width = 92})};
}

/// Shows a flow's bytes, and on hover in how many allocations. `former`: what its title was.
Between flow(std::string key, std::string title, std::string description, MemoryFlow MemoryBetweenRow::*of,
             std::string former = {}) {
    return Between(
        std::move(key), std::move(title), Unit::kBytes, std::move(description),
        [of](const MemoryBetweenRow& row) { return (row.*of).bytes; },
        {.text =
             [of](const MemoryBetweenRow& row) { return (row.*of).bytes.value == 0 ? Words("–") : Words(); },
         .exact =
             [of](const MemoryBetweenRow& row) {
                 return formatBytesExact((row.*of).bytes) + " in " + formatGrouped((row.*of).allocations) +
                        " allocations";
             },
         .formerTitle = std::move(former),
         .width = 84});
}

/// The largest changes come first, whichever way they go.
template <class Row, class Change>
Column<Row> changeColumn(std::string description, Change change) {
    Column<Row> column("change_bytes", "Change", Unit::kBytes, std::move(description), change);
    column.text = [change](const Row& row) { return Words(signedBytes(std::invoke(change, row))); };
    column.sort = [change](const Row& row) { return saturatingAbs(std::invoke(change, row).value); };
    column.bar = Bar::kDiverging;
    column.width = 170;
    return column;
}

std::vector<Between> betweenColumns() {
    return {Between("name", "Name", Unit::kText, "The category, module or op that it counts under",
                    &MemoryBetweenRow::name,
                    {.swatch =
                         [](const MemoryBetweenRow& row) {
                             return row.isTotal ? std::nullopt : swatchOfGroup(row.name, row.key);
                         },
                     .width = 170}),
            flow("kept_bytes", "Added", "Allocated between the cursors and still live at the second",
                 &MemoryBetweenRow::kept, "Kept"),
            flow("allocated_bytes", "Allocated", "Bytes allocated between the cursors",
                 &MemoryBetweenRow::allocated),
            Between("allocations", "Allocs", Unit::kCount, "Allocations between the cursors",
                    [](const MemoryBetweenRow& row) { return row.allocated.allocations; },
                    {.plainTitle = "Allocations", .width = 72}),
            flow("freed_bytes", "Freed", "Bytes freed between the cursors", &MemoryBetweenRow::freed),
            Between("frees", "Frees", Unit::kCount, "Frees between the cursors",
                    [](const MemoryBetweenRow& row) { return row.freed.allocations; },
                    {.plainTitle = "Frees", .width = 84}),
            flow("freed_older_bytes", "Released", "What was live at the first cursor and was freed",
                 &MemoryBetweenRow::freedOlder, "Older freed"),
            changeColumn<MemoryBetweenRow>("Added minus released, which is allocated minus freed",
                                           &MemoryBetweenRow::change)};
}

Allocation placed(std::string key, std::string title, std::string description,
                  std::string AllocationDetail::*of, int width, bool code) {
    Allocation column(std::move(key), std::move(title), Unit::kText, std::move(description),
                      [of](const AllocationDetail& a) { return textOrAbsent(a.*of); }, {.width = width});
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
        Allocation(
            "step", "Step", Unit::kOrdinal, "The step that allocated it; – if before the first step",
            [](const AllocationDetail& a) { return a.row.step == kNoStep ? Cell() : cellOf(a.row.step); },
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
             .sort =
                 [](const AllocationDetail& a) {
                     const std::int64_t life = (a.until - a.allocated).value;
                     return a.toEnd ? wrappingAdd(life, std::numeric_limits<std::int64_t>::max() / 2) : life;
                 },
             .width = 136,
             .after = "freed_ns"}),
        Allocation(
            "address", "Address", Unit::kAddress, "The device's or host's address",
            [](const AllocationDetail& a) { return addressText(a.row.address); },
            {.sort = [](const AllocationDetail& a) { return static_cast<std::int64_t>(a.row.address); },
             .width = 116}),
    };
}

}  // namespace

std::string signedBytes(Bytes bytes) {
    if (bytes.value == 0)
        return "0";
    return (bytes.value > 0 ? "+" : "−") + formatBytes(bytes.value > 0 ? bytes : -bytes);
}

const TableDescription<BreakdownRow, GroupedBy>& breakdownTable() {
    static const TableDescription<BreakdownRow, GroupedBy> table{
        "memory-by", breakdownColumns(), {"name", "size_bytes", "allocations", "share"}};
    return table;
}

const TableDescription<MemoryBetweenRow>& betweenTable() {
    static const TableDescription<MemoryBetweenRow> table{
        "between",
        betweenColumns(),
        {"name", "change_bytes", "kept_bytes", "freed_older_bytes"},
        &MemoryBetweenRow::isTotal};
    return table;
}

const TableDescription<AllocationChange>& allocationChangesTable() {
    static const TableDescription<AllocationChange> table = [] {
        std::vector<Column<AllocationChange>> columns = {
            changeColumn<AllocationChange>("Its size; − if it was freed", &AllocationChange::change)};
        for (const Allocation& column : allocationColumns()) {
            columns.push_back(lifted<AllocationChange, NoContext>(
                column, [](const AllocationChange& change) { return &change.allocation; },
                [](const NoContext& none) -> const NoContext& { return none; }));
        }
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

}  // namespace warpglass
