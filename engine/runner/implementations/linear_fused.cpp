// Products with the 16-bit copies of weights that the optimizer keeps. A weight's gradient leaves its product
// in fp32, so that it is neither rounded to 16 bits nor cast back.
#include <cstdint>
#include <vector>

#include "engine/base/collect.h"
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

at::Tensor asMatrix(const at::Tensor& x) {
    return x.reshape({-1, x.size(-1)});
}

/// x: (…, in); copy: (out, in), in 16 bits.
at::Tensor linearForward(AutogradContext* context, const at::Tensor& x, const at::Tensor& copy,
                         ProductsVariant products) {
    const at::Tensor input = x.to(copy.scalar_type());
    context->save_for_backward({input, copy});
    context->saved_data["wide"] = x.scalar_type() == at::kFloat;
    context->saved_data["products"] = static_cast<std::int64_t>(products);
    std::vector<std::int64_t> sizes = x.sizes().vec();
    sizes.back() = copy.size(0);
    return arithmeticOf(products).multiply(asMatrix(input), copy.t(), copy.scalar_type()).view(sizes);
}

LinearGradients linearBackward(AutogradContext* context, const at::Tensor& gradient) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &input = saved[0], &copy = saved[1];
    const ProductsArithmetic& products =
        arithmeticOf(static_cast<ProductsVariant>(context->saved_data["products"].toInt()));
    const at::Tensor dy = asMatrix(gradient);  // (T, out)
    LinearGradients result;
    result.weight = products.multiply(dy.t(), asMatrix(input), at::kFloat);
    result.input = products.multiply(dy, copy, copy.scalar_type()).view(input.sizes());
    if (context->saved_data["wide"].toBool())
        result.input = result.input.to(at::kFloat);
    return result;
}

struct LinearFunction : torch::autograd::Function<LinearFunction> {
    /// x: (…, in); weight: (out, in), fp32, for its gradient alone; copy: weight in 16 bits.
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& /*weight*/,
                              const at::Tensor& copy, ProductsVariant products) {
        return linearForward(context, x, copy, products);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const LinearGradients made = linearBackward(context, gradients[0]);
        return {made.input, made.weight, at::Tensor(), at::Tensor()};
    }
};

struct JoinedLinearFunction : torch::autograd::Function<JoinedLinearFunction> {
    /// weights: (outᵢ, in), fp32, for their gradients alone; copy: they in 16 bits, below one another.
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& copy,
                              ProductsVariant products, at::TensorList weights) {
        auto rows = mapped<std::int64_t>(weights, [&](const at::Tensor& weight) { return weight.size(0); });
        context->saved_data["rows"] = rows;
        return linearForward(context, x, copy, products);
    }

    /// The weights' gradients are parts of one tensor.
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const LinearGradients made = linearBackward(context, gradients[0]);
        variable_list all{made.input, at::Tensor(), at::Tensor()};
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
    return LinearFunction::apply(x, module.weight, module.copy, module.products);
}

at::Tensor joinedWithoutCasts(const at::Tensor& x, const JoinedLinear& module) {
    RECORD_FUNCTION("warpglass::linear", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return JoinedLinearFunction::apply(x, module.copy, module.products, at::TensorList(module.weights));
}

}  // namespace

template <>
LinearArithmetic arithmetic<LinearVariant::kFused>() {
    return {&linearWithoutCasts, &joinedWithoutCasts};
}

}  // namespace warpglass
