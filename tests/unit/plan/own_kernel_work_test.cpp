// What our kernels move, recounted tensor by tensor; what they spare, recounted op by op of the library's
// sequence; and their FLOPs against the plan's.
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <random>
#include <regex>
#include <set>

#include "engine/plan/flops.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parameters.h"
#include "engine/plan/valid_config.h"
#include "tests/support/files.h"
#include "tests/support/random_config.h"

namespace warpglass::test::own_kernel_work_test {

/// Small, of a GPU, with all of our kernels where they run; with naive attention, a Transformer's whole step.
RunConfig randomConfigWithKernels(std::mt19937_64& random,
                                  AttentionVariant attention = AttentionVariant::kNaive) {
    for (;;) {
        RunConfig config = randomValidConfig(random);
        const bool isNaive = attention == AttentionVariant::kNaive;
        if (isNaive && config.isAttention())
            continue;
        config.device = "cuda:0";
        config.attention = attention;
        config.mode = isNaive ? Mode::kStep : config.mode;
        if (takeOwnParts(kFusedKernels, config) && validate(config).empty())
            return config;
    }
}

struct Sizes {
    explicit Sizes(const RunConfig& config)
        : tokens(config.batch * config.context),
          stream(tokens * config.shape.dModel),
          half(config.precision == Precision::kBf16 || config.precision == Precision::kFp16 ? 2 : 4),
          casts(half == 2) {}
    std::int64_t tokens, stream, half;
    bool casts;
};

KernelWork workOf(const RunConfig& config, std::string_view kernel, std::string_view module = {}) {
    const std::optional<KernelWork> work = ownKernelWork(config, kernel, module);
    EXPECT_TRUE(work) << kernel << " in " << module;
    return work.value_or(KernelWork());
}

std::vector<std::string> normsOf(const RunConfig& config) {
    std::vector<std::string> norms;
    for (const ParameterTensor& tensor : parameterTensors(config.shape)) {
        if (tensor.module == "norm" || tensor.module.ends_with(".norm1") || tensor.module.ends_with(".norm2"))
            norms.push_back(tensor.module);
    }
    return norms;
}

/// One op after the other: each operand's and result's bytes.
std::int64_t sum(std::initializer_list<std::int64_t> tensors) {
    return std::accumulate(tensors.begin(), tensors.end(), std::int64_t{0});
}

TEST(OwnKernelWork, ANormMovesItsTensorsOnceAndSparesWhatIsBetweenTheLibrarysOps) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 200; ++round) {
        const RunConfig config = randomConfigWithKernels(random);
        const Sizes s(config);
        const std::int64_t wide = s.stream * 4, narrow = s.stream * s.half;
        for (const std::string& module : normsOf(config)) {
            SCOPED_TRACE(module);
            const bool adds = module != "blocks.0.norm1", last = module == "norm";
            const int readers = last ? 1 : module.ends_with("1") ? 3 : 2;
            const KernelWork forward = workOf(config, "fusedNormKernel", module);
            // x, the branch and their sum; the output.
            EXPECT_EQ(forward.moved.value, adds ? sum({wide, narrow, wide, narrow}) : sum({wide, narrow}));
            std::int64_t library = sum({wide, wide});  // the norm
            library += adds ? sum({wide, narrow, wide}) : 0;
            for (int i = 0; i < readers && s.casts; ++i)
                library += sum({wide, narrow});
            EXPECT_EQ(forward.notMoved.value, library - forward.moved.value);

            const KernelWork backward = workOf(config, "fusedNormGradientKernel", module);
            const std::int64_t partials = std::min<std::int64_t>(s.tokens, 512) * config.shape.dModel * 4;
            std::int64_t moved = sum({narrow, wide, wide, partials});  // dy, the sum, its gradient
            if (adds && !last)
                moved += wide;  // the gradient that comes around
            if (adds && s.casts)
                moved += narrow;  // the branch's gradient
            EXPECT_EQ(backward.moved.value, moved);
            library = sum({wide, wide, wide});  // the norm
            std::int64_t ours = moved - partials;
            for (int i = 0; i < readers && s.casts; ++i)
                library += sum({narrow, wide});
            for (int i = 1; i < readers; ++i) {  // autograd's sum, of ours in the type of the products
                library += sum({wide, wide, wide});
                ours += sum({narrow, narrow, narrow});
            }
            library += adds && !last ? sum({wide, wide, wide}) : 0;
            library += adds && s.casts ? sum({wide, narrow}) : 0;
            EXPECT_EQ(backward.notMoved.value, library - ours);
            const KernelWork wideRow = workOf(config, "fusedNormGradientOfWideRowKernel", module);
            EXPECT_EQ(wideRow.moved, backward.moved);
            EXPECT_EQ(wideRow.flops, backward.flops);
            EXPECT_EQ(workOf(config, "fusedNormWeightGradientKernel", module).moved.value,
                      partials + config.shape.dModel * 4);
        }
        EXPECT_FALSE(ownKernelWork(config, "fusedNormKernel", "blocks.0.attn")) << "no norm is there";
        EXPECT_FALSE(ownKernelWork(config, "fusedNormKernel", ""));
    }
}

