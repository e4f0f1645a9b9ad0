// What differs between two runs: one row per name, with both figures, difference and ratio. In the window,
// what has both a time and memory has the same columns again for its memory.
#pragma once

#include <string>

#include "engine/query/compare/comparison.h"
#include "engine/tables/column.h"

namespace warpglass {

struct ComparisonShown {
    /// Figures are of complete steps only, so that a run that ended in its first has none, though it may have
    /// run the same.
    bool completeSteps = false;
    /// Names are kernels', ops' or modules'.
    bool code = false;
    /// Names are those of phases or categories, in the order of the query.
    std::optional<Swatch::Kind> swatches = {};
};
/// `unit` is kNanoseconds, kBytes or kFraction.
const TableDescription<ComparisonRow, ComparisonShown>& comparisonTable(Unit unit);

/// A row that only has memory is in neither run.
struct ComparedRow : ComparisonRow {
    std::optional<ComparisonRow> memory;
};
/// `memory`: of the same names, in bytes; of names that `rows` lack too.
std::vector<ComparedRow> joinedRows(const std::vector<ComparisonRow>& rows,
                                    const std::vector<ComparisonRow>& memory);
/// `unit` is kNanoseconds or kBytes. `nameTitle`: what stands over the names, "Name" where it is empty.
/// `memoryWords`: what the columns of memory hold, "alive at the peak".
TableDescription<ComparedRow, ComparisonShown> comparedTable(Unit unit, const std::string& nameTitle = {},
                                                             const std::string& memoryWords = {});

/// "0.09×", "20.5×", "132×"; "< 0.01×" of less than that.
std::string timesInWords(double ratio);

}  // namespace warpglass
