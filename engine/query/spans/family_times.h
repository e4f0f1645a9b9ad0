// Time by family of the kernels of each 64 spans of a GPU's streams: the mip-map that lets a view draw a
// column of many kernels as what it is made of. The trace's own mip-map knows the longest span of a block and
// how much of it is busy, and families are known only here.
//
// Made in one walk over those lanes, which reads their chunks, and extended from an earlier one as a run
// grows: only chunks that grew are read again. 0.9 bytes a span kept. Immutable; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "engine/query/spans/op_family.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class FamilyTimes {
public:
    using Times = std::array<std::int64_t, kOpFamilyCount>;  // ns, by family

    /// Times for one chunk of a lane, with the same blocks and super-blocks as its SpanMip.
    struct Chunk {
        /// Below it rows are in complete blocks that are summed here.
        std::uint32_t rows = 0;
        std::array<Times, kBlocksPerChunk> blocks{};
        std::array<Times, kSuperBlocksPerChunk> superBlocks{};
    };

    FamilyTimes() = default;
    /// `earlier`: of an earlier snapshot of the same run, or null.
    explicit FamilyTimes(const Snapshot& snapshot, const FamilyTimes* earlier = nullptr);

    /// Null for other lanes, for chunks that were not there yet and for damaged ones.
    const Chunk* chunk(LaneId lane, std::size_t index) const;

private:
    using Lane = std::vector<std::shared_ptr<const Chunk>>;
    std::map<std::size_t, Lane> m_lanes;  // by LaneId::index()
};

}  // namespace warpglass
