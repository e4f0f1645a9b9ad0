#include "engine/plan/estimate.h"

#include <gtest/gtest.h>

#include "tests/support/valid.h"

namespace warpglass::test::estimate_test {

TEST(Estimate, BundlesWhatThePartsSay) {
    RunConfig config{.model = "small", .shape = *presetShape("small")};
    const Estimate estimate = estimateRun(valid(config));
    EXPECT_EQ(estimate.config.get(), config);
    EXPECT_EQ(estimate.parameters, 128'625'408);
    EXPECT_EQ(estimate.flops.total(), countFlops(config).total());
    EXPECT_EQ(estimate.memory.total(), predictMemory(config).total());
}

}  // namespace warpglass::test::estimate_test
