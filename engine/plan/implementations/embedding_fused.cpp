// engine/kernels/step_kernels.h, embeddingBackward().
#include "engine/plan/flops.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (config.mode != Mode::kForward)
        return std::nullopt;
    return "The mode \"forward\" has no backward pass: choose the mode step, or leave \"embedding\" out of "
           "the kernels.";
}

/// The library's gradient is one op, too: nothing is between two.
std::optional<KernelWork> gradientKernel(const RunConfig& config, std::string_view) {
    const Saturating tokens = PaperSizes(config).tokens, width = config.shape.dModel;
    return kernelWork(tokens * width * kEmbeddingBackwardOperations,
                      (tokens + config.shape.vocabulary) * width * 4);
}

/// Tokens of 8 bytes in, places of 4 bytes out.
std::optional<KernelWork> orderKernel(const RunConfig& config, std::string_view) {
    const Saturating tokens = PaperSizes(config).tokens;
    return kernelWork(0, tokens * 8 + (tokens + config.shape.vocabulary + 1) * 4);
}

constexpr OwnKernel kKernels[] = {{"embeddingGradientKernel", &gradientKernel},
                                  {"embeddingOrderKernel", &orderKernel}};

/// Where there are many tokens the library sorts them, which takes their numbers.
constexpr std::string_view kModules[] = {"token_embeddings"},
                           kOps[] = {"aten::embedding_dense_backward", "aten::fill_", "aten::arange"};
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kBackward, kModules, kOps}};

}  // namespace

template <>
const EmbeddingPlan& plan<EmbeddingVariant::kFused>() {
    static constexpr EmbeddingPlan kPlan{
        .is = {
            .choice = {"embedding", "The gradient of the table of embeddings in two kernels, without atomics",
                       Devices::kGpu},
            .idle = &idle,
            .sentence = "One kernel orders the tokens by their rows of the table, another adds up the "
                        "gradients of each row.",
            .kernels = kKernels,
            .work = "Embedding",
            .standsFor = kStandsFor}};
    return kPlan;
}

}  // namespace warpglass
