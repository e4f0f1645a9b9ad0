// Statistics of ops by name and by the types and shapes of their inputs and outputs, as PyTorch's profiler
// groups them by input shapes; for a run that was recorded with them (Feature::kShapes).
#pragma once

#include <string>
#include <vector>

#include "engine/query/statistics/statistics.h"

namespace warpglass {

struct TypedOp {
    /// As of opStatistics(), shares of all ops' times among them, but without the family. A call within
    /// another one of the same name and the same types is part of that call: it counts in the self times
    /// alone. One of the same name and other types, as autocast's linear calls itself in bf16, is a call of
    /// its own row. So the self times and their shares of a name's rows add up to those of opStatistics(),
    /// and the totals and instances may come to more.
    StatisticsRow figures;
    /// "bf16[4,128,256], bf16[1024,256] → bf16[4,128,1024]"; "" for calls that have none, since their end was
    /// lost.
    std::string types;
};

/// Ops of all CPU threads, a row for each name and types, most self time first. Nothing for a run that was
/// recorded without types; that takes no look at its spans. Pure; any thread. Each span that the filter takes
/// is read twice, and takes 4 bytes of memory meanwhile.
std::vector<TypedOp> typedOps(const Snapshot& snapshot, const SpanFilter& filter);

}  // namespace warpglass
