// That a text finds the same spans wherever it is asked, and which: against asking each by itself.
#include "engine/query/spans/text_match.h"

#include <gtest/gtest.h>

#include "engine/query/spans/module_group.h"
#include "engine/query/spans/passing_rows.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/duration_distribution.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
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

// How many rows of a stretch meet the conditions, against asking each.

bool passes(const Snapshot& run, TrackKind kind, const SpanRow& span, const RowConditions& c) {
    const Place place = run.place(span.place);
    const std::string_view name = run.name(span.name), module = run.name(place.module);
    const auto detail = run.detail(span.detail);
    const std::string_view op = detail ? run.name(detail->op) : std::string_view();
    return (!c.phase || place.phase == *c.phase) && (c.module.empty() || isWithin(module, c.module)) &&
           (kind == TrackKind::kApiThread || c.name.empty() || name == c.name || op == c.name) &&
           (kind == TrackKind::kApiThread || c.text.empty() || holds(name, c.text) || holds(op, c.text) ||
            holds(module, c.text) || holds(run.name(place.part), c.text)) &&
           (!isGpuTrack(kind) || c.gpuModule.empty() ||
            (isWithin(module, c.gpuModule) && (c.gpuPart.empty() || run.name(place.part) == c.gpuPart)));
}

TEST(PassingRows, AreCountedAsIfEachWereAsked) {
    std::uint64_t seed = 3;
    int known = 0;
    for (int round = 0; round < 24; ++round) {
        const auto run = round % 2 == 0 ? makeSyntheticRun()
                                        : gpuRunByChance({.seed = nextRandom(seed), .opsPerThread = 300});
        // Conditions of what there is.
        const auto someSpan = [&](TrackKind kind) {
            const auto spans = spansOfKind(*run, kind);
            return spans.empty() ? SpanRow() : spans[nextRandom(seed) % spans.size()].row;
        };
        const SpanRow op = someSpan(TrackKind::kCpuThread), kernel = someSpan(TrackKind::kGpuStream);
        RowConditions conditions;
        const std::uint64_t bits = nextRandom(seed) % 32;
        if (bits & 1)
            conditions.phase = run->place(op.place).phase;
        if (bits & 2)
            conditions.module = std::string(run->name(run->place(op.place).module));
        if (bits & 4)
            conditions.name = std::string(run->name((bits & 8 ? op : kernel).name));
        if (bits & 8)
            conditions.text = bits & 1   ? "M"
                              : bits & 4 ? std::string(run->name(run->place(op.place).module)).substr(0, 9)
                                         : std::string(run->name(op.name)).substr(0, 8);
        if (bits & 16)
            conditions.gpuModule = std::string(run->name(run->place(kernel.place).module));
        EXPECT_EQ(conditions.any(), conditions != RowConditions());
        const PassingRows rows(*run, conditions);
        for (const TrackKind kind :
             {TrackKind::kCpuThread, TrackKind::kGpuStream, TrackKind::kGpuCopies, TrackKind::kApiThread}) {
            for (const TrackId track : run->tracksOfKind(kind)) {
                for (const SpanLane& lane : run->lanesOf(track)) {
                    for (int i = 0; i < 40 && lane.rows() > 0; ++i) {
                        const std::uint64_t first = i == 0 ? 0 : nextRandom(seed) % lane.rows();
                        const std::uint64_t count =
                            i == 0 ? lane.rows() : nextRandom(seed) % (lane.rows() - first + 1);
                        std::uint64_t expected = 0;
                        for (std::uint64_t row = first; row < first + count; ++row)
                            expected += passes(*run, kind, *lane.row(row), conditions);
                        EXPECT_EQ(rows.count(lane.id(), first, count), expected) << bits;
                        ++known;
                    }
                    EXPECT_FALSE(rows.count(lane.id(), lane.rows(), 1)) << "not yet there";
                }
            }
        }
        for (const TrackId track : run->tracksOfKind(TrackKind::kModule))
            EXPECT_FALSE(rows.count(run->lanesOf(track)[0].id(), 0, 1)) << "of another kind";
    }
    EXPECT_GT(known, 1000);
}

TEST(PassingRows, OfManyRowsInOneLane) {
    const auto run = makeManySpans(150'000, 1);
    RowConditions conditions{.text = "mm"};
    const PassingRows rows(*run, conditions);
    const SpanLane lane = run->lanesOf(run->tracksOfKind(TrackKind::kCpuThread)[0])[0];
    std::vector<std::uint64_t> before{0};
    for (std::uint64_t row = 0; row < lane.rows(); ++row)
        before.push_back(before.back() + passes(*run, TrackKind::kCpuThread, *lane.row(row), conditions));
    ASSERT_GT(before.back(), 100u);
    std::uint64_t seed = 8;
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t first = nextRandom(seed) % lane.rows(),
                            end = first + nextRandom(seed) % (lane.rows() - first + 1);
        ASSERT_EQ(rows.count(lane.id(), first, end - first), before[end] - before[first]) << first;
    }
}

TEST(PassingRows, TheNextOneIsFoundOverAnyGap) {
    for (const std::uint64_t rows : {1u, 64u, 511u, 512u, 4095u, 4096u, 9000u}) {
        for (const std::uint64_t every : {1u, 2u, 64u, 700u, 4094u, 20'000u}) {
            TraceWriter writer;
            const TrackId track = writer.addTrack(TrackKind::kCpuThread, "main");
            const NameId other = writer.internName("aten::add"), asked = writer.internName("aten::mm");
            for (std::uint64_t i = 0; i < rows; ++i)
                writer.appendSpan(
                    track, 0,
                    {static_cast<std::int64_t>(i), 1, 1, (i + 3) % every == 0 ? asked : other, {}, 0, 0});
            writer.commit(Nanoseconds(0));
            const PassingRows passing(*writer.feed()->latest(), {.name = "aten::mm"});
            for (std::uint64_t row = 0; row < rows + 2; row += 1 + row % 5) {
                std::uint64_t expected = row;
                while (expected < rows && (expected + 3) % every != 0)
                    ++expected;
                ASSERT_EQ(passing.next(LaneId(0), row), expected) << row << " of " << rows << ", " << every;
            }
            EXPECT_EQ(passing.next(LaneId(7), 5), 5u) << "of an unknown lane each may";
        }
    }
}

}  // namespace warpglass::test::text_match_test
