#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor rotateOutOfPlace(at::Tensor projected, std::int64_t heads, const at::Tensor& rotations) {
    return applyRotations(projected.unflatten(-1, {heads, projected.size(-1) / heads}), rotations);
}

}  // namespace

template <>
RotaryArithmetic arithmetic<RotaryVariant::kEager>() {
    return {&rotateOutOfPlace};
}

}  // namespace warpglass
