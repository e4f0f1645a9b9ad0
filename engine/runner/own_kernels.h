// Our own CUDA kernels (engine/kernels), loaded when a model first asks for one.
#pragma once

#include <string>

#include "engine/kernels/kernels.h"

namespace warpglass {

struct LoadedKernels {
    /// Null where libwarpglass-kernels cannot be loaded; problem says why then.
    const kernels::Kernels* kernels = nullptr;
    std::string problem;
};

/// Loads once; any thread. Needs no GPU.
const LoadedKernels& loadKernels();

}  // namespace warpglass
