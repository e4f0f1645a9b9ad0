// What is said of two runs side by side, in sentences and tables. Pure; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/query/compare/comparison.h"
#include "engine/query/compare/comparison_scope.h"
#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// In the order of reading: what was set differently, then where the time went (on the GPU where there was
/// one), then memory, then the host's side of it. `comparison` is that of a and b in `scope`.
std::vector<ReportTable> comparisonTables(const RunComparison& comparison, const Snapshot& a,
                                          const Snapshot& b, const ComparisonScope& scope, bool people);

/// Keeps the rows of the largest changes, and says in the title how many are left out; `sayAll`: and the
/// option that shows them.
void keepLargest(ReportTable& table, std::int64_t limit, bool sayAll);

/// What people read first.
struct ComparisonIntroduction {
    /// What keeps their times from being compared as they are.
    std::vector<std::string> cautions;
    /// The headline, and the ways from A's figures to B's.
    std::vector<std::string> answers;
    /// What to know of the pair.
    std::vector<std::string> notes;
};
/// For the one step, or else for the mean of the measured ones. `comparison` is that of a and b in `scope`.
ComparisonIntroduction introductionOf(const RunComparison& comparison, const ComparisonScope& scope,
                                      const std::shared_ptr<const Snapshot>& a,
                                      const std::shared_ptr<const Snapshot>& b);

}  // namespace warpglass
