// What holds memory, in one sentence for each kind of table or chart of it: what stands over their figures.
// Each is empty where nothing is held. `when` is "at the peak" or the like. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_segments.h"

namespace warpglass {

/// "Of the 35.6 GiB live at the peak, 43% is optimizer state, 24% activations, 21% weights and 11% weight
/// copies.": the up to four largest of 5% or more. `copies` of the activations are those of weights.
std::string categoriesSentence(const CategoryBytes& bytes, std::string_view when, Bytes copies = {});
/// The same of rows by any key: "… is in blocks.0.ffn", "… from aten::mm".
std::string breakdownSentence(std::span<const BreakdownRow> rows, BreakdownKey key, std::string_view when);

/// "2.77 GiB of the 38.3 GiB reserved was free at the peak: 1.86 GiB in 47 whole segments and 936 MiB in 397
/// holes of at most 61.0 MiB, 93% of it between activations."
std::string reservedSentence(const SegmentTotals& totals, const FreePlaces& places, std::string_view when);
/// ", 93% of it between activations"; empty where no category is beside most of what is in holes.
std::string besideHoles(const FreePlaces& places);

/// "The largest 500 of 2,616 allocations hold 92% of their 35.6 GiB; the largest is 199 MiB of weights.":
/// `rows`, largest first, are of so many allocations with so many bytes.
std::string allocationsSentence(std::span<const AllocationDetail> rows, std::int64_t allocations,
                                Bytes bytes);

}  // namespace warpglass
