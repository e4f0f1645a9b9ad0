#include "engine/query/memory/memory_absence.h"

#include <string>

#include "engine/query/completeness/missing_records.h"

namespace warpglass {
namespace {

/// Whether a word is one of "ops,memory,kernels".
bool isAmong(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        if (list.substr(0, comma) == word)
            return true;
        list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return false;
}

/// By what a run states of itself, which stands apart from its records.
bool hadMemory(const RunInfo& info) {
    return info.getInteger("allocator.peak_allocated_bytes").value_or(0) > 0 ||
           info.getInteger("steps.completed").value_or(0) > 0;
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

}  // namespace

bool hasReadableMemory(const Snapshot& snapshot) {
    return anyReadable(snapshot.memoryEventCount(),
                       [&](std::size_t c) { return snapshot.memoryEventChunk(c) != nullptr; }) &&
           anyReadable(snapshot.allocationCount(),
                       [&](std::size_t c) { return snapshot.allocationChunk(c) != nullptr; });
}

MemoryAbsence memoryAbsence(const Snapshot& snapshot) {
    if (hasReadableMemory(snapshot))
        return MemoryAbsence::kNone;
    if (snapshot.memoryEventCount() > 0)
        return MemoryAbsence::kLost;
    const RunInfo& info = snapshot.info();
    const std::string recorded = info.get("config.record");
    if (recorded.empty())
        return MemoryAbsence::kNothingYet;
    if (!isAmong(recorded, "memory"))
        return MemoryAbsence::kNotRecorded;
    return hadMemory(info) ? MemoryAbsence::kLost : MemoryAbsence::kNothingYet;
}

std::string_view memoryAbsenceInWords(MemoryAbsence absence) {
    switch (absence) {
        case MemoryAbsence::kNone:
            return {};
        case MemoryAbsence::kNotRecorded:
            return "The run was recorded without memory";
        case MemoryAbsence::kLost:
            return "The records of memory are not in the file: it is cut off or damaged";
        case MemoryAbsence::kNothingYet:
            break;
    }
    return "There is no memory event to show";
}

std::string_view segmentAbsenceInWords(const Snapshot& snapshot) {
    const std::uint64_t events = snapshot.segmentEventCount();
    if (anyReadable(events, [&](std::size_t c) { return snapshot.segmentEventChunk(c) != nullptr; }))
        return {};
    const RunInfo& info = snapshot.info();
    if (events > 0 || statedMissing(info).lacks(RecordKind::kSegments))
        return "The records of segments are not in the file: it is cut off or damaged";
    if (info.get("config.device") == "cpu")
        return "The run was recorded on the CPU, whose memory has no segments";
    const MemoryAbsence memory = memoryAbsence(snapshot);
    return memory == MemoryAbsence::kNone ? "There are no records of segments in this run"
                                          : memoryAbsenceInWords(memory);
}

}  // namespace warpglass
