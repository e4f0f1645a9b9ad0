// What the library's kernels between the GEMMs move, against shapes counted by hand and against what real
// runs recorded.
#include "engine/query/model/library_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

#include "engine/plan/flops.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parts.h"
#include "engine/plan/valid_config.h"
#include "engine/query/model/matrix_products.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/roofline.h"
#include "engine/query/model/span_roof.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "tests/support/must.h"
#include "tests/support/random_config.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::library_work_test {

constexpr std::int64_t kD = 64, kF = 256, kTokens = 4 * 32, kLayers = 2;

/// Two blocks of width 64, 4 × 32 tokens, on a GPU that copies 200 GB/s.
RunConfig configOf(Precision precision = Precision::kBf16) {
    RunConfig config{.model = "custom",
                     .shape = {1000, kD, kF, kLayers, 4},
                     .context = 32,
                     .batch = 4,
                     .precision = precision,
                     .attention = AttentionVariant::kNaive,
                     .device = "cuda:0",
                     .warmup = 0,
                     .steps = 2};
    EXPECT_TRUE(validate(config).empty());
    return config;
}

struct Passes {
    std::vector<LibraryPass> all;

    LibraryPass of(PlanPhase phase, std::string_view module, std::string_view title,
                   std::string_view part = {}) const {
        const auto found = std::ranges::find_if(all, [&](const LibraryPass& pass) {
            return pass.phase == phase && pass.module == module && pass.title == title && pass.part == part;
        });
        return found == all.end() ? LibraryPass() : *found;
    }
};

TEST(LibraryPasses, AreThoseOfTheModelsCodeTensorByTensor) {
    const Passes passes{libraryPasses(configOf())};
    constexpr PlanPhase kForward = PlanPhase::kForward, kBackward = PlanPhase::kBackward;
    constexpr std::int64_t kStream = kTokens * kD, kHidden = kTokens * kF, kScores = kTokens * 32 * 4;
    // The weight of w1 and the norm's output are read in fp32 and written in bf16; of w2 the weight alone.
    LibraryPass pass = passes.of(kForward, "blocks.*.ffn.w1", "copy fp32 to bf16");
    EXPECT_EQ(pass.launches, 2);
    EXPECT_EQ(pass.bytes, 6 * (kD * kF + kStream));
    EXPECT_EQ(pass.flops, 0);
    EXPECT_FALSE(pass.alike);
    pass = passes.of(kBackward, "blocks.*.ffn.w2", "copy to fp32");
    EXPECT_EQ(pass.launches, 1);
    EXPECT_EQ(pass.bytes, 6 * kD * kF);
    // silu(w1 y) is read once and written once; both gradients of its product with w3 y read two tensors.
    EXPECT_EQ(passes.of(kForward, "blocks.*.ffn", "elementwise · silu bf16").bytes, 2 * 2 * kHidden);
    pass = passes.of(kBackward, "blocks.*.ffn", "elementwise · mul bf16");
    EXPECT_EQ(pass.bytes, 2 * (3 * 2 * kHidden));
    EXPECT_EQ(pass.flops, 2 * kHidden);
    EXPECT_TRUE(pass.alike);
    // The stream in fp32 and a branch in bf16, twice a block.
    EXPECT_EQ(passes.of(kForward, "blocks.*", "elementwise · add fp32, casting").bytes, 2 * 10 * kStream);
    EXPECT_EQ(passes.of(kForward, "blocks.*.norm1", "rms norm · forward fp32").bytes, 8 * kStream);
    EXPECT_EQ(passes.of(kForward, "blocks.*.attn", "elementwise · mul complex64").bytes, 2 * 8 * kStream);
    EXPECT_EQ(passes.of(kForward, "blocks.*.attn", "softmax · forward fp32", "softmax").bytes, 8 * kScores);
    EXPECT_EQ(passes.of(PlanPhase::kLoss, "", "copy to fp32").bytes, 6 * kTokens * 1000);

    // Softmax reads fp16 without a cast, and its gradient leaves it in fp16.
    const Passes half{libraryPasses(configOf(Precision::kFp16))};
    EXPECT_EQ(half.of(kForward, "blocks.*.attn", "softmax · forward fp16", "softmax").bytes, 6 * kScores);
    EXPECT_EQ(half.of(kBackward, "blocks.*.attn", "softmax · backward fp32", "softmax").bytes, 10 * kScores);
    EXPECT_EQ(half.of(kForward, "blocks.*.attn", "copy to fp32", "softmax").launches, 0);
    EXPECT_EQ(half.of(kBackward, "blocks.*.attn", "copy fp32 to fp16", "softmax").launches, 0);

    const Passes wide{libraryPasses(configOf(Precision::kFp32))};
    EXPECT_EQ(wide.of(kForward, "blocks.*.ffn", "elementwise · silu fp32").bytes, 2 * 4 * kHidden);
    EXPECT_EQ(wide.of(kBackward, "blocks.*.attn", "copy fp32").launches, 3);
    for (const LibraryPass& each : wide.all)
        EXPECT_EQ(each.title.find(" to "), std::string::npos) << "nothing is cast: " << each.title;
}

