// AdamW for every implementation of it: which parameters are updated, and where the state is.
//
// On the CPU one call a parameter, each under its module's range, so that time and memory are seen where they
// belong; against one call for all parameters that costs some 10 µs each. On a GPU one call for all: there a
// launch a parameter would be most of the optimizer's time.
#pragma once

#include <memory>
#include <vector>

#include "engine/runner/optimizer.h"
#include "engine/runner/transformer.h"

namespace warpglass {

/// Lists of one length: a parameter, its gradient and its moments stand at the same place.
struct AdamWTensors {
    std::vector<at::Tensor> parameters, gradients, firstMoments, secondMoments;
    /// Each parameter once more in 16 bits, to be kept equal to it; undefined where there is none.
    std::vector<at::Tensor> copies;
};

/// Updates all of them. stepCount: one fp32 number, 1 in the first step. With a scaler, gradients are to be
/// divided by its scale, and nothing is updated where it found an infinite one.
using AdamWUpdate = void (*)(const AdamWTensors& tensors, const at::Tensor& stepCount,
                             const AdamWSetting& setting, const LossScaler* scaler);

std::unique_ptr<Optimizer> makeAdamW(std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
                                     Transformer::TensorMade stateMade, AdamWUpdate update);

}  // namespace warpglass
