// Runs that record clocks inside attention's kernels.
#include <gmock/gmock.h>

#include "engine/query/model/clocked_kernel.h"
#include "engine/query/spans/span_scan.h"
#include "tests/gpu/gpu_run.h"

namespace warpglass::test::gpu_kernel_clocks_test {

RunConfig clockedAttention(Execution execution) {
    RunConfig config{.workload = Workload::kAttention,
                     .shape = {.heads = 8},
                     .headDim = 64,
                     .context = 2048,
                     .batch = 4,
                     .precision = Precision::kBf16,
                     .attention = AttentionVariant::kFlash,
                     .causal = Causal::kYes,
                     .mode = Mode::kForwardBackward,
                     .execution = execution,
                     .device = "cuda:0",
                     .warmup = 2,
                     .steps = 3};
    config.recorded.set(Feature::kKernelClocks, true);
    return config;
}

/// Names of kernels that ran, and how often.
std::int64_t clockedLaunches(const Snapshot& trace) {
    std::int64_t count = 0;
    for (const SpanRow& row : spansOf(trace, TrackKind::kGpuStream)) {
        const auto detail = trace.detail(row.detail);
        const std::string_view full = detail ? trace.name(detail->fullName) : std::string_view();
        count += full.find("KernelClock") != std::string_view::npos ||
                 trace.name(row.name).find("KernelClock") != std::string_view::npos;
    }
    return count;
}

using GpuKernelClocks = GpuTest;

TEST_F(GpuKernelClocks, TheFirstMeasuredStepTellsOfItsKernels) {
    const GpuRun run = cleanRun(clockedAttention(Execution::kEager));
    ASSERT_EQ(run.trace->kernelClocks().size(), 2u);
    EXPECT_EQ(clockedLaunches(*run.trace), 2);
    for (const ClockedKernel& kernel : clockedKernels(*run.trace)) {
        EXPECT_EQ(kernel.step, 2);
        EXPECT_EQ(kernel.tiles, 16 * 8 * 4);
        EXPECT_EQ(kernel.lostTiles + kernel.lostRounds, 0u);
        EXPECT_GT(kernel.processors, 10);
        EXPECT_GT(kernel.duration, 1'000);
        EXPECT_LT(kernel.duration, 50'000'000);
        EXPECT_GE(kernel.imbalance, 1);
        EXPECT_LT(kernel.tail, 1);
        EXPECT_GT(kernel.shares[static_cast<std::size_t>(ClockPhase::kProducts)], 0.1);
        EXPECT_GT(kernel.shares[static_cast<std::size_t>(ClockPhase::kSoftmax)], 0.05);
    }
}

TEST_F(GpuKernelClocks, OfAGraphTheLastReplayStays) {
    const GpuRun run = cleanRun(clockedAttention(Execution::kGraph));
    ASSERT_EQ(run.trace->kernelClocks().size(), 2u);
    for (const ClockedKernel& kernel : clockedKernels(*run.trace)) {
        EXPECT_EQ(kernel.step, 4);
        EXPECT_EQ(kernel.tiles, 16 * 8 * 4);
    }
}

TEST_F(GpuKernelClocks, ATransformersLossesAreTheSame) {
    RunConfig with = config(Precision::kBf16, AttentionVariant::kFlash);
    with.deterministic = Deterministic::kYes;
    const GpuRun without = cleanRun(with);
    with.recorded.set(Feature::kKernelClocks, true);
    const GpuRun clocked = cleanRun(with);
    EXPECT_EQ(clocked.outcome.losses, without.outcome.losses);
    EXPECT_EQ(clocked.trace->kernelClocks().size(), 2u);
    EXPECT_TRUE(without.trace->kernelClocks().empty());
    EXPECT_EQ(clocked.trace->info().get("allocator.peak_allocated_bytes"),
              without.trace->info().get("allocator.peak_allocated_bytes"));
    EXPECT_GT(clocked.trace->info().getInteger("memory.kernel_clock_bytes").value_or(0), 0);
}

TEST_F(GpuKernelClocks, OfAForwardPassAloneOnlyItsKernelTells) {
    RunConfig config = clockedAttention(Execution::kEager);
    config.mode = Mode::kForward;
    config.steps = 0;
    const GpuRun run = cleanRun(config);
    ASSERT_EQ(run.trace->kernelClocks().size(), 1u);
    EXPECT_EQ(run.trace->kernelClocks()[0].kernel, "forward");
    EXPECT_EQ(run.trace->kernelClocks()[0].step, 1);
}

}  // namespace warpglass::test::gpu_kernel_clocks_test
