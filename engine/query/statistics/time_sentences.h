// Where time goes, in one sentence for each kind of table or chart of it: what stands over their figures.
// Each is empty where there is no time. What may stand in little room has wordings: the sentence first, then
// ever shorter ones. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/query/statistics/flame.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/statistics/span_search.h"

namespace warpglass {

/// "GPU time goes to GEMMs (52%), elementwise work (30%) and the optimizer (18%); the top kernel is
/// multi_tensor_apply_kernel (18%).": self times of rows of names, the up to four largest families of 5% or
/// more, and the kernel or op with the most in all groups together. Kernels that share a title ("gemm
/// 128×256 TNN") count apart where their names differ, as do those of one name where their titles differ.
/// `kind` as for groupedStatistics(); copies have no families. After it come shorter wordings for less room:
/// without the top kernel, with the two largest families, "GEMMs take 52% of GPU time." and "GEMMs take
/// 52%.".
std::vector<std::string> spansWordings(std::span<const GroupedRow> rows, TrackKind kind);

/// "Backward takes 57% of a step of 152 ms, forward 32% and optimizer 10%; the GPU waits for the host for 41%
/// of backward and 40% of forward.": of the rows of phaseStatistics(), one of which is the step. `waits`: ns
/// of a step in which the GPU waits for the host, by phase.
std::string phasesSentence(std::span<const StatisticsRow> rows,
                           const std::unordered_map<std::string, double>& waits = {});
/// The same of phaseSamples(), whose last are the steps. For several that count: how far they spread, which
/// phases of those long enough to move a step vary most (the range, from five steps on one standard
/// deviation), whether the warm-up was too short (the first measured step takes a tenth longer than the
/// others, which are alike), and how much longer the first warm-up took: "The 3 steps take 33.4 ms
/// to 36.2 ms; of long phases forward varies most (−3.9% to +24% of its median), then backward
/// (−2.5% to +12%); the first warm-up took 5.9× the median.". For one step: how it is shared, as above.
std::string phasesSentence(std::span<const PhaseSamples> phases);
/// The phases that have no say in it (movesSteps()), which a chart of the steps leaves to its table: "Not
/// drawn: loss (median 139 µs, range 102 µs) and zero-grad (1.28 µs, 3 ns), which vary by less than a tenth
/// of the steps' range."; "" where there are none.
std::string quietPhasesSentence(std::span<const PhaseSamples> phases);

/// "backward takes 57% of the GPU time, forward 30%; of all of it 44% is in the blocks' ffn.", or of
/// memory "Of 35.6 GiB, 62% is in the blocks' ffn and 28% in the blocks' attn.".
std::string flameSentence(const FlameTree& tree);

/// "“copy” is found in 97 kernels (97 per measured step), which take 18% of GPU time, and in 12 ops.". Of
/// what is not on the GPU alone "…, which take 16.0 ms". `steps`: how many whole measured steps were
/// searched; 0 for others or for parts. Empty without a match.
std::string searchSentence(std::string_view text, const SearchResult& found, std::int64_t steps = 0);

}  // namespace warpglass
