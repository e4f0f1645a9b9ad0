// Reads all that a snapshot offers, as views do: for tests that a damaged file's can be used like any.
#pragma once

#include <cstdint>
#include <string>

#include "engine/trace/snapshot.h"

namespace warpglass::test {

/// Touches every name, place, row, mip entry and search; the result depends on all of them, so that nothing
/// is left out.
std::uint64_t readEverything(const Snapshot& snapshot);

/// The snapshot as text, one line a thing: for golden files. Floating-point values are written exactly.
std::string describeEverything(const Snapshot& snapshot);

}  // namespace warpglass::test
