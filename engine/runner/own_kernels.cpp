#include "engine/runner/own_kernels.h"

#include <dlfcn.h>

#include "engine/runner/sibling_library.h"

namespace warpglass {
namespace {

LoadedKernels loadLibrary() {
    const SiblingLibrary library = loadSibling("libwarpglass-kernels.so");
    if (!library.handle)
        return {nullptr, "Warpglass's CUDA kernels cannot be loaded: " + library.problem};
    const auto entry =
        reinterpret_cast<decltype(&warpglassKernels)>(dlsym(library.handle, "warpglassKernels"));
    const kernels::Kernels* found = entry ? entry(kernels::kKernelsAbi) : nullptr;
    if (!found)
        return {nullptr, library.path + " belongs to another version of Warpglass"};
    return {found, {}};
}

}  // namespace

const LoadedKernels& loadKernels() {
    static const LoadedKernels loaded = loadLibrary();
    return loaded;
}

Status checkKernels(const std::string& device) {
    const LoadedKernels& loaded = loadKernels();
    if (!loaded.kernels)
        return Error{loaded.problem + "; choose sdpa-flash and the library's kernels."};
    if (const int error = loaded.kernels->checkDevice(); error != 0)
        return Error{
            "Warpglass's CUDA kernels cannot run on " + device + " (" + loaded.kernels->errorText(error) +
            "); they need a GPU of compute capability 8.0 or later: choose the library's kernels, and an "
            "attention other than flash."};
    return {};
}

}  // namespace warpglass
