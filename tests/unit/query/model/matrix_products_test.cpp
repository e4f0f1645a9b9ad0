#include "engine/query/model/matrix_products.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

#include "engine/plan/flops.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parts.h"
#include "tests/support/random_config.h"

namespace warpglass::test::matrix_products_test {

/// Whatever kernels are chosen, and so whichever products are joined.
TEST(MatrixProducts, HaveTheFlopsOfThePlanAndMoveTheirTensors) {
    std::mt19937_64 random(44);
    for (int i = 0; i < 200; ++i) {
        for (const char* kernels : {"library", "fused", "casts", "casts+rope", "casts+swiglu"}) {
            RunConfig config = randomValidConfig(random);
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
    RunConfig config{.precision = Precision::kBf16, .device = "cuda:0"};
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

/// M×N×K: as many FLOPs as 2·M·N·K, for each of a batch, and twice that backward.
TEST(MatrixProducts, HaveTheShapeOfTheForwardProduct) {
    std::mt19937_64 random(45);
    int batches = 0;
    for (int i = 0; i < 200; ++i) {
        RunConfig config = randomValidConfig(random);
        if (!config.isAttention() && !takeOwnParts("library", config))
            continue;
        const bool stored = attentionPlan(config).storesScores;
        for (const MatrixProduct& product : matrixProducts(config)) {
            if (!product.part.empty() && !stored) {
                EXPECT_EQ(product.shape, "") << "one kernel for both products";
                continue;
            }
            long long batch = 1, m = 0, n = 0, k = 0;
            std::string shape = product.shape;
            if (const std::size_t at = shape.find(" × "); at != shape.npos) {
                batch = std::stoll(shape.substr(0, at));
                shape = shape.substr(at + std::string_view(" × ").size());
                ++batches;
            }
            ASSERT_EQ(std::sscanf(shape.c_str(), "%lld×%lld×%lld", &m, &n, &k), 3) << product.shape;
            EXPECT_EQ(product.flops.value,
                      2 * batch * m * n * k * (product.phase == PlanPhase::kBackward ? 2 : 1))
                << shortTitle(config) << ", " << product.module << ", " << product.shape;
        }
    }
    EXPECT_GT(batches, 0);
}

}  // namespace warpglass::test::matrix_products_test
