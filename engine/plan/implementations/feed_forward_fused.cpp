// engine/kernels/step_kernels.h, swigluForward() and swigluBackward().
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

/// Numbers in each weight.
Saturating wide(const PaperOps& ops) {
    return Saturating(ops.config().shape.dModel) * ops.config().shape.dFf;
}

PaperTensor forward(PaperOps& ops, PaperTensor y, PaperFeedForward& saved) {
    const PaperSizes& s = ops.sizes();
    const auto hidden = [&](PaperLinear& linear) {
        return ops.linear(y, s.stream, ops.normNarrows(), wide(ops), ops.keeps() ? kFeedForward : kScratch,
                          s.hiddenHalf, linear);
    };
    PaperTensor gate, value;
    if (joinsGate(ops.config())) {
        gate = ops.linear(y, s.stream, ops.normNarrows(), wide(ops) * 2,
                          ops.keeps() ? kFeedForward : kScratch, s.hiddenHalf * 2, saved.w1);
    } else {
        gate = hidden(saved.w1);
        value = hidden(saved.w3);
    }
    y.reset();
    PaperTensor product = ops.kept(kFeedForward, s.hiddenHalf);
    saved.hidden = product;
    if (ops.keeps()) {
        saved.gate = gate;
        saved.value = value;
    }
    gate.reset();
    value.reset();
    return ops.linear(product, s.tokens * ops.config().shape.dFf * 4, true, wide(ops), kScratch, s.streamHalf,
                      saved.w2);
}

/// The gradients of gate and value take their places.
PaperTensor backward(PaperOps& ops, PaperTensor gradient, PaperFeedForward& saved) {
    PaperTensor product = ops.linearBackward(std::move(gradient), saved.w2);
    product.reset();
    if (joinsGate(ops.config()))
        return ops.linearBackward(std::move(saved.gate), saved.w1);
    PaperTensor sum = ops.linearBackward(std::move(saved.value), saved.w3);
    PaperTensor second = ops.linearBackward(std::move(saved.gate), saved.w1, true);
    return ops.addGradients(std::move(sum), std::move(second));
}

/// The library's silu(gate) is written and read by the product with the value.
std::optional<KernelWork> forwardKernel(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    return kernelWork(planOf(FeedForwardVariant::kFused).forwardWork.of(s.tokens, config.shape.dFf),
                      s.hiddenHalf * 3, s.hiddenHalf * 2);
}

/// The library's product gives two gradients, for which it reads the hidden one twice and silu(gate); that of
/// silu(gate) is written and read again.
std::optional<KernelWork> gradientKernel(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    return kernelWork(planOf(FeedForwardVariant::kFused).backwardWork.of(s.tokens, config.shape.dFf),
                      s.hiddenHalf * 5, s.hiddenHalf * 4);
}

constexpr OwnKernel kKernels[] = {{"swigluKernel", &forwardKernel},
                                  {"swigluGradientKernel", &gradientKernel}};

constexpr std::string_view kNames[] = {"swiglu"};

constexpr std::string_view kModules[] = {"blocks.*.ffn"}, kOps[] = {"aten::silu", "aten::mul"},
                           kGradientOps[] = {"aten::silu_backward", "aten::mul"};
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kForward, kModules, kOps},
                                     {PlanPhase::kBackward, kModules, kGradientOps}};

}  // namespace

template <>
const FeedForwardPlan& plan<FeedForwardVariant::kFused>() {
    static constexpr FeedForwardPlan kPlan{
        .is = {.choice = {"swiglu", "silu and the gate's product in one kernel", Devices::kGpu},
               .names = kNames,
               .sentence = "SwiGLU's silu and its product with the value are one kernel, and so are their "
                           "gradients; with 16-bit copies of weights one product makes both of its inputs.",
               .kernels = kKernels,
               .work = "SwiGLU",
               .standsFor = kStandsFor},
        .forwardWork = {6},    // sigmoid (−, exp, +, ÷), × x, × gate
        .backwardWork = {11},  // two products of the gate, sigmoid again, silu' (5)
        .takesJoined = true,
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
