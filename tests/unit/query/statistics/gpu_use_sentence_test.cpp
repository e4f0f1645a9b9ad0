// The timeline's finding, with answers worked out by hand.
#include "engine/query/statistics/gpu_use_sentence.h"

#include <gtest/gtest.h>

#include <tuple>

#include "engine/query/findings/run_facts.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::gpu_use_sentence_test {

constexpr TimeRange kAll{Nanoseconds(0), Nanoseconds(5000)};

TEST(GpuUseSentence, NamesWhatTheGpuWaitedForMost) {
    GpuBusy::Times times{};
    times[static_cast<std::size_t>(GpuBusy::Part::kBusy)] = 58;
    times[static_cast<std::size_t>(GpuBusy::Part::kGap)] = 4;
    times[static_cast<std::size_t>(GpuBusy::Part::kHostLate)] = 38;
    EXPECT_EQ(gpuUseSentence(times, "The GPU", "step 1"),
              "The GPU was busy for 58% of step 1 and waited for the host for 38%.");
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
    EXPECT_EQ(gpuUseWordings(*run, busy, kAll).front(),
              "Launch-bound: the GPU was busy for 40% of 2 measured steps and waited for the host for 60%.");
    EXPECT_EQ(gpuUseWordings(*run, busy, {Nanoseconds(2100), Nanoseconds(2800)}).front(),
              "The GPU was busy for 100% of the 700\u202fns shown.");
    EXPECT_EQ(gpuUseWordings(*run, busy, kAll).back(), "Launch-bound: busy 40%, waiting for the host 60%.");
    EXPECT_EQ(gpuUseWordings(*run, busy, kAll, "GPU 1").back(),
              "Launch-bound: GPU 1 busy 40%, waiting for the host 60%.");
    EXPECT_EQ(gpuUseWordings(*run, busy, {Nanoseconds(2100), Nanoseconds(2800)}).back(), "GPU busy 100%.");
    EXPECT_TRUE(gpuUseWordings(*run, busy, {}).empty());
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
        return gpuUseWordings(*run, GpuBusy(*run), kAll).front();
    };
    // Idle, 1000 to 1100 in forward and 1400 to 1800 in backward.
    EXPECT_EQ(sentence("1800-2000"),
              "Launch-bound in the one measured step: the GPU was busy for 50% and waited for the host for "
              "50%, mostly in backward.");
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
    EXPECT_EQ(gpuUseWordings(*run, GpuBusy(*run), kAll, "GPU 1", host)
                  .front()
                  .rfind("Launch-bound in the one measured step: GPU 1 was ", 0),
              0u);
    EXPECT_EQ(gpuUseWordings(*run, GpuBusy(*run), kAll, "The GPU", host).front(),
              "Launch-bound in the one measured step: the GPU was busy for 50% and waited for the host for "
              "50%, while the host ran copy ops (45% of the wait).");
    EXPECT_EQ(gpuUseWordings(*run, GpuBusy(*run), kAll, "The GPU", host)[1],
              "Launch-bound in the one measured step: the GPU was busy for 50% and waited for the host for "
              "50%.");
    // It is not known for a part of the run.
    EXPECT_EQ(
        gpuUseWordings(*run, GpuBusy(*run), {Nanoseconds(1000), Nanoseconds(1500)}, "The GPU", host).front(),
        "The GPU was busy for 0% of the 500\u202fns shown and waited for the host for 100%.");
}

TEST(GpuUseSentence, CallsStepsLaunchBoundWhereTheFindingsDo) {
    // The very first step waits for most of its time, and is not judged.
    constexpr std::string_view kRun = R"(
        step 0 0-1000
          launch 800-810 | kernel k 800-1000
        step 1 1000-2000
          launch %-% | % k %-2000
        step 2 2000-3000
          launch %-% | % k %-3000
        end 5000
    )";
    const auto runOf = [&](const char* kind, int late) {
        const int second = 1000 + late, third = 2000 + late;
        return traceOf(filled(kRun, second, second + 5, kind, second, third, third + 5, kind, third));
    };
    const auto isSaid = [](const auto& run) {
        return gpuUseWordings(*run, GpuBusy(*run), kAll).front().starts_with("Launch-bound: ");
    };
    const auto isFound = [](const auto& run) {
        const MemoryTimeline timeline = timelineOf(run);
        return RunFacts(timeline).isLaunchBound();
    };
    for (const auto& [kind, late, expected] :
         {std::tuple("kernel", 100, true), {"kernel", 99, false}, {"copy", 500, false}}) {
        const auto run = runOf(kind, late);
        EXPECT_EQ(isSaid(run), expected) << kind << ' ' << late;
        EXPECT_EQ(isFound(run), expected) << kind << ' ' << late;
    }
    const std::string two = filled(kRun, 1500, 1505, "kernel", 1500, 2500, 2505, "kernel", 2500);
    const auto run = traceOf(two.substr(0, two.find("step 2")));
    EXPECT_TRUE(isFound(run));
    EXPECT_EQ(
        gpuUseWordings(*run, GpuBusy(*run), kAll).front().rfind("The GPU was busy for 35% of 2 measured ", 0),
        0u)
        << "one step says nothing of two";
}

}  // namespace warpglass::test::gpu_use_sentence_test
