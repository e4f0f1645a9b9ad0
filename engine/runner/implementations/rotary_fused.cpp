// The rotary embedding by our own kernel, in place (engine/kernels/step_kernels.h).
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// x, output: (B, S, D), contiguous; may be one.
void turn(const at::Tensor& x, const at::Tensor& output, std::int64_t heads, const at::Tensor& rotations,
          bool back) {
    kernels::Rotary call;
    call.batch = x.size(0);
    call.length = x.size(1);
    call.heads = heads;
    call.headDimension = x.size(2) / heads;
    call.type = numberTypeOf(x);
    call.back = back;
    call.x = x.data_ptr();
    call.stride = x.size(2);
    call.rotations = static_cast<const float*>(rotations.data_ptr());  // complex numbers are pairs
    call.output = output.data_ptr();
    checkLaunch(ownKernels().rotary(call, streamOf(x)), "rotary embedding");
}

struct RotaryFunction : torch::autograd::Function<RotaryFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, std::int64_t heads,
                              const at::Tensor& rotations) {
        TORCH_CHECK(x.is_contiguous(), "a projection that is to be rotated in place is not contiguous");
        turn(x, x, heads, rotations, false);
        context->mark_dirty({x});
        context->save_for_backward({rotations});
        context->saved_data["heads"] = heads;
        return x;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor gradient = gradients[0].contiguous();
        const at::Tensor result = at::empty_like(gradient);
        turn(gradient, result, context->saved_data["heads"].toInt(), context->get_saved_variables()[0], true);
        return {result, at::Tensor(), at::Tensor()};
    }
};

at::Tensor rotateInPlace(at::Tensor projected, std::int64_t heads, const at::Tensor& rotations) {
    RECORD_FUNCTION("warpglass::rotary", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    const at::Tensor turned = RotaryFunction::apply(projected, heads, rotations);
    return turned.view({turned.size(0), turned.size(1), heads, turned.size(2) / heads});
}

}  // namespace

template <>
RotaryArithmetic arithmetic<RotaryVariant::kFused>() {
    return {&rotateInPlace};
}

}  // namespace warpglass
