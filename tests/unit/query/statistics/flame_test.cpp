#include "engine/query/statistics/flame.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::flame_test {

/// What holds for every tree.
void expectSound(const FlameTree& tree) {
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        const FlameNode& node = tree.nodes[i];
        std::int64_t sum = 0;
        for (std::uint32_t c = node.firstChild; c < node.firstChild + node.children; ++c) {
            ASSERT_GT(c, i);
            const FlameNode& child = tree.nodes[c];
            EXPECT_EQ(child.parent, i);
            EXPECT_EQ(child.depth, node.depth + 1);
            EXPECT_EQ(child.offset, sum) << tree.pathOf(c);
            EXPECT_GT(child.value, 0);
            sum += child.value;
        }
        EXPECT_EQ(sum + node.self, node.value) << tree.pathOf(i);
        EXPECT_LE(node.depth, tree.depth);
    }
}

std::map<std::string, std::int64_t> valuesOf(const FlameTree& tree) {
    std::map<std::string, std::int64_t> values;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
        EXPECT_TRUE(values.emplace(tree.pathOf(i), tree.nodes[i].value).second)
            << "twice: " << tree.pathOf(i);
    }
    return values;
}

/// Adds to every step of the path: "a", "a › b", …
void addPath(std::map<std::string, std::int64_t>& values, const std::vector<std::string>& path,
             std::int64_t value) {
    std::string text;
    for (const std::string& name : path) {
        text += (text.empty() ? "" : " › ") + name;
        values[text] += value;
    }
}

std::vector<std::string> modulePath(std::string module, bool merge) {
    std::vector<std::string> path;
    if (merge)
        module = moduleGroup(module);
    if (module.starts_with("blocks.")) {
        const std::size_t end = module.find('.', 7);
        path.push_back(module.substr(0, end));
        module = end == std::string::npos ? "" : module.substr(end + 1);
    }
    while (!module.empty()) {
        const std::size_t end = module.find('.');
        path.push_back(module.substr(0, end));
        module = end == std::string::npos ? "" : module.substr(end + 1);
    }
    return path;
}

TEST(TimeFlame, IsTheSelfTimeOfEveryOpByItsPath) {
    for (const bool merge : {false, true}) {
        for (const bool ranged : {false, true}) {
            const RandomRun run({.seed = 11});
            const std::int64_t end = run.snapshot()->range().end.value;
            const TimeRange range{Nanoseconds(end / 3), Nanoseconds(end / 2)};
            std::map<std::string, std::int64_t> expected;
            std::int64_t all = 0;
            for (const NaiveSpan& span : allSpans(*run.snapshot())) {
                const bool counts = ranged ? range.contains(Nanoseconds(span.row.start)) : span.row.step >= 2;
                if (span.kind != TrackKind::kCpuThread || !counts || span.row.self == 0)
                    continue;
                std::vector<std::string> path = {span.place.phase == Phase::kNone
                                                     ? "(outside a phase)"
                                                     : std::string(phaseName(span.place.phase))};
                for (std::string& name : modulePath(span.module, merge))
                    path.push_back(std::move(name));
                if (span.place.part.valid())
                    path.emplace_back(run.snapshot()->name(span.place.part));
                path.push_back(span.name);
                addPath(expected, path, span.row.self);
                all += span.row.self;
            }
            SpanFilter filter;
            if (ranged)
                filter.ranges = {range};
            const FlameTree tree = timeFlame(*run.snapshot(), filter, merge);
            expectSound(tree);
            EXPECT_EQ(valuesOf(tree), expected);
            EXPECT_EQ(tree.nodes.front().value, all);
            EXPECT_EQ(tree.steps, ranged ? 1 : 4);
        }
    }
}

