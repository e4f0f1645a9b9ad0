#include "engine/runner/gpu.h"

#include <dlfcn.h>

#include "engine/runner/sibling_library.h"

namespace warpglass {
namespace {

LoadedGpu load() {
    // LibTorch's CUDA libraries take a second to load: only where the driver is there.
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!driver)
        return {nullptr, "there is no NVIDIA driver on this machine"};
    const SiblingLibrary library = loadSibling("libwarpglass-cuda.so");
    if (!library.handle)
        return {nullptr, "LibTorch's CUDA libraries cannot be loaded: " + library.problem};
    const auto entry = reinterpret_cast<decltype(&warpglassGpu)>(dlsym(library.handle, "warpglassGpu"));
    Gpu* gpu = entry ? entry(kGpuAbi) : nullptr;
    if (!gpu)
        return {nullptr, library.path + " belongs to another version of Warpglass"};
    return {gpu, {}};
}

}  // namespace

const LoadedGpu& loadGpu() {
    static const LoadedGpu loaded = load();
    return loaded;
}

}  // namespace warpglass
