#include "engine/base/gpu_devices.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace warpglass {
namespace {

// The few functions of the driver's two libraries, as cuda.h and nvml.h of CUDA 13 declare them; both keep
// these stable.
struct Uuid {
    unsigned char bytes[16];
};
struct NvmlMemory {
    unsigned long long total, free, used;
};
constexpr unsigned kVersionLength = 80;   // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
constexpr int kMultiprocessorCount = 16;  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT

template <class Function>
Function find(void* library, const char* name) {
    return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
}

/// Kept open: the driver does not like to be unloaded.
struct Driver {
    void* cuda = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    int (*init)(unsigned) = find<int (*)(unsigned)>(cuda, "cuInit");
    int (*count)(int*) = find<int (*)(int*)>(cuda, "cuDeviceGetCount");
    int (*device)(int*, int) = find<int (*)(int*, int)>(cuda, "cuDeviceGet");
    int (*name)(char*, int, int) = find<int (*)(char*, int, int)>(cuda, "cuDeviceGetName");
    int (*totalMemory)(std::size_t*, int) = find<int (*)(std::size_t*, int)>(cuda, "cuDeviceTotalMem_v2");
    int (*attribute)(int*, int, int) = find<int (*)(int*, int, int)>(cuda, "cuDeviceGetAttribute");
    int (*uuid)(Uuid*, int) = find<int (*)(Uuid*, int)>(cuda, "cuDeviceGetUuid_v2");

    void* nvml = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    int (*nvmlInit)() = find<int (*)()>(nvml, "nvmlInit_v2");
    int (*nvmlVersion)(char*, unsigned) = find<int (*)(char*, unsigned)>(nvml, "nvmlSystemGetDriverVersion");
    int (*handleByUuid)(const char*,
                        void**) = find<int (*)(const char*, void**)>(nvml, "nvmlDeviceGetHandleByUUID");
    int (*memory)(void*, NvmlMemory*) = find<int (*)(void*, NvmlMemory*)>(nvml, "nvmlDeviceGetMemoryInfo");

    bool usable() const {
        return init && count && device && name && totalMemory && attribute && init(0) == 0;
    }
    bool managed() const {
        return uuid && handleByUuid && memory && nvmlVersion && nvmlInit && nvmlInit() == 0;
    }
};

/// "GPU-8d0ce9bd-…", as the management library writes it.
std::string text(const Uuid& uuid) {
    std::string out = "GPU-";
    for (std::size_t i = 0; i < 16; ++i) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", uuid.bytes[i]);
        out += digits.data();
        if (i == 3 || i == 5 || i == 7 || i == 9)
            out += '-';
    }
    return out;
}

std::string versionOf(const Driver& driver) {
    std::array<char, kVersionLength> text{};
    return driver.nvmlVersion(text.data(), kVersionLength) == 0 ? text.data() : "";
}

Bytes availableOf(const Driver& driver, int device) {
    Uuid uuid{};
    void* handle = nullptr;
    NvmlMemory memory{};
    if (driver.uuid(&uuid, device) != 0 || driver.handleByUuid(text(uuid).c_str(), &handle) != 0 ||
        driver.memory(handle, &memory) != 0)
        return {};
    return Bytes(static_cast<std::int64_t>(memory.free));
}

}  // namespace

std::vector<DeviceInfo> gpuDevices() {
    static const Driver driver;
    static const bool usable = driver.usable();
    static const bool managed = usable && driver.managed();
    static const std::string version = managed ? versionOf(driver) : "";
    std::vector<DeviceInfo> found;
    int count = 0;
    if (!usable || driver.count(&count) != 0)
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
        info.available = managed ? availableOf(driver, device) : Bytes();
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

Bytes inUseAlready(const DeviceInfo& device) {
    // A driver keeps up to 1 % of a device for itself, and a context with CUPTI's buffers is below 1 GiB.
    const Bytes trifle(std::max(std::int64_t{1} << 30, device.memory.value / 50));
    if (device.id == "cpu" || device.available.value <= 0)
        return {};
    const Bytes used = device.memory - device.available;
    return used > trifle ? used : Bytes();
}

}  // namespace warpglass
