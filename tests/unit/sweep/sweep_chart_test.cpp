#include "engine/sweep/sweep_chart.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <random>

#include "engine/sweep/growth.h"
#include "engine/sweep/growth_words.h"
#include "engine/sweep/measures.h"
#include "tests/support/made_sweep.h"

namespace warpglass::test::sweep_chart_test {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

SweepView forwardByContext() {
    return {.measure = "forward_mean_ns",
            .x = "context",
            .series = "attention",
            .fixed = {{"precision", "bf16"}}};
}

/// The forward times of a made sweep over these axes, by its axes' values.
template <class Time>
Sweep sweepWithTimes(std::vector<SweepAxis> axes, Time time) {
    Sweep sweep = madeSweep({.axes = std::move(axes)});
    for (SweepCell& cell : sweep.cells)
        cell.figures["forward_mean_ns"] = time(cell.values);
    return sweep;
}

/// The cells that a chart's point stands for, found without any of the chart's own code.
std::vector<const SweepCell*> cellsAt(const Sweep& sweep,
                                      const std::vector<std::pair<std::string, std::string>>& at) {
    std::vector<const SweepCell*> found;
    for (const SweepCell& cell : sweep.cells) {
        bool all = true;
        for (std::size_t i = 0; i < sweep.plan.axes.size(); ++i) {
            for (const auto& [key, value] : at)
                all = all &&
                      (sweep.plan.axes[i].key != key || sweep.plan.axes[i].values[cell.values[i]] == value);
        }
        if (all)
            found.push_back(&cell);
    }
    return found;
}

TEST(SweepChart, HasEveryCellOfItsSliceWithMeanAndDeviationOverRepeats) {
    MadeSweep how{.repeats = 3, .noise = 0.1};
    const Sweep sweep = madeSweep(how);
    for (const char* precision : {"fp32", "bf16"}) {
        SweepView view = forwardByContext();
        view.fixed = {{"precision", precision}};
        const Chart chart = sweepChart(sweep, view);
        ASSERT_EQ(chart.series.size(), 2U);
        for (std::size_t s = 0; s < 2; ++s) {
            ASSERT_EQ(chart.series[s].points.size(), 6U);
            for (std::size_t i = 0; i < 6; ++i) {
                const auto cells = cellsAt(sweep, {{"attention", how.axes[0].values[s]},
                                                   {"context", how.axes[1].values[i]},
                                                   {"precision", precision}});
                ASSERT_EQ(cells.size(), 3U);
                const ChartPoint& point = chart.series[s].points[i];
                EXPECT_EQ(point.x, std::stod(how.axes[1].values[i]));
                EXPECT_EQ(point.source, cells.front()->index);
                if (cells.front()->state == CellState::kOutOfMemory) {
                    EXPECT_EQ(point.state, PointState::kOutOfMemory);
                    EXPECT_TRUE(std::isnan(point.y));
                    continue;
                }
                double sum = 0, squares = 0;
                for (const SweepCell* cell : cells)
                    sum += *cell->figure("forward_mean_ns");
                for (const SweepCell* cell : cells)
                    squares += std::pow(*cell->figure("forward_mean_ns") - sum / 3, 2);
                EXPECT_NEAR(point.y, sum / 3, 1e-9 * sum);
                EXPECT_NEAR(point.deviation, std::sqrt(squares / 2), 1e-9 * sum);
            }
        }
        EXPECT_THAT(chart.notes, testing::Contains("Error bars: standard deviation over repeats."));
    }
}

TEST(SweepChart, OneRepeatHasTheDeviationWithinItsRun) {
    const Sweep sweep = madeSweep();
    const Chart chart = sweepChart(sweep, forwardByContext());
    const auto cells = cellsAt(sweep, {{"attention", "naive"}, {"context", "512"}, {"precision", "bf16"}});
    ASSERT_EQ(cells.size(), 1U);
    EXPECT_EQ(chart.series[0].points[2].y, *cells[0]->figure("forward_mean_ns"));
    EXPECT_EQ(chart.series[0].points[2].deviation, *cells[0]->figure("forward_stddev_ns"));
    EXPECT_EQ(chart.title, "Forward time by context length and attention variant (bf16)");
    EXPECT_EQ(chart.x.title, "Context length (tokens)");
    EXPECT_THAT(chart.notes, ElementsAre("Error bars: standard deviation over the steps of a run."));
}

TEST(SweepChart, RepeatsThatFailedTakeNothingFromThoseThatRan) {
    Sweep sweep = madeSweep({.axes = {{"context", {"128", "256"}}}, .repeats = 2});
    sweep.cells[0].state = CellState::kFailed;
    sweep.cells[0].figures.clear();
    sweep.cells[2].state = CellState::kFailed;
    sweep.cells[3].state = CellState::kOutOfMemory;
    const Chart chart = sweepChart(sweep, {.measure = "forward_mean_ns"});
    ASSERT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(chart.series[0].points[0].state, PointState::kMeasured);
    EXPECT_EQ(chart.series[0].points[0].y, *sweep.cells[1].figure("forward_mean_ns"));
    EXPECT_EQ(chart.series[0].points[0].source, 1);
    EXPECT_EQ(chart.series[0].points[1].state, PointState::kOutOfMemory);
    EXPECT_EQ(chart.series[0].points[1].source, 3);
    EXPECT_THAT(chart.notes, testing::Contains("2 cells failed."));
    EXPECT_THAT(chart.notes, testing::Contains("1 cell ran out of memory."));
}

TEST(SweepChart, NumbersStandInOrderOfSizeAndWordsAsThePlanHasThem) {
    MadeSweep how{.axes = {{"precision", {"fp32", "bf16"}}, {"context", {"1024", "128", "512"}}}};
    const Sweep sweep = madeSweep(how);
    SweepView view{.measure = "forward_mean_ns", .x = "context"};
    const Chart chart = sweepChart(sweep, view);
    EXPECT_EQ(chart.series[0].points[0].x, 128);
    EXPECT_EQ(chart.series[0].points[2].x, 1024);
    EXPECT_EQ(chart.series[0].points[2].source, 0);
    view.x = "precision";
    view.kind = ChartKind::kBars;
    const Chart bars = sweepChart(sweep, view);
    EXPECT_THAT(bars.x.categories, ElementsAre("fp32", "bf16"));
    ASSERT_EQ(bars.series.size(), 3U);
    EXPECT_EQ(bars.series[0].name, "context length 128");
}

TEST(SweepChart, ABaselineMakesTimesBetterOfEveryCell) {
    const Sweep sweep = madeSweep();
    SweepView view = forwardByContext();
    view.series = "precision";
    view.fixed = {{"attention", "naive"}};
    view.baseline = "fp32";
    const Chart chart = sweepChart(sweep, view);
    const std::vector<std::string> contexts = sweep.plan.axes[1].values;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        const auto figure = [&](const char* precision, const char* key) {
            return cellsAt(sweep,
                           {{"attention", "naive"}, {"context", contexts[i]}, {"precision", precision}})
                .front()
                ->figure(key);
        };
        const auto base = figure("fp32", "forward_mean_ns"), other = figure("bf16", "forward_mean_ns");
        const ChartPoint& point = chart.series[1].points[i];
        if (!base) {
            EXPECT_EQ(point.state, PointState::kMissing) << contexts[i];
            continue;
        }
        EXPECT_NEAR(point.y, *base / *other, 1e-12);
        EXPECT_NEAR(point.deviation,
                    point.y * std::hypot(*figure("fp32", "forward_stddev_ns") / *base,
                                         *figure("bf16", "forward_stddev_ns") / *other),
                    1e-12);
        EXPECT_EQ(chart.series[0].points[i].y, 1);
        EXPECT_EQ(chart.series[0].points[i].deviation, 0);
    }
    EXPECT_EQ(chart.y.unit, Unit::kRatio);
    EXPECT_THAT(chart.sentence, testing::MatchesRegex(
                                    "bf16 is .* to .* times as fast as fp32, best at context length .*\\."));
    // For what is better when there is more of it, the quotient is the other way round.
    view.measure = "tokens_per_second";
    EXPECT_NEAR(sweepChart(sweep, view).series[1].points[0].y, 2.1, 1e-9);
}

