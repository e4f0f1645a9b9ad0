// That a text finds the same spans wherever it is asked, and which: against asking each by itself.
#include "engine/query/spans/text_match.h"

#include <gtest/gtest.h>

#include "engine/query/spans/passing_rows.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/duration_distribution.h"
#include "tests/support/sample_run.h"
#include "tests/unit/query/gpu_run_by_chance.h"
#include "tests/unit/query/grouped_spans.h"

namespace warpglass::test::text_match_test {

bool finds(const Snapshot& run, const SpanRow& row, std::string_view text) {
    const Place place = run.place(row.place);
    const std::string module(run.name(place.module)), part(run.name(place.part));
    const auto detail = run.detail(row.detail);
    return holds(run.name(row.name), text) || (detail && holds(run.name(detail->op), text)) ||
           holds(module, text) || holds(part, text) || (!part.empty() && holds(module + "/" + part, text));
}

std::vector<std::shared_ptr<const Snapshot>> someRuns() {
    return {RandomRun({.seed = 3}).snapshot(), gpuRunByChance({.seed = 4, .opsPerThread = 300}),
            openSampleRun("small-bf16-naive")};
}

TEST(TextMatch, FindsTheSameSpansInEveryQuery) {
    std::int64_t byName = 0, byPlace = 0;
    for (const auto& run : someRuns()) {
        ASSERT_NE(run, nullptr);
        for (const char* const text : {"mm", "BLOCKS.1", "attn/s", "softmax", "l", "no such name"}) {
            std::int64_t ops = 0, kernels = 0;
            for (const TrackKind kind :
                 {TrackKind::kCpuThread, TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
                std::int64_t expected = 0;
                std::vector<NaiveSpan> found;
                for (const FoundSpan& span : spansOfKind(*run, kind)) {
                    if (!finds(*run, span.row, text))
                        continue;
                    ++expected;
                    found.push_back({kind,
                                     span.track,
                                     span.depth,
                                     span.row,
                                     std::string(run->name(span.row.name)),
                                     {},
                                     {}});
                    ++(holds(run->name(span.row.name), text) ? byName : byPlace);
                }
                (kind == TrackKind::kCpuThread ? ops : kernels) += expected;
                // Tables and histograms count an op that calls itself once.
                std::int64_t calls = 0, total = 0;
                markCallsByThemselves(found, [](const NaiveSpan&) { return std::string(); });
                for (const NaiveSpan& span : found) {
                    calls += span.calledByItself ? 0 : 1;
                    total += span.calledByItself ? 0 : span.row.duration;
                }
                std::int64_t rows = 0;
                for (const GroupedRow& row :
                     groupedStatistics(*run, {}, kind, SpanGrouping::kFlat, text).rows)
                    rows += row.figures.instances;
                EXPECT_EQ(rows, calls) << text << ", the table";

                SpanSet set{.kind = kind, .grouping = SpanGrouping::kFlat, .text = text};
                const DurationDistribution durations = durationDistribution(*run, set);
                EXPECT_EQ(durations.instances, calls) << text << ", the histogram";
                EXPECT_EQ(durations.total.value, total) << text;

                const PassingRows passing(*run, {.text = text});
                std::uint64_t counted = 0;
                for (const TrackId track : run->tracksOfKind(kind)) {
                    for (const SpanLane& lane : run->lanesOf(track))
                        counted += passing.count(lane.id(), 0, lane.rows()).value_or(0);
                }
                EXPECT_EQ(counted, static_cast<std::uint64_t>(expected)) << text << ", the timeline";
            }
            WorkScope scope;
            scope.filter.ranges = {{run->range().begin, run->range().end + Nanoseconds(1)}};
            scope.text = text;
            const WorkTimes times = workTimes(*run, scope);
            std::int64_t worked = 0;
            for (const WorkRow& row : times.rows)
                worked += row.instances;
            EXPECT_EQ(worked, times.gpu ? kernels : ops) << text << ", the charts";
        }
    }
    EXPECT_GT(byName, 1000);
    EXPECT_GT(byPlace, 1000) << "by the op that launched it, or where it lies";
}

TEST(TextMatch, ATextOfAModuleAndItsPartFindsThatPartAlone) {
    const auto run = RandomRun({.seed = 5}).snapshot();
    const TextMatch match(*run, "blocks.1.ATTN/scores");
    int found = 0;
    for (const FoundSpan& span : spansOfKind(*run, TrackKind::kCpuThread)) {
        const Place place = run->place(span.row.place);
        const bool there = run->name(place.module) == "blocks.1.attn" && run->name(place.part) == "scores";
        EXPECT_EQ(match.passes(span.row.name.value, NameId().value, span.row.place.value), there);
        EXPECT_EQ(placeHasText(*run, place, "blocks.1.ATTN/scores"), there);
        found += there;
    }
    EXPECT_GT(found, 3);
    EXPECT_FALSE(match.passesAll());
    EXPECT_TRUE(TextMatch(*run, "").passesAll());
}

}  // namespace warpglass::test::text_match_test
