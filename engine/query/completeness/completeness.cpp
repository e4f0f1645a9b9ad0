#include "engine/query/completeness/completeness.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/query/spans/op_types.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

/// More kinds than these, and no one reads on.
constexpr std::size_t kMostKinds = 4;

/// After "figures and findings say nothing ".
constexpr std::string_view kGpuTimeUnsaid = "of the GPU's busy and idle time";
constexpr std::string_view kMemoryUnsaid = "of what fills memory";

/// "kernels", "kernels and memory", "kernels, ops and memory".
template <class Text>
std::string joinedByAnd(const std::vector<Text>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ").append(parts[i]);
    return text;
}

/// Whether there is a chunk of so many rows that can be read.
template <class ChunkAt>
bool anyReadable(std::uint64_t rows, ChunkAt&& chunkAt) {
    for (std::size_t c = 0; c * kChunkRows < rows; ++c) {
        if (chunkAt(c))
            return true;
    }
    return false;
}

template <class Holds>
bool anyLane(const Snapshot& run, TrackKind kind, Holds&& holds) {
    const std::vector<SpanLane> lanes = lanesOfKind(run, kind);
    return std::ranges::any_of(lanes, holds);
}

bool anyReadable(const Snapshot& run, TrackKind kind) {
    return anyLane(run, kind, [](const SpanLane& lane) {
        return anyReadable(lane.rows(), [&](std::size_t c) { return lane.chunk(c) != nullptr; });
    });
}

bool anyRows(const Snapshot& run, Feature feature) {
    if (feature == Feature::kMemory)
        return run.memoryEventCount() > 0;
    if (feature == Feature::kShapes)
        return OpTypes(run).any();
    const TrackKind kind = feature == Feature::kKernels ? TrackKind::kGpuStream
                           : feature == Feature::kCalls ? TrackKind::kApiThread
                           : feature == Feature::kWaits ? TrackKind::kGpuSync
                                                        : TrackKind::kCpuThread;
    return anyLane(run, kind, [](const SpanLane& lane) { return !lane.empty(); });
}

/// The last that began; kNoStep for none. A damaged file may have lost its steps and kept their phases.
std::int32_t lastStep(const Snapshot& snapshot) {
    std::int32_t last = kNoStep;
    for (const TrackKind kind : {TrackKind::kStep, TrackKind::kPhase}) {
        forEachRow(snapshot, kind,
                   [&](const SpanChunk& chunk, std::uint32_t i) { last = std::max(last, chunk.step[i]); });
    }
    for (const OpenSpan& open : snapshot.openSpans())
        last = std::max(last, open.step);
    return last;
}

UnfinishedStep::End endOf(const RunInfo& info) {
    const std::string state = info.get("state");
    if (state == run_state::kFailed)
        return failedForWantOfMemory(info) ? UnfinishedStep::End::kOutOfMemory : UnfinishedStep::End::kFailed;
    if (state == run_state::kStopped)
        return UnfinishedStep::End::kStopped;
    if (state == run_state::kCutOff)
        return UnfinishedStep::End::kCutOff;
    return state == run_state::kFinished ? UnfinishedStep::End::kNotRead : UnfinishedStep::End::kRuns;
}

}  // namespace

std::string absenceInWords(DataKind kind, Absence absence) {
    using Words = std::array<const char*, 5>;  // by Absence
    static constexpr std::array<Words, 7> kWords = {
        Words{"", "The run was recorded on the CPU: it has no records of a GPU",
              "The run was recorded without kernels",
              "The records of kernels are not in the file: it is cut off or damaged",
              "No kernel was recorded"},
        Words{"", "", "The run was recorded without memory",
              "The records of memory are not in the file: it is cut off or damaged",
              "There is no memory event to show"},
        Words{"", "The run was recorded on the CPU, whose memory has no segments",
              "The run was recorded without memory",
              "The records of segments are not in the file: it is cut off or damaged",
              "There are no records of segments in this run"},
        Words{"", "", "by the host's clock, which only launches: the GPU's phases were not recorded",
              "by the host's clock, which only launches: the GPU's phases are missing from the file", ""},
        Words{"", "", "The run was recorded without ops", "", ""},
        Words{"", "", "The run was recorded without kernels and ops", "", ""},
        Words{"", "",
              "The run was recorded without the types and shapes of ops; --record all,shapes records them",
              "The types and shapes of ops are not in the file: it is cut off or damaged",
              "No op with types and shapes was recorded"}};
    return kWords[static_cast<std::size_t>(kind)][static_cast<std::size_t>(absence)];
}

