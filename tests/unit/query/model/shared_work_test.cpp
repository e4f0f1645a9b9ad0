#include "engine/query/model/shared_work.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "engine/plan/own_parts.h"
#include "engine/plan/parameters.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/model/layers.h"
#include "engine/query/model/plan_of_run.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/statistics/flame.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "tests/support/own_kernel_run.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::shared_work_test {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SplitByBytes, GivesWholePartsThatAddUpAndAreLessThanOneOff) {
    EXPECT_THAT(splitByBytes(10, {{"a", Bytes(1)}, {"b", Bytes(1)}, {"c", Bytes(1)}}), ElementsAre(3, 3, 4));
    EXPECT_THAT(splitByBytes(12, {{"a", Bytes(10)}, {"b", Bytes(2)}}), ElementsAre(10, 2));
    EXPECT_THAT(splitByBytes(1, {{"a", Bytes(10)}, {"b", Bytes(2)}}), ElementsAre(0, 1));
    EXPECT_THAT(splitByBytes(0, {{"a", Bytes(10)}, {"b", Bytes(2)}}), ElementsAre(0, 0));
    EXPECT_THAT(splitByBytes(-5, {{"a", Bytes(10)}, {"b", Bytes(2)}}), ElementsAre(0, 0));
    std::mt19937_64 random(3);
    for (int round = 0; round < 2000; ++round) {
        // Times and bytes have any size, and sums that no 64 bits hold.
        const auto time = static_cast<std::int64_t>(random() >> (1 + random() % 63));
        ServedModules modules(1 + random() % 150);
        long double all = 0;
        for (ServedModule& served : modules) {
            served.moved = Bytes(1 + static_cast<std::int64_t>(random() >> (8 + random() % 50)));
            all += static_cast<long double>(served.moved.value);
        }
        const std::vector<std::int64_t> parts = splitByBytes(time, modules);
        ASSERT_EQ(parts.size(), modules.size());
        EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), time);
        EXPECT_EQ(splitByBytes(time, modules), parts);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const long double exact =
                static_cast<long double>(time) * static_cast<long double>(modules[i].moved.value) / all;
            EXPECT_GE(parts[i], 0);
            EXPECT_NEAR(static_cast<double>(static_cast<long double>(parts[i]) - exact), 0, 1.01);
        }
    }
}

TEST(ModulesInWords, NamesTheLargestAndCountsTheOthers) {
    const ServedModules four = {{"a", Bytes(10)}, {"b", Bytes(40)}, {"c", Bytes(30)}, {"d", Bytes(20)}};
    EXPECT_EQ(modulesInWords(four, 2), "4 modules: b 40%, c 30% and 2 more");
    EXPECT_EQ(modulesInWords(four, 3), "4 modules: b 40%, c 30%, d 20%, a 10%")
        << "one is named rather than counted";
    EXPECT_EQ(modulesInWords({{"a", Bytes(10)}}, 3), "1 module: a 100%");
}

/// The times of one step, by module and phase, in ns; by the definition.
using Times = std::map<std::pair<Phase, std::string>, double>;

Times timesByHand(const OwnKernelRun& made) {
    Times times;
    for (const OwnKernelRun::Launch& launch : made.launches) {
        const auto own = ownKernel(made.config, launch.kernel);
        ServedModules served;
        if (own && own->kernel->serves)
            served = own->kernel->serves(made.config, launch.module);
        if (served.empty())
            served = {{launch.module, Bytes(1)}};
        double bytes = 0;
        for (const ServedModule& each : served)
            bytes += static_cast<double>(each.moved.value);
        for (const ServedModule& each : served)
            times[{launch.phase, each.module}] +=
                static_cast<double>(launch.duration) * static_cast<double>(each.moved.value) / bytes;
    }
    return times;
}

std::string layerByHand(Phase phase, const std::string& module) {
    if (module.empty())
        return phase == Phase::kLoss || phase == Phase::kBackward ? "loss" : "rest";
    const std::size_t first = module.find('.');
    return module.substr(0, module.starts_with("blocks.") ? module.find('.', first + 1) : first);
}

