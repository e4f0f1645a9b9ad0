#include "engine/query/summary/out_of_memory.h"

#include <gmock/gmock.h>

#include "engine/base/format.h"
#include "engine/plan/memory_prediction.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::out_of_memory_test {

using testing::HasSubstr;

constexpr std::int64_t kMiB = 1 << 20;

/// Set-up with weights, a step that fails in blocks.1.attn's forward pass, unwinding, teardown.
struct FailedRun {
    RunConfig config = syntheticConfig();
    TraceText trace{R"(
        info device.memory_bytes 2147483648
        setup 0-10 | alloc 100MiB 1-52 weights module lm_head
        step 0 10-50 | forward 10-50
          module blocks.0.attn 20-30 | alloc 300MiB 21 temporaries ; alloc 80MiB 22-23 temporaries
          module blocks.1.attn 40-50
            alloc 300MiB 41-49 temporaries  # freed by the failure
            alloc 80MiB 42-45 temporaries   # freed before the request that failed, at 47
        teardown 50-60 | alloc 1 51 temporaries
    )",
                    toPairs(config)};
    AllocationId weights{0}, last{3};

    MemoryTimeline finish(const InfoPairs& info, std::string_view state = run_state::kFailed) {
        for (const auto& [key, value] : info)
            trace.writer.setInfo(key, value);
        trace.writer.setInfo("state", state);
        return timelineOf(trace.add(""));
    }
};

TEST(OutOfMemory, SaysWhatWasAliveAtTheStatedMoment) {
    FailedRun run;
    const auto failure =
        outOfMemory(run.finish({{"state.message", "The run needs more memory than the GPU has left; …"},
                                {"allocator.request_bytes", std::to_string(90 * kMiB)},
                                {"allocator.allocated_bytes", std::to_string(700 * kMiB)},
                                {"allocator.reserved_bytes", std::to_string(710 * kMiB)},
                                {"allocator.out_of_memory_ns", "47"}}));
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->time, Nanoseconds(47));
    EXPECT_EQ(failure->step, 0);
    EXPECT_EQ(failure->phase, "forward");
    EXPECT_EQ(failure->module, "blocks.1.attn");
    EXPECT_EQ(failure->request, Bytes(90 * kMiB));
    EXPECT_EQ(failure->allocated, Bytes(700 * kMiB));
    EXPECT_EQ(failure->reserved, Bytes(710 * kMiB));
    EXPECT_EQ(failure->limit, Bytes(2048 * kMiB)) << "no limit was set: the device's memory";
    EXPECT_EQ(failure->alive, failure->allocated) << "what was recorded is what the allocator counted";
    EXPECT_EQ(failure->aliveCount, 3);
    ASSERT_EQ(failure->groups.size(), 2u);
    EXPECT_EQ(failure->groups[0].module, "blocks.*.attn");
    EXPECT_EQ(failure->groups[0].category, Category::kTemporaries);
    EXPECT_EQ(failure->groups[0].bytes, Bytes(600 * kMiB));
    EXPECT_EQ(failure->groups[0].count, 2);
    EXPECT_EQ(failure->groups[1].module, "lm_head");
    EXPECT_EQ(failure->groups[1].category, Category::kWeights);
    ASSERT_EQ(failure->largest.size(), 3u);
    EXPECT_EQ(failure->largest[0].module, "blocks.0.attn");
    EXPECT_EQ(failure->largest[1].id, run.last);
    EXPECT_EQ(failure->largest[2].id, run.weights);
    const MemoryPrediction prediction = predictMemory(run.config);
    EXPECT_EQ(failure->predictedPeak, prediction.given);
    EXPECT_EQ(failure->predictedPhase, prediction.peakPhase());
    EXPECT_EQ(aliveSentence(*failure, 1),
              "Live at the failure, 700\u202FMiB: blocks.*.attn 600\u202FMiB of temporaries, and 1 more.");
    EXPECT_EQ(aliveSentence(*failure),
              "Live at the failure, 700\u202FMiB: blocks.*.attn 600\u202FMiB of temporaries, lm_head "
              "100\u202FMiB of weights.");
}

TEST(OutOfMemory, WithoutAMomentItIsRightAfterTheLastAllocationBeforeTeardown) {
    const auto failure = must(outOfMemory(FailedRun().finish(
        {{"allocator.out_of_memory", "1"}, {"config.memory-limit", std::to_string(512 * kMiB)}})));
    EXPECT_EQ(failure.time, Nanoseconds(42));
    EXPECT_EQ(failure.alive, Bytes(780 * kMiB));
    EXPECT_FALSE(failure.request);
    EXPECT_FALSE(failure.allocated);
    EXPECT_EQ(failure.limit, Bytes(512 * kMiB));
}

