// What a chart of times by length says: who is fastest, and who runs out of memory. Pure.
#pragma once

#include <string>

#include "engine/tables/chart.h"

namespace warpglass::experiment {

/// "In the forward pass at 32,768 tokens, flash in bf16 takes 6.65 ms, 1.85× as fast as sdpa-flash;
/// sdpa-efficient in fp32 takes 100 ms, 1.75× as fast as flash; naive runs out of memory there.": who is
/// fastest in each precision at the greatest length that any of them can run, beside the next one. Empty
/// where there are no two to compare. Precondition: the series are of two choices, the variant and its
/// precision.
std::string fastestAnswer(const Chart& chart, const std::string& pass);

}  // namespace warpglass::experiment
