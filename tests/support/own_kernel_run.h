// A made run whose step has a GEMM and every kind of kernel of ours: two blocks of width 64, on a GPU that
// copies 200 GB/s, a warm-up step and two measured ones.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/valid_config.h"
#include "engine/trace/snapshot.h"
#include "tests/support/trace_text.h"

namespace warpglass::test {

struct OwnKernelRun {
    struct Launch {
        Phase phase;
        std::string module, kernel;
        std::int64_t duration = 0;  // ns
    };
    static constexpr double kCopyRate = 2e11, kPeak = 1e13;
    static constexpr std::int64_t kSteps = 2;  // measured

    explicit OwnKernelRun(bool ours = true) : config(configOf(ours)), launches(launchesOf()) {
        std::string text = "info state finished\n";
        for (std::int64_t step = 0; step <= kSteps; ++step) {
            text += filled("step % %-%ms\n", step, step, step + 1);
            std::int64_t at = step * 1'000'000;
            for (const Launch& launch : launches) {
                // Warm-up takes twice as long.
                const std::int64_t end = at + launch.duration * (step == 0 ? 2 : 1);
                text += filled("  kernel % %-% phase % module \"%\" op %\n", launch.kernel, at, end,
                               phaseName(launch.phase), launch.module,
                               launch.kernel == "a_gemm" ? "aten::mm" : "warpglass::an_op");
                at = end;
            }
        }
        InfoPairs info = toPairs(config);
        info.emplace_back("device.name", "NVIDIA H200");
        info.emplace_back("ceiling.measured", "2026-01-31T15:45:00Z");
        info.emplace_back("ceiling.bf16_flops_per_second", "10000000000000");
        info.emplace_back("ceiling.copy_bytes_per_second", "200000000000");
        run = traceOf(text, info);
    }

    RunConfig config;
    std::vector<Launch> launches;
    std::shared_ptr<const Snapshot> run;

private:
    static RunConfig configOf(bool ours) {
        RunConfig config{.model = "custom",
                         .shape = {1000, 64, 256, 2, 4},
                         .context = 32,
                         .batch = 2,
                         .precision = Precision::kBf16,
                         .device = "cuda:0",
                         .warmup = 1,
                         .steps = kSteps};
        WG_CHECK(takeOwnParts(ours ? kFusedKernels : kLibraryKernels, config));
        WG_CHECK(validate(config).empty());
        return config;
    }

    static std::vector<Launch> launchesOf() {
        std::vector<Launch> all;
        std::mt19937_64 random(21);
        const auto add = [&](Phase phase, const std::string& module, const char* kernel) {
            all.push_back({phase, module, kernel, 2000 + static_cast<std::int64_t>(random() % 8000)});
        };
        const auto backward = [&](const std::string& module) {
            add(Phase::kBackward, module, "fusedNormGradientKernel");
            add(Phase::kBackward, module, "fusedNormWeightGradientKernel");
        };
        for (const std::string block : {"blocks.0", "blocks.1"}) {
            add(Phase::kForward, block + ".norm1", "fusedNormKernel");
            for (int i = 0; i < 2; ++i)
                add(Phase::kForward, block + ".attn", "rotaryKernel");
            add(Phase::kForward, block + ".attn", "maskedSoftmaxKernel");
            add(Phase::kForward, block + ".norm2", "fusedNormKernel");
            add(Phase::kForward, block + ".ffn.w2", "a_gemm");
            add(Phase::kForward, block + ".ffn", "swigluKernel");
        }
        add(Phase::kForward, "norm", "fusedNormKernel");
        add(Phase::kLoss, "", "crossEntropyKernel");
        add(Phase::kLoss, "", "crossEntropyMeanKernel");
        all.back().duration = 1;  // faster than memory: its numbers are in the caches
        add(Phase::kBackward, "", "crossEntropyGradientKernel");
        backward("norm");
        for (const std::string block : {"blocks.1", "blocks.0"}) {
            add(Phase::kBackward, block + ".ffn", "swigluGradientKernel");
            backward(block + ".norm2");
            add(Phase::kBackward, block + ".attn", "maskedSoftmaxGradientKernel");
            for (int i = 0; i < 2; ++i)
                add(Phase::kBackward, block + ".attn", "rotaryKernel");
            backward(block + ".norm1");
        }
        for (const char* kernel : {"embeddingOrderKernel", "embeddingGradientKernel"})
            add(Phase::kBackward, "token_embeddings", kernel);
        add(Phase::kOptimizer, "", "adamwKernel");
        all.back().duration = 60'000;
        return all;
    }
};

}  // namespace warpglass::test