TEST(OutOfMemory, AMomentThatCannotBeIsNotBelieved) {
    for (const char* wrong : {"-5", "61", "9223372036854775807", "soon"}) {
        const auto failure = must(outOfMemory(FailedRun().finish({{"allocator.out_of_memory", "1"},
                                                                  {"allocator.out_of_memory_ns", wrong},
                                                                  {"allocator.request_bytes", "-1"}})));
        EXPECT_EQ(failure.time, Nanoseconds(42)) << wrong;
        EXPECT_FALSE(failure.request);
    }
}

TEST(OutOfMemory, IsOfRunsThatFailedForItOnly) {
    // LibTorch tried again, with success.
    EXPECT_FALSE(outOfMemory(FailedRun().finish({{"allocator.out_of_memory", "2"}}, run_state::kFinished)));
    EXPECT_FALSE(outOfMemory(FailedRun().finish(
        {{"state.message", "The device fell off the bus."}, {"allocator.out_of_memory", "0"}})));
    EXPECT_TRUE(outOfMemory(
        FailedRun().finish({{"state.message", "The run needs more memory than this machine gave it."}})));
    const MemoryTimeline timeline = timelineOf(traceOf("info state failed allocator.request_bytes 5"));
    const auto failure = must(outOfMemory(timeline));
    EXPECT_EQ(failure.alive, Bytes(0));
    EXPECT_FALSE(failure.predictedPeak);
    EXPECT_EQ(aliveSentence(failure), "");
}

TEST(OutOfMemory, NamesTheLargestPartsOfOneLevelOfTheModel) {
    const auto failure = must(outOfMemory(timelineOf(openSampleRun("large-fp32-out-of-memory"))));
    // The feed-forward layers' activations are in three modules of the table, and a part as attention's are.
    Bytes feedForward, all;
    for (const OutOfMemory::Group& group : failure.groups) {
        if (group.module.starts_with("blocks.*.ffn") && group.category == Category::kActivations)
            feedForward += group.bytes;
    }
    for (std::size_t i = 0; i < failure.parts.size(); ++i) {
        all += failure.parts[i].bytes;
        EXPECT_TRUE(i == 0 || failure.parts[i].bytes <= failure.parts[i - 1].bytes);
    }
    EXPECT_EQ(all, failure.alive);
    EXPECT_THAT(aliveSentence(failure),
                HasSubstr(", blocks.*.ffn " + formatBytes(feedForward) + " of activations, "));
}

TEST(OutOfMemory, SaysWhatTheFirstStepAndLaterOnesWouldNeed) {
    FailedRun run;
    const auto failure = must(outOfMemory(run.finish({{"allocator.request_bytes", "1000"}})));
    ASSERT_TRUE(failure.predictedSteps);
    RunConfig config = run.config;
    config.warmup = 0;
    config.steps = 1;
    EXPECT_EQ(failure.predictedSteps->first, predictMemory(config).given);
    config.steps = 5;
    EXPECT_EQ(failure.predictedSteps->later, predictMemory(config).given);
    EXPECT_LT(failure.predictedSteps->first, failure.predictedSteps->later);
}

/// Recorded on an H200 before runs stated the moment; compared with a replay from the first event.
TEST(OutOfMemory, OfTheSampleRunIsWhatFilledThe16GiB) {
    const auto run = openSampleRun("large-fp32-out-of-memory");
    const MemoryTimeline timeline = timelineOf(run);
    const auto failure = must(outOfMemory(timeline));
    EXPECT_EQ(failure.phase, "forward");
    EXPECT_EQ(failure.step, 0);
    EXPECT_THAT(failure.module, HasSubstr("blocks."));
    EXPECT_EQ(failure.limit, Bytes(std::int64_t{16} << 30));
    EXPECT_GT(failure.predictedPeak->value, std::int64_t{16} << 30);
    ASSERT_FALSE(failure.groups.empty());
    EXPECT_EQ(failure.groups[0].module, "blocks.*.attn");

    std::vector<bool> alive(run->allocationCount());
    for (std::uint64_t i = 0; i < run->memoryEventCount(); ++i) {
        const MemoryEvent event = *run->memoryEvent(i);
        if (event.time <= failure.time.value)
            alive[event.allocation.index()] = event.action == MemoryAction::kAllocate;
    }
    std::int64_t bytes = 0, count = 0, grouped = 0;
    for (std::size_t i = 0; i < alive.size(); ++i) {
        bytes += alive[i] ? run->allocation(AllocationId(i))->bytes : 0;
        count += alive[i] ? 1 : 0;
    }
    for (const OutOfMemory::Group& group : failure.groups)
        grouped += group.bytes.value;
    EXPECT_EQ(failure.alive, Bytes(bytes));
    EXPECT_EQ(failure.aliveCount, count);
    EXPECT_EQ(grouped, bytes);
    EXPECT_GT(bytes, std::int64_t{15} << 30);
}

}  // namespace warpglass::test::out_of_memory_test
