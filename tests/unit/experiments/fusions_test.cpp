// What the fusions are said to be worth, against figures that the test states.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/experiments/catalog.h"
#include "engine/experiments/run_experiment.h"
#include "engine/plan/valid_config.h"
#include "engine/sweep/grid.h"
#include "tests/unit/experiments/made_evidence.h"

namespace warpglass::test::fusions_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ExperimentOptions gpuWith(std::vector<SweepAxis> given = {}) {
    return {.device = "cuda:0", .given = std::move(given)};
}

std::vector<NamedSweep> sweepsOf(const ExperimentOptions& options) {
    return experiment::kFusions.sweeps(options);
}

const SweepAxis& kernelsOf(const NamedSweep& sweep) {
    return *std::ranges::find(sweep.plan.axes, "kernels", &SweepAxis::key);
}

TEST(FusionsPlan, AddsOnePartAfterTheOtherAndRepeatsTheCellsInTurn) {
    const std::vector<NamedSweep> sweeps = sweepsOf(gpuWith());
    ASSERT_EQ(sweeps.size(), 1u);
    EXPECT_EQ(sweeps[0].name, "fusions");
    // Flash attention has no softmax to fuse.
    EXPECT_THAT(kernelsOf(sweeps[0]).values,
                ElementsAre("library", "optimizer", "optimizer+norm", "optimizer+norm+swiglu",
                            "optimizer+norm+swiglu+embedding", "optimizer+norm+swiglu+embedding+rope",
                            "optimizer+norm+swiglu+embedding+rope+loss",
                            "optimizer+norm+swiglu+embedding+rope+loss+casts", "fused"));
    const SweepPlan& plan = sweeps[0].plan;
    EXPECT_EQ(plan.repeats, 5);
    EXPECT_EQ(plan.order, CellOrder::kInterleaved);
    EXPECT_EQ(plan.base.model, "small");
    EXPECT_EQ(plan.base.precision, Precision::kBf16);
    EXPECT_EQ(plan.base.attention, AttentionVariant::kFlash);
    EXPECT_EQ(plan.base.execution, Execution::kGraph);
    EXPECT_TRUE(sweepsOf({}).empty()) << "the CPU runs none";
}

TEST(FusionsPlan, WhatPartsHaveWorkFollowsWhatIsGivenAndEveryCellCanRun) {
    const std::vector<NamedSweep> sweeps =
        sweepsOf(gpuWith({{"attention", {"naive", "sdpa-flash"}}, {"mode", {"forward", "step"}}}));
    std::vector<std::string> names;
    for (const NamedSweep& sweep : sweeps) {
        names.push_back(sweep.name);
        ASSERT_TRUE(checkPlan(sweep.plan)) << sweep.name;
        for (const SweepCell& cell : cellsOf(sweep.plan))
            EXPECT_TRUE(ValidConfig::of(configOf(sweep.plan, cell))) << cellTitle(sweep.plan, cell);
    }
    EXPECT_THAT(names, ElementsAre("fusions-naive-forward", "fusions-naive-step",
                                   "fusions-sdpa-flash-forward", "fusions-sdpa-flash-step"));
    EXPECT_EQ(kernelsOf(sweeps[0]).values[4], "norm+swiglu+rope+softmax");
    EXPECT_EQ(kernelsOf(sweeps[2]).values[4], "norm+swiglu+rope+loss");
    EXPECT_THAT(kernelsOf(sweepsOf(gpuWith({{"kernels", {"library", "norm"}}}))[0]).values,
                ElementsAre("library", "norm"));
}

/// Milliseconds of a step, without what its repeats differ by.
double stepOf(const std::string& kernels) {
    double step = 12;
    step -= kernels.find("norm") != kernels.npos || kernels == "fused" ? 1.5 : 0;
    step -= kernels.find("swiglu") != kernels.npos || kernels == "fused" ? 0.002 : 0;
    step += kernels.find("rope") != kernels.npos || kernels == "fused" ? 0.5 : 0;
    step -= kernels.find("casts") != kernels.npos || kernels == "fused" ? 2.998 : 0;
    return step;  // 8 ms with all
}

