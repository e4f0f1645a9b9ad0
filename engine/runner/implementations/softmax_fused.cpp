// Scale, mask and softmax of naive attention by our own kernels, in place (engine/kernels/step_kernels.h).
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct MaskedSoftmaxFunction : torch::autograd::Function<MaskedSoftmaxFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& scores, double scale, bool causal) {
        TORCH_CHECK(scores.is_contiguous(), "scores that are to become weights in place are not contiguous");
        kernels::SoftmaxForward call;
        call.length = scores.size(-1);
        call.rows = scores.numel() / call.length;
        call.type = numberTypeOf(scores);
        call.causal = causal;
        call.scale = static_cast<float>(scale);
        call.scores = scores.data_ptr();
        checkLaunch(ownKernels().softmaxForward(call, streamOf(scores)), "softmax");
        context->mark_dirty({scores});
        context->save_for_backward({scores});
        context->saved_data["scale"] = scale;
        context->saved_data["causal"] = causal;
        return scores;
    }

    /// In the place of the weights' gradient, which nothing else reads.
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor weights = context->get_saved_variables()[0];
        at::Tensor gradient = gradients[0].contiguous();
        kernels::SoftmaxBackward call;
        call.length = weights.size(-1);
        call.rows = weights.numel() / call.length;
        call.type = numberTypeOf(weights);
        call.causal = context->saved_data["causal"].toBool();
        call.scale = static_cast<float>(context->saved_data["scale"].toDouble());
        call.weights = weights.data_ptr();
        call.gradient = gradient.data_ptr();
        checkLaunch(ownKernels().softmaxBackward(call, streamOf(weights)), "softmax");
        return {gradient, at::Tensor(), at::Tensor()};
    }
};

at::Tensor scaledAndMaskedSoftmax(at::Tensor scores, double scale, bool causal) {
    RECORD_FUNCTION("warpglass::masked_softmax", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return MaskedSoftmaxFunction::apply(scores, scale, causal);
}

}  // namespace

template <>
SoftmaxArithmetic arithmetic<SoftmaxVariant::kFused>() {
    return {&scaledAndMaskedSoftmax};
}

}  // namespace warpglass
