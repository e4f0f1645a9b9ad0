// How close one span came to its roof, against the plan of its place and by hand.
#include "engine/query/model/span_roof.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/query/model/matrix_products.h"
#include "engine/query/model/own_kernel_work.h"
#include "engine/query/model/roofline.h"
#include "tests/support/own_kernel_run.h"

namespace warpglass::test::span_roof_test {

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

}  // namespace warpglass::test::span_roof_test
