// What a device can do at most, measured on it, against what its maker says.
#include <gmock/gmock.h>

#include "engine/plan/data_sheet.h"
#include "tests/gpu/gpu_run.h"

namespace warpglass::test::gpu_ceilings_test {

using testing::HasSubstr;

class GpuCeilings : public GpuTest {};

/// Broad bounds: nothing is faster than physics, nor does a healthy device reach less than a third of its
/// sheet.
TEST_F(GpuCeilings, AreBelowTheDataSheetAndOfItsOrder) {
    RunControl control;
    const Result<DeviceCeilings> measured = m_runner->measureCeilings("cuda:0", control);
    ASSERT_TRUE(measured) << measured.message();
    EXPECT_EQ(control.step.load(), control.totalSteps.load());
    EXPECT_FALSE(measured->driver.empty());
    EXPECT_EQ(measured->torch, m_runner->torchVersion());
    for (const DeviceCeilings::Product& product : measured->products) {
        EXPECT_GT(product.flopsPerSecond, 1e11) << precisionName(product.precision);
        EXPECT_GE(product.rows, 512);
    }
    ASSERT_TRUE(measured->product(Precision::kFp32));
    ASSERT_TRUE(measured->product(Precision::kFp16));
    EXPECT_GT(measured->product(Precision::kFp16)->flopsPerSecond,
              measured->product(Precision::kFp32)->flopsPerSecond);
    EXPECT_GT(measured->copyBytesPerSecond, measured->hostToDeviceBytesPerSecond);
    EXPECT_GT(measured->hostToDeviceBytesPerSecond, 1e9);
    EXPECT_GT(measured->deviceToHostBytesPerSecond, 1e9);
    EXPECT_GT(measured->launchNs, 300);
    EXPECT_LT(measured->launchNs, 1e6);
    EXPECT_GT(measured->kernelToKernelNs, 300);
    EXPECT_LT(measured->kernelToKernelNs, 1e5);

    const DataSheet* sheet = dataSheetOf(measured->device);
    if (!sheet)
        GTEST_SKIP() << "no data sheet is known for " << measured->device;
    for (const DeviceCeilings::Product& product : measured->products) {
        const auto peak = sheet->flopsPerSecond(product.precision);
        ASSERT_TRUE(peak) << precisionName(product.precision);
        // Clocks may rise some percent above the sheet's.
        EXPECT_LT(product.flopsPerSecond, 1.1 * *peak) << precisionName(product.precision);
        EXPECT_GT(product.flopsPerSecond, *peak / 3) << precisionName(product.precision);
    }
    EXPECT_LT(measured->copyBytesPerSecond, 1.05 * sheet->bytesPerSecond);
    EXPECT_GT(measured->copyBytesPerSecond, sheet->bytesPerSecond / 3);
}

TEST_F(GpuCeilings, MeasuringStopsWhenAskedAndARunFollows) {
    RunControl control{.stop = true};
    const Result<DeviceCeilings> stopped = m_runner->measureCeilings("cuda:0", control);
    ASSERT_FALSE(stopped);
    EXPECT_THAT(stopped.message(), HasSubstr("stopped"));
    EXPECT_FALSE(m_runner->measureCeilings("cuda:99", control));
    const GpuRun after = cleanRun(config());
    EXPECT_EQ(after.outcome.losses.size(), 3u);
}

TEST_F(GpuCeilings, AreStatedByARunThatIsGivenThem) {
    RunControl control{.information = {{"ceiling.fp32_flops_per_second", "51000000000000"}}};
    const GpuRun stated = run(config(), control);
    EXPECT_EQ(stated.outcome.state, run_state::kFinished) << stated.outcome.message;
    EXPECT_EQ(stated.trace->info().getInteger("ceiling.fp32_flops_per_second"), 51'000'000'000'000);
}

}  // namespace warpglass::test::gpu_ceilings_test
