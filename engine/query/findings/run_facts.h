// What the rules read: a run's figures, gathered once in one pass over what computed (a GPU's kernels and
// copies; without a GPU the ops).
//
// Steps are those that means cover, without the run's very first if there are others, since that one loads
// libraries and is a finding of its own (first_step.h). The rows of a damaged chunk are missing from the
// sums; no sum is below 0; what requires complete records (idle time and its causes, a peak) is then unknown.
// Not thread-safe; holds references to the timeline and its snapshot.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/activity/gpu_idle.h"
#include "engine/query/findings/finding.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/span_scan.h"
#include "engine/trace/missing_records.h"

namespace warpglass {

class RunFacts {
public:
    /// Precondition: timeline.snapshot() is not null.
    explicit RunFacts(const MemoryTimeline& timeline);

    const Snapshot& snapshot() const { return m_snapshot; }
    const MemoryTimeline& memory() const { return m_memory; }
    /// Nothing for a run that states no configuration, or an impossible one.
    const std::optional<RunConfig>& config() const { return m_config; }
    /// Kernels were recorded.
    bool hasKernels() const { return m_hasKernels; }
    /// If kernels are missing, the use of the GPU is unknown; if memory is missing, so is the peak.
    const MissingRecords& missing() const { return m_missing; }

    // ---- time, means over the steps, in ns ----

    const StepSelection& steps() const { return m_steps; }
    struct Step {
        std::int32_t index = kNoStep;
        TimeRange range;
        bool measured = false;
    };
    /// The first of steps(); nothing when there is none.
    std::optional<TimeRange> sampleStep() const;

    /// 0 when no step was completed; then no time is known.
    double stepTime() const { return m_stepTime; }
    /// "29.2 ms step", with a remark if the very first step, which loads libraries, is left out of the mean.
    std::string stepInWords() const;
    /// A time's share of stepTime(): "6.1%", or, where that is not the step time that is shown of the run,
    /// "6.1% of each 30.5 ms step after the first".
    std::string shareInWords(double time) const;
    bool leavesOutFirst() const { return m_meansHaveFirst; }
    /// As a share of stepTime(), never above 1.
    double shareOfStep(double time) const;
    /// As a share of the time in which the GPU was busy in a step, never above 1; 0 if unknown.
    double shareOfBusyTime(double time) const;
    /// Total time of the host's phases: what it takes to launch a step.
    double hostTime() const { return m_hostTime; }
    const GpuTimeUse& gpuUse() const { return m_gpuUse; }
    double idle(IdleCause cause) const;
    double kernelsPerStep() const { return m_kernels; }
    /// Mean time of a kernel, not counting copies and fills; 0 without kernels.
    double meanKernelTime() const { return m_kernels > 0 ? m_kernelTime / m_kernels : 0; }
    /// The GPU waits for the host's launches for a tenth of the step or more: what is saved on the GPU does
    /// not shorten the step.
    bool isLaunchBound() const;
    /// The least time that a step would take if its GPU work took this much less: never less than the host's
    /// part.
    double stepTimeWithout(double saved) const;

    /// Time of what computed, and what of it a GPU copied or filled without a kernel: no table has both.
    struct Work {
        double time = 0;
        double copies = 0;

        double kernels() const { return std::max(0.0, time - copies); }
        /// " (4.80 ms in kernels, 1.20 ms in the driver's copies and fills)"; "" where the time of either
        /// reads the same.
        std::string partsInWords() const;
    };
    /// Work by the place where it was launched.
    Work workWhere(const std::function<bool(const Place&)>& passes) const;
    double timeWhere(const std::function<bool(const Place&)>& passes) const { return workWhere(passes).time; }
    /// Work by the op that launched it (on the CPU: the op that ran).
    Work workOfOps(const std::function<bool(std::string_view)>& passes) const;
    double timeOfOps(const std::function<bool(std::string_view)>& passes) const {
        return workOfOps(passes).time;
    }
    /// Time of GEMMs and fused attention, without the fills of scratch memory, which are not kernels.
    double productTime() const { return m_productTime; }
    /// Where such times are to be seen: all kernels (without a GPU all ops), over the same steps.
    Evidence evidenceOverSteps() const;
    /// Evidence for workOfOps(): what these ops launched, kernels or copies, whichever took longer.
    Evidence evidenceOfOps(const std::function<bool(std::string_view)>& passes) const;
    /// Evidence for workWhere() over all of a phase, likewise.
    Evidence evidenceOfPhase(Phase phase) const;
    /// One step, zoomed to where the GPU is idle for this cause over and over.
    Evidence evidenceOfIdle(IdleCause cause) const;
    /// Time by kernel shape (engine/trace/span_detail.h).
    struct DetailTime {
        SpanDetail detail;
        double time = 0;
        NameId name{};  // short, as the tables have it
    };
    const std::vector<DetailTime>& kernelTimes() const { return m_details; }
    /// The kernel, all its shapes together, or on the CPU the op with the most time.
    struct NamedWork {
        NameId name{}, fullName{};  // of an op no full name
        double time = 0;
        double share = 0;  // of all kernels or ops, 0…1
    };
    /// Nothing where no time is known.
    std::optional<NamedWork> largestWork() const;

