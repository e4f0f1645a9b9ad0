// What a run has to look at, what it lacks, and why: it ran on the CPU, it was recorded without, its file has
// lost it, or nothing of the kind came. And the step to look at where none was completed.
//
// There is what is in a chunk that can be read; one is read for it. What is lost are the rows that the file
// says it should hold and does not, and the rows of chunks that turned out damaged. While a file is whole
// as far as it has been read, no chunk is read for that; in a damaged one all are, for missing() and for why
// there are no kernels, ops or work: so in the window these are asked for on a worker. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/recorded.h"
#include "engine/trace/missing_records.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class DataKind : std::uint8_t {
    kKernels,
    kMemory,     // events, and allocations that they are of
    kSegments,   // of a GPU's caching allocator
    kGpuPhases,  // by CUDA's events; without them a GPU's phases are those of the host, which only launches
    kOps,
    kWork,  // by module: a GPU's kernels or, where there are none, the CPU's ops
    kTypes  // and shapes, of ops
};

enum class Absence : std::uint8_t {
    kNone,         // it is there
    kCpu,          // a run on the CPU has none
    kNotRecorded,  // the run was recorded without, or could not be recorded with it
    kLost,         // the file has lost it
    kNothingYet    // none came, or the run does not say what was recorded
};
/// A sentence without its full stop; of the GPU's phases what follows "by the host's clock". "" for kNone,
/// and where there is nothing to say but that there is nothing.
std::string absenceInWords(DataKind kind, Absence absence);

inline constexpr auto kRecordKindNames = std::to_array<std::string_view>(
    {"kernels", "phases of the GPU", "memory events", "allocations", "steps", "phases", "ops",
     "ranges of modules", "places in the model", "CUDA calls", "copies", "waits", "events of segments",
     "counter samples", "times of the profiler"});
static_assert(kRecordKindNames.size() == kRecordKindCount);

/// "all 5,396 kernels, 1,284 of 12,600 ops and more"; of the kinds in `only`, where it names any.
std::string missingInWords(const MissingRecords& missing, const std::vector<RecordKind>& only = {});
/// "Part of the run is missing: all 5,396 kernels. Figures and findings are of what is there, and say nothing
/// of the GPU's busy and idle time." "" where nothing is missing.
std::string missingSentence(const MissingRecords& missing);

/// The step that a run ended in, or runs in, of which none was completed. Means know no such step
/// (stepsToAverage() in span_scan.h); a view that would else be empty shows it, and says so.
struct UnfinishedStep {
    /// Why it has no end. kCutOff: the program that recorded the run was killed.
    enum class End : std::uint8_t { kRuns, kOutOfMemory, kFailed, kStopped, kNotRead, kCutOff };
    std::int32_t step = kNoStep;
    End end = End::kRuns;

    /// "step 0 until memory ran out", "step 0 so far".
    std::string inWords() const;
    /// "memory ran out in step 0", "step 0 still runs", for a sentence that has said that none was completed.
    std::string reasonInWords() const;
};

class Completeness {
public:
    /// Tells of the run as far as it has been read when it is asked. `run` must outlive this.
    explicit Completeness(const Snapshot& run) : m_run(run) {}

    bool has(DataKind kind) const;
    Absence absenceOf(DataKind kind) const;
    /// Why it is not there, as absenceInWords(): segments are missing where memory is.
    std::string why(DataKind kind) const;

    /// There is none of it, and the run states so ("config.record", "capture.problem"), or has ended after a
    /// step without it.
    bool recordedWithout(Feature feature) const;
    /// Whether the run states that a GPU does its work and that kernels are recorded: the same from its first
    /// moment on, before there are any.
    bool statesKernels() const { return isOnGpu() && !statesWithout(Feature::kKernels); }
    /// "The run was recorded without kernels and memory: figures and findings say nothing of the GPU's busy
    /// and idle time and of what fills memory." "" where all was recorded that findings are drawn from, and
    /// for a run that does not state on what it ran. Waits that CUPTI tells of are not among that: the calls
    /// have them.
    std::string unrecordedSentence() const;

    /// Something of the file is known to be missing.
    bool isDamaged() const;
    MissingRecords missing() const;

    /// Nothing for a run with a complete step, and for one in which none began. Linear in the steps and
    /// phases.
    std::optional<UnfinishedStep> unfinishedStep() const;

private:
    /// `of` is what is said to be absent: memory, where segments are missing because memory is; ops, for work
    /// and types.
    struct Cause {
        DataKind of;
        Absence absence;
    };
    Cause causeOf(DataKind kind) const;
    Absence kernelAbsence() const;
    Absence memoryAbsence() const;
    Absence gpuPhaseAbsence() const;
    std::string device() const { return m_run.info().get("config.device"); }
    bool isOnGpu() const { return !device().empty() && device() != "cpu"; }
    bool statesWithout(Feature feature) const;
    bool hasCompletedSteps() const;

    const Snapshot& m_run;
};

}  // namespace warpglass
