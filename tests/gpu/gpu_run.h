// A recorded run on the first GPU, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/runner/runner_api.h"
#include "engine/trace/snapshot.h"

namespace warpglass::test {

struct GpuRun {
    RunOutcome outcome;
    std::shared_ptr<const Snapshot> trace;
};

/// Skips its tests where no GPU can be used, and says why.
struct GpuTest : testing::Test {
    void SetUp() override;

    /// small, context 128, batch 4, full steps: 1 warm-up, 2 measured.
    static RunConfig config(Precision precision = Precision::kFp32,
                            AttentionVariant attention = AttentionVariant::kNaive, Mode mode = Mode::kStep);
    /// The same with more to hold than its limit of 6 GiB.
    static RunConfig tooLarge();
    /// `onFeed` as in Runner::run.
    GpuRun run(const RunConfig& config, RunControl& control,
               const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed = {});
    GpuRun run(const RunConfig& config);
    /// Stopped so long after it has come to this step.
    GpuRun runStoppedAt(const RunConfig& config, std::int64_t step, std::chrono::milliseconds after = {});
    /// A run that ended well and lost nothing.
    GpuRun cleanRun(const RunConfig& config);

    Runner* m_runner = nullptr;
};

/// How many kernels of a family ran in a step (of every name, without a family).
std::int64_t kernelsOf(const Snapshot& trace, std::int32_t step, const char* family = nullptr);
/// How often each kernel ran in a step, by its phase and module; not what only a graph's replay is known for.
std::map<std::string, int> kernelsByPlace(const Snapshot& trace, std::int32_t step);
/// Every span of the tracks of a kind, in order of track, depth and time.
std::vector<SpanRow> spansOf(const Snapshot& trace, TrackKind kind);
std::string lossText(const Snapshot& trace);

}  // namespace warpglass::test