TEST(SharedWork, OfLayersIsSplitByTheBytesOfEachModule) {
    const OwnKernelRun made;
    std::map<std::string, std::array<double, 3>> expected;
    double all = 0;
    for (const auto& [place, time] : timesByHand(made)) {
        const std::size_t pass = place.first == Phase::kBackward    ? 1
                                 : place.first == Phase::kOptimizer ? 2
                                                                    : 0;
        expected[layerByHand(place.first, place.second)][pass] += time;
        all += time;
    }
    const Layers layers = layersOf(*made.run, {});
    EXPECT_EQ(layers.rows.size(), expected.size());
    for (const LayerRow& row : layers.rows) {
        SCOPED_TRACE(row.name);
        ASSERT_TRUE(expected.contains(row.name));
        // Each launch's part is a nanosecond off at the most.
        EXPECT_NEAR(row.forward, expected[row.name][0], 20);
        EXPECT_NEAR(row.backward, expected[row.name][1], 20);
        EXPECT_NEAR(row.optimizer, expected[row.name][2], 20);
        EXPECT_EQ(row.shared > 0, row.name != "loss");
        EXPECT_LE(row.shared, row.time());
    }
    EXPECT_NEAR(layers.time(), all, 1e-6) << "nothing is lost";
    EXPECT_THAT(layers.splits,
                ElementsAre(HasSubstr("AdamW's time is split over the modules"),
                            HasSubstr("RMSNorm's time is split between the norm and the blocks")));
}

TEST(SharedWork, AFilterOfAModuleTakesItsSharesWhereverTheKernelRan) {
    const OwnKernelRun made;
    const Times byHand = timesByHand(made);
    const Layers all = layersOf(*made.run, {});
    for (const char* module : {"blocks.0", "blocks.1", "norm", "lm_head", "blocks.1.norm1", "blocks.0.ffn"}) {
        SCOPED_TRACE(module);
        double expected = 0;
        for (const auto& [place, time] : byHand)
            expected += isWithin(place.second, module) ? time : 0;
        SpanFilter filter{.modulePath = module};
        const Layers layers = layersOf(*made.run, {}, filter);
        ASSERT_EQ(layers.rows.size(), 1u);
        EXPECT_NEAR(layers.time(), expected, 20);
        const FlameTree flame = timeFlame(*made.run, filter, false);
        EXPECT_NEAR(static_cast<double>(flame.nodes.front().value) / static_cast<double>(flame.steps),
                    layers.time(), 1e-6);
        const auto row = std::ranges::find(all.rows, std::string(module), &LayerRow::name);
        if (row != all.rows.end()) {
            EXPECT_NEAR(row->time(), layers.time(), 1e-6) << "as without the filter";
            EXPECT_EQ(row->flops(), layers.rows.front().flops());
        }
    }
}

TEST(SharedWork, InTheFlameChartIsUnderEachModuleAndCountsOnce) {
    const OwnKernelRun made;
    for (const bool merge : {false, true}) {
        const FlameTree tree = timeFlame(*made.run, {}, merge);
        EXPECT_EQ(tree.splits.size(), 2u);
        std::int64_t total = 0;
        for (const OwnKernelRun::Launch& launch : made.launches)
            total += launch.duration * OwnKernelRun::kSteps;
        EXPECT_EQ(tree.nodes.front().value, total) << "to the nanosecond";
        EXPECT_EQ(tree.nodes.front().instances, std::ssize(made.launches) * OwnKernelRun::kSteps);
        int updates = 0;
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
            const FlameNode& node = tree.nodes[i];
            if (node.recorded.ends_with("adamwKernel")) {
                ++updates;
                EXPECT_EQ(node.instances, OwnKernelRun::kSteps) << tree.pathOf(i);
            }
            if (node.name == "optimizer") {
                EXPECT_EQ(node.instances, OwnKernelRun::kSteps);
                EXPECT_EQ(node.value, 60'000 * OwnKernelRun::kSteps);
            }
        }
        const auto tensors = static_cast<int>(parameterTensors(made.config.shape).size());
        EXPECT_EQ(updates, merge ? 3 + 9 : tensors) << "each block has nine tensors";
    }
}

/// The backward pass of the last norm is of the last block too, which it must not draw to the front.
TEST(SharedWork, LeavesModulesOfTheFlameChartInTheOrderOfTheRun) {
    const auto run = openSampleRun("small-bf16-fused");
    for (const bool merge : {false, true}) {
        const FlameTree tree = timeFlame(*run, {}, merge);
        const auto backward = std::ranges::find(tree.nodes, "backward", &FlameNode::name);
        ASSERT_NE(backward, tree.nodes.end());
        std::vector<std::string> modules;
        for (std::uint32_t i = 0; i < backward->children; ++i) {
            const FlameNode& child = tree.nodes[backward->firstChild + i];
            if (child.kind == FlameKind::kModule)
                modules.push_back(child.name);
        }
        std::vector<std::string> expected{"lm_head", "norm"};
        if (merge)
            expected.emplace_back("blocks.*");
        for (int i = 0; !merge && i < 12; ++i)
            expected.push_back("blocks." + std::to_string(i));
        expected.emplace_back("token_embeddings");
        EXPECT_THAT(modules, testing::ElementsAreArray(expected));
    }
}

