// The 16-bit copies of weights that autocast makes in every step of a run in mixed precision. A run stores
// them as activations, since a forward pass makes them and its backward pass needs them, or as temporaries,
// where there is no backward pass; but they hold none of the data.
//
// What such an allocation is follows from three facts together: aten::_to_copy made it, in the module of a
// weight, with two bytes for each of the weight's numbers. Where the module's input or output has as many
// numbers as its weight, a copy of either would look the same, and none counts.
//
// Steps of a run repeat each other, and to look up every op would read all of a file's ops. What is noted
// alike (in one place, of one size, by one op) is therefore judged in the first step that has it, and called
// the same from then on; only where it was not the same all through that step is each judged.
//
// MemoryTimeline asks once for each allocation; everybody else asks MemoryTimeline::categoryOf().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "engine/query/memory/memory_op.h"

namespace warpglass {

class WeightCopies {
public:
    /// The snapshot outlives it.
    explicit WeightCopies(const Snapshot& snapshot);
    /// Whether an activation or a temporary made in that place, of so many bytes, is one. Ask in order of
    /// time, as of MemoryOps. Not thread-safe.
    bool has(AllocationId id, PlaceId place, std::int64_t requested, Nanoseconds made) {
        return place.index() < m_bytes.size() && requested > 0 && m_bytes[place.index()] == requested &&
               isCopy(id, made);
    }

private:
    /// What is noted alike.
    struct Kind {
        bool judged = false, copy = false, mixed = false;
        std::int32_t step = kNoStep;  // in which it was judged
    };

    bool isCopy(AllocationId id, Nanoseconds made);

    const Snapshot& m_snapshot;
    std::optional<MemoryOps> m_ops;     // of runs that may have some
    std::vector<std::int64_t> m_bytes;  // by the place; 0 where none can be told
    std::map<std::pair<PlaceId, NameId>, Kind> m_kinds;
};

}  // namespace warpglass
