#include "engine/report/run_to_tell.h"

#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/model/clocked_kernel.h"
#include "engine/query/model/roofline.h"

namespace warpglass {
namespace {

using Part = RunToTell::Part;

/// Why each part of a run is not there.
class Absences {
public:
    explicit Absences(const RunToTell& facts)
        : m_facts(facts),
          m_completeness(facts.run),
          m_onGpu(isOnGpu()),
          m_noKernels(whyNo(DataKind::kKernels)) {
        if (m_facts.overview.summary.averagedSteps == 0) {
            m_noStep = "no step was completed";
            if (const auto unfinished = m_completeness.unfinishedStep())
                m_noStep += " (" + unfinished->reasonInWords() + ")";
        }
        m_lostGpu = lost({RecordKind::kKernels, RecordKind::kCopies});
        m_lostSteps = lost({RecordKind::kSteps, RecordKind::kPhases});
        // What time is told by.
        m_lostWork = m_onGpu ? m_lostGpu : lost({RecordKind::kOps});
    }

    Part of(RunPart part) const {
        switch (part) {
            case RunPart::kConditions:
                return conditions();
            case RunPart::kGpuPhases:
                return gpuPhases();
            case RunPart::kPhases:
                return madeIf(m_facts.overview.summary.spans > 0 && m_lostSteps.empty(), {m_lostSteps});
            case RunPart::kGpuTime:
                return gpuTime();
            case RunPart::kKernels:
                return madeIf(m_completeness.has(DataKind::kKernels) && m_lostGpu.empty(),
                              {m_lostGpu, m_noKernels});
            case RunPart::kOps:
                return ops();
            case RunPart::kLayers:
                return ofWork(!m_facts.layers.rows.empty(), "no layer was recorded");
            case RunPart::kAttention:
                return ofWork(!m_facts.attention.rows.empty(), "no work of an attention module was recorded");
            case RunPart::kMemory:
                return memory();
            case RunPart::kFlame:
                return madeIf(m_completeness.has(DataKind::kWork) && m_lostWork.empty(),
                              {m_lostWork, whyNo(DataKind::kWork)});
            case RunPart::kRoofline:
                return ofWork(m_lostWork.empty() && !roofline(m_facts.run).empty(),
                              "no GEMM of a complete step was recorded");
            case RunPart::kPhaseDots:
                return madeIf(m_facts.overview.summary.averagedSteps > 1 && m_lostSteps.empty(),
                              {m_lostSteps, m_noStep, "only one step was completed"});
            case RunPart::kClocks:
                return clocks();
        }
        return {};
    }

private:
    const RunToTell& m_facts;
    Completeness m_completeness;
    bool m_onGpu = false;
    /// Reasons; empty where they do not hold.
    std::string m_noKernels, m_noStep, m_lostGpu, m_lostWork, m_lostSteps;

    /// There, or not for the first of the reasons that holds.
    static Part madeIf(bool isThere, std::initializer_list<std::string> reasons) {
        if (isThere)
            return {true};
        const auto* const first =
            std::ranges::find_if(reasons, [](const std::string& why) { return !why.empty(); });
        return {false, first == reasons.end() ? std::string() : *first};
    }
    std::string whyNo(DataKind kind) const { return withinSentence(m_completeness.why(kind)); }
    std::string lost(const std::vector<RecordKind>& kinds) const {
        const std::string words = missingInWords(m_facts.missing, kinds);
        return words.empty() ? words : words + " are missing from the file";
    }
    bool isOnGpu() const {
        const auto& config = m_facts.overview.summary.config;
        return config ? config->device != "cpu" : m_facts.layers.gpu;
    }

