// What a run's file has lost of what was recorded: by kind of record, and in words.
//
// Counted are the rows that the file says it should hold and does not, and the rows of chunks that turned out
// damaged. Of a file that is whole as far as it has been read, no chunk is read for it; of a damaged one all
// are: so in the window it is asked for on a worker. "missing.*" in the run information carries the first
// into a copy that is saved of such a run. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/snapshot.h"

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
inline constexpr std::array<std::string_view, kRecordKindCount> kRecordKindNames = {"kernels",
                                                                                    "phases of the GPU",
                                                                                    "memory events",
                                                                                    "allocations",
                                                                                    "steps",
                                                                                    "phases",
                                                                                    "ops",
                                                                                    "ranges of modules",
                                                                                    "places in the model",
                                                                                    "CUDA calls",
                                                                                    "copies",
                                                                                    "waits",
                                                                                    "events of segments",
                                                                                    "counter samples",
                                                                                    "times of the profiler"};

RecordKind recordKindOf(TrackKind kind);

struct MissingRecords {
    struct Count {
        std::uint64_t missing = 0;
        /// What there should be.
        std::uint64_t total = 0;
        /// Of `missing` those between others that are there.
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

MissingRecords missingRecords(const Snapshot& snapshot);

/// "all 5,396 kernels, 1,284 of 12,600 ops and more"; of the kinds in `only`, where it names any.
std::string missingInWords(const MissingRecords& missing, const std::vector<RecordKind>& only = {});
/// "Part of the run is missing: all 5,396 kernels. Figures and findings are of what is there, and say nothing
/// of the GPU's busy and idle time." "" where nothing is missing.
std::string missingSentence(const MissingRecords& missing);

/// Of an opened file: notes in the run's information what it lacks.
void stateMissing(RunInfo& info, const MissingRecords& missing);
bool statesMissing(const RunInfo& info);
/// That of records of this kind, without a chunk being read for it.
bool statesMissing(const RunInfo& info, RecordKind kind);

/// Why a run shows no kernels.
enum class KernelAbsence : std::uint8_t {
    kNone,         // there are some
    kCpu,          // it ran on the CPU
    kNotRecorded,  // it was recorded without them, or could not be recorded with them
    kLost,         // the file has lost them
    kNothingYet    // none ran, or the run does not say
};
KernelAbsence kernelAbsence(const Snapshot& snapshot);
/// A sentence without its full stop; "" for kNone.
std::string kernelAbsenceInWords(KernelAbsence absence);

/// By whose clock the phases of a step are told wherever one must be chosen.
enum class PhaseClock : std::uint8_t {
    kHost,   // as the host went through them: on a GPU, as fast as it launched them
    kDevice  // as the GPU did, by CUDA's events: wherever the file has those
};
PhaseClock phaseClockOf(const Snapshot& snapshot);
/// Why the phases of a GPU's run are told by the host's clock: "by the host's clock, …". "" where they are
/// told by the GPU's, and for a run of the CPU.
std::string hostClockInWords(const Snapshot& snapshot);

}  // namespace warpglass
