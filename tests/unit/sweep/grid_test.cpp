#include "engine/sweep/grid.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <random>
#include <set>

#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"
#include "tests/support/sample_sweep.h"

namespace warpglass::test::grid_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SweepAxis, HasTheValuesOfItsListInTheSettingsOwnWords) {
    const auto axis = sweepAxis("context", "128, 0256,512");
    ASSERT_TRUE(axis) << axis.message();
    EXPECT_EQ(axis->key, "context");
    EXPECT_THAT(axis->values, ElementsAre("128", "256", "512"));
    EXPECT_THAT(sweepAxis("config.model", "small,2.7B")->values, ElementsAre("small", "2.7B"));
    EXPECT_THAT(sweepAxis("mode", "step")->values, ElementsAre("step"));
}

TEST(SweepAxis, OfWhatIsRecordedIsOneValueForAList) {
    EXPECT_THAT(sweepAxis("record", "memory,ops")->values, ElementsAre("ops,memory"));
    EXPECT_THAT(sweepAxis("record", std::vector<std::string>{"none", "ops"})->values,
                ElementsAre("none", "ops"));
}

TEST(SweepAxis, RefusesWhatTheSettingDoesNotTakeAndNamesIt) {
    EXPECT_THAT(sweepAxis("kontext", "1").message(), HasSubstr("\"kontext\""));
    EXPECT_THAT(sweepAxis("context", "").message(), HasSubstr("context: the list of values is empty"));
    EXPECT_THAT(sweepAxis("context", "128,").message(), HasSubstr("context: a value is empty"));
    EXPECT_THAT(sweepAxis("context", "128,12x").message(), HasSubstr("\"12x\""));
    EXPECT_THAT(sweepAxis("context", "128,0").message(), HasSubstr("at least 1, not 0"));
    EXPECT_THAT(sweepAxis("context", "128,256,0128").message(), HasSubstr("\"128\" is given twice"));
    EXPECT_THAT(sweepAxis("precision", "fp33").message(), HasSubstr("precision: There is no precision"));
    EXPECT_THAT(sweepAxis("model", "smal").message(), HasSubstr("smal"));
    EXPECT_THAT(sweepAxis("device", "gpu").message(), HasSubstr("gpu"));
}

TEST(SweepPlan, OfOneCellThatIsRepeatedIsAGrid) {
    SweepPlan plan = smallPlan();
    plan.axes.clear();
    plan.base.context = 64;
    plan.repeats = 1;
    giveRepeatedCellAnAxis(plan);
    EXPECT_THAT(checkPlan(plan).message(), HasSubstr("The grid is empty"));
    plan.repeats = 5;
    giveRepeatedCellAnAxis(plan);
    ASSERT_TRUE(checkPlan(plan)) << checkPlan(plan).message();
    ASSERT_EQ(cellCount(plan), 5);
    EXPECT_EQ(configOf(plan, cellsOf(plan)[4]), plan.base);
    const SweepPlan same = plan;
    giveRepeatedCellAnAxis(plan);
    EXPECT_EQ(plan, same);
}

TEST(SweepPlan, ThatCannotBeRunIsRefusedInOneSentence) {
    const auto refusal = [](const std::function<void(SweepPlan&)>& change) {
        SweepPlan plan = smallPlan();
        EXPECT_TRUE(checkPlan(plan));
        change(plan);
        return checkPlan(plan).message();
    };
    EXPECT_THAT(refusal([](auto& plan) { plan.axes.clear(); }), HasSubstr("The grid is empty"));
    EXPECT_THAT(refusal([](auto& plan) { plan.axes[1].values.clear(); }),
                HasSubstr("attention: the list of values is empty"));
    EXPECT_THAT(refusal([](auto& plan) { plan.axes.push_back(plan.axes.front()); }),
                HasSubstr("\"context\" twice"));
    EXPECT_THAT(refusal([](auto& plan) { plan.axes[0].key = "no such"; }), HasSubstr("\"no such\""));
    EXPECT_THAT(refusal([](auto& plan) { plan.repeats = 0; }), HasSubstr("not 0 times"));
    EXPECT_THAT(refusal([](auto& plan) { plan.timeLimit = Nanoseconds(0); }), HasSubstr("time limit"));
}

