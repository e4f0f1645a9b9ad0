// Two runs in one line: how much faster, how much less memory, how the share of matrix products moved.
#pragma once

#include <optional>
#include <string>

#include "engine/query/comparison.h"

namespace warpglass {

struct ComparisonHeadline {
    /// Mean of the measured steps, ns.
    std::optional<double> stepA, stepB;
    /// Bytes.
    std::optional<double> peakA, peakB;
    /// Of the GPU's time, or of the ops' self time of a run on the CPU.
    std::optional<double> matmulShareA, matmulShareB;

    /// "1.93 × faster: 41.3 ms a step against 79.7 ms · peak memory 0.61 ×: 3.05 GiB against 4.98 GiB ·
    /// matrix products 66 % → 47 % of the time": B as measured by A. Empty where nothing can
    /// be said.
    std::string text() const;
};

/// `comparison` is that of a and b.
ComparisonHeadline headlineOf(const RunComparison& comparison, const Snapshot& a, const Snapshot& b);

}  // namespace warpglass