TEST(SharedWork, OfAComparisonIsSplitByModule) {
    const OwnKernelRun made;
    const RunComparison comparison = compareRuns(made.run, made.run);
    EXPECT_EQ(comparison.splits.size(), 2u);
    std::map<std::string, double> expected;
    for (const auto& [place, time] : timesByHand(made)) {
        if (place.second.empty())
            expected["(outside the model)"] += time;
        for (const std::string_view module : modulesAround(place.second))
            expected[std::string(module)] += time;
    }
    EXPECT_EQ(comparison.gpuModules.size(), expected.size());
    double all = 0;
    for (const ComparisonRow& row : comparison.gpuModules) {
        EXPECT_NEAR(row.a, expected[row.name], 20) << row.name;
        EXPECT_EQ(row.a, row.b);
        all += row.name.find('.') == std::string::npos ? row.a : 0;
    }
    double launched = 0;
    for (const OwnKernelRun::Launch& launch : made.launches)
        launched += static_cast<double>(launch.duration);
    EXPECT_NEAR(all, launched, 1e-6);
}

/// By module, of the leaves of the table of kernels.
std::map<std::string, double> timesOfTable(const GroupedStatistics& table) {
    std::map<std::string, double> times;
    for (const GroupedRow& row : table.rows)
        times[row.group] += static_cast<double>(row.figures.total.value);
    return times;
}

TEST(SharedWork, OfTheTableOfKernelsIsSplitByModule) {
    const OwnKernelRun made;
    const SpanFilter measured{.measuredOnly = true};
    const auto table = groupedStatistics(*made.run, measured, TrackKind::kGpuStream, SpanGrouping::kModule);
    std::map<std::string, double> expected;
    for (const auto& [place, time] : timesByHand(made))
        expected[place.second] += time * OwnKernelRun::kSteps;
    const auto times = timesOfTable(table);
    EXPECT_EQ(times.size(), expected.size());
    for (const auto& [module, time] : expected)
        EXPECT_NEAR(times.contains(module) ? times.at(module) : -1, time, 20) << module;
    EXPECT_EQ(table.splits, compareRuns(made.run, made.run).splits);

    // What is split is the same time, work and spans as what is not.
    const auto flat = groupedStatistics(*made.run, measured, TrackKind::kGpuStream, SpanGrouping::kFlat);
    EXPECT_EQ(table.instances(), flat.instances());
    std::map<std::string, std::array<double, 3>> sums;
    for (const auto* rows : {&table.rows, &flat.rows}) {
        const double sign = rows == &flat.rows ? 1 : -1;
        for (const GroupedRow& row : *rows) {
            auto& sum = sums[row.figures.name];
            sum[0] += sign * static_cast<double>(row.figures.total.value);
            sum[1] += sign * static_cast<double>(row.bytes.value_or(Bytes()).value);
            sum[2] += sign * row.figures.timeShare;
        }
    }
    for (const auto& [kernel, sum] : sums) {
        EXPECT_EQ(sum[0], 0) << kernel;
        EXPECT_NEAR(sum[1], 0, 50) << kernel << ": rounded for each module";
        EXPECT_NEAR(sum[2], 0, 1e-9) << kernel;
    }
    SpanFilter module = measured;
    module.modulePath = "blocks.0";
    EXPECT_TRUE(
        groupedStatistics(*made.run, module, TrackKind::kGpuStream, SpanGrouping::kModule).splits.empty());
}

