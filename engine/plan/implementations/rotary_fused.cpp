// engine/kernels/step_kernels.h, rotary().
#include "engine/plan/flops.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

PaperTensor forward(PaperOps&, const PaperTensor& projected, const MemoryWalk::Kind&) {
    return projected;
}

PaperTensor backward(PaperOps& ops, PaperTensor gradient) {
    if (!attentionPlan(ops.config()).keepsLayout)
        gradient = ops.make(kFlow, ops.sizes().streamHalf);  // from (B, H, S, d) to what the projection made
    return ops.make(kFlow, ops.sizes().streamHalf);
}

/// A launch turns queries or keys, forward or backward. The library multiplies complex numbers, which are
/// fp32: what is in 16 bits is cast, and the product cast back, with two fp32 tensors written and read
/// between.
std::optional<KernelWork> rotation(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    const Saturating elements = s.tokens * config.shape.dModel;
    return kernelWork(elements * kRopeOperations, s.streamHalf * 2, elements * (s.mixed ? 16 : 0));
}

constexpr OwnKernel kKernels[] = {{"rotaryKernel", &rotation}};

constexpr std::string_view kNames[] = {"rotary"};

}  // namespace

template <>
const RotaryPlan& plan<RotaryVariant::kFused>() {
    static constexpr RotaryPlan kPlan{
        .is = {.choice = {"rope", "Queries and keys are rotated in place by one kernel each", Devices::kGpu},
               .names = kNames,
               .sentence = "Queries and keys are rotated in the type of the products, by a launch each.",
               .kernels = kKernels},
        .forward = &forward,
        .backward = &backward,
        .inPlace = true};
    return kPlan;
}

}  // namespace warpglass
