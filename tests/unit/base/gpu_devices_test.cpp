#include "engine/base/gpu_devices.h"

#include <gtest/gtest.h>

namespace warpglass::test::gpu_devices_test {

/// Holds with and without a GPU: what is listed is complete, in CUDA's order, and the same when asked again.
TEST(GpuDevices, AreListedAfterTheCpuInOrder) {
    const std::vector<DeviceInfo> all = allDevices();
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all[0].id, "cpu");
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_EQ(all[i].id, "cuda:" + std::to_string(i - 1));
        EXPECT_FALSE(all[i].name.empty());
        EXPECT_GT(all[i].memory.value, 0);
        EXPECT_LE(all[i].available, all[i].memory);
        EXPECT_GT(all[i].threads, 0);
    }
    EXPECT_EQ(gpuDevices().size(), all.size() - 1);
}

TEST(GpuDevices, WhatIsInUseIsSaidWhereItIsMoreThanATrifle) {
    const auto gpu = [](std::int64_t memory, std::int64_t available) {
        return inUseAlready({"cuda:0", "A GPU", Bytes(memory), Bytes(available), 1});
    };
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
    EXPECT_EQ(gpu(140 * kGiB, 80 * kGiB), Bytes(60 * kGiB));
    EXPECT_EQ(gpu(140 * kGiB, 138 * kGiB), Bytes()) << "the driver and an idle context";
    EXPECT_EQ(gpu(8 * kGiB, 5 * kGiB), Bytes(3 * kGiB));
    EXPECT_EQ(gpu(8 * kGiB, 7 * kGiB), Bytes());
    EXPECT_EQ(gpu(8 * kGiB, 0), Bytes()) << "it is not known";
    EXPECT_EQ(inUseAlready({"cpu", "A CPU", Bytes(64 * kGiB), Bytes(2 * kGiB), 8}), Bytes());
}

}  // namespace warpglass::test::gpu_devices_test