TEST(SweepChart, NoDifferenceIsClaimedWithinTheErrorBars) {
    Sweep sweep = sweepWithTimes({{"attention", {"naive", "sdpa-flash"}}, {"context", {"128", "256"}}},
                                 [](const auto& values) { return values[0] == 0 ? 1000 : 1005; });
    for (SweepCell& cell : sweep.cells)
        cell.figures["forward_stddev_ns"] = 30;
    SweepView view = forwardByContext();
    view.baseline = "naive";
    EXPECT_THAT(sweepChart(sweep, view).sentence, HasSubstr("does not differ from naive"));
    for (SweepCell& cell : sweep.cells)
        cell.figures["forward_stddev_ns"] = 1;
    EXPECT_THAT(sweepChart(sweep, view).sentence, Not(HasSubstr("does not differ")));
}

TEST(SweepChart, AFitGoesThroughTheGreaterMeasuredPointsAndIsNamedByItsExponent) {
    const Sweep sweep = madeSweep({.noise = 0.01});
    SweepView view = forwardByContext();
    view.fixed = {{"precision", "fp32"}};  // in which one cell of naive ran out of memory
    view.fit = true;
    const Chart chart = sweepChart(sweep, view);
    ASSERT_EQ(chart.series.size(), 4U);
    std::vector<double> x, y;
    for (const ChartPoint& point : chart.series[0].points) {
        if (point.state == PointState::kMeasured) {
            x.push_back(point.x);
            y.push_back(point.y);
        }
    }
    ASSERT_EQ(x.size(), 5U);
    // The first of five points is left out: the times of small ones are those of launching.
    const auto growth = fitGrowth(std::span(x).subspan(1), std::span(y).subspan(1));
    ASSERT_TRUE(growth);
    EXPECT_NEAR(growth->exponent, 1.98, 0.05);
    const ChartSeries& fit = chart.series[2];
    EXPECT_TRUE(fit.isModel);
    EXPECT_EQ(fit.colorOf, 0);
    EXPECT_THAT(fit.name, AllOf(testing::StartsWith("∝ n^"), HasSubstr(" ± ")));
    EXPECT_EQ(fit.points.front().x, 256);
    EXPECT_NEAR(fit.points.back().x, 2048, 1e-6);
    for (const ChartPoint& point : fit.points)
        EXPECT_NEAR(point.y, growth->factor * std::pow(point.x, growth->exponent), 1e-6 * point.y);
    EXPECT_THAT(chart.sentence, testing::StartsWith("Forward time grows as n^"));
    EXPECT_THAT(chart.sentence,
                testing::EndsWith(", where n is the context length, fitted to its larger values."));
    EXPECT_THAT(chart.notes, Contains(kMarginOfGrowth));
    EXPECT_THAT(chart.sentence, HasSubstr(" for naive and n^"));
}