std::string missingInWords(const MissingRecords& missing, const std::vector<RecordKind>& only) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < kRecordKindCount; ++i) {
        const auto kind = static_cast<RecordKind>(i);
        if (!missing.lacks(kind) || (!only.empty() && std::ranges::find(only, kind) == only.end()))
            continue;
        // An allocation is lost with its events.
        if (kind == RecordKind::kAllocations && missing.lacks(RecordKind::kMemoryEvents))
            continue;
        if (parts.size() == kMostKinds) {
            parts.emplace_back("more");
            break;
        }
        const MissingRecords::Count& count = missing.of(kind);
        const std::string total = formatGrouped(static_cast<std::int64_t>(count.total));
        std::string part = missing.lacksAll(kind)
                               ? "all " + total
                               : formatGrouped(static_cast<std::int64_t>(count.missing)) + " of " + total;
        parts.push_back(part.append(" ").append(kRecordKindNames[i]));
    }
    return joinedByAnd(parts);
}

std::string missingSentence(const MissingRecords& missing) {
    if (!missing.any())
        return {};
    const std::string words = missingInWords(missing);
    std::string sentence = "Part of the run is missing" + (words.empty() ? std::string() : ": " + words) +
                           ". Figures and findings are of what is there";
    std::vector<std::string_view> unsaid;
    if (missing.lacksGpuWork())
        unsaid.push_back(kGpuTimeUnsaid);
    if (missing.lacksMemory())
        unsaid.push_back(kMemoryUnsaid);
    if (!unsaid.empty())
        sentence += ", and say nothing " + joinedByAnd(unsaid);
    return sentence + ".";
}

std::string UnfinishedStep::inWords() const {
    static constexpr std::array<const char*, 6> kEnds = {" so far",
                                                         " until memory ran out",
                                                         " until the run failed",
                                                         " until the run was stopped",
                                                         ", whose end could not be read",
                                                         " until the recording was cut off"};
    return "step " + std::to_string(step) + kEnds[static_cast<std::size_t>(end)];
}

std::string UnfinishedStep::reasonInWords() const {
    const std::string name = "step " + std::to_string(step);
    static constexpr std::array<const char*, 6> kEnds = {"",
                                                         "memory ran out in ",
                                                         "the run failed in ",
                                                         "the run was stopped in ",
                                                         "the file does not hold the end of ",
                                                         "the recording was cut off in "};
    return end == End::kRuns ? name + " still runs" : kEnds[static_cast<std::size_t>(end)] + name;
}

bool Completeness::has(DataKind kind) const {
    switch (kind) {
        case DataKind::kKernels:
            return anyReadable(m_run, TrackKind::kGpuStream);
        case DataKind::kMemory:
            return anyReadable(m_run.memoryEventCount(),
                               [&](std::size_t c) { return m_run.memoryEventChunk(c) != nullptr; }) &&
                   anyReadable(m_run.allocationCount(),
                               [&](std::size_t c) { return m_run.allocationChunk(c) != nullptr; });
        case DataKind::kSegments:
            return anyReadable(m_run.segmentEventCount(),
                               [&](std::size_t c) { return m_run.segmentEventChunk(c) != nullptr; });
        case DataKind::kGpuPhases:
            return anyReadable(m_run, TrackKind::kGpuPhase);
        case DataKind::kOps:
            return anyReadable(m_run, TrackKind::kCpuThread);
        case DataKind::kTypes:
            return has(DataKind::kOps) && OpTypes(m_run).any();
        case DataKind::kWork:
            break;
    }
    return has(DataKind::kKernels) || has(DataKind::kOps);
}

