// Cross-entropy by our own kernels (engine/kernels/step_kernels.h): the logits become their gradient.
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct CrossEntropyFunction : torch::autograd::Function<CrossEntropyFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& given, const at::Tensor& targets) {
        const at::Tensor logits = given.contiguous();
        const auto fp32 = logits.options().dtype(at::kFloat);
        kernels::CrossEntropyForward call;
        call.vocabulary = logits.size(-1);
        call.rows = logits.numel() / call.vocabulary;
        const at::Tensor rowSums = at::empty({call.rows, 2}, fp32), rowLosses = at::empty({call.rows}, fp32);
        at::Tensor loss = at::empty({}, fp32);
        call.type = numberTypeOf(logits);
        call.logits = logits.data_ptr();
        call.targets = targets.data_ptr<std::int64_t>();
        call.rowSums = rowSums.data_ptr<float>();
        call.rowLosses = rowLosses.data_ptr<float>();
        call.loss = loss.data_ptr<float>();
        checkLaunch(ownKernels().crossEntropyForward(call, streamOf(logits)), "cross-entropy");
        context->save_for_backward({logits, targets, rowSums});
        return loss;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor logits = saved[0].detach(), &targets = saved[1], &rowSums = saved[2];
        kernels::CrossEntropyBackward call;
        call.vocabulary = logits.size(-1);
        call.rows = logits.numel() / call.vocabulary;
        call.type = numberTypeOf(logits);
        call.logits = logits.data_ptr();
        call.targets = targets.data_ptr<std::int64_t>();
        call.rowSums = rowSums.data_ptr<float>();
        call.lossGradient = gradients[0].data_ptr<float>();
        checkLaunch(ownKernels().crossEntropyBackward(call, streamOf(logits)), "cross-entropy");
        return {logits, at::Tensor()};
    }
};

at::Tensor fusedCrossEntropy(at::Tensor logits, const at::Tensor& targets) {
    RECORD_FUNCTION("warpglass::cross_entropy", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return CrossEntropyFunction::apply(logits, targets);
}

}  // namespace

template <>
LossArithmetic arithmetic<LossVariant::kFused>() {
    return {&fusedCrossEntropy};
}

}  // namespace warpglass
