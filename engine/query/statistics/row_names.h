// What the rows of grouped statistics say in words, from the time that each of several names, signatures and
// places had in them.
//
// Internal to engine/query. Pure.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "engine/query/model/span_work.h"
#include "engine/query/spans/kernel_works.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// By the id of a name or a place.
using AmountById = std::unordered_map<std::uint32_t, std::int64_t>;

/// What launched a row of the GPU, or the types of ops: the name with the most time, and how many there are.
void nameMost(const Snapshot& snapshot, bool ofGpu, const AmountById& times, GroupedRow& row);
/// The signature with the most time, and its title.
void nameTitle(const Snapshot& snapshot, const KernelWorks& works, const AmountById& times, GroupedRow& row);
/// The shape with the most products; a shape of the backward pass is another.
void nameShape(const Snapshot& snapshot, const SpanWork& work, const AmountById& products, GroupedRow& row);

}  // namespace warpglass