TEST(OwnKernelWork, ElementwiseKernelsMoveTheirTensorsOnce) {
    std::mt19937_64 random(12);
    for (int round = 0; round < 200; ++round) {
        const RunConfig config = randomConfigWithKernels(random);
        const Sizes s(config);
        const std::int64_t hidden = s.tokens * config.shape.dFf * s.half;
        const KernelWork gate = workOf(config, "swigluKernel"), back = workOf(config, "swigluGradientKernel");
        EXPECT_EQ(gate.moved.value, 3 * hidden);
        EXPECT_EQ(gate.notMoved.value, sum({hidden, hidden}) + sum({hidden, hidden, hidden}) - 3 * hidden);
        EXPECT_EQ(back.moved.value, 5 * hidden);
        EXPECT_EQ(back.notMoved.value, 3 * sum({hidden, hidden, hidden}) - 5 * hidden);

        const KernelWork rotary = workOf(config, "rotaryKernel", "blocks.0.attn");
        const std::int64_t wide = s.stream * 4, narrow = s.stream * s.half;
        const std::int64_t turned = s.casts ? 2 : 1;  // queries and keys in one tensor, or one of them
        // Where attention reads by head, values too are put there, which the library copies like the others.
        const std::int64_t copies =
            s.casts && config.attention == AttentionVariant::kNaive ? sum({3 * narrow, 3 * narrow}) : 0;
        EXPECT_EQ(rotary.moved.value, copies > 0 ? copies : turned * 2 * narrow);
        std::int64_t library = sum({wide, wide});
        if (s.casts)
            library += sum({narrow, wide}) + sum({wide, narrow});
        EXPECT_EQ(rotary.notMoved.value, turned * library + copies - rotary.moved.value);

        const KernelWork embedding = workOf(config, "embeddingGradientKernel", "token_embeddings");
        EXPECT_EQ(embedding.moved.value, s.stream * 4 + config.shape.vocabulary * config.shape.dModel * 4);
        EXPECT_EQ(embedding.notMoved.value, 0);
        EXPECT_EQ(workOf(config, "embeddingOrderKernel", "token_embeddings").moved.value,
                  s.tokens * 12 + config.shape.vocabulary * 4 + 4);

        const std::int64_t numbers = s.tokens * config.shape.vocabulary;
        const std::int64_t logits = numbers * s.half, logarithms = numbers * 4;
        const KernelWork loss = workOf(config, "crossEntropyKernel"),
                         lossBack = workOf(config, "crossEntropyGradientKernel");
        EXPECT_EQ(loss.moved.value, logits);
        library = (s.casts ? sum({logits, logarithms}) : 0) + sum({logarithms, logarithms});
        EXPECT_EQ(loss.notMoved.value, library - logits);
        EXPECT_EQ(workOf(config, "crossEntropyMeanKernel").moved.value, s.tokens * 4);
        EXPECT_EQ(lossBack.moved.value, 2 * logits);
        library = logarithms + sum({logarithms, logarithms, logarithms}) +
                  (s.casts ? sum({logarithms, logits}) : 0);
        EXPECT_EQ(lossBack.notMoved.value, library - 2 * logits);
    }
}

