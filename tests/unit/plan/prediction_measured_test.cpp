// The predicted peak of tiny against recorded runs.
#include "tests/unit/plan/measured_prediction.h"

namespace warpglass::test::prediction_measured_test {

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

/// Attention alone: one pass, and passes that find the gradients of the last.
class AttentionPrediction : public testing::TestWithParam<std::tuple<Variant, Causal, std::int64_t>> {};

TEST_P(AttentionPrediction, HoldsAgainstARun) {
    const auto& [variant, causal, heads] = GetParam();
    const auto& [context, mode, precision, attention] = variant;
    for (const std::int64_t steps : {1, 3}) {
        RunConfig config = measuredConfig("tiny", context, mode, precision, attention);
        config.workload = Workload::kAttention;
        config.causal = causal;
        config.shape.heads = heads;
        config.headDim = 64;
        config.batch = 32;  // so that the buffers of threads, which are left out, are little
        config.steps = steps;
        SCOPED_TRACE(std::to_string(steps) + " steps");
        expectPredictionHolds(config);
    }
}

std::string attentionRunName(const testing::TestParamInfo<std::tuple<Variant, Causal, std::int64_t>>& info) {
    const auto& [variant, causal, heads] = info.param;
    return variantName({variant, 0}) + (causal == Causal::kYes ? "_causal_" : "_") + std::to_string(heads) +
           "_heads";
}

INSTANTIATE_TEST_SUITE_P(EveryVariant, AttentionPrediction,
                         testing::Combine(testing::Combine(testing::Values(100),
                                                           testing::Values(Mode::kForward,
                                                                           Mode::kForwardBackward),
                                                           kEveryPrecision, kEveryAttention),
                                          testing::Values(Causal::kNo, Causal::kYes), testing::Values(1, 3)),
                         attentionRunName);

}  // namespace warpglass::test::prediction_measured_test
