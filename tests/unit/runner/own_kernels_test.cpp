// Our CUDA kernels' library: loaded without a GPU, it says what it has.
#include "engine/runner/own_kernels.h"

#include <gtest/gtest.h>

#include "engine/plan/parts.h"

namespace warpglass {
namespace {

TEST(OwnKernels, AreThoseThatThePlanPromises) {
    const LoadedKernels& loaded = loadKernels();
    ASSERT_TRUE(loaded.kernels) << loaded.problem;
    RunConfig config;
    config.workload = Workload::kAttention;
    config.attention = AttentionVariant::kFlash;
    config.precision = Precision::kBf16;
    config.device = "cuda:0";
    int offered = 0;
    for (int headDimension = 1; headDimension <= 256; ++headDimension) {
        config.headDim = headDimension;
        const bool promised = !planOf(AttentionVariant::kFlash).is.problem(config);
        EXPECT_EQ(promised, loaded.kernels->hasFlashAttention(headDimension)) << headDimension;
        offered += promised;
    }
    EXPECT_EQ(offered, 6);
}

TEST(OwnKernels, TakeNoMoreHeadsOrSequencesThanAGridHas) {
    RunConfig config;
    config.workload = Workload::kAttention;
    config.attention = AttentionVariant::kFlash;
    config.precision = Precision::kBf16;
    config.device = "cuda:0";
    config.headDim = 64;
    const auto problem = [&] { return planOf(AttentionVariant::kFlash).is.problem(config); };
    config.batch = config.shape.heads = 65'535;
    EXPECT_FALSE(problem());
    config.batch = 65'536;
    EXPECT_TRUE(problem());
    config.batch = 1;
    config.shape.heads = 65'536;
    EXPECT_TRUE(problem());
}

}  // namespace
}  // namespace warpglass
