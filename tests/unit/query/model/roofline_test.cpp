#include "engine/query/model/roofline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/plan/parameters.h"
#include "engine/plan/valid_config.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/model/matrix_products.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/span_roof.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/summary/run_summary.h"
#include "tests/support/must.h"
#include "tests/support/own_kernel_run.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::roofline_test {

/// Two blocks of width 64 and 256, 2 × 32 tokens, a vocabulary of 1,000.
RunConfig smallConfig(Precision precision, AttentionVariant attention = AttentionVariant::kNaive) {
    RunConfig config{.model = "custom",
                     .shape = {1000, 64, 256, 2, 4},
                     .context = 32,
                     .batch = 2,
                     .precision = precision,
                     .attention = attention,
                     .device = "cuda:0",
                     .warmup = 1,
                     .steps = 2};
    EXPECT_TRUE(validate(config).empty());
    return config;
}

/// A GPU run with one kernel for each of some launches, in a warm-up step and two measured ones of 1 ms.
class KernelRun {
public:
    explicit KernelRun(const RunConfig& config) : m_info(toPairs(config)) {
        setInfo("device.name", "NVIDIA H200");
    }
    void launch(std::string_view op, Phase phase, std::string_view module, std::string_view part,
                std::int64_t duration, std::string_view kernel = "some_kernel_name") {
        m_launches.push_back(
            {filled("phase % module \"%\" part \"%\" op %", phaseName(phase), module, part, op),
             std::string(kernel), duration});
    }
    void setInfo(const std::string& key, const std::string& value) { m_info.emplace_back(key, value); }
    /// The last step ends after so many launches, for want of memory.
    std::shared_ptr<const Snapshot> failAfter(std::size_t launches) {
        m_launchesOfLast = launches;
        m_state = run_state::kFailed;
        setInfo("steps.completed", "2");
        return finish();
    }
    std::shared_ptr<const Snapshot> finish() {
        std::string text = filled("info state %\n", m_state);
        for (int step = 0; step < 3; ++step) {
            text += filled("step % %-%ms\n", step, step, step + 1);
            std::int64_t at = step * 1'000'000;
            for (std::size_t i = 0; i < m_launches.size() && (step < 2 || i < m_launchesOfLast); ++i) {
                const Launch& launch = m_launches[i];
                // Warm-up takes ten times as long, and must not count.
                const std::int64_t end = at + (step == 0 ? 10 : 1) * launch.duration;
                text += filled("  kernel % %-% %\n", launch.kernel, at, end, launch.where);
                at = end;
            }
        }
        return traceOf(text, m_info);
    }

private:
    struct Launch {
        std::string where, kernel;
        std::int64_t duration;
    };
    InfoPairs m_info;
    std::vector<Launch> m_launches;
    std::size_t m_launchesOfLast = static_cast<std::size_t>(-1);
    std::string_view m_state = run_state::kFinished;
};

TEST(ModuleGroup, TakesTheBlocksTogether) {
    EXPECT_EQ(moduleGroup("blocks.7.attn.q_proj"), "blocks.*.attn.q_proj");
    EXPECT_EQ(moduleGroup("blocks.12"), "blocks.*");
    for (const char* other : {"", "norm", "lm_head", "blocks", "blocks.", "blocks..x", "blocks.x.y",
                              "blocks.7x.attn", "my.blocks.7.attn"})
        EXPECT_EQ(moduleGroup(other), other);
}

TEST(ModulesAround, AreThePathAndWhatHoldsIt) {
    using Paths = std::vector<std::string_view>;
    EXPECT_EQ(modulesAround("blocks.7.attn"), (Paths{"blocks", "blocks.7", "blocks.7.attn"}));
    EXPECT_EQ(modulesAround("norm"), Paths{"norm"});
    EXPECT_EQ(modulesAround(""), Paths());
    EXPECT_EQ(modulesAround("a."), (Paths{"a", "a."}));
}

