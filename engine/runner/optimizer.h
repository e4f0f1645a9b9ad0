// AdamW (Loshchilov & Hutter, "Decoupled weight decay regularization"), for engine/runner/implementations.
#pragma once

#include "engine/capture/torch_headers.h"
#include "engine/runner/loss_scaler.h"

namespace warpglass {

struct AdamWSetting {
    // Usual for language models of these sizes.
    double learningRate = 3e-4;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weightDecay = 0.01;
};

class Optimizer {
public:
    virtual ~Optimizer() = default;
    /// Updates every parameter that has a gradient. The moments are made in the first step, as PyTorch does.
    /// With a scaler the gradients are those of a scaled loss that it has checked. Throws StopRequested
    /// between two parameters.
    virtual void step(const LossScaler* scaler) = 0;
};

}  // namespace warpglass
