#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor eagerLinear(const at::Tensor& x, const Linear& module) {
    return at::linear(x, module.weight);
}

}  // namespace

template <>
LinearArithmetic arithmetic<LinearVariant::kEager>() {
    return {&eagerLinear};
}

}  // namespace warpglass
