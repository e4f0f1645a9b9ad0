#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor embed(const at::Tensor& weight, const at::Tensor& tokens) {
    return at::embedding(weight, tokens);
}

}  // namespace

template <>
EmbeddingArithmetic arithmetic<EmbeddingVariant::kEager>() {
    return {&embed};
}

}  // namespace warpglass
