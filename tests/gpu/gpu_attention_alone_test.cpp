// Attention alone on a GPU: every variant runs, and what is known of its memory before the backward pass.
#include <gmock/gmock.h>

#include "engine/plan/memory_prediction.h"
#include "engine/plan/valid_config.h"
#include "engine/query/memory/memory_before_backward.h"
#include "tests/gpu/gpu_run.h"
#include "tests/support/implementations.h"
#include "tests/support/timeline_of.h"

namespace warpglass::test::gpu_attention_alone_test {

struct GpuAttentionAlone : GpuTest {
    static RunConfig alone(std::int64_t context, std::int64_t headDim) {
        return {.workload = Workload::kAttention,
                .shape = {.heads = 1},
                .headDim = headDim,
                .context = context,
                .batch = 8,
                .mode = Mode::kForwardBackward,
                .device = "cuda:0",
                .warmup = 2,
                .steps = 3};
    }
    std::vector<BeforeBackward> beforeBackward(const RunConfig& config) {
        return memoryBeforeBackward(timelineOf(cleanRun(config).trace));
    }
};

/// Every size here is a whole number of the allocator's 512 bytes, and the libraries' scratch memory is there
/// in all of them.
TEST_F(GpuAttentionAlone, HoldsTheFormulasMemoryBeforeItsBackwardPass) {
    const auto formula = [](std::int64_t context, std::int64_t headDim) {
        return 8 * context * context * 4 + 7 * 8 * context * headDim * 4;
    };
    const auto first = beforeBackward(alone(256, 16));
    ASSERT_EQ(first.size(), 3u);
    for (const auto& [context, headDim] : {std::pair{1024, 16}, {1024, 64}, {512, 128}, {2048, 32}}) {
        const auto steps = beforeBackward(alone(context, headDim));
        ASSERT_EQ(steps.size(), 3u);
        for (const BeforeBackward& step : steps) {
            EXPECT_EQ(step.allocated.value - first[0].allocated.value,
                      formula(context, headDim) - formula(256, 16))
                << context << " × " << headDim;
            ASSERT_TRUE(step.reserved);
            EXPECT_GE(*step.reserved, step.allocated);
        }
    }
}

TEST_F(GpuAttentionAlone, RunsEveryVariantInEveryPrecisionAsPredicted) {
    for (std::size_t variant = 0; variant < kCountOf<AttentionVariant>; ++variant) {
        for (const Precision precision :
             {Precision::kFp32, Precision::kTf32, Precision::kBf16, Precision::kFp16}) {
            for (const Causal causal : {Causal::kNo, Causal::kYes}) {
                RunConfig config = alone(2048, 64);
                config.attention = static_cast<AttentionVariant>(variant);
                config.precision = precision;
                config.causal = causal;
                if (!validate(config).empty())
                    continue;
                SCOPED_TRACE(shortTitle(config));
                const GpuRun run = cleanRun(config);
                const auto peak = run.trace->info().getInteger("allocator.peak_allocated_bytes");
                ASSERT_TRUE(peak);
                EXPECT_NEAR(static_cast<double>(predictMemory(config).given.value),
                            static_cast<double>(*peak), 0.05 * static_cast<double>(*peak));
            }
        }
    }
}

TEST_F(GpuAttentionAlone, IsReplayedAsAGraphWithTheSameMemoryBeforeItsBackwardPass) {
    RunConfig config = alone(1024, 64);
    const auto eager = beforeBackward(config);
    config.execution = Execution::kGraph;
    const auto replayed = beforeBackward(config);
    ASSERT_EQ(replayed.size(), eager.size());
    for (const BeforeBackward& step : replayed)
        EXPECT_GE(step.allocated, eager[0].allocated) << "a graph's memory stays";
}

}  // namespace warpglass::test::gpu_attention_alone_test
