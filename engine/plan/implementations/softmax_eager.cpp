#include "engine/plan/parts.h"

namespace warpglass {

template <>
const SoftmaxPlan& plan<SoftmaxVariant::kEager>() {
    static constexpr SoftmaxPlan kPlan{.is = {.choice = {"eager", "Scale, mask and softmax, op by op"}}};
    return kPlan;
}

}  // namespace warpglass
