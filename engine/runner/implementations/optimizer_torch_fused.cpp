// AdamW through LibTorch's fused kernels: one pass over parameter, gradient and both moments, no temporary.
#include "engine/runner/adamw.h"
#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

void updateByTorch(const AdamWTensors& tensors, const at::Tensor& stepCount, const AdamWSetting& setting,
                   const LossScaler* scaler) {
    const std::vector<at::Tensor> counts(tensors.parameters.size(), stepCount);
    at::_fused_adamw_(tensors.parameters, tensors.gradients, tensors.firstMoments, tensors.secondMoments, {},
                      counts, setting.learningRate, setting.beta1, setting.beta2, setting.weightDecay,
                      setting.epsilon, /*amsgrad=*/false, /*maximize=*/false,
                      scaler ? std::optional(scaler->scale()) : std::nullopt,
                      scaler ? std::optional(scaler->foundInfinity()) : std::nullopt);
    std::vector<at::Tensor> copies, copied;
    for (std::size_t i = 0; i < tensors.copies.size(); ++i) {
        if (tensors.copies[i].defined()) {
            copies.push_back(tensors.copies[i]);
            copied.push_back(tensors.parameters[i]);
        }
    }
    if (!copies.empty())
        at::_foreach_copy_(copies, copied);
}

}  // namespace

template <>
OptimizerArithmetic arithmetic<OptimizerVariant::kTorchFused>() {
    return {[](std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
               Transformer::TensorMade stateMade) {
        return makeAdamW(std::move(parameters), setting, std::move(stateMade), &updateByTorch);
    }};
}

}  // namespace warpglass