constexpr double kScattered[] = {100, 10, 90, 12, 80};

TEST(SweepChart, WhatIsNoPowerLawIsNotCalledOne) {
    Sweep sweep = sweepWithTimes({{"context", {"128", "256", "512", "1024", "2048"}}},
                                 [](const auto& values) { return kScattered[values[0]]; });
    SweepView view{.measure = "forward_mean_ns", .fit = true};
    const Chart chart = sweepChart(sweep, view);
    EXPECT_EQ(chart.series.size(), 1U);
    EXPECT_EQ(
        chart.sentence,
        "Forward time lies between 10\u202Fns (context length 256) and 100\u202Fns (context length 128). No "
        "growth can be fitted to these points: no power of the context length goes near enough through the "
        "points for its exponent to be known to within half of itself.");
    EXPECT_THAT(chart.notes, Not(Contains(kMarginOfGrowth)));
    for (std::size_t i = 2; i < sweep.cells.size(); ++i)
        sweep.cells[i].state = CellState::kFailed;
    EXPECT_THAT(
        sweepChart(sweep, view).sentence,
        testing::EndsWith("No growth can be fitted to these points: that takes at least three measured "
                          "points."));
}

/// The times of naive, and of flash, at three lengths.
Sweep twoVariants(const std::array<double, 3>& naive, const std::array<double, 3>& flash = {100, 101, 120}) {
    return sweepWithTimes(
        {{"attention", {"naive", "flash"}}, {"context", {"128", "256", "512"}}},
        [&](const auto& values) { return values[0] == 0 ? naive[values[1]] : flash[values[1]]; });
}

