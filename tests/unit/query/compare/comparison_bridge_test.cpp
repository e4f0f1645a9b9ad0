// The way from A's figure to B's, against plain sums over all spans.
#include "engine/query/compare/comparison_bridge.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "engine/query/compare/comparison_headline.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/step_spans.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::comparison_bridge_test {

using Part = Bridge::Part;
using Steps = ComparisonScope::Steps;

void expectAddsUp(const Bridge& bridge) {
    std::int64_t a = 0, b = 0, shown = 0;
    for (const Part& part : bridge.parts) {
        a += part.a;
        b += part.b;
    }
    for (const Part& part : bridge.shownParts(3))
        shown += part.difference();
    EXPECT_EQ(a, bridge.a);
    EXPECT_EQ(b, bridge.b);
    EXPECT_EQ(shown, bridge.b - bridge.a);
    EXPECT_LE(bridge.shownParts(3).size(), 3u);
}

/// Time of the GPU by family in a run's steps [first, last], all of them.
std::map<std::string, std::int64_t> familySums(const Snapshot& run, std::int32_t first, std::int32_t last) {
    std::map<std::string, std::int64_t> sums;
    for (const NaiveSpan& span : allSpans(run)) {
        const bool gpu = span.kind == TrackKind::kGpuStream || span.kind == TrackKind::kGpuCopies;
        if (!gpu || span.row.step < first || span.row.step > last)
            continue;
        const SpanDetail detail = run.detail(span.row.detail).value_or(SpanDetail());
        const OpFamily family = span.kind == TrackKind::kGpuCopies
                                    ? OpFamily::kCopy
                                    : kernelFamily(run.name(span.row.name), run.name(detail.fullName),
                                                   run.name(detail.op), span.place.phase);
        sums[std::string(kOpFamilyNames[static_cast<std::size_t>(family)])] += span.row.duration;
    }
    return sums;
}

TEST(ComparisonBridge, FiguresThatOnlyADamagedFileHasMakeNone) {
    const auto row = [](const char* name, double a, double b) {
        return ComparisonRow{.name = name, .a = a, .b = b, .inA = true, .inB = true};
    };
    RunComparison comparison{.categories = {row("weights", 3, 5), row("peak", 10, 12)}};
    ASSERT_TRUE(memoryBridge(comparison));
    EXPECT_EQ(memoryBridge(comparison)->parts.back().a, 7);
    for (const double beyond : {1e16, -1e16, 9.3e18, 1e300}) {
        comparison.categories = {row("weights", 3, beyond), row("peak", 10, 12)};
        EXPECT_FALSE(memoryBridge(comparison)) << beyond;
        comparison.categories = {row("weights", 3, 5), row("peak", beyond, 12)};
        EXPECT_FALSE(memoryBridge(comparison)) << beyond;
    }
}

TEST(ComparisonBridge, PartsAreTheGpusTimeByFamilyAndAddUpToTheDifference) {
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    struct Case {
        ComparisonScope scope;
        std::int32_t firstA, lastA, firstB, lastB;
        std::int64_t divisor;
    };
    const std::int32_t measured = averagedSteps(*a).front().step, last = averagedSteps(*a).back().step;
    ASSERT_EQ(averagedSteps(*b).back().step, last);
    const std::vector<Case> cases = {
        {{}, measured, last, measured, last, last - measured + 1},
        {{.steps = Steps::kSum}, measured, last, measured, last, 1},
        {{.steps = Steps::kOne, .stepA = 0, .stepB = 2}, 0, 0, 2, 2, 1},
    };
    for (const Case& c : cases) {
        const auto bridge = must(timeBridge(compareRuns(a, b, c.scope), *a, *b, c.scope));
        expectAddsUp(bridge);
        auto inA = familySums(*a, c.firstA, c.lastA), inB = familySums(*b, c.firstB, c.lastB);
        for (const Part& part : bridge.parts) {
            if (part.name == "idle and host")
                continue;
            EXPECT_NEAR(static_cast<double>(part.a),
                        static_cast<double>(inA[part.name]) / static_cast<double>(c.divisor), 0.51)
                << part.name;
            EXPECT_NEAR(static_cast<double>(part.b),
                        static_cast<double>(inB[part.name]) / static_cast<double>(c.divisor), 0.51)
                << part.name;
            inA.erase(part.name);
            inB.erase(part.name);
        }
        EXPECT_TRUE(inA.empty() && inB.empty());
        EXPECT_EQ(bridge.parts.back().name, "idle and host");
    }
    const auto bridge = timeBridge(compareRuns(a, b), *a, *b, {});
    EXPECT_THAT(bridge->text(), testing::StartsWith(bridge->figure(bridge->a) + " → matmul −"));
    EXPECT_THAT(bridge->text(), testing::EndsWith(" → " + bridge->figure(bridge->b)));
    EXPECT_FALSE(timeBridge(compareRuns(a, b, {.perToken = true}), *a, *b, {.perToken = true}));
}

TEST(ComparisonBridge, BytesAtThePeakAddUpByCategory) {
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    const RunComparison comparison = compareRuns(a, b);
    const auto bridge = must(memoryBridge(comparison));
    expectAddsUp(bridge);
    EXPECT_EQ(static_cast<double>(bridge.a), comparison.categories.back().a);
    for (const Part& part : bridge.parts) {
        const auto row = std::ranges::find_if(comparison.categories,
                                              [&](const ComparisonRow& r) { return r.name == part.name; });
        ASSERT_NE(row, comparison.categories.end()) << part.name;
        EXPECT_EQ(static_cast<double>(part.difference()), row->difference());
    }
}

TEST(ComparisonBridge, AddsUpOfRandomRunsOnTheCpu) {
    for (std::uint64_t seed = 1; seed < 12; ++seed) {
        const RandomRun a({.seed = seed}), b({.seed = seed + 100, .steps = 4, .warmup = 1});
        const auto bridge =
            must(timeBridge(compareRuns(a.snapshot(), b.snapshot()), *a.snapshot(), *b.snapshot(), {}));
        expectAddsUp(bridge);
    }
}

TEST(ComparisonBridge, NothingIsSaidOfARunWithoutSteps) {
    const RandomRun a({.seed = 1}), none({.steps = 0, .warmup = 0});
    const RunComparison comparison = compareRuns(a.snapshot(), none.snapshot());
    EXPECT_FALSE(timeBridge(comparison, *a.snapshot(), *none.snapshot(), {}));
    EXPECT_FALSE(memoryBridge(comparison));
}

}  // namespace warpglass::test::comparison_bridge_test