TEST(SharedWork, InAGroupOfTheTableTheSharesOfAKernelAreOneSpan) {
    const OwnKernelRun made;
    const SpanFilter measured{.measuredOnly = true};
    const auto table = groupedStatistics(*made.run, measured, TrackKind::kGpuStream, SpanGrouping::kModule);
    std::int64_t updates = 0;
    double shares = 0;
    for (const GroupedRow& row : table.rows) {
        if (row.figures.name != "adamwKernel")
            continue;
        EXPECT_GT(row.splitOf, 0);
        EXPECT_EQ(row.ranIn, "") << "under no module";
        EXPECT_NEAR(row.figures.average * static_cast<double>(row.figures.instances),
                    static_cast<double>(row.figures.total.value), 1);
        updates = row.figures.instances;
        shares += row.group.starts_with("blocks.") ? static_cast<double>(row.figures.total.value) : 0;
    }
    ASSERT_GT(updates, 0);
    std::int64_t others = 0;
    for (const GroupedRow& row : table.rows)
        others += row.splitOf == 0 && row.group.starts_with("blocks.") ? row.figures.instances : 0;
    std::set<int> split;
    for (const GroupedRow& row : table.rows) {
        if (row.splitOf > 0 && row.group.starts_with("blocks.") && split.insert(row.splitOf).second)
            others += row.figures.instances;
    }
    for (const StatisticsNode& node : statisticsTree(table, SpanGrouping::kModule)) {
        if (node.row.group != "blocks")
            continue;
        EXPECT_EQ(node.row.figures.instances, others);
        EXPECT_GT(static_cast<double>(node.row.figures.total.value), shares);
        EXPECT_NEAR(node.row.figures.average * static_cast<double>(others),
                    static_cast<double>(node.row.figures.total.value), 2);
        EXPECT_TRUE(std::isnan(node.row.figures.median)) << "of shares and whole spans it is not known";
    }
}

/// The library's AdamW: ops for lists of tensors under no module, in one kernel or in several.
TEST(SharedWork, OfTheLibrarysOptimizerIsSplitByTheParametersOfEachModule) {
    RunByHand run;
    run.config.linear = LinearVariant::kFused;
    run.config.precision = Precision::kFp16;
    for (const auto& [op, length] : std::initializer_list<std::pair<const char*, std::int64_t>>{
             {"aten::_amp_foreach_non_finite_check_and_unscale_", 3 * kMs},
             {"aten::_fused_adamw_", 5 * kMs},
             {"aten::_fused_adamw_", 2 * kMs},
             {"aten::_foreach_copy_", 4 * kMs},
             {"aten::add_", kMs}})
        run.add(length, {.phase = Phase::kOptimizer, .module = "", .op = op});
    const auto snapshot = run.snapshot();
    ASSERT_TRUE(configOfRun(*snapshot));
    std::map<std::string, double> numbers, products;
    double allNumbers = 0, allProducts = 0;
    for (const ParameterTensor& tensor : parameterTensors(run.config.shape)) {
        const auto count = static_cast<double>(tensor.count());
        const std::string name = layerByHand(Phase::kOptimizer, tensor.module);
        numbers[name] += count;
        allNumbers += count;
        if (tensor.columns == 1 || tensor.module == "token_embeddings")
            continue;
        products[name] += count;
        allProducts += count;
    }
    ASSERT_EQ(numbers.size(), 15u) << "twelve blocks and three more";
    const Layers layers = layersOf(*snapshot, {});
    EXPECT_EQ(layers.rows.size(), 17u) << "and the loss, and the rest";
    double all = 0;
    for (const LayerRow& row : layers.rows) {
        const double expected = row.name == "rest" ? kMs
                                                   : 10 * kMs * numbers[row.name] / allNumbers +
                                                         4 * kMs * products[row.name] / allProducts;
        EXPECT_NEAR(row.optimizer, expected, 20) << row.name;
        all += row.optimizer;
    }
    EXPECT_NEAR(all, 15 * kMs, 1e-6);
    // One name of all of these kernels, and a row for each op.
    const auto table =
        groupedStatistics(*snapshot, {.measuredOnly = true}, TrackKind::kGpuStream, SpanGrouping::kModule);
    std::map<std::string, double> times;
    for (const auto& [module, time] : timesOfTable(table))
        times[module.empty() ? "rest" : layerByHand(Phase::kOptimizer, module)] += time;
    for (const LayerRow& row : layers.rows)
        EXPECT_NEAR(times[row.name], row.optimizer * 2, 100) << row.name << ": of two steps";
    std::set<std::pair<std::string, std::string>> groups;
    std::set<std::tuple<std::string, std::string, std::size_t>> keys;
    for (const GroupedRow& row : table.rows) {
        groups.insert({row.group, row.ranIn});
        EXPECT_TRUE(keys.insert({row.group, row.ranIn, row.kind}).second) << row.group;
    }
    EXPECT_GT(keys.size(), groups.size()) << "of one name in one group, and told apart";
}

