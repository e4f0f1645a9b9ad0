#include "engine/base/gpu_devices.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

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

}  // namespace
}  // namespace warpglass