    /// Kernels by place and shape, in the order of their ids; on a GPU only.
    struct PlacedKernel {
        Place place;
        SpanDetail detail;
        double time = 0;
        double calls = 0;  // a step
    };
    const std::vector<PlacedKernel>& placedKernels() const { return m_placedKernels; }
    /// Those that aten::copy_ launched, for copies and casts.
    std::vector<PlacedKernel> copyKernels() const;

    const RunCeilings& ceilings() const { return m_ceilings; }
    /// Operations per second in a precision, measured, or else from the data sheet.
    std::optional<double> peakRate(Precision precision) const;
    /// Bytes per second, read and written, and "of the measured bandwidth" or "of the data sheet's
    /// bandwidth".
    std::optional<double> bandwidth() const;
    std::string_view bandwidthWords() const;

    // ---- memory at the run's highest moment ----

    const std::optional<MemoryPoint>& peak() const { return m_peak; }
    Bytes peakBytes() const;
    double shareOfPeak(Bytes bytes) const;
    /// What is alive then.
    struct Alive {
        AllocationId id;
        AllocationRow row;
        Place place;
        std::string_view module, part;
    };
    const std::vector<Alive>& alive() const { return m_alive; }
    /// The memory that the run may take: its limit, or the device's memory.
    std::optional<Bytes> memoryLimit() const;
    /// The step or graph capture that contains a moment; outside of any, a range around it as long as a step.
    std::optional<TimeRange> surroundings(Nanoseconds moment) const;
    /// Evidence for a finding: these of the allocations live at the peak, or all of them.
    Evidence evidenceAtPeak(std::vector<AllocationId> allocations = {}) const;

    /// A finding of this rule that costs so much time a step (ns), or bytes at the peak.
    Finding findingOf(std::string rule, double time) const;
    Finding findingOf(std::string rule, Bytes bytes) const;

    // ---- trials ----

    /// Nothing if it could not be run, does not differ in exactly one setting, or is expected to gain less
    /// than kLeastGain; or if it is about step time and the run's means include the very first step, as
    /// another run's would too.
    std::optional<Trial> trial(const RunConfig& changed, TrialMetric metric, double before,
                               double expected) const;
    /// What was measured, changed as the plan predicts. Only for runs that reached their peak.
    std::optional<Trial> memoryTrial(const RunConfig& changed) const;
    /// A twentieth, because steps differ by that much from run to run.
    static constexpr double kLeastGain = 0.05;
    /// The run did not fail: its peak and its steps are those of its configuration.
    bool isWhole() const;

private:
    void findSteps();
    void timeHost();
    void timeKernels();
    void timeOps();
    void findAlive();
    NameId longestSignature(const NamedWork& work) const;
    double perStep(std::int64_t sum) const;
    /// Evidence of such work.
    Evidence evidenceOf(const Work& work) const;

    const MemoryTimeline& m_memory;
    const Snapshot& m_snapshot;
    std::optional<RunConfig> m_config;
    RunCeilings m_ceilings;
    MissingRecords m_missing;
    bool m_hasKernels = false;
    StepSelection m_steps;
    bool m_meansHaveFirst = false;
    std::vector<Step> m_allSteps;  // every complete one, warm-ups among them, in order
    double m_stepTime = 0;
    double m_hostTime = 0;
    GpuTimeUse m_gpuUse;
    std::vector<IdleStretch> m_idleOfSample;  // in the sample step, in order of time
    double m_kernels = 0;
    double m_kernelTime = 0;
    double m_productTime = 0;
    /// ns over the steps, by PlaceId or NameId; the last for ids beyond the snapshot.
    struct Sums {
        std::vector<std::int64_t> all, copies;
        void resize(std::size_t ids);
        void add(std::size_t id, std::int64_t time, bool copy);
    };
    Sums m_byPlace, m_byOp;
    std::vector<DetailTime> m_details;
    std::vector<PlacedKernel> m_placedKernels;
    std::optional<MemoryPoint> m_peak;
    std::vector<Alive> m_alive;
};

/// "blocks.7.attn" and not "blocks.7.attn.q_proj".
bool isAttention(std::string_view module);
/// The attention variant that keeps no S × S matrix and runs with the rest of the configuration; nothing when
/// it has one.
std::optional<AttentionVariant> fusedAttentionFor(const RunConfig& config);
/// A duration in ns, in the words of a sentence.
std::string inWords(double nanoseconds);

}  // namespace warpglass
