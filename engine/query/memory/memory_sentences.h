// What holds memory, in one sentence for each kind of table or chart of it: what stands over their figures.
// Each is empty where nothing is held. `when` is "at the peak" or the like. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/query/memory/allocation_groups.h"
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

/// "2.77 GiB of the 38.3 GiB reserved was free at the peak: 1.86 GiB in 47 whole segments that could be given
/// back and 936 MiB in 397 holes of at most 61.0 MiB."
std::string reservedSentence(const SegmentTotals& totals, const FreePlaces& places, std::string_view when);
/// "At step 1, only 2.4% of the 38.3 GiB reserved is lost to holes (936 MiB in 397); 1.86 GiB in 47 whole
/// segments could be given back."
std::string segmentsSentence(const FreeMemory& free, std::string_view when);
/// "35.6 GiB is in use, 752 MiB of it by rounding.", and what of it no allocation of the run holds.
std::string inUseSentence(const SegmentTotals& totals, Bytes rounding);
/// "The largest allocation still to come, 62.0 MiB, would now fit into a free segment, but into no hole."
std::string comingSentence(const FreeMemory& free, Bytes coming);

/// "24 allocations", or where `rows` are not all of them "largest 500 of 2,616 allocations" or "500 largest
/// groups, of 2,400 of 2,616 allocations".
std::string listedAllocations(std::span<const AllocationGroup> rows, std::int64_t allocations);
/// "2,616 allocations hold 35.6 GiB: 15.2 GiB is optimizer state, of which 11.2 GiB is in blocks.*.ffn
/// (288 × 40.0 MiB)."; or where `rows`, the largest, are not all of them "The largest 500 of 2,616
/// allocations account for 92% of the 35.6 GiB; of all, 15.2 GiB is …". `holding`: of all. After it come
/// shorter wordings for less room: "2,616 allocations hold 35.6 GiB." and "15.2 GiB is optimizer state.".
std::vector<std::string> allocationsWordings(std::span<const AllocationGroup> rows, std::int64_t allocations,
                                             Bytes bytes, const LargestHolding& holding);

}  // namespace warpglass
