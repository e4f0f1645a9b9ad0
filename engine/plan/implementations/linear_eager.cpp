#include "engine/plan/parts.h"

namespace warpglass {

template <>
const LinearPlan& plan<LinearVariant::kEager>() {
    static constexpr LinearPlan kPlan{
        .is = {.choice = {"autocast", "Autocast casts each weight in every step, and its gradient back"}}};
    return kPlan;
}

}  // namespace warpglass
