// What is found in the sample runs of an H200, in which order, and what may be tried; each sentence was
// checked by hand against the run's tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/io/run_file.h"
#include "engine/query/findings/findings.h"
#include "engine/query/run_overview.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/findings/sample_timeline.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test {
namespace {

using testing::ElementsAre;
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
    EXPECT_THAT(found("small-fp32-naive"),
                ElementsAre("slow-precision > precision tf32", "score-matrix-time", "optimizer-memory",
                            "score-matrix-memory > attention sdpa-efficient", "logits-at-peak"));
    EXPECT_THAT(found("small-bf16-naive"),
                ElementsAre("launch-bound > execution graph", "score-matrix-time", "copies-and-casts",
                            "optimizer-memory", "score-matrix-memory > attention sdpa-flash", "weight-copies",
                            "logits-at-peak"));
    EXPECT_THAT(found("small-bf16-flash"),
                ElementsAre("launch-bound > execution graph", "copies-and-casts", "optimizer-memory",
                            "weight-copies", "logits-at-peak"));
    EXPECT_THAT(found("small-no-warmup"),
                ElementsAre("launch-bound", "first-step > warmup 1", "copies-and-casts", "optimizer-memory",
                            "weight-copies", "logits-at-peak"));
    EXPECT_THAT(found("xl-bf16-forward"), ElementsAre("copies-and-casts", "kernel-gaps", "weight-copies"));
    EXPECT_THAT(found("xl-bf16-step"),
                ElementsAre("launch-bound > execution graph", "copies-and-casts", "optimizer",
                            "optimizer-memory", "weight-copies", "fragmentation"));
    // The same step as small-bf16-flash, and no longer launch-bound.
    EXPECT_THAT(found("small-bf16-graph"), testing::Not(testing::Contains(StartsWith("launch-bound"))));
    EXPECT_THAT(found("large-fp32-out-of-memory"), ElementsAre("out-of-memory", "score-matrix-memory"));
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
        EXPECT_EQ(run.phaseClock, PhaseClock::kDevice);
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
    run.kernels = {{30 * kMs, 100 * kMs}};  // 30 % late
    run.kernels[0].op = "aten::copy_";      // and 70 % copies
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
        MemoryTimeline timeline;
        timeline.update(mountScrambled(openSample(name).snapshot(), 7));
        overviewOf(timeline);
    }
}

}  // namespace
}  // namespace warpglass::test
