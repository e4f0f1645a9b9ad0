// The library's implementations that say no more of themselves than their name.
#include "engine/plan/parts.h"

namespace warpglass {

template <>
const EmbeddingPlan& plan<EmbeddingVariant::kEager>() {
    static constexpr EmbeddingPlan kPlan{
        .is = {.choice = {"eager",
                          "The table's gradient by LibTorch, which sorts the tokens where they are many"}}};
    return kPlan;
}
template <>
const SoftmaxPlan& plan<SoftmaxVariant::kEager>() {
    static constexpr SoftmaxPlan kPlan{.is = {.choice = {"eager", "Scale, mask and softmax, op by op"}}};
    return kPlan;
}
template <>
const LinearPlan& plan<LinearVariant::kEager>() {
    static constexpr LinearPlan kPlan{
        .is = {.choice = {"autocast", "Autocast casts each weight in every step, and its gradient back"}}};
    return kPlan;
}
template <>
const ProductsPlan& plan<ProductsVariant::kEager>() {
    static constexpr ProductsPlan kPlan{
        .is = {.choice = {"cublas", "cuBLAS chooses the algorithm of each product by its rules"}}};
    return kPlan;
}

}  // namespace warpglass
