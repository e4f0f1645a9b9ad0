#include "engine/runner/attention.h"

#include <cmath>
#include <limits>

#include "engine/capture/range_scope.h"
#include "engine/runner/tiled_attention.h"

namespace warpglass {
namespace {

/// RoPE's base; Su et al., "RoFormer", section 3.2.2.
constexpr double kRotationBase = 10000.0;

at::Tensor naiveAttention(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting) {
    static const RegisteredName kScores("scores"), kSoftmax("softmax"), kValues("values");
    at::Tensor weights;  // (B, H, S, S)
    {
        const PartScope part(kScores);
        // Scaling q costs S·d, scaling the scores would cost S². Adding the mask in place keeps nothing for
        // the backward pass, where the softmax's zeros already stop what comes from hidden positions.
        q = q * (1.0 / std::sqrt(static_cast<double>(q.size(-1))));
        weights = at::matmul(q, k.transpose(-2, -1));
        if (setting.causal)
            weights.add_(setting.mask);
        q.reset();
        k.reset();
    }
    {
        const PartScope part(kSoftmax);
        weights = at::softmax(weights, -1);
    }
    const PartScope part(kValues);
    return at::matmul(weights, v);
}

/// The answer of LibTorch's own dispatcher, in the words of run information.
std::string sdpaBackendName(std::int64_t choice, at::Device device) {
    switch (static_cast<at::SDPBackend>(choice)) {
        case at::SDPBackend::math:
            return "sdpa math";
        case at::SDPBackend::flash_attention:
            return device.is_cpu() ? "sdpa flash (CPU)" : "sdpa flash";
        case at::SDPBackend::efficient_attention:
            return "sdpa efficient";
        case at::SDPBackend::cudnn_attention:
            return "sdpa cudnn";
        default:
            return "sdpa backend " + std::to_string(choice);
    }
}

}  // namespace

at::Tensor makeRotations(std::int64_t context, std::int64_t headDimension, at::Device device) {
    const std::int64_t pairs = headDimension / 2;
    const at::Tensor frequencies = at::pow(
        kRotationBase, at::arange(pairs, at::kDouble).mul_(-2.0 / static_cast<double>(headDimension)));
    const at::Tensor angles = at::outer(at::arange(context, at::kDouble), frequencies).to(at::kFloat);
    // Computed on the CPU: once, and in double precision.
    return at::polar(at::ones_like(angles), angles).view({context, 1, pairs}).to(device);
}

at::ScalarType productType(Precision precision) {
    return precision == Precision::kBf16   ? at::kBFloat16
           : precision == Precision::kFp16 ? at::kHalf
                                           : at::kFloat;
}

at::Tensor makeCausalMask(std::int64_t context, Precision precision, at::Device device) {
    return at::full({context, context}, -std::numeric_limits<double>::infinity(),
                    at::TensorOptions(productType(precision)).device(device))
        .triu_(1);
}

at::Tensor applyRotations(const at::Tensor& x, const at::Tensor& rotations) {
    const at::Tensor pairs = at::view_as_complex(x.to(at::kFloat).unflatten(-1, {x.size(-1) / 2, 2}));
    return at::view_as_real(pairs * rotations).flatten(-2).to(x.scalar_type());
}

at::Tensor attend(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting) {
    switch (setting.variant) {
        case AttentionVariant::kNaive:
            return naiveAttention(std::move(q), std::move(k), std::move(v), setting);
        case AttentionVariant::kTiled:
            return tiledAttention(q, k, v, setting.causal);
        case AttentionVariant::kSdpaMath:
        case AttentionVariant::kSdpaEfficient:
        case AttentionVariant::kSdpaFlash:
        case AttentionVariant::kSdpaCudnn:
            break;  // SdpaBackendScope decides which
    }
    return at::scaled_dot_product_attention(q, k, v, {}, 0.0, setting.causal);
}

SdpaBackendScope::SdpaBackendScope(AttentionVariant variant) {
    auto& context = at::globalContext();
    m_flash = context.userEnabledFlashSDP();
    m_math = context.userEnabledMathSDP();
    m_memoryEfficient = context.userEnabledMemEfficientSDP();
    m_cudnn = context.userEnabledCuDNNSDP();
    if (variant == AttentionVariant::kSdpaMath || isFusedAttention(variant)) {
        context.setSDPUseFlash(variant == AttentionVariant::kSdpaFlash);
        context.setSDPUseMath(variant == AttentionVariant::kSdpaMath);
        context.setSDPUseMemEfficient(variant == AttentionVariant::kSdpaEfficient);
        context.setSDPUseCuDNN(variant == AttentionVariant::kSdpaCudnn);
    }
}

SdpaBackendScope::~SdpaBackendScope() {
    auto& context = at::globalContext();
    context.setSDPUseFlash(m_flash);
    context.setSDPUseMath(m_math);
    context.setSDPUseMemEfficient(m_memoryEfficient);
    context.setSDPUseCuDNN(m_cudnn);
}

std::string attentionBackend(const RunConfig& config, at::Device device) {
    if (config.attention == AttentionVariant::kNaive || config.attention == AttentionVariant::kTiled)
        return std::string(attentionName(config.attention));
    // On the CPU one token suffices: the choice depends on types, layout and head dimension.
    const std::int64_t tokens = device.is_cpu() ? 1 : config.context;
    const at::Tensor x = at::zeros({1, tokens, config.shape.heads, config.shape.headDimension()},
                                   at::TensorOptions(productType(config.precision)).device(device))
                             .transpose(1, 2)
                             .set_requires_grad(config.mode != Mode::kForward);
    return sdpaBackendName(at::_fused_sdp_choice(x, x, x, {}, 0.0, true), device);
}

}  // namespace warpglass