/// Query by query.
TEST(OwnKernelWork, ACausalSoftmaxReadsWhatItsQueriesSee) {
    std::mt19937_64 random(13);
    for (int round = 0; round < 200; ++round) {
        const RunConfig config = randomConfigWithKernels(random);
        const Sizes s(config);
        const std::int64_t matrices = config.batch * config.shape.heads;
        std::int64_t seen = 0;
        for (std::int64_t query = 0; query < config.context; ++query)
            seen += matrices * (query + 1);
        const std::int64_t numbers = matrices * config.context * config.context;
        const std::int64_t scores = numbers * s.half, wide = numbers * 4;
        const std::int64_t scale = sum({s.stream * s.half, s.stream * s.half});
        const KernelWork forward = workOf(config, "maskedSoftmaxKernel", "blocks.0.attn");
        EXPECT_EQ(forward.moved.value, seen * s.half + scores);
        EXPECT_EQ(forward.flops.value, 7 * numbers);
        std::int64_t library = scale + sum({scores, scores});
        if (config.precision == Precision::kBf16)
            library += sum({scores, wide}) + sum({wide, wide}) + sum({wide, scores});
        else
            library += sum({scores, wide}) + (s.casts ? sum({wide, scores}) : 0);
        EXPECT_EQ(forward.notMoved.value, library - forward.moved.value);

        const KernelWork backward = workOf(config, "maskedSoftmaxGradientKernel", "blocks.0.attn");
        EXPECT_EQ(backward.moved.value, 2 * seen * s.half + scores);
        EXPECT_EQ(backward.flops.value, 5 * numbers);
        library = scale + (s.casts ? sum({scores, wide}) : 0);
        if (config.precision == Precision::kBf16)
            library += sum({wide, wide, wide}) + sum({wide, scores});
        else
            library += sum({wide, wide, scores});
        EXPECT_EQ(backward.notMoved.value, library - backward.moved.value);
        EXPECT_EQ(workOf(config, "maskedSoftmaxOfLongRowKernel").moved, forward.moved);
        EXPECT_EQ(workOf(config, "maskedSoftmaxGradientOfLongRowKernel").notMoved, backward.notMoved);
    }
}

TEST(OwnKernelWork, AdamWMovesEachParameterAndWritesTheCopiesThatAreKept) {
    std::mt19937_64 random(14);
    int copied = 0;
    for (int round = 0; round < 200; ++round) {
        RunConfig config = randomConfigWithKernels(random);
        config.linear = round % 3 == 0 ? LinearVariant::kEager : LinearVariant::kFused;
        const bool copies = config.linear == LinearVariant::kFused && Sizes(config).casts;
        std::int64_t moved = 0, spared = 0, numbers = 0;
        for (const ParameterTensor& tensor : parameterTensors(config.shape)) {
            const bool product = tensor.module.ends_with("_proj") || tensor.module == "lm_head" ||
                                 tensor.module.find(".ffn.") != std::string::npos;
            numbers += tensor.count();
            moved += tensor.count() * 28;
            if (!copies || !product || tensor.columns == 1)
                continue;
            moved += tensor.count() * 2;
            spared += tensor.count() * 4;
        }
        copied += copies;
        const KernelWork work = workOf(config, "adamwKernel");
        EXPECT_EQ(work.moved.value, moved);
        EXPECT_EQ(work.notMoved.value, spared);
        EXPECT_EQ(work.flops.value, 14 * numbers);
        EXPECT_EQ(updateMoves(config).value, moved);
        config.optimizer = OptimizerVariant::kTorchFused;
        EXPECT_EQ(updateMoves(config).value, moved + spared) << "it reads what it copies once more";
        EXPECT_FALSE(ownKernelWork(config, "adamwKernel", "")) << "the library's";
    }
    EXPECT_GT(copied, 20);
    RunConfig deep{.shape = {.layers = 100}, .device = "cuda:0"};
    ASSERT_TRUE(takeOwnParts(kFusedKernels, deep));
    EXPECT_EQ(workOf(deep, "adamwKernel").launches, 2) << "903 tensors, 512 a launch";
    deep.shape.layers = 10;
    EXPECT_EQ(workOf(deep, "adamwKernel").launches, 1);
}

ServedModules servedBy(const RunConfig& config, std::string_view kernel, std::string_view module) {
    const auto found = ownKernel(config, kernel);
    EXPECT_TRUE(found) << kernel;
    return found && found->kernel->serves ? found->kernel->serves(config, module) : ServedModules();
}

