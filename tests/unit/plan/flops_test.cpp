#include "engine/plan/flops.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "engine/plan/estimate.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"
#include "tests/support/random_config.h"
#include "tests/support/valid.h"

namespace warpglass::test::flops_test {

/// Small enough to be counted on paper: 6 tokens, width 4, 2 heads of 2.
RunConfig paperCase() {
    return {.model = "custom",
            .shape = {.vocabulary = 10, .dModel = 4, .dFf = 8, .layers = 1, .heads = 2},
            .context = 3,
            .batch = 2,
            .mode = Mode::kStep};
}

TEST(Flops, AreThoseCountedByHand) {
    const FlopsEstimate flops = countFlops(paperCase());
    // q, k, v, output: 4 · 2·6·4·4 = 768. Scores and values: 2 batches · 2 heads · 2·3·3·2 = 144 each. w1,
    // w2, w3: 3 · 2·6·4·8 = 1152. Head: 2·6·4·10 = 480.
    EXPECT_EQ(flops.matmul(PlanPhase::kForward), Flops(768 + 144 + 144 + 1152 + 480));
    EXPECT_EQ(flops.matmul(PlanPhase::kBackward), Flops(2 * 2688));
    EXPECT_EQ(flops.matmul(PlanPhase::kLoss), Flops(0));
    EXPECT_EQ(flops.matmul(PlanPhase::kOptimizer), Flops(0));
    // Three norms of 24 elements and 6 rows, RoPE on q and k, 36 scores, 48 gates, two residuals.
    EXPECT_EQ(flops.elementwise(PlanPhase::kForward),
              Flops(3 * (24 * 4 + 6 * 3) + 2 * 24 * 3 + 36 * 7 + 48 * 6 + 2 * 24));
    EXPECT_EQ(flops.elementwise(PlanPhase::kLoss), Flops(60 * 5));
    EXPECT_EQ(flops.elementwise(PlanPhase::kBackward),
              Flops(60 * 3 + 24 + 3 * 24 * 8 + 2 * 24 * 3 + 36 * 5 + 48 * 11 + 2 * 24));
    // 2 · 40 embeddings, 4 · 16 + 3 · 32 + 2 · 4 in the block, 4 in the last norm.
    EXPECT_EQ(flops.elementwise(PlanPhase::kOptimizer), Flops(252 * 14));
    EXPECT_EQ(flops.total(), Flops(3 * 2688 + 1074 + 300 + 1680 + 3528));
}

TEST(Flops, CountTheRecomputedScores) {
    RunConfig config = paperCase();
    const FlopsEstimate naive = countFlops(config);
    for (const AttentionVariant variant : {AttentionVariant::kSdpaFlash, AttentionVariant::kFlash}) {
        config.attention = variant;
        const FlopsEstimate flops = countFlops(config);
        EXPECT_EQ(flops.matmul(PlanPhase::kForward), naive.matmul(PlanPhase::kForward));
        EXPECT_EQ(flops.matmul(PlanPhase::kBackward) - naive.matmul(PlanPhase::kBackward), Flops(144));
    }
    config.attention = AttentionVariant::kSdpaMath;
    EXPECT_EQ(countFlops(config).total(), naive.total());
}

TEST(Flops, CountWhatOurKernelsForFp32ComputeTwice) {
    RunConfig config = paperCase();
    config.device = "cuda:0";
    config.attention = AttentionVariant::kFlash;
    config.precision = Precision::kBf16;
    const FlopsEstimate once = countFlops(config);
    for (const Precision precision : {Precision::kFp32, Precision::kTf32}) {
        config.precision = precision;
        const FlopsEstimate twice = countFlops(config);
        EXPECT_EQ(twice.total(PlanPhase::kForward), once.total(PlanPhase::kForward));
        // q·kᵀ and dO·vᵀ, of 144 each; softmax forward and backward on 36 scores.
        EXPECT_EQ(twice.matmul(PlanPhase::kBackward) - once.matmul(PlanPhase::kBackward), Flops(2 * 144));
        EXPECT_EQ(twice.elementwise(PlanPhase::kBackward) - once.elementwise(PlanPhase::kBackward),
                  Flops(36 * (7 + 5)));
        RunConfig library = config;
        library.attention = AttentionVariant::kSdpaEfficient;
        EXPECT_EQ(countFlops(library).total(), once.total());
    }
}

TEST(Flops, RunOnlyThePhasesOfTheMode) {
    RunConfig config = paperCase();
    const FlopsEstimate step = countFlops(config);
    config.mode = Mode::kForwardBackward;
    const FlopsEstimate both = countFlops(config);
    config.mode = Mode::kForward;
    const FlopsEstimate forward = countFlops(config);
    EXPECT_EQ(step.total() - both.total(), step.total(PlanPhase::kOptimizer));
    EXPECT_EQ(both.total() - forward.total(), both.total(PlanPhase::kBackward));
    EXPECT_EQ(forward.total(), forward.total(PlanPhase::kForward) + forward.total(PlanPhase::kLoss));
    EXPECT_EQ(forward.total(PlanPhase::kBackward), Flops(0));
    EXPECT_EQ(both.total(PlanPhase::kOptimizer), Flops(0));
}

TEST(Flops, OfModulesAddUpToTheWhole) {
    for (const std::string_view name : {"tiny", "small", "medium"}) {
        RunConfig config{.model = std::string(name), .shape = *presetShape(name)};
        const FlopsEstimate flops = countFlops(config);
        Flops sum = flops.total(PlanPhase::kLoss);
        for (const FlopsEntry& entry : flops.entries)
            if (entry.phase == PlanPhase::kBackward && entry.module.empty())
                sum += entry.matmul + entry.elementwise;
        for (const char* module : {"token_embeddings", "blocks", "norm", "lm_head"})
            sum += flops.ofModule(module);
        EXPECT_EQ(sum, flops.total()) << name;
        EXPECT_EQ(flops.ofModule("blocks.1") * config.shape.layers, flops.ofModule("blocks")) << name;
        EXPECT_EQ(flops.ofModule(""), flops.total()) << name;
    }
}

TEST(Flops, OfTheProjectionsAreTwoAParameterAndToken) {
    RunConfig config{.model = "small", .shape = *presetShape("small")};
    const FlopsEstimate flops = countFlops(config);
    for (const ParameterTensor& tensor : parameterTensors(config.shape)) {
        if (tensor.columns == 1 || tensor.module == "token_embeddings")
            continue;
        std::int64_t forward = 0;
        std::int64_t backward = 0;
        for (const FlopsEntry& entry : flops.entries)
            if (entry.module == tensor.module)
                (entry.phase == PlanPhase::kForward ? forward : backward) += entry.matmul.value;
        EXPECT_EQ(forward, 2 * tensor.count() * config.tokensPerStep()) << tensor.module;
        EXPECT_EQ(backward, 2 * forward) << tensor.module;
    }
}

/// One product with three weights, or two, has the FLOPs of as many products, and stands at its own module.
TEST(Flops, OfAJoinedProductAreThoseOfItsWeights) {
    RunConfig library{
        .model = "small", .shape = *presetShape("small"), .precision = Precision::kBf16, .device = "cuda:0"};
    RunConfig fused = library;
    ASSERT_TRUE(takeOwnParts("fused", fused));
    EXPECT_EQ(countFlops(fused).matmul(), countFlops(library).matmul());
    std::map<std::string, std::int64_t> forward;
    for (const FlopsEntry& entry : countFlops(fused).entries) {
        if (entry.phase == PlanPhase::kForward && entry.part.empty() && entry.matmul.value > 0)
            forward[entry.module] += entry.matmul.value;
    }
    const std::int64_t d = fused.shape.dModel, f = fused.shape.dFf, tokens = fused.tokensPerStep();
    EXPECT_EQ(forward["blocks.3.attn.qkv_proj"], 2 * tokens * d * 3 * d);
    EXPECT_EQ(forward["blocks.3.ffn.w13"], 2 * tokens * d * 2 * f);
    EXPECT_FALSE(forward.contains("blocks.3.attn.q_proj"));
    for (const ParameterTensor& tensor : multipliedTensors(fused))
        EXPECT_EQ(forward[tensor.module], 2 * tensor.count() * tokens) << tensor.module;
    EXPECT_EQ(forward.size(), multipliedTensors(fused).size());

    // Without 16-bit copies, or without the kernels that read the joined tensors, nothing is joined.
    for (const char* kernels : {"casts", "rope+swiglu", "library"}) {
        RunConfig parts = library;
        ASSERT_TRUE(takeOwnParts(kernels, parts));
        EXPECT_FALSE(joinsHeads(parts) || joinsGate(parts)) << kernels;
    }
}

TEST(Flops, StandAtModulesThatHaveThem) {
    RunConfig config;
    std::set<std::string> known = {"", "blocks.0", "blocks.1", "blocks.2", "blocks.3"};
    for (int i = 0; i < 4; ++i) {
        known.insert("blocks." + std::to_string(i) + ".attn");
        known.insert("blocks." + std::to_string(i) + ".ffn");
    }
    for (const ParameterTensor& tensor : parameterTensors(config.shape))
        known.insert(tensor.module);
    for (const FlopsEntry& entry : countFlops(config).entries)
        EXPECT_TRUE(known.contains(entry.module)) << entry.module;
}

TEST(Flops, OfAllLayersAreCountedFromTwo) {
    std::mt19937_64 random(21);
    for (int i = 0; i < 200; ++i) {
        const ValidConfig config = randomValidConfig(random);
        EXPECT_EQ(countAllFlops(config), countFlops(config).total()) << shortTitle(config);
    }
}

TEST(Estimate, BundlesWhatThePartsSay) {
    RunConfig config{.model = "small", .shape = *presetShape("small")};
    const Estimate estimate = estimateRun(valid(config));
    EXPECT_EQ(estimate.config.get(), config);
    EXPECT_EQ(estimate.parameters, 128'625'408);
    EXPECT_EQ(estimate.flops.total(), countFlops(config).total());
    EXPECT_EQ(estimate.memory.total(), predictMemory(config).total());
}

}  // namespace warpglass::test::flops_test
