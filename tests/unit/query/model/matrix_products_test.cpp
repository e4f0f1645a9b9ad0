#include "engine/query/model/matrix_products.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/plan/flops.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parts.h"
#include "tests/support/random_config.h"

namespace warpglass {
namespace matrix_products_test {

/// Whatever kernels are chosen, and so whichever products are joined.
TEST(MatrixProducts, HaveTheFlopsOfThePlanAndMoveTheirTensors) {
    std::mt19937_64 random(44);
    for (int i = 0; i < 200; ++i) {
        for (const char* kernels : {"library", "fused", "casts", "casts+rope", "casts+swiglu"}) {
            RunConfig config = test::randomValidConfig(random);
            if (!config.isAttention() && !takeOwnParts(kernels, config))
                continue;
            Flops sum;
            for (const MatrixProduct& product : matrixProducts(config)) {
                sum += product.flops;
                EXPECT_GT(product.bytes.value, 0) << shortTitle(config) << ", " << product.module;
            }
            const FlopsEstimate plan = countFlops(config);
            if (attentionPlan(config).record != AttentionRecord::kOps) {
                EXPECT_EQ(sum, plan.matmul()) << shortTitle(config);
            }
        }
    }
}

/// q, k and v of one input: it is read once, and one product makes what three would.
TEST(MatrixProducts, OfJoinedWeightsReadTheirInputOnce) {
    RunConfig config;
    config.device = "cuda:0";
    config.precision = Precision::kBf16;
    ASSERT_TRUE(takeOwnParts("fused", config));
    const std::int64_t d = config.shape.dModel, f = config.shape.dFf, tokens = config.tokensPerStep();
    int found = 0;
    for (const MatrixProduct& product : matrixProducts(config)) {
        if (product.phase != PlanPhase::kForward)
            continue;
        if (product.module == "blocks.0.attn.qkv_proj") {
            EXPECT_EQ(product.bytes.value, 2 * (tokens * d + 3 * d * d + tokens * 3 * d));
            ++found;
        }
        if (product.module == "blocks.0.ffn.w13") {
            EXPECT_EQ(product.bytes.value, 2 * (tokens * d + 2 * f * d + tokens * 2 * f));
            ++found;
        }
    }
    EXPECT_EQ(found, 2);
}

}  // namespace matrix_products_test
}  // namespace warpglass
