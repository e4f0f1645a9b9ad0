// How much of what was recorded the file of a run has lost, by kind of record.
//
// Counted as a file is opened, and kept as "missing.*" in the run's information, which carries it into a copy
// that is saved of such a run. What turns out damaged later comes on top, and all of it in words:
// engine/query/completeness/completeness.h. Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/trace/ids.h"
#include "engine/trace/run_info.h"

namespace warpglass {

/// The weightiest first: what words begin with.
enum class RecordKind : std::uint8_t {
    kKernels,
    kGpuPhases,
    kMemoryEvents,
    kAllocations,
    kSteps,
    kPhases,
    kOps,
    kModules,
    kPlaces,  // where in the model the others were
    kCalls,
    kCopies,
    kWaits,
    kSegments,
    kCounters,
    kProfiler
};
inline constexpr std::size_t kRecordKindCount = 15;

RecordKind recordKindOf(TrackKind kind);

struct MissingRecords {
    struct Count {
        std::uint64_t missing = 0;
        /// What there should be.
        std::uint64_t total = 0;
        /// How many of `missing` lie between others that are there.
        std::uint64_t amidst = 0;
    };
    std::array<Count, kRecordKindCount> counts{};
    /// Something of the file is missing, records or names and places.
    bool damaged = false;

    const Count& of(RecordKind kind) const { return counts[static_cast<std::size_t>(kind)]; }
    Count& of(RecordKind kind) { return counts[static_cast<std::size_t>(kind)]; }
    bool lacks(RecordKind kind) const { return of(kind).missing > 0; }
    bool lacksAll(RecordKind kind) const { return lacks(kind) && of(kind).missing >= of(kind).total; }
    /// Kernels or copies: what a GPU did is not known as a whole.
    bool lacksGpuWork() const { return lacks(RecordKind::kKernels) || lacks(RecordKind::kCopies); }
    /// What is in use at a moment is not known.
    bool lacksMemory() const { return lacks(RecordKind::kMemoryEvents) || lacks(RecordKind::kAllocations); }
    bool any() const { return damaged; }
};

/// For an opened file: notes in the run's information what it lacks.
void stateMissing(RunInfo& info, const MissingRecords& missing);
/// Whether a run's information notes that its file lacks something.
bool statesMissing(const RunInfo& info);
/// What it notes.
MissingRecords statedMissing(const RunInfo& info);

}  // namespace warpglass
