// What is found in the sample runs of an H200, in which order, and what may be tried; each sentence was
// checked by hand against the run's tables.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "engine/io/run_file.h"
#include "engine/plan/parameters.h"
#include "engine/query/findings/findings.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/findings/weight_casts.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/findings/sample_timeline.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::sample_runs_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Rules, with the setting to try behind an arrow.
std::vector<std::string> found(const std::string& name) {
    std::vector<std::string> rules;
    for (const Finding& finding : findIn(openSample(name))) {
        rules.push_back(finding.rule);
        if (finding.trial)
            rules.back() += " > " + finding.trial->setting + " " + finding.trial->value;
    }
    return rules;
}

TEST(SampleFindings, AreThese) {
    EXPECT_THAT(
        found("small-fp32-naive"),
        ElementsAre("slow-precision > precision tf32", "score-matrix-time", "optimizer-memory",
                    "score-matrix-memory > attention sdpa-efficient", "logits-at-peak", "rest-of-peak"));
    EXPECT_THAT(found("small-bf16-naive"),
                ElementsAre("launch-bound > execution graph", "memory-bound", "score-matrix-time",
                            "copies-and-casts", "optimizer-memory",
                            "score-matrix-memory > attention sdpa-flash", "logits-at-peak", "rest-of-peak"));
    EXPECT_THAT(found("small-bf16-flash"),
                ElementsAre("launch-bound > execution graph", "memory-bound", "copies-and-casts",
                            "optimizer-memory", "logits-at-peak > kernels loss", "rest-of-peak"));
    EXPECT_THAT(found("small-no-warmup"),
                ElementsAre("launch-bound", "first-step > warmup 1", "memory-bound", "copies-and-casts",
                            "optimizer-memory", "logits-at-peak > kernels loss", "rest-of-peak"));
    // Its host takes nearly as long to launch a step.
    EXPECT_THAT(found("xl-bf16-forward"), ElementsAre("memory-bound", "copies-and-casts", "kernel-gaps"));
    EXPECT_THAT(found("xl-bf16-step"),
                ElementsAre("launch-bound > execution graph", "memory-bound", "copies-and-casts", "optimizer",
                            "optimizer-memory", "rest-of-peak"));
    // The same step as small-bf16-flash, and no longer launch-bound.
    EXPECT_THAT(
        found("small-bf16-graph"),
        ElementsAre("memory-bound > kernels fused", "copies-and-casts > kernels casts", "optimizer",
                    "optimizer-memory", "logits-at-peak > kernels loss", "fragmentation", "rest-of-peak"));
    EXPECT_THAT(found("large-fp32-out-of-memory"),
                ElementsAre("out-of-memory", "score-matrix-memory", "rest-of-peak"));
}

/// The pair of samples differs in just what a finding of the first proposes.
TEST(SampleFindings, TheGainExpectedOfFlashAttentionCameTrue) {
    for (const Finding& finding : findIn(openSample("small-bf16-naive"))) {
        if (finding.rule != "score-matrix-memory")
            continue;
        ASSERT_TRUE(finding.trial);
        const MemoryTimeline flash = openSample("small-bf16-flash");
        const double measured = static_cast<double>(sumOf(flash.peak()->bytes));
        EXPECT_NEAR(finding.trial->expected, measured, 0.02 * measured);
        return;
    }
    FAIL() << "not found";
}

/// The casts of the weights, counted by one who knows how LibTorch 2.11 lays out each copy.
TEST(SampleFindings, TheTimeOfTheWeightsCastsIsThatOfARecount) {
    for (const char* name : {"small-bf16-naive", "small-bf16-flash", "small-bf16-graph", "small-no-warmup",
                             "xl-bf16-forward", "xl-bf16-step"}) {
        SCOPED_TRACE(name);
        const MemoryTimeline timeline = openSample(name);
        const Snapshot& run = *timeline.snapshot();
        const RunFacts facts(timeline);
        std::map<std::string, std::int64_t, std::less<>> sizes;
        for (const ParameterTensor& weight : parameterTensors(facts.config()->shape))
            sizes[weight.module] = weight.columns > 1 ? weight.count() : -1;
        double time = 0;
        std::int64_t casts = 0;
        for (const NaiveSpan& span : allSpans(run)) {
            const auto detail = run.detail(span.row.detail);
            const auto size = sizes.find(span.module);
            if (span.kind != TrackKind::kGpuStream || !facts.steps().contains(span.row.step) || !detail ||
                run.name(detail->op) != "aten::copy_" || size == sizes.end())
                continue;
            const bool vectorized = run.name(detail->fullName).find("::vectorized_") != std::string::npos;
            if (std::int64_t{detail->grid[0]} * 128 * (vectorized ? 8 : 4) != size->second)
                continue;
            time += static_cast<double>(span.row.duration);
            ++casts;
        }
        const std::int64_t weights = facts.config()->shape.layers * 7 + 1;
        const bool backward = facts.config()->mode != Mode::kForward;
        EXPECT_EQ(casts, weights * (backward ? 2 : 1) * facts.steps().count);
        const WeightCasts found = weightCasts(facts);
        EXPECT_NEAR(found.time, time / static_cast<double>(facts.steps().count), 1);
        EXPECT_EQ(found.gradients, backward);
        EXPECT_EQ(found.copies.size(), static_cast<std::size_t>(weights));
    }
}

