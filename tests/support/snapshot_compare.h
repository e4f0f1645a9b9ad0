// Whether two snapshots state the same run, row by row.
#pragma once

#include <string>

#include "engine/trace/snapshot.h"

namespace warpglass::test {

/// Empty when everything but the epoch is equal; otherwise one sentence about the first difference.
std::string firstDifference(const Snapshot& a, const Snapshot& b);

/// For a recording that nobody ended and what is read of its file, which says that it was cut off, and when.
/// Empty when it says so and all else is equal.
std::string firstDifferenceOfCutOff(const Snapshot& recorded, const Snapshot& read);

}  // namespace warpglass::test
