// engine/kernels/step_kernels.h, crossEntropyForward() and crossEntropyBackward().
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

void forward(PaperOps& ops, PaperTensor logits, PaperLoss& saved) {
    const PaperSizes& s = ops.sizes();
    const PaperTensor rowSums = ops.kept(kLogProbabilities, s.rows * 2);
    const PaperTensor rowLosses = ops.make(kScratch, s.rows);
    if (ops.keeps()) {
        saved.logits = std::move(logits);
        saved.rowSums = rowSums;
    }
}

PaperTensor backward(PaperOps&, PaperLoss& saved) {
    saved.rowSums.reset();
    return std::move(saved.logits);
}

/// The library writes the logarithms of the probabilities, fp32, of logits that are cast to fp32 first.
std::optional<KernelWork> forwardKernel(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    return kernelWork(planOf(LossVariant::kFused).forwardWork.of(s.tokens, config.shape.vocabulary),
                      s.logits * s.half, s.logits * (s.mixed ? 12 : 4));
}

/// Adds up the rows' losses, which the conventions of flops.h leave out.
std::optional<KernelWork> meanKernel(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    return kernelWork(s.tokens, s.rows);
}

/// The library writes the gradient of the logarithms, mostly zeros; reads it and the logarithms and writes
/// that of the logits, all of it fp32; and casts this to the logits' type.
std::optional<KernelWork> gradientKernel(const RunConfig& config, std::string_view) {
    const PaperSizes s(config);
    const Saturating library = Saturating(16) + (s.mixed ? Saturating(4) + s.half : Saturating(0));
    return kernelWork(planOf(LossVariant::kFused).backwardWork.of(s.tokens, config.shape.vocabulary),
                      s.logits * s.half * 2, s.logits * (library - s.half * 2));
}

constexpr OwnKernel kKernels[] = {{"crossEntropyKernel", &forwardKernel},
                                  {"crossEntropyMeanKernel", &meanKernel},
                                  {"crossEntropyGradientKernel", &gradientKernel}};

constexpr std::string_view kNames[] = {"crossentropy"};

constexpr std::string_view kNoModule[] = {""},
                           kOps[] = {"aten::copy_", "aten::_log_softmax", "aten::nll_loss_forward"},
                           kGradientOps[] = {"aten::fill_", "aten::nll_loss_backward",
                                             "aten::_log_softmax_backward_data", "aten::copy_"};
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kLoss, kNoModule, kOps},
                                     {PlanPhase::kBackward, kNoModule, kGradientOps}};

}  // namespace

template <>
const LossPlan& plan<LossVariant::kFused>() {
    static constexpr LossPlan kPlan{
        .is = {.choice = {"loss",
                          "Cross-entropy in one pass over the logits, whose gradient takes their place",
                          Devices::kGpu},
               .names = kNames,
               .sentence = "Cross-entropy reads the logits once, and its gradient takes their place.",
               .kernels = kKernels,
               .work = "Cross-entropy",
               .standsFor = kStandsFor},
        .forwardWork = {5},   // max, subtract, exp, sum, subtract the logarithm
        .backwardWork = {3},  // exp, − 1 at the target, ÷ tokens
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
