// Ops, kernels or copies as the window's tree shows them: the columns of their statistics, what launched
// them, and what is known of their work.
#pragma once

#include "engine/query/statistics/grouped_statistics.h"
#include "engine/tables/statistics_columns.h"

namespace warpglass {

struct SpansShown {
    StatisticsShown statistics;
    SpanGrouping grouping = SpanGrouping::kFlat;
    /// GroupedStatistics::roofs.
    std::string roofs = {};
};
/// `ofCpu`: of ops, whose titles have the words of PyTorch's profiler; else of kernels or copies.
const TableDescription<StatisticsNode, SpansShown>& spansTable(bool ofCpu);

/// A kernel's title, "copy bf16"; nothing for other rows.
std::optional<std::string> titleWords(const GroupedRow& row);

}  // namespace warpglass
