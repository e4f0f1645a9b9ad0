#include "engine/query/statistics/statistics.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "engine/query/statistics/typed_ops.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/grouped_spans.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::statistics_test {

/// Ops one after another with these durations.
std::shared_ptr<const Snapshot> opsLasting(const std::vector<std::int64_t>& durations) {
    std::string text;
    std::int64_t t = 0;
    for (const std::int64_t d : durations) {
        text += filled("op aten::mm %-%\n", t, t + d);
        t += d + 1;
    }
    return traceOf(text);
}

void expectMatchesNaive(const Snapshot& snapshot, const SpanFilter& filter) {
    std::vector<NaiveSpan> counted = allSpans(snapshot, TrackKind::kCpuThread, filter);
    markCallsByThemselves(counted, [](const NaiveSpan&) { return std::string(); });
    const auto expected = naiveStatistics(counted);
    const std::vector<StatisticsRow> rows = opStatistics(snapshot, filter);
    ASSERT_EQ(rows.size(), expected.size());
    const std::int64_t total = outermostTime(counted);
    std::int64_t self = 0;
    for (const auto& [name, row] : expected)
        self += row.self.value;
    double selfShares = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_TRUE(expected.contains(rows[i].name));
        expectSameFigures(rows[i], expected.at(rows[i].name));
        if (i > 0) {
            EXPECT_GE(rows[i - 1].self, rows[i].self);
        }
        EXPECT_LE(rows[i].self.value, total);
        EXPECT_LE(rows[i].timeShare, 1);
        selfShares += rows[i].selfShare;
        EXPECT_DOUBLE_EQ(rows[i].timeShare,
                         static_cast<double>(rows[i].total.value) / static_cast<double>(total));
        EXPECT_DOUBLE_EQ(rows[i].selfShare,
                         static_cast<double>(rows[i].self.value) / static_cast<double>(self));
    }
    if (!rows.empty()) {
        EXPECT_NEAR(selfShares, 1, 1e-12);
    }
}

bool hasLongLane(const Snapshot& snapshot) {
    const std::vector<SpanLane> ops = snapshot.lanesOf(snapshot.tracksOfKind(TrackKind::kCpuThread)[0]);
    return std::ranges::any_of(ops, [](const SpanLane& lane) { return lane.chunkCount() > 1; });
}

TEST(OpStatistics, matchesHandComputedFigures) {
    const auto rows = opStatistics(*opsLasting({2, 4, 4, 4, 5, 5, 7, 9}), {});
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].name, "aten::mm");
    EXPECT_EQ(rows[0].instances, 8);
    EXPECT_EQ(rows[0].total, Nanoseconds(40));
    EXPECT_DOUBLE_EQ(rows[0].average, 5);
    EXPECT_DOUBLE_EQ(rows[0].median, 4.5);
    EXPECT_EQ(rows[0].min, Nanoseconds(2));
    EXPECT_EQ(rows[0].max, Nanoseconds(9));
    EXPECT_DOUBLE_EQ(rows[0].standardDeviation, std::sqrt(32.0 / 7));
    EXPECT_DOUBLE_EQ(rows[0].timeShare, 1);
    EXPECT_EQ(rows[0].family, OpFamily::kMatmul);
}

TEST(OpStatistics, aShareOfTimeIsOfTheTimeThatTheOpsTakeTogether) {
    const auto run = traceOf("op aten::add 80-100 ; op aten::linear 0-80 | op aten::mm 10-60");
    const auto shareOf = [&](const SpanFilter& filter, std::string_view name) {
        for (const StatisticsRow& row : opStatistics(*run, filter)) {
            if (row.name == name)
                return row.timeShare;
        }
        return 0.0;
    };
    // 100 ns of self time in all: 30, 50 and 20.
    EXPECT_DOUBLE_EQ(shareOf({}, "aten::linear"), 0.8);
    EXPECT_DOUBLE_EQ(shareOf({}, "aten::mm"), 0.5);
    EXPECT_DOUBLE_EQ(shareOf({}, "aten::add"), 0.2);
    // No op takes more than all, whatever of what is within it the filter leaves out.
    EXPECT_DOUBLE_EQ(shareOf({.name = "aten::linear"}, "aten::linear"), 1);
    EXPECT_DOUBLE_EQ(shareOf({.ranges = {{Nanoseconds(0), Nanoseconds(5)}}}, "aten::linear"), 1);
}

