#include "engine/tables/typed_op_columns.h"

namespace warpglass {
namespace {

using Typed = Column<TypedOp, StatisticsShown>;

/// What is said of ops by name does not hold of them by types, too.
void describeCalls(Typed& column) {
    if (column.key == "time_share")
        column.description =
            "Total time over the self time of all ops. Nested ops count in their parents too, so rows add up "
            "to more than 100%";
    else if (column.key == "total_ns")
        column.description = "Total duration of all calls, including nested calls";
    else if (column.key == "instances")
        column.description =
            "Number of calls; a call within one of the same op and the same types is part of it";
}

TableDescription<TypedOp, StatisticsShown> describe() {
    TableDescription<TypedOp, StatisticsShown> table{"types", {}};
    for (const auto& from : statisticsTable(StatisticsOf::kOps).columns) {
        if (from.key == "family")  // that of the op, which stats ops has
            continue;
        table.columns.push_back(lifted<TypedOp, StatisticsShown>(
            from, [](const TypedOp& op) { return &op.figures; },
            [](const StatisticsShown& of) -> const StatisticsShown& { return of; }));
        describeCalls(table.columns.back());
    }
    table.columns.push_back(Typed("types", kTypesTitle, Unit::kText,
                                  "Those of its inputs and, after the arrow, of its outputs",
                                  unlessEmpty(&TypedOp::types), {.code = kAlways, .after = "name"}));
    return table;
}

}  // namespace

const TableDescription<TypedOp, StatisticsShown>& typedOpsTable() {
    static const auto table = describe();
    return table;
}

}  // namespace warpglass