/// Whatever a run has, its times by module add up to what its rows take.
void expectNothingLost(const Snapshot& run) {
    SharedWork shared(run);
    std::int64_t whole = 0, parts = 0;
    const WorkTimes times = workTimes(run);
    for (const WorkRow& row : times.rows) {
        std::int64_t ofRow = 0;
        for (const SharedWork::Share& share : shared.sharesOf(row))
            ofRow += share.time;
        EXPECT_EQ(ofRow, row.time) << run.name(row.kernel);
        whole += row.time;
        parts += ofRow;
    }
    EXPECT_EQ(whole, parts);
    const FlameTree flame = timeFlame(run, {}, false);
    EXPECT_EQ(flame.empty() ? 0 : flame.nodes.front().value, whole);
    const Layers layers = layersOf(run, {});
    EXPECT_EQ(std::llround(layers.time() * static_cast<double>(std::max<std::int64_t>(1, times.steps))),
              whole);
}

TEST(SharedWork, OfASampleIsNothingLost) {
    for (const char* name :
         {"small-bf16-fused", "small-bf16-flash", "small-bf16-graph", "small-fp32-naive", "small-no-warmup",
          "xl-bf16-step", "xl-bf16-forward", "attention-clocks", "large-fp32-out-of-memory"}) {
        SCOPED_TRACE(name);
        const auto run = openSampleRun(name);
        expectNothingLost(*run);
        const Layers layers = layersOf(*run, {});
        const bool updates =
            std::string_view(name).starts_with("small") || name == std::string("xl-bf16-step");
        EXPECT_EQ(!layers.splits.empty(), updates);
    }
    const Layers fused = layersOf(*openSampleRun("small-bf16-fused"), {});
    EXPECT_EQ(fused.splits.size(), 2u);
    EXPECT_LT(fused.rows.back().time(), 5'000) << "the count of steps, and copies of tokens";
}

/// A file can state thousands of blocks and any number of kernels under the optimizer.
TEST(SharedWork, HasABoundAndNeverSplitsARowOnlyAtTimes) {
    RunConfig config{.model = std::string(kCustomModel),
                     .shape = {.vocabulary = 256, .dModel = 64, .dFf = 64, .layers = 4096, .heads = 1},
                     .device = "cuda:0"};
    std::string text = "info state finished\n step 0 0-1ms\n";
    constexpr int kKernels = 40;
    for (int i = 0; i < kKernels; ++i)
        text += "  kernel kernel" + std::to_string(i) + " " + std::to_string(i * 1000) + "-" +
                std::to_string(i * 1000 + 500) + " phase optimizer module \"\" op aten::_fused_adamw_\n";
    const auto run = traceOf(text, toPairs(config));
    ASSERT_TRUE(configOfRun(*run));
    SharedWork shared(*run);
    const WorkTimes times = workTimes(*run);
    std::vector<std::size_t> shares;
    std::size_t all = 0;
    for (int turn = 0; turn < 2; ++turn) {
        std::vector<std::size_t> now;
        for (const WorkRow& row : times.rows)
            now.push_back(shared.sharesOf(row).size());
        if (turn == 0)
            shares = now;
        EXPECT_EQ(now, shares) << "the same at every time of asking";
    }
    for (const std::size_t count : shares)
        all += count;
    ASSERT_EQ(shares.size(), static_cast<std::size_t>(kKernels));
    EXPECT_GT(shares.front(), 20'000U);
    EXPECT_EQ(shares.back(), 1U) << "it stays where it was recorded";
    EXPECT_LT(all, SharedWork::kMostModules + shares.front() + kKernels);
    EXPECT_THAT(shared.sentences(), testing::Contains(HasSubstr("it is for too many of them")));
    expectNothingLost(*run);
}

TEST(SharedWork, OfRandomRunsIsNothingLostAndNothingSplitWithoutAModel) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const RandomRun run({.seed = seed});
        expectNothingLost(*run.snapshot());
    }
    // The same kernels without a configuration, of attention alone and of the CPU.
    const char* const text = R"(
        info state finished
        step 0 0-1ms
          kernel adamwKernel 0-500 phase optimizer module "" op warpglass::adamw
          kernel fusedNormKernel 500-900 phase forward module blocks.1.norm1 op warpglass::fused_norm
          kernel multi_tensor_apply_kernel 900-950 phase optimizer module "" op aten::_fused_adamw_
    )";
    RunConfig attention{.workload = Workload::kAttention, .device = "cuda:0"};
    for (const auto& info : {InfoPairs(), toPairs(attention)}) {
        const auto run = traceOf(text, info);
        expectNothingLost(*run);
        EXPECT_TRUE(layersOf(*run, {}).splits.empty());
        EXPECT_TRUE(timeFlame(*run, {}, false).splits.empty());
        EXPECT_TRUE(compareRuns(run, run).splits.empty());
    }
}

}  // namespace warpglass::test::shared_work_test