/// All that a kernel moves is for one of the modules that it works for, and each is once in the list.
TEST(OwnKernelWork, WhatAKernelMovesForTheModulesThatItServesIsAllThatItMoves) {
    std::mt19937_64 random(16);
    int several = 0;
    for (int round = 0; round < 200; ++round) {
        const RunConfig config = randomConfigWithKernels(random);
        std::vector<std::string> modules = normsOf(config);
        modules.insert(modules.end(), {"", "blocks.0.attn", "blocks.0.ffn", "token_embeddings"});
        for (const std::string& module : modules) {
            for (const std::string_view kernel :
                 {"fusedNormKernel", "fusedNormGradientKernel", "fusedNormGradientOfWideRowKernel",
                  "fusedNormWeightGradientKernel", "adamwKernel", "rotaryKernel", "swigluKernel",
                  "crossEntropyKernel", "embeddingGradientKernel"}) {
                const ServedModules served = servedBy(config, kernel, module);
                std::int64_t moved = 0;
                std::set<std::string> once;
                for (const ServedModule& each : served) {
                    EXPECT_GT(each.moved.value, 0) << each.module;
                    EXPECT_TRUE(once.insert(each.module).second) << each.module;
                    moved += each.moved.value;
                }
                if (served.empty())
                    continue;
                ++several;
                EXPECT_GT(served.size(), 1u);
                EXPECT_EQ(moved, workOf(config, kernel, module).moved.value) << kernel << " in " << module;
            }
        }
    }
    EXPECT_GT(several, 1000);
}

TEST(OwnKernelWork, ANormServesTheBlocksWhoseAdditionsItMakes) {
    RunConfig config{.model = "custom",
                     .shape = {1000, 64, 256, 3, 4},
                     .context = 32,
                     .batch = 2,
                     .precision = Precision::kBf16,
                     .device = "cuda:0"};
    ASSERT_TRUE(takeOwnParts(kFusedKernels, config));
    const std::int64_t numbers = 2 * 32 * 64, partials = 64 * 64 * 4;
    using Served = ServedModules;
    const auto forward = [&](const char* module) { return servedBy(config, "fusedNormKernel", module); };
    const auto backward = [&](const char* module) {
        return servedBy(config, "fusedNormGradientKernel", module);
    };
    EXPECT_EQ(forward("blocks.0.norm1"), Served()) << "it adds nothing";
    // x and the branch, 4 and 2 bytes, are read and the sum, 4, is written; the norm writes 2.
    EXPECT_EQ(forward("blocks.1.norm1"),
              (Served{{"blocks.0", Bytes(10 * numbers)}, {"blocks.1.norm1", Bytes(2 * numbers)}}));
    EXPECT_EQ(forward("blocks.1.norm2"),
              (Served{{"blocks.1", Bytes(10 * numbers)}, {"blocks.1.norm2", Bytes(2 * numbers)}}));
    EXPECT_EQ(forward("norm"), (Served{{"blocks.2", Bytes(10 * numbers)}, {"norm", Bytes(2 * numbers)}}));
    // dy and the sum, 2 and 4 bytes, are read; the gradient around the norm is read and that of the sum
    // written, 8; the branch's, 2, is written.
    EXPECT_EQ(backward("blocks.0.norm1"), Served()) << "autograd adds";
    EXPECT_EQ(backward("blocks.1.norm1"), (Served{{"blocks.0", Bytes(2 * numbers)},
                                                  {"blocks.1", Bytes(8 * numbers)},
                                                  {"blocks.1.norm1", Bytes(6 * numbers + partials)}}));
    EXPECT_EQ(backward("blocks.1.norm2"),
              (Served{{"blocks.1", Bytes(10 * numbers)}, {"blocks.1.norm2", Bytes(6 * numbers + partials)}}));
    EXPECT_EQ(backward("norm"),
              (Served{{"blocks.2", Bytes(2 * numbers)}, {"norm", Bytes(10 * numbers + partials)}}));
    for (const char* none : {"blocks.0.attn", "blocks.-1.norm2", "blocks..norm1", "blocks.1.norm2.x", ""})
        EXPECT_EQ(forward(none), Served()) << none;
}

