// Attention by our own CUDA kernels (engine/kernels/flash_attention.h), and on the CPU by tiles.
#include <array>
#include <cmath>

#include "engine/runner/arithmetic.h"
#include "engine/runner/implementations/attention_tiled.h"
#include "engine/runner/kernel_call.h"
#include "engine/runner/kernel_clocks.h"
#include "engine/runner/thirds.h"

namespace warpglass {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

kernels::HeadTensor headTensor(const at::Tensor& x) {
    return {x.data_ptr(), x.stride(0), x.stride(1), x.stride(2)};
}

kernels::AttentionType typeOf(const at::Tensor& x) {
    using enum kernels::AttentionType;
    switch (x.scalar_type()) {
        case at::kHalf:
            return kFp16;
        case at::kBFloat16:
            return kBf16;
        default:  // as the library treats its own products (tf32_scope.h)
            TORCH_CHECK(x.scalar_type() == at::kFloat, "flash attention takes fp32, bf16 and fp16, not ",
                        c10::toString(x.scalar_type()));
            return at::globalContext().float32MatmulPrecision() == at::Float32MatmulPrecision::HIGHEST
                       ? kFp32
                       : kTf32;
    }
}

kernels::AttentionShape shapeOf(const at::Tensor& q, bool causal) {
    const auto asInt = [&](int dimension) { return static_cast<int>(q.size(dimension)); };
    return {asInt(0), asInt(1), asInt(2),
            asInt(3), causal,   static_cast<float>(1.0 / std::sqrt(static_cast<double>(q.size(3)))),
            typeOf(q)};
}

/// Rows that the kernels can read in 16-byte pieces, as they lie where that is possible.
at::Tensor readable(const at::Tensor& x) {
    const bool aligned = x.stride(3) == 1 && x.stride(0) % 8 == 0 && x.stride(1) % 8 == 0 &&
                         x.stride(2) % 8 == 0 && reinterpret_cast<std::uintptr_t>(x.data_ptr()) % 16 == 0;
    return aligned ? x : x.contiguous();
}

void check(int error) {
    checkLaunch(error, "flash attention");
}

struct FlashAttentionFunction : torch::autograd::Function<FlashAttentionFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& givenQ, const at::Tensor& givenK,
                              const at::Tensor& givenV, bool causal, bool deterministic) {
        const at::Tensor q = readable(givenQ), k = readable(givenK), v = readable(givenV);
        at::Tensor output = at::empty_like(q);
        at::Tensor logSumExp = at::empty({q.size(0), q.size(1), q.size(2)}, q.options().dtype(at::kFloat));
        const auto start = [&](auto function, auto&... clock) {
            check(function(shapeOf(q, causal), headTensor(q), headTensor(k), headTensor(v),
                           headTensor(output), logSumExp.data_ptr<float>(), streamOf(q), clock...));
        };
        if (RunClocks::Clock* const clock = takeKernelClock(AttentionPass::kForward))
            start(ownKernels().flashForwardClocked, clock->memory, clock->work);
        else
            start(ownKernels().flashForward);
        context->save_for_backward({q, k, v, output, logSumExp});
        context->saved_data["causal"] = causal;
        context->saved_data["deterministic"] = deterministic;
        return output;
    }

    static variable_list backward(AutogradContext* context, variable_list outputGradients) {
        const variable_list saved = context->get_saved_variables();
        const at::Tensor &q = saved[0], &k = saved[1], &v = saved[2], &output = saved[3],
                         &logSumExp = saved[4];
        const at::Tensor gradient = readable(outputGradients[0]);
        const auto [dQ, dK, dV] = areThirds(q, k, v)
                                      ? thirdsOf(emptyWhole(q))
                                      : std::array{at::empty_like(q), at::empty_like(k), at::empty_like(v)};
        const at::Tensor delta = at::empty_like(logSumExp);
        const kernels::AttentionShape shape = shapeOf(q, context->saved_data["causal"].toBool());
        at::Tensor sums;
        if (!kernels::isFp32(shape.type))
            sums = at::empty({q.size(0), q.size(1), q.size(2), q.size(3)}, q.options().dtype(at::kFloat));
        const kernels::BackwardScratch scratch{delta.data_ptr<float>(),
                                               sums.defined() ? sums.data_ptr<float>() : nullptr,
                                               context->saved_data["deterministic"].toBool()};
        const auto start = [&](auto function, auto&... clock) {
            check(function(shape, headTensor(q), headTensor(k), headTensor(v), headTensor(output),
                           headTensor(gradient), logSumExp.data_ptr<float>(), headTensor(dQ), headTensor(dK),
                           headTensor(dV), scratch, streamOf(q), clock...));
        };
        if (RunClocks::Clock* const clock = takeKernelClock(AttentionPass::kBackward))
            start(ownKernels().flashBackwardClocked, clock->memory, clock->work);
        else
            start(ownKernels().flashBackward);
        return {dQ, dK, dV, at::Tensor(), at::Tensor()};
    }
};

at::Tensor flashAttention(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting) {
    if (q.is_cpu())
        return tiledAttention(q, k, v, setting.causal);
    RECORD_FUNCTION("warpglass::flash_attention", c10::ArrayRef<const c10::IValue>{}, sequenceOfNextNode());
    return FlashAttentionFunction::apply(q, k, v, setting.causal, setting.deterministic);
}

}  // namespace

template <>
AttentionArithmetic arithmetic<AttentionVariant::kFlash>() {
    return {&flashAttention};
}

}  // namespace warpglass
