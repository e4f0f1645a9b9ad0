// Grouped statistics as a tree: what its groups add up, and how long they take.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/query/statistics/grouped_statistics.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/grouped_spans.h"

namespace warpglass::test::statistics_tree_test {

/// Every group of the tree is checked against the spans that lie in it.
void expectSums(const StatisticsNode& node, const std::vector<NaiveSpan>& spans, const Snapshot& snapshot) {
    if (!node.isGroup)
        return;
    std::vector<NaiveSpan> within;
    for (NaiveSpan span : spans) {
        const std::string group = groupOf(snapshot, span, SpanGrouping::kModule);
        const std::string& path = node.row.group;
        const bool in = group == path ||
                        (!path.empty() && (group.starts_with(path + ".") || group.starts_with(path + "/")));
        if (in) {
            span.name = node.row.figures.name;
            within.push_back(std::move(span));
        }
    }
    ASSERT_FALSE(within.empty()) << node.row.group;
    StatisticsRow expected = naiveStatistics(within).begin()->second;
    expected.total = Nanoseconds(outermostTime(within));
    StatisticsRow actual = node.row.figures;
    EXPECT_DOUBLE_EQ(actual.median, expected.median);
    actual.median = expected.median;
    EXPECT_NEAR(actual.average, expected.average, 1e-9 * expected.average);
    actual.average = expected.average;
    expectSameFigures(actual, expected);
    for (const StatisticsNode& child : node.children)
        expectSums(child, spans, snapshot);
}

TEST(StatisticsTree, GroupsAddUpWhatLiesInThem) {
    const RandomRun run({.seed = 7});
    const Snapshot& snapshot = *run.snapshot();
    std::vector<NaiveSpan> spans = allSpans(snapshot, TrackKind::kCpuThread);
    markCallsByThemselves(
        spans, [&](const NaiveSpan& span) { return groupOf(snapshot, span, SpanGrouping::kModule); });
    const auto calls =
        std::ranges::count_if(spans, [](const NaiveSpan& span) { return !span.calledByItself; });
    ASSERT_LT(calls, std::ssize(spans));
    const auto statistics = groupedStatistics(snapshot, {}, TrackKind::kCpuThread, SpanGrouping::kModule);
    const auto tree = statisticsTree(statistics, SpanGrouping::kModule);
    std::int64_t instances = 0;
    bool nested = false;
    for (const StatisticsNode& node : tree) {
        EXPECT_TRUE(node.isGroup);
        instances += node.row.figures.instances;
        nested = nested || (node.row.group == "blocks" && node.children.size() > 1);
        expectSums(node, spans, snapshot);
    }
    EXPECT_EQ(instances, calls);
    EXPECT_TRUE(nested);
}

TEST(StatisticsTree, AGroupNestedDeeperThanIsLookedThroughTakesItsOutermostTime) {
    std::string run;
    for (const char* const thread : {"main", "other"}) {
        run += filled("in step 0 phase forward module blocks.0 thread %", thread);
        for (int depth = 0; depth < 400; ++depth)
            run += filled(" | op aten::add %-%", depth, 1000 - depth);
        run += "\n";
    }
    const auto statistics =
        groupedStatistics(*traceOf(run), {}, TrackKind::kCpuThread, SpanGrouping::kModule);
    EXPECT_EQ(statistics.groupTimes.at("blocks.0"), Nanoseconds(2000));
}

/// Calls fn with every group of a tree.
template <class Fn>
void forEachGroup(const std::vector<StatisticsNode>& nodes, const Fn& fn) {
    for (const StatisticsNode& node : nodes) {
        if (!node.isGroup)
            continue;
        fn(node);
        forEachGroup(node.children, fn);
    }
}

TEST(StatisticsTree, AGroupOfOpsTakesTheTimeOfItsOutermostOnes) {
    const RandomRun random({.seed = 9});
    const auto recorded = openSampleRun("small-bf16-naive");
    std::size_t nested = 0, groups = 0;
    const auto expectTimes = [&](const Snapshot& run, const SpanFilter& filter, std::string_view text) {
        for (const SpanGrouping grouping : {SpanGrouping::kModule, SpanGrouping::kPhase}) {
            Groups spans;
            std::vector<NaiveSpan> counted;
            for (const NaiveSpan& span : allSpans(run, TrackKind::kCpuThread, filter)) {
                counted.push_back(span);
                if (text.empty() || finds(run, span, text))
                    spans[groupOf(run, span, grouping)].push_back(span);
            }
            const std::int64_t total = outermostTime(std::move(counted));
            const auto statistics = groupedStatistics(run, filter, TrackKind::kCpuThread, grouping, text);
            forEachGroup(statisticsTree(statistics, grouping), [&](const StatisticsNode& node) {
                const std::string& path = node.row.group;
                std::vector<NaiveSpan> within;
                for (const auto& [group, some] : spans) {
                    if (group == path ||
                        (!path.empty() && (group.starts_with(path + ".") || group.starts_with(path + "/"))))
                        within.insert(within.end(), some.begin(), some.end());
                }
                std::int64_t sum = 0;
                for (const NaiveSpan& span : within)
                    sum += span.row.duration;
                const std::int64_t expected = outermostTime(std::move(within));
                EXPECT_EQ(node.row.figures.total.value, expected) << path << ' ' << text;
                EXPECT_NEAR(node.row.figures.timeShare,
                            static_cast<double>(expected) / static_cast<double>(total), 1e-12);
                nested += expected < sum ? 1 : 0;
                ++groups;
            });
        }
    };
    for (const SpanFilter& filter : variedFilters(*random.snapshot())) {
        for (const char* const text : {"", "mm", "blocks.1"})
            expectTimes(*random.snapshot(), filter, text);
    }
    SpanFilter measured{.measuredOnly = true};
    expectTimes(*recorded, measured, "");
    expectTimes(*recorded, measured, "softmax");
    EXPECT_GT(nested, 100u);
    EXPECT_LT(nested, groups);
    // Kernels of a stream follow each other.
    EXPECT_TRUE(groupedStatistics(*recorded, measured, TrackKind::kGpuStream, SpanGrouping::kModule)
                    .groupTimes.empty());
}

TEST(StatisticsTree, AnOpWithinOneOfAnotherGroupCountsInItsOwnAndNotInWhatHoldsBoth) {
    const auto run = traceOf(R"(
        in phase forward
          op aten::mm 0-100 module a thread other
          op aten::mm 0-100 module a
            op aten::mm 10-50 module a.b | op aten::mm 20-30 part x
            op aten::mm 60-80 module c | op aten::mm 62-70 module a.b  # within one of "a" all the same
          op aten::mm 200-300 module a.b | op aten::mm 210-250 module a.c
          op aten::mm 400-450 module a part b | op aten::mm 410-420 module a.b part ""  # no "a.b"
        end 500
    )");
    const auto statistics = groupedStatistics(*run, {}, TrackKind::kCpuThread, SpanGrouping::kModule);
    std::map<std::string, std::int64_t> times;
    forEachGroup(statisticsTree(statistics, SpanGrouping::kModule),
                 [&](const StatisticsNode& node) { times[node.row.group] = node.row.figures.total.value; });
    EXPECT_EQ(times, (std::map<std::string, std::int64_t>{{"a", 100 + 100 + 100 + 50},
                                                          {"a.b", 40 + 8 + 100 + 10},
                                                          {"a.b/x", 10},
                                                          {"a.c", 40},
                                                          {"a/b", 50},
                                                          {"c", 20}}));
    EXPECT_EQ(statistics.totalOfFilter.value, 100 + 100 + 100 + 50) << "on both threads, what is nested once";
    std::int64_t self = 0;
    for (const GroupedRow& row : statistics.rows)
        self += row.figures.self.value;
    EXPECT_EQ(self, statistics.totalOfFilter.value);
}

TEST(StatisticsTree, AGroupOfCopiesHasTheBytesOfAllThatItHolds) {
    const auto run = openSampleRun("small-bf16-naive");
    std::map<std::string, std::int64_t> expected;
    for (const NaiveSpan& span : allSpans(*run, TrackKind::kGpuCopies))
        expected[groupOf(*run, span, SpanGrouping::kPhase)] += run->detail(span.row.detail)->bytes;
    ASSERT_FALSE(expected.empty());
    const auto statistics = groupedStatistics(*run, {}, TrackKind::kGpuCopies, SpanGrouping::kPhase);
    std::map<std::string, std::int64_t> actual;
    forEachGroup(statisticsTree(statistics, SpanGrouping::kPhase), [&](const StatisticsNode& node) {
        actual[node.row.group] = node.row.bytes.value_or(Bytes(0)).value;
        EXPECT_FALSE(node.row.flops);
    });
    EXPECT_EQ(actual, expected);
    const auto ofPhases = actual;
    EXPECT_TRUE(std::ranges::any_of(ofPhases, [](const auto& each) { return each.second > 0; }));
}

/// How deep it is, without recursion.
std::size_t depthOf(const std::vector<StatisticsNode>& tree, std::string& lastGroup) {
    std::size_t depth = 0;
    for (const auto* level = &tree; !level->empty(); level = &level->front().children, ++depth) {
        if (level->front().isGroup)
            lastGroup = level->front().row.group;
    }
    return depth;
}

TEST(StatisticsTree, APathOfAnyNumberOfDotsIsOfLimitedDepth) {
    std::string dots = "a", longParts;
    for (int i = 0; i < 20'000; ++i)
        dots += ".a";
    for (int i = 0; i < 40; ++i)
        longParts += std::string(1000, 'b') + "/";
    for (const std::string& path : {dots, longParts}) {
        GroupedStatistics statistics;
        GroupedRow& row = statistics.rows.emplace_back();
        row.group = path;
        row.figures.name = "aten::mm";
        row.figures.instances = 3;
        std::string lastGroup;
        const auto tree = statisticsTree(statistics, SpanGrouping::kModule);
        EXPECT_LE(depthOf(tree, lastGroup), kMostPathLevels + 1);
        EXPECT_EQ(lastGroup, path);
        EXPECT_EQ(tree.front().row.figures.instances, 3);
    }
}

TEST(StatisticsTree, AnyNumberOfGroupsIsFoundAgain) {
    GroupedStatistics statistics;
    for (int i = 0; i < 200'000; ++i) {
        GroupedRow& row = statistics.rows.emplace_back();
        row.group = "m" + std::to_string(i % 100'000);
        row.figures.name = i < 100'000 ? "aten::mm" : "aten::add";
        row.figures.instances = 1;
    }
    const auto tree = statisticsTree(statistics, SpanGrouping::kModule);
    ASSERT_EQ(tree.size(), 100'000u);
    for (const StatisticsNode& node : tree)
        ASSERT_EQ(node.row.figures.instances, 2);
}

TEST(StatisticsTree, PhasesStandInTheOrderOfAStep) {
    const auto run = makeSyntheticRun();
    const auto tree = statisticsTree(groupedStatistics(*run, {}, TrackKind::kCpuThread, SpanGrouping::kPhase),
                                     SpanGrouping::kPhase);
    std::vector<std::string> phases;
    for (const StatisticsNode& node : tree)
        phases.push_back(node.row.group);
    EXPECT_EQ(phases, (std::vector<std::string>{"forward", "loss", "backward", "optimizer"}));
}

}  // namespace warpglass::test::statistics_tree_test
