// SwiGLU's gate by our own kernels (engine/kernels/step_kernels.h).
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct SwigluFunction : torch::autograd::Function<SwigluFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& givenGate,
                              const at::Tensor& givenValue) {
        const at::Tensor gate = givenGate.contiguous(), value = givenValue.contiguous();
        at::Tensor hidden = at::empty_like(gate);
        kernels::SwigluForward call;
        call.width = call.stride = gate.size(-1);
        call.rows = gate.numel() / call.width;
        call.type = numberTypeOf(gate);
        call.gate = gate.data_ptr();
        call.value = value.data_ptr();
        call.hidden = hidden.data_ptr();
        checkLaunch(ownKernels().swigluForward(call, streamOf(gate)), "SwiGLU");
        context->save_for_backward({gate, value});
        return hidden;
    }

    /// In the places of gate and value, which nothing else reads.
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor gate = saved[0].detach(), value = saved[1].detach();
        const at::Tensor gradient = gradients[0].contiguous();
        kernels::SwigluBackward call;
        call.width = call.stride = gate.size(-1);
        call.rows = gate.numel() / call.width;
        call.type = numberTypeOf(gate);
        call.gate = gate.data_ptr();
        call.value = value.data_ptr();
        call.hiddenGradient = gradient.data_ptr();
        call.gateGradient = gate.data_ptr();
        call.valueGradient = value.data_ptr();
        checkLaunch(ownKernels().swigluBackward(call, streamOf(gate)), "SwiGLU");
        return {gate, value};
    }
};

at::Tensor swiglu(const at::Tensor& gate, const at::Tensor& value) {
    RECORD_FUNCTION("warpglass::swiglu", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return SwigluFunction::apply(gate, value);
}

at::Tensor fusedFeedForward(at::Tensor x, const FeedForward& module) {
    at::Tensor gate = module.w1(x), value = module.w3(x);  // (B, S, F)
    x.reset();
    const at::Tensor hidden = swiglu(gate, value);
    gate.reset();
    value.reset();
    return module.w2(hidden);
}

}  // namespace

template <>
FeedForwardArithmetic arithmetic<FeedForwardVariant::kFused>() {
    return {&fusedFeedForward};
}

}  // namespace warpglass
