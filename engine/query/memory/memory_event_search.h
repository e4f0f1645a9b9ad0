// Finding a moment among a snapshot's memory events. Pure; any thread.
#pragma once

#include <cstdint>

#include "engine/trace/snapshot.h"

namespace warpglass {

/// The first memory event at or after t; memoryEventCount() when there is none. Times never decrease; an
/// event of a damaged chunk counts as being at the moment of the last event known before it, so that what
/// lies around the damage is found.
inline std::uint64_t firstMemoryEventAt(const Snapshot& snapshot, Nanoseconds t) {
    const auto timeOf = [&](std::uint64_t event) -> std::int64_t {
        auto chunk = static_cast<std::size_t>(event / kChunkRows);
        if (const MemoryEventChunk* own = snapshot.memoryEventChunk(chunk))
            return own->time[event % kChunkRows];
        while (chunk > 0) {
            if (const MemoryEventChunk* before = snapshot.memoryEventChunk(--chunk))
                return before->time[kChunkRows - 1];
        }
        return 0;
    };
    std::uint64_t low = 0, high = snapshot.memoryEventCount();
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (timeOf(middle) < t.value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace warpglass
