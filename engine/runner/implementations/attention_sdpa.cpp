// LibTorch's own attention, by each of its backends (SdpaBackendScope chooses).
#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor sdpa(at::Tensor q, at::Tensor k, at::Tensor v, const AttentionSetting& setting) {
    return at::scaled_dot_product_attention(q, k, v, {}, 0.0, setting.causal);
}

}  // namespace

template <>
AttentionArithmetic arithmetic<AttentionVariant::kSdpaMath>() {
    return {&sdpa, at::SDPBackend::math};
}
template <>
AttentionArithmetic arithmetic<AttentionVariant::kSdpaEfficient>() {
    return {&sdpa, at::SDPBackend::efficient_attention};
}
template <>
AttentionArithmetic arithmetic<AttentionVariant::kSdpaFlash>() {
    return {&sdpa, at::SDPBackend::flash_attention};
}
template <>
AttentionArithmetic arithmetic<AttentionVariant::kSdpaCudnn>() {
    return {&sdpa, at::SDPBackend::cudnn_attention};
}

}  // namespace warpglass