TEST(TimeFlame, StandsInTheOrderOfTheRunAndOpsBySize) {
    const RandomRun run({.seed = 3});
    const FlameTree tree = timeFlame(*run.snapshot(), {}, false);
    std::vector<std::string> phases, blocks;
    for (std::uint32_t c = 0; c < tree.nodes.front().children; ++c)
        phases.push_back(tree.nodes[1 + c].name);
    EXPECT_EQ(phases, (std::vector<std::string>{"forward", "loss", "backward", "optimizer", "zero-grad"}));
    for (const FlameNode& parent : tree.nodes) {
        for (std::uint32_t c = parent.firstChild + 1; c < parent.firstChild + parent.children; ++c) {
            const FlameNode& a = tree.nodes[c - 1];
            const FlameNode& b = tree.nodes[c];
            if (a.kind == FlameKind::kOp && b.kind == FlameKind::kOp) {
                EXPECT_GE(a.value, b.value);
            }
            if (a.name == "blocks.1") {
                EXPECT_EQ(b.name, "blocks.2") << "numbers, not text";
            }
            EXPECT_LE(a.kind == FlameKind::kOp, b.kind == FlameKind::kOp) << "ops stand last";
        }
    }
}

TEST(TimeFlame, OnAGpuKernelsStandUnderTheOpThatLaunchedThem) {
    RunByHand run;
    run.stepLengths = {10 * kMs, 10 * kMs, 10 * kMs};
    run.kernels = {
        {.begin = 1 * kMs, .end = 3 * kMs, .module = "blocks.0.ffn", .op = "aten::mm", .name = "k1"},
        {.begin = 3 * kMs, .end = 4 * kMs, .module = "blocks.1.ffn", .op = "aten::mm", .name = "k2"}};
    const FlameTree tree = timeFlame(*run.snapshot(), {}, true);
    expectSound(tree);
    EXPECT_TRUE(tree.gpu);
    const auto values = valuesOf(tree);
    EXPECT_EQ(values.at("forward › blocks.* › ffn › aten::mm"), 2 * 3 * kMs) << "of two steps";
    EXPECT_EQ(values.at("forward › blocks.* › ffn › aten::mm › k2"), 2 * 1 * kMs);
    EXPECT_EQ(tree.nodes.front().instances, 4);
    const FlameTree apart = timeFlame(*run.snapshot(), {}, false);
    EXPECT_EQ(valuesOf(apart).at("forward › blocks.0 › ffn › aten::mm"), 2 * 2 * kMs) << "it has one kernel";
}

TEST(TimeFlame, AnOpAndItsOneKernelAreOneNode) {
    RunByHand run;
    run.stepLengths = {10 * kMs, 10 * kMs, 10 * kMs};
    run.kernels = {
        {.begin = 1 * kMs, .end = 3 * kMs, .module = "a", .op = "aten::copy_", .name = "direct_copy"},
        {.begin = 3 * kMs, .end = 4 * kMs, .module = "b", .op = "aten::mm", .name = "gemm_1"},
        {.begin = 4 * kMs, .end = 5 * kMs, .module = "b", .op = "aten::mm", .name = "gemm_2"},
        {.begin = 5 * kMs, .end = 6 * kMs, .module = "c", .op = "aten::foo_backward", .name = "backward"},
        {.begin = 6 * kMs, .end = 7 * kMs, .module = "d", .op = "aten::mul_", .name = "pointwise · mul bf16"},
        {.begin = 7 * kMs, .end = 9 * kMs, .module = "d", .op = "aten::mul", .name = "pointwise · mul bf16"}};
    const FlameTree tree = timeFlame(*run.snapshot(), {}, true);
    expectSound(tree);
    const auto values = valuesOf(tree);
    EXPECT_EQ(values.at("forward › a › direct_copy"), 2 * 2 * kMs);
    EXPECT_FALSE(values.contains("forward › a › aten::copy_"));
    EXPECT_EQ(values.at("forward › b › aten::mm › gemm_2"), 2 * 1 * kMs) << "of two, neither stands for it";
    EXPECT_EQ(values.at("forward › c › aten::foo_backward"), 2 * 1 * kMs)
        << "which pass says nothing: it is called as its op";
    EXPECT_EQ(std::ranges::find(tree.nodes, "aten::foo_backward", &FlameNode::name)->recorded,
              "aten::foo_backward › backward");
    EXPECT_EQ(values.at("forward › d › mul bf16"), 2 * 3 * kMs) << "of both ops";
    const auto both = std::ranges::find(tree.nodes, "mul bf16", &FlameNode::name);
    EXPECT_EQ(both->recorded, "aten::mul_ › pointwise · mul bf16, aten::mul › pointwise · mul bf16");
    EXPECT_EQ(both->instances, 4);
    const auto folded = std::ranges::find(tree.nodes, "direct_copy", &FlameNode::name);
    ASSERT_NE(folded, tree.nodes.end());
    EXPECT_EQ(folded->recorded, "aten::copy_ › direct_copy");
    EXPECT_EQ(folded->self, folded->value);
    EXPECT_EQ(folded->family, OpFamily::kCopy);
}

