#include "engine/query/completeness/missing_records.h"

#include <algorithm>
#include <vector>

#include "engine/base/format.h"
#include "engine/plan/run_config.h"
#include "engine/query/completeness/unsaid.h"
#include "engine/query/spans/span_scan.h"

namespace warpglass {
namespace {

/// More kinds than these, and no one reads on.
constexpr std::size_t kMostKinds = 4;

/// The rows of a series that are in chunks that cannot be read, those that are not there among them.
template <class ChunkAt>
std::uint64_t unreadable(std::uint64_t rows, ChunkAt&& chunkAt) {
    std::uint64_t lost = 0;
    for (std::uint64_t first = 0; first < rows; first += kChunkRows) {
        if (!chunkAt(static_cast<std::size_t>(first / kChunkRows)))
            lost += std::min<std::uint64_t>(kChunkRows, rows - first);
    }
    return lost;
}

struct Probe {
    std::array<std::uint64_t, kRecordKindCount> lost{}, rows{};
    void add(RecordKind kind, std::uint64_t lostRows, std::uint64_t allRows) {
        lost[static_cast<std::size_t>(kind)] += lostRows;
        rows[static_cast<std::size_t>(kind)] += allRows;
    }
};

Probe probe(const Snapshot& run) {
    Probe probed;
    for (std::size_t i = 0; i < run.laneCount(); ++i) {
        const SpanLane lane = run.lane(LaneId(i));
        probed.add(recordKindOf(run.track(lane.track()).kind),
                   unreadable(lane.rows(), [&](std::size_t c) { return lane.chunk(c) != nullptr; }),
                   lane.rows());
    }
    const auto add = [&](RecordKind kind, std::uint64_t rows, auto&& chunkAt) {
        probed.add(kind, unreadable(rows, chunkAt), rows);
    };
    add(RecordKind::kMemoryEvents, run.memoryEventCount(),
        [&](std::size_t c) { return run.memoryEventChunk(c) != nullptr; });
    add(RecordKind::kAllocations, run.allocationCount(),
        [&](std::size_t c) { return run.allocationChunk(c) != nullptr; });
    add(RecordKind::kSegments, run.segmentEventCount(),
        [&](std::size_t c) { return run.segmentEventChunk(c) != nullptr; });
    add(RecordKind::kCounters, run.counterSampleCount(),
        [&](std::size_t c) { return run.counterChunk(c) != nullptr; });
    return probed;
}

bool hasReadable(const Snapshot& run, TrackKind kind) {
    const std::vector<SpanLane> lanes = lanesOfKind(run, kind);
    return std::any_of(lanes.begin(), lanes.end(), [](const SpanLane& lane) {
        for (std::size_t c = 0; c < lane.chunkCount(); ++c) {
            if (lane.chunk(c))
                return true;
        }
        return false;
    });
}

bool ranOnGpu(const RunInfo& info) {
    const std::string device = info.get("config.device");
    return !device.empty() && device != "cpu";
}

/// Whether the run says that it recorded this: a word of "ops,memory,kernels".
bool recorded(const RunInfo& info, std::string_view word) {
    const std::string all = "," + info.get("config.record") + ",";
    return all.find("," + std::string(word) + ",") != std::string::npos;
}

}  // namespace

MissingRecords missingRecords(const Snapshot& snapshot) {
    MissingRecords missing;
    missing.damaged = statesMissing(snapshot.info()) || snapshot.damage().count() > 0;
    if (!missing.damaged)
        return missing;
    missing.counts = statedMissing(snapshot.info()).counts;
    const Probe probed = probe(snapshot);
    for (std::size_t i = 0; i < kRecordKindCount; ++i) {
        MissingRecords::Count& count = missing.counts[i];
        count.missing = count.missing - count.amidst + probed.lost[i];
        count.total = std::max({count.total, probed.rows[i], count.missing});
    }
    return missing;
}

std::string missingInWords(const MissingRecords& missing, const std::vector<RecordKind>& only) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < kRecordKindCount; ++i) {
        const auto kind = static_cast<RecordKind>(i);
        if (!missing.lacks(kind) ||
            (!only.empty() && std::find(only.begin(), only.end(), kind) == only.end()))
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

KernelAbsence kernelAbsence(const Snapshot& snapshot) {
    if (hasReadable(snapshot, TrackKind::kGpuStream))
        return KernelAbsence::kNone;
    const RunInfo& info = snapshot.info();
    if (info.get("config.device") == "cpu")
        return KernelAbsence::kCpu;
    const MissingRecords missing = missingRecords(snapshot);
    if (missing.lacks(RecordKind::kKernels))
        return KernelAbsence::kLost;
    if (!info.get("capture.problem").empty() ||
        (ranOnGpu(info) && info.has("config.record") && !recorded(info, "kernels")))
        return KernelAbsence::kNotRecorded;
    const bool worked = ranOnGpu(info) && info.getInteger("steps.completed").value_or(0) > 0;
    return worked && missing.any() ? KernelAbsence::kLost : KernelAbsence::kNothingYet;
}

std::string kernelAbsenceInWords(KernelAbsence absence) {
    switch (absence) {
        case KernelAbsence::kNone:
            return {};
        case KernelAbsence::kCpu:
            return "The run was recorded on the CPU: it has no records of a GPU";
        case KernelAbsence::kNotRecorded:
            return "The run was recorded without kernels";
        case KernelAbsence::kLost:
            return "The records of kernels are not in the file: it is cut off or damaged";
        case KernelAbsence::kNothingYet:
            break;
    }
    return "No kernel was recorded";
}

PhaseClock phaseClockOf(const Snapshot& snapshot) {
    return hasReadable(snapshot, TrackKind::kGpuPhase) ? PhaseClock::kDevice : PhaseClock::kHost;
}

std::string hostClockInWords(const Snapshot& snapshot) {
    if (!ranOnGpu(snapshot.info()) || phaseClockOf(snapshot) == PhaseClock::kDevice)
        return {};
    const bool lost = missingRecords(snapshot).any();
    if (!lost && (run_state::isOpenEnded(snapshot.info().get("state")) || completeSteps(snapshot).count == 0))
        return {};  // they come when the GPU has gone through them
    return std::string("by the host's clock, which only launches: the GPU's phases ") +
           (lost ? "are missing from the file" : "were not recorded");
}

}  // namespace warpglass
