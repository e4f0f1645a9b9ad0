#include "engine/query/memory/model_part.h"

#include "engine/query/spans/module_group.h"

namespace warpglass {
namespace {

constexpr std::string_view kHead = "lm_head";

}  // namespace

std::string modelPart(std::string_view module, Phase phase) {
    return isOfLoss(module, phase) ? std::string(kHead) : modulePart(module);
}

std::string modelPartName(const std::string& part, ModelPartHolds holds) {
    if (part.empty())
        return "outside the model";
    if (holds.loss)
        return holds.modules ? part + " and the loss" : "the loss";
    return part.ends_with(".*") ? part + " outside its sublayers" : part;
}

}  // namespace warpglass
