// The tables of a run file as they were read: everything but the rows inside chunks.
//
// Each table is read row by row and keeps what it got: a damaged page costs the rows on it. Nothing here is
// trusted: numbers are checked against what the trace can hold and what a file of this size can hold, a
// table's rows against its checksum, and tables that would compute what is read are not read at all. Memory
// grows with the file's size, whatever the file says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/chunk_codec.h"
#include "engine/io/sqlite_database.h"
#include "engine/trace/snapshot.h"

namespace warpglass::run_file {

struct LaneEntry {
    TrackId track;
    std::uint32_t depth = 0;
    /// What its chunks should hold together.
    std::uint64_t rows = 0;
};

struct ChunkEntry {
    std::int64_t id = 0;
    ChunkHeader header;
    /// Spans only; null when it could not be read.
    std::unique_ptr<SpanMip> mip;
};

struct FileTables {
    /// What the file says that it holds; nothing where that could not be read.
    struct Totals {
        std::optional<std::uint64_t> names, places, details, tracks, lanes, chunks, memoryEvents, allocations,
            segmentEvents, counterSamples;
        std::optional<std::int64_t> end;
    };
    Totals totals;
    RunInfo info;
    std::vector<std::string> names;
    std::vector<Place> places;
    std::vector<SpanDetail> details;
    std::vector<TrackInfo> tracks;
    std::vector<LaneEntry> lanes;
    std::vector<LossCount> losses;
    KernelClocksList clocks;
    std::vector<OpenSpan> openSpans;
    /// In the order of the file. Headers are plausible each by itself; their lanes may be missing from lanes.
    std::vector<ChunkEntry> chunks;
    /// One sentence for each table of which something is missing.
    std::vector<std::string> warnings;
    /// False when not one row of any table could be read.
    bool readAnything = false;
    /// Places that the file should hold and does not.
    std::uint64_t lostPlaces = 0;
    /// Why the file is not to be read: one of its tables is none that a run file has. Mostly empty.
    std::string refusal;
    /// Chunks come with the checksums of their data.
    bool hasDataSums = false;

    /// Limits names, places and details; allocations are known once the chunks have been put together.
    IdLimits idLimits() const { return {names.size(), places.size(), 0, details.size()}; }
};

/// `version` is the format version that the file states.
FileTables readTables(Database& database, int version);

}  // namespace warpglass::run_file
