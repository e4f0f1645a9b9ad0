// What is said of cells before they run, for a machine with a made-up GPU.
#include "engine/sweep/cell_outlook.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/sweep_run.h"
#include "tests/support/words.h"

namespace warpglass::test::cell_outlook_test {

using ::testing::HasSubstr;

std::vector<DeviceInfo> devices(Bytes available) {
    DeviceInfo cpu{"cpu", "A CPU", Bytes(std::int64_t{8} << 30), Bytes(std::int64_t{6} << 30), 4};
    DeviceInfo gpu{"cuda:0", "A GPU", Bytes(std::int64_t{16} << 30), available, 100, "580.65.06"};
    return {cpu, gpu};
}

constexpr Bytes kAvailable{std::int64_t{4} << 30};

SweepPlan gpuPlan() {
    SweepPlan plan{.base = {.device = "cuda:0"}};
    plan.axes = {*sweepAxis("model", "tiny,small,medium"), *sweepAxis("context", "64,128,256,512,1024,2048"),
                 *sweepAxis("batch", "1,4,16"), *sweepAxis("mode", "forward,step"),
                 *sweepAxis("attention", "naive,sdpa-flash")};  // flash runs no fp32
    plan.repeats = 2;
    return plan;
}

TEST(CellOutlook, RemembersNothingOfACellThatAnySettingTellsApart) {
    RunConfig base{.device = "cuda:0"};
    std::vector<RunConfig> configs = {base};
    const std::vector<std::string> changes = words(
        "workload attention model small context 4096 batch 64 precision bf16 attention sdpa-math "
        "mode forward device cpu device cuda:7 execution graph warmup 0 steps 0 steps 50 "
        "memory-limit 1000 record shapes record ops,shapes heads 3 head-dim 128 seed 3");
    for (std::size_t change = 0; change < changes.size(); change += 2) {
        const std::size_t before = configs.size();
        for (std::size_t i = 0; i < before && i < 40; ++i) {
            configs.push_back(configs[i]);
            ASSERT_TRUE(takeSetting(changes[change], changes[change + 1], configs.back())) << changes[change];
        }
    }
    Outlooks remembering(devices(kAvailable));
    std::size_t cannotRun = 0, tooLarge = 0;
    for (const RunConfig& config : configs) {
        const CellOutlook outlook = remembering.of(config);
        EXPECT_EQ(outlook, Outlooks(devices(kAvailable)).of(config));
        cannotRun += outlook.cannotRun ? 1 : 0;
        tooLarge += outlook.tooLarge ? 1 : 0;
    }
    EXPECT_GT(cannotRun, 10u);
    EXPECT_GT(tooLarge, 10u);
    RunConfig shapesAlone = base;
    ASSERT_TRUE(takeSetting("record", "shapes", shapesAlone));
    EXPECT_FALSE(remembering.of(base).cannotRun);
    EXPECT_THAT(remembering.of(shapesAlone).doubt, HasSubstr("record ops too"));
}

TEST(CellOutlook, AVerdictIsThatOfTheWholeWhereverTheMemoryEnds) {
    for (const std::int64_t mebibytes : {0, 300, 1024, 2500, 4096, 11000}) {
        Outlooks outlooks(devices(Bytes(mebibytes << 20)));
        const SweepPlan plan = gpuPlan();
        const GridOutlook grid = outlooks.verdicts(plan), times = outlooks.times(plan);
        ASSERT_EQ(static_cast<std::int64_t>(grid.which.size()) * plan.repeats, cellCount(plan));
        std::size_t told = 0;
        for (const SweepCell& cell : cellsOf(plan)) {
            const CellOutlook& verdict = grid.at(cell.index / plan.repeats);
            const CellOutlook whole = outlooks.of(configOf(plan, cell));
            ASSERT_EQ(verdict.cannotRun, whole.cannotRun);
            ASSERT_EQ(verdict.tooLarge, whole.tooLarge) << cellTitle(plan, cell) << " " << mebibytes;
            EXPECT_EQ(verdict.time, whole.time);
            EXPECT_EQ(times.at(cell.index / plan.repeats).time, whole.time);
            EXPECT_EQ(verdict.doubt, verdict.isWordless ? "" : whole.doubt);
            if (verdict.peakIsLeast) {
                EXPECT_LE(verdict.peak, whole.peak);
                ++told;
            } else {
                EXPECT_EQ(verdict.peak, whole.peak);
            }
        }
        EXPECT_GT(told, grid.which.size() / 2) << "most are told without a replay";
    }
}

TEST(SweepForecast, IsThatOfEveryCellByItself) {
    Outlooks outlooks(devices(kAvailable));
    for (const TooLarge tooLarge : {TooLarge::kSkip, TooLarge::kTry}) {
        SweepPlan plan = gpuPlan();
        plan.tooLarge = tooLarge;
        const SweepForecast all = forecast(plan, outlooks), first = forecast(plan, outlooks, Doubts::kFirst);
        std::int64_t large = 0, cannot = 0;
        Bytes peak;
        std::string firstDoubt;
        for (const SweepCell& cell : cellsOf(plan)) {
            const CellOutlook outlook = outlooks.of(configOf(plan, cell));
            const auto at = static_cast<std::size_t>(cell.index);
            EXPECT_EQ(all.doubts[at], outlook.doubt);
            EXPECT_EQ(first.doubts[at], firstDoubt.empty() ? outlook.doubt : "");
            firstDoubt = firstDoubt.empty() ? outlook.doubt : firstDoubt;
            large += outlook.tooLarge ? 1 : 0;
            cannot += outlook.cannotRun ? 1 : 0;
            if (!outlook.cannotRun && !(outlook.tooLarge && tooLarge == TooLarge::kSkip))
                peak = std::max(peak, outlook.peak);
        }
        EXPECT_GT(large, 0);
        EXPECT_GT(cannot, 0);
        for (const SweepForecast& said : {all, first}) {
            EXPECT_EQ(said.cells, cellCount(plan));
            EXPECT_EQ(said.tooLarge, large);
            EXPECT_EQ(said.cannotRun, cannot);
            EXPECT_EQ(said.largestPeak, peak);
            EXPECT_FALSE(said.time) << "nothing has been measured";
        }
    }
}

}  // namespace warpglass::test::cell_outlook_test
