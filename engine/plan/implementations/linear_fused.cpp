#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (isMixed(config.precision))
        return std::nullopt;
    return "There are no casts in " + std::string(precisionName(config.precision)) +
           ": choose bf16 or fp16, or leave \"casts\" out of the kernels.";
}

constexpr std::string_view kModules[] = {"blocks.*.attn.q_proj",      "blocks.*.attn.k_proj",
                                         "blocks.*.attn.v_proj",      "blocks.*.attn.qkv_proj",
                                         "blocks.*.attn.output_proj", "blocks.*.ffn.w1",
                                         "blocks.*.ffn.w2",           "blocks.*.ffn.w3",
                                         "blocks.*.ffn.w13",          "lm_head"};
constexpr std::string_view kCasts[] = {"aten::copy_"},
                           kGradientOps[] = {"aten::copy_", "aten::add", "aten::add_"};
/// What several products read has a gradient from each, which a joined product adds up.
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kForward, kModules, kCasts},
                                     {PlanPhase::kBackward, kModules, kGradientOps}};

}  // namespace

template <>
const LinearPlan& plan<LinearVariant::kFused>() {
    static constexpr LinearPlan kPlan{
        .is = {.choice = {"casts",
                          "16-bit copies of weights are kept by the optimizer, and gradients of weights "
                          "leave their products in fp32: no weight is cast",
                          Devices::kGpu},
               .idle = &idle,
               .work = "Casts and sums around products",
               .standsFor = kStandsFor},
        .keepsCopies = true};
    return kPlan;
}

}  // namespace warpglass
