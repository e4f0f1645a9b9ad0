// What an experiment runs, with what a person gave in place of its own choice; and that each can run.
#include <gmock/gmock.h>

#include "engine/experiments/experiment.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/plan/valid_config.h"
#include "engine/sweep/grid.h"

namespace warpglass::test::experiment_plans_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const SweepAxis* axisOf(const SweepPlan& plan, std::string_view key) {
    for (const SweepAxis& axis : plan.axes) {
        if (axis.key == key)
            return &axis;
    }
    return nullptr;
}

TEST(ExperimentPlans, AGivenSettingReplacesTheAxisOrTheSettingOfItsKey) {
    ExperimentOptions options{
        .given = {{"mode", {"step"}}, {"context", {"32"}}, {"batch", {"1", "2"}}, {"warmup", {"0", "3"}}}};
    const SweepPlan plan = planSweep(options, "x", {{"mode", {"forward", "step"}}},
                                     {{"context", "64"}, {"steps", "7"}}, KeepRuns::kYes, {"warmup"})
                               .plan;
    EXPECT_EQ(axisOf(plan, "mode")->values, std::vector<std::string>{"step"});
    EXPECT_EQ(axisOf(plan, "batch")->values, (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(axisOf(plan, "warmup"), nullptr);
    EXPECT_EQ(plan.base.warmup, 0);
    EXPECT_EQ(plan.base.context, 32);
    EXPECT_EQ(plan.base.steps, 7);
    EXPECT_EQ(plan.runFolder, "runs/x");
}

/// A preset of the axis does not bring back the size that was given.
TEST(ExperimentPlans, AGivenSizeHoldsForEveryModel) {
    ExperimentOptions options{.given = {{"layers", {"1"}}, {"model", {"tiny", "small"}}}};
    const Result<const Experiment*> benchmark = findExperiment("benchmark");
    ASSERT_TRUE(benchmark);
    int cells = 0;
    for (const NamedSweep& sweep : (*benchmark)->sweeps(options)) {
        for (const SweepCell& cell : cellsOf(sweep.plan)) {
            EXPECT_EQ(configOf(sweep.plan, cell).shape.layers, 1) << sweep.name;
            ++cells;
        }
    }
    EXPECT_GT(cells, 4);
}

/// What would run and not be told apart in the answer is refused.
TEST(ExperimentPlans, SeveralValuesAreForWhatIsCompared) {
    const auto refused = [](std::string_view name, std::vector<SweepAxis> given) {
        ExperimentOptions options{.device = "cuda:0", .given = std::move(given)};
        const Result<const Experiment*> experiment = findExperiment(name);
        EXPECT_TRUE(experiment) << name;
        const Status compared = comparesWhatIsGiven(**experiment, options);
        return compared ? std::string() : compared.message();
    };
    EXPECT_EQ(
        refused("benchmark", {{"attention", {"naive", "flash"}}}),
        "The experiment benchmark does not compare several values of the attention variant: give one. A "
        "sweep compares values of any setting.");
    EXPECT_EQ(refused("accumulation", {{"model", {"small"}}}),
              "The experiment accumulation runs no model, and takes no settings: leave out --model.");
    EXPECT_EQ(refused("accumulation", {}), "");
    for (const char* name : {"precision", "kernels", "attention-parts"})
        EXPECT_NE(refused(name, {{"context", {"16", "32"}}}), "") << name;
    EXPECT_NE(refused("memory", {{"attention", {"naive", "flash"}}}), "");
    EXPECT_EQ(refused("benchmark",
                      {{"model", {"tiny", "small"}}, {"warmup", {"0", "1"}}, {"attention", {"flash"}}}),
              "");
    EXPECT_EQ(refused("memory", {{"context", {"16", "32"}}, {"precision", {"fp32", "bf16"}}}), "");
    EXPECT_EQ(refused("attention", {{"context", {"256", "512"}}, {"head-dim", {"16", "32"}}}), "");
    EXPECT_EQ(refused("compiled", {{"attention", {"naive", "flash"}}}), "");
    EXPECT_EQ(refused("fusions", {{"attention", {"naive", "flash"}}, {"execution", {"eager", "graph"}}}), "");
}

TEST(ExperimentPlans, EveryCellOfEveryExperimentCanRunOnTheCpu) {
    for (const Experiment& experiment : experiments()) {
        for (const NamedSweep& sweep : experiment.sweeps({})) {
            ASSERT_TRUE(checkPlan(sweep.plan)) << experiment.name;
            for (const SweepCell& cell : cellsOf(sweep.plan)) {
                std::vector<ConfigProblem> problems;
                EXPECT_TRUE(ValidConfig::of(configOf(sweep.plan, cell), &problems))
                    << experiment.name << ": " << problems.front().sentence;
            }
        }
    }
}

TEST(ExperimentPlans, OnAGpuEveryPlanIsSoundAndMostCellsCanRun) {
    ExperimentOptions options{.device = "cuda:0"};
    for (const Experiment& experiment : experiments()) {
        for (const NamedSweep& sweep : experiment.sweeps(options)) {
            ASSERT_TRUE(checkPlan(sweep.plan)) << experiment.name;
            EXPECT_EQ(sweep.plan.base.device, "cuda:0");
            EXPECT_LE(cellCount(sweep.plan), 200) << experiment.name << " would take hours";
        }
    }
}

TEST(ExperimentPlans, WhatIsAheadIsOneSentence) {
    const auto said = [](const char* name, const ExperimentOptions& options) {
        return forecastSentence(options, (*findExperiment(name))->sweeps(options));
    };
    // With a time where the ceilings of this machine have been measured.
    EXPECT_THAT(said("benchmark", {}),
                AllOf(StartsWith("7 runs, "), HasSubstr("; the largest predicted peak is ")));
    EXPECT_EQ(said("accumulation", {}), "");
    ExperimentOptions absent{.device = "cuda:77"};
    EXPECT_EQ(said("benchmark", absent), "") << "nothing of it can be run, which its error says";
}

TEST(ExperimentPlans, AWrongNameIsAnsweredWithTheRightOne) {
    EXPECT_TRUE(findExperiment("memory"));
    EXPECT_THAT(findExperiment("benchmrk").message(), HasSubstr("Did you mean benchmark?"));
}

}  // namespace warpglass::test::experiment_plans_test