/// All that the plan states beside GEMMs, but for autograd's sum of the first norm's two gradients.
TEST(OwnKernelWork, TheFlopsOfAStepAreThePlans) {
    std::mt19937_64 random(15);
    for (int round = 0; round < 100; ++round) {
        const RunConfig config = randomConfigWithKernels(random);
        const auto flops = [&](std::string_view kernel, std::string_view module = {}) {
            return workOf(config, kernel, module).flops.value;
        };
        std::int64_t forward = 0, backward = flops("crossEntropyGradientKernel");
        const std::int64_t rotations = Sizes(config).casts ? 1 : 2;  // launches per layer and pass
        for (const std::string& module : normsOf(config)) {
            forward += flops("fusedNormKernel", module);
            backward +=
                flops("fusedNormGradientKernel", module) + flops("fusedNormWeightGradientKernel", module);
        }
        forward += config.shape.layers *
                   (rotations * flops("rotaryKernel") + flops("maskedSoftmaxKernel") + flops("swigluKernel"));
        backward +=
            flops("embeddingGradientKernel") +
            config.shape.layers * (rotations * flops("rotaryKernel") + flops("maskedSoftmaxGradientKernel") +
                                   flops("swigluGradientKernel"));
        const FlopsEstimate plan = countFlops(config);
        EXPECT_EQ(forward, plan.elementwise(PlanPhase::kForward).value);
        EXPECT_EQ(backward + Sizes(config).stream, plan.elementwise(PlanPhase::kBackward).value);
        EXPECT_EQ(flops("crossEntropyKernel"), plan.elementwise(PlanPhase::kLoss).value);
        EXPECT_EQ(flops("adamwKernel"), plan.elementwise(PlanPhase::kOptimizer).value);
    }
}

struct FlashKernels {
    std::vector<std::string_view> forward, backward;
};
FlashKernels flashKernelsOf(const RunConfig& config, bool hopper) {
    if (Sizes(config).casts)
        return hopper ? FlashKernels{{"flashForwardHopperKernel"},
                                     {"flashPrepareHopperKernel", "flashBackwardHopperKernel",
                                      "flashQueryGradientHopperKernel"}}
                      : FlashKernels{{"flashForwardKernel"},
                                     {"flashDeltaKernel", "flashBackwardKernel", "flashQueryGradientKernel"}};
    return {{"flashForwardFp32Kernel"},
            {"flashDeltaFp32Kernel", "flashBackwardFp32Kernel", "flashQueryGradientFp32Kernel"}};
}

/// All that the plan states of attention's products, and of the rest what a kernel of its own does.
TEST(OwnKernelWork, TheFlopsOfFlashAttentionAreThePlansProducts) {
    std::mt19937_64 random(17);
    for (int round = 0; round < 200; ++round) {
        const RunConfig config = randomConfigWithKernels(random, AttentionVariant::kFlash);
        std::int64_t forward = 0, backward = 0, others = 0;
        const FlashKernels kernels = flashKernelsOf(config, round % 2 == 0);
        const auto add = [&](std::string_view kernel, std::int64_t& products) {
            const bool isProduct = ownKernel(config, kernel)->kernel->isProduct;
            (isProduct ? products : others) += workOf(config, kernel).flops.value;
        };
        for (const std::string_view kernel : kernels.forward)
            add(kernel, forward);
        for (const std::string_view kernel : kernels.backward)
            add(kernel, backward);
        std::int64_t planForward = 0, planBackward = 0;
        for (const FlopsEntry& entry : countFlops(config).entries) {
            if (entry.part == "scores" || entry.part == "values")
                (entry.phase == PlanPhase::kForward ? planForward : planBackward) += entry.matmul.value;
        }
        const std::int64_t layers = config.isAttention() ? 1 : config.shape.layers;
        EXPECT_EQ(layers * forward, planForward);
        EXPECT_EQ(config.mode == Mode::kForward ? 0 : layers * backward, planBackward);
        // The output times its gradient, added up; 16-bit kernels scale q's gradient apart.
        const std::int64_t numbers =
            config.batch * config.context * config.shape.heads * config.headDimension();
        EXPECT_EQ(others, numbers * (Sizes(config).casts ? 3 : 2));
    }
}

/// Op by op of naive attention: see engine/runner/implementations/attention_naive.cpp.
std::int64_t naiveMoves(const RunConfig& config, bool forward) {
    const std::int64_t half = Sizes(config).half, rows = config.batch * config.shape.heads * config.context;
    const std::int64_t q = rows * config.headDimension() * half;
    const std::int64_t scores = rows * config.context * half, wide = rows * config.context * 4;
    const bool bf16 = config.precision == Precision::kBf16;
    std::int64_t moves = config.isAttention() ? sum({scores, scores}) : sum({q, q});  // the scale
    if (forward) {
        moves += sum({q, q, scores});  // q kᵀ
        moves += config.isCausal() ? sum({scores, scores}) : 0;
        moves += bf16 ? sum({scores, wide}) + sum({wide, wide}) : sum({scores, wide});
        moves += half == 2 ? sum({wide, scores}) : 0;
        return moves + sum({scores, q, q});  // p v
    }
    moves += sum({scores, q, q});  // pᵀ dO
    moves += sum({q, q, scores});  // dO vᵀ
    moves += half == 2 ? sum({scores, wide}) : 0;
    moves += bf16 ? sum({wide, wide, wide}) + sum({wide, scores}) : sum({wide, wide, scores});
    return moves + sum({scores, q, q}) + sum({scores, q, q});  // dS k, dSᵀ q
}

