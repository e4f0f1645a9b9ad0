// engine/kernels/step_kernels.h, adamw().
#include "engine/plan/parameters.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

std::optional<std::string> idle(const RunConfig& config) {
    if (config.mode == Mode::kStep)
        return std::nullopt;
    return "The mode \"" + std::string(modeName(config.mode)) +
           "\" runs no optimizer: choose the mode step, or leave \"optimizer\" out of the kernels.";
}

/// A launch takes as many (engine/kernels/adamw.cu).
constexpr std::int64_t kMostTensors = 512;

/// It runs under no module, as it updates the parameters of all. Autocast would read each weight of a product
/// once more, 4 bytes, to cast it. A step that fp16's loss scaling leaves out moves nothing; which one does,
/// only the run knows.
std::optional<KernelWork> update(const RunConfig& config, std::string_view) {
    const std::int64_t copied = keepsWeightCopies(config) ? productParameterCount(config.shape) : 0;
    const auto tensors = static_cast<std::int64_t>(parameterTensors(config.shape).size());
    return kernelWork(planOf(config.optimizer).work.of(parameterCount(config.shape), 1),
                      updateMoves(config).value, Saturating(copied) * 4,
                      (tensors + kMostTensors - 1) / kMostTensors);
}

ServedModules served(const RunConfig& config) {
    const OptimizerPlan& optimizer = planOf(config.optimizer);
    return servedByUpdate(config, optimizer.moved, optimizer.movedForCopy);
}

ServedModules servedByKernel(const RunConfig& config, std::string_view module) {
    return module.empty() ? served(config) : ServedModules();
}

constexpr OwnKernel kKernels[] = {{"adamwKernel", &update, &servedByKernel}};

constexpr std::string_view kNoModule[] = {""},
                           kLibraryOps[] = {"aten::_fused_adamw_", "aten::_foreach_copy_"};
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kOptimizer, kNoModule, kLibraryOps}};

}  // namespace

template <>
const OptimizerPlan& plan<OptimizerVariant::kFused>() {
    static constexpr std::string_view kNames[] = {"adamw"};
    static constexpr UpdateOp kOps[] = {{"warpglass::adamw", &served}, kGradientCheck};
    static constexpr OptimizerPlan kPlan{
        .is = {.choice = {"optimizer", "AdamW over all parameters in one kernel", Devices::kGpu},
               .names = kNames,
               .idle = &idle,
               .sentence = "AdamW updates the parameters of all modules in one kernel.",
               .kernels = kKernels,
               .split = kUpdateSplit,
               .work = "AdamW",
               .standsFor = kStandsFor},
        .moments = 2,
        .work = {14},  // decay 1; first moment 3; second 4; √, bias correction, + ε, ÷, × rate, subtract 6
        .moved = Bytes(28),        // p, g, m and v read, p, m and v written, 4 bytes each
        .movedForCopy = Bytes(2),  // written
        .ops = kOps};
    return kPlan;
}

}  // namespace warpglass
