// A run on one page: what the window's summary shows first, and `warpglass-cli findings` prints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/activity/conditions.h"
#include "engine/query/activity/gpu_idle.h"
#include "engine/query/findings/finding.h"
#include "engine/query/findings/run_sights.h"
#include "engine/query/summary/run_summary.h"
#include "engine/trace/missing_records.h"

namespace warpglass {

/// The least that a step must move through the device's memory, also as a rate.
///
/// Counted are the GEMMs, each operand read once and each result written once
/// (engine/query/model/roofline.h), and AdamW's update, 28 bytes a parameter (four numbers read, three
/// written) and the 16-bit copies of weights, where they are kept. Elementwise work, also that of our own
/// kernels, and what is read twice come on top, so the true use is higher.
struct MemoryTraffic {
    Bytes perStep;
    double bytesPerSecond = 0;
    /// As a share of the measured bandwidth, and of the data sheet's.
    std::optional<double> ofMeasured, ofDataSheet;
};

struct RunOverview {
    RunSummary summary;
    /// "NVIDIA H200"; "cpu" where the run does not name it.
    std::string device;
    /// "what ran" beyond the title: batch, mode, steps, in words.
    std::string description;

    struct PhaseTime {
        Phase phase = Phase::kNone;
        double nsPerStep = 0;
    };
    /// `phases` are by the GPU's clock.
    bool phasesByGpu = false;
    /// Why they are by the host's though it ran on a GPU.
    std::string hostClock;
    /// In order; phases that take no time are left out. Together with the time outside them, `restOfStep`,
    /// they add up to the mean step.
    std::vector<PhaseTime> phases;
    double restOfStep = 0;

    /// Zeros for a run without kernels, and where some of them are missing: what they would fill is not idle.
    GpuTimeUse gpu;
    std::optional<MemoryTraffic> traffic;
    /// The memory that the run may take: its limit, or the device's memory.
    std::optional<Bytes> memoryLimit;
    std::vector<Finding> findings;
    /// What else to look at: the kernel (on the CPU the op) with the most time, and the peak.
    std::optional<RunSight> largestWork, highestMoment;
    /// As boundInWords(): "launch-bound (the GPU waits for the host 40% of the step)".
    std::string bound;
    /// What of the host's time is the recording's, as far as that can be said, in a sentence; "" where the
    /// host does not bound the step, and where nothing was recorded.
    std::string recordingCost;
    /// What is missing from the file, as far as it has been read.
    MissingRecords missing;
    /// What it was recorded without, in a sentence (Completeness::unrecordedSentence()); "" for nothing
    /// that counts.
    std::string unrecorded;
    /// What it ran under: a busy host, the GPU's clocks.
    RunConditions conditions;
};

/// As findIn(). Precondition: timeline.snapshot() is not null.
RunOverview overviewOf(const MemoryTimeline& timeline);

/// What figures and findings are drawn without, lost or never recorded, a sentence each; "" for nothing.
std::string drawnWithout(const RunOverview& run);
/// What to keep in mind of its figures, a sentence each: a single measured step, and what disturbed the run.
std::vector<std::string> cautionsOf(const RunOverview& run);
/// The run in one sentence: that of its costliest finding, or nothingFound().
std::string verdictOn(const RunOverview& run);
/// The sentence for an ended run without findings, and how much of the run it covers: "Nothing stands out."
/// for one that was recorded completely.
std::string nothingFound(const RunOverview& run);

}  // namespace warpglass
