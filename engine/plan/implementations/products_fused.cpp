// engine/cuda/lt_products.h.
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (keepsWeightCopies(config) && canTryOutProducts(config))
        return std::nullopt;
    if (keepsWeightCopies(config))
        return "The algorithms of products are tried out in warm-up steps for the measured ones, and not in "
               "a run that is to be deterministic: ask for steps of both kinds and no determinism, or leave "
               "\"products\" out of the kernels.";
    return "The algorithms of products are chosen where \"casts\" makes them in bf16 or fp16: choose that "
           "too, or leave \"products\" out of the kernels.";
}

}  // namespace

template <>
const ProductsPlan& plan<ProductsVariant::kFused>() {
    static constexpr ProductsPlan kPlan{
        .is = {.choice = {"products",
                          "Each product with 16-bit copies of weights by the fastest of cuBLASLt's "
                          "algorithms, tried out once in a warm-up step",
                          Devices::kGpu},
               .idle = &idle},
        .triesOut = true};
    return kPlan;
}

}  // namespace warpglass