TEST(LibraryPasses, LeaveOutWhatKernelsOfOursDo) {
    RunConfig config = configOf();
    ASSERT_TRUE(takeOwnParts(kFusedKernels, config));
    EXPECT_TRUE(libraryPasses(config).empty());
    // Without weights' casts there are those of what the library's norm gives.
    config = configOf();
    ASSERT_TRUE(takeOwnParts("casts", config));
    EXPECT_EQ(
        Passes{libraryPasses(config)}.of(PlanPhase::kForward, "blocks.*.ffn.w1", "copy fp32 to bf16").bytes,
        6 * kTokens * kD);
    EXPECT_EQ(Passes{libraryPasses(config)}
                  .of(PlanPhase::kForward, "blocks.*.ffn.w2", "copy fp32 to bf16")
                  .launches,
              0);
    config = configOf();
    config.device = "cpu";
    EXPECT_TRUE(libraryPasses(config).empty());
}

TEST(LibraryPasses, AreHalvedWhereOffsetsNeedMoreThan32Bits) {
    RunConfig config = configOf();
    config.context = 16384;  // scores of 4 × 4 × 2²⁸ numbers: 16 GiB in fp32, 8 GiB in bf16
    const Passes passes{libraryPasses(config)};
    EXPECT_EQ(passes.of(PlanPhase::kForward, "blocks.*.attn", "copy to fp32", "softmax").launches, 16);
    EXPECT_EQ(passes.of(PlanPhase::kForward, "blocks.*.attn", "elementwise · add bf16", "scores").launches,
              8);
    EXPECT_EQ(passes.of(PlanPhase::kForward, "blocks.*.attn", "softmax · forward fp32", "softmax").launches,
              1);
    EXPECT_EQ(passes.of(PlanPhase::kForward, "blocks.*.attn", "copy to fp32", "softmax").bytes,
              6ll * 4 * 4 * 16384 * 16384);
}

constexpr std::string_view kNarrow =
    "void at::native::vectorized_elementwise_kernel<8, at::native::bfloat16_copy_kernel_cuda"
    "(at::TensorIteratorBase&)::{lambda(float)#1}, std::array<char*, 2ul> >(int)";
constexpr std::string_view kMul =
    "void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::BFloat16, "
    "c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> > >(int)";

/// w1's two casts and the product with w3 y in each block of two steps; `more` casts in the last block, and
/// by which kernel casts but the first of a block are.
std::shared_ptr<const Snapshot> madeRun(int more = 0,
                                        std::string_view others = "vectorized_elementwise_kernel") {
    std::string text =
        "info state finished ceiling.copy_bytes_per_second 200000000000 "
        "ceiling.bf16_flops_per_second 10000000000000 ceiling.measured 2026-01-31T15:45:00Z\n";
    for (int step = 0; step < 2; ++step) {
        text += filled("step % %-%us\n", step, step * 100, step * 100 + 100);
        std::int64_t at = step * 100'000;
        for (int block = 0; block < kLayers; ++block) {
            for (int i = 0; i < 2 + (block == 1 ? more : 0); ++i, at += 4000)
                text += filled(
                    "  kernel % %-% phase forward module \"blocks.%.ffn.w1\" op aten::copy_ full \"%\"\n",
                    i == 0 ? "vectorized_elementwise_kernel" : others, at, at + 1000 + 1000 * i, block,
                    kNarrow);
            text += filled(
                "  kernel vectorized_elementwise_kernel %-% phase forward module "
                "\"blocks.%.ffn\" op aten::mul full \"%\"\n",
                at, at + 4000, block, kMul);
            at += 4000;
        }
    }
    return traceOf(text, toPairs(configOf()));
}

constexpr std::int64_t kCasts = 6 * (kD * kF + kTokens * kD), kProduct = 3 * 2 * kTokens * kF;

