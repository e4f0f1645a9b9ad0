// What may be read from a damaged run file.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "engine/trace/snapshot.h"

namespace warpglass::test {

/// Every span that can be read must have the times that were recorded: they are under a checksum, and so
/// either right or absent. Returns how many could be read.
inline std::uint64_t expectOnlyTrueSpans(const Snapshot& original, const Snapshot& damaged) {
    std::uint64_t read = 0;
    for (std::size_t l = 0; l < damaged.laneCount(); ++l) {
        const SpanLane lane = damaged.lane(LaneId(l));
        if (lane.empty())
            continue;
        if (l >= original.laneCount()) {
            ADD_FAILURE() << "rows in a lane that never was";
            continue;
        }
        const SpanLane whole = original.lane(LaneId(l));
        for (std::uint64_t i = 0; i < lane.rows(); ++i) {
            const auto row = lane.row(i);
            if (!row)
                continue;
            const auto expected = i < whole.rows() ? whole.row(i) : std::nullopt;
            if (!expected || row->start != expected->start || row->duration != expected->duration) {
                ADD_FAILURE() << "lane " << l << " row " << i << " is not what was recorded";
                return read;
            }
            ++read;
        }
    }
    return read;
}

}  // namespace warpglass::test
