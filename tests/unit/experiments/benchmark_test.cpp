// The benchmark: its sentences, tables and charts against figures that the test states.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "engine/experiments/catalog.h"
#include "engine/experiments/run_experiment.h"
#include "tests/support/trace_text.h"
#include "tests/unit/experiments/made_evidence.h"

namespace warpglass::test::benchmark_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

MadeEvidence::Figures figuresOf(const MadeEvidence::Values& values) {
    MadeEvidence::Figures figures;
    const auto put = [&](const std::string& phase, double mean) {
        figures[phase + "_mean_ns"] = mean;
        figures[phase + "_stddev_ns"] = mean / 100;
        figures[phase + "_samples"] = 10;
    };
    put("forward", values.contains("mode") && values.at("mode") == "forward" ? 20e6 : 30e6);
    put("backward", 66e6);
    put("optimizer", 9e6);
    put("step", 110e6);
    return figures;
}

/// So many steps, of which the first takes five times as long.
std::shared_ptr<const Snapshot> coldRun(int steps = 10) {
    return traceOf("info config.warmup 0 state finished steps.completed " + std::to_string(steps) + R"(
        step 0 0-50ms | forward 0-50ms
        step 1 50ms-60ms | forward 50ms-60ms
        repeat )" + std::to_string(steps - 2) +
                   R"( every 10ms
          step 2 60ms-70ms | forward 60ms-70ms
    )");
}

struct Benchmark : testing::Test {
    ExperimentResult result() const { return evaluated(experiment::kBenchmark, evidence); }

    MadeEvidence evidence{experiment::kBenchmark, {}, figuresOf};
};

TEST_F(Benchmark, SaysHowLongAStepTakesAndWhatOfItIsBackward) {
    const ExperimentResult said = result();
    EXPECT_THAT(said.answers, Contains(AllOf(HasSubstr("A step of tiny takes 110\u202fms ± 1.10\u202fms"),
                                             HasSubstr("backward takes 2.2× as long as forward"),
                                             HasSubstr("without gradients takes 20.0\u202fms"))));
    // Every phase of the one model with its time: forward twice, by mode.
    ASSERT_FALSE(said.tables.empty());
    EXPECT_EQ(said.tables[0].rows.size(), 5u);
}

TEST_F(Benchmark, SaysHowManyWarmUpStepsAreEnough) {
    evidence.everyRun = coldRun();
    const ExperimentResult said = result();
    EXPECT_THAT(said.answers, Contains(AllOf(HasSubstr("1 warm-up step is enough for tiny here"),
                                             HasSubstr("the first step takes 5× the median"))));
    const auto chart =
        std::ranges::find_if(said.charts, [](const Chart& one) { return one.key == "benchmark-iterations"; });
    ASSERT_NE(chart, said.charts.end());
    EXPECT_EQ(chart->series.back().points.size(), 10u);
    EXPECT_EQ(chart->series.back().points.front().y, 50e6);
}

TEST_F(Benchmark, SaysWhyItCannotTellHowManyWarmUpStepsAreEnough) {
    const auto why = [&] {
        for (const std::string& answer : result().answers) {
            if (answer.starts_with("How many warm-up steps are enough for tiny cannot be told here: "))
                return answer;
        }
        return std::string();
    };
    EXPECT_THAT(why(), HasSubstr("not recorded one by one"));
    evidence.everyRun = coldRun(3);
    EXPECT_THAT(why(), HasSubstr("that takes at least 4 steps, and 3 were run"));
}

TEST_F(Benchmark, SaysOfItsResultAndItsFiguresWhatAllRunsHaveInCommon) {
    evidence.everyRun = coldRun();
    for (const char* sweep : {"modes", "warmup"})
        evidence.change(sweep).cells.front().figures["disturbed"] = 1;
    const ExperimentResult said = result();
    EXPECT_THAT(said.measured, testing::ElementsAre(
                                   "modes: tiny · context 64 · batch 4 · fp32 · naive · warm-up 5 · 10 steps",
                                   "warmup: tiny · context 64 · batch 4 · fp32 · naive · step · 10 steps"));
    EXPECT_EQ(said.charts.front().setup, "tiny · context 64 · batch 4 · fp32 · naive · warm-up 5 · 10 steps");
    EXPECT_THAT(said.notes, Contains(HasSubstr("disturbed 2 of 7 runs")).Times(1)) << "of both sweeps";
}

