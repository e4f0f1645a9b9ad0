// Which steps of two runs are compared, and what their sums are divided by.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/trace/snapshot.h"

namespace warpglass {

struct ComparisonScope {
    enum class Steps : std::uint8_t {
        kMean,  // of the measured steps (of all complete ones where none is measured)
        kSum,   // over them
        kOne    // stepA against stepB, warm-ups too
    };
    Steps steps = Steps::kMean;
    std::int32_t stepA = kNoStep, stepB = kNoStep;
    /// Times divided by the tokens (batch × context) that were worked on: for runs of unlike steps. Without
    /// effect where either run does not state them.
    bool perToken = false;

    bool operator==(const ComparisonScope&) const = default;
};

/// Batch × context; nothing where the run does not state them.
std::optional<std::int64_t> tokensPerStep(const Snapshot& run);

/// Whether `scope` divides by tokens: it asks for it, and both runs state them.
bool countsTokens(const Snapshot& a, const Snapshot& b, const ComparisonScope& scope);

/// "mean per measured step (3 of A, 5 of B)" or "(n = 3 each)", "step 4 of A against step 2 of B", "sum over
/// the measured steps (3 of A, 5 of B)"; per token "mean per token of the measured steps (3 of A at 2,048
/// tokens, …)".
std::string scopeText(const Snapshot& a, const Snapshot& b, const ComparisonScope& scope);

}  // namespace warpglass
