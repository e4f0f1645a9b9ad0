#include "engine/plan/device_ceilings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/plan/data_sheet.h"
#include "tests/support/must.h"

namespace warpglass::test::device_ceilings_test {

using Pairs = std::vector<std::pair<std::string, std::string>>;

DeviceCeilings example() {
    return {.device = "NVIDIA H200",
            .torch = "2.11.0",
            .measured = "2026-01-31T15:45:00Z",
            .products = {{Precision::kFp32, 51e12, 0, 0, 0}, {Precision::kBf16, 712e12, 0, 0, 0}},
            .copyBytesPerSecond = 4.1e12,
            .hostToDeviceBytesPerSecond = 55e9,
            .launchNs = 2310};
}

TEST(DeviceCeilings, AreTheSameAfterTheWayThroughRunInformation) {
    Pairs pairs = toPairs(example());
    pairs.emplace_back("device.name", "NVIDIA H200");
    pairs.emplace_back("torch.version", "2.11.0");
    std::mt19937_64 random(3);
    for (int i = 0; i < 20; ++i) {
        std::ranges::shuffle(pairs, random);  // a file may hold them in any order
        const auto back = must(ceilingsFromPairs(pairs));
        EXPECT_EQ(back, example());
    }
    EXPECT_EQ(example().product(Precision::kBf16)->flopsPerSecond, 712e12);
    EXPECT_EQ(example().product(Precision::kTf32), nullptr);
}

TEST(DeviceCeilings, TheBestOfTwoHasTheGreaterRates) {
    DeviceCeilings slower = example();
    slower.products = {{Precision::kFp32, 40e12, 4096, 4096, 4096, {}},
                       {Precision::kBf16, 768e12, 0, 0, 0, "a run"},
                       {Precision::kFp16, 600e12, 0, 0, 0, {}}};
    slower.copyBytesPerSecond = 5e12;
    slower.launchNs = 1;
    for (const DeviceCeilings& best : {bestOf(slower, example()), bestOf(example(), slower)}) {
        EXPECT_EQ(best.product(Precision::kFp32)->flopsPerSecond, 51e12);
        EXPECT_EQ(best.product(Precision::kBf16)->flopsPerSecond, 768e12);
        EXPECT_EQ(best.product(Precision::kBf16)->source, "a run");
        EXPECT_EQ(best.product(Precision::kFp16)->flopsPerSecond, 600e12);
        EXPECT_EQ(best.copyBytesPerSecond, 5e12);
        EXPECT_EQ(best.hostToDeviceBytesPerSecond, 55e9);
    }
    EXPECT_EQ(bestOf(slower, example()).launchNs, 2310) << "a time is that of the last measurement";
    slower.products[1].measuredBefore = 700e12;
    Pairs pairs = toPairs(slower);
    EXPECT_EQ(ceilingsFromPairs(pairs)->product(Precision::kBf16)->measured(), 700e12);
    EXPECT_EQ(ceilingsFromPairs(pairs)->product(Precision::kFp16)->measured(), 600e12);
    EXPECT_EQ(ceilingsFromPairs(pairs)->product(Precision::kBf16)->source, "a run");
    EXPECT_EQ(ceilingsFromPairs(pairs)->product(Precision::kFp32)->source, "");
}

TEST(DeviceCeilings, StateOnlyWhatWasMeasured) {
    const Pairs pairs = toPairs(example());
    const auto has = [&](const char* key) {
        return std::ranges::any_of(pairs, [&](const auto& pair) { return pair.first == key; });
    };
    EXPECT_TRUE(has("ceiling.bf16_flops_per_second"));
    EXPECT_TRUE(has("ceiling.launch_ns"));
    EXPECT_FALSE(has("ceiling.fp16_flops_per_second"));
    EXPECT_FALSE(has("ceiling.device_to_host_bytes_per_second"));
    EXPECT_FALSE(ceilingsFromPairs({}));
    EXPECT_FALSE(ceilingsFromPairs(Pairs{{"device.name", "NVIDIA H200"}}));
}

TEST(DeviceCeilings, NumbersThatAreNoneCountAsNotMeasured) {
    for (const char* wrong : {"", "x", "12x", "-3", "0", "inf", "nan", "1e300", " 5"}) {
        EXPECT_FALSE(ceilingsFromPairs(Pairs{{"ceiling.fp32_flops_per_second", wrong}})) << wrong;
        EXPECT_FALSE(ceilingsFromPairs(Pairs{{"ceiling.copy_bytes_per_second", wrong}})) << wrong;
    }
    EXPECT_FALSE(ceilingsFromPairs(Pairs{{"ceiling.fp99_flops_per_second", "5"}}));
}

TEST(DataSheet, KnowsDevicesByTheDriversNameAndNoOther) {
    const DataSheet* h200 = must(dataSheetOf("NVIDIA H200"));
    // The data sheet's 1,979 TFLOPS of bf16 are with sparsity.
    EXPECT_DOUBLE_EQ(*h200->flopsPerSecond(Precision::kBf16), 989.4e12);
    EXPECT_DOUBLE_EQ(*h200->flopsPerSecond(Precision::kFp32), 67e12);
    EXPECT_DOUBLE_EQ(h200->bytesPerSecond, 4.8e12);
    EXPECT_FALSE(h200->source.empty());
    const DataSheet* t4 = must(dataSheetOf("Tesla T4"));
    EXPECT_FALSE(t4->flopsPerSecond(Precision::kBf16));
    EXPECT_FALSE(t4->flopsPerSecond(Precision::kTf32));
    EXPECT_DOUBLE_EQ(*t4->flopsPerSecond(Precision::kFp16), 65e12);
    for (const char* unknown : {"", "NVIDIA H2000", "NVIDIA H200 MIG 1g.18gb", "nvidia h200", "AMD EPYC"})
        EXPECT_EQ(dataSheetOf(unknown), nullptr) << unknown;
}

}  // namespace warpglass::test::device_ceilings_test
