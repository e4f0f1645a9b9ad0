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

#include "engine/trace/missing_records.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

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

MissingRecords missingRecords(const Snapshot& snapshot);

/// "all 5,396 kernels, 1,284 of 12,600 ops and more"; of the kinds in `only`, where it names any.
std::string missingInWords(const MissingRecords& missing, const std::vector<RecordKind>& only = {});
/// "Part of the run is missing: all 5,396 kernels. Figures and findings are of what is there, and say nothing
/// of the GPU's busy and idle time." "" where nothing is missing.
std::string missingSentence(const MissingRecords& missing);

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