    Part conditions() const {
        const RunConditions& conditions = m_facts.overview.conditions;
        return madeIf(conditions.recorded(),
                      {conditions.sampled ? m_noStep : std::string(),
                       conditions.sampled ? "no sample of a completed step is in the file"
                                          : "neither the host's load nor the GPU's clocks were recorded"});
    }
    Part gpuPhases() const {
        const Absence absence = m_completeness.absenceOf(DataKind::kGpuPhases);
        const std::string lostPhases = lost({RecordKind::kGpuPhases});
        return madeIf(absence == Absence::kNone && m_noStep.empty() && lostPhases.empty(),
                      {lostPhases, m_onGpu ? std::string() : m_noKernels, m_noStep,
                       absence == Absence::kLost          ? "they are missing from the file"
                       : absence == Absence::kNotRecorded ? "they were not recorded"
                                                          : ""});
    }
    Part gpuTime() const {
        const bool withoutCalls = m_onGpu && m_completeness.recordedWithout(Feature::kCalls);
        return madeIf(
            m_facts.overview.gpu.steps > 0,
            {m_lostGpu, m_noKernels, m_noStep, withoutCalls ? "the run was recorded without CUDA calls" : "",
             m_onGpu ? "no kernel of a completed step was recorded" : ""});
    }
    Part ops() const {
        const std::string lostOps = lost({RecordKind::kOps});
        return madeIf(m_completeness.has(DataKind::kOps) && lostOps.empty(),
                      {lostOps, whyNo(DataKind::kOps), "no op was recorded"});
    }
    /// A part about the time of kernels or, on the CPU, of ops.
    Part ofWork(bool isThere, const char* otherwise) const {
        return madeIf(
            isThere && m_lostWork.empty(),
            {m_lostWork, m_noStep, m_onGpu ? m_noKernels : std::string(), whyNo(DataKind::kWork), otherwise});
    }
    Part memory() const {
        const std::string lostMemory = lost({RecordKind::kMemoryEvents, RecordKind::kAllocations});
        return madeIf(m_completeness.has(DataKind::kMemory) && lostMemory.empty(),
                      {lostMemory, whyNo(DataKind::kMemory), "no memory event was recorded"});
    }
    /// A run without them lacks nothing unless it was to have them.
    Part clocks() const {
        const auto& config = m_facts.overview.summary.config;
        const bool wanted = config && config->recorded.has(Feature::kKernelClocks);
        const std::string why = whyNoKernelClocks(m_facts.run);
        return madeIf(why.empty(), {wanted ? withinSentence(why) : std::string()});
    }
};

/// So that all that is damaged comes to light before anything is said.
void readAll(const std::shared_ptr<const Snapshot>& snapshot) {
    const Snapshot& run = *snapshot;
    for (std::size_t i = 0; i < run.laneCount(); ++i) {
        const SpanLane lane = run.lane(LaneId(i));
        for (std::size_t c = 0; c * kChunkRows < lane.rows(); ++c)
            (void)lane.chunk(c);
    }
    MemorySegments().update(snapshot);
    for (std::uint64_t i = 0; i < run.counterSampleCount(); ++i)
        (void)run.counterSample(i);
}

}  // namespace

std::vector<std::string> RunToTell::absences() const {
    std::vector<std::pair<std::string, std::vector<std::string>>> byReason;
    for (std::size_t i = 0; i < kRunPartCount; ++i) {
        if (parts[i].isThere || parts[i].whyNot.empty())
            continue;
        auto found = std::ranges::find(byReason, parts[i].whyNot, [](const auto& of) { return of.first; });
        if (found == byReason.end())
            found = byReason.insert(found, {parts[i].whyNot, {}});
        found->second.emplace_back(kRunPartNames[i]);
    }
    std::vector<std::string> sentences;
    sentences.reserve(byReason.size());
    for (const auto& [why, names] : byReason)
        sentences.push_back(capitalized(listed(names)) + ": " + why + ".");
    return sentences;
}

RunToTell toTell(const ReportRun& run, MemoryTimeline& memory) {
    const Snapshot& snapshot = *run.snapshot;
    memory.update(run.snapshot);
    readAll(run.snapshot);
    const auto peak = memory.peak();
    const LiveMemory alive = peak ? LiveMemory{memory.aliveAt(peak->time), &memory} : LiveMemory();
    RunToTell facts{snapshot, memory, overviewOf(memory), attentionParts(snapshot), layersOf(snapshot, alive),
                    {}};
    facts.missing = Completeness(snapshot).missing();
    const Absences absences(facts);
    for (std::size_t i = 0; i < kRunPartCount; ++i)
        facts.parts[i] = absences.of(static_cast<RunPart>(i));
    return facts;
}

}  // namespace warpglass
