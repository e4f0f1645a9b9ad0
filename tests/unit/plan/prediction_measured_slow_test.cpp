// The predicted peak of small, and of tiny at longer contexts, against recorded runs: seconds each.
#include "tests/unit/plan/measured_prediction.h"

namespace warpglass::test::prediction_measured_slow_test {

class SmallPrediction : public testing::TestWithParam<Variant> {};

TEST_P(SmallPrediction, HoldsAgainstARun) {
    const auto& [context, mode, precision, attention] = GetParam();
    expectPredictionHolds(measuredConfig("small", context, mode, precision, attention));
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, SmallPrediction,
                         testing::Combine(testing::Values(128), kEveryMode, kEveryPrecision, kEveryAttention),
                         variantName);

class TinyAtLengthPrediction : public testing::TestWithParam<Variant> {};

TEST_P(TinyAtLengthPrediction, HoldsAgainstARun) {
    const auto& [context, mode, precision, attention] = GetParam();
    expectPredictionHolds(measuredConfig("tiny", context, mode, precision, attention));
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, TinyAtLengthPrediction,
                         testing::Combine(testing::Values(256, 512), kEveryMode, kEveryPrecision,
                                          kEveryAttention),
                         variantName);

}  // namespace warpglass::test::prediction_measured_slow_test
