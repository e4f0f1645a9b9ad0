#include "engine/tables/memory_columns.h"

#include <limits>

#include "engine/base/format.h"
#include "engine/query/spans/module_group.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Share = Column<BreakdownRow, GroupedBy>;
using Between = Column<MemoryBetweenRow, GroupedBy>;
using Allocation = Column<AllocationDetail>;
using Words = std::optional<std::string>;

/// Of a group's name.
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

/// Of a flow: its bytes, and on hover in how many allocations.
Between flow(std::string key, std::string title, std::string description, MemoryFlow MemoryBetweenRow::*of,
             int width) {
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
         .width = width});
}

std::vector<Between> betweenColumns() {
    return {
        Between("name", "Name", Unit::kText, "The category, module or op that it counts under",
                &MemoryBetweenRow::name,
                {.swatch = [](const MemoryBetweenRow& row,
                              const GroupedBy& of) { return swatchOfGroup(row.name, of.key); },
                 .code = isCode,
                 .width = 150}),
        flow("kept_bytes", "Kept", "Allocated between the cursors and still live at the second",
             &MemoryBetweenRow::kept, 84),
        flow("allocated_bytes", "Allocated", "Bytes allocated between the cursors",
             &MemoryBetweenRow::allocated, 84),
        Between("allocations", "Allocs", Unit::kCount, "Allocations between the cursors",
                [](const MemoryBetweenRow& row) { return row.allocated.allocations; },
                {.plainTitle = "Allocations", .width = 60}),
        flow("freed_bytes", "Freed", "Bytes freed between the cursors", &MemoryBetweenRow::freed, 84),
        Between("frees", "Frees", Unit::kCount, "Frees between the cursors",
                [](const MemoryBetweenRow& row) { return row.freed.allocations; },
                {.plainTitle = "Frees", .width = 60}),
        flow("freed_older_bytes", "Older freed", "What was live at the first cursor and was freed",
             &MemoryBetweenRow::freedOlder, 92),
        Between("change_bytes", "Change", Unit::kBytes, "Allocated minus freed", &MemoryBetweenRow::change,
                {.text = [](const MemoryBetweenRow& row) { return signedBytes(row.change()); },
                 .trend =
                     [](const MemoryBetweenRow& row) {
                         const std::int64_t change = row.change().value;
                         return change == 0 ? 0 : change > 0 ? 1 : -1;
                     },
                 .width = 92})};
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
            "lifetime_ns", "Lifetime", Unit::kNanoseconds, "From allocation to free",
            [](const AllocationDetail& a) { return a.freed ? cellOf(*a.freed - a.allocated) : Cell(); },
            {.text = [](const AllocationDetail& a) { return a.freed ? Words() : Words("to the end"); },
             .exact =
                 [](const AllocationDetail& a) {
                     return a.freed ? Words() : Words("Not freed when the run ended");
                 },
             .sort =
                 [](const AllocationDetail& a) {
                     return a.freed ? (*a.freed - a.allocated).value
                                    : std::numeric_limits<std::int64_t>::max();
                 },
             .width = 84,
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

const TableDescription<MemoryBetweenRow, GroupedBy>& betweenTable() {
    static const TableDescription<MemoryBetweenRow, GroupedBy> table{"between", betweenColumns()};
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
