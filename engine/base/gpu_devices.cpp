#include "engine/base/gpu_devices.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/base/nvidia_driver.h"

namespace warpglass {
namespace {

constexpr unsigned kVersionLength = 80;   // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
constexpr int kMultiprocessorCount = 16;  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT

std::string versionOf(const NvidiaDriver& driver) {
    std::array<char, kVersionLength> text{};
    return driver.nvmlVersion(text.data(), kVersionLength) == 0 ? text.data() : "";
}

Bytes availableOf(const NvidiaDriver& driver, int index) {
    void* handle = driver.managedDevice(index);
    NvmlMemory memory{};
    if (!handle || driver.memory(handle, &memory) != 0)
        return {};
    return Bytes(static_cast<std::int64_t>(memory.free));
}

}  // namespace

std::vector<DeviceInfo> gpuDevices() {
    const NvidiaDriver& driver = nvidiaDriver();
    const bool managed = driver.managed();
    static const std::string version = managed ? versionOf(driver) : "";
    std::vector<DeviceInfo> found;
    int count = 0;
    if (!driver.usable() || driver.count(&count) != 0)
        return found;
    for (int i = 0; i < count; ++i) {
        int device = 0, multiprocessors = 0;
        std::array<char, 256> name{};
        std::size_t bytes = 0;
        if (driver.device(&device, i) != 0 ||
            driver.name(name.data(), static_cast<int>(name.size()), device) != 0 ||
            driver.totalMemory(&bytes, device) != 0)
            continue;
        driver.attribute(&multiprocessors, kMultiprocessorCount, device);
        DeviceInfo& info = found.emplace_back();
        info.id = "cuda:" + std::to_string(i);
        info.name = name.data();
        info.memory = Bytes(static_cast<std::int64_t>(bytes));
        info.available = managed ? availableOf(driver, i) : Bytes();
        info.threads = multiprocessors;
        info.driver = version;
    }
    return found;
}

std::vector<DeviceInfo> allDevices() {
    std::vector<DeviceInfo> all{hostDevice()};
    for (DeviceInfo& device : gpuDevices())
        all.push_back(std::move(device));
    return all;
}

DeviceInfo knownDevice(std::string_view id) {
    for (DeviceInfo& device : allDevices()) {
        if (device.id == id)
            return device;
    }
    DeviceInfo other;
    other.id = id;
    return other;
}

Bytes inUseAlready(const DeviceInfo& device) {
    // A driver keeps up to 1% of a device for itself, and a context with CUPTI's buffers is below 1 GiB.
    const Bytes trifle(std::max(std::int64_t{1} << 30, device.memory.value / 50));
    if (device.id == "cpu" || device.available.value <= 0)
        return {};
    const Bytes used = device.memory - device.available;
    return used > trifle ? used : Bytes();
}

}  // namespace warpglass
