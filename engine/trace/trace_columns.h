// The storage of one run, shared by its writer and by every snapshot of it. Views read Snapshots, never this.
//
// One writer thread appends (trace_writer.h), or a run file is mounted (io/run_file_reader.h); what a
// Snapshot states as present never changes again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/trace/append_only_vector.h"
#include "engine/trace/chunks.h"
#include "engine/trace/damage_log.h"
#include "engine/trace/ids.h"
#include "engine/trace/span_detail.h"

namespace warpglass {

struct TrackInfo {
    TrackKind kind = TrackKind::kStep;
    /// "steps", "main", "autograd 2".
    NameId name{};
};

/// A directory of chunks: up to 16,384 of them, 1.07 × 10⁹ rows.
template <class Chunk>
using ChunkDirectory = AppendOnlyVector<std::unique_ptr<ChunkSlot<Chunk>>, 64, 256>;

/// The columns of one lane.
struct LaneStore {
    TrackId track{};
    std::uint32_t depth = 0;
    ChunkDirectory<SpanChunk> chunks;
    /// mips[i] belongs to chunks[i].
    AppendOnlyVector<std::unique_ptr<SpanMip>, 64, 256> mips;
    /// Time range of each chunk of a mounted file, to find a chunk without loading it; empty while recording.
    struct MountedRange {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    std::vector<MountedRange> mounted;
};

struct TraceColumns {
    AppendOnlyVector<std::string, 256, 16384> names;
    AppendOnlyVector<Place, 256, 16384> places;
    AppendOnlyVector<SpanDetail, 256, 16384> details;
    AppendOnlyVector<TrackInfo, 64, 64> tracks;
    AppendOnlyVector<std::unique_ptr<LaneStore>, 64, 256> lanes;
    ChunkDirectory<MemoryEventChunk> memoryEvents;
    ChunkDirectory<AllocationChunk> allocations;
    ChunkDirectory<SegmentEventChunk> segmentEvents;
    ChunkDirectory<CounterChunk> counters;
    /// For a mounted file, what its chunks turned out to have lost.
    std::shared_ptr<DamageLog> damage = std::make_shared<DamageLog>();
};

}  // namespace warpglass