TEST(ModulesAround, OfACraftedPathAreFew) {
    std::string deep, longest(kLongestModulePath, 'x');
    for (int i = 0; i < 1'000'000; ++i)
        deep += "a.";
    EXPECT_EQ(modulesAround(deep).size(), kMostModuleLevels);
    EXPECT_EQ(modulesAround(longest).size(), 1u);
    EXPECT_TRUE(modulesAround(longest + "x").empty());
    EXPECT_EQ(modulesAround("a." + longest), std::vector<std::string_view>{"a"});
}

TEST(Roofline, AProductsPointIsItsArithmeticOverItsKernelsTime) {
    KernelRun run(smallConfig(Precision::kBf16));
    run.launch("aten::mm", Phase::kForward, "blocks.0.ffn.w1", "", 1000);
    run.launch("aten::mm", Phase::kForward, "blocks.1.ffn.w1", "", 3000);
    run.launch("aten::copy_", Phase::kForward, "blocks.1.ffn.w1", "", 50000);  // a cast is no product
    run.launch("aten::mm", Phase::kBackward, "blocks.0.ffn.w1", "", 2500);
    run.launch("aten::mm", Phase::kBackward, "blocks.1.ffn.w1", "", 2500);
    run.launch("aten::bmm", Phase::kForward, "blocks.0.attn", "scores", 700);
    run.launch("aten::_softmax", Phase::kForward, "blocks.0.attn", "softmax", 9000);
    run.launch("aten::mm", Phase::kOptimizer, "", "", 9000);
    run.setInfo("ceiling.bf16_flops_per_second", "10000000000000");
    run.setInfo("ceiling.copy_bytes_per_second", "200000000000");
    const std::vector<RooflinePoint> points = roofline(*run.finish());
    ASSERT_EQ(points.size(), 4u);
    EXPECT_TRUE(points[3].isUpdate);

    EXPECT_EQ(points[0].name, "blocks.*.attn/scores");
    // A kernel of only one block was recorded, but the arithmetic is both blocks'.
    EXPECT_EQ(points[0].flops, Flops(2 * (2 * 64 * 32 * 64)));
    EXPECT_EQ(points[0].bytes, Bytes(2 * 2 * (2 * 64 * 64 + 64 * 32 * 4)));
    EXPECT_DOUBLE_EQ(points[0].time, 700);

    const RooflinePoint& w1 = points[1];
    EXPECT_EQ(w1.name, "blocks.*.ffn.w1");
    EXPECT_EQ(w1.phase, PlanPhase::kForward);
    EXPECT_EQ(w1.flops, Flops(2 * (2 * 64 * 64 * 256)));  // two blocks of 2 · tokens · in · out
    EXPECT_EQ(w1.bytes, Bytes(2 * 2 * (64 * 64 + 64 * 256 + 64 * 256)));
    EXPECT_DOUBLE_EQ(w1.time, 4000);
    EXPECT_DOUBLE_EQ(w1.flopsPerSecond(), 4194304 / 4e-6);
    EXPECT_DOUBLE_EQ(w1.intensity(), 4194304.0 / 147456);
    EXPECT_DOUBLE_EQ(*w1.attainableFlopsPerSecond, 4194304.0 / 147456 * 2e11) << "bound by memory";
    EXPECT_DOUBLE_EQ(*w1.share(), w1.flopsPerSecond() / *w1.attainableFlopsPerSecond);

    EXPECT_EQ(points[2].phase, PlanPhase::kBackward);
    EXPECT_EQ(points[2].flops, w1.flops * 2);
    EXPECT_EQ(points[2].bytes, w1.bytes * 2);
    EXPECT_DOUBLE_EQ(points[2].time, 5000);
}