TEST(SweepPlan, WithAnAxisThatNoneOfItsWorkloadsHasIsRefused) {
    for (const Setting& setting : settings()) {
        if (setting.appliesTo == AppliesTo::kAll)
            continue;
        const bool ofAttention = setting.appliesTo == AppliesTo::kAttention;
        SweepPlan plan{.axes = {{std::string(setting.key), {setting.text(RunConfig())}}}};
        EXPECT_EQ(checkPlan(plan).ok(), !ofAttention) << setting.key;
        plan.base.workload = Workload::kAttention;
        EXPECT_EQ(checkPlan(plan).ok(), ofAttention) << setting.key;
        EXPECT_TRUE(checkPlanOfFile(plan)) << "earlier versions made such files";
        plan.axes.push_back({"workload", {"transformer"}});
        EXPECT_EQ(checkPlan(plan).ok(), !ofAttention) << "an axis replaces the base's: " << setting.key;
        plan.axes[1].values.emplace_back("attention");
        EXPECT_TRUE(checkPlan(plan)) << setting.key;
    }
    SweepPlan plan{.axes = {{"head-dim", {"16", "32"}}}};
    EXPECT_EQ(checkPlan(plan).message(), "head-dim: The workload transformer has no head dimension.");
}

TEST(SweepPlan, OfMoreTimeThanCanBeCountedIsRefused) {
    SweepPlan plan = smallPlan();
    plan.timeLimit = kMostTimeLimit;
    EXPECT_TRUE(checkPlan(plan));
    plan.timeLimit = Nanoseconds(kMostTimeLimit.value + 1);
    EXPECT_THAT(checkPlan(plan).message(), HasSubstr("at most 1,000,000,000 seconds"));
}

TEST(SweepPlan, OfAMillionCellsIsTakenAndOfMoreRefused) {
    SweepPlan plan = smallPlan(1000, 500);
    EXPECT_EQ(cellCount(plan), 1'000'000);
    EXPECT_TRUE(checkPlan(plan)) << checkPlan(plan).message();
    plan.repeats = 501;
    EXPECT_THAT(checkPlan(plan).message(), HasSubstr("1,002,000 cells"));
}

/// Comparing each value with all before it would take minutes.
TEST(SweepPlan, OfAMillionValuesOfOneAxisIsTaken) {
    SweepPlan plan{.axes = {{"seed", {}}}};
    for (int i = 0; i < 1'000'000; ++i)
        plan.axes[0].values.push_back(std::to_string(i));
    EXPECT_TRUE(checkPlan(plan)) << checkPlan(plan).message();
    plan.axes[0].values.back() = "7";
    EXPECT_THAT(checkPlan(plan).message(), HasSubstr("\"7\" is given twice"));
    plan.axes.push_back({"context", {"1", "not a number"}});
    EXPECT_THAT(checkPlan(plan).message(), HasSubstr("2,000,000 cells")) << "before any value";
}

TEST(SweepPlan, CountOfCellsSaturates) {
    SweepPlan plan = smallPlan();
    plan.repeats = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(cellCount(plan), std::numeric_limits<std::int64_t>::max());
    EXPECT_FALSE(checkPlan(plan));
    plan.axes[1].values.clear();
    EXPECT_EQ(cellCount(plan), 0);
    plan.repeats = -3;
    EXPECT_EQ(cellCount(plan), 0);
}

TEST(SweepCells, AreTheGridWithTheLastAxisFastestAndRepeatsInnermost) {
    const SweepPlan plan = smallPlan(3, 2);
    const std::vector<SweepCell> cells = cellsOf(plan);
    std::size_t next = 0;
    for (std::uint32_t context = 0; context < 3; ++context) {
        for (std::uint32_t attention = 0; attention < 2; ++attention) {
            for (std::int64_t repeat = 0; repeat < 2; ++repeat) {
                ASSERT_LT(next, cells.size());
                const SweepCell& cell = cells[next];
                EXPECT_EQ(cell.index, static_cast<std::int64_t>(next++));
                EXPECT_THAT(cell.values, ElementsAre(context, attention));
                EXPECT_EQ(cell.repeat, repeat);
                EXPECT_EQ(cell.state, CellState::kWaiting);
                const RunConfig config = configOf(plan, cell);
                EXPECT_EQ(config.context, 16 * (context + 1));
                EXPECT_EQ(attentionName(config.attention), attention == 0 ? "naive" : "sdpa-flash");
                EXPECT_EQ(config.steps, 2);
            }
        }
    }
    EXPECT_EQ(next, cells.size());
}

TEST(SweepOrder, RunsEveryCellOnceAndRoundByRound) {
    for (const CellOrder order : {CellOrder::kGrid, CellOrder::kInterleaved, CellOrder::kShuffled}) {
        SweepPlan plan = smallPlan(4, 3);
        plan.order = order;
        plan.shuffleSeed = 7;
        const std::vector<SweepCell> cells = cellsOf(plan);
        const std::vector<std::int64_t> run = runOrder(plan);
        EXPECT_EQ(std::set<std::int64_t>(run.begin(), run.end()).size(), cells.size());
        ASSERT_EQ(run.size(), cells.size());
        for (std::size_t i = 0; i < run.size(); ++i) {
            const SweepCell& cell = cells[static_cast<std::size_t>(run[i])];
            if (order == CellOrder::kGrid) {
                EXPECT_EQ(run[i], static_cast<std::int64_t>(i));
            } else {
                EXPECT_EQ(cell.repeat, static_cast<std::int64_t>(i / 8)) << "eight cells in a round";
            }
            if (order == CellOrder::kInterleaved) {
                EXPECT_EQ(cell.index / plan.repeats, static_cast<std::int64_t>(i % 8));
            }
        }
    }
}

