// AdamW (Loshchilov & Hutter, "Decoupled weight decay regularization") through LibTorch's fused kernels: one
// pass over parameter, gradient and both moments, with no temporary.
//
// On the CPU one call a parameter, each under its module's range, so that time and memory are seen where they
// belong; against one call for all parameters that costs some 10 µs each. On a GPU one call for all: there a
// launch a parameter would be most of the optimizer's time.
#pragma once

#include <vector>

#include "engine/capture/torch_headers.h"
#include "engine/runner/loss_scaler.h"
#include "engine/runner/transformer.h"

namespace warpglass {

struct AdamWSetting {
    // Usual for language models of these sizes.
    double learningRate = 3e-4;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weightDecay = 0.01;
};

class AdamW {
public:
    AdamW(std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
          Transformer::TensorMade stateMade);

    /// Updates every parameter that has a gradient. The moments are made in the first step, as PyTorch does.
    /// With a scaler the gradients are those of a scaled loss that it has checked. Throws StopRequested
    /// between two parameters.
    void step(const LossScaler* scaler = nullptr);

private:
    struct State {
        at::Tensor firstMoment, secondMoment;
    };

    void stepOneByOne();
    void stepTogether(const LossScaler* scaler);
    void update(const Transformer::Parameter& parameter, State& state);
    void makeState(const Transformer::Parameter& parameter, State& state);

    std::vector<Transformer::Parameter> m_parameters;
    std::vector<State> m_states;
    at::Tensor m_stepCount;  // one fp32 number, the same for all parameters
    AdamWSetting m_setting;
    Transformer::TensorMade m_stateMade;
};

}  // namespace warpglass
