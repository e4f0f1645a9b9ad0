// Our kernels in the table of kernels, the roofline and the inspector's figures, against sums over their
// launches made the slow way.
#include "engine/query/model/own_kernel_work.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "engine/plan/parts.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/model/span_roof.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "tests/support/must.h"
#include "tests/support/own_kernel_run.h"
#include "tests/support/timeline_of.h"

namespace warpglass::test::own_kernel_work_test {

/// What some launches of one step do.
struct Sum {
    std::int64_t flops = 0, bytes = 0, notMoved = 0, time = 0;

    double share() const {
        const double rate = static_cast<double>(bytes) / (static_cast<double>(time) / 1e9);
        return std::min(1.0, rate / OwnKernelRun::kCopyRate);
    }
};

template <class Key>
std::map<Key, Sum> sums(const OwnKernelRun& made,
                        const std::function<Key(const OwnKernelRun::Launch&)>& keyOf) {
    std::map<Key, Sum> all;
    for (const OwnKernelRun::Launch& launch : made.launches) {
        const auto work = ownKernelWork(made.config, launch.kernel, launch.module);
        if (!work)
            continue;
        Sum& sum = all[keyOf(launch)];
        sum.flops += work->flops.value;
        sum.bytes += work->moved.value;
        sum.notMoved += work->notMoved.value;
        sum.time += launch.duration;
    }
    return all;
}

SpanFilter measured() {
    return {.measuredOnly = true};
}

template <class Made>
GroupedStatistics kernelsOf(const Made& made, SpanGrouping grouping, SpanFilter filter = measured()) {
    return groupedStatistics(*made.run, filter, TrackKind::kGpuStream, grouping);
}

TEST(OwnKernelsOfARun, ARowOfTheTableHasTheWorkOfItsLaunchesAndItsShareOfMemory) {
    const OwnKernelRun made;
    const auto expected =
        sums<std::string>(made, [](const OwnKernelRun::Launch& launch) { return launch.kernel; });
    ASSERT_EQ(expected.size(), 14u);
    std::size_t found = 0;
    for (const GroupedRow& row : kernelsOf(made, SpanGrouping::kFlat).rows) {
        const auto sum = expected.find(row.figures.name);
        if (sum == expected.end()) {
            EXPECT_EQ(row.figures.name, "a_gemm");
            EXPECT_FALSE(row.notMoved);
            continue;
        }
        ++found;
        SCOPED_TRACE(row.figures.name);
        ASSERT_TRUE(row.flops && row.bytes && row.notMoved && row.shareOfPeak);
        EXPECT_EQ(row.flops->value, sum->second.flops * OwnKernelRun::kSteps);
        EXPECT_EQ(row.bytes->value, sum->second.bytes * OwnKernelRun::kSteps);
        EXPECT_EQ(row.notMoved->value, sum->second.notMoved * OwnKernelRun::kSteps);
        EXPECT_DOUBLE_EQ(*row.shareOfPeak, sum->second.share());
        EXPECT_EQ(*row.shareOfPeak == 1, row.figures.name == "crossEntropyMeanKernel")
            << "one that beats memory lowers no other's share";
    }
    EXPECT_EQ(found, expected.size());
}

TEST(OwnKernelsOfARun, AGroupHasWhatOfTheirWorkIsForIt) {
    const OwnKernelRun made;
    std::map<std::string, std::array<double, 3>> expected;
    for (const OwnKernelRun::Launch& launch : made.launches) {
        const auto work = ownKernelWork(made.config, launch.kernel, launch.module);
        if (!work)
            continue;
        const OwnKernel* const kernel = ownKernel(made.config, launch.kernel)->kernel;
        ServedModules served;
        if (kernel->serves)
            served = kernel->serves(made.config, launch.module);
        if (served.empty())
            served = {{launch.module, work->moved}};
        double all = 0;
        for (const ServedModule& each : served)
            all += static_cast<double>(each.moved.value);
        for (const ServedModule& each : served) {
            const double share = OwnKernelRun::kSteps * static_cast<double>(each.moved.value) / all;
            auto& sum = expected[each.module];
            sum[0] += share * static_cast<double>(work->moved.value);
            sum[1] += share * static_cast<double>(work->flops.value);
            sum[2] += share * static_cast<double>(work->notMoved.value);
        }
    }
    const auto byModule = kernelsOf(made, SpanGrouping::kModule);
    std::map<std::string, const StatisticsNode*> nodes;
    const std::vector<StatisticsNode> tree = statisticsTree(byModule, SpanGrouping::kModule);
    const std::function<void(const StatisticsNode&)> walk = [&](const StatisticsNode& node) {
        if (node.isGroup)
            nodes[node.row.group] = &node;
        std::for_each(node.children.begin(), node.children.end(), walk);
    };
    std::for_each(tree.begin(), tree.end(), walk);
    for (const char* module : {"blocks.0.norm1", "blocks.1.norm2", "norm", "blocks.0.attn", ""}) {
        SCOPED_TRACE(module);
        ASSERT_TRUE(nodes.contains(module));
        const GroupedRow& row = nodes.at(module)->row;
        std::array<double, 3> within{};  // the group and what lies in it
        for (const auto& [served, work] : expected) {
            for (std::size_t i = 0; i < within.size(); ++i)
                within[i] += served == module || (*module != 0 && isWithin(served, module)) ? work[i] : 0;
        }
        constexpr double kRounding = 10;  // of each row and module
        EXPECT_NEAR(static_cast<double>(row.bytes.value_or(Bytes()).value), within[0], kRounding);
        EXPECT_NEAR(static_cast<double>(row.flops.value_or(Flops()).value), within[1], kRounding);
        EXPECT_NEAR(static_cast<double>(row.notMoved.value_or(Bytes()).value), within[2], kRounding);
        EXPECT_FALSE(row.shareOfPeak) << "of GEMMs alone, and there is none";
    }
    EXPECT_TRUE(nodes.at("blocks")->row.shareOfPeak) << "its GEMMs'";
}

TEST(OwnKernelsOfARun, EachLaunchIsKnownWhereAFilterCutsThem) {
    const OwnKernelRun made;
    SpanFilter filter{.step = 2, .modulePath = "blocks.1.norm1"};
    for (const GroupedRow& row : kernelsOf(made, SpanGrouping::kFlat, filter).rows) {
        const auto work = ownKernelWork(made.config, row.figures.name, "blocks.1.norm1");
        ASSERT_TRUE(work && row.bytes) << row.figures.name;
        EXPECT_EQ(*row.bytes, work->moved);
    }
    const std::vector<RooflinePoint> points = roofline(*made.run, filter);
    ASSERT_EQ(points.size(), 3u);
    for (const RooflinePoint& point : points)
        EXPECT_EQ(point.bytes, ownKernelWork(made.config, point.kernel, "blocks.1.norm1")->moved);
}

TEST(OwnKernelsOfARun, AreTheRooflinesPointsBesideItsGemms) {
    const OwnKernelRun made, ofLibrary(false);
    using Key = std::pair<Phase, std::string>;
    const auto expected =
        sums<Key>(made, [](const OwnKernelRun::Launch& launch) { return Key(launch.phase, launch.kernel); });
    std::vector<RooflinePoint> gemms;
    PlanPhase last = PlanPhase::kForward;
    std::size_t found = 0;
    for (const RooflinePoint& point : roofline(*made.run)) {
        EXPECT_GE(point.phase, last);
        last = point.phase;
        if (!point.isOwnKernel) {
            gemms.push_back(point);
            continue;
        }
        ++found;
        SCOPED_TRACE(point.name);
        EXPECT_EQ(point.name, kernelTitle(point.kernel, ""));
        EXPECT_NE(point.name, point.kernel);
        const auto phase = static_cast<Phase>(std::ranges::find(kPhaseNames, planPhaseName(point.phase)) -
                                              kPhaseNames.begin());
        const Sum& sum = expected.at({phase, point.kernel});
        EXPECT_EQ(point.flops.value, sum.flops);
        EXPECT_EQ(point.bytes.value, sum.bytes);
        EXPECT_EQ(point.notMoved.value, sum.notMoved);
        EXPECT_DOUBLE_EQ(point.time, static_cast<double>(sum.time));
        EXPECT_NEAR(point.share().value_or(0), sum.share(), 1e-12);
    }
    EXPECT_EQ(found, static_cast<std::size_t>(std::ranges::count_if(
                         expected, [](const auto& each) { return each.second.flops > 0; })));
    EXPECT_LT(found, expected.size()) << "one puts tokens in order and computes nothing";
    std::vector<RooflinePoint> before = roofline(*ofLibrary.run);
    std::erase_if(before, [](const RooflinePoint& point) { return point.isUpdate; });
    ASSERT_EQ(gemms.size(), 1u);
    ASSERT_EQ(before.size(), 1u) << "kernels of such names are not ours where the run has the library's";
    EXPECT_EQ(gemms[0].name, before[0].name);
    EXPECT_EQ(gemms[0].flops, before[0].flops);
    EXPECT_EQ(gemms[0].bytes, before[0].bytes);
    EXPECT_EQ(gemms[0].time, before[0].time);
    EXPECT_EQ(gemms[0].attainableFlopsPerSecond, before[0].attainableFlopsPerSecond);

    // The least traffic of a step is that of its GEMMs and of one update.
    const auto traffic = must(overviewOf(timelineOf(made.run)).traffic);
    EXPECT_EQ(traffic.perStep, gemms[0].bytes + updateMoves(made.config));
}

TEST(OwnKernelsOfARun, OneSaysWhatItDidAndWhatItStandsFor) {
    const OwnKernelRun made, ofLibrary(false);
    const auto span = ownKernelSpan(*made.run, "fusedNormKernel", "blocks.1.norm2", Nanoseconds(1000));
    ASSERT_TRUE(span && span->work);
    EXPECT_EQ(span->work->moved.value, 64 * 64 * (8 + 2 * 2));
    EXPECT_DOUBLE_EQ(*span->bytesPerSecond, 64.0 * 64 * 12 / 1e-6);
    EXPECT_DOUBLE_EQ(*span->shareOfRoof, 64.0 * 64 * 12 / 1e-6 / OwnKernelRun::kCopyRate);
    EXPECT_EQ(span->sentence,
              "The norm adds the branch to the residual stream and normalizes it, in one kernel.");
    EXPECT_EQ(*ownKernelSpan(*made.run, "adamwKernel", "", Nanoseconds(1))->shareOfRoof, 1);
    EXPECT_FALSE(ownKernelSpan(*made.run, "adamwKernel", "", Nanoseconds())->bytesPerSecond);
    EXPECT_FALSE(ownKernelSpan(*made.run, "fusedNormKernel", "", Nanoseconds(1))->work) << "which norm?";
    EXPECT_FALSE(ownKernelSpan(*made.run, "a_gemm", "blocks.0.ffn.w2", Nanoseconds(1)));
    EXPECT_FALSE(ownKernelSpan(*ofLibrary.run, "adamwKernel", "", Nanoseconds(1)));
}

/// Flash attention in two measured steps, and a GEMM beside it.
struct FlashRun {
    static constexpr std::int64_t kBlocks = 2, kForward = 3000, kPrepare = 1000, kGradients = 9000,
                                  kQueries = 2000, kGemm = 5000;

