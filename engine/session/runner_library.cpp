#include "engine/session/runner_library.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#ifndef WARPGLASS_TORCH_VERSION
#error "WARPGLASS_TORCH_VERSION must be defined: the LibTorch version of this build, or an empty string"
#endif

namespace warpglass {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLibraryName = "libwarpglass-runner.so";
constexpr const char* kEntryPoint = "warpglassRunner";

/// LibTorch's own libraries, each after those it needs. A CPU build has fewer of them.
constexpr std::array<const char*, 7> kTorchLibraries = {
    "libc10.so",   "libtorch_cpu.so",         "libc10_cuda.so",         "libtorch_cuda.so",
    "libtorch.so", "libtorch_cuda_linalg.so", "libtorch_global_deps.so"};

fs::path environmentPath(const char* variable) {
    const char* value = std::getenv(variable);
    return value ? fs::path(value) : fs::path();
}

/// The folder of the library that this code is in, or of the program when it is linked into one.
fs::path ownFolder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&environmentPath), &info) == 0 || !info.dli_fname)
        return {};
    std::error_code error;
    return fs::absolute(info.dli_fname, error).parent_path();
}

fs::path runnerPath() {
    const fs::path chosen = environmentPath("WARPGLASS_RUNNER");
    std::error_code error;
    if (!chosen.empty())
        return fs::is_directory(chosen, error) ? chosen / kLibraryName : chosen;
    return ownFolder() / kLibraryName;
}

std::string lastDlError() {
    const char* text = dlerror();
    return text ? text : "unknown error";
}

/// The folder of LibTorch's libraries that WARPGLASS_TORCH names; empty when it is not set.
Result<fs::path> chosenTorch() {
    const fs::path torch = environmentPath("WARPGLASS_TORCH");
    if (torch.empty())
        return fs::path();
    std::error_code error;
    for (const fs::path& candidate : {torch / "torch" / "lib", torch / "lib", torch}) {
        if (fs::exists(candidate / "libtorch_cpu.so", error))
            return candidate;
    }
    return Error{"WARPGLASS_TORCH names " + torch.string() +
                 ", where there is no LibTorch (torch/lib/libtorch_cpu.so or lib/libtorch_cpu.so)"};
}

/// Loads LibTorch from the folder that WARPGLASS_TORCH names, so that the runner finds it in memory rather
/// than where it was built.
Status preloadTorch() {
    const Result<fs::path> folder = chosenTorch();
    if (!folder)
        return folder.error();
    if (folder->empty())
        return {};
    std::error_code error;
    // The CUDA half takes a second to load, and serves only where there is a driver.
    const bool driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
    for (const char* name : kTorchLibraries) {
        if (!driver && std::string_view(name) != "libc10.so" && std::string_view(name) != "libtorch_cpu.so")
            continue;
        const fs::path library = *folder / name;
        if (fs::exists(library, error) && !dlopen(library.c_str(), RTLD_LAZY | RTLD_GLOBAL))
            return Error{"LibTorch in " + folder->string() + " cannot be loaded: " + lastDlError()};
    }
    return {};
}

std::string wantedTorch() {
    const std::string version(expectedTorchVersion());
    return version.empty() ? "LibTorch" : "LibTorch " + version;
}

/// What the loader's complaint means to a person.
Error explainLoadFailure(const fs::path& library, const std::string& complaint) {
    if (complaint.find("undefined symbol") != std::string::npos)
        return Error{"running models needs " + wantedTorch() +
                     ", and the LibTorch that was found is another version: " + complaint};
    if (complaint.find("cannot open shared object file") != std::string::npos)
        return Error{wantedTorch() +
                     " was not found, so nothing can be run; run packaging/setup.sh, or set WARPGLASS_TORCH "
                     "to the folder that holds torch/lib: " +
                     complaint};
    return Error{library.string() + " cannot be loaded: " + complaint};
}

Status checkLibrary(const fs::path& library) {
    std::error_code error;
    if (fs::exists(library, error))
        return {};
    if (!environmentPath("WARPGLASS_RUNNER").empty())
        return Error{"WARPGLASS_RUNNER names " + library.string() + ", which does not exist"};
    if (expectedTorchVersion().empty())
        return Error{
            "this is a viewer-only build, which cannot run models; packaging/run.sh without --viewer-only "
            "builds one that can"};
    return Error{"the engine that runs models, " + library.string() +
                 ", is missing; run packaging/setup.sh and build again"};
}

Result<Runner*> load() {
    const fs::path library = runnerPath();
    if (const Status present = checkLibrary(library); !present)
        return present.error();
    if (const Status loaded = preloadTorch(); !loaded)
        return loaded.error();
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return explainLoadFailure(library, lastDlError());
    // Once LibTorch has started threads it cannot be unloaded: the handle stays open, also when what follows
    // fails.
    const auto entry = reinterpret_cast<decltype(&warpglassRunner)>(dlsym(handle, kEntryPoint));
    if (!entry)
        return Error{library.string() + " is not Warpglass's runner: it has no " + std::string(kEntryPoint)};
    Runner* runner = entry(kRunnerAbi);
    if (!runner)
        return Error{library.string() + " belongs to another version of Warpglass; build both together"};
    const std::string version = runner->torchVersion();
    // "2.11.0+cu130" is 2.11.0, built for CUDA 13.0.
    const std::string_view release = std::string_view(version).substr(0, version.find('+'));
    if (!expectedTorchVersion().empty() && release != expectedTorchVersion())
        return Error{
            "running models needs " + wantedTorch() + ", and LibTorch " + version +
            " was found; run packaging/setup.sh, or set WARPGLASS_TORCH to the folder of the right one"};
    return runner;
}

}  // namespace

Result<Runner*> loadRunner() {
    static std::mutex mutex;
    static Runner* loaded = nullptr;
    const std::lock_guard lock(mutex);
    if (loaded)
        return loaded;
    // A failure is not kept: the person may put right what was missing and try again.
    Result<Runner*> result = load();
    if (result)
        loaded = *result;
    return result;
}

Status checkRunner() {
    if (const Status present = checkLibrary(runnerPath()); !present)
        return present;
    const Result<fs::path> torch = chosenTorch();
    return torch ? Status() : Status(torch.error());
}

std::string_view expectedTorchVersion() {
    return WARPGLASS_TORCH_VERSION;
}

}  // namespace warpglass