/// Repeats of ± 10 µs.
MadeEvidence madeEvidence(const ExperimentOptions& options) {
    MadeEvidence evidence(experiment::kFusions, options, [](const MadeEvidence::Values& values) {
        const std::string& kernels = values.at("kernels");
        return MadeEvidence::Figures{{"step_mean_ns", stepOf(kernels) * 1e6},
                                     {"peak_bytes", kernels == "library" ? 4.0 * (1 << 30) : 3.0 * (1 << 30)},
                                     {"kernels_per_step", kernels == "fused"     ? 700
                                                          : kernels == "library" ? 2000
                                                                                 : 1500}};
    });
    for (const NamedSweep& named : sweepsOf(options)) {
        for (SweepCell& cell : evidence.change(named.name).cells)
            cell.figures["step_mean_ns"] += static_cast<double>(cell.repeat % 2 == 0 ? 10'000 : -10'000);
    }
    return evidence;
}

TEST(FusionsAnswer, TellsWhatEachGainsWhatCostsAndWhatIsNoise) {
    const ExperimentResult result = evaluated(experiment::kFusions, madeEvidence(gpuWith()));
    ASSERT_EQ(result.answers.size(), 3u);
    // Five repeats ± 10 µs deviate by 10.95 µs, a difference's mean's 6.93 µs, times 2.306.
    EXPECT_EQ(result.answers[0],
              std::string("Together the fusions take a step from 12.0\u202fms to 8.00\u202fms, 1.5× as "
                          "fast; the most comes from casts: 3.00\u202fms ± 16.0\u202fµs."));
    EXPECT_EQ(result.answers[1],
              std::string("One added after the other, they gain: norm 1.50\u202fms ± 16.0\u202fµs and "
                          "casts 3.00\u202fms ± 16.0\u202fµs. A step takes longer with: rope 500\u202fµs "
                          "± 16.0\u202fµs. What optimizer, swiglu, embedding, loss and products change is "
                          "within the noise."));
    EXPECT_EQ(result.answers[2],
              std::string("With all of them peak memory goes from 4.00\u202fGiB to 3.00\u202fGiB (most of "
                          "it with optimizer: 1.00\u202fGiB less) and the GPU runs 700 kernels per step "
                          "instead of 2,000."));
    EXPECT_THAT(result.notes, Contains(HasSubstr("95% confidence interval")));
    EXPECT_THAT(result.notes, Contains(HasSubstr("ran as CUDA graphs")));
    EXPECT_THAT(result.notes, Contains(HasSubstr("softmax has nothing to do")))
        << "and products, which have only beside casts, are among what was added";
}

