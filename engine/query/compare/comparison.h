// Two runs side by side: what took longer and what took more memory, by phase, op, module, kernel and memory
// category.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/query/compare/comparison_scope.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/work_times.h"
#include "engine/trace/missing_records.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// The rows of phases that hold them all: a whole step's time by the clock, and of the GPU's times their sum.
inline constexpr std::string_view kStepRow = "step", kAllPhasesRow = "all phases";

struct ComparisonRow {
    std::string name;
    /// ns for times, as the scope has them; bytes for memory, a share for MFU; absent on one side is 0.
    double a = 0;
    double b = 0;
    bool inA = false;
    bool inB = false;
    /// The run ended before it completed this: the whole would be this much or more.
    bool atLeastA = false;
    bool atLeastB = false;
    /// For a run that has none of this: the run did not end early, but its file has no complete step.
    bool stepsLostA = false;
    bool stepsLostB = false;
    /// Records that this is a sum of are missing from the file: the sum says nothing of the whole.
    bool recordsLostA = false;
    bool recordsLostB = false;
    /// What people read in place of a long name, and on hover in place of that; empty for the name.
    std::string shownName = {}, fullName = {};
    /// The sum of all rows of a table.
    bool isTotal = false;

    double difference() const { return b - a; }
    /// Whether one of them has none of it and might have come to it, or has lost some of it: neither
    /// difference nor ratio is known.
    bool isUnknown() const {
        return recordsLostA || recordsLostB || (inA != inB && (inA ? atLeastB : atLeastA));
    }
    /// Whether it can be said which of them is less.
    bool isDecided() const {
        return !recordsLostA && !recordsLostB && !(atLeastA && a <= b) && !(atLeastB && b <= a);
    }
    /// b / a; 0 when a is 0.
    double ratio() const { return a != 0 ? b / a : 0; }
};

struct RunComparison {
    /// Configuration keys whose values differ: name, a's value, b's value.
    struct Setting {
        std::string key, a, b;
    };
    std::vector<Setting> settings;
    std::vector<ComparisonRow> phases;  // as the host went through them, and "step"
    std::vector<ComparisonRow> ops;     // self time, largest |difference| first
    /// Self time of the ops of each module and of the modules within it, largest |difference| first;
    /// "(outside the model)" for the rest.
    std::vector<ComparisonRow> modules;
    /// The GPU's time; empty when neither run had a GPU. Kernels by name, and, since another precision has
    /// other kernels, by the op that launched them; by the phase and the module of their launch. Largest
    /// |difference| first, phases in their order: 0 of one that launched nothing, and "all phases", their sum
    /// without what ran outside any ("none").
    std::vector<ComparisonRow> gpuPhases, gpuOps, gpuModules, kernels;
    /// How gpuModules has the time of what works for several modules (engine/query/model/shared_work.h), in
    /// either run: a sentence for each kind.
    std::vector<std::string> splits;
    /// What computed in each run (engine/query/spans/work_times.h), of all steps of the scope: read once, for
    /// whatever else is asked about this comparison.
    std::vector<WorkRow> workA, workB;
    /// Which of them ran on a GPU. Where one did, its GPU's time stands in these against the time of the
    /// other's CPU, ordered as above; else they are empty. "step" is how long a step lasted, on either side.
    bool gpuA = false, gpuB = false;
    std::vector<ComparisonRow> mixedPhases, mixedOps, mixedModules;
    bool mixed() const { return gpuA != gpuB; }
    /// MFU (engine/query/model/roofline.h) against the "measured ceiling" and the "data sheet", where either
    /// run's device has one. Two runs on one device in one precision share one ceiling, the higher of theirs;
    /// if it differs from a run's own ceiling, or the two runs' ceilings differ, the sentence says so.
    std::vector<ComparisonRow> utilization;
    std::string utilizationNote;
    /// Bytes at each run's peak (of the one step, where that is the scope), in Category order, and "peak".
    std::vector<ComparisonRow> categories;
    /// Bytes live at those peaks by the module and by the op that requested them, in the order and with the
    /// names of `modules` and `ops`; and the peak while each phase and step of the scope ran.
    std::vector<ComparisonRow> moduleMemory, opMemory, phaseMemory;
    /// The most just before a backward pass of the scope's measured steps (memory_before_backward.h):
    /// "allocated", and "reserved" where a run had a GPU; empty where neither has a backward pass.
    std::vector<ComparisonRow> beforeBackward;
    /// When that peak was; nothing without memory events.
    std::optional<Nanoseconds> peakTimeA, peakTimeB;
    /// What a run came to before it ended, where it ended too early: its times where it has no complete step
    /// of the scope, its memory where it ran out of it or completed no step. The rows have these too.
    bool atLeastTimesA = false, atLeastTimesB = false;
    bool atLeastMemoryA = false, atLeastMemoryB = false;
    /// What is missing from each file.
    MissingRecords missingA, missingB;
    /// There is no step of the scope in the file of a run that did not end too early.
    bool stepsLostA = false, stepsLostB = false;
};

/// A setting's text as it is shown: no real one is cut, a crafted file's would fill pages.
std::string settingText(std::string text);

/// A setting's value as a person reads it: "16.0 GiB" for a limit in bytes, "CUDA graph" for the execution;
/// "" where the run does not state it.
std::string settingWords(const RunComparison::Setting& setting, const std::string& value);

/// A run without a step that the scope takes has no times.
RunComparison compareRuns(std::shared_ptr<const Snapshot> a, std::shared_ptr<const Snapshot> b,
                          const ComparisonScope& scope = {});
/// The same of runs whose memory has been folded already, for one scope after another; each has a snapshot.
RunComparison compareRuns(const MemoryTimeline& a, const MemoryTimeline& b, const ComparisonScope& scope);

}  // namespace warpglass
