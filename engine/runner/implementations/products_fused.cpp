// Products by the algorithms that engine/cuda/lt_products.h has tried out.
#include "engine/runner/arithmetic.h"
#include "engine/runner/gpu.h"

namespace warpglass {
namespace {

at::Tensor fastestProduct(const at::Tensor& a, const at::Tensor& b, at::ScalarType type) {
    const LoadedGpu& loaded = loadGpu();
    TORCH_CHECK(loaded.gpu, loaded.problem);
    RECORD_FUNCTION("warpglass::mm", c10::ArrayRef<const c10::IValue>{});
    at::Tensor out = at::empty({a.size(0), b.size(1)}, a.options().dtype(type));
    if (loaded.gpu->multiply(a, b, out))
        return out;
    return a.scalar_type() == type ? at::mm_out(out, a, b) : at::mm_out(out, a, b, /*out_dtype=*/type);
}

}  // namespace

template <>
ProductsArithmetic arithmetic<ProductsVariant::kFused>() {
    return {&fastestProduct};
}

}  // namespace warpglass
