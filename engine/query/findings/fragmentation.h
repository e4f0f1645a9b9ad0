// What the GPU's allocator has reserved and cannot give out in one piece is a twentieth of it or more at the
// peak: free − largest free block (engine/query/memory/memory_segments.h).
//
// What it costs is that, and not all that is free, which `info` and the segments state: the largest piece can
// still be given out whole.
//
// Limits: only where segments were recorded (of a GPU, in run files of version 3 on) and none of them are
// lost, and only at the peak of what is allocated.
#pragma once

#include <optional>

#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_facts.h"

namespace warpglass {

std::optional<Finding> findFragmentation(const RunFacts& facts);

}  // namespace warpglass