TEST(LibraryWork, IsAPointOfTheRooflineWithAndWithoutFlops) {
    const std::vector<RooflinePoint> points = roofline(*madeRun());
    ASSERT_EQ(points.size(), 2u);
    const RooflinePoint &cast = points[0], &product = points[1];
    EXPECT_EQ(cast.name, "copy fp32 to bf16");
    EXPECT_EQ(cast.family, OpFamily::kCopy);
    EXPECT_TRUE(cast.isLibraryKernel && cast.onlyMoves());
    EXPECT_EQ(cast.bytes.value, kLayers * kCasts);
    EXPECT_DOUBLE_EQ(cast.time, kLayers * 3000);
    EXPECT_FALSE(cast.attainableFlopsPerSecond);
    EXPECT_DOUBLE_EQ(*cast.share(), kCasts / 3e-6 / 2e11);
    EXPECT_FALSE(cast.isInCache());
    EXPECT_EQ(cast.longest.row, 1u) << "the first of the longest";
    EXPECT_EQ(product.name, "elementwise · mul bf16");
    EXPECT_EQ(product.family, OpFamily::kElementwise);
    EXPECT_EQ(product.flops.value, kLayers * kTokens * kF);
    EXPECT_EQ(product.bytes.value, kLayers * kProduct);
    EXPECT_DOUBLE_EQ(*product.share(), std::min(1.0, kProduct / 4e-6 / 2e11));
}

TEST(LibraryWork, OfAPlaceWhereOtherKernelsRanIsUnknown) {
    const std::vector<RooflinePoint> points = roofline(*madeRun(1));
    ASSERT_EQ(points.size(), 2u);
    EXPECT_EQ(points[0].bytes.value, kCasts) << "of one block: the other has a cast too many";
    EXPECT_EQ(points[1].bytes.value, kLayers * kProduct);
    // The step's first cast is the weight's or the input's, which differ.
    WorkScope cut;
    cut.filter.ranges = {{Nanoseconds(0), Nanoseconds(1500)}};
    EXPECT_TRUE(roofline(*madeRun(), cut).empty());
}

TEST(LibraryWork, OfUnlikeLaunchesByTwoKernelsIsUnknown) {
    // Either kernel has as many launches as a step has casts, all of them of one of two sizes.
    for (const GroupedRow& row : groupedStatistics(*madeRun(0, "unrolled_elementwise_kernel"), {},
                                                   TrackKind::kGpuStream, SpanGrouping::kFlat)
                                     .rows)
        EXPECT_EQ(row.bytes.has_value(), row.title == "elementwise · mul bf16") << row.title;
}

TEST(LibraryWork, OfLaunchesThatTakeNoTimeIsNotKnownBecauseNoneOfTheirTimeIsUnknown) {
    // One of the two that two steps have.
    const auto run = traceOf(
        filled("info state finished\nstep 0 0-100\n  kernel vectorized_elementwise_kernel 5-5 phase forward "
               "module \"blocks.0.ffn\" op aten::mul full \"%\"\nstep 1 100-200\n",
               kMul),
        toPairs(configOf()));
    const GroupedStatistics table = groupedStatistics(*run, {}, TrackKind::kGpuStream, SpanGrouping::kFlat);
    ASSERT_EQ(table.rows.size(), 1u);
    EXPECT_FALSE(table.rows[0].bytes || table.rows[0].shareOfPeak);
}

TEST(LibraryWork, IsInTheTableOfKernelsAndSaidOfOneLaunch) {
    const auto run = madeRun();
    const GroupedStatistics table = groupedStatistics(*run, {}, TrackKind::kGpuStream, SpanGrouping::kFlat);
    ASSERT_EQ(table.rows.size(), 2u);
    for (const GroupedRow& row : table.rows) {
        const bool cast = row.title == "copy fp32 to bf16";
        ASSERT_TRUE(row.bytes && row.shareOfPeak) << row.title;
        EXPECT_EQ(row.bytes->value, 2 * kLayers * (cast ? kCasts : kProduct));
        EXPECT_EQ(row.flops.has_value(), !cast);
        EXPECT_EQ(row.roofOf, "memory");
        EXPECT_DOUBLE_EQ(*row.shareOfPeak, std::min(1.0, (cast ? kCasts / 3e-6 : kProduct / 4e-6) / 2e11));
    }
    // With a cast too many a quarter of the casts' time is of unknown work.
    for (const GroupedRow& row :
         groupedStatistics(*madeRun(1), {}, TrackKind::kGpuStream, SpanGrouping::kFlat).rows)
        EXPECT_EQ(row.bytes.has_value(), row.title != "copy fp32 to bf16");
    const LaneId lane = run->lanesOf(run->tracksOfKind(TrackKind::kGpuStream).front())[0].id();
    EXPECT_FALSE(spanRoof(*run, {lane, 0})) << "one of two casts that differ";
    const auto roof = must(spanRoof(*run, {lane, 2}));
    EXPECT_TRUE(roof.memory);
    EXPECT_DOUBLE_EQ(roof.reached, kProduct / 4e-6);
}

