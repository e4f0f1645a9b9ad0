// The time that a filter counts in, against asking every span.
#include "engine/query/spans/filter_extent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/query/spans/step_spans.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::filter_extent_test {

std::optional<TimeRange> hullOf(const std::vector<NaiveSpan>& spans, const auto& wanted) {
    std::optional<TimeRange> hull;
    for (const NaiveSpan& span : spans) {
        if (!wanted(span))
            continue;
        const TimeRange range{Nanoseconds(span.row.start), Nanoseconds(span.row.end())};
        hull = hull ? TimeRange{std::min(hull->begin, range.begin), std::max(hull->end, range.end)} : range;
    }
    return hull;
}

TEST(FilterExtentTest, IsThatOfTheStepsThatPassAndHoldsAllThatCounts) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto run = RandomRun({.seed = seed}).snapshot();
        const auto spans = allSpans(*run);
        for (const SpanFilter& filter : variedFilters(*run)) {
            const FilterExtent extent = filterExtent(*run, filter);
            EXPECT_FALSE(extent.gpu && filter.byLaunch) << "there is no GPU in it";
            for (const NaiveSpan& span : spans) {
                if (extent.host && passes(*run, filter, span)) {
                    EXPECT_TRUE(extent.host->contains(Nanoseconds(span.row.start)) ||
                                span.row.start == extent.host->end.value)
                        << seed << ' ' << span.name;
                }
            }
            if (!filter.ranges.empty())
                continue;
            const bool bounded = filter.measuredOnly || filter.step;
            const auto steps = hullOf(spans, [&](const NaiveSpan& span) {
                return span.kind == TrackKind::kStep && (!filter.step || span.row.step == *filter.step) &&
                       (!filter.measuredOnly || span.row.step >= 2);
            });
            EXPECT_EQ(extent.host, bounded ? steps : std::nullopt) << seed;
        }
    }
}

TEST(FilterExtentTest, OfARunOnAGpuIsThatOfTheGpusPhases) {
    const auto opened = openSampleRun("small-bf16-naive");
    const Snapshot& run = *opened;
    const auto spans = allSpans(run);
    int launched = 0;
    for (const NaiveSpan& phase : spans) {
        if (phase.kind != TrackKind::kPhase || phase.row.step == kNoStep)
            continue;
        SpanFilter filter{.ranges = {{Nanoseconds(phase.row.start), Nanoseconds(phase.row.end())}}};
        EXPECT_EQ(filterExtent(run, filter).gpu, filter.ranges[0]);
        filter.byLaunch = true;
        const FilterExtent extent = filterExtent(run, filter);
        EXPECT_EQ(extent.host, filter.ranges[0]);
        auto there = hullOf(spans, [&](const NaiveSpan& span) {
            return span.kind == TrackKind::kGpuPhase && span.row.step == phase.row.step &&
                   span.place.phase == phase.place.phase;
        });
        if (there)
            there = TimeRange{there->begin - kGpuPhaseEdge, there->end + kGpuPhaseEdge};
        EXPECT_EQ(extent.gpu, there);
        launched += there.has_value();
    }
    EXPECT_GT(launched, 10);
    SpanFilter measured{.measuredOnly = true};
    const auto extent = filterExtent(run, measured);
    ASSERT_TRUE(extent.host && extent.gpu);
    std::int64_t kernels = 0;
    for (const NaiveSpan& span : spans) {
        if (span.kind == TrackKind::kGpuStream && passes(run, measured, span)) {
            ++kernels;
            EXPECT_TRUE(extent.gpu->contains(Nanoseconds(span.row.start))) << span.name;
        }
    }
    EXPECT_GT(kernels, 100);
}