TEST(TimeFlame, AKernelOfNearlyAllOfAnOpStandsForItAndTheRestBesideIt) {
    RunByHand run;
    run.stepLengths = {100 * kMs, 100 * kMs};
    run.kernels = {
        {.begin = 0, .end = 97 * kUs, .module = "a", .op = "aten::mm", .name = "gemm_1"},
        {.begin = 97 * kUs, .end = 100 * kUs, .module = "a", .op = "aten::mm", .name = "reduce"},
        {.begin = 1000 * kUs, .end = 1096 * kUs, .module = "b", .op = "aten::mm", .name = "gemm_1"},
        {.begin = 1096 * kUs, .end = 1100 * kUs, .module = "b", .op = "aten::mm", .name = "reduce"},
        {.begin = 2000 * kUs, .end = 2098 * kUs, .module = "c", .op = "aten::mm", .name = "other"},
        {.begin = 2098 * kUs, .end = 2100 * kUs, .module = "c", .op = "aten::mm", .name = "reduce"},
        {.begin = 3000 * kUs, .end = 3099 * kUs, .module = "c", .op = "aten::addmm", .name = "other"},
        {.begin = 3099 * kUs, .end = 3100 * kUs, .module = "c", .op = "aten::addmm", .name = "reduce"},
        {.begin = 4000 * kUs, .end = 4198 * kUs, .module = "a", .op = "aten::copy_", .name = "copy"},
        {.begin = 4198 * kUs, .end = 4200 * kUs, .module = "a", .op = "aten::copy_", .name = "reduce"}};
    const FlameTree tree = timeFlame(*run.snapshot(), {}, false);
    expectSound(tree);
    std::map<std::string, std::int64_t> leaves;
    for (const auto& [path, value] : valuesOf(tree)) {
        if (path.starts_with("forward › ") && path.size() > std::string_view("forward › a").size())
            leaves[path] = value / kUs;
    }
    EXPECT_EQ(leaves, (std::map<std::string, std::int64_t>{{"forward › a › gemm_1", 97},
                                                           {"forward › a › reduce", 3},
                                                           {"forward › a › copy", 198},
                                                           {"forward › a › aten::copy_ › reduce", 2},
                                                           {"forward › b › aten::mm", 100},
                                                           {"forward › b › aten::mm › gemm_1", 96},
                                                           {"forward › b › aten::mm › reduce", 4},
                                                           {"forward › c › aten::mm", 98},
                                                           {"forward › c › aten::addmm", 99},
                                                           {"forward › c › reduce", 3}}))
        << "of another family it is another node";
    const FlameNode& rest = *std::ranges::find_if(
        tree.nodes, [](const FlameNode& node) { return node.name == "reduce" && node.instances == 2; });
    EXPECT_EQ(rest.recorded, "aten::mm › reduce, aten::addmm › reduce") << "of both ops";
    EXPECT_EQ(rest.depth, 3U);
}

