// Our CUDA kernels' library: loaded without a GPU, it says what it has.
#include "engine/runner/own_kernels.h"

#include <gtest/gtest.h>

#include "engine/plan/parts.h"

namespace warpglass::test::own_kernels_test {

TEST(OwnKernels, AreThoseThatThePlanPromises) {
    const LoadedKernels& loaded = loadKernels();
    ASSERT_TRUE(loaded.kernels) << loaded.problem;
    RunConfig config{.workload = Workload::kAttention,
                     .precision = Precision::kBf16,
                     .attention = AttentionVariant::kFlash,
                     .device = "cuda:0"};
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
    RunConfig config{.workload = Workload::kAttention,
                     .headDim = 64,
                     .precision = Precision::kBf16,
                     .attention = AttentionVariant::kFlash,
                     .device = "cuda:0"};
    const auto problem = [&] { return planOf(AttentionVariant::kFlash).is.problem(config); };
    config.batch = config.shape.heads = 65'535;
    EXPECT_FALSE(problem());
    config.batch = 65'536;
    EXPECT_TRUE(problem());
    config.batch = 1;
    config.shape.heads = 65'536;
    EXPECT_TRUE(problem());
}

}  // namespace warpglass::test::own_kernels_test