    /// `faster`: the kernel of k's and v's gradients takes so many times less.
    explicit FlashRun(std::int64_t faster = 1) {
        config = OwnKernelRun().config;
        WG_CHECK(takeOwnParts(kLibraryKernels, config));
        config.attention = AttentionVariant::kFlash;
        WG_CHECK(validate(config).empty());
        std::string text = "info state finished\n";
        for (std::int64_t step = 0; step <= OwnKernelRun::kSteps; ++step) {
            text += filled("step % %-%ms\n", step, step, step + 1);
            std::int64_t at = step * 1'000'000;
            const auto kernel = [&](const char* phase, std::int64_t block, const char* name,
                                    std::int64_t duration) {
                text += filled("  kernel % %-% phase % module \"blocks.%.attn\" op %\n", name, at,
                               at + duration, phase, block, "warpglass::flash_attention");
                at += duration;
            };
            text += filled("  kernel a_gemm %-% phase forward module \"blocks.0.ffn.w2\" op aten::mm\n", at,
                           at + kGemm);
            at += kGemm;
            for (std::int64_t block = 0; block < kBlocks; ++block) {
                kernel("forward", block, "flashForwardHopperKernel", kForward);
                kernel("backward", block, "flashPrepareHopperKernel", kPrepare);
                kernel("backward", block, "flashBackwardHopperKernel", kGradients / faster);
                kernel("backward", block, "flashQueryGradientHopperKernel", kQueries);
            }
        }
        InfoPairs info = toPairs(config);
        info.emplace_back("device.name", "NVIDIA H200");
        info.emplace_back("ceiling.measured", "2026-01-31T15:45:00Z");
        info.emplace_back("ceiling.bf16_flops_per_second", "10000000000000");
        info.emplace_back("ceiling.copy_bytes_per_second", "200000000000");
        run = traceOf(text, info);
    }

