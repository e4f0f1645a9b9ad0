#include "ui/timeline/span_navigation.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "tests/support/every_span.h"
#include "tests/support/synthetic_trace.h"
#include "tests/unit/timeline/random_lane.h"

namespace warpglass::ui::span_navigation_test {

TEST(SpanNavigation, ParentsAndChildrenAgreeWithALookAtEverySpan) {
    const auto snapshot = test::makeSyntheticRun();
    const std::vector<test::FoundSpan> spans = test::everySpan(*snapshot);
    std::size_t parents = 0, children = 0;
    for (const test::FoundSpan& span : spans) {
        std::optional<SpanRef> parent, child;
        for (const test::FoundSpan& other : spans) {
            if (other.track != span.track)
                continue;
            if (other.depth + 1 == span.depth && other.row.start <= span.row.start &&
                other.row.end() >= span.row.end())
                parent = other.ref;
            if (other.depth == span.depth + 1 && other.row.start >= span.row.start &&
                other.row.end() <= span.row.end() && !child)
                child = other.ref;
        }
        ASSERT_EQ(parentSpan(*snapshot, span.ref), parent) << span.ref.lane.index() << ' ' << span.ref.row;
        ASSERT_EQ(childSpan(*snapshot, span.ref), child) << span.ref.lane.index() << ' ' << span.ref.row;
        parents += parent ? 1 : 0;
        children += child ? 1 : 0;
    }
    EXPECT_GT(parents, 100u);
    EXPECT_GT(children, 100u);
}

TEST(SpanNavigation, StepsPhasesAndModulesAreInEachOther) {
    const auto snapshot = test::makeSyntheticRun();
    const auto outermost = [&](TrackKind kind) {
        std::vector<SpanRef> spans;
        for (const test::FoundSpan& span : test::spansOfKind(*snapshot, kind)) {
            if (span.depth == 0)
                spans.push_back(span.ref);
        }
        return spans;
    };
    int into = 0, out = 0;
    for (const auto& [outerKind, innerKind] :
         {std::pair{TrackKind::kStep, TrackKind::kPhase}, std::pair{TrackKind::kPhase, TrackKind::kModule}}) {
        const std::vector<SpanRef> outer = outermost(outerKind), inner = outermost(innerKind);
        for (const SpanRef around : outer) {
            const SpanRow whole = *spanRow(*snapshot, around);
            std::optional<SpanRef> first;
            for (const SpanRef candidate : inner) {
                const SpanRow part = *spanRow(*snapshot, candidate);
                if (part.start < whole.start || part.end() > whole.end())
                    continue;
                if (!first || part.start < spanRow(*snapshot, *first)->start)
                    first = candidate;
                EXPECT_EQ(spanAround(*snapshot, candidate), around);
                ++out;
            }
            EXPECT_EQ(firstSpanIn(*snapshot, around), first);
            into += first ? 1 : 0;
        }
    }
    EXPECT_GT(into, 5);
    EXPECT_GT(out, 5);
    // Where a lane below has one, that is it; the chain's ends lead nowhere.
    for (const SpanRef module : outermost(TrackKind::kModule)) {
        EXPECT_EQ(firstSpanIn(*snapshot, module), childSpan(*snapshot, module));
    }
    for (const SpanRef step : outermost(TrackKind::kStep))
        EXPECT_FALSE(spanAround(*snapshot, step));
    for (const SpanRef op : outermost(TrackKind::kCpuThread)) {
        EXPECT_FALSE(spanAround(*snapshot, op));
        EXPECT_EQ(firstSpanIn(*snapshot, op), childSpan(*snapshot, op));
    }
    EXPECT_FALSE(firstSpanIn(*snapshot, {LaneId(9999), 0}));
    EXPECT_FALSE(spanAround(*snapshot, {LaneId(9999), 0}));
}

TEST(SpanNavigation, NextAndPreviousPassOverADamagedChunk) {
    std::mt19937_64 random(4);
    const auto whole = test::snapshotOf({test::randomSpans(random, 2 * kChunkRows + 10)});
    const auto damaged = test::withDamagedChunk(*whole, 1, true);
    const SpanRef before{LaneId(0), kChunkRows - 1}, after{LaneId(0), 2 * kChunkRows};
    EXPECT_EQ(nextSpan(*damaged, before), after);
    EXPECT_EQ(previousSpan(*damaged, after), before);
    EXPECT_EQ(nextSpan(*whole, before), (SpanRef{LaneId(0), kChunkRows}));
    EXPECT_FALSE(previousSpan(*whole, {LaneId(0), 0}));
    EXPECT_FALSE(nextSpan(*whole, {LaneId(0), 2 * kChunkRows + 9}));
}

TEST(SpanNavigation, AReferenceToNothingLeadsNowhere) {
    const auto snapshot = test::makeSyntheticRun();
    for (const SpanRef ref : {SpanRef{LaneId(9999), 0}, SpanRef{LaneId(0), 1u << 30}}) {
        EXPECT_FALSE(spanRow(*snapshot, ref));
        EXPECT_FALSE(previousSpan(*snapshot, ref));
        EXPECT_FALSE(nextSpan(*snapshot, ref));
        EXPECT_FALSE(parentSpan(*snapshot, ref));
        EXPECT_FALSE(childSpan(*snapshot, ref));
    }
}

TEST(SpanNavigation, ARunIsSummedExactly) {
    std::mt19937_64 random(6);
    const std::vector<SpanRow> spans = test::randomSpans(random, kChunkRows + 3000);
    const auto snapshot = test::snapshotOf({spans});
    const std::uint64_t first = kChunkRows - 700, count = 1500;
    const RunSummary run = summarizeRun(snapshot->lane(LaneId(0)), first, count);
    std::int64_t busy = 0, longest = 0;
    for (std::uint64_t i = first; i < first + count; ++i) {
        busy += spans[i].duration;
        longest = std::max(longest, spans[i].duration);
    }
    EXPECT_EQ(run.busy.value, busy);
    EXPECT_EQ(run.count, count);
    EXPECT_EQ(spans[run.longestRow].duration, longest);
    EXPECT_EQ(summarizeRun(snapshot->lane(LaneId(0)), spans.size() - 5, 100).count, 5u);
}

}  // namespace warpglass::ui::span_navigation_test