TEST(OwnKernelWork, FlashAttentionMovesItsTensorsOnceAndSparesTheScoresOfNaiveAttention) {
    std::mt19937_64 random(18);
    int unordered = 0, longer = 0;
    for (int round = 0; round < 300; ++round) {
        RunConfig config = randomConfigWithKernels(random, AttentionVariant::kFlash);
        if (round % 3 == 0)
            config.context += 4096;
        const std::int64_t numbers =
            config.batch * config.context * config.shape.heads * config.headDimension();
        const std::int64_t q = numbers * Sizes(config).half, sums = numbers * 4;
        for (const bool hopper : {false, true}) {
            const FlashKernels kernels = flashKernelsOf(config, hopper);
            const KernelWork forward = workOf(config, kernels.forward[0]);
            EXPECT_EQ(forward.moved.value, sum({q, q, q, q}));
            EXPECT_EQ(forward.notMoved.value,
                      std::max<std::int64_t>(0, naiveMoves(config, true) - forward.moved.value));
            std::vector<std::int64_t> moved;
            std::int64_t all = 0, spared = 0;
            for (const std::string_view kernel : kernels.backward) {
                moved.push_back(workOf(config, kernel).moved.value);
                all += moved.back();
                spared += workOf(config, kernel).notMoved.value;
            }
            const bool casts = Sizes(config).casts;
            const bool ordered = config.deterministic == Deterministic::kYes || config.context <= 4096;
            const std::int64_t cleared = casts && hopper && !ordered ? sums : 0;
            const std::int64_t added = !casts ? 0 : hopper && ordered ? sums : 2 * sums;
            unordered += cleared > 0 ? 1 : 0;
            EXPECT_EQ(moved[0], sum({q, q}) + cleared);                    // o, dO
            EXPECT_EQ(moved[1], sum({q, q, q, q}) + sum({q, q}) + added);  // q, k, v, dO; dk, dv
            EXPECT_EQ(moved[2], casts ? sum({sums, q}) : sum({q, q, q, q}) + q);
            EXPECT_EQ(spared, std::max<std::int64_t>(0, naiveMoves(config, false) - all));
            longer += spared > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(unordered, 10);
    EXPECT_GT(longer, 100);
}

/// The kernels of engine/kernels, by their sources.
std::set<std::string> kernelsOfSources() {
    std::set<std::string> names;
    const std::regex declared(R"(__global__ void (?:__launch_bounds__\([^)]*\)\s+)?(\w+)\()");
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(WARPGLASS_SOURCE_DIR) + "/engine/kernels")) {
        const std::string file = entry.path().filename().string();
        if ((entry.path().extension() != ".cu" && entry.path().extension() != ".cuh") || file == "kernels.cu")
            continue;
        const std::string source = contentOf(entry.path());
        for (std::sregex_iterator at(source.begin(), source.end(), declared), end; at != end; ++at)
            names.insert((*at)[1]);
    }
    return names;
}

TEST(OwnKernelWork, EveryKernelIsDescribedByTheImplementationThatLaunchesIt) {
    RunConfig config{.attention = AttentionVariant::kFlash, .device = "cuda:0"};
    ASSERT_TRUE(takeOwnParts(kFusedKernels, config));
    const std::set<std::string> kernels = kernelsOfSources();
    EXPECT_GE(kernels.size(), 25u);
    for (const std::string& name : kernels) {
        const std::optional<OwnKernelOfRun> found = ownKernel(config, name);
        ASSERT_TRUE(found) << name << " is in no description of engine/plan/implementations";
        EXPECT_TRUE(found->implementation->sentence.ends_with('.')) << name;
        EXPECT_FALSE(ownKernel(RunConfig(), name)) << name << ": the run has the library's kernels";
        for (const OwnKernel& kernel : found->implementation->kernels)
            EXPECT_TRUE(kernels.contains(std::string(kernel.name))) << kernel.name << " is no kernel";
    }
}

}  // namespace warpglass::test::own_kernel_work_test
