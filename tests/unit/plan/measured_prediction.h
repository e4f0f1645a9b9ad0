// Runs a configuration and holds what was recorded against what was predicted.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>

#include "tests/support/implementations.h"

namespace warpglass {

/// A preset with one run of each kind that matters for the peak: the step mode takes a second step, the first
/// that has the optimizer's moments from its beginning.
RunConfig measuredConfig(std::string_view model, std::int64_t context, Mode mode, Precision precision,
                         AttentionVariant attention);

/// The total and each category's part differ by at most 5% of the measured peak; the weights not at all.
void expectPredictionHolds(const RunConfig& config);

using Variant = std::tuple<std::int64_t, Mode, Precision, AttentionVariant>;
inline const auto kEveryMode = testing::Values(Mode::kForward, Mode::kForwardBackward, Mode::kStep);
inline const auto kEveryPrecision = testing::Values(Precision::kFp32, Precision::kBf16);
inline const auto kEveryAttention = testing::ValuesIn(test::attentionsFor(RunConfig()));
/// "step_bf16_sdpa_math_128".
std::string variantName(const testing::TestParamInfo<Variant>& info);

}  // namespace warpglass
