// engine/kernels/step_kernels.h, rotary().
#include <algorithm>

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

/// A launch turns queries or keys, or both where they lie in one tensor, forward or backward; where it puts
/// them by head (splitsByHead()), it moves values too. The library
/// multiplies complex numbers, which are fp32: what is in 16 bits is cast, and the product cast back, with
/// two fp32 tensors written and read between.
std::optional<KernelWork> rotation(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    const std::int64_t turned = joinsHeads(config) ? 2 : 1;
    const std::int64_t copied = splitsByHead(config) ? 3 : 0;  // by the library, in copies of their own
    const std::int64_t moved = std::max(turned, copied);
    const Saturating elements = s.tokens * config.shape.dModel * turned;
    return kernelWork(elements * kRopeOperations, s.streamHalf * (2 * moved),
                      elements * (s.mixed ? 16 : 0) + s.streamHalf * (2 * (turned + copied - moved)));
}

constexpr OwnKernel kKernels[] = {{"rotaryKernel", &rotation}};

constexpr std::string_view kNames[] = {"rotary"};

constexpr std::string_view kModules[] = {"blocks.*.attn"}, kOps[] = {"aten::copy_", "aten::mul", "aten::cat"};
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kForward, kModules, kOps},
                                     {PlanPhase::kBackward, kModules, kOps}};

}  // namespace

template <>
const RotaryPlan& plan<RotaryVariant::kFused>() {
    static constexpr RotaryPlan kPlan{
        .is = {.choice = {"rope", "Queries and keys are rotated in place by one kernel", Devices::kGpu},
               .names = kNames,
               .sentence = "Queries and keys are rotated where they lie, in the type of the products; with "
                           "16-bit copies of weights one product makes both, and one launch turns them.",
               .kernels = kKernels,
               .work = "Rotation and layout",
               .standsFor = kStandsFor},
        .forward = &forward,
        .backward = &backward,
        .inPlace = true};
    return kPlan;
}

}  // namespace warpglass
