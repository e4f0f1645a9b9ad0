#include "engine/sweep/measures.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/query/activity/conditions.h"
#include "engine/query/summary/run_summary.h"
#include "tests/support/every_span.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::measures_test {

using Figures = std::map<std::string, double, std::less<>>;

/// Durations by step of the complete measured spans of this name and kind of track.
std::map<std::int32_t, double> spansOf(const Snapshot& run, TrackKind kind, std::string_view name) {
    const auto warmup = static_cast<std::int32_t>(run.info().getInteger("config.warmup").value_or(0));
    std::int64_t completed = run.info().getInteger("steps.completed").value_or(1 << 20);
    std::map<std::int32_t, double> times;
    for (const FoundSpan& span : spansOfKind(run, kind)) {
        const SpanRow& row = span.row;
        if (row.step >= warmup && row.step < completed &&
            (kind == TrackKind::kStep || run.name(row.name) == name))
            times[row.step] += static_cast<double>(row.duration);
    }
    return times;
}

void expectTimes(const Figures& figures, const std::string& part,
                 const std::map<std::int32_t, double>& byStep) {
    SCOPED_TRACE(part);
    if (byStep.empty()) {
        EXPECT_FALSE(figures.contains(part + "_mean_ns"));
        return;
    }
    std::vector<double> times;
    for (const auto& [step, time] : byStep)
        times.push_back(time);
    std::ranges::sort(times);
    double sum = 0;
    for (const double time : times)
        sum += time;
    const double n = static_cast<double>(times.size()), mean = sum / n;
    double squares = 0;
    for (const double time : times)
        squares += std::pow(time - mean, 2);
    EXPECT_DOUBLE_EQ(figures.at(part + "_samples"), n);
    EXPECT_NEAR(figures.at(part + "_mean_ns"), mean, 1e-6 * mean);
    EXPECT_DOUBLE_EQ(figures.at(part + "_min_ns"), times.front());
    EXPECT_DOUBLE_EQ(figures.at(part + "_max_ns"), times.back());
    const std::size_t half = times.size() / 2;
    EXPECT_DOUBLE_EQ(figures.at(part + "_median_ns"),
                     times.size() % 2 ? times[half] : (times[half - 1] + times[half]) / 2);
    EXPECT_EQ(figures.contains(part + "_stddev_ns"), times.size() > 1);
    if (times.size() > 1) {
        EXPECT_NEAR(figures.at(part + "_stddev_ns"), std::sqrt(squares / (n - 1)), 1e-6 * mean);
    }
}

void expectAllTimes(const Snapshot& run, const Figures& figures, TrackKind phases) {
    const auto forward = spansOf(run, phases, "forward"), backward = spansOf(run, phases, "backward");
    for (const char* phase : {"forward", "loss", "backward", "optimizer"})
        expectTimes(figures, phase, spansOf(run, phases, phase));
    expectTimes(figures, "step", spansOf(run, TrackKind::kStep, ""));
    std::map<std::int32_t, double> both;
    for (const auto& [step, time] : forward) {
        if (backward.contains(step))
            both[step] = time + backward.at(step);
    }
    expectTimes(figures, "forward_backward", both);
}

TEST(Measures, OfTimeAreThoseOfTheMeasuredStepsByTheGpuWhereItHasThem) {
    for (const char* name : {"small-bf16-flash", "small-fp32-naive", "xl-bf16-forward", "xl-bf16-step"}) {
        SCOPED_TRACE(name);
        const auto run = openSampleRun(name);
        expectAllTimes(*run, measure(run), TrackKind::kGpuPhase);
    }
    for (const std::uint64_t seed : {4u, 5u, 6u}) {
        const auto run = RandomRun({.seed = seed, .steps = 5, .warmup = 2}).snapshot();
        expectAllTimes(*run, measure(run), TrackKind::kPhase);
    }
}

TEST(Measures, OfRatesAreTheSummarys) {
    const auto run = openSampleRun("small-bf16-flash");
    const RunSummary summary = summarizeRun(timelineOf(run));
    const Figures figures = measure(run);
    EXPECT_DOUBLE_EQ(figures.at("tokens_per_second"), *summary.tokensPerSecond);
    EXPECT_DOUBLE_EQ(figures.at("flops_per_second"), *summary.flopsPerSecond);
    EXPECT_DOUBLE_EQ(figures.at("step_flops"), static_cast<double>(summary.flopsPerStep->value));
    EXPECT_EQ(figures.contains("mfu_measured"), summary.utilization->ofMeasured().has_value());
    EXPECT_DOUBLE_EQ(figures.at("mfu_data_sheet"), *summary.utilization->ofDataSheet());
    EXPECT_DOUBLE_EQ(figures.at("run_ns"), static_cast<double>(summary.duration.value));
}

