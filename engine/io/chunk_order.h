// The chunks of a run file put into series: those of each lane of spans, the memory events, and so on, each
// in order and without gaps that cannot be.
//
// What a chunk says of itself may be wrong. One that cannot stand where it says is left out, and the rows
// that are missing are counted. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "engine/io/run_file_tables.h"

namespace warpglass::run_file {

struct ChunkSeries {
    /// By chunk number; null where it is missing or contradicts its neighbors.
    std::vector<ChunkEntry*> chunks;
    std::uint64_t rows = 0;
    std::uint64_t lostRows = 0;
    /// How many of those lie between others that are there.
    std::uint64_t amidstRows = 0;
};

class ChunkOrder {
public:
    /// The chunks outlive it, and none comes or goes. `inFile`: how many there were before damaged ones were
    /// dropped. `isSound` decodes a chunk: it is asked only where headers are at odds.
    ChunkOrder(std::vector<ChunkEntry>& chunks, std::size_t inFile,
               std::function<bool(const ChunkEntry&)> isSound);

    /// `expectedRows`: what the file says that the series holds. To be called once for each series, as all of
    /// them share how many chunks may be missing.
    ChunkSeries series(ChunkKind kind, std::uint32_t lane, std::optional<std::uint64_t> expectedRows);

private:
    std::vector<ChunkEntry*> m_byPlace;  // by kind, lane and number
    std::function<bool(const ChunkEntry&)> m_isSound;
    /// How many missing chunks may still be taken for granted between those that are there.
    std::uint64_t m_gapsLeft;
};

}  // namespace warpglass::run_file
