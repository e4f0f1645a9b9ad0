// Ops by name and types against the slow and obvious way.
#include "engine/query/statistics/typed_ops.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/trace_text.h"
#include "tests/unit/query/grouped_spans.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::typed_ops_test {

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

}  // namespace warpglass::test::typed_ops_test
