// What CUDA's events say of the phases is what CUPTI's records say.
#include <algorithm>
#include <map>

#include "tests/gpu/gpu_run.h"

namespace warpglass::test::gpu_phases_test {

class GpuPhases : public GpuTest {};

struct Extent {
    std::int64_t begin = INT64_MAX;
    std::int64_t end = 0;
};

/// From the first kernel of a phase to the last, by step and phase.
std::map<std::pair<std::int32_t, Phase>, Extent> kernelExtents(const Snapshot& trace) {
    std::map<std::pair<std::int32_t, Phase>, Extent> extents;
    for (const SpanRow& kernel : spansOf(trace, TrackKind::kGpuStream)) {
        Extent& extent = extents[{kernel.step, trace.place(kernel.place).phase}];
        extent.begin = std::min(extent.begin, kernel.start);
        extent.end = std::max(extent.end, kernel.end());
    }
    return extents;
}

TEST_F(GpuPhases, EventsAgreeWithCupti) {
    for (const Execution execution : {Execution::kEager, Execution::kGraph}) {
        SCOPED_TRACE(executionName(execution));
        RunConfig wanted = config(Precision::kFp32);
        wanted.context = 512;
        wanted.execution = execution;
        wanted.warmup = 2;
        wanted.steps = 5;
        const GpuRun run = cleanRun(wanted);
        const auto extents = kernelExtents(*run.trace);
        std::map<Phase, std::pair<double, double>> sums;  // by events, by CUPTI
        for (const SpanRow& phase : spansOf(*run.trace, TrackKind::kGpuPhase)) {
            const Phase which = run.trace->place(phase.place).phase;
            const auto extent = extents.find({phase.step, which});
            if (phase.step < 2 || extent == extents.end())
                continue;
            sums[which].first += static_cast<double>(phase.duration);
            sums[which].second += static_cast<double>(extent->second.end - extent->second.begin);
            // Where it lies on the run's clock; its first kernel may wait for the host.
            EXPECT_LT(phase.start, extent->second.begin + 100'000) << phaseName(which);
            EXPECT_GT(phase.end(), extent->second.end - 100'000) << phaseName(which);
        }
        for (const Phase phase : {Phase::kForward, Phase::kBackward, Phase::kOptimizer}) {
            ASSERT_TRUE(sums.contains(phase)) << phaseName(phase);
            EXPECT_NEAR(sums[phase].first / sums[phase].second, 1, 0.03) << phaseName(phase);
        }
    }
}

}  // namespace warpglass::test::gpu_phases_test
