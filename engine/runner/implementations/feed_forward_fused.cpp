// SwiGLU's gate by our own kernels (engine/kernels/step_kernels.h).
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Where gate and value lie, (B, S, F) each, or one behind the other in each row of a (B, S, 2 F).
struct GateAndValue {
    at::Tensor first;
    void *gate, *value;
    std::int64_t width, stride;

    static GateAndValue apart(const at::Tensor& gate, const at::Tensor& value) {
        return {gate, gate.data_ptr(), value.data_ptr(), gate.size(-1), gate.size(-1)};
    }
    static GateAndValue joined(const at::Tensor& both) {
        const std::int64_t width = both.size(-1) / 2;
        return {both, both.data_ptr(), static_cast<char*>(both.data_ptr()) + width * both.element_size(),
                width, 2 * width};
    }
    std::int64_t rows() const { return first.numel() / stride; }
};

at::Tensor hiddenOf(const GateAndValue& from) {
    at::Tensor hidden = at::empty({from.first.size(0), from.first.size(1), from.width}, from.first.options());
    kernels::SwigluForward call;
    call.width = from.width;
    call.stride = from.stride;
    call.rows = from.rows();
    call.type = numberTypeOf(from.first);
    call.gate = from.gate;
    call.value = from.value;
    call.hidden = hidden.data_ptr();
    checkLaunch(ownKernels().swigluForward(call, streamOf(from.first)), "SwiGLU");
    return hidden;
}

/// The gradients of gate and value take their places, which nothing else reads.
void becomeGradients(const GateAndValue& both, const at::Tensor& hiddenGradient) {
    const at::Tensor gradient = hiddenGradient.contiguous();
    kernels::SwigluBackward call;
    call.width = both.width;
    call.stride = both.stride;
    call.rows = both.rows();
    call.type = numberTypeOf(both.first);
    call.gate = call.gateGradient = both.gate;
    call.value = call.valueGradient = both.value;
    call.hiddenGradient = gradient.data_ptr();
    checkLaunch(ownKernels().swigluBackward(call, streamOf(both.first)), "SwiGLU");
}

struct SwigluFunction : torch::autograd::Function<SwigluFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& givenGate,
                              const at::Tensor& givenValue) {
        const at::Tensor gate = givenGate.contiguous(), value = givenValue.contiguous();
        context->save_for_backward({gate, value});
        return hiddenOf(GateAndValue::apart(gate, value));
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor gate = saved[0].detach(), value = saved[1].detach();
        becomeGradients(GateAndValue::apart(gate, value), gradients[0]);
        return {gate, value};
    }
};

/// joined: (B, S, 2 F), gate and value side by side.
struct JoinedSwigluFunction : torch::autograd::Function<JoinedSwigluFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& joined) {
        context->save_for_backward({joined});
        return hiddenOf(GateAndValue::joined(joined));
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor joined = context->get_saved_variables()[0].detach();
        becomeGradients(GateAndValue::joined(joined), gradients[0]);
        return {joined};
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