TEST(SweepOrder, ShuffledIsTheSameForASeedAndAnotherInEachRound) {
    SweepPlan plan = smallPlan(8, 2);
    plan.order = CellOrder::kShuffled;
    const std::vector<std::int64_t> first = runOrder(plan);
    EXPECT_EQ(runOrder(plan), first);
    std::vector<std::int64_t> rounds[2];
    for (std::size_t i = 0; i < first.size(); ++i)
        rounds[i / 16].push_back(first[i] / 2);
    EXPECT_NE(rounds[0], rounds[1]);
    plan.shuffleSeed = 1;
    EXPECT_NE(runOrder(plan), first);
    // The generator is defined by the standard, so every machine has this order.
    SweepPlan tiny = smallPlan(2, 1);
    tiny.order = CellOrder::kShuffled;
    tiny.shuffleSeed = 3;
    std::mt19937_64 random(3);
    std::vector<std::int64_t> expected = {0, 1, 2, 3};
    for (std::size_t i = 4; i > 1; --i)
        std::swap(expected[i - 1], expected[random() % i]);
    EXPECT_EQ(runOrder(tiny), expected);
}

TEST(SweepCell, WithAnotherSizeIsOfACustomModel) {
    SweepPlan plan;
    // In either order of the axes the model comes first.
    plan.axes = {{"layers", {"2", "12"}}, {"model", {"tiny", "small"}}};
    const std::vector<SweepCell> cells = cellsOf(plan);
    const RunConfig resized = configOf(plan, cells[1]);
    EXPECT_EQ(resized.model, kCustomModel);
    EXPECT_EQ(resized.shape.dModel, 768);
    EXPECT_EQ(resized.shape.layers, 2);
    EXPECT_EQ(configOf(plan, cells[3]).model, "small") << "it has twelve layers anyway";
    for (const SweepCell& cell : cells)
        EXPECT_TRUE(ValidConfig::of(configOf(plan, cell)));
}

TEST(SweepCell, IsNamedByWhatTellsItFromTheOthers) {
    SweepPlan plan{.axes = {{"model", {"small", "medium"}},
                            {"batch", {"4", "8"}},
                            {"mode", {"step"}},
                            {"context", {"512", "1024"}}}};
    const std::vector<SweepCell> cells = cellsOf(plan);
    EXPECT_EQ(cellTitle(plan, cells.front()), "small · batch 4 · 512");
    EXPECT_EQ(cellTitle(plan, cells.back()), "medium · batch 8 · 1024");
    plan.axes = {{"mode", {"step"}}};
    EXPECT_EQ(cellTitle(plan, cellsOf(plan).front()), "step") << "there is nothing else to say";
}

TEST(SweepPlan, SaysWhatAReaderOfItsFiguresHasToKnow) {
    SweepPlan plan;
    static_cast<void>(takeSetting("model", "tiny", plan.base));
    static_cast<void>(takeSetting("seed", "7", plan.base));
    plan.axes = {{"precision", {"fp32", "bf16"}}, {"context", {"128"}}, {"mode", {"step"}}};
    EXPECT_EQ(settingsInCommon(plan),
              "tiny · context 128 · batch 4 · naive · step · warm-up 1 · 3 steps · seed 7")
        << "an axis of one value is a setting; tiny says its sizes";
    plan.axes.push_back({"layers", {"3"}});
    EXPECT_THAT(settingsInCommon(plan), HasSubstr("3 layers")) << "it is no preset any more";
    plan.axes.back().values = {"4", "6"};
    EXPECT_THAT(settingsInCommon(plan), testing::StartsWith("tiny, resized · context 128"));
    SweepPlan attention{.base = {.workload = Workload::kAttention}, .axes = {{"context", {"128", "256"}}}};
    EXPECT_THAT(settingsInCommon(attention), HasSubstr("head dim 64 · batch 4"));
    EXPECT_THAT(settingsInCommon(attention), Not(HasSubstr("128")));
}

TEST(SweepCell, StateHasAWordEach) {
    std::set<std::string_view> words;
    for (int i = 0; i < 6; ++i) {
        const auto state = static_cast<CellState>(i);
        words.insert(cellStateName(state));
        EXPECT_EQ(cellStateOfName(cellStateName(state)), state);
    }
    EXPECT_EQ(words.size(), 6u);
    EXPECT_FALSE(cellStateOfName("OK"));
}

}  // namespace warpglass::test::grid_test