Absence Completeness::absenceOf(DataKind kind) const {
    return causeOf(kind).absence;
}

std::string Completeness::why(DataKind kind) const {
    // Nothing else is said of these, so no chunk is read to tell what else there is.
    const bool ofOps = kind == DataKind::kOps || kind == DataKind::kWork;
    if (ofOps && !recordedWithout(Feature::kOps))
        return {};
    const Cause cause = causeOf(kind);
    return absenceInWords(cause.of, cause.absence);
}

Completeness::Cause Completeness::causeOf(DataKind kind) const {
    if (has(kind))
        return {kind, Absence::kNone};
    switch (kind) {
        case DataKind::kKernels:
            return {kind, kernelAbsence()};
        case DataKind::kMemory:
            return {kind, memoryAbsence()};
        case DataKind::kSegments:
            if (m_run.segmentEventCount() > 0 || statedMissing(m_run.info()).lacks(RecordKind::kSegments))
                return {kind, Absence::kLost};
            if (device() == "cpu")
                return {kind, Absence::kCpu};
            return has(DataKind::kMemory) ? Cause{kind, Absence::kNothingYet} : causeOf(DataKind::kMemory);
        case DataKind::kGpuPhases:
            return {kind, gpuPhaseAbsence()};
        case DataKind::kOps:
            if (recordedWithout(Feature::kOps))
                return {kind, Absence::kNotRecorded};
            return {kind, missing().lacks(RecordKind::kOps) ? Absence::kLost : Absence::kNothingYet};
        case DataKind::kTypes:
            if (recordedWithout(Feature::kOps))
                return causeOf(DataKind::kOps);
            if (recordedWithout(Feature::kShapes))
                return {kind, Absence::kNotRecorded};
            return {kind, isDamaged() ? Absence::kLost : Absence::kNothingYet};
        case DataKind::kWork:
            break;
    }
    if (!isOnGpu() || !recordedWithout(Feature::kOps))
        return causeOf(DataKind::kOps);
    return {kind, recordedWithout(Feature::kKernels) ? Absence::kNotRecorded : kernelAbsence()};
}

Absence Completeness::kernelAbsence() const {
    if (device() == "cpu")
        return Absence::kCpu;
    if (missing().lacks(RecordKind::kKernels))
        return Absence::kLost;
    if (statesWithout(Feature::kKernels) || (isOnGpu() && recordedWithout(Feature::kKernels)))
        return Absence::kNotRecorded;
    return isOnGpu() && hasCompletedSteps() && isDamaged() ? Absence::kLost : Absence::kNothingYet;
}

Absence Completeness::memoryAbsence() const {
    if (anyRows(m_run, Feature::kMemory))
        return Absence::kLost;
    const auto stated = parseRecorded(m_run.info().get("config.record"));
    if (!stated)
        return Absence::kNothingYet;
    if (!stated->has(Feature::kMemory))
        return Absence::kNotRecorded;
    // By what the run states of itself, which stands apart from its records.
    const bool hadMemory =
        hasCompletedSteps() || m_run.info().getInteger("allocator.peak_allocated_bytes").value_or(0) > 0;
    return hadMemory ? Absence::kLost : Absence::kNothingYet;
}

Absence Completeness::gpuPhaseAbsence() const {
    if (!isOnGpu())
        return device().empty() ? Absence::kNothingYet : Absence::kCpu;
    if (isDamaged())
        return Absence::kLost;
    // They come when the GPU has gone through them.
    if (run_state::isOpenEnded(m_run.info().get("state")) || completeSteps(m_run).count == 0)
        return Absence::kNothingYet;
    return Absence::kNotRecorded;
}

bool Completeness::statesWithout(Feature feature) const {
    // Without CUPTI there is nothing of the GPU but what LibTorch itself tells.
    const bool byCupti =
        feature != Feature::kOps && feature != Feature::kMemory && feature != Feature::kShapes;
    const auto stated = parseRecorded(m_run.info().get("config.record"));
    return (byCupti && !m_run.info().get("capture.problem").empty()) || (stated && !stated->has(feature));
}

