// On a GPU one op for all parameters, in as many kernels as it takes, and another for the copies that are
// kept in 16 bits. On the CPU each parameter is updated by itself, under its module.
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

constexpr Bytes kMoved(28);        // p, g, m and v read, p, m and v written, 4 bytes each
constexpr Bytes kMovedForCopy(6);  // p read once more, its copy written

ServedModules servedByUpdates(const RunConfig& config) {
    return servedByUpdate(config, kMoved, Bytes());
}

ServedModules servedByCopies(const RunConfig& config) {
    return servedByUpdate(config, Bytes(), kMovedForCopy);
}

}  // namespace

template <>
const OptimizerPlan& plan<OptimizerVariant::kTorchFused>() {
    static constexpr std::string_view kNames[] = {"adamw"};
    static constexpr UpdateOp kOps[] = {
        {"aten::_fused_adamw_", &servedByUpdates}, {"aten::_foreach_copy_", &servedByCopies}, kGradientCheck};
    static constexpr OptimizerPlan kPlan{
        .is = {.choice = {"torch-fused",
                          "PyTorch's fused AdamW: one pass over parameters, gradients, moments"},
               .names = kNames,
               .split = kUpdateSplit},
        .moments = 2,
        .work = {14},  // decay 1; first moment 3; second 4; √, bias correction, + ε, ÷, × rate, subtract 6
        .moved = kMoved,
        .movedForCopy = kMovedForCopy,
        .ops = kOps};
    return kPlan;
}

}  // namespace warpglass
