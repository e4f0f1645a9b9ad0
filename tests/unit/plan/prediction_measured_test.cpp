// The predicted peak of tiny against recorded runs.
#include "tests/unit/plan/measured_prediction.h"

namespace warpglass {
namespace {

class TinyPrediction : public testing::TestWithParam<Variant> {};

TEST_P(TinyPrediction, HoldsAgainstARun) {
    const auto& [context, mode, precision, attention] = GetParam();
    expectPredictionHolds(measuredConfig("tiny", context, mode, precision, attention));
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, TinyPrediction,
                         testing::Combine(testing::Values(128), kEveryMode, kEveryPrecision, kEveryAttention),
                         variantName);

/// With a small vocabulary the logits no longer hide what happens inside the layers.
class LayerPrediction : public testing::TestWithParam<Variant> {};

TEST_P(LayerPrediction, HoldsAgainstARun) {
    const auto& [context, mode, precision, attention] = GetParam();
    for (const std::int64_t layers : {1, 2, 5}) {
        RunConfig config = measuredConfig("tiny", context, mode, precision, attention);
        config.model = "custom";
        config.shape.vocabulary = 100;
        config.shape.layers = layers;
        SCOPED_TRACE(std::to_string(layers) + " layers");
        expectPredictionHolds(config);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, LayerPrediction,
                         testing::Combine(testing::Values(100), kEveryMode, kEveryPrecision, kEveryAttention),
                         variantName);

}  // namespace
}  // namespace warpglass
