// The layout of the run file, .wgrun, format version 4.
//
// A SQLite 3 database (page size 4096, UTF-8) whose header carries application_id kApplicationId and, as
// user_version, the format version. Readers refuse a newer version and read every older one.
//
// Plain tables (engine/io/run_file_schema.h makes them). Every id is an INTEGER PRIMARY KEY, dense from 0, so
// that rows can be probed one by one in a damaged file. Absent ids (an invalid NameId) are NULL. Times are ns
// on the run's clock.
//
//   info(id, key, value)             run information, in order; "state" is "recording" until the run ends
//   totals(key, value)               what the rest should hold: names, places, details (since version 2),
//                                    tracks, lanes, chunks, memory_events, allocations, segment_events (since
//                                    version 3), counter_samples, end_ns; without one of them the file is
//                                    damaged
//   checksums(table_name, rows, checksum)
//                                    of each table but itself: how many rows it has, and their checksum;
//                                    since version 4
//   strings(id, text)                names; id is the NameId
//   places(id, phase, module, part)  phase by number (trace/ids.h), module and part into strings
//   details(id, kind, copy, full_name, op, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers,
//           static_shared, dynamic_shared, bytes, graph_node, occupancy)
//                                    kind and copy by number (trace/span_detail.h), full_name and op into
//                                    strings; since version 2. Kind 5, an op's types, only in runs that
//                                    record them
//   tracks(id, kind, name)           kind by number (trace/ids.h), name into strings
//   lanes(id, track, depth, rows)
//   losses(id, name, count)
//   open_spans(id, lane, start_ns, name, place, step)
//                                    begun and not ended at the last write
//   statistics(id, name, family, time_share, total_ns, self_share, self_ns, instances, average_ns, median_ns,
//              min_ns, max_ns, stddev_ns)
//                                    ops over the measured steps, most self time first; written at the end.
//                                    time_share is of the time that the ops take together, nested ones once;
//                                    recordings made before 0.1.0 may have it of the sum of all total_ns
//   kernel_clocks(id, kernel, step, heads, batch, tiles_of_head, rows_of_tile, causal, lost_tiles,
//                 lost_rounds, data)
//                                    what kernels wrote of themselves (trace/kernel_clocks.h); made where
//                                    they did, and passed over by readers that do not know it
//   marks(id, time_ns, text)         what a person has noted; made when the first mark is, in files of any
//                                    version, and passed over by readers that do not know it
//   chunks(id, kind, lane, chunk, rows, begin_ns, end_ns, data_sum, mip, data)
//                                    id dense from 1; data_sum, since version 4, is the checksum of data
//
// Checksums. That of bytes is FNV-1a, 64 bits, its offset basis XORed with a seed (0 for data_sum), and then
// the finalizer of MurmurHash3, mix(). A cell's is that of its bytes, with mix(column × 256 + type) as the
// seed; columns count from 1; type and bytes are 'n' and none for NULL, 'i' and 8 bytes (little-endian) for
// an integer and for a real number that is one below 2^53, 'r' and 8 bytes for another real number, 't' and
// the text, 'b' and the blob. A row's is mix(sum of its cells' XOR that of the table's name), and 1 in place
// of 0; a table's is the sum of its rows', modulo 2^64. In chunks, mip and data are no part of it: each row's
// data has data_sum, and a mip that is damaged is made anew from the data.
//
// A row of chunks holds up to 65,536 rows of one series: kind 0 spans (lane is the LaneId), 1 memory events,
// 2 allocations, 3 counter samples, 4 segment events (since version 3; lane 0). `chunk` counts from 0 within
// the series; all chunks but a series' last are full. begin_ns and end_ns are the least start and greatest
// end. While the run goes on the last chunk is replaced, under the same id, as it grows. mip comes before
// data, so that opening reads mip without walking data's pages.
//
// mip and data are one zstd frame each, with content size and checksum. What is compressed starts with the
// row's own kind, lane, chunk, rows, begin_ns, end_ns (varint; the times zigzag), so that the frame's
// checksum covers them too; then the columns one after another, each over all rows. Encodings:
//   v(x)   LEB128 varint of an unsigned 64-bit number
//   z(x)   v of the zigzag form of a signed number: 0, -1, 1, -2 … as 0, 1, 2, 3 …
//   id(x)  v(x + 1), 0 for an invalid id
//   Δx     x less the x of the row before; 0 before the first row
//   b(x)   one bit a row, lowest bit first
//   u8, u64, f64   little-endian, fixed width
// spans:          v(start - end of the row before, begin_ns before the first), v(duration), z(duration -
// self), id(name), z(Δ(place + 1)), z(Δstep),
//                 b(link != 0), and for rows with a link z(link - the link of the last row that has one);
//                 since version 2, where any row has a detail: z(Δ(detail + 1))
// memory events:  v(Δtime, begin_ns before the first), b(action is free), and z of: for an allocation its id
// less one more than the greatest id so far in
//                 the chunk (0 at first); for a free that greatest id less its id
// allocations:    u64 address, v(requested), z(bytes - requested), z(Δ(place + 1)), z(Δstep), id(op), u8
// category (as it stood; a
//                 recording that was cut off may hold preliminary ones in its last step)
// counter samples: z(Δtime, begin_ns before the first), id(counter), f64 value
// segment events: v(Δtime, begin_ns before the first), u8 action (by number, trace/chunks.h), z(Δaddress),
// v(bytes), v(stream), v(pool),
//                 z(Δ(place + 1)), z(Δstep), id(op), id(allocation)
// mip of spans, a row per 64 spans, the last perhaps fewer: v(start - end of the block before, begin_ns
// before the first), v(end - start),
//                 v(end - start - busy), v(longest duration), v(longest row within the block), id(name),
//                 id(place) of that row
// data of kernel_clocks, one frame as well: v(number of tiles), v(number of rounds);
//                 of the tiles, each over all: z(Δ begin_cycle), v(cycles), z(Δ begin_ns), v(ns), z(Δ tile),
//                 v(multiprocessor), v(warpgroup); of the rounds: z(Δ begin_cycle), v(cycles) of the four
//                 phases, z(Δ tile), v(round), v(warpgroup)
//
// Writing: rollback journal (journal_mode DELETE), synchronous NORMAL. A journal lies beside the file only
// during a transaction; after a kill in the midst of one, reading rolls back to the last complete write on a
// private copy (run_file_source.h), and writing in place. From its first moment to its last a recording holds
// SQLite's lock of a writer, so that others can tell a run that goes on from one that was cut off. WAL was
// not chosen because its side files would be there throughout the recording, and a copy of the file alone
// would lack its end.
#pragma once

#include <cstdint>

namespace warpglass::run_file {

/// "WGrn".
inline constexpr std::int32_t kApplicationId = 0x5747726e;
inline constexpr std::int32_t kFormatVersion = 4;

enum class ChunkKind : std::uint8_t { kSpans, kMemoryEvents, kAllocations, kCounters, kSegmentEvents };
inline constexpr std::uint32_t kChunkKindCount = 5;

/// 208 days: longer than any run, and the sum of 500 lanes' times does not overflow.
inline constexpr std::int64_t kMaxTime = std::int64_t{1} << 54;
/// 16 TiB: more than any one allocation, and the sum of 524,288 of them does not overflow.
inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 44;
/// GPU addresses have 57 bits at most; one that is larger is damage.
inline constexpr std::uint64_t kMaxAddress = std::uint64_t{1} << 62;
/// Views make tables with one entry a step; 16 million is beyond any recorded run.
inline constexpr std::int32_t kMaxStep = 1 << 24;

/// Fast to write (the recording thread keeps up with any run) and within a few percent of the size of higher
/// levels on delta-coded columns.
inline constexpr int kCompressionLevel = 3;

}  // namespace warpglass::run_file
