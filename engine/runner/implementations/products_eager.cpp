#include "engine/runner/arithmetic.h"

namespace warpglass {
namespace {

at::Tensor product(const at::Tensor& a, const at::Tensor& b, at::ScalarType type) {
    return a.scalar_type() == type ? at::mm(a, b) : at::mm(a, b, /*out_dtype=*/type);
}

}  // namespace

template <>
ProductsArithmetic arithmetic<ProductsVariant::kEager>() {
    return {&product};
}

}  // namespace warpglass
