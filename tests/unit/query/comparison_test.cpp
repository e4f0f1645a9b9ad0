#include "engine/query/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "engine/query/span_scan.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test {
namespace {

const ComparisonRow* find(const std::vector<ComparisonRow>& rows, std::string_view name) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const ComparisonRow& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

/// Self time per measured step of the ops that `keep` keeps.
template <class Keep>
double selfPerStep(const Snapshot& snapshot, std::int32_t warmup, int measured, Keep&& keep) {
    std::int64_t self = 0;
    for (const NaiveSpan& span : allSpans(snapshot)) {
        if (span.kind == TrackKind::kCpuThread && span.row.step >= warmup && keep(span))
            self += span.row.self;
    }
    return static_cast<double>(self) / measured;
}

TEST(Comparison, agreesWithTheObviousWay) {
    const RandomRun a({.seed = 1, .steps = 5, .warmup = 1}), b({.seed = 2, .steps = 7, .warmup = 4});
    const RunComparison comparison = compareRuns(a.snapshot(), b.snapshot());

    ASSERT_EQ(comparison.ops.size(), 7u);
    for (const ComparisonRow& row : comparison.ops) {
        const auto same = [&](const NaiveSpan& span) { return span.name == row.name; };
        EXPECT_NEAR(row.a, selfPerStep(*a.snapshot(), 1, 4, same), 1e-6) << row.name;
        EXPECT_NEAR(row.b, selfPerStep(*b.snapshot(), 4, 3, same), 1e-6) << row.name;
        EXPECT_TRUE(row.inA && row.inB);
    }
    for (std::size_t i = 1; i < comparison.ops.size(); ++i)
        EXPECT_GE(std::abs(comparison.ops[i - 1].difference()), std::abs(comparison.ops[i].difference()));

    for (const std::string path : {"blocks", "blocks.1", "blocks.10.attn", "embed"}) {
        const ComparisonRow* row = find(comparison.modules, path);
        ASSERT_NE(row, nullptr) << path;
        const auto within = [&](const NaiveSpan& span) { return isWithin(span.module, path); };
        EXPECT_NEAR(row->a, selfPerStep(*a.snapshot(), 1, 4, within), 1e-6) << path;
        EXPECT_NEAR(row->b, selfPerStep(*b.snapshot(), 4, 3, within), 1e-6) << path;
    }
    const ComparisonRow* outside = find(comparison.modules, "(outside the model)");
    ASSERT_NE(outside, nullptr);
    EXPECT_NEAR(outside->a,
                selfPerStep(*a.snapshot(), 1, 4, [](const NaiveSpan& s) { return s.module.empty(); }), 1e-6);

    std::vector<std::string> names;
    for (const ComparisonRow& row : comparison.phases)
        names.push_back(row.name);
    EXPECT_THAT(names, testing::ElementsAre("forward", "loss", "backward", "optimizer", "zero-grad", "step"));
    const auto phases = phaseStatistics(*a.snapshot());
    EXPECT_DOUBLE_EQ(comparison.phases.back().a, phases.back().average);

    ASSERT_EQ(comparison.settings.size(), 1u);
    EXPECT_EQ(comparison.settings[0].key, "config.warmup");
    EXPECT_EQ(comparison.settings[0].a, "1");
    EXPECT_EQ(comparison.settings[0].b, "4");
}

TEST(Comparison, saysWhatIsOnOneSideOnly) {
    const auto make = [](const char* op, std::int64_t bytes, bool withKey) {
        TraceWriter writer;
        const TrackId steps = writer.addTrack(TrackKind::kStep, "steps");
        const TrackId main = writer.addTrack(TrackKind::kCpuThread, "main");
        writer.appendSpan(
            steps, 0,
            {.start = 0, .duration = 100, .self = 100, .name = writer.internName("step 0"), .step = 0});
        writer.appendSpan(main, 0,
                          {.start = 0, .duration = 60, .self = 60, .name = writer.internName(op), .step = 0});
        writer.appendAllocation(Nanoseconds(1), {.bytes = bytes, .category = Category::kWeights});
        if (bytes > 100) {
            writer.appendFree(
                Nanoseconds(3),
                writer.appendAllocation(Nanoseconds(2), {.bytes = 10, .category = Category::kInput}));
        }
        writer.settle();
        writer.setInfo("state", "finished");
        writer.setInfo("config.precision", op);
        writer.setInfo("device.name", op);  // not a setting
        if (withKey)
            writer.setInfo("config.extra", "x");
        writer.commit(Nanoseconds(100));
        return writer.feed()->latest();
    };
    const RunComparison comparison = compareRuns(make("aten::mm", 100, false), make("aten::bmm", 400, true));
    ASSERT_EQ(comparison.ops.size(), 2u);
    const ComparisonRow* mm = find(comparison.ops, "aten::mm");
    ASSERT_NE(mm, nullptr);
    EXPECT_TRUE(mm->inA);
    EXPECT_FALSE(mm->inB);
    EXPECT_DOUBLE_EQ(mm->a, 60);
    EXPECT_DOUBLE_EQ(mm->difference(), -60);
    ASSERT_EQ(comparison.categories.size(), kCategoryCount + 1);
    EXPECT_EQ(comparison.categories[0].name, "weights");
    EXPECT_DOUBLE_EQ(comparison.categories[0].ratio(), 4);
    EXPECT_DOUBLE_EQ(find(comparison.categories, "input")->b, 10);
    EXPECT_FALSE(find(comparison.categories, "input")->inA);
    EXPECT_DOUBLE_EQ(comparison.categories.back().b, 410);
    ASSERT_EQ(comparison.settings.size(), 2u);
    EXPECT_EQ(comparison.settings[1].key, "config.extra");
    EXPECT_EQ(comparison.settings[1].a, "");
}

TEST(Comparison, ofEmptyRunsHasNoTimes) {
    TraceWriter writer;
    writer.commit(Nanoseconds(0));
    const RunComparison comparison = compareRuns(writer.feed()->latest(), writer.feed()->latest());
    EXPECT_TRUE(comparison.phases.empty());
    EXPECT_TRUE(comparison.ops.empty());
    EXPECT_EQ(comparison.categories.size(), kCategoryCount + 1);
    EXPECT_EQ(comparison.categories.back().a, 0);
}

}  // namespace
}  // namespace warpglass::test
