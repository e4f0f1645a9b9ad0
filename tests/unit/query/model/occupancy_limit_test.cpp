// What limits a kernel's occupancy, against figures of NVIDIA's calculator.
#include "engine/query/model/occupancy_limit.h"

#include <gtest/gtest.h>

namespace warpglass::test::occupancy_limit_test {

SpanDetail kernelOf(std::uint32_t threads, std::uint32_t registers, std::int64_t shared, float occupancy) {
    SpanDetail kernel{.kind = DetailKind::kKernel};
    kernel.block = {threads, 1, 1};
    kernel.registers = registers;
    kernel.dynamicShared = shared;
    kernel.occupancy = occupancy;
    return kernel;
}

TEST(OccupancyLimit, NamesWhatLeavesNoRoomForAnotherBlock) {
    // Twelve warps of 168 registers take all registers, and a second block of 178 KiB finds no shared memory.
    EXPECT_EQ(occupancyLimit(kernelOf(384, 168, 178 << 10, 0.1875F), "9.0"), "registers and shared memory");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 128, 0, 0.25F), "9.0"), "registers");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 32, 100 << 10, 0.125F), "9.0"), "shared memory");
    EXPECT_EQ(occupancyLimit(kernelOf(32, 32, 0, 0.5F), "9.0"), "number of blocks");
    EXPECT_EQ(occupancyLimit(kernelOf(768, 24, 0, 0.75F), "9.0"), "block size");
}

TEST(OccupancyLimit, IsNotSaidWhereAllThreadsFitOrItIsNotKnown) {
    EXPECT_EQ(occupancyLimit(kernelOf(1024, 32, 0, 1), "9.0"), "");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 128, 0, 0.25F), "3.7"), "") << "a device without limits here";
    EXPECT_EQ(occupancyLimit(kernelOf(128, 128, 0, 0), "9.0"), "") << "no occupancy was recorded";
    EXPECT_EQ(occupancyLimit(kernelOf(0, 128, 0, 0.25F), "9.0"), "");
    EXPECT_EQ(occupancyLimit(kernelOf(128, 16, 0, 0.25F), "9.0"), "") << "nothing here explains it";
}

}  // namespace warpglass::test::occupancy_limit_test
