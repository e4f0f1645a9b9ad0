// What a chart of times by length says: who is fastest. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/experiments/experiment.h"

namespace warpglass::experiment {

struct FastestAnswer {
    /// "In the forward pass at 32,768 tokens, flash in bf16 takes 6.65 ms, 1.86× as fast as sdpa-flash."
    std::string sentence;
    AnswerEntry entry;
};

/// The cell that a point is of; null for none.
using CellOfPoint = std::function<const SweepCell*(const ChartSeries& series, const ChartPoint& point)>;

/// Who is fastest in each precision at the greatest length that any of them can run, beside the next one; the
/// fastest of all first. Empty where there are no two to compare. Precondition: the series are of two
/// choices, the variant and its precision.
std::vector<FastestAnswer> fastestAnswers(const Chart& chart, const std::string& pass,
                                          const CellOfPoint& cellOf);

/// The sentences of the result's first two charts, of the forward and the backward pass: who is fastest,
/// which comes before the answers and entries that there are, or of one variant alone how it grows.
void tellFastest(ExperimentResult& result, const CellOfPoint& cellOf, const std::string& forward,
                 const std::string& backward);

}  // namespace warpglass::experiment