/// As autocast's linear does.
TEST(OpStatistics, anOpThatCallsItselfIsOneCall) {
    const auto run = traceOf(R"(
        in phase forward
          op aten::linear 0-100
            op aten::to 10-20
            op aten::linear 20-95 | op aten::mm 30-90
        in phase loss | op aten::linear 100-140
    )");
    const auto rowOf = [&](const SpanFilter& filter) {
        for (const StatisticsRow& row : opStatistics(*run, filter)) {
            if (row.name == "aten::linear")
                return row;
        }
        return StatisticsRow();
    };
    EXPECT_EQ(rowOf({}).instances, 2);
    EXPECT_EQ(rowOf({}).total, Nanoseconds(140));
    EXPECT_EQ(rowOf({}).min, Nanoseconds(40));
    EXPECT_DOUBLE_EQ(rowOf({}).median, 70);
    EXPECT_EQ(rowOf({}).self, Nanoseconds(70)) << "30 − 15 of the outer, 15 of the inner, 40";
    EXPECT_DOUBLE_EQ(rowOf({}).timeShare, 1);
    // Where the outer one is left out the inner is the outermost.
    SpanFilter late{.ranges = {{Nanoseconds(15), Nanoseconds(100)}}};
    EXPECT_EQ(rowOf(late).instances, 1);
    EXPECT_EQ(rowOf(late).total, Nanoseconds(75));
    EXPECT_DOUBLE_EQ(rowOf(late).timeShare, 1);
}

TEST(OpStatistics, findsExactMediansAtAnyScale) {
    EXPECT_DOUBLE_EQ(opStatistics(*opsLasting({7}), {})[0].median, 7);
    EXPECT_DOUBLE_EQ(opStatistics(*opsLasting({7}), {})[0].standardDeviation, 0);
    EXPECT_DOUBLE_EQ(opStatistics(*opsLasting({0, 0, 0}), {})[0].median, 0);
    // The middle two far apart, and a heap of equal ones.
    EXPECT_DOUBLE_EQ(opStatistics(*opsLasting({1, 1'000'000'001}), {})[0].median, 500'000'001);
    EXPECT_DOUBLE_EQ(opStatistics(*opsLasting({5000, 5000, 5000, 5000, 9, 1'000'000}), {})[0].median, 5000);
    // Close together, far from zero: nothing is lost to rounding.
    const std::int64_t far = 3'600'000'000'000;
    const auto rows = opStatistics(*opsLasting({far + 1, far + 2, far + 3, far + 4}), {});
    EXPECT_DOUBLE_EQ(rows[0].median, static_cast<double>(far) + 2.5);
    EXPECT_NEAR(rows[0].standardDeviation, std::sqrt(5.0 / 3), 1e-6);
    // Around every power of two, where buckets begin.
    for (int bits = 3; bits < 50; ++bits) {
        const std::int64_t p = std::int64_t{1} << bits;
        EXPECT_DOUBLE_EQ(opStatistics(*opsLasting({p - 2, p - 1, p}), {})[0].median,
                         static_cast<double>(p - 1));
        EXPECT_DOUBLE_EQ(opStatistics(*opsLasting({p + 1, p - 1, p, p + 3, p - 3}), {})[0].median,
                         static_cast<double>(p));
    }
}

TEST(OpStatistics, agreesWithSortingForEveryFilter) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const RandomRun run({.seed = seed});
        ASSERT_GT(run.snapshot()->spanCount(), 2000u);
        for (const SpanFilter& filter : variedFilters(*run.snapshot()))
            expectMatchesNaive(*run.snapshot(), filter);
    }
}

TEST(OpStatistics, agreesWithSortingOverSeveralChunks) {
    const RandomRun run({.seed = 9, .steps = 100, .opsPerModule = 40});
    ASSERT_TRUE(hasLongLane(*run.snapshot()));
    for (const SpanFilter& filter : variedFilters(*run.snapshot()))
        expectMatchesNaive(*run.snapshot(), filter);
}

TEST(OpStatistics, opsOfTheOptimizerHaveItsFamilyWhereTheyMostlyWorkThere) {
    const RandomRun run({.seed = 4});
    SpanFilter filter{.phase = Phase::kOptimizer};
    for (const StatisticsRow& row : opStatistics(*run.snapshot(), filter))
        EXPECT_EQ(row.family, opFamily(row.name, Phase::kOptimizer)) << row.name;
    for (const StatisticsRow& row : opStatistics(*run.snapshot(), {}))
        EXPECT_EQ(row.family, opFamily(row.name, Phase::kForward)) << row.name;
}

TEST(OpStatistics, countsAllButTheDamagedChunks) {
    const RandomRun run({.seed = 10, .steps = 100, .opsPerModule = 40});
    Damage damage;
    for (std::size_t i = 0; i < run.snapshot()->laneCount(); ++i) {
        if (run.snapshot()->lane(LaneId(i)).chunkCount() > 1)
            damage.spans.insert({i, 0});
    }
    ASSERT_FALSE(damage.spans.empty());
    const MountedRun mounted = mountWithDamage(run.snapshot(), damage);
    ASSERT_LT(allSpans(*mounted.snapshot).size(), run.snapshot()->spanCount());
    for (const SpanFilter& filter : {SpanFilter{}, variedFilters(*run.snapshot())[1]})
        expectMatchesNaive(*mounted.snapshot, filter);
}

TEST(OpStatistics, aFilterByTimeLoadsOnlyTheChunksItReaches) {
    const auto whole = opsLasting(std::vector<std::int64_t>(5 * kChunkRows, 9));
    const MountedRun mounted = mountWithDamage(whole, {});
    SpanFilter filter{.ranges = {{Nanoseconds(10 * 2 * static_cast<std::int64_t>(kChunkRows) + 500),
                                  Nanoseconds(10 * 2 * static_cast<std::int64_t>(kChunkRows) + 900)}}};
    const auto rows = opStatistics(*mounted.snapshot, filter);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].instances, 40);
    EXPECT_EQ(*mounted.spanLoads, 1u);
}

