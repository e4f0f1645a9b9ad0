// Ops by name and by the types and shapes of their inputs and outputs: the columns of the statistics of ops,
// and the types.
#pragma once

#include "engine/query/statistics/typed_ops.h"
#include "engine/tables/statistics_columns.h"

namespace warpglass {

const TableDescription<TypedOp, StatisticsShown>& typedOpsTable();

/// The title of a column of them, in every table.
inline constexpr const char* kTypesTitle = "Types and shapes";

}  // namespace warpglass
