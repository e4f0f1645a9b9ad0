// What the model computes on a GPU: every variant and every precision the same function.

#include "engine/plan/own_parts.h"
#include "engine/plan/valid_config.h"
#include "tests/gpu/gpu_run.h"
#include "tests/support/implementations.h"

namespace warpglass::test::gpu_numerics_test {

struct GpuNumerics : GpuTest {
    std::vector<double> losses(Precision precision, AttentionVariant attention, std::int64_t steps = 6) {
        RunConfig wanted = config(precision, attention);
        wanted.steps = steps;
        return cleanRun(wanted).outcome.losses;
    }
    static void expectNear(const std::vector<double>& a, const std::vector<double>& b, double relative) {
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            EXPECT_NEAR(a[i] / b[i], 1, relative) << "step " << i;
    }
};

TEST_F(GpuNumerics, TheImplementationsOfEachPartAgree) {
    for (const auto& [precision, relative] : {std::pair(Precision::kFp32, 1e-4), {Precision::kBf16, 5e-3}}) {
        RunConfig start = config(precision);
        start.steps = 6;
        const auto usual = cleanRun(start).outcome.losses;
        for (const auto& [name, other] : withEachOther(start)) {
            SCOPED_TRACE(name);
            expectNear(cleanRun(other).outcome.losses, usual, relative);
        }
    }
}

/// Every precision, eager and as a graph, in all modes; in fp32 the sums differ in their order alone.
TEST_F(GpuNumerics, TheFusedStepFollowsTheLibrarys) {
    for (const auto& [precision, relative] : {std::pair(Precision::kFp32, 1e-4),
                                              {Precision::kTf32, 5e-3},
                                              {Precision::kBf16, 1e-2},
                                              {Precision::kFp16, 1e-2}}) {
        for (const Mode mode : {Mode::kForward, Mode::kForwardBackward, Mode::kStep}) {
            for (const AttentionVariant attention : {AttentionVariant::kNaive, AttentionVariant::kFlash}) {
                RunConfig library = config(precision, attention, mode);
                if (!validate(library).empty())
                    continue;
                SCOPED_TRACE(shortTitle(library) + " " + std::string(modeName(mode)));
                library.steps = 12;
                RunConfig fused = library;
                ASSERT_TRUE(takeOwnParts("fused", fused));
                const auto usual = cleanRun(library).outcome.losses;
                expectNear(cleanRun(fused).outcome.losses, usual, relative);
                fused.execution = Execution::kGraph;
                expectNear(cleanRun(fused).outcome.losses, usual, relative);
            }
        }
    }
}

/// Without a score in memory; in fp32 the sums differ in their order alone.
TEST_F(GpuNumerics, FlashAttentionFollowsTheDefinitionInFp32AndTf32) {
    for (const auto& [precision, relative] : {std::pair(Precision::kFp32, 1e-4), {Precision::kTf32, 5e-3}}) {
        SCOPED_TRACE(precisionName(precision));
        expectNear(losses(precision, AttentionVariant::kFlash, 20),
                   losses(precision, AttentionVariant::kNaive, 20), relative);
    }
}

TEST_F(GpuNumerics, TheFusedStepLaunchesFarFewerKernels) {
    RunConfig library = config(Precision::kBf16, AttentionVariant::kFlash);
    RunConfig fused = library;
    ASSERT_TRUE(takeOwnParts("fused", fused));
    const GpuRun usual = cleanRun(library), ours = cleanRun(fused);
    EXPECT_LT(kernelsOf(*ours.trace, 2) * 10, kernelsOf(*usual.trace, 2) * 7)
        << kernelsOf(*ours.trace, 2) << " of " << kernelsOf(*usual.trace, 2);
}

TEST_F(GpuNumerics, EveryPrecisionFollowsFp32AndTheLossFalls) {
    const auto fp32 = losses(Precision::kFp32, AttentionVariant::kNaive, 20);
    EXPECT_LT(fp32.back(), fp32.front() - 1);
    expectNear(losses(Precision::kTf32, AttentionVariant::kNaive, 20), fp32, 5e-3);
    for (const Precision precision : {Precision::kBf16, Precision::kFp16}) {
        SCOPED_TRACE(precisionName(precision));
        const auto mixed = losses(precision, AttentionVariant::kNaive, 20);
        expectNear(mixed, fp32, 3e-2);
        EXPECT_NE(mixed.back(), fp32.back()) << "it was not computed in 16 bits";
    }
}

TEST_F(GpuNumerics, TheBackendThatRanIsRecorded) {
    const std::pair<AttentionVariant, const char*> wanted[] = {
        {AttentionVariant::kNaive, "naive"},
        {AttentionVariant::kSdpaMath, "sdpa math"},
        {AttentionVariant::kSdpaEfficient, "sdpa efficient"},
        {AttentionVariant::kSdpaFlash, "sdpa flash"},
        {AttentionVariant::kSdpaCudnn, "sdpa cudnn"},
        {AttentionVariant::kFlash, "flash"}};
    for (const auto& [attention, backend] : wanted)
        EXPECT_EQ(cleanRun(config(Precision::kBf16, attention, Mode::kForward))
                      .trace->info()
                      .get("attention.backend"),
                  backend);
}

}  // namespace warpglass::test::gpu_numerics_test