TEST(OpStatistics, isEmptyForAnEmptyRun) {
    const auto snapshot = traceOf();
    EXPECT_TRUE(opStatistics(*snapshot, {}).empty());
    EXPECT_TRUE(rangeStatistics(*snapshot, {}).empty());
    EXPECT_TRUE(phaseStatistics(*snapshot).empty());
    EXPECT_TRUE(rangesMatching(*snapshot, "*").empty());
}

/// Launches on the CPU at random times, their kernels later and elsewhere: by launch against a plain loop.
TEST(KernelStatistics, CountByLaunchWhereRangesAreTheCpus) {
    TraceWriter writer;
    const TrackId calls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · main");
    const TrackId moreCalls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · thread 1");
    const TrackId stream = writer.addTrack(TrackKind::kGpuStream, "GPU 0 · stream 7");
    const std::vector<TimeRange> ranges = {{Nanoseconds(2000), Nanoseconds(9000)},
                                           {Nanoseconds(30000), Nanoseconds(70000)}};
    std::mt19937_64 random(3);
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> byLaunch, byTime;  // count, total
    std::int64_t launchTime = 0, gpuTime = 5000;
    for (std::uint64_t i = 1; i <= 3000; ++i) {
        launchTime += 1 + static_cast<std::int64_t>(random() % 60);
        writer.appendSpan(random() % 2 ? calls : moreCalls, 0,
                          {.start = launchTime, .duration = 1, .self = 1, .link = i});
        gpuTime = std::max(gpuTime, launchTime) + static_cast<std::int64_t>(random() % 20);
        const auto duration = static_cast<std::int64_t>(random() % 50);
        const std::string name = "k" + std::to_string(random() % 7);
        writer.appendSpan(stream, 0,
                          {.start = gpuTime,
                           .duration = duration,
                           .self = duration,
                           .name = writer.internName(name),
                           .link = i});
        const auto count = [&](auto& into, std::int64_t time) {
            for (const TimeRange& range : ranges) {
                if (range.contains(Nanoseconds(time))) {
                    ++into[name].first;
                    into[name].second += duration;
                }
            }
        };
        count(byLaunch, launchTime);
        count(byTime, gpuTime);
        gpuTime += duration;
    }
    writer.commit(Nanoseconds(0));
    const auto snapshot = writer.feed()->latest();
    for (const bool launches : {false, true}) {
        SpanFilter filter{.ranges = ranges, .byLaunch = launches};
        const auto& expected = launches ? byLaunch : byTime;
        const auto rows = kernelStatistics(*snapshot, filter);
        ASSERT_EQ(rows.size(), expected.size());
        for (const StatisticsRow& row : rows) {
            EXPECT_EQ(row.instances, expected.at(row.name).first) << row.name;
            EXPECT_EQ(row.total.value, expected.at(row.name).second) << row.name;
        }
    }
    EXPECT_TRUE(opStatistics(*snapshot, {}).empty());
    EXPECT_TRUE(copyStatistics(*snapshot, {}).empty());
    EXPECT_EQ(kernelStatistics(*snapshot, {}).size(), 7u);
}

// Ops by name and types against the slow and obvious way.

std::vector<NaiveSpan> opsOf(const Snapshot& snapshot, const SpanFilter& filter) {
    return allSpans(snapshot, TrackKind::kCpuThread, filter);
}

