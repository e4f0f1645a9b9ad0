// Everything that the rules find in a run, ranked by what it costs.
//
// What costs time stands together, and so does what fills memory (finding.h), each with what costs most
// first: time of the step, bytes. Which part is first is decided by their largest shares,
// where memory that nothing lacks costs little: its share counts by how much of what the run may take the
// peak was, at least a quarter. A run that failed for want of memory has that first. Ties are in the order of
// the rules.
//
// One pass over the GPU's (or the CPU's) spans of the steps, and a sort of the GPU's. Any thread, with a
// timeline of its own. A rule that lacks its evidence (damaged chunks, an old file, what was not recorded)
// finds nothing; that it could not is said by drawnWithout() (engine/query/findings/run_overview.h).
#pragma once

#include <vector>

#include "engine/query/findings/finding.h"
#include "engine/query/memory/memory_timeline.h"

namespace warpglass {

/// Empty where nothing stands out. Precondition: timeline.snapshot() is not null.
std::vector<Finding> findIn(const MemoryTimeline& timeline);
/// For a caller that has them.
class RunFacts;
std::vector<Finding> findIn(const RunFacts& facts);

}  // namespace warpglass