/// Kernels of no product, added up from the trace.
TEST(SampleFindings, MemoryBoundKernelsAreAllButTheProducts) {
    for (const char* name : {"small-bf16-graph", "xl-bf16-step", "xl-bf16-forward"}) {
        SCOPED_TRACE(name);
        const MemoryTimeline timeline = openSample(name);
        const Snapshot& run = *timeline.snapshot();
        const RunFacts facts(timeline);
        double other = 0, all = 0;
        for (const NaiveSpan& span : allSpans(run)) {
            if ((span.kind != TrackKind::kGpuStream && span.kind != TrackKind::kGpuCopies) ||
                !facts.steps().contains(span.row.step))
                continue;
            const auto detail = run.detail(span.row.detail);
            const std::string op(detail ? run.name(detail->op) : std::string_view());
            const bool isProduct =
                op.find("mm") != std::string::npos || op.find("flash") != std::string::npos;
            all += static_cast<double>(span.row.duration);
            other += isProduct ? 0 : static_cast<double>(span.row.duration);
        }
        const auto findings = findIn(facts);
        const auto found =
            std::ranges::find_if(findings, [](const Finding& f) { return f.rule == "memory-bound"; });
        ASSERT_NE(found, findings.end());
        const auto steps = static_cast<double>(facts.steps().count);
        // What reads a number back to the host is of no family.
        EXPECT_NEAR(found->nsPerStep, other / steps, 0.001 * all / steps);
    }
}

TEST(SampleFindings, OfASingleMeasuredStepACautionIsSaid) {
    for (const char* name : kSampleRuns) {
        const RunOverview run = overviewOf(openSample(name));
        EXPECT_EQ(cautionsOf(run).empty(), run.summary.measuredSteps != 1) << name;
    }
    EXPECT_THAT(overviewOf(openSample("xl-bf16-step")).recordingCost,
                AllOf(StartsWith("The host's time includes that of recording"), HasSubstr("--record none")));
    EXPECT_EQ(overviewOf(openSample("small-fp32-naive")).recordingCost, "") << "the GPU bounds its step";
    RunByHand late = lateBy(50 * kMs);
    late.more = "profiler flush 110ms-114ms thread 1\nprofiler flush 150ms-152ms thread 2\n";
    EXPECT_THAT(overviewOf(late.timeline()).recordingCost,
                HasSubstr(" (3.00\u202fms per step in CUPTI itself, all threads together); "));
    EXPECT_THAT(cautionsOf(overviewOf(openSample("xl-bf16-step"))),
                ElementsAre(StartsWith("Only one step was measured")));
    RunByHand run;
    run.config.steps = 1;
    run.stepLengths.pop_back();
    run.fillStep();
    EXPECT_EQ(cautionsOf(overviewOf(run.timeline())).size(), 1u);
    run.state = "recording";
    EXPECT_TRUE(cautionsOf(overviewOf(run.timeline())).empty()) << "there may be more";
}

TEST(SampleFindings, EverySentenceIsOneAndHasANumber) {
    for (const char* name : {"small-fp32-naive", "small-bf16-naive", "small-no-warmup", "xl-bf16-step",
                             "large-fp32-out-of-memory"}) {
        const MemoryTimeline timeline = openSample(name);
        const TimeRange whole = timeline.snapshot()->range();
        for (const Finding& finding : findIn(timeline)) {
            EXPECT_TRUE(finding.sentence.ends_with('.')) << finding.sentence;
            EXPECT_NE(finding.sentence.find_first_of("0123456789"), std::string::npos) << finding.sentence;
            EXPECT_FALSE(finding.remedy.empty()) << finding.rule;
            EXPECT_TRUE(finding.stepShare > 0 || finding.peakShare > 0) << finding.rule;
            if (const auto& range = finding.evidence.inView()) {
                EXPECT_LT(range->begin, range->end) << finding.rule;
                EXPECT_GE(range->begin, whole.begin) << finding.rule;
                EXPECT_LE(range->end, whole.end) << finding.rule;
            }
        }
    }
}