TEST(SweepChart, WhatOnlyRisesIsSaidAsAFactorOfItsEnds) {
    const Sweep sweep = twoVariants({100, 150, 250});
    const SweepView view{.measure = "forward_mean_ns", .x = "context", .series = "attention"};
    EXPECT_EQ(sweepChart(sweep, view).sentence,
              "At 4× the context length (128 to 512), forward time is 2.5× as high for naive (100\u202Fns to "
              "250\u202Fns) and 1.2× for flash (100\u202Fns to 120\u202Fns).");
    EXPECT_THAT(sweepChart(twoVariants({100, 150, 250}, {100, 101, 90}), view).sentence, Not(HasSubstr("×")))
        << "one of them falls";
}

TEST(SweepChart, LengthsThatDoubleStandOnALogarithmicAxis) {
    const auto isLogarithmic = [](std::vector<std::string> lengths) {
        const Sweep sweep = madeSweep({.axes = {{"context", std::move(lengths)}}});
        const SweepView view = usualView(sweep);
        EXPECT_FALSE(view.logY) << "a factor of four is no range for a logarithmic scale of times";
        return view.logX;
    };
    EXPECT_TRUE(isLogarithmic({"128", "256", "512"}));
    EXPECT_TRUE(isLogarithmic({"512", "128", "256"})) << "in whatever order they are given";
    EXPECT_FALSE(isLogarithmic({"128", "256", "384"}));
    EXPECT_FALSE(isLogarithmic({"0", "128", "256"}));
}

TEST(SweepChart, WhatHardlyGrowsOnAGpuIsSaidToBeTypicalOfLaunchBoundSteps) {
    Sweep sweep = twoVariants({100, 110, 250});
    SweepView view{.measure = "forward_mean_ns", .x = "context", .series = "attention"};
    const auto sentence = [&] { return sweepChart(sweep, view).sentence; };
    EXPECT_THAT(sentence(), Not(HasSubstr("aunch"))) << "nothing is launched on a CPU";
    sweep.plan.base.device = "cuda:0";
    EXPECT_THAT(
        sentence(),
        testing::EndsWith("It hardly grows for naive up to context length 256 (1.1× the time for 2× the "
                          "context length) and for flash throughout (1.2× the time for 4× the "
                          "context length), which is typical of launch-bound steps."));
    sweep.plan.base.execution = Execution::kGraph;
    EXPECT_THAT(sentence(), Not(HasSubstr("aunch"))) << "a graph is launched as one";
    sweep.plan.base.execution = Execution::kEager;
    for (SweepCell& cell : sweep.cells)
        cell.figures["peak_bytes"] = 100;
    view.measure = "peak_bytes";
    EXPECT_THAT(sentence(), Not(HasSubstr("aunch"))) << "memory";
}

/// Each of two series that cannot be fitted has its own reason.
TEST(SweepChart, ASeriesOfTwoPointsIsNotSaidToBeScattered) {
    Sweep sweep = sweepWithTimes(
        {{"context", {"128", "256", "512", "1024", "2048"}}, {"attention", {"naive", "flash"}}},
        [](const auto& values) { return kScattered[values[0]]; });
    for (SweepCell& cell : sweep.cells) {
        if (cell.values[1] == 1 && cell.values[0] > 1)
            cell.state = CellState::kFailed;
    }
    SweepView view{.measure = "forward_mean_ns", .fit = true};
    EXPECT_THAT(
        sweepChart(sweep, view).sentence,
        AllOf(HasSubstr("No growth can be fitted to naive: no power of the context length goes near"),
              HasSubstr("No growth can be fitted to flash: that takes at least three measured points.")));
}

TEST(SweepChart, APredictionStandsBesideWhatWasMeasuredAndAlsoWhereMemoryRanOut) {
    const Sweep sweep = madeSweep();
    SweepView view = forwardByContext();
    view.measure = "peak_bytes";
    view.fixed = {{"precision", "fp32"}};
    view.predicted = true;
    const Chart chart = sweepChart(sweep, view);
    ASSERT_EQ(chart.series.size(), 4U);
    EXPECT_EQ(chart.series[0].points.back().state, PointState::kOutOfMemory);
    EXPECT_EQ(chart.series[2].name, "naive, predicted");
    EXPECT_EQ(chart.series[2].points.size(), 6U);
    EXPECT_EQ(chart.series[2].points.back().y, *sweep.cells[10].figure("predicted_peak_bytes"));
}

