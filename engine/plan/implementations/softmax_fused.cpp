// engine/kernels/step_kernels.h, softmaxForward() and softmaxBackward().
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (config.attention == AttentionVariant::kNaive)
        return std::nullopt;
    return "Attention \"" + std::string(attentionName(config.attention)) +
           "\" has no softmax between two products to be fused: choose naive attention, or leave \"softmax\" "
           "out of the kernels.";
}

}  // namespace

template <>
const SoftmaxPlan& plan<SoftmaxVariant::kFused>() {
    static constexpr std::string_view kNames[] = {"maskedsoftmax"};
    static constexpr SoftmaxPlan kPlan{
        .is = {.choice = {"softmax", "Scale, mask and softmax of naive attention in place, by one kernel",
                          Devices::kGpu},
               .names = kNames,
               .idle = &idle},
        .inPlace = true};
    return kPlan;
}

}  // namespace warpglass
