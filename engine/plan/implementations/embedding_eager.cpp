#include "engine/plan/parts.h"

namespace warpglass {

template <>
const EmbeddingPlan& plan<EmbeddingVariant::kEager>() {
    static constexpr EmbeddingPlan kPlan{
        .is = {.choice = {"eager",
                          "The table's gradient by LibTorch, which sorts the tokens where they are many"}}};
    return kPlan;
}

}  // namespace warpglass