TEST(SampleFindings, AShareOfAnotherStepThanTheOneShownSaysSo) {
    for (const char* name : {"small-bf16-naive", "small-no-warmup", "xl-bf16-step"}) {
        const bool another = std::string_view(name) == "small-no-warmup";
        int shares = 0;
        for (const Finding& finding : findIn(openSample(name))) {
            if (finding.stepShare <= 0 || finding.rule == "first-step")  // of the mean that is shown
                continue;
            ++shares;
            EXPECT_EQ(finding.sentence.find("step after the first") != std::string::npos, another)
                << finding.sentence;
        }
        EXPECT_GE(shares, 2) << name;
    }
}

TEST(SampleFindings, TheOverviewAddsUp) {
    for (const char* name : {"small-fp32-naive", "small-bf16-flash", "small-no-warmup", "xl-bf16-forward"}) {
        SCOPED_TRACE(name);
        const MemoryTimeline timeline = openSample(name);
        const RunOverview run = overviewOf(timeline);
        EXPECT_TRUE(run.phasesByGpu);
        double sum = run.restOfStep;
        for (const RunOverview::PhaseTime& phase : run.phases)
            sum += phase.nsPerStep;
        EXPECT_NEAR(sum, *run.summary.stepMean, 1e-6 * sum);
        const GpuTimeUse use = gpuTimeUse(*timeline.snapshot());
        EXPECT_EQ(run.gpu.busy, use.busy);
        EXPECT_EQ(run.gpu.wall, use.wall);
        ASSERT_TRUE(run.traffic);
        EXPECT_GT(*run.traffic->ofDataSheet, 0.01);
        EXPECT_LT(*run.traffic->ofDataSheet, 1.0);
    }
}

TEST(Findings, OfTimeAndOfMemoryStandTogetherRankedByTheirShare) {
    RunByHand run;
    run.kernels = {{30 * kMs, 100 * kMs}};  // 30% late
    run.kernels[0].op = "aten::copy_";      // and 70% copies
    run.allocations = {{kMs, 2 * kMs, 1'000'000, Category::kOptimizerState, "lm_head"}};
    const auto rules = [&run] {
        std::vector<std::string> names;
        for (const Finding& finding : findIn(run.timeline()))
            names.push_back(finding.rule);
        return names;
    };
    // All of the peak, but of a device that is nearly empty: a quarter.
    run.info.emplace_back("device.memory_bytes", "100000000");
    EXPECT_THAT(rules(), ElementsAre("copies-and-casts", "launch-bound", "optimizer-memory"));
    run.info.back().second = "2000000";
    EXPECT_THAT(rules(), ElementsAre("copies-and-casts", "launch-bound", "optimizer-memory"));
    run.info.back().second = "1000000";
    EXPECT_THAT(rules(), ElementsAre("optimizer-memory", "copies-and-casts", "launch-bound"));
}

TEST(Findings, OfARunInWhichNothingStandsOutThereAreNone) {
    RunByHand run;
    run.fillStep();
    EXPECT_TRUE(findIn(run.timeline()).empty());
    run.stepLengths.clear();
    EXPECT_TRUE(findIn(run.timeline()).empty());
}

TEST(Findings, OfDamagedAndHostileRunsAreSafe) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        const RandomRun run({.seed = seed});
        for (const auto& snapshot : {run.snapshot(), mountScrambled(run.snapshot(), seed),
                                     mountWithDamage(run.snapshot(), {{{0, 0}, {1, 0}}, {}, {}}).snapshot}) {
            MemoryTimeline timeline;
            timeline.update(snapshot);
            for (const Finding& finding : overviewOf(timeline).findings) {
                EXPECT_GE(finding.stepShare, 0);
                EXPECT_LE(finding.stepShare, 1);
                EXPECT_LE(finding.peakShare, 1);
            }
        }
    }
    // A GPU's run, its kernels and allocations scrambled too.
    for (const char* name : {"small-bf16-naive", "small-no-warmup", "large-fp32-out-of-memory"}) {
        const MemoryTimeline timeline = timelineOf(mountScrambled(openSample(name).snapshot(), 7));
        overviewOf(timeline);
    }
}

}  // namespace warpglass::test::sample_runs_test
