// The timeline's finding, with answers worked out by hand.
#include "engine/query/statistics/gpu_use_sentence.h"

#include <gtest/gtest.h>

#include "tests/support/trace_text.h"

namespace warpglass::test::gpu_use_sentence_test {

constexpr TimeRange kAll{Nanoseconds(0), Nanoseconds(5000)};

TEST(GpuUseSentence, NamesWhatTheGpuWaitedForMost) {
    GpuBusy::Times times{};
    times[static_cast<std::size_t>(GpuBusy::Part::kBusy)] = 58;
    times[static_cast<std::size_t>(GpuBusy::Part::kGap)] = 4;
    times[static_cast<std::size_t>(GpuBusy::Part::kHostLate)] = 38;
    EXPECT_EQ(gpuUseSentence(times, "The GPU", "step 1"),
              "The GPU was busy for 58% of step 1; it waited for the host for 38%.");
    times[static_cast<std::size_t>(GpuBusy::Part::kHostLate)] = 0;
    EXPECT_EQ(gpuUseSentence(times, "GPU 1", "step 1"),
              "GPU 1 was busy for 94% of step 1; gaps between kernels took 6.5%.");
    EXPECT_EQ(gpuUseSentence(GpuBusy::Times{}, "The GPU", "step 1"), "");
}

TEST(GpuUseSentence, IsOfTheStepsThatCountOrOfWhatIsShown) {
    const auto run = traceOf(R"(
        info config.warmup 1
        step 0 1000-2000
          launch 1010-1020 | kernel k 1000-2000
        step 1 2000-3000
          launch 2010-2020 | kernel k 2100-2800
        step 2 3000-4000
          launch 3010-3020 | kernel k 3300-3400
        end 5000
    )");
    const GpuBusy busy(*run);
    EXPECT_EQ(gpuUseSentence(*run, busy, kAll),
              "The GPU was busy for 40% of 2 measured steps; it waited for the host for 60%.");
    EXPECT_EQ(gpuUseSentence(*run, busy, {Nanoseconds(2100), Nanoseconds(2800)}),
              "The GPU was busy for 100% of the 700\u202fns shown.");
}

TEST(GpuUseSentence, NamesThePhaseInWhichMostOfTheIdleTimeLies) {
    constexpr std::string_view kRun = R"(
        step 0 1000-2000
          forward 1000-1400
          launch 1010-1020 | kernel k 1100-1400
          backward 1400-2000
          launch 1790-1800 | kernel k %
        end 5000
    )";
    const auto sentence = [&](const std::string& kernel) {
        std::string text(kRun);
        const auto run = traceOf(text.replace(text.find('%'), 1, kernel));
        return gpuUseSentence(*run, GpuBusy(*run), kAll);
    };
    // Idle, 1000 to 1100 in forward and 1400 to 1800 in backward.
    EXPECT_EQ(
        sentence("1800-2000"),
        "The GPU was busy for 50% of step 0; it waited for the host for 50%, most of that in backward.");
}

TEST(GpuUseSentence, SaysWhatTheHostWasInWhileTheGpuWaitedForIt) {
    const auto run = traceOf(R"(
        step 0 1000-2000
          launch 1500-1510 | kernel k 1500-2000
    )");
    HostWhileIdle host{.idle = Nanoseconds(500)};
    host.ops[static_cast<std::size_t>(OpFamily::kCopy)] = Nanoseconds(225);
    host.ops[static_cast<std::size_t>(OpFamily::kMatmul)] = Nanoseconds(125);
    host.ops[static_cast<std::size_t>(OpFamily::kOther)] = Nanoseconds(25);
    host.outside = Nanoseconds(125);
    EXPECT_EQ(gpuUseSentence(*run, GpuBusy(*run), kAll, "The GPU", host),
              "The GPU was busy for 50% of step 0; it waited for the host for 50%; meanwhile the launching "
              "thread was in "
              "copy ops (45%), no op (25%) and matmul ops (25%).");
    // It is not known for a part of the run.
    EXPECT_EQ(gpuUseSentence(*run, GpuBusy(*run), {Nanoseconds(1000), Nanoseconds(1500)}, "The GPU", host),
              "The GPU was busy for 0% of the 500\u202fns shown; it waited for the host for 100%.");
}

}  // namespace warpglass::test::gpu_use_sentence_test
