// engine/kernels/step_kernels.h, embeddingBackward().
#include "engine/plan/flops.h"
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

/// The library's gradient is one op, too: nothing is between two.
std::optional<KernelWork> gradientKernel(const RunConfig& config, std::string_view) {
    const Saturating tokens = PaperSizes(config).tokens, width = config.shape.dModel;
    return kernelWork(tokens * width * kEmbeddingBackwardOperations,
                      (tokens + config.shape.vocabulary) * width * 4);
}

constexpr OwnKernel kKernels[] = {{"embeddingGradientKernel", &gradientKernel}};

/// Where there are many tokens the library sorts them, which takes their numbers.
constexpr std::string_view kModules[] = {"token_embeddings"},
                           kOps[] = {"aten::embedding_dense_backward", "aten::fill_", "aten::arange"};
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kBackward, kModules, kOps}};

}  // namespace

template <>
const EmbeddingPlan& plan<EmbeddingVariant::kFused>() {
    static constexpr EmbeddingPlan kPlan{
        .is = {
            .choice = {"embedding", "The gradient of the table of embeddings in one kernel, without atomics",
                       Devices::kGpu},
            .idle = &idle,
            .sentence = "The gradients of a token are added to its row of the table in one kernel.",
            .kernels = kKernels,
            .work = "Embedding",
            .standsFor = kStandsFor}};
    return kPlan;
}

}  // namespace warpglass
