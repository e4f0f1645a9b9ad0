// The gradient of the table of embeddings by our own kernels (engine/kernels/step_kernels.h).
#include "engine/runner/arithmetic.h"
#include "engine/runner/kernel_call.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct EmbeddingFunction : torch::autograd::Function<EmbeddingFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& weight, const at::Tensor& tokens) {
        context->save_for_backward({tokens});
        context->saved_data["rows"] = weight.size(0);
        return at::embedding(weight, tokens);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor tokens = context->get_saved_variables()[0], dy = gradients[0].contiguous();
        kernels::EmbeddingBackward call;
        call.count = tokens.numel();
        call.vocabulary = context->saved_data["rows"].toInt();
        call.width = dy.size(-1);
        const at::Tensor weightGradient = at::empty({call.vocabulary, call.width}, dy.options());
        call.tokens = tokens.data_ptr<std::int64_t>();
        call.outputGradient = dy.data_ptr<float>();
        call.weightGradient = weightGradient.data_ptr<float>();
        const at::Tensor scratch =
            at::empty({call.count + call.vocabulary + 1}, dy.options().dtype(at::kInt));
        call.order = scratch.data_ptr<int>();
        call.begins = call.order + call.count;
        checkLaunch(ownKernels().embeddingBackward(call, streamOf(dy)), "embedding");
        return {weightGradient, at::Tensor()};
    }
};

at::Tensor embedWithOurGradient(const at::Tensor& weight, const at::Tensor& tokens) {
    RECORD_FUNCTION("warpglass::embedding", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return EmbeddingFunction::apply(weight, tokens);
}

}  // namespace

template <>
EmbeddingArithmetic arithmetic<EmbeddingVariant::kFused>() {
    return {&embedWithOurGradient};
}

}  // namespace warpglass
