#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor feedForward(at::Tensor x, const FeedForward& module) {
    at::Tensor hidden = at::silu(module.w1(x));  // (B, S, F)
    hidden = hidden * module.w3(x);
    x.reset();
    return module.w2(hidden);
}

}  // namespace

template <>
FeedForwardArithmetic arithmetic<FeedForwardVariant::kEager>() {
    return {&feedForward};
}

}  // namespace warpglass