TEST(Measures, OfMemoryCountEveryEventUpToTheBackwardPass) {
    const auto run = openSampleRun("small-bf16-naive");
    const Figures figures = measure(run);
    // All that was allocated and not freed before the backward pass of a measured step.
    std::int64_t most = 0, peak = 0;
    const auto warmup = run->info().getInteger("config.warmup").value_or(0);
    std::vector<std::int64_t> starts;
    for (const FoundSpan& phase : spansOfKind(*run, TrackKind::kPhase)) {
        if (run->name(phase.row.name) == "backward" && phase.row.step >= warmup)
            starts.push_back(phase.row.start);
    }
    ASSERT_FALSE(starts.empty());
    for (const std::int64_t start : starts) {
        std::int64_t alive = 0;
        for (std::uint64_t i = 0; i < run->memoryEventCount(); ++i) {
            const MemoryEvent event = *run->memoryEvent(i);
            if (event.time > start)
                break;
            const std::int64_t bytes = run->allocation(event.allocation)->bytes;
            alive += event.action == MemoryAction::kAllocate ? bytes : -bytes;
            peak = std::max(peak, alive);
        }
        most = std::max(most, alive);
    }
    EXPECT_DOUBLE_EQ(figures.at("before_backward_bytes"), static_cast<double>(most));
    EXPECT_GE(figures.at("peak_bytes"), static_cast<double>(peak));
    EXPECT_EQ(figures.at("peak_bytes"),
              static_cast<double>(*run->info().getInteger("allocator.peak_allocated_bytes")));
    EXPECT_GE(figures.at("peak_reserved_bytes"), figures.at("before_backward_reserved_bytes"));
    EXPECT_GE(figures.at("before_backward_reserved_bytes"), figures.at("before_backward_bytes"));
}

TEST(Measures, OfKernelsCountThoseOfTheMeasuredSteps) {
    for (const char* name : {"small-bf16-flash", "small-bf16-graph", "xl-bf16-forward"}) {
        SCOPED_TRACE(name);
        const auto run = openSampleRun(name);
        const auto steps = spansOf(*run, TrackKind::kStep, "");
        std::int64_t kernels = 0;
        for (const FoundSpan& kernel : spansOfKind(*run, TrackKind::kGpuStream))
            kernels += steps.contains(kernel.row.step) ? 1 : 0;
        ASSERT_GT(kernels, 0);
        EXPECT_DOUBLE_EQ(measure(run).at("kernels_per_step"),
                         static_cast<double>(kernels) / static_cast<double>(steps.size()));
    }
    EXPECT_FALSE(measure(RandomRun({.seed = 4}).snapshot()).contains("kernels_per_step")) << "of a CPU";
}

TEST(Measures, OfTheFirstStepsCountTheWarmupAndStopAtThirtyTwo) {
    const auto run = RandomRun({.seed = 2, .steps = 40, .warmup = 3}).snapshot();
    const Figures figures = measure(run);
    std::map<std::int32_t, double> stepTimes;
    for (const FoundSpan& step : spansOfKind(*run, TrackKind::kStep))
        stepTimes[step.row.step] = static_cast<double>(step.row.duration);
    for (std::int32_t step = 0; step < 32; ++step)
        EXPECT_DOUBLE_EQ(figures.at("step_" + std::to_string(step) + "_ns"), stepTimes.at(step));
    EXPECT_FALSE(figures.contains("step_32_ns"));
}

TEST(Measures, OfARunThatRanOutOfMemorySayWhatWasAskedFor) {
    const auto run = openSampleRun("large-fp32-out-of-memory");
    const Figures figures = measure(run);
    EXPECT_EQ(figures.at("request_bytes"),
              static_cast<double>(*run->info().getInteger("allocator.request_bytes")));
    EXPECT_EQ(figures.at("allocated_at_failure_bytes"),
              static_cast<double>(*run->info().getInteger("allocator.allocated_bytes")));
    EXPECT_TRUE(figures.contains("predicted_peak_bytes"));
    EXPECT_FALSE(figures.contains("step_mean_ns"));
}

TEST(Measures, OfARunWithoutAMeasuredStepHaveNoTimesOfSteps) {
    const auto run = RandomRun({.seed = 8, .steps = 2, .warmup = 2}).snapshot();
    const Figures figures = measure(run);
    EXPECT_FALSE(figures.contains("forward_mean_ns"));
    EXPECT_TRUE(figures.contains("step_1_ns"));
}

TEST(Measures, OfNothingAreNone) {
    EXPECT_TRUE(measure(nullptr).empty());
    EXPECT_TRUE(predictedMeasures({.context = -5}).empty());
    EXPECT_GT(predictedMeasures(RunConfig()).at("predicted_peak_bytes"), 0);
}

TEST(Measures, SayWhetherARunWasDisturbed) {
    for (const char* name : {"small-bf16-flash", "xl-bf16-step"}) {
        const auto run = openSampleRun(name);
        const RunConditions conditions = conditionsOf(*run);
        const auto figures = measure(run);
        ASSERT_EQ(figures.contains("disturbed"), conditions.recorded()) << name;
        if (conditions.recorded()) {
            EXPECT_EQ(figures.at("disturbed") > 0, conditions.hostDisturbs() || conditions.clockIsHeldDown())
                << name;
        }
    }
}

TEST(Measures, AreAllDescribedOnce) {
    std::set<std::string> keys;
    for (const Measure& m : measures()) {
        EXPECT_TRUE(keys.insert(m.key).second) << m.key;
        EXPECT_EQ(findMeasure(m.key), &m);
        EXPECT_FALSE(m.title.empty());
        EXPECT_FALSE(m.description.empty());
        EXPECT_NE(m.description.back(), '.');
        for (const std::string& other : {m.deviationKey, m.predictedKey})
            EXPECT_TRUE(other.empty() || findMeasure(other)) << m.key;
    }
    for (const char* name : {"small-bf16-flash", "large-fp32-out-of-memory"}) {
        for (const auto& [key, value] : measure(openSampleRun(name)))
            EXPECT_TRUE(findMeasure(key)) << key;
    }
    EXPECT_EQ(findMeasure("no_such"), nullptr);
    EXPECT_EQ(findMeasure("step_32_ns"), nullptr);
}

}  // namespace warpglass::test::measures_test
