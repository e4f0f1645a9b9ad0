// Details of spans against a walk over every row.
#include "ui/models/span_details.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/every_span.h"
#include "tests/support/first_of.h"
#include "tests/support/span_of.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"

namespace warpglass::ui::span_details_test {

using Row = test::FoundSpan;

struct SpanDetailsTest : testing::Test {
    const std::shared_ptr<const Snapshot> run = test::makeSyntheticRun();
    const std::vector<Row> rows = test::everySpan(*run);
};

TEST_F(SpanDetailsTest, DescribesEveryRow) {
    for (const Row& expected : rows) {
        const auto d = describeSpan(*run, expected.ref);
        ASSERT_TRUE(d);
        const Place place = run->place(expected.row.place);
        EXPECT_EQ(d->name, run->name(expected.row.name));
        EXPECT_EQ(d->start.value, expected.row.start);
        EXPECT_EQ(d->duration.value, expected.row.duration);
        EXPECT_EQ(d->self.value, expected.row.self);
        EXPECT_EQ(d->phase, place.phase);
        EXPECT_EQ(d->module, run->name(place.module));
        EXPECT_EQ(d->part, run->name(place.part));
        EXPECT_EQ(d->step, expected.row.step);
        EXPECT_EQ(d->kind, expected.kind);
    }
}

TEST_F(SpanDetailsTest, WhatIsNotThereIsNothing) {
    EXPECT_FALSE(describeSpan(*run, {}));
    EXPECT_FALSE(describeSpan(*run, {LaneId(run->laneCount()), 0}));
    EXPECT_FALSE(describeSpan(*run, {LaneId(0), run->lane(LaneId(0)).rows()}));
}

TEST_F(SpanDetailsTest, StatisticsOfAKindMatchACount) {
    for (const char* name : {"aten::mm", "aten::add", "blocks.1.attn", "forward"}) {
        SCOPED_TRACE(name);
        const NameId id = run->findName(name);
        ASSERT_TRUE(id.valid());
        const TrackKind kind = test::firstOf(rows, [id](const Row& r) { return r.row.name == id; }).kind;
        std::vector<std::int64_t> durations;
        std::int64_t self = 0, allSelf = 0;
        for (const Row& r : rows) {
            if (r.kind != kind)
                continue;
            allSelf += r.row.self;
            if (r.row.name != id)
                continue;
            durations.push_back(r.row.duration);
            self += r.row.self;
        }
        std::sort(durations.begin(), durations.end());
        const KindStatistics s = kindStatistics(*run, kind, id);
        EXPECT_EQ(s.instances, static_cast<std::int64_t>(durations.size()));
        EXPECT_EQ(s.total.value, std::accumulate(durations.begin(), durations.end(), std::int64_t{0}));
        EXPECT_EQ(s.self.value, self);
        EXPECT_DOUBLE_EQ(s.selfShare, static_cast<double>(self) / static_cast<double>(allSelf));
        EXPECT_DOUBLE_EQ(s.timeShare, static_cast<double>(s.total.value) / static_cast<double>(allSelf));
        EXPECT_EQ(s.durations.min.value, durations.front());
        EXPECT_EQ(s.durations.max.value, durations.back());
        // At least half are no longer than the median, at least half no shorter; likewise 99%.
        const auto notLonger = [&](Nanoseconds t) {
            return static_cast<double>(std::count_if(durations.begin(), durations.end(),
                                                     [t](std::int64_t d) { return d <= t.value; })) /
                   static_cast<double>(durations.size());
        };
        EXPECT_GE(notLonger(s.median), 0.5);
        EXPECT_GE(notLonger(s.durations.percentiles[3]), 0.99);
        const std::size_t n = durations.size();
        EXPECT_EQ(s.median.value, std::midpoint(durations[(n - 1) / 2], durations[n / 2]));
        if (!s.durations.counts.empty()) {
            EXPECT_EQ(std::accumulate(s.durations.counts.begin(), s.durations.counts.end(), std::int64_t{0}),
                      s.instances);
        }
    }
}

TEST_F(SpanDetailsTest, ASpansPlaceAmongItsKindIsACount) {
    const NameId mm = run->findName("aten::mm");
    std::vector<std::int64_t> durations;
    for (const Row& r : rows) {
        if (r.kind == TrackKind::kCpuThread && r.row.name == mm)
            durations.push_back(r.row.duration);
    }
    for (std::size_t i = 0; i < durations.size(); i += 5) {
        const std::int64_t one = durations[i];
        const KindStatistics s = kindStatistics(*run, TrackKind::kCpuThread, mm, Nanoseconds(one));
        EXPECT_EQ(s.longer, std::ranges::count_if(durations, [one](std::int64_t d) { return d > one; }));
        EXPECT_EQ(s.shorter, std::ranges::count_if(durations, [one](std::int64_t d) { return d < one; }));
    }
    EXPECT_EQ(kindStatistics(*run, TrackKind::kCpuThread, mm).longer, 0) << "none was asked about";
}

TEST(SpansAroundOne, WhereAKernelBelongsFollowsFromItsLaunch) {
    const auto gpu = test::traceOf(R"(
        step 0 0-1000
          forward 0-400
            module blocks.0 0-300
              op aten::mm 100-300 | launch 150-200 link 7 | kernel gemm 700-850
          backward 400-1000
    )");
    const auto first = [&](TrackKind kind) { return test::spanOf(*gpu, kind); };
    LinkIndex index;
    index.update(*gpu);
    const auto aroundOf = [&](SpanRef span) {
        return spansAroundOne(*gpu, *describeSpan(*gpu, span), causeChain(*gpu, &index, span));
    };
    const SpansAroundOne ofKernel = aroundOf(first(TrackKind::kGpuStream));
    EXPECT_EQ(ofKernel.op, first(TrackKind::kCpuThread));
    EXPECT_EQ(ofKernel.module, first(TrackKind::kModule));
    EXPECT_EQ(ofKernel.phase, first(TrackKind::kPhase)) << "not the phase in which it ran";
    EXPECT_EQ(ofKernel.step, first(TrackKind::kStep));
    const SpansAroundOne ofOp = aroundOf(first(TrackKind::kCpuThread));
    EXPECT_FALSE(ofOp.op) << "it is the op itself";
    EXPECT_EQ(ofOp.module, first(TrackKind::kModule));
    const SpansAroundOne ofStep = aroundOf(first(TrackKind::kStep));
    EXPECT_FALSE(ofStep.op || ofStep.module || ofStep.phase || ofStep.step);
}

TEST_F(SpanDetailsTest, TheLongestIsTheLongestThatIsAllowed) {
    const NameId mm = run->findName("aten::mm");
    const Nanoseconds middle(run->range().end.value / 2);
    const std::vector<std::vector<TimeRange>> choices = {
        {}, {{Nanoseconds(0), middle}}, {{middle, run->range().end}}, {{Nanoseconds(0), Nanoseconds(1)}}};
    for (const auto& ranges : choices) {
        for (const std::int32_t fromStep : {kNoStep, 1}) {
            std::int64_t longest = -1;
            for (const Row& r : rows) {
                const bool inside = ranges.empty() || ranges[0].contains(Nanoseconds(r.row.start));
                if (r.kind == TrackKind::kCpuThread && r.row.name == mm && inside && r.row.step >= fromStep)
                    longest = std::max(longest, r.row.duration);
            }
            const auto found = longestSpan(*run, TrackKind::kCpuThread, mm, ranges, fromStep);
            ASSERT_EQ(found.has_value(), longest >= 0);
            if (found) {
                EXPECT_EQ(describeSpan(*run, *found)->duration.value, longest);
            }
        }
    }
}

TEST_F(SpanDetailsTest, ThePhaseAtAMomentIsTheOneThatHoldsIt) {
    std::uint64_t random = 5;
    for (int i = 0; i < 500; ++i) {
        const Nanoseconds t(static_cast<std::int64_t>(test::nextRandom(random) %
                                                      static_cast<std::uint64_t>(run->range().end.value)));
        std::string expected;
        for (const Row& r : rows) {
            if (r.kind == TrackKind::kPhase && r.row.start <= t.value && t.value < r.row.end())
                expected = std::string(run->name(r.row.name));
        }
        EXPECT_EQ(spanNameAt(*run, TrackKind::kPhase, t), expected) << t.value;
    }
}

TEST(TypesOfOps, AreInputsAndOutputsAndNoGpuDetails) {
    test::TraceText run("step 0 0-100 | forward 0-50 | op aten::mm 5-20");
    const TrackId track = run.snapshot()->tracksOfKind(TrackKind::kCpuThread).front();
    SpanDetail types{.kind = DetailKind::kOp,
                     .fullName = run.writer.internName("fp32[2,3], fp32[3,4] → fp32[2,4]")};
    run.writer.beginSpan(track, Nanoseconds(30), run.writer.internName("aten::bmm"), PlaceId(), 0);
    run.writer.endSpan(track, Nanoseconds(40), run.writer.internDetail(types));
    const auto snapshot = run.add("");
    const LaneId lane = snapshot->lanesOf(track).front().id();
    const auto plain = describeSpan(*snapshot, {lane, 0}), typed = describeSpan(*snapshot, {lane, 1});
    EXPECT_EQ(plain->inputs, "");
    EXPECT_EQ(typed->inputs, "fp32[2,3], fp32[3,4]");
    EXPECT_EQ(typed->outputs, "fp32[2,4]");
    EXPECT_FALSE(typed->gpu);
    EXPECT_EQ(typed->fullName, "");
}

TEST(SpanNameAt, AnOpenSpanHoldsThePresent) {
    const auto run = test::makeSyntheticRun({.state = "recording"});
    ASSERT_FALSE(run->openSpans().empty());
    const std::string step = spanNameAt(*run, TrackKind::kStep, run->range().end);
    EXPECT_FALSE(step.empty());
}

}  // namespace warpglass::ui::span_details_test