TEST(Roofline, AStepThatWasCutOffDidOnlyWhatRanOfIt) {
    KernelRun recorded(smallConfig(Precision::kBf16));
    for (const char* module : {"blocks.0.ffn.w1", "blocks.1.ffn.w1"})
        recorded.launch("aten::mm", Phase::kForward, module, "", 1000, "ampere_sgemm_128x64_nn");
    const auto run = recorded.failAfter(1);
    WorkScope whole, cutOff;
    whole.filter.step = 1;
    cutOff.filter.step = 2;
    const std::vector<RooflinePoint> all = roofline(*run, whole), part = roofline(*run, cutOff);
    ASSERT_EQ(all.size(), 1u);
    ASSERT_EQ(part.size(), 1u);
    EXPECT_DOUBLE_EQ(all[0].time, 2000);
    EXPECT_DOUBLE_EQ(part[0].time, 1000);
    EXPECT_EQ(part[0].flops * 2, all[0].flops);
    EXPECT_EQ(part[0].bytes * 2, all[0].bytes);
    EXPECT_TRUE(isOfWholeSteps(*run, whole));
    EXPECT_FALSE(isOfWholeSteps(*run, cutOff)) << "the plan is not what ran";
}

TEST(Roofline, FusedAttentionIsOnePointWithItsRecomputation) {
    KernelRun run(smallConfig(Precision::kBf16, AttentionVariant::kSdpaFlash));
    run.launch("aten::_flash_attention_forward", Phase::kForward, "blocks.0.attn", "", 500);
    run.launch("aten::_flash_attention_backward", Phase::kBackward, "blocks.0.attn", "", 1500);
    const std::vector<RooflinePoint> points = roofline(*run.finish());
    ASSERT_EQ(points.size(), 2u);
    const std::int64_t product = 2 * 64 * 32 * 64, vectors = 64 * 64 * 2;  // bytes of q, in bf16
    EXPECT_EQ(points[0].name, "blocks.*.attn");
    EXPECT_EQ(points[0].flops, Flops(2 * 2 * product));
    EXPECT_EQ(points[0].bytes, Bytes(2 * 4 * vectors));
    EXPECT_EQ(points[1].flops, Flops(2 * 5 * product));
    EXPECT_EQ(points[1].bytes, Bytes(2 * 8 * vectors));
    // No ceiling was measured: the data sheet's.
    EXPECT_DOUBLE_EQ(*points[0].attainableFlopsPerSecond, std::min(989.4e12, points[0].intensity() * 4.8e12));
}

TEST(Roofline, TimesAreThoseOfEveryProductOfTheMeasuredSteps) {
    // A CPU run: the ops' own times, added up the slow way.
    SyntheticOptions options;
    const auto snapshot = makeSyntheticRun(options);
    std::map<std::pair<Phase, std::string>, double> expected;
    for (const NaiveSpan& span : allSpans(*snapshot)) {
        const OpFamily family = opFamily(snapshot->name(span.row.name), Phase::kNone);
        if (span.kind != TrackKind::kCpuThread || span.row.step < options.config.warmup ||
            (family != OpFamily::kMatmul && family != OpFamily::kAttention))
            continue;
        const std::string part(snapshot->name(span.place.part));
        expected[{span.place.phase, moduleGroup(span.module) + (part.empty() ? "" : "/" + part)}] +=
            static_cast<double>(span.row.self) / static_cast<double>(options.config.steps);
    }
    const std::vector<RooflinePoint> points = roofline(*snapshot);
    ASSERT_EQ(points.size(), 10u) << "what the synthetic model names as the real one does";
    for (const RooflinePoint& point : points) {
        const Phase phase = point.phase == PlanPhase::kForward ? Phase::kForward : Phase::kBackward;
        EXPECT_NEAR(point.time, (expected[{phase, point.name}]), 1e-6) << point.name;
        EXPECT_GT(point.flops.value, 0);
        EXPECT_GT(point.bytes.value, 0);
        EXPECT_FALSE(point.attainableFlopsPerSecond);
    }
}