    KernelWork workOf(std::string_view kernel) const {
        return ownKernelWork(config, kernel, "blocks.0.attn").value_or(KernelWork());
    }

    RunConfig config;
    std::shared_ptr<const Snapshot> run;
};
constexpr const char* kFlashBackward[] = {"flashPrepareHopperKernel", "flashBackwardHopperKernel",
                                          "flashQueryGradientHopperKernel"};

TEST(FlashKernelsOfARun, EachHasItsWorkInTheTableAndItsShareOfItsRoof) {
    const FlashRun made;
    const GroupedStatistics table = kernelsOf(made, SpanGrouping::kFlat);
    ASSERT_EQ(table.rows.size(), 5u);
    constexpr std::int64_t kLaunches = FlashRun::kBlocks * OwnKernelRun::kSteps;
    for (const GroupedRow& row : table.rows) {
        SCOPED_TRACE(row.figures.name);
        if (row.figures.name == "a_gemm")
            continue;
        const KernelWork work = made.workOf(row.figures.name);
        ASSERT_TRUE(row.flops && row.bytes && row.notMoved && row.shareOfPeak);
        EXPECT_EQ(row.flops->value, kLaunches * work.flops.value);
        EXPECT_EQ(row.bytes->value, kLaunches * work.moved.value);
        EXPECT_EQ(row.notMoved->value, kLaunches * work.notMoved.value);
        const bool product = ownKernel(made.config, row.figures.name)->kernel->isProduct;
        const auto amount = static_cast<double>(product ? row.flops->value : row.bytes->value);
        const double rate = amount / (static_cast<double>(row.figures.total.value) / 1e9);
        EXPECT_DOUBLE_EQ(*row.shareOfPeak,
                         std::min(1.0, rate / (product ? OwnKernelRun::kPeak : OwnKernelRun::kCopyRate)));
    }
    // One by itself is known, too.
    for (const GroupedRow& row :
         groupedStatistics(*made.run, measured(), TrackKind::kGpuStream, SpanGrouping::kFlat, "flashBackward")
             .rows)
        EXPECT_EQ(row.flops->value, kLaunches * made.workOf("flashBackwardHopperKernel").flops.value);
}

TEST(FlashKernelsOfARun, ThatBeatThePeakWithWhatAMaskHidesLowerNoGemmsShare) {
    constexpr std::int64_t kFaster = 500;
    const FlashRun made, fast(kFaster);
    const auto sharesOf = [](const FlashRun& run) {
        std::map<std::string, double> shares;
        for (const GroupedRow& row : kernelsOf(run, SpanGrouping::kFlat).rows)
            shares[row.figures.name] = row.shareOfPeak.value_or(0);
        return shares;
    };
    EXPECT_DOUBLE_EQ(sharesOf(fast).at("flashBackwardHopperKernel"), 1);
    EXPECT_LT(sharesOf(made).at("flashBackwardHopperKernel"), 1);
    EXPECT_GT(sharesOf(made).at("a_gemm"), 0);
    EXPECT_DOUBLE_EQ(sharesOf(fast).at("a_gemm"), sharesOf(made).at("a_gemm"));
    const auto tree = statisticsTree(kernelsOf(fast, SpanGrouping::kModule), SpanGrouping::kModule);
    for (const StatisticsNode& node : tree)
        EXPECT_LE(node.row.shareOfPeak.value_or(0), 1) << node.row.group;
}

TEST(FlashKernelsOfARun, AModuleHasTheirWorkOnce) {
    const FlashRun made;
    std::int64_t flops = made.workOf("flashForwardHopperKernel").flops.value, products = flops;
    std::int64_t bytes = made.workOf("flashForwardHopperKernel").moved.value;
    for (const char* kernel : kFlashBackward) {
        flops += made.workOf(kernel).flops.value;
        bytes += made.workOf(kernel).moved.value;
    }
    products += made.workOf("flashBackwardHopperKernel").flops.value;
    const GroupedStatistics table = kernelsOf(made, SpanGrouping::kModule);
    ASSERT_EQ(table.groups.size(), 3u);
    for (const GroupedStatistics::Work& work : table.groups) {
        if (!work.group.ends_with(".attn"))
            continue;
        EXPECT_EQ(work.flops.value_or(Flops()).value, OwnKernelRun::kSteps * flops);
        EXPECT_EQ(work.bytes.value_or(Bytes()).value, OwnKernelRun::kSteps * bytes);
        EXPECT_EQ(work.ofProducts.value, OwnKernelRun::kSteps * products);
    }
}

TEST(FlashKernelsOfARun, AreTheirAttentionsPointOfTheRoofline) {
    const FlashRun made;
    std::vector<RooflinePoint> points = roofline(*made.run);
    std::erase_if(points, [](const RooflinePoint& point) { return point.name == "blocks.*.ffn.w2"; });
    ASSERT_EQ(points.size(), 2u) << "no kernel has one besides";
    const auto blocks = static_cast<double>(FlashRun::kBlocks);
    std::int64_t notMoved = 0;
    for (const char* kernel : kFlashBackward)
        notMoved += made.workOf(kernel).notMoved.value;
    for (const RooflinePoint& point : points) {
        EXPECT_EQ(point.name, "blocks.*.attn");
        EXPECT_FALSE(point.isOwnKernel);
    }
    EXPECT_EQ(points[0].flops, made.workOf("flashForwardHopperKernel").flops * FlashRun::kBlocks);
    EXPECT_EQ(points[1].flops, made.workOf("flashBackwardHopperKernel").flops * FlashRun::kBlocks);
    EXPECT_EQ(points[0].bytes, made.workOf("flashForwardHopperKernel").moved * FlashRun::kBlocks);
    EXPECT_DOUBLE_EQ(points[0].time, blocks * FlashRun::kForward);
    EXPECT_DOUBLE_EQ(points[1].time,
                     blocks * (FlashRun::kPrepare + FlashRun::kGradients + FlashRun::kQueries));
    EXPECT_EQ(points[0].notMoved, made.workOf("flashForwardHopperKernel").notMoved * FlashRun::kBlocks);
    EXPECT_EQ(points[1].notMoved.value, notMoved * FlashRun::kBlocks);
}

TEST(FlashKernelsOfARun, OneSaysWhatItDidAndLeavesAProductsRoofToTheRoofline) {
    const FlashRun made;
    const auto spanOf = [&](const char* kernel) {
        return ownKernelSpan(*made.run, kernel, "blocks.0.attn", Nanoseconds(1000)).value_or(OwnKernelSpan());
    };
    const OwnKernelSpan product = spanOf("flashBackwardHopperKernel"),
                        rows = spanOf("flashPrepareHopperKernel");
    ASSERT_TRUE(product.work && rows.work);
    EXPECT_TRUE(product.isProduct && !rows.isProduct);
    EXPECT_FALSE(product.bytesPerSecond || product.shareOfRoof);
    EXPECT_TRUE(rows.bytesPerSecond && rows.shareOfRoof);
    EXPECT_THAT(product.sentence, testing::StartsWith("Attention computes its scores tile by tile"));
    const LaneId lane = made.run->lanesOf(made.run->tracksOfKind(TrackKind::kGpuStream).front())[0].id();
    const auto roof = spanRoof(*made.run, SpanRef{lane, 3});
    ASSERT_TRUE(roof) << "a backward kernel of several";
    EXPECT_EQ(roof->memory, static_cast<double>(product.work->flops.value) / OwnKernelRun::kPeak <
                                static_cast<double>(product.work->moved.value) / OwnKernelRun::kCopyRate);
    EXPECT_NEAR(roof->reached,
                static_cast<double>(roof->memory ? product.work->moved.value : product.work->flops.value) /
                    (FlashRun::kGradients / 1e9),
                1);
}

}  // namespace warpglass::test::own_kernel_work_test
