// One chunk of rows as the compressed blobs of run_file_format.h, and back.
//
// Decoders accept only what the trace's own invariants allow (spans sorted and not overlapping, event times
// that never decrease): anything else makes the chunk damaged, which is an empty result. Names, places and
// ops beyond the file's tables become invalid ids. No memory is taken for a size that a file states before
// that size has been checked.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/io/column_codec.h"
#include "engine/io/run_file_format.h"
#include "engine/trace/chunks.h"
#include "engine/trace/snapshot.h"

namespace warpglass::run_file {

/// What a row of the table `chunks` says, and its blobs repeat.
struct ChunkHeader {
    ChunkKind kind = ChunkKind::kSpans;
    std::uint32_t lane = 0;
    std::uint32_t chunk = 0;
    std::uint32_t rows = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;

    bool operator==(const ChunkHeader&) const = default;
};

/// How many rows the tables have that ids point into.
struct IdLimits {
    std::uint64_t names = 0;
    std::uint64_t places = 0;
    std::uint64_t allocations = 0;
    std::uint64_t details = 0;
};

/// The header of a chunk's first `rows` rows. Precondition of all below: 0 < rows <= kChunkRows.
ChunkHeader headerOf(const SpanChunk& chunk, std::uint32_t lane, std::uint32_t index, std::uint32_t rows);
ChunkHeader headerOf(const MemoryEventChunk& chunk, std::uint32_t index, std::uint32_t rows);
ChunkHeader headerOf(const SegmentEventChunk& chunk, std::uint32_t index, std::uint32_t rows);
ChunkHeader headerOf(const CounterChunk& chunk, std::uint32_t index, std::uint32_t rows);

Buffer encode(const ChunkHeader& header, const SpanChunk& chunk);
Buffer encode(const ChunkHeader& header, const MemoryEventChunk& chunk);
/// Categories come from the snapshot, which knows the unsettled ones too.
Buffer encode(const ChunkHeader& header, const AllocationChunk& chunk, const Snapshot& snapshot);
Buffer encode(const ChunkHeader& header, const SegmentEventChunk& chunk);
Buffer encode(const ChunkHeader& header, const CounterChunk& chunk);
Buffer encodeMip(const ChunkHeader& header, const SpanChunk& chunk);

/// Each decodes the frame; null when it is damaged or is not the frame of `header`. The frame may hold more
/// rows than the header (a recording replaces its last chunk as it grows): only header.rows are decoded.
std::unique_ptr<SpanChunk> decodeSpans(const ChunkHeader& header, BytesView frame, const IdLimits& limits);
std::unique_ptr<MemoryEventChunk> decodeMemoryEvents(const ChunkHeader& header, BytesView frame,
                                                     const IdLimits& limits);
std::unique_ptr<AllocationChunk> decodeAllocations(const ChunkHeader& header, BytesView frame,
                                                   const IdLimits& limits);
std::unique_ptr<SegmentEventChunk> decodeSegmentEvents(const ChunkHeader& header, BytesView frame,
                                                       const IdLimits& limits);
std::unique_ptr<CounterChunk> decodeCounters(const ChunkHeader& header, BytesView frame,
                                             const IdLimits& limits);
/// Super-blocks are added up from blocks.
std::unique_ptr<SpanMip> decodeMip(const ChunkHeader& header, BytesView frame, const IdLimits& limits);
/// From the rows themselves, for a chunk whose mip is damaged.
std::unique_ptr<SpanMip> buildMip(const SpanChunk& chunk, std::uint32_t rows);

}  // namespace warpglass::run_file
