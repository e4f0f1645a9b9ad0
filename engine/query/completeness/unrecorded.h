// What a run was recorded without, in words: where nothing could be judged, that nothing was found is no
// finding. What a file has lost of what was recorded is another matter (missing_records.h).
//
// That is what there is none of, where the run states so ("config.record", "capture.problem"), or has ended
// after a step without it. Pure; any thread.
#pragma once

#include <string>

#include "engine/trace/snapshot.h"

namespace warpglass {

/// "The run was recorded without kernels and memory: figures and findings say nothing of the GPU's busy and
/// idle time and of what fills memory." "" where all was recorded that findings are drawn from, and for a run
/// that does not state on what it ran. Waits that CUPTI tells of are not among that: the calls have them.
std::string unrecordedSentence(const Snapshot& snapshot);

/// Why a run shows no ops: "The run was recorded without ops"; "" where it has some, or states that it would.
std::string unrecordedOps(const Snapshot& snapshot);
/// Why a run shows no work by module, which is a GPU's kernels or, where there are none, the CPU's ops: "The
/// run was recorded without kernels and ops". "" where either was recorded.
std::string unrecordedWork(const Snapshot& snapshot);

}  // namespace warpglass
