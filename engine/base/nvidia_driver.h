// The few functions of the NVIDIA driver's two libraries, CUDA's and the management library (NVML), that are
// asked without LibTorch; both are loaded at run time. As cuda.h and nvml.h of CUDA 13 declare them; both
// keep these stable.
//
// Internal to engine/base.
#pragma once

#include <dlfcn.h>

#include <cstddef>

namespace warpglass {

struct NvidiaUuid {
    unsigned char bytes[16];
};
struct NvmlMemory {
    unsigned long long total, free, used;
};

/// Kept open: the driver does not like to be unloaded.
class NvidiaDriver {
public:
    NvidiaDriver();

    /// Whether there are devices to ask of, and whether the management library answers too.
    bool usable() const { return m_usable; }
    bool managed() const { return m_managed; }

    /// The management library's handle of a device by CUDA's number; null where it does not know it.
    void* managedDevice(int index) const;
    template <class Function>
    Function nvmlFunction(const char* name) const {
        return find<Function>(m_nvml, name);
    }

private:
    template <class Function>
    static Function find(void* library, const char* name) {
        return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
    }

    void* m_cuda = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    void* m_nvml = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);

public:
    int (*init)(unsigned) = find<int (*)(unsigned)>(m_cuda, "cuInit");
    int (*count)(int*) = find<int (*)(int*)>(m_cuda, "cuDeviceGetCount");
    int (*device)(int*, int) = find<int (*)(int*, int)>(m_cuda, "cuDeviceGet");
    int (*name)(char*, int, int) = find<int (*)(char*, int, int)>(m_cuda, "cuDeviceGetName");
    int (*totalMemory)(std::size_t*, int) = find<int (*)(std::size_t*, int)>(m_cuda, "cuDeviceTotalMem_v2");
    int (*attribute)(int*, int, int) = find<int (*)(int*, int, int)>(m_cuda, "cuDeviceGetAttribute");
    int (*uuid)(NvidiaUuid*, int) = find<int (*)(NvidiaUuid*, int)>(m_cuda, "cuDeviceGetUuid_v2");

    int (*nvmlInit)() = find<int (*)()>(m_nvml, "nvmlInit_v2");
    int (*nvmlVersion)(char*, unsigned) = find<int (*)(char*, unsigned)>(m_nvml,
                                                                         "nvmlSystemGetDriverVersion");
    int (*handleByUuid)(const char*,
                        void**) = find<int (*)(const char*, void**)>(m_nvml, "nvmlDeviceGetHandleByUUID");
    int (*memory)(void*, NvmlMemory*) = find<int (*)(void*, NvmlMemory*)>(m_nvml, "nvmlDeviceGetMemoryInfo");

private:
    bool m_usable = false;
    bool m_managed = false;
};

/// Loaded at the first call, which may wake the devices: some 100 ms. Any thread.
const NvidiaDriver& nvidiaDriver();

}  // namespace warpglass
