// What the runner's tests share: a model that runs in milliseconds, and ways to look through its trace.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/runner/runner_api.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// The library's runner, on one thread unless useThreads() says otherwise.
Runner& runner();
/// LibTorch's intra-op threads, for runs on the calling thread.
void useThreads(int threads);

/// Two blocks, width 32, context 12 (which no tile divides), batch 2, one warm-up and two measured steps.
RunConfig smallestConfig();

struct RecordedRun {
    RunOutcome outcome;
    std::shared_ptr<const Snapshot> trace;
};
/// Fails the test when the run was refused.
RecordedRun record(const RunConfig& config);

/// An op or a range with its names resolved.
struct NamedSpan {
    TrackKind kind;
    std::uint32_t depth = 0;
    std::int64_t start = 0, end = 0;
    std::string track, name, module, part;
    Phase phase = Phase::kNone;
    std::int32_t step = kNoStep;
    std::uint64_t link = 0;
};
/// Every span of the tracks of a kind, lane by lane.
std::vector<NamedSpan> spansOf(const Snapshot& trace, TrackKind kind);

/// The name of a test of one attention variant: "sdpa_flash".
std::string attentionNameOf(const testing::TestParamInfo<AttentionVariant>& tested);

/// The words of a loss list, for messages: "free lost × 3".
std::string lossText(const Snapshot& trace);

}  // namespace warpglass