TEST(TimeFlame, APathOfAnyNumberOfDotsIsOfLimitedDepth) {
    std::string path = "a";
    for (int i = 0; i < 20'000; ++i)
        path += ".a";
    RunByHand run;
    run.stepLengths = {10 * kMs, 10 * kMs};
    run.kernels = {{.begin = 1 * kMs, .end = 3 * kMs, .module = path}};
    for (const bool merge : {false, true}) {
        const FlameTree tree = timeFlame(*run.snapshot(), {}, merge);
        expectSound(tree);
        EXPECT_EQ(tree.depth, 1 + kMostPathLevels + 1) << "a phase, modules, an op with its kernel";
        EXPECT_EQ(tree.nodes[kMostPathLevels + 1].name, path.substr(2 * (kMostPathLevels - 1)));
    }
}

TEST(MemoryFlame, IsEveryBytesPathAndCategory) {
    const auto opened = openSampleRun("small-bf16-naive");
    const MemoryTimeline memory = timelineOf(opened);
    const Snapshot& run = *opened;
    for (const bool merge : {false, true}) {
        std::map<std::string, std::int64_t> expected;
        const std::vector<AllocationId> alive = memory.aliveAt(memory.peak()->time);
        for (const AllocationId id : alive) {
            const AllocationRow row = *run.allocation(id);
            const Place place = run.place(row.place);
            std::vector<std::string> path = modulePath(std::string(run.name(place.module)), merge);
            if (path.empty())
                path.push_back("(outside the model)");
            else if (place.part.valid())
                path.emplace_back(run.name(place.part));
            path.emplace_back(categoryName(memory.categoryOf(id)));
            addPath(expected, path, row.bytes);
        }
        const FlameTree tree = memoryFlame(memory, alive, merge);
        expectSound(tree);
        EXPECT_EQ(valuesOf(tree), expected);
        EXPECT_EQ(tree.nodes.front().value, sumOf(memory.peak()->bytes));
        EXPECT_EQ(tree.nodes.front().instances, static_cast<std::int64_t>(alive.size()));
        EXPECT_EQ(tree.subject, FlameTree::Subject::kMemory);
    }
}

TEST(FlameTree, SharesAreOfTheParentAndOfAll) {
    RunByHand run;
    run.stepLengths = {10 * kMs};
    run.config.warmup = 0;
    run.kernels = {{.begin = 0, .end = 3 * kMs, .module = "norm"},
                   {.begin = 3 * kMs, .end = 4 * kMs, .phase = Phase::kBackward, .module = "norm"}};
    const FlameTree tree = timeFlame(*run.snapshot(), {}, false);
    ASSERT_EQ(tree.pathOf(1), "forward");
    EXPECT_DOUBLE_EQ(tree.shareOfAll(1), 0.75);
    EXPECT_DOUBLE_EQ(tree.shareOfParent(tree.nodes[1].firstChild), 1);
    EXPECT_DOUBLE_EQ(tree.shareOfAll(tree.nodes[2].firstChild), 0.25);
}

TEST(FlameTree, TotalsAreOfFamiliesAndOfCategories) {
    FlameTree time;
    time.nodes.resize(5);
    time.nodes[1].kind = FlameKind::kModule;  // its own time is of no family
    time.nodes[1].value = 100;
    time.nodes[1].self = 9;
    for (const std::uint32_t op : {2U, 4U}) {
        time.nodes[op].kind = FlameKind::kOp;
        time.nodes[op].family = OpFamily::kMatmul;
        time.nodes[op].value = 40;
        time.nodes[op].self = 10;
    }
    time.nodes[3].kind = FlameKind::kKernel;
    time.nodes[3].family = OpFamily::kCopy;
    time.nodes[3].value = time.nodes[3].self = 30;
    const std::vector<std::int64_t> families = flameTotals(time);
    ASSERT_EQ(families.size(), kOpFamilyCount);
    EXPECT_EQ(families[static_cast<std::size_t>(OpFamily::kMatmul)], 20) << "without what its kernels took";
    EXPECT_EQ(families[static_cast<std::size_t>(OpFamily::kCopy)], 30);
    EXPECT_EQ(std::accumulate(families.begin(), families.end(), std::int64_t{0}), 50);

    FlameTree memory = time;
    memory.subject = FlameTree::Subject::kMemory;
    memory.nodes[4].kind = FlameKind::kCategory;
    memory.nodes[4].category = Category::kWeights;
    const std::vector<std::int64_t> categories = flameTotals(memory);
    ASSERT_EQ(categories.size(), kCategoryCount);
    EXPECT_EQ(categories[static_cast<std::size_t>(Category::kWeights)], 40);
}

TEST(FlameTree, OfNothingIsEmpty) {
    EXPECT_TRUE(timeFlame(*traceOf(), {}, false).empty());
    EXPECT_TRUE(memoryFlame(timelineOf(traceOf()), {}, false).empty());
}

}  // namespace warpglass::test::flame_test
