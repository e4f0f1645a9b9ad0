// engine/kernels/step_kernels.h, embeddingBackward().
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (config.mode != Mode::kForward)
        return std::nullopt;
    return "The mode \"forward\" has no backward pass: choose the mode step, or leave \"embedding\" out of "
           "the "
           "kernels.";
}

}  // namespace

template <>
const EmbeddingPlan& plan<EmbeddingVariant::kFused>() {
    static constexpr EmbeddingPlan kPlan{
        .is = {
            .choice = {"embedding", "The gradient of the table of embeddings in one kernel, without atomics",
                       Devices::kGpu},
            .idle = &idle}};
    return kPlan;
}

}  // namespace warpglass
