#include "engine/runner/gpu.h"

#include <dlfcn.h>

#include <filesystem>

namespace warpglass {
namespace {

constexpr const char* kLibraryName = "libwarpglass-cuda.so";

/// Beside the library that this code is in.
std::filesystem::path libraryPath() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&libraryPath), &info) == 0 || !info.dli_fname)
        return kLibraryName;
    std::error_code error;
    return std::filesystem::absolute(info.dli_fname, error).parent_path() / kLibraryName;
}

std::string lastDlError() {
    const char* text = dlerror();
    return text ? text : "unknown error";
}

LoadedGpu load() {
    // LibTorch's CUDA libraries take a second to load: only where the driver is there.
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!driver)
        return {nullptr, "there is no NVIDIA driver on this machine"};
    void* handle = dlopen(libraryPath().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return {nullptr, "LibTorch's CUDA libraries cannot be loaded: " + lastDlError()};
    const auto entry = reinterpret_cast<decltype(&warpglassGpu)>(dlsym(handle, "warpglassGpu"));
    Gpu* gpu = entry ? entry(kGpuAbi) : nullptr;
    if (!gpu)
        return {nullptr, libraryPath().string() + " belongs to another version of Warpglass"};
    return {gpu, {}};
}

}  // namespace

const LoadedGpu& loadGpu() {
    static const LoadedGpu loaded = load();
    return loaded;
}

}  // namespace warpglass
