#include "engine/plan/parts.h"

namespace warpglass {

template <>
const ProductsPlan& plan<ProductsVariant::kEager>() {
    static constexpr ProductsPlan kPlan{
        .is = {.choice = {"cublas", "cuBLAS chooses the algorithm of each product by its rules"}}};
    return kPlan;
}

}  // namespace warpglass
