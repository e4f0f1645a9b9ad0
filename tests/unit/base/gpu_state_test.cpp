#include "engine/base/gpu_state.h"

#include <gtest/gtest.h>

#include "engine/base/gpu_devices.h"

namespace warpglass::test::gpu_state_test {

/// Stands for a device: what the fake library says of it.
struct FakeGpu {
    unsigned sm = 1410, memory = 2619, most = 1980, milliwatts = 412'500, celsius = 61, processes = 2;
    unsigned long long reasons = clock_reason::kPowerCap | clock_reason::kThermal;
    int answer = 0;
};
FakeGpu& gpuOf(void* device) {
    return *static_cast<FakeGpu*>(device);
}

/// As nvml.h lays it out.
struct FakeProcess {
    unsigned id;
    unsigned long long memory;
    unsigned gpuInstance, computeInstance;
};

NvmlFunctions fakeNvml() {
    NvmlFunctions nvml;
    nvml.clock = [](void* device, unsigned type, unsigned* mhz) {
        *mhz = type == 1 ? gpuOf(device).sm : type == 2 ? gpuOf(device).memory : 0;
        return gpuOf(device).answer;
    };
    nvml.maxClock = [](void* device, unsigned type, unsigned* mhz) {
        *mhz = type == 1 ? gpuOf(device).most : 0;
        return gpuOf(device).answer;
    };
    nvml.reasons = [](void* device, unsigned long long* bits) {
        *bits = gpuOf(device).reasons;
        return gpuOf(device).answer;
    };
    nvml.power = [](void* device, unsigned* milliwatts) {
        *milliwatts = gpuOf(device).milliwatts;
        return gpuOf(device).answer;
    };
    nvml.temperature = [](void* device, unsigned sensor, unsigned* celsius) {
        *celsius = sensor == 0 ? gpuOf(device).celsius : 0;
        return gpuOf(device).answer;
    };
    nvml.processes = [](void* device, unsigned* count, void* infos) {
        if (gpuOf(device).answer != 0)
            return gpuOf(device).answer;
        const unsigned room = infos ? *count : 0;
        *count = gpuOf(device).processes;
        if (*count > room)
            return 7;
        for (unsigned i = 0; i < *count; ++i)
            static_cast<FakeProcess*>(infos)[i] = {100 + i, i == 1 ? ~0ull : 4096ull * (i + 1), 0, 0};
        return 0;
    };
    return nvml;
}

TEST(GpuState, IsWhatTheManagementLibrarySays) {
    FakeGpu gpu;
    const auto monitor = makeGpuMonitor(fakeNvml(), &gpu);
    const GpuState state = monitor->read();
    EXPECT_EQ(state.smClock, 1410);
    EXPECT_EQ(state.memoryClock, 2619);
    EXPECT_EQ(state.reasons, 0x24u);
    EXPECT_EQ(state.watts, 412.5);
    EXPECT_EQ(state.celsius, 61);
    EXPECT_EQ(state.processes, 2);
    EXPECT_EQ(monitor->maxSmClock(), 1980);
    gpu.processes = 0;
    EXPECT_EQ(monitor->read().processes, 0);
}

TEST(GpuState, ListsTheProcessesThatUseTheDevice) {
    FakeGpu gpu{.processes = 3};
    const auto monitor = makeGpuMonitor(fakeNvml(), &gpu);
    const std::vector<GpuProcess> processes = monitor->processes();
    ASSERT_EQ(processes.size(), 3u);
    EXPECT_EQ(processes[0].id, 100);
    EXPECT_EQ(processes[0].memory, 4096);
    EXPECT_FALSE(processes[1].memory) << "the driver does not say";
    EXPECT_EQ(processes[2].memory, 3 * 4096);
    gpu.processes = 0;
    EXPECT_TRUE(monitor->processes().empty());
    gpu.answer = 3;
    EXPECT_TRUE(monitor->processes().empty());
    EXPECT_TRUE(makeGpuMonitor({}, &gpu)->processes().empty());
}

TEST(GpuState, WhatItDoesNotAnswerIsNotKnown) {
    FakeGpu gpu;
    gpu.answer = 3;  // NVML_ERROR_NOT_SUPPORTED
    for (const NvmlFunctions& nvml : {fakeNvml(), NvmlFunctions()}) {
        const auto monitor = makeGpuMonitor(nvml, &gpu);
        const GpuState state = monitor->read();
        EXPECT_FALSE(state.smClock || state.memoryClock || state.reasons || state.watts || state.celsius ||
                     state.processes);
        EXPECT_FALSE(monitor->maxSmClock());
    }
}

TEST(GpuState, ReasonsHaveWords) {
    EXPECT_EQ(clockReasonsInWords(0), "");
    EXPECT_EQ(clockReasonsInWords(0x1), "idle");
    EXPECT_EQ(clockReasonsInWords(0x24), "power cap, temperature");
    EXPECT_EQ(clockReasonsInWords(0x40000), "") << "a later driver's";
    EXPECT_EQ(holdingDown(0x1 | 0x2 | 0x10 | 0x100), 0u) << "nothing runs, or a person chose it";
    EXPECT_EQ(holdingDown(0x1ff), 0x4u | 0x8u | 0x20u | 0x40u | 0x80u);
}

TEST(GpuState, OfAMachineWithoutTheDeviceThereIsNone) {
    EXPECT_EQ(openGpuMonitor("cpu"), nullptr);
    EXPECT_EQ(openGpuMonitor("cuda:"), nullptr);
    EXPECT_EQ(openGpuMonitor("cuda:4711"), nullptr);
}

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

}  // namespace warpglass::test::gpu_state_test
