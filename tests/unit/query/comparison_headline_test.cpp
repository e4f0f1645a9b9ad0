#include "engine/query/comparison_headline.h"

#include <gtest/gtest.h>

#include "engine/trace/trace_writer.h"

namespace warpglass {
namespace {

TEST(ComparisonHeadline, SaysHowMuchFasterOrSlower) {
    ComparisonHeadline headline;
    headline.stepA = 80e6;
    headline.stepB = 40e6;
    EXPECT_EQ(headline.text(), "2.00 × faster: 40.0\u202Fms a step against 80.0\u202Fms");
    std::swap(headline.stepA, headline.stepB);
    EXPECT_EQ(headline.text(), "2.00 × slower: 80.0\u202Fms a step against 40.0\u202Fms");
}

TEST(ComparisonHeadline, NamesBByTheOneSettingThatIsAnother) {
    const auto subject = [](std::vector<RunComparison::Setting> settings) {
        TraceWriter writer;
        writer.commit(Nanoseconds(1));
        const auto run = writer.feed()->latest();
        RunComparison comparison;
        comparison.settings = std::move(settings);
        return headlineOf(comparison, *run, *run).subject;
    };
    EXPECT_EQ(subject({{"config.precision", "fp32", "bf16"}}), "bf16");
    EXPECT_EQ(subject({{"config.steps", "3", "5"}, {"config.execution", "eager", "graph"}}), "graph");
    EXPECT_EQ(subject({{"config.batch", "4", "8"}}), "batch 8");
    EXPECT_EQ(subject({{"config.precision", "fp32", "bf16"}, {"config.batch", "4", "8"}}), "");
    EXPECT_EQ(subject({{"config.mode", "forward", "step"}}), "");
    EXPECT_EQ(subject({{"config.precision", "fp32", ""}}), "") << "not stated";
    EXPECT_EQ(subject({}), "");
    ComparisonHeadline headline;
    headline.subject = "bf16";
    headline.stepA = 80e6;
    headline.stepB = 40e6;
    EXPECT_TRUE(headline.text().starts_with("bf16 is 2.00 × faster: ")) << headline.text();
    headline.stepB = headline.stepA;
    EXPECT_TRUE(headline.text().starts_with("bf16 is as fast: ")) << headline.text();
}

TEST(ComparisonHeadline, LeavesOutWhatIsNotKnown) {
    ComparisonHeadline headline;
    EXPECT_EQ(headline.text(), "");
    headline.peakA = 4.0 * (1 << 30);
    headline.peakB = 1.0 * (1 << 30);
    headline.stepA = 1e6;  // and no step of B
    EXPECT_EQ(headline.text(), "peak memory 0.25 ×: 1.00\u202FGiB against 4.00\u202FGiB");
    headline.matmulShareA = 0.664;
    headline.matmulShareB = 0.473;
    EXPECT_TRUE(headline.text().ends_with(" · matrix products 66\u202F% → 47\u202F% of the busy time"))
        << headline.text();
}

TEST(ComparisonHeadline, OfARunThatEndedTooEarlyThePeakIsABound) {
    ComparisonHeadline headline;
    headline.peakA = 4.0 * (1 << 30);
    headline.peakB = 1.0 * (1 << 30);
    headline.peakAtLeastB = true;
    headline.peakDecided = false;
    EXPECT_EQ(headline.text(), "peak memory ≥ 0.25 ×: at least 1.00\u202FGiB against 4.00\u202FGiB");
    EXPECT_EQ(headline.parts()[0].trend, 0) << "no saving that is known";
    std::swap(headline.peakA, headline.peakB);
    headline.peakDecided = true;
    EXPECT_EQ(headline.parts()[0].trend, 1);
    std::swap(headline.peakAtLeastA, headline.peakAtLeastB);
    EXPECT_EQ(headline.text(), "peak memory ≤ 4.00 ×: 4.00\u202FGiB against at least 1.00\u202FGiB");
}

struct PhaseTimes {
    std::string mode;
    std::int64_t onHost = 0;
    std::int64_t onGpu = 0;  // 0 for none
    bool kernels = false;
};

/// One step of 1 ms with a forward pass.
std::shared_ptr<const Snapshot> runOf(const PhaseTimes& times) {
    TraceWriter writer;
    writer.setInfo("config.mode", times.mode);
    writer.setInfo("state", run_state::kFinished);
    const auto add = [&](TrackKind kind, std::string_view name, std::int64_t duration) {
        const TrackId track = writer.addTrack(kind, "track");
        SpanRow row;
        row.duration = row.self = duration;
        row.name = writer.internName(name);
        row.step = 0;
        EXPECT_TRUE(writer.appendSpan(track, 0, row));
    };
    add(TrackKind::kStep, "step 0", 1'000'000);
    add(TrackKind::kPhase, "forward", times.onHost);
    if (times.onGpu > 0)
        add(TrackKind::kGpuPhase, "forward", times.onGpu);
    if (times.kernels)
        add(TrackKind::kGpuStream, "kernel", 1000);
    writer.commit(Nanoseconds(1'000'000));
    return writer.feed()->latest();
}

ComparisonHeadline headlineOf(const PhaseTimes& a, const PhaseTimes& b) {
    const auto runA = runOf(a), runB = runOf(b);
    return headlineOf(compareRuns(runA, runB), *runA, *runB);
}

TEST(ComparisonHeadline, EachRunOfUnlikeModesIsTimedByTheClockOfWhatDidTheWork) {
    const PhaseTimes cpu{"forward", 800'000}, gpu{"step", 20'000, 400'000, true};
    const ComparisonHeadline mixed = headlineOf(cpu, gpu);
    EXPECT_EQ(mixed.commonA, 800'000);
    EXPECT_EQ(mixed.commonB, 400'000) << "not what launching took";
    EXPECT_EQ(headlineOf({"step", 20'000, 300'000, true}, {"forward", 20'000, 600'000, true}).commonB,
              600'000);
    EXPECT_EQ(headlineOf(cpu, {"step", 500'000}).commonB, 500'000);
}

TEST(ComparisonHeadline, OfAGpuThatToldNoPhasesThereIsNoTimeOfPasses) {
    const ComparisonHeadline headline = headlineOf({"forward", 800'000}, {"step", 20'000, 0, true});
    EXPECT_FALSE(headline.commonB);
    EXPECT_EQ(headline.text().find("faster"), std::string::npos) << headline.text();
}

}  // namespace
}  // namespace warpglass
