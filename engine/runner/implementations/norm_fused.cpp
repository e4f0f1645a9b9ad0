// RMSNorm with the addition to the residual stream before it, by our own kernels
// (engine/kernels/step_kernels.h). The output is of the type that products read, so that autocast finds
// nothing to cast.
#include <algorithm>

#include "engine/plan/parts.h"
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr const char* kNormName = "fused norm";

struct NormedRows {
    at::Tensor sum, output, reciprocal;
};

/// Without a branch (undefined) sum is x.
NormedRows normedRows(const at::Tensor& x, const at::Tensor& branch, const at::Tensor& weight,
                      double epsilon) {
    TORCH_CHECK(x.scalar_type() == at::kFloat && x.is_contiguous(), "the residual stream is not fp32");
    const bool adds = branch.defined();
    NormedRows result;
    result.sum = adds ? at::empty_like(x) : x;
    result.output = at::empty_like(x, x.options().dtype(typeOfProducts(x)));
    result.reciprocal = at::empty({x.numel() / x.size(-1)}, x.options());
    const at::Tensor added = adds ? branch.to(result.output.scalar_type()).contiguous() : branch;
    kernels::NormForward call;
    call.rows = result.reciprocal.numel();
    call.width = x.size(-1);
    call.type = numberTypeOf(result.output);
    call.epsilon = static_cast<float>(epsilon);
    call.x = x.data_ptr<float>();
    call.branch = adds ? added.data_ptr() : nullptr;
    call.weight = weight.data_ptr<float>();
    call.sum = adds ? result.sum.data_ptr<float>() : nullptr;
    call.output = result.output.data_ptr();
    call.reciprocal = result.reciprocal.data_ptr<float>();
    checkLaunch(ownKernels().normForward(call, streamOf(x)), kNormName);
    return result;
}

struct NormGradients {
    at::Tensor sum, branch, weight;
};

/// `through`: the sum's from elsewhere, or undefined.
NormGradients normGradients(AutogradContext* context, const at::Tensor& through,
                            const at::Tensor& outputGradient, bool wantsBranch) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &sum = saved[0], &reciprocal = saved[1], &weight = saved[2];
    const at::Tensor dy = outputGradient.contiguous();
    const at::Tensor around = through.defined() ? through.contiguous() : through;
    const bool narrows = dy.scalar_type() != at::kFloat;
    NormGradients result;
    result.sum = at::empty_like(sum);
    if (wantsBranch)
        result.branch = narrows ? at::empty_like(dy) : result.sum;
    result.weight = at::empty_like(weight);
    kernels::NormBackward call;
    call.partialRows = std::min(reciprocal.numel(), planOf(NormVariant::kFused).mostPartialRows);
    const at::Tensor partials = at::empty({call.partialRows, weight.numel()}, weight.options());
    call.rows = reciprocal.numel();
    call.width = weight.numel();
    call.type = numberTypeOf(dy);
    call.outputGradient = dy.data_ptr();
    call.through = around.defined() ? around.data_ptr<float>() : nullptr;
    call.sum = sum.data_ptr<float>();
    call.weight = weight.data_ptr<float>();
    call.reciprocal = reciprocal.data_ptr<float>();
    call.sumGradient = result.sum.data_ptr<float>();
    call.branchGradient = wantsBranch && narrows ? result.branch.data_ptr() : nullptr;
    call.weightGradient = result.weight.data_ptr<float>();
    call.partials = partials.data_ptr<float>();
    checkLaunch(ownKernels().normBackward(call, streamOf(sum)), kNormName);
    return result;
}

struct FusedNormFunction : torch::autograd::Function<FusedNormFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                              double epsilon) {
        const NormedRows done = normedRows(x, {}, weight, epsilon);
        context->save_for_backward({done.sum, done.reciprocal, weight});
        return done.output;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const NormGradients done = normGradients(context, {}, gradients[0], false);
        return {done.sum, done.weight, at::Tensor()};
    }
};

struct FusedNormAfterAddingFunction : torch::autograd::Function<FusedNormAfterAddingFunction> {
    static variable_list forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& branch,
                                 const at::Tensor& weight, double epsilon) {
        const NormedRows done = normedRows(x, branch, weight, epsilon);
        context->save_for_backward({done.sum, done.reciprocal, weight});
        context->set_materialize_grads(false);  // the last norm's sum goes nowhere else
        return {done.sum, done.output};
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const NormGradients done = normGradients(context, gradients[0], gradients[1], true);
        return {done.sum, done.branch, done.weight, at::Tensor()};
    }
};

at::Tensor fusedNorm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    RECORD_FUNCTION("warpglass::fused_norm", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return FusedNormFunction::apply(x, weight, epsilon);
}

AddedAndNormed fusedAddAndNorm(const at::Tensor& x, const at::Tensor& branch, const at::Tensor& weight,
                               double epsilon) {
    RECORD_FUNCTION("warpglass::fused_norm", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    variable_list both = FusedNormAfterAddingFunction::apply(x, branch, weight, epsilon);
    return {std::move(both[0]), std::move(both[1])};
}

}  // namespace

template <>
NormArithmetic arithmetic<NormVariant::kFused>() {
    return {&fusedNorm, &fusedAddAndNorm};
}

}  // namespace warpglass
