// Why a run shows no memory, or no segments of it: it was recorded so, its file has lost it, or nothing has
// been allocated yet.
//
// Pure; any thread.
#pragma once

#include <string_view>

#include "engine/trace/snapshot.h"

namespace warpglass {

enum class MemoryAbsence : std::uint8_t {
    kNone,         // there is memory
    kNotRecorded,  // "config.record" says what was, and memory is not among it
    kLost,         // it was recorded, the run allocated, and the file has none of it
    kNothingYet    // or the run does not state what was recorded
};
MemoryAbsence memoryAbsence(const Snapshot& snapshot);

/// Whether there are memory events, and allocations that they are of, in chunks that can be read.
bool hasReadableMemory(const Snapshot& snapshot);

/// A sentence without its full stop; "" for kNone.
std::string_view memoryAbsenceInWords(MemoryAbsence absence);

/// Why a run shows no segments of a GPU's caching allocator: a sentence without its full stop; "" where it
/// has records of them.
std::string_view segmentAbsenceInWords(const Snapshot& snapshot);

}  // namespace warpglass
