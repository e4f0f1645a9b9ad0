#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor norm(const at::Tensor& x, const at::Tensor& weight, double epsilon) {
    return at::rms_norm(x, {x.size(-1)}, weight, epsilon);
}

}  // namespace

template <>
NormArithmetic arithmetic<NormVariant::kEager>() {
    return {&norm};
}

}  // namespace warpglass
