#include "engine/runner/attention.h"

#include <limits>

#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

/// RoPE's base; Su et al., "RoFormer", section 3.2.2.
constexpr double kRotationBase = 10000.0;

/// In the words of run information.
std::string sdpaBackendName(at::SDPBackend backend) {
    switch (backend) {
        case at::SDPBackend::math:
            return "sdpa math";
        case at::SDPBackend::flash_attention:
            return "sdpa flash";
        case at::SDPBackend::efficient_attention:
            return "sdpa efficient";
        case at::SDPBackend::cudnn_attention:
            return "sdpa cudnn";
        default:
            return "sdpa backend " + std::to_string(static_cast<std::int64_t>(backend));
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
    return arithmeticOf(setting.variant).attend(std::move(q), std::move(k), std::move(v), setting);
}

SdpaBackendScope::SdpaBackendScope(AttentionVariant variant) {
    auto& context = at::globalContext();
    m_flash = context.userEnabledFlashSDP();
    m_math = context.userEnabledMathSDP();
    m_memoryEfficient = context.userEnabledMemEfficientSDP();
    m_cudnn = context.userEnabledCuDNNSDP();
    if (const auto backend = arithmeticOf(variant).backend) {
        context.setSDPUseFlash(*backend == at::SDPBackend::flash_attention);
        context.setSDPUseMath(*backend == at::SDPBackend::math);
        context.setSDPUseMemEfficient(*backend == at::SDPBackend::efficient_attention);
        context.setSDPUseCuDNN(*backend == at::SDPBackend::cudnn_attention);
    }
}

SdpaBackendScope::~SdpaBackendScope() {
    auto& context = at::globalContext();
    context.setSDPUseFlash(m_flash);
    context.setSDPUseMath(m_math);
    context.setSDPUseMemEfficient(m_memoryEfficient);
    context.setSDPUseCuDNN(m_cudnn);
}

std::string wantedBackend(AttentionVariant variant) {
    const auto backend = arithmeticOf(variant).backend;
    return backend ? sdpaBackendName(*backend) : std::string(attentionName(variant));
}

std::string attentionBackend(const RunConfig& config, at::Device device) {
    if (!arithmeticOf(config.attention).backend)
        return wantedBackend(config.attention);
    // On the CPU one token suffices: the choice depends on types, layout and head dimension.
    const std::int64_t tokens = device.is_cpu() ? 1 : config.context;
    const auto options = at::TensorOptions(productType(config.precision)).device(device);
    const std::int64_t heads = config.shape.heads, size = config.headDimension();
    const at::Tensor x = (config.isAttention() ? at::zeros({1, heads, tokens, size}, options)
                                               : at::zeros({1, tokens, heads, size}, options).transpose(1, 2))
                             .set_requires_grad(config.mode != Mode::kForward);
    const auto chosen =
        static_cast<at::SDPBackend>(at::_fused_sdp_choice(x, x, x, {}, 0.0, config.isCausal()));
    const bool onCpu = chosen == at::SDPBackend::flash_attention && device.is_cpu();
    return sdpaBackendName(chosen) + (onCpu ? " (CPU)" : "");
}

}  // namespace warpglass
