// engine/kernels/step_kernels.h, softmaxForward() and softmaxBackward().
#include "engine/plan/flops.h"
#include "engine/plan/naive_traffic.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (attentionPlan(config).hasSoftmaxPart)
        return std::nullopt;
    return "Attention \"" + std::string(attentionName(config.attention)) +
           "\" has no softmax between two products to be fused: choose naive attention, or leave \"softmax\" "
           "out of the kernels.";
}

/// Numbers that are read of the scores. A Transformer's attention is causal: each query sees the columns up
/// to its own.
Saturating seen(const RunConfig& config) {
    const Saturating length = config.context;
    const std::int64_t ofMatrix = (length * (length + 1)).value() / 2;  // S or S + 1 is even
    return Saturating(config.batch) * config.shape.heads * ofMatrix;
}

std::optional<KernelWork> forwardKernel(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    const Saturating moved = (seen(config) + s.scores) * s.half;
    return kernelWork(s.scores * kSoftmaxForwardOperations, moved,
                      naiveSoftmaxMoves(config, PlanPhase::kForward) - moved);
}

std::optional<KernelWork> gradientKernel(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    const Saturating moved = (seen(config) * 2 + s.scores) * s.half;
    return kernelWork(s.scores * kSoftmaxBackwardOperations, moved,
                      naiveSoftmaxMoves(config, PlanPhase::kBackward) - moved);
}

constexpr OwnKernel kKernels[] = {{"maskedSoftmaxKernel", &forwardKernel},
                                  {"maskedSoftmaxOfLongRowKernel", &forwardKernel},
                                  {"maskedSoftmaxGradientKernel", &gradientKernel},
                                  {"maskedSoftmaxGradientOfLongRowKernel", &gradientKernel}};

}  // namespace

template <>
const SoftmaxPlan& plan<SoftmaxVariant::kFused>() {
    static constexpr std::string_view kNames[] = {"maskedsoftmax"};
    static constexpr SoftmaxPlan kPlan{
        .is = {.choice = {"softmax", "Scale, mask and softmax of naive attention in place, by one kernel",
                          Devices::kGpu},
               .names = kNames,
               .idle = &idle,
               .sentence =
                   "Scale, mask and softmax are one kernel, whose weights take the place of the scores.",
               .kernels = kKernels},
        .inPlace = true};
    return kPlan;
}

}  // namespace warpglass
