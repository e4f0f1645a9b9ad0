// The 16-bit copies of weights that autocast makes in every step of a run in mixed precision: activations by
// their category, since a forward pass makes them and its backward pass needs them, and none of the data's.
//
// What an activation is follows from three facts together: aten::_to_copy made it, in the module of a weight,
// with two bytes for each of the weight's numbers. Where the module's input or output has as many numbers as
// its weight, a copy of either would look the same, and none counts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/query/memory/memory_op.h"

namespace warpglass {

/// What they are called in sums by category.
inline constexpr std::string_view kWeightCopies = "weight copies";

class WeightCopies {
public:
    /// The timeline outlives it. Precondition: it has a snapshot.
    explicit WeightCopies(const MemoryTimeline& memory);
    /// Ask in order of time, as of MemoryOps. Not thread-safe.
    bool has(AllocationId id, const AllocationRow& row);

private:
    const MemoryTimeline& m_memory;
    MemoryOps m_ops;
    std::vector<std::int64_t> m_bytes;  // by the module's name; 0 where none can be told
};

/// Those among `ids`, in their order.
std::vector<AllocationId> weightCopiesAmong(const MemoryTimeline& memory,
                                            const std::vector<AllocationId>& ids);

}  // namespace warpglass