TEST(TypedOps, AgreeWithSortingByNameAndTypes) {
    const RandomRun run({.seed = 11, .types = true});
    const Snapshot& snapshot = *run.snapshot();
    std::int64_t partsOfCalls = 0, withinOtherTypes = 0;
    for (const SpanFilter& filter : variedFilters(snapshot)) {
        std::vector<NaiveSpan> ops = opsOf(snapshot, filter);
        const auto all = static_cast<double>(outermostTime(ops));
        double allSelf = 0;
        std::map<std::string, std::vector<NaiveSpan>> byTypes;
        std::vector<NaiveSpan> byName = ops;
        markCallsByThemselves(byName, [](const NaiveSpan&) { return std::string(); });
        markCallsByThemselves(ops, [&](const NaiveSpan& span) { return typesOf(snapshot, span); });
        for (std::size_t i = 0; i < ops.size(); ++i) {
            partsOfCalls += ops[i].calledByItself;
            withinOtherTypes += byName[i].calledByItself && !ops[i].calledByItself;
            allSelf += static_cast<double>(ops[i].row.self);
            byTypes[typesOf(snapshot, ops[i])].push_back(ops[i]);
        }
        std::map<std::string, std::map<std::string, StatisticsRow>> expected;
        std::size_t rows = 0;
        for (const auto& [types, spans] : byTypes)
            rows += (expected[types] = naiveStatistics(spans)).size();
        const std::vector<TypedOp> actual = typedOps(snapshot, filter);
        ASSERT_EQ(actual.size(), rows);
        for (std::size_t i = 0; i < actual.size(); ++i) {
            const StatisticsRow& figures = actual[i].figures;
            ASSERT_TRUE(expected[actual[i].types].contains(figures.name)) << actual[i].types;
            expectSameFigures(figures, expected[actual[i].types].at(figures.name));
            EXPECT_NEAR(figures.timeShare, static_cast<double>(figures.total.value) / all, 1e-12);
            EXPECT_NEAR(figures.selfShare, static_cast<double>(figures.self.value) / allSelf, 1e-12);
            if (i > 0) {
                EXPECT_GE(actual[i - 1].figures.self, figures.self);
            }
        }
    }
    EXPECT_GT(partsOfCalls, 100);
    EXPECT_GT(withinOtherTypes, 100);
}

TEST(TypedOps, TheirSelfTimesAddUpToThoseOfTheOps) {
    const RandomRun run({.seed = 12, .types = true});
    for (const SpanFilter& filter : variedFilters(*run.snapshot())) {
        std::map<std::string, std::int64_t> self, total, instances;
        for (const TypedOp& op : typedOps(*run.snapshot(), filter)) {
            self[op.figures.name] += op.figures.self.value;
            total[op.figures.name] += op.figures.total.value;
            instances[op.figures.name] += op.figures.instances;
        }
        const std::vector<StatisticsRow> ops = opStatistics(*run.snapshot(), filter);
        EXPECT_EQ(self.size(), ops.size());
        for (const StatisticsRow& op : ops) {
            EXPECT_EQ(self[op.name], op.self.value) << op.name;
            EXPECT_GE(total[op.name], op.total.value) << op.name;
            EXPECT_GE(instances[op.name], op.instances) << op.name;
        }
    }
}

TEST(TypedOps, OfARunWithoutTypesThereAreNone) {
    const RandomRun run({.seed = 11});
    EXPECT_FALSE(opStatistics(*run.snapshot(), {}).empty());
    EXPECT_TRUE(typedOps(*run.snapshot(), {}).empty());
}

TEST(TypedOps, ACallWithinOneOfOtherTypesCountsInItsOwnRow) {
    const auto run = traceOf(R"(
        op aten::linear 0-100 types "fp32[4] → bf16[4]"
          op aten::linear 10-90 types "bf16[4] → bf16[4]"
            op aten::linear 20-50 types "bf16[4] → bf16[4]"
    )");
    const std::vector<TypedOp> rows = typedOps(*run, {});
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].types, "bf16[4] → bf16[4]");
    EXPECT_EQ(rows[0].figures.instances, 1) << "the innermost is part of the one around it";
    EXPECT_EQ(rows[0].figures.total, Nanoseconds(80));
    EXPECT_EQ(rows[0].figures.self, Nanoseconds(80));
    EXPECT_DOUBLE_EQ(rows[0].figures.timeShare, 0.8);
    EXPECT_EQ(rows[1].types, "fp32[4] → bf16[4]");
    EXPECT_EQ(rows[1].figures.total, Nanoseconds(100));
    EXPECT_EQ(rows[1].figures.self, Nanoseconds(20));
    EXPECT_DOUBLE_EQ(rows[1].figures.timeShare, 1);
}

}  // namespace warpglass::test::statistics_test
