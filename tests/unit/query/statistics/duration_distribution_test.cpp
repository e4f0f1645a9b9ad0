#include "engine/query/statistics/duration_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/grouped_spans.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::duration_distribution_test {

DurationDistribution distributionOf(const std::vector<std::int64_t>& durations) {
    DurationCollector collector;
    for (const std::int64_t d : durations)
        collector.add(d);
    collector.startSecondPass();
    for (std::size_t i = 0; i < durations.size(); ++i)
        collector.addAgain(durations[i], {LaneId(0), i});
    return collector.take();
}

/// The slow way: sort, and count.
void expectMatchesSorting(const std::vector<std::int64_t>& durations) {
    std::vector<std::int64_t> sorted = durations;
    std::ranges::sort(sorted);
    const DurationDistribution d = distributionOf(durations);
    ASSERT_EQ(d.instances, std::ssize(durations));
    EXPECT_EQ(d.min.value, sorted.front());
    EXPECT_EQ(d.max.value, sorted.back());
    EXPECT_EQ(d.total.value, std::accumulate(sorted.begin(), sorted.end(), std::int64_t{0}));
    for (std::size_t p = 0; p < DurationDistribution::kPercentiles.size(); ++p) {
        // The smallest that at least so many thousandths are not longer than.
        std::size_t rank = 0;
        while (static_cast<std::int64_t>(rank + 1) * 1000 <
               DurationDistribution::kPercentiles[p] * std::ssize(sorted))
            ++rank;
        EXPECT_EQ(d.percentiles[p].value, sorted[rank]) << DurationDistribution::kPercentiles[p];
    }
    ASSERT_TRUE(d.longestOfAll);
    EXPECT_EQ(durations[d.longestOfAll->row], sorted.back());
    if (sorted.front() == sorted.back()) {
        EXPECT_TRUE(d.counts.empty());
        return;
    }
    ASSERT_EQ(d.edges.size(), d.counts.size() + 1);
    EXPECT_TRUE(std::ranges::is_sorted(d.edges));
    for (std::size_t b = 0; b < d.counts.size(); ++b) {
        const bool last = b + 1 == d.counts.size();
        std::int64_t count = 0, longest = -1;
        for (const std::int64_t t : durations) {
            // Bins of no width, where edges coincide, hold nothing: what is there goes to the last of them.
            if (t < d.edges[b].value || (last ? t > d.edges[b + 1].value : t >= d.edges[b + 1].value))
                continue;
            ++count;
            longest = std::max(longest, t);
        }
        EXPECT_EQ(d.counts[b], count) << b;
        ASSERT_EQ(d.longest[b].has_value(), count > 0);
        if (count > 0) {
            EXPECT_EQ(durations[d.longest[b]->row], longest);
        }
    }
}

TEST(DurationDistribution, AgreesWithSorting) {
    std::mt19937_64 random(1);
    for (const std::int64_t spread : {1, 3, 50, 700, 100'000, 2'000'000'000}) {
        for (const int count : {1, 2, 3, 10, 999, 1000, 1001, 5000}) {
            std::vector<std::int64_t> durations;
            for (int i = 0; i < count; ++i)
                durations.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(spread)) +
                                    spread / 7);
            expectMatchesSorting(durations);
        }
    }
    std::vector<std::int64_t> wide{0};
    for (int bits = 0; bits < 60; ++bits)
        wide.insert(wide.end(), static_cast<std::size_t>(61 - bits), (std::int64_t{1} << bits) + bits);
    expectMatchesSorting(wide);
}

TEST(DurationDistribution, BinsGrowByAFactorWhereTheSpreadIsOver100) {
    EXPECT_FALSE(distributionOf({10, 500, 990}).logarithmic);
    EXPECT_TRUE(distributionOf({10, 500, 1000}).logarithmic);
    EXPECT_TRUE(distributionOf({0, 100}).logarithmic);
    const DurationDistribution linear = distributionOf({0, 20, 40});
    EXPECT_EQ(linear.edges[20], Nanoseconds(20));
    EXPECT_EQ(linear.binOf(Nanoseconds(-5)), 0);
    EXPECT_EQ(linear.binOf(Nanoseconds(1000)), DurationDistribution::kBins - 1);
}

TEST(DurationDistribution, OfNothingIsNothing) {
    DurationCollector collector;
    collector.startSecondPass();
    const DurationDistribution none = collector.take();
    EXPECT_EQ(none.instances, 0);
    EXPECT_EQ(none.binOf(Nanoseconds(3)), -1);
    EXPECT_FALSE(none.longestOfAll);
    // Negative durations, as a damaged file may hold, count as 0.
    EXPECT_EQ(distributionOf({-7, 5}).min, Nanoseconds(0));
}

TEST(DurationDistribution, ASetOfSpansIsWhatTheFilterTheNameAndTheGroupSay) {
    const RandomRun run({.seed = 11});
    const Snapshot& snapshot = *run.snapshot();
    const std::vector<NaiveSpan> all = allSpans(snapshot);
    std::string name;
    for (const NaiveSpan& span : all) {
        if (span.kind == TrackKind::kCpuThread && span.module == "blocks.1.attn")
            name = span.name;
    }
    ASSERT_FALSE(name.empty());
    for (const SpanFilter& filter : variedFilters(snapshot)) {
        for (const bool below : {false, true}) {
            SpanSet set{TrackKind::kCpuThread,
                        filter,
                        below ? "" : name,
                        SpanGrouping::kModule,
                        below ? "blocks.1" : "blocks.1.attn",
                        below};
            std::vector<NaiveSpan> inGroup;
            for (const NaiveSpan& span : all) {
                if (span.kind != TrackKind::kCpuThread || !passes(snapshot, filter, span))
                    continue;
                if (below ? span.module == "blocks.1" || span.module.starts_with("blocks.1.")
                          : span.module == "blocks.1.attn" && !span.place.part.valid() && span.name == name)
                    inGroup.push_back(span);
            }
            markCallsByThemselves(inGroup, [&](const NaiveSpan& span) {
                return groupOf(snapshot, span, SpanGrouping::kModule);
            });
            std::int64_t count = 0, total = 0;
            for (const NaiveSpan& span : inGroup) {
                count += span.calledByItself ? 0 : 1;
                total += span.calledByItself ? 0 : std::max<std::int64_t>(span.row.duration, 0);
            }
            const DurationDistribution d = durationDistribution(snapshot, set);
            EXPECT_EQ(d.instances, count);
            EXPECT_EQ(d.total.value, total);
            EXPECT_EQ(d.onGpu.value, 0);
        }
    }
    EXPECT_EQ(durationDistribution(snapshot, {.name = "no such op"}).instances, 0);
}

TEST(DurationDistribution, OfKernelsTheTimeIsTheGpus) {
    const auto run = traceOf("kernel gemm 0-30 ; kernel gemm 100-130 ; end 200");
    const DurationDistribution d = durationDistribution(*run, {.kind = TrackKind::kGpuStream});
    EXPECT_EQ(d.total.value, 60);
    EXPECT_EQ(d.onGpu.value, 60);
}

}  // namespace warpglass::test::duration_distribution_test
