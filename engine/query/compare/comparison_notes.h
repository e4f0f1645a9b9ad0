// What to know before two runs are read side by side: that they did different work, that one of them has no
// times to compare, that they are one and the same.
#pragma once

#include <string>
#include <vector>

#include "engine/query/compare/comparison.h"

namespace warpglass {

/// One sentence each, the weightiest first; none for two runs that compare as they are. `comparison` is that
/// of a and b.
std::vector<std::string> comparisonNotes(const RunComparison& comparison, std::shared_ptr<const Snapshot> a,
                                         std::shared_ptr<const Snapshot> b);

/// Cautions that the two did not run under the same conditions (engine/query/activity/conditions.h), or that
/// only one step of either was measured; to be read before any ratio of their times. None if both are the
/// same run.
std::vector<std::string> comparisonCautions(const Snapshot& a, const Snapshot& b);

/// Whether both are the same run, opened twice or from two copies of its file.
bool isSameRun(const Snapshot& a, const Snapshot& b);

}  // namespace warpglass
