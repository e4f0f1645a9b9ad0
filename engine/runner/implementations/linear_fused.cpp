// Products with the 16-bit copies of weights that the optimizer keeps. A weight's gradient leaves its product
// in fp32, so that it is neither rounded to 16 bits nor cast back.
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct LinearFunction : torch::autograd::Function<LinearFunction> {
    /// x: (…, in); weight: (out, in), fp32, for its gradient alone; copy: weight in 16 bits.
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& /*weight*/,
                              const at::Tensor& copy) {
        const at::Tensor input = x.to(copy.scalar_type());
        context->save_for_backward({input, copy});
        context->saved_data["wide"] = x.scalar_type() == at::kFloat;
        return at::linear(input, copy);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &input = saved[0], &copy = saved[1];
        const at::Tensor dy = gradients[0].reshape({-1, copy.size(0)});  // (T, out)
        const at::Tensor weightGradient =
            at::mm(dy.t(), input.reshape({-1, copy.size(1)}), /*out_dtype=*/at::kFloat);
        at::Tensor inputGradient = at::mm(dy, copy).view(input.sizes());
        if (context->saved_data["wide"].toBool())
            inputGradient = inputGradient.to(at::kFloat);
        return {inputGradient, weightGradient, at::Tensor()};
    }
};

at::Tensor linearWithoutCasts(const at::Tensor& x, const Linear& module) {
    if (!module.copy.defined())  // fp32 and tf32 have none
        return at::linear(x, module.weight);
    RECORD_FUNCTION("warpglass::linear", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return LinearFunction::apply(x, module.weight, module.copy);
}

}  // namespace

template <>
LinearArithmetic arithmetic<LinearVariant::kFused>() {
    return {&linearWithoutCasts};
}

}  // namespace warpglass
