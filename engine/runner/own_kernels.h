// Our own CUDA kernels (engine/kernels), loaded when a model first asks for one.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/kernels/kernels.h"

namespace warpglass {

struct LoadedKernels {
    /// Null where libwarpglass-kernels cannot be loaded; problem says why then.
    const kernels::Kernels* kernels = nullptr;
    std::string problem;
};

/// Loads once; any thread. Needs no GPU.
const LoadedKernels& loadKernels();

/// An error where our kernels cannot run on the calling thread's GPU, whose name `device` is.
Status checkKernels(const std::string& device);

}  // namespace warpglass