TEST_F(Benchmark, ASentenceSaysWhereTheRunsBehindItWereDisturbed) {
    evidence.everyRun = coldRun();
    const auto answers = [&] { return result().answers; };
    EXPECT_THAT(answers(), Not(Contains(HasSubstr("disturbed"))));
    evidence.change("warmup").cells[2].figures["disturbed"] = 1;
    EXPECT_THAT(
        answers(),
        Contains(AllOf(
            HasSubstr("The mean of a forward pass of tiny is 30.0\u202fms ± 300\u202fµs without warm-up, "
                      "30.0\u202fms ± 300\u202fµs after 1 warm-up step, "
                      "30.0\u202fms ± 300\u202fµs after 2 warm-up steps and "),
            HasSubstr("; 1 of the 4 runs behind this was disturbed by other "
                      "programs or by a clock that was held down, so "))));
    EXPECT_THAT(answers(), Contains(HasSubstr("disturbed")).Times(1)) << "the others rest on other runs";
    evidence.change("warmup").cells[0].figures["disturbed"] = 1;
    EXPECT_THAT(answers(), Contains(AllOf(HasSubstr("is enough for tiny here"),
                                          HasSubstr("; the run behind this was disturbed by "))));
    for (SweepCell& cell : evidence.change("modes").cells)
        cell.figures["disturbed"] = 1;
    EXPECT_THAT(answers(), Contains(AllOf(HasSubstr("A step of tiny takes"),
                                          HasSubstr("; both runs behind this were disturbed by "))));
}

TEST_F(Benchmark, ACellThatFailedIsSaidAndTheOthersAreThere) {
    SweepCell& cell = evidence.change("modes").cells.front();
    cell.state = CellState::kOutOfMemory;
    cell.message = "The run needs more memory.";
    cell.figures.clear();
    const ExperimentResult said = result();
    EXPECT_THAT(said.notes, Contains(HasSubstr("The run needs more memory.")));
    EXPECT_EQ(said.tables[0].rows.size(), 4u);
}

TEST(Settled, IsTheFirstFromWhichAllAreNearTheMedianOfTheLast) {
    using experiment::settledAfter;
    const auto after = [](std::vector<double> times) { return settledAfter(times); };
    EXPECT_FALSE(after({1, 1, 1}));
    EXPECT_EQ(after({1, 1, 1, 1})->after, 0);
    EXPECT_EQ(after({9, 1, 1, 1, 1, 1})->after, 1);
    EXPECT_EQ(after({9, 3, 1.05, 1, 0.95, 1, 1, 1})->after, 2);
    EXPECT_FALSE(after({1, 1, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9})) << "what never settles";
    EXPECT_EQ(after({9, 1.09, 1, 1, 1, 1})->after, 1);
    EXPECT_EQ(after({9, 1.11, 1, 1, 1, 1})->after, 2);
}

TEST(Settled, OnANoisyMachineWhatItsStepsDifferBy) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> noise(100, 12);
    int told = 0, right = 0;
    for (int i = 0; i < 200; ++i) {
        std::vector<double> times{900, 400};
        for (int n = 0; n < 30; ++n)
            times.push_back(noise(random));
        if (const auto settled = experiment::settledAfter(times)) {
            ++told;
            right += settled->after == 2 ? 1 : 0;
            EXPECT_GE(settled->after, 2);
        }
    }
    // One of thirty noisy steps may lie far off, and nothing, or one step too many, is told.
    EXPECT_GT(told, 100);
    EXPECT_GT(right, told / 2);
}

}  // namespace warpglass::test::benchmark_test
