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

/// joined: (B, S, 2 F), gate and value side by side.
struct JoinedSwigluFunction : torch::autograd::Function<JoinedSwigluFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& joined) {
        const std::int64_t width = joined.size(-1) / 2;
        at::Tensor hidden = at::empty({joined.size(0), joined.size(1), width}, joined.options());
        kernels::SwigluForward call;
        call.width = width;
        call.stride = 2 * width;
        call.rows = joined.numel() / call.stride;
        call.type = numberTypeOf(joined);
        call.gate = joined.data_ptr();
        call.value = valueIn(joined);
        call.hidden = hidden.data_ptr();
        checkLaunch(ownKernels().swigluForward(call, streamOf(joined)), "SwiGLU");
        context->save_for_backward({joined});
        return hidden;
    }

    /// In the place of gate and value, which nothing else reads.
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor joined = context->get_saved_variables()[0].detach();
        const at::Tensor gradient = gradients[0].contiguous();
        kernels::SwigluBackward call;
        call.width = gradient.size(-1);
        call.stride = 2 * call.width;
        call.rows = joined.numel() / call.stride;
        call.type = numberTypeOf(joined);
        call.gate = call.gateGradient = joined.data_ptr();
        call.value = call.valueGradient = valueIn(joined);
        call.hiddenGradient = gradient.data_ptr();
        checkLaunch(ownKernels().swigluBackward(call, streamOf(joined)), "SwiGLU");
        return {joined};
    }

    static void* valueIn(const at::Tensor& joined) {
        return static_cast<char*>(joined.data_ptr()) + joined.size(-1) / 2 * joined.element_size();
    }
};

at::Tensor swigluOfJoined(const at::Tensor& joined) {
    RECORD_FUNCTION("warpglass::swiglu", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return JoinedSwigluFunction::apply(joined);
}

at::Tensor swiglu(const at::Tensor& gate, const at::Tensor& value) {
    RECORD_FUNCTION("warpglass::swiglu", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return SwigluFunction::apply(gate, value);
}

at::Tensor fusedFeedForward(at::Tensor x, const FeedForward& module) {
    if (module.w13.defined()) {
        at::Tensor joined = module.w13(x);  // (B, S, 2 F)
        x.reset();
        const at::Tensor hidden = swigluOfJoined(joined);
        joined.reset();
        return module.w2(hidden);
    }
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
