#include "engine/query/memory/memory_before_backward.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::memory_before_backward_test {

TEST(MemoryBeforeBackward, IsWhatIsAllocatedWhenThePhaseBegins) {
    const auto run = traceOf(R"(
        info config.warmup 1 state finished steps.completed 4
        counter "memory reserved" 2097152 5 ; counter "memory reserved" 4194304 250
        step 0 0-100
          forward 10-40 | alloc 100 20-90 activations
          backward 50-90
        step 1 100-200
          forward 110-140 | alloc 1000 120-190 activations
          backward 150-190 | alloc 7 151-160 temporaries
        step 2 200-300
          forward 210-240 | alloc 3000 220-290 activations
          backward 250-290
        step 3 300-400
          forward 310-340 | alloc 5000 320-390 activations
    )");
    const auto steps = memoryBeforeBackward(timelineOf(run));
    ASSERT_EQ(steps.size(), 2u) << "neither the warm-up nor the step without a backward pass";
    EXPECT_EQ(steps[0].step, 1);
    EXPECT_EQ(steps[0].time, Nanoseconds(150));
    EXPECT_EQ(steps[0].allocated, Bytes(1000));
    EXPECT_EQ(steps[0].reserved, Bytes(2097152));
    EXPECT_EQ(steps[1].allocated, Bytes(3000));
    EXPECT_EQ(steps[1].reserved, Bytes(4194304));
    EXPECT_EQ(mostBeforeBackward(steps)->step, 2);
    EXPECT_FALSE(mostBeforeBackward({}));
}

TEST(MemoryBeforeBackward, OfAReplayedStepIsByTheGpusPhases) {
    const auto run = traceOf(R"(
        info config.warmup 0 state finished steps.completed 2
        step 0 0-100
          forward 10-40 | alloc 100 20-90 activations
          backward 50-90
          gpu backward 60-95
        step 1 100-200
          replay 101-110
          gpu forward 110-150
          gpu backward 150-190
          alloc 700 120-180 activations
    )");
    const auto steps = memoryBeforeBackward(timelineOf(run));
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].time, Nanoseconds(50)) << "where the host went through it, its time counts";
    EXPECT_EQ(steps[1].time, Nanoseconds(150));
    EXPECT_EQ(steps[1].allocated, Bytes(700));
    EXPECT_FALSE(steps[1].reserved);
}

TEST(MemoryBeforeBackward, AgreesWithASumOverEveryAllocation) {
    std::mt19937_64 random(20261123);
    for (int round = 0; round < 20; ++round) {
        struct Allocation {
            std::int64_t bytes, from, to;
        };
        std::vector<Allocation> allocations;
        std::string text = "info config.warmup 0 state finished steps.completed 6\n";
        for (int step = 0; step < 6; ++step) {
            const std::int64_t begin = step * 1000;
            text += "step " + std::to_string(step) + " " + std::to_string(begin) + "-" +
                    std::to_string(begin + 999) + "\n";
            text += "  backward " + std::to_string(begin + 500) + "-" + std::to_string(begin + 900) + "\n";
            for (int i = 0; i < 10; ++i) {
                const auto from = begin + static_cast<std::int64_t>(random() % 400) * 2 + 1;
                const auto to = from + 2 + static_cast<std::int64_t>(random() % 1000) * 2;
                const auto bytes = 1 + static_cast<std::int64_t>(random() % 1000);
                allocations.push_back({bytes, from, to});
                text += "  alloc " + std::to_string(bytes) + " " + std::to_string(from) + "-" +
                        std::to_string(to) + " activations\n";
            }
        }
        const auto steps = memoryBeforeBackward(timelineOf(traceOf(text + "end 9000\n")));
        ASSERT_EQ(steps.size(), 6u);
        for (const BeforeBackward& step : steps) {
            std::int64_t alive = 0;
            for (const Allocation& a : allocations)
                alive += a.from <= step.time.value && a.to > step.time.value ? a.bytes : 0;
            EXPECT_EQ(step.allocated.value, alive) << "step " << step.step;
        }
    }
}

TEST(MemoryBeforeBackward, IsNothingWithoutMemoryOrMeasuredSteps) {
    EXPECT_TRUE(memoryBeforeBackward(timelineOf(traceOf())).empty());
    EXPECT_TRUE(memoryBeforeBackward(timelineOf(traceOf("step 0 0-9 | backward 2-5"))).empty());
    EXPECT_TRUE(memoryBeforeBackward(timelineOf(traceOf(R"(
        info config.warmup 2 state finished steps.completed 1
        step 0 0-9 | backward 2-5 | alloc 9 3 activations
    )")))
                    .empty());
}

}  // namespace warpglass::test::memory_before_backward_test
