// What holds memory, in one sentence for each kind of table or chart of it: what stands over their figures.
// Each is empty where nothing is held. `when` is "at the peak" or the like. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/query/memory/free_memory.h"
#include "engine/query/memory/memory_breakdown.h"

namespace warpglass {

/// A category in a sentence: "optimizer state", and the others by their names.
std::string categoryNoun(Category category);
/// "Of the 35.6 GiB live at the peak, 43% is optimizer state, 24% activations, 21% weights and 11% weight
/// copies.": the up to four largest of 5% or more.
std::string categoriesSentence(const CategoryBytes& bytes, std::string_view when);
/// The same of rows by any key: "… is in blocks.0.ffn", "… from aten::mm".
std::string breakdownSentence(std::span<const BreakdownRow> rows, BreakdownKey key, std::string_view when);

/// "2.77 GiB of the 38.3 GiB reserved was free at the peak: 1.86 GiB in 47 whole segments and 936 MiB in 397
/// holes of at most 61.0 MiB, 93% of it between activations."
std::string reservedSentence(const SegmentTotals& totals, const FreePlaces& places, std::string_view when);
/// How much of what is reserved is stuck in holes and how much can be given back: "At step 1, 2.4% of
/// the 38.3 GiB reserved is stuck: …. Giving back 47 free segments would return 1.86 GiB (4.8%). …"; what is
/// in use, and of that what rounding takes.
std::string segmentsSentence(const FreeMemory& free, Bytes rounding, std::string_view when);
/// "The largest allocation still to come, 62.0 MiB, would now fit into a free segment, but into no hole."
std::string comingSentence(const FreeMemory& free, Bytes coming);

/// "The largest 500 of 2,616 allocations hold 92% of their 35.6 GiB; the largest is 199 MiB of weights.":
/// `rows`, largest first, are of so many allocations with so many bytes.
std::string allocationsSentence(std::span<const AllocationDetail> rows, std::int64_t allocations,
                                Bytes bytes);

}  // namespace warpglass