TEST(FusionsAnswer, HasARowOfEachStage) {
    const ExperimentResult result = evaluated(experiment::kFusions, madeEvidence(gpuWith()));
    ASSERT_EQ(result.tables.size(), 1u);
    const ReportTable& table = result.tables[0];
    ASSERT_EQ(table.rows.size(), 9u);
    const auto at = [&](std::size_t row, std::string_view key) {
        const auto column = std::ranges::find(table.columns, key, &ReportColumn::key);
        return table.rows[row][static_cast<std::size_t>(column - table.columns.begin())];
    };
    EXPECT_TRUE(isAbsent(at(0, "gained_ns")));
    EXPECT_EQ(at(2, "added"), Cell(std::string("norm")));
    EXPECT_EQ(at(2, "gained_ns"), Cell(std::int64_t{1'500'000}));
    EXPECT_EQ(at(2, "beyond_noise"), Cell(std::string("yes")));
    EXPECT_EQ(at(3, "beyond_noise"), Cell(std::string("no")));
    EXPECT_EQ(at(5, "gained_ns"), Cell(std::int64_t{-500'000}));
    EXPECT_EQ(at(8, "kernels"), Cell(std::string("fused")));
    EXPECT_EQ(at(8, "repeats"), Cell(std::int64_t{5}));
    EXPECT_EQ(at(8, "kernels_per_step"), Cell(700.0));
}

TEST(FusionsAnswer, DrawsABridgeFromTheFirstStepToTheLast) {
    const ExperimentResult result = evaluated(experiment::kFusions, madeEvidence(gpuWith()));
    ASSERT_EQ(result.charts.size(), 1u);
    const Chart& chart = result.charts[0];
    EXPECT_EQ(chart.kind, ChartKind::kBridge);
    EXPECT_THAT(chart.x.categories, ElementsAre("library", "+ optimizer", "+ norm", "+ swiglu", "+ embedding",
                                                "+ rope", "+ loss", "+ casts", "+ products", "fused"));
    std::vector<std::string> names;
    std::map<double, const ChartPoint*> inOrder;
    for (const ChartSeries& series : chart.series) {
        names.push_back(series.name);
        for (const ChartPoint& point : series.points)
            EXPECT_TRUE(inOrder.emplace(point.x, &point).second) << "two bars in a slot";
    }
    EXPECT_THAT(names, ElementsAre("whole step", "gained", "within the noise", "lost"));
    ASSERT_EQ(inOrder.size(), 10u);
    for (int i = 1; i < 9; ++i)
        EXPECT_EQ(inOrder[i]->from, inOrder[i - 1]->y) << i;
    EXPECT_EQ(inOrder[0]->from, 0);
    EXPECT_EQ(inOrder[9]->from, 0);
    EXPECT_EQ(inOrder[9]->y, inOrder[8]->y);
}

TEST(FusionsAnswer, IsGivenForEachOfWhatIsVaried) {
    const ExperimentResult result = evaluated(
        experiment::kFusions,
        madeEvidence(gpuWith({{"attention", {"naive", "flash"}}, {"execution", {"eager", "graph"}}})));
    ASSERT_EQ(result.answers.size(), 4u * 3);
    EXPECT_THAT(result.answers[0], StartsWith("naive, eager: Together"));
    EXPECT_THAT(result.answers[9], StartsWith("flash, graph: Together"));
    EXPECT_EQ(result.tables[0].columns[0].key, "attention");
    EXPECT_EQ(result.tables[0].columns[1].key, "execution");
    EXPECT_EQ(result.tables[0].rows.size(), 2u * 10 + 2 * 9);
    std::set<std::string> keys;
    for (const Chart& chart : result.charts)
        EXPECT_TRUE(keys.insert(chart.key).second) << chart.key << " is the figure of another";
    EXPECT_THAT(result.notes, Not(Contains(HasSubstr("ran as CUDA graphs"))));
}

TEST(FusionsAnswer, ComparesOnlyWhatRan) {
    MadeEvidence evidence = madeEvidence(gpuWith());
    for (SweepCell& cell : evidence.change("fusions").cells) {
        if (cell.values[0] == 2) {
            cell.state = CellState::kFailed;
            cell.message = "It failed.";
        }
    }
    const ExperimentResult result = evaluated(experiment::kFusions, evidence);
    EXPECT_EQ(result.tables[0].rows.size(), 8u);
    EXPECT_THAT(result.answers, Contains(HasSubstr("norm and swiglu 1.50\u202fms")));
    EXPECT_THAT(result.notes, Contains(HasSubstr("It failed.")));
    for (SweepCell& cell : evidence.change("fusions").cells)
        cell.state = CellState::kFailed;
    EXPECT_TRUE(evaluated(experiment::kFusions, evidence).answers.empty());
}

TEST(FusionsAnswer, WhereNothingIsGainedSaysSo) {
    MadeEvidence evidence = madeEvidence(gpuWith());
    for (SweepCell& cell : evidence.change("fusions").cells)
        cell.figures["step_mean_ns"] = cell.repeat % 2 == 0 ? 12.1e6 : 11.9e6;
    const std::string answer = evaluated(experiment::kFusions, evidence).answers.at(0);
    EXPECT_THAT(answer,
                StartsWith("Together the fusions gain nothing beyond the noise: a step takes "
                           "12.0\u202fms with the library's kernels and 12.0\u202fms with fused kernels."));
}

TEST(FusionsAnswer, OnTheCpuThereIsNothingToCompare) {
    const MadeEvidence evidence(experiment::kFusions, {});
    const ExperimentResult result = evaluated(experiment::kFusions, evidence);
    EXPECT_THAT(result.answers, ElementsAre(HasSubstr("there is nothing to compare.")));
    EXPECT_TRUE(result.tables.empty());
}

}  // namespace warpglass::test::fusions_test