TEST(Roofline, TheLibrarysUpdateIsAPointOfAllItsKernels) {
    const RunConfig config = smallConfig(Precision::kFp32);
    KernelRun run(config);
    run.launch("aten::mm", Phase::kForward, "lm_head", "", 5'000);
    run.launch("aten::_fused_adamw_", Phase::kOptimizer, "", "", 30'000, "multi_tensor_apply_kernel");
    run.launch("aten::_fused_adamw_", Phase::kOptimizer, "", "", 10'000, "multi_tensor_apply_kernel");
    run.launch("aten::add_", Phase::kOptimizer, "", "", 2'000, "elementwise_kernel");
    const auto snapshot = run.finish();
    const std::vector<RooflinePoint> points = roofline(*snapshot);
    ASSERT_EQ(points.size(), 2u);
    const RooflinePoint& update = points.back();
    EXPECT_TRUE(update.isUpdate && !update.isOwnKernel);
    EXPECT_EQ(update.phase, PlanPhase::kOptimizer);
    EXPECT_EQ(update.kernel, "multi_tensor_apply_kernel");
    EXPECT_DOUBLE_EQ(update.time, 42'000);
    // p, g, m and v are read, p, m and v written, 4 bytes each; 14 operations for each parameter.
    const std::int64_t parameters = parameterCount(config.shape);
    EXPECT_EQ(update.bytes.value, 28 * parameters);
    EXPECT_EQ(update.flops.value, 14 * parameters);
    EXPECT_EQ(update.rank, 1);
    EXPECT_EQ(points.front().rank, 2);

    WorkScope forward;
    forward.filter.phase = Phase::kForward;
    EXPECT_EQ(roofline(*snapshot, forward).size(), 1u);
    WorkScope cut;  // of which it is not known how much of the update it has
    cut.filter.ranges = {{Nanoseconds(1'000'000), Nanoseconds(1'020'000)}};
    for (const RooflinePoint& point : roofline(*snapshot, cut))
        EXPECT_FALSE(point.isUpdate);
}

TEST(Roofline, AnUpdateOfOursIsNotCountedTwice) {
    RunConfig config = smallConfig(Precision::kBf16);
    config.optimizer = OptimizerVariant::kFused;
    KernelRun run(config);
    run.launch("aten::mm", Phase::kForward, "lm_head", "", 5'000);
    run.launch("warpglass::adamw", Phase::kOptimizer, "", "", 30'000, "adamwKernel");
    for (const RooflinePoint& point : roofline(*run.finish())) {
        EXPECT_FALSE(point.isUpdate);
        EXPECT_EQ(point.isOwnKernel, point.phase == PlanPhase::kOptimizer);
        EXPECT_EQ(point.name, point.isOwnKernel ? "fused adamw fp32" : "lm_head");
    }
}

TEST(Roofline, OfAGpuRunWithoutKernelsThereIsNoPoint) {
    // What its ops took on the CPU is the time of launching, which no ceiling of the GPU bounds.
    SyntheticOptions options;
    options.config.device = "cuda:0";
    const auto ofGpu = makeSyntheticRun(options);
    EXPECT_TRUE(lacksKernels(*ofGpu));
    EXPECT_TRUE(roofline(*ofGpu).empty());
    const auto ofCpu = makeSyntheticRun({});
    EXPECT_FALSE(lacksKernels(*ofCpu));
    EXPECT_FALSE(roofline(*ofCpu).empty());
    // No ceiling, no configuration: nothing is known to be lacking.
    EXPECT_FALSE(lacksKernels(*traceOf()));
}

TEST(ModelUtilization, IsTheModelsProductsOverTheCeiling) {
    KernelRun run(smallConfig(Precision::kBf16, AttentionVariant::kSdpaFlash));
    run.setInfo("ceiling.bf16_flops_per_second", "700000000000");
    run.setInfo("ceiling.fp32_flops_per_second", "1");
    const auto snapshot = run.finish();
    const MemoryTimeline memory = timelineOf(snapshot);
    const auto mfu = must(summarizeRun(memory).utilization);
    // Per block: 4 projections, 3 of the feed-forward, scores and values; forward once, backward twice.
    const std::int64_t block = 4 * 2 * 64 * 64 * 64 + 3 * 2 * 64 * 64 * 256 + 2 * 2 * 64 * 32 * 64;
    const std::int64_t all = 3 * (2 * block + 2 * 64 * 64 * 1000);
    EXPECT_EQ(mfu.modelFlops, Flops(all)) << "what flash computes twice is no work of the model";
    EXPECT_DOUBLE_EQ(mfu.flopsPerSecond, static_cast<double>(all) / 1e-3);
    EXPECT_DOUBLE_EQ(*mfu.ofMeasured(), static_cast<double>(all) / 1e-3 / 7e11);
    EXPECT_DOUBLE_EQ(*mfu.ofDataSheet(), static_cast<double>(all) / 1e-3 / 989.4e12);
    EXPECT_EQ(mfu.ceilings.source, "NVIDIA H200 data sheet");
}

TEST(ModelUtilization, IsComparedWhereEitherRunHasACeiling) {
    KernelRun a(smallConfig(Precision::kFp32)), b(smallConfig(Precision::kBf16));
    b.setInfo("ceiling.bf16_flops_per_second", "700000000000");
    const auto runA = a.finish(), runB = b.finish();
    const std::vector<ComparisonRow> rows = compareRuns(runA, runB).utilization;
    ASSERT_EQ(rows.size(), 2u);
    const ModelUtilization mfuA = *modelUtilization(*runA, 1e6), mfuB = *modelUtilization(*runB, 1e6);
    EXPECT_EQ(rows[0].name, "measured ceiling");
    EXPECT_FALSE(rows[0].inA);
    EXPECT_DOUBLE_EQ(rows[0].b, *mfuB.ofMeasured());
    EXPECT_EQ(rows[1].name, "data sheet");
    EXPECT_DOUBLE_EQ(rows[1].a, *mfuA.ofDataSheet());
    EXPECT_DOUBLE_EQ(rows[1].b, *mfuB.ofDataSheet());
    EXPECT_NEAR(rows[1].a / rows[1].b, 989.4 / 67, 1e-9) << "the same work in the same time";
}

TEST(ModelUtilization, OfTwoRunsOfOneDeviceAndPrecisionIsOfOneRoof) {
    const auto runWith = [](const char* ceiling, Precision precision, const char* device) {
        KernelRun run(smallConfig(precision));
        run.setInfo("device.name", device);
        run.setInfo(std::string("ceiling.") + std::string(precisionName(precision)) + "_flops_per_second",
                    ceiling);
        return run.finish();
    };
    const auto a = runWith("700000000000000", Precision::kBf16, "NVIDIA H200");
    const auto b = runWith("770000000000000", Precision::kBf16, "NVIDIA H200");
    const RunComparison one = compareRuns(a, b);
    ASSERT_EQ(one.utilization.front().name, "measured ceiling");
    EXPECT_DOUBLE_EQ(one.utilization.front().a, one.utilization.front().b)
        << "the same work in the same time";
    EXPECT_DOUBLE_EQ(one.utilization.front().b, *modelUtilization(*b, 1e6)->ofMeasured());
    EXPECT_EQ(one.utilizationNote,
              "Both are held against one ceiling, 770\u202FTFLOP/s, the highest that either run knew or "
              "reached; A's own was 700\u202FTFLOP/s.");
    EXPECT_DOUBLE_EQ(compareRuns(b, a).utilization.front().a, one.utilization.front().b);
    EXPECT_EQ(compareRuns(a, a).utilizationNote, "");

    for (const auto& other : {runWith("350000000000000", Precision::kTf32, "NVIDIA H200"),
                              runWith("350000000000000", Precision::kBf16, "NVIDIA A100")}) {
        const RunComparison two = compareRuns(a, other);
        EXPECT_DOUBLE_EQ(two.utilization.front().b, *modelUtilization(*other, 1e6)->ofMeasured());
        EXPECT_DOUBLE_EQ(two.utilization.front().b / two.utilization.front().a, 2);
        EXPECT_EQ(two.utilizationNote,
                  "The ceilings differ: 700\u202FTFLOP/s for A and 350\u202FTFLOP/s for B. Their shares do "
                  "not say which does more per second.");
    }
}

TEST(RunCeilings, SayWhereTheyAreWhatARunReached) {
    KernelRun run(smallConfig(Precision::kBf16));
    run.setInfo("ceiling.bf16_flops_per_second", "768000000000000");
    EXPECT_FALSE(ceilingsOf(*run.finish()).isReached());
    KernelRun later(smallConfig(Precision::kBf16));
    later.setInfo("ceiling.bf16_flops_per_second", "768000000000000");
    later.setInfo("ceiling.bf16_source", "small · bf16, 2026-01-31T15:45:00Z");
    EXPECT_EQ(ceilingsOf(*later.finish()).sentence(),
              "The best product of an earlier run (small · bf16, 2026-01-31T15:45:00Z), 768\u202FTFLOP/s, "
              "stands as the roof.");
    KernelRun known(smallConfig(Precision::kBf16));
    known.setInfo("ceiling.bf16_flops_per_second", "768000000000000");
    known.setInfo("ceiling.bf16_source", "small");
    known.setInfo("ceiling.bf16_measured_flops_per_second", "689000000000000");
    EXPECT_EQ(ceilingsOf(*known.finish()).sentence(),
              "The best product of an earlier run (small), 768\u202FTFLOP/s, stands as the roof; "
              "689\u202FTFLOP/s had been measured.");
}

TEST(ModelUtilization, IsNothingWithoutWhatItNeeds) {
    EXPECT_FALSE(modelUtilization(*traceOf(), 1e6));
    EXPECT_TRUE(roofline(*traceOf()).empty());
    KernelRun run(smallConfig(Precision::kTf32));
    run.setInfo("device.name", "A GPU of tomorrow");
    const auto snapshot = run.finish();
    EXPECT_FALSE(modelUtilization(*snapshot, std::nullopt));
    EXPECT_FALSE(modelUtilization(*snapshot, 0.0));
    const auto mfu = must(modelUtilization(*snapshot, 1e6));
    EXPECT_FALSE(mfu.ofMeasured());
    EXPECT_FALSE(mfu.ofDataSheet());
    EXPECT_EQ(mfu.ceilings.source, "");
}

// How close one span came to its roof, against the plan of its place and by hand.

TEST(SpanRoof, OfAProductIsThePlanOverItsTimeAndOfAKernelOfOursMemory) {
    const OwnKernelRun made;
    const LaneId lane = made.run->lanesOf(made.run->tracksOfKind(TrackKind::kGpuStream).front())[0].id();
    const RunCeilings ceilings = ceilingsOf(*made.run);
    const auto products = matrixProducts(made.config);
    int gemms = 0, ours = 0;
    for (std::size_t i = 0; i < made.launches.size(); ++i) {
        const OwnKernelRun::Launch& launch = made.launches[i];
        const auto roof = spanRoof(*made.run, SpanRef{lane, made.launches.size() + i});
        const double seconds = static_cast<double>(launch.duration) / 1e9;
        if (launch.kernel == "a_gemm") {
            const auto product = std::ranges::find_if(products, [&](const MatrixProduct& p) {
                return p.phase == PlanPhase::kForward && p.module == launch.module;
            });
            ASSERT_NE(product, products.end());
            ASSERT_TRUE(roof);
            const auto flops = static_cast<double>(product->flops.value),
                       bytes = static_cast<double>(product->bytes.value);
            const double byFlops = flops / *ceilings.measured.flopsPerSecond,
                         byBytes = bytes / *ceilings.measured.bytesPerSecond;
            EXPECT_EQ(roof->memory, byBytes > byFlops);
            EXPECT_EQ(roof->shape, product->shape);
            EXPECT_EQ(roof->origin, "measured");
            EXPECT_NEAR(roof->share(), std::min(1.0, std::max(byFlops, byBytes) / seconds), 1e-9);
            ++gemms;
            continue;
        }
        const auto own = ownKernelSpan(*made.run, launch.kernel, launch.module, Nanoseconds(launch.duration));
        ASSERT_EQ(roof.has_value(), own && own->shareOfRoof) << launch.kernel;
        if (roof) {
            EXPECT_TRUE(roof->memory);
            EXPECT_DOUBLE_EQ(roof->share(), *own->shareOfRoof);
            ++ours;
        }
    }
    EXPECT_EQ(gemms, 2);
    EXPECT_GT(ours, 10);
}

TEST(SpanRoof, IsSaidWithItsRates) {
    EXPECT_EQ((SpanRoof{2.93e12, 4.8e12, true}.sentence()),
              "It reaches 2.93\u202fTB/s, 61% of the measured memory peak of 4.80\u202fTB/s.");
    EXPECT_EQ((SpanRoof{580e12, 689e12, false, "reached"}.sentence()),
              "It reaches 580\u202fTFLOP/s, 84% of the reached compute peak of 689\u202fTFLOP/s.");
    EXPECT_EQ((SpanRoof{1.2e12, 4.8e12, true}.bestCase(Nanoseconds(1000)).value), 250);
    EXPECT_EQ((SpanRoof{9e12, 4.8e12, true}.share()), 1);
}

TEST(SpanRoof, IsOfNothingWhoseWorkIsNotKnown) {
    const auto run = traceOf(R"(
        step 0 0-1000
          forward 0-1000 | op aten::mm 100-300 | launch 150-200 | kernel a_gemm 300-400
    )");
    for (std::uint32_t lane = 0; lane < run->laneCount(); ++lane)
        EXPECT_FALSE(spanRoof(*run, {LaneId(lane), 0})) << "the run states no configuration";
    EXPECT_FALSE(spanRoof(*run, {LaneId(run->laneCount()), 0}));
}

/// What memory bounds has its share of memory's roof, and the rest of arithmetic's, as in the roofline.
TEST(RoofShares, KernelsHaveTheRoofThatBoundsThem) {
    const auto run = openSampleRun("xl-bf16-step");
    const auto flat =
        groupedStatistics(*run, {.measuredOnly = true}, TrackKind::kGpuStream, SpanGrouping::kFlat);
    EXPECT_EQ(flat.roofs, "measured 2026-11-23");
    const RunCeilings ceilings = ceilingsOf(*run);
    const auto points = roofline(*run);
    const auto update = std::ranges::find_if(points, &RooflinePoint::isUpdate);
    ASSERT_NE(update, points.end());
    int memory = 0, arithmetic = 0;
    for (const GroupedRow& row : flat.rows) {
        ASSERT_EQ(row.shareOfPeak.has_value(), row.roof > 0) << row.figures.name;
        if (!row.shareOfPeak)
            continue;
        const double seconds = static_cast<double>(row.figures.total.value) / 1e9;
        if (row.roofOf == "memory") {
            ++memory;
            EXPECT_EQ(row.roof, *ceilings.measured.bytesPerSecond);
            const double reached = static_cast<double>(row.bytes->value) / seconds / row.roof;
            EXPECT_NEAR(*row.shareOfPeak, std::min(1.0, reached), 1e-9);
            if (row.figures.name == update->kernel)
                EXPECT_NEAR(*row.shareOfPeak, *update->share(), 0.01);
            else  // GEMMs have many operations a byte
                EXPECT_TRUE(std::ranges::any_of(points, [&](const RooflinePoint& point) {
                    return point.isLibraryKernel && point.name == row.title;
                })) << row.title;
        } else {
            ++arithmetic;
            EXPECT_EQ(row.roofOf, "compute");
            EXPECT_EQ(row.roof, flat.peakFlopsPerSecond);
        }
    }
    EXPECT_GT(memory, 10);
    EXPECT_GT(arithmetic, 5);

    // A part of a step has a part of the update, of which nothing is known.
    SpanFilter part;
    const TimeRange whole = run->range();
    part.ranges = {{whole.begin, whole.begin + Nanoseconds(whole.duration().value * 9 / 10)}};
    for (const GroupedRow& row :
         groupedStatistics(*run, part, TrackKind::kGpuStream, SpanGrouping::kFlat).rows) {
        if (row.figures.name == update->kernel && row.figures.instances % 97 != 0) {
            EXPECT_FALSE(row.shareOfPeak);
        }
    }
}

}  // namespace warpglass::test::roofline_test
