// Whether two snapshots state the same run, row by row.
#pragma once

#include <string>

#include "engine/trace/snapshot.h"

namespace warpglass::test {

/// Empty when everything but the epoch is equal; otherwise one sentence about the first difference.
std::string firstDifference(const Snapshot& a, const Snapshot& b);

}  // namespace warpglass::test
