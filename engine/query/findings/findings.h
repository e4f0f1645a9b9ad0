// Everything that the rules find in a run, ranked by what it costs.
//
// Findings that cost time are grouped, and so are those that fill memory (finding.h), each with the costliest
// first, by step time or bytes. The group with the largest share comes first. Memory costs little if there is
// enough of it, so its share is weighted by the part of the available memory that the peak took, at least a
// quarter. The last entry of memory is what the others do not tell of the peak. A run that failed for want of
// memory has that finding first. Ties are in the order of the rules.
//
// One pass over the GPU's (or the CPU's) spans of the steps, and a sort of the GPU's. Any thread, with a
// timeline of its own. A rule that lacks its evidence (damaged chunks, an old file, what was not recorded)
// finds nothing; drawnWithout() reports this (engine/query/findings/run_overview.h).
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
