// Products with the 16-bit copies of weights that the optimizer keeps. A weight's gradient leaves its product
// in fp32, so that it is neither rounded to 16 bits nor cast back.
#include <cstdint>
#include <vector>

#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// dW = dyᵀ x in fp32 and dx = dy W in 16 bits, or in fp32 where x was wide.
struct LinearGradients {
    at::Tensor weight, input;
};

/// input: (…, in); copy: (out, in).
LinearGradients linearGradients(const at::Tensor& gradient, const at::Tensor& input, const at::Tensor& copy,
                                bool wide) {
    const at::Tensor dy = gradient.reshape({-1, copy.size(0)});  // (T, out)
    LinearGradients result;
    result.weight = at::mm(dy.t(), input.reshape({-1, copy.size(1)}), /*out_dtype=*/at::kFloat);
    result.input = at::mm(dy, copy).view(input.sizes());
    if (wide)
        result.input = result.input.to(at::kFloat);
    return result;
}

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
        const LinearGradients made =
            linearGradients(gradients[0], saved[0], saved[1], context->saved_data["wide"].toBool());
        return {made.input, made.weight, at::Tensor()};
    }
};

struct JoinedLinearFunction : torch::autograd::Function<JoinedLinearFunction> {
    /// weights: (outᵢ, in), fp32, for their gradients alone; copy: they in 16 bits, below one another.
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& copy,
                              at::TensorList weights) {
        const at::Tensor input = x.to(copy.scalar_type());
        context->save_for_backward({input, copy});
        context->saved_data["wide"] = x.scalar_type() == at::kFloat;
        std::vector<std::int64_t> rows;
        for (const at::Tensor& weight : weights)
            rows.push_back(weight.size(0));
        context->saved_data["rows"] = rows;
        return at::linear(input, copy);
    }

    /// The weights' gradients are parts of one tensor.
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const LinearGradients made =
            linearGradients(gradients[0], saved[0], saved[1], context->saved_data["wide"].toBool());
        variable_list all{made.input, at::Tensor()};
        std::int64_t row = 0;
        for (const std::int64_t rows : context->saved_data["rows"].toIntVector()) {
            all.push_back(made.weight.narrow(0, row, rows));
            row += rows;
        }
        return all;
    }
};

at::Tensor linearWithoutCasts(const at::Tensor& x, const Linear& module) {
    if (!module.copy.defined())  // fp32 and tf32 have none
        return at::linear(x, module.weight);
    RECORD_FUNCTION("warpglass::linear", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return LinearFunction::apply(x, module.weight, module.copy);
}

at::Tensor joinedWithoutCasts(const at::Tensor& x, const JoinedLinear& module) {
    RECORD_FUNCTION("warpglass::linear", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return JoinedLinearFunction::apply(x, module.copy, at::TensorList(module.weights));
}

}  // namespace

template <>
LinearArithmetic arithmetic<LinearVariant::kFused>() {
    return {&linearWithoutCasts, &joinedWithoutCasts};
}

}  // namespace warpglass
