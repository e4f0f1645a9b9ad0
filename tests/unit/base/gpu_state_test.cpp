#include "engine/base/gpu_state.h"

#include <gtest/gtest.h>

namespace warpglass {
namespace {

/// Stands for a device: what the fake library says of it.
struct FakeGpu {
    unsigned sm = 1410, memory = 2619, most = 1980, milliwatts = 412'500, celsius = 61, processes = 2;
    unsigned long long reasons = clock_reason::kPowerCap | clock_reason::kThermal;
    int answer = 0;
};
FakeGpu& gpuOf(void* device) {
    return *static_cast<FakeGpu*>(device);
}

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
        EXPECT_EQ(infos, nullptr);
        EXPECT_EQ(*count, 0u) << "there is room for none";
        *count = gpuOf(device).processes;
        return gpuOf(device).answer != 0 ? gpuOf(device).answer : *count > 0 ? 7 : 0;
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

}  // namespace
}  // namespace warpglass
