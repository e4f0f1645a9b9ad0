// What a run on a real GPU records of its clocks.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>

#include "engine/base/gpu_state.h"
#include "engine/query/activity/conditions.h"
#include "tests/gpu/gpu_run.h"

namespace warpglass::test::gpu_conditions_test {

struct GpuConditions : GpuTest {
    void SetUp() override {
        GpuTest::SetUp();
        if (!IsSkipped() && !openGpuMonitor("cuda:0"))
            GTEST_SKIP() << "The driver's management library is not there, or does not know the device.";
    }
};

TEST_F(GpuConditions, TheMonitorTellsWhatADeviceCanBe) {
    const auto monitor = openGpuMonitor("cuda:0");
    const GpuState state = monitor->read();
    const auto most = monitor->maxSmClock();
    ASSERT_TRUE(state.smClock && most);
    EXPECT_GT(*state.smClock, 0);
    EXPECT_LE(*state.smClock, *most);
    EXPECT_TRUE(state.reasons);
    if (state.celsius) {
        EXPECT_GT(*state.celsius, 0);
        EXPECT_LT(*state.celsius, 130);
    }
    if (state.watts) {
        EXPECT_GT(*state.watts, 0);
        EXPECT_LT(*state.watts, 2000);
    }
    // Readings are 100 ms apart: one that took a tenth of that would disturb what it observes. The fastest of
    // many is the reading's own time, whatever else the machine does.
    constexpr int kReadings = 20;
    auto fastest = std::chrono::steady_clock::duration::max();
    for (int i = 0; i < kReadings; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        monitor->read();
        fastest = std::min(fastest, std::chrono::steady_clock::now() - begin);
    }
    EXPECT_LT(fastest, std::chrono::milliseconds(10));
    RecordProperty("reading_us",
                   static_cast<int>(std::chrono::duration<double, std::micro>(fastest).count()));
}

TEST_F(GpuConditions, ARunHasThoseOfItsSteps) {
    RunConfig config = GpuTest::config();
    config.steps = 30;  // longer than the time between two samples
    const GpuRun run = cleanRun(config);
    const RunConditions conditions = conditionsOf(*run.trace);
    ASSERT_TRUE(conditions.steps.smClock) << conditions.inWords();
    ASSERT_TRUE(conditions.maxSmClock);
    EXPECT_GT(*conditions.steps.smClock, 0);
    EXPECT_LE(*conditions.steps.smClock, *conditions.maxSmClock);
    EXPECT_LE(*conditions.slowestStepClock, *conditions.fastestStepClock);
    EXPECT_TRUE(conditions.steps.clockReasons);
    EXPECT_TRUE(conditions.steps.othersCores) << "the host's half";
    EXPECT_EQ(conditions.coresNeeded, 1) << "one thread launches";
    const ConditionSeries series(*run.trace);
    EXPECT_LE(series.in(run.trace->range()).gpuProcesses.value_or(0), 1000);
    RecordProperty("conditions", conditions.inWords());
}

/// A run on the CPU has the host's half alone, on a machine with a GPU too.
TEST_F(GpuConditions, ARunOnTheCpuHasNone) {
    RunConfig config = GpuTest::config();
    config.device = "cpu";
    config.model = "custom";
    config.shape = {.vocabulary = 50, .dModel = 32, .dFf = 64, .layers = 2, .heads = 2};
    config.context = 12;
    config.batch = 2;
    const RunConditions conditions = conditionsOf(*run(config).trace);
    EXPECT_FALSE(conditions.steps.smClock);
    EXPECT_FALSE(conditions.maxSmClock);
}

}  // namespace warpglass::test::gpu_conditions_test
