#include "engine/plan/estimate.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

TEST(Estimate, BundlesWhatThePartsSay) {
    RunConfig config;
    config.model = "small";
    config.shape = *presetShape("small");
    const Estimate estimate = estimateRun(config);
    ASSERT_TRUE(estimate.valid());
    EXPECT_EQ(estimate.config, config);
    EXPECT_EQ(estimate.parameters, 128'625'408);
    EXPECT_EQ(estimate.flops.total(), countFlops(config).total());
    EXPECT_EQ(estimate.memory.total(), predictMemory(config).total());
}

TEST(Estimate, OfAnInvalidConfigurationHasItsProblemsOnly) {
    RunConfig config;
    config.batch = 0;
    const Estimate estimate = estimateRun(config);
    EXPECT_FALSE(estimate.valid());
    ASSERT_EQ(estimate.problems.size(), 1u);
    EXPECT_EQ(estimate.problems[0].field, "batch");
    EXPECT_EQ(estimate.parameters, 0);
    EXPECT_EQ(estimate.flops.total(), Flops(0));
    EXPECT_EQ(estimate.memory.total(), Bytes(0));
    EXPECT_TRUE(estimate.memory.peakPhase().empty());
}

}  // namespace
}  // namespace warpglass