TEST(FilterExtentTest, OfReplaysOfAGraphIsThatOfAllPhasesOfTheirSteps) {
    const auto opened = openSampleRun("small-bf16-graph");
    const Snapshot& run = *opened;
    const auto spans = allSpans(run);
    const auto onGpu = [&](const auto& stepCounts) {
        const auto hull = hullOf(spans, [&](const NaiveSpan& span) {
            return span.kind == TrackKind::kGpuPhase && span.row.step != kNoStep && stepCounts(span.row.step);
        });
        return hull ? std::optional(TimeRange{hull->begin - kGpuPhaseEdge, hull->end + kGpuPhaseEdge}) : hull;
    };
    int replays = 0;
    for (const NaiveSpan& phase : spans) {
        if (phase.kind != TrackKind::kPhase || phase.place.phase != Phase::kReplay)
            continue;
        ++replays;
        const auto sameStep = [&](std::int32_t step) { return step == phase.row.step; };
        SpanFilter step;
        step.step = phase.row.step;
        EXPECT_EQ(filterExtent(run, step).gpu, onGpu(sameStep)) << phase.row.step;
        SpanFilter launch{.ranges = {{Nanoseconds(phase.row.start), Nanoseconds(phase.row.end())}},
                          .byLaunch = true};
        EXPECT_EQ(filterExtent(run, launch).gpu, onGpu(sameStep)) << phase.row.step;
    }
    EXPECT_GT(replays, 1);
    SpanFilter measured{.measuredOnly = true};
    const auto first = must(run.info().getInteger("config.warmup"));
    const auto extent = filterExtent(run, measured).gpu;
    EXPECT_TRUE(extent);
    EXPECT_EQ(extent, onGpu([&](std::int32_t step) { return step >= first; }));
}

TEST(FilterExtentTest, WhereAPhaseOnTheGpuIsMissingTheGpusIsNotKnown) {
    for (const bool lost : {false, true}) {
        const auto run = traceOf(filled(R"(
            step 0 0-1ms
              forward 0-300us | gpu forward 100us-400us
              backward 400us-700us | gpu backward 500us-800us
            step 1 1ms-2ms
              forward 1ms-1.3ms | gpu forward 1.1ms-1.4ms
              backward 1.4ms-1.7ms %
        )",
                                        lost ? "" : "| gpu backward 1.5ms-1.8ms"));
        SpanFilter second{.step = 1};
        EXPECT_EQ(
            filterExtent(*run, second).gpu,
            lost ? std::nullopt : std::optional(TimeRange{Nanoseconds(1'050'000), Nanoseconds(1'850'000)}));
    }
}

TEST(FilterExtentTest, OfAStepThatStillRunsIsOpen) {
    const auto run = traceOf("info config.warmup 1\nstep 0 0-90 ; step 1 100- ; end 150");
    EXPECT_EQ(filterExtent(*run, {.measuredOnly = true}).host, (TimeRange{Nanoseconds(100), kOpenEnd}));
}

// What of a run a view begins with.

TEST(AveragedRange, IsOfTheMeasuredStepsWithAMargin) {
    RunByHand run;
    run.stepLengths = {800 * kMs, 100 * kMs, 100 * kMs};  // the first is a warm-up
    const MemoryTimeline timeline = run.timeline();
    const Snapshot& snapshot = *timeline.snapshot();
    const std::vector<StepSpan> steps = averagedSteps(snapshot);
    ASSERT_EQ(steps.size(), 2u);
    const TimeRange range = averagedRange(snapshot);
    EXPECT_LE(range.begin, steps[0].range.begin);
    EXPECT_GT(range.begin, steps[0].range.begin - Nanoseconds(10 * kMs));
    EXPECT_GE(range.end, std::min(snapshot.range().end, steps[1].range.end));
    EXPECT_LE(range.end, snapshot.range().end);
}

TEST(AveragedRange, WithoutAStepIsTheRun) {
    const auto snapshot = makeManySpans(1000, 2);
    EXPECT_EQ(averagedRange(*snapshot), snapshot->range());
}

TEST(CaptureRanges, AreThoseOfEveryTrackOfStepsJoinedWhereTheyTouch) {
    const auto run = traceOf(R"(
        capture 10-20 ; step 0 20-40 ; capture 50-60 ; capture 60-60
        capture 5-12 on another ; capture 30-35 on another
    )");
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    for (const TimeRange& range : captureRanges(*run))
        found.emplace_back(range.begin.value, range.end.value);
    EXPECT_EQ(found, (std::vector<std::pair<std::int64_t, std::int64_t>>{{5, 20}, {30, 35}, {50, 60}}));
    EXPECT_TRUE(captureRanges(*makeManySpans(100, 2)).empty());
}

}  // namespace warpglass::test::filter_extent_test