bool Completeness::hasCompletedSteps() const {
    return completedSteps(m_run).value_or(0) > 0;
}

bool Completeness::recordedWithout(Feature feature) const {
    if (anyRows(m_run, feature))
        return false;
    const std::string state = m_run.info().get("state");
    const bool hasEnded = !state.empty() && !run_state::isOpenEnded(state) && hasCompletedSteps();
    return statesWithout(feature) || (hasEnded && !isDamaged());
}

std::string Completeness::unrecordedSentence() const {
    if (device().empty())
        return {};
    std::vector<std::string_view> without, unsaid;
    const auto add = [&](std::string_view what, std::string_view of) {
        without.push_back(what);
        unsaid.push_back(of);
    };
    // Without the calls it is not known of which step, place and op a kernel is, nor when it was launched.
    if (isOnGpu() && recordedWithout(Feature::kKernels))
        add("kernels", kGpuTimeUnsaid);
    else if (isOnGpu() && recordedWithout(Feature::kCalls))
        add("CUDA calls", kGpuTimeUnsaid);
    else if (recordedWithout(Feature::kOps))
        add("ops", isOnGpu() ? "of the ops that the GPU's time goes to" : "of what a step's time goes to");
    if (recordedWithout(Feature::kMemory))
        add("memory", kMemoryUnsaid);
    if (without.empty())
        return {};
    return "The run was recorded without " + joinedByAnd(without) + ": figures and findings say nothing " +
           joinedByAnd(unsaid) + ".";
}

bool Completeness::isDamaged() const {
    return statesMissing(m_run.info()) || m_run.damage().count() > 0;
}

MissingRecords Completeness::missing() const {
    MissingRecords missing;
    missing.damaged = isDamaged();
    if (!missing.damaged)
        return missing;
    missing.counts = statedMissing(m_run.info()).counts;
    MissingRecords probed;
    const auto probe = [&](RecordKind kind, std::uint64_t rows, auto&& chunkAt) {
        MissingRecords::Count& count = probed.of(kind);
        count.total += rows;
        for (std::uint64_t first = 0; first < rows; first += kChunkRows) {
            if (!chunkAt(static_cast<std::size_t>(first / kChunkRows)))
                count.missing += std::min<std::uint64_t>(kChunkRows, rows - first);
        }
    };
    for (std::size_t i = 0; i < m_run.laneCount(); ++i) {
        const SpanLane lane = m_run.lane(LaneId(i));
        probe(recordKindOf(m_run.track(lane.track()).kind), lane.rows(),
              [&](std::size_t c) { return lane.chunk(c) != nullptr; });
    }
    probe(RecordKind::kMemoryEvents, m_run.memoryEventCount(),
          [&](std::size_t c) { return m_run.memoryEventChunk(c) != nullptr; });
    probe(RecordKind::kAllocations, m_run.allocationCount(),
          [&](std::size_t c) { return m_run.allocationChunk(c) != nullptr; });
    probe(RecordKind::kSegments, m_run.segmentEventCount(),
          [&](std::size_t c) { return m_run.segmentEventChunk(c) != nullptr; });
    probe(RecordKind::kCounters, m_run.counterSampleCount(),
          [&](std::size_t c) { return m_run.counterChunk(c) != nullptr; });
    for (std::size_t i = 0; i < kRecordKindCount; ++i) {
        MissingRecords::Count& count = missing.counts[i];
        count.missing += probed.counts[i].missing - count.amidst;  // found again
        count.total = std::max({count.total, probed.counts[i].total, count.missing});
    }
    return missing;
}

std::optional<UnfinishedStep> Completeness::unfinishedStep() const {
    if (completeSteps(m_run).count > 0)
        return std::nullopt;
    const std::int32_t step = lastStep(m_run);
    if (step < 0)
        return std::nullopt;
    return UnfinishedStep{step, endOf(m_run.info())};
}

}  // namespace warpglass