TEST(SweepChart, AHeatMapHasACellForEveryPairAndCategoriesOnBothAxes) {
    const Sweep sweep = largeSweep(7, 5);
    SweepView view{
        .measure = "forward_mean_ns", .kind = ChartKind::kHeatMap, .x = "context", .series = "batch"};
    const Chart chart = sweepChart(sweep, view);
    ASSERT_EQ(chart.series.size(), 1U);
    ASSERT_EQ(chart.series[0].points.size(), 35U);
    EXPECT_EQ(chart.x.categories.size(), 7U);
    EXPECT_EQ(chart.y.categories.size(), 5U);
    for (const ChartPoint& point : chart.series[0].points) {
        const SweepCell& cell = sweep.cells[static_cast<std::size_t>(point.source)];
        EXPECT_EQ(point.x, cell.values[0]);
        EXPECT_EQ(point.y, cell.values[1]);
        EXPECT_EQ(point.value, *cell.figure("forward_mean_ns"));
    }
    EXPECT_EQ(chart.value.unit, Unit::kNanoseconds);
}

TEST(SweepChart, ErrorBarsOfBothKindsAreBothSaid) {
    Sweep sweep = madeSweep({.repeats = 2});
    sweep.cells[3] = sweep.cells[3].waitingAgain();  // the second repeat of naive, 128, bf16
    const Chart chart = sweepChart(sweep, forwardByContext());
    EXPECT_THAT(chart.notes, testing::Contains(
                                 "Error bars: standard deviation over repeats; where only one repeat has the "
                                 "figure, over the steps of its run."));
}

TEST(SweepChart, NothingMeasuredIsSaid) {
    const Chart chart = sweepChart(madeSweep({.waiting = 24}), forwardByContext());
    EXPECT_EQ(chart.sentence, "No cell has a figure yet.");
    EXPECT_THAT(chart.notes, ElementsAre("12 cells have not been run yet."));
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points)
            EXPECT_EQ(point.state, PointState::kMissing);
    }
}

TEST(SweepChart, TheUsualViewIsTheStepOverTheLongestAxisOfNumbers) {
    const SweepView view = usualView(madeSweep());
    EXPECT_EQ(view.measure, "step_mean_ns");
    EXPECT_EQ(view.x, "context");
    EXPECT_EQ(view.series, "attention");
    EXPECT_EQ(view.kind, ChartKind::kLines);
    EXPECT_TRUE(view.logX && view.logY && view.fit);
    EXPECT_EQ(usualView(madeSweep({.axes = {{"precision", {"fp32", "bf16"}}}})).kind, ChartKind::kBars);
    EXPECT_EQ(usualView(largeSweep(20, 30)).kind, ChartKind::kHeatMap) << "too many for lines";
    Sweep forward = madeSweep();
    for (SweepCell& cell : forward.cells)
        cell.figures.erase("step_mean_ns");
    EXPECT_EQ(usualView(forward).measure, "forward_mean_ns");
}

/// Views and files come from anywhere.
TEST(SweepChart, TakesAnyViewOfAnySweep) {
    std::mt19937 random(7);
    Sweep damaged = madeSweep();
    damaged.cells[3].values = {9, 9};
    damaged.cells[4].values = {77, 77, 77};
    damaged.plan.axes[0].key = "no-such-setting";
    const char* const keys[] = {"", "context", "precision", "attention", "no-such-setting", "batch"};
    const auto any = [&] { return std::string(keys[random() % std::size(keys)]); };
    for (int round = 0; round < 500; ++round) {
        SweepView view{.measure = random() % 2 == 0 ? "forward_mean_ns" : "nothing",
                       .kind = static_cast<ChartKind>(random() % 3),
                       .x = any(),
                       .series = any(),
                       .fixed = {{any(), any()}, {"precision", "bf16"}},
                       .baseline = random() % 2 == 0 ? "naive" : any(),
                       .logX = random() % 2 == 0,
                       .logY = random() % 2 == 0,
                       .predicted = random() % 2 == 0,
                       .fit = random() % 2 == 0};
        const Chart chart = sweepChart(random() % 2 == 0 ? damaged : madeSweep(), view);
        EXPECT_FALSE(chart.title.empty());
        EXPECT_FALSE(chart.sentence.empty());
    }
    EXPECT_TRUE(sweepChart(Sweep(), SweepView()).series.empty());
}

}  // namespace warpglass::test::sweep_chart_test