/// A wrong size would be far beyond its roof or far below it. What fits in the L2 cache may be somewhat
/// faster.
TEST(LibraryWork, OfRealRunsIsNowhereFasterThanMemoryAndCaches) {
    for (const char* name : {"xl-bf16-step", "small-bf16-naive", "small-fp32-naive", "small-8192-naive",
                             "small-bf16-graph", "xl-bf16-forward"}) {
        SCOPED_TRACE(name);
        const auto run = openSampleRun(name);
        const double memory = memoryRoof(ceilingsOf(*run)).value();
        double all = 0, known = 0;
        for (const RooflinePoint& point : roofline(*run)) {
            known += point.time;
            if (!point.isLibraryKernel)
                continue;
            EXPECT_LT(point.bytesPerSecond(), 1.15 * memory) << point.name;
            EXPECT_GT(point.bytesPerSecond(), 0.15 * memory) << point.name;
        }
        const WorkTimes times = workTimes(*run);
        for (const WorkRow& row : times.rows)
            all += row.copy ? 0 : static_cast<double>(row.time) / static_cast<double>(times.steps);
        EXPECT_GT(known, 0.98 * all) << "nearly all kernel time has a point";
    }
}

/// Whatever kernels are chosen, and so whichever products are joined.
TEST(MatrixProducts, HaveTheFlopsOfThePlanAndMoveTheirTensors) {
    std::mt19937_64 random(44);
    for (int i = 0; i < 200; ++i) {
        for (const char* kernels : {"library", "fused", "casts", "casts+rope", "casts+swiglu"}) {
            RunConfig config = randomValidConfig(random);
            if (!config.isAttention() && !takeOwnParts(kernels, config))
                continue;
            Flops sum;
            for (const MatrixProduct& product : matrixProducts(config)) {
                sum += product.flops;
                EXPECT_GT(product.bytes.value, 0) << shortTitle(config) << ", " << product.module;
            }
            const FlopsEstimate plan = countFlops(config);
            if (attentionPlan(config).record != AttentionRecord::kOps) {
                EXPECT_EQ(sum, plan.matmul()) << shortTitle(config);
            }
        }
    }
}

/// q, k and v of one input: it is read once, and one product makes what three would.
TEST(MatrixProducts, OfJoinedWeightsReadTheirInputOnce) {
    RunConfig config{.precision = Precision::kBf16, .device = "cuda:0"};
    ASSERT_TRUE(takeOwnParts("fused", config));
    const std::int64_t d = config.shape.dModel, f = config.shape.dFf, tokens = config.tokensPerStep();
    int found = 0;
    for (const MatrixProduct& product : matrixProducts(config)) {
        if (product.phase != PlanPhase::kForward)
            continue;
        if (product.module == "blocks.0.attn.qkv_proj") {
            EXPECT_EQ(product.bytes.value, 2 * (tokens * d + 3 * d * d + tokens * 3 * d));
            ++found;
        }
        if (product.module == "blocks.0.ffn.w13") {
            EXPECT_EQ(product.bytes.value, 2 * (tokens * d + 2 * f * d + tokens * 2 * f));
            ++found;
        }
    }
    EXPECT_EQ(found, 2);
}

/// M×N×K: as many FLOPs as 2·M·N·K, for each of a batch, and twice that backward.
TEST(MatrixProducts, HaveTheShapeOfTheForwardProduct) {
    std::mt19937_64 random(45);
    int batches = 0;
    for (int i = 0; i < 200; ++i) {
        RunConfig config = randomValidConfig(random);
        if (!config.isAttention() && !takeOwnParts("library", config))
            continue;
        const bool stored = attentionPlan(config).storesScores;
        for (const MatrixProduct& product : matrixProducts(config)) {
            if (!product.part.empty() && !stored) {
                EXPECT_EQ(product.shape, "") << "one kernel for both products";
                continue;
            }
            long long batch = 1, m = 0, n = 0, k = 0;
            std::string shape = product.shape;
            if (const std::size_t at = shape.find(" × "); at != shape.npos) {
                batch = std::stoll(shape.substr(0, at));
                shape = shape.substr(at + std::string_view(" × ").size());
                ++batches;
            }
            ASSERT_EQ(std::sscanf(shape.c_str(), "%lld×%lld×%lld", &m, &n, &k), 3) << product.shape;
            EXPECT_EQ(product.flops.value,
                      2 * batch * m * n * k * (product.phase == PlanPhase::kBackward ? 2 : 1))
                << shortTitle(config) << ", " << product.module << ", " << product.shape;
        }
    }
    EXPECT_GT(batches, 0);
}

}  // namespace warpglass::test::library_work_test
