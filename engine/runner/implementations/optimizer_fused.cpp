// AdamW through our own kernel: one launch for all parameters.
#include "engine/runner/adamw.h"
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

void updateByOurs(const AdamWTensors& tensors, const at::Tensor& stepCount, const AdamWSetting& setting,
                  const LossScaler* scaler) {
    if (tensors.parameters.empty())
        return;
    RECORD_FUNCTION("warpglass::adamw", c10::ArrayRef<const c10::IValue>{});
    kernels::Adamw call;
    std::vector<kernels::AdamwTensor> table;
    std::vector<at::Tensor> gradients;  // until the launch
    for (std::size_t i = 0; i < tensors.parameters.size(); ++i) {
        gradients.push_back(tensors.gradients[i].contiguous());
        const at::Tensor& copy = tensors.copies[i];
        table.push_back({tensors.parameters[i].data_ptr<float>(), gradients.back().data_ptr<float>(),
                         tensors.firstMoments[i].data_ptr<float>(),
                         tensors.secondMoments[i].data_ptr<float>(),
                         copy.defined() ? copy.data_ptr() : nullptr, tensors.parameters[i].numel()});
        if (copy.defined())
            call.type = numberTypeOf(copy);
    }
    call.tensors = table;
    call.learningRate = setting.learningRate;
    call.beta1 = setting.beta1;
    call.beta2 = setting.beta2;
    call.epsilon = setting.epsilon;
    call.weightDecay = setting.weightDecay;
    call.step = stepCount.data_ptr<float>();
    if (scaler) {
        call.scale = scaler->scale().data_ptr<float>();
        call.foundInfinity = scaler->foundInfinity().data_ptr<float>();
    }
    checkLaunch(ownKernels().adamw(call, streamOf(stepCount)), "AdamW");
}

}  // namespace

template <>
OptimizerArithmetic arithmetic<OptimizerVariant::kFused>() {
    return {[](std::vector<Transformer::Parameter> parameters, AdamWSetting setting,
               Transformer::TensorMade stateMade) {
        return makeAdamW(std::move(parameters), setting, std::move(stateMade), &updateByOurs);
    }};
}

}  // namespace warpglass
