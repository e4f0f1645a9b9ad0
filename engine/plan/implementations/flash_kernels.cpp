#include "engine/plan/implementations/flash_kernels.h"

#include "engine/kernels/flash_attention.h"
#include "engine/plan/flops.h"
#include "engine/plan/naive_traffic.h"
#include "engine/plan/paper_ops.h"

namespace warpglass {
namespace {

/// Whole squares, also where a mask hides half of them, as everywhere (flops.h).
Saturating products(const RunConfig& config, std::int64_t count) {
    return Saturating(attentionProduct(config).value) * count;
}

/// All that naive attention moves beyond so much.
Saturating spared(const RunConfig& config, PlanPhase phase, Saturating moved) {
    return naiveProductsMove(config, phase) + naiveSoftmaxMoves(config, phase) - moved;
}

std::optional<KernelWork> forwardKernel(const RunConfig& config, std::string_view) {
    const Saturating moved = PaperSizes(config).streamHalf * 4;  // q, k, v and the output
    return kernelWork(products(config, 2), moved, spared(config, PlanPhase::kForward, moved));
}

/// What the three kernels of a backward pass move: the one of delta, which comes first; the one of k's and
/// v's gradients; and the one that ends with q's.
struct BackwardMoves {
    Saturating delta, gradients, queries;

    Saturating all() const { return delta + gradients + queries; }
};

/// The sums of q's gradient are fp32. They are cleared before additions go into them, on other GPUs by a
/// memset. The output and its gradient; q, k, v, the output's gradient, those of k and v, and the sums; the
/// sums and q's gradient.
BackwardMoves portableMoves(const RunConfig& config) {
    const PaperSizes s(config);
    return {s.streamHalf * 2, s.streamHalf * 6 + s.stream * 2, s.stream + s.streamHalf};
}

/// Where additions have an order, the first one writes and nothing is cleared (flash_backward_hopper.cu).
BackwardMoves hopperMoves(const RunConfig& config) {
    if (config.deterministic != Deterministic::kNo || config.context <= kernels::kLongestInOrder) {
        BackwardMoves moves = portableMoves(config);
        moves.gradients = moves.gradients - PaperSizes(config).stream;
        return moves;
    }
    BackwardMoves moves = portableMoves(config);
    moves.delta += PaperSizes(config).stream;
    return moves;
}

/// The last kernel computes q's gradient of its own: q, k, v and the output's gradient are read once more.
BackwardMoves wideMoves(const RunConfig& config) {
    const Saturating tensor = PaperSizes(config).stream;
    return {tensor * 2, tensor * 6, tensor * 5};
}

using Moves = BackwardMoves (*)(const RunConfig&);

template <Moves moves>
std::optional<KernelWork> deltaKernel(const RunConfig& config, std::string_view) {
    const Saturating numbers = PaperSizes(config).stream.value() / 4;
    return kernelWork(numbers * kRowDeltaOperations, moves(config).delta);
}

/// Stands for the whole backward pass in what is not moved, so that this is counted once.
template <Moves moves, std::int64_t count>
std::optional<KernelWork> gradientKernel(const RunConfig& config, std::string_view) {
    const BackwardMoves all = moves(config);
    return kernelWork(products(config, count), all.gradients,
                      spared(config, PlanPhase::kBackward, all.all()));
}

/// Multiplies by the scale and narrows.
template <Moves moves>
std::optional<KernelWork> queryKernel(const RunConfig& config, std::string_view) {
    return kernelWork(PaperSizes(config).stream.value() / 4, moves(config).queries);
}

std::optional<KernelWork> wideQueryKernel(const RunConfig& config, std::string_view) {
    return kernelWork(products(config, 3), wideMoves(config).queries);
}

constexpr OwnKernel product(std::string_view name,
                            std::optional<KernelWork> (*work)(const RunConfig&, std::string_view)) {
    return {.name = name, .work = work, .isProduct = true};
}

constexpr OwnKernel kKernels[] = {
    product("flashForwardKernel", &forwardKernel),
    product("flashForwardHopperKernel", &forwardKernel),
    product("flashForwardFp32Kernel", &forwardKernel),
    {"flashDeltaKernel", &deltaKernel<&portableMoves>},
    product("flashBackwardKernel", &gradientKernel<&portableMoves, 5>),
    {"flashQueryGradientKernel", &queryKernel<&portableMoves>},
    {"flashPrepareHopperKernel", &deltaKernel<&hopperMoves>},
    product("flashBackwardHopperKernel", &gradientKernel<&hopperMoves, 5>),
    {"flashQueryGradientHopperKernel", &queryKernel<&hopperMoves>},
    {"flashDeltaFp32Kernel", &deltaKernel<&wideMoves>},
    product("flashBackwardFp32Kernel", &gradientKernel<&wideMoves, 4>),
    product("flashQueryGradientFp32Kernel", &wideQueryKernel),
};

}  // namespace

std::span<const OwnKernel> flashKernels() {
    return kKernels;
}

}  // namespace warpglass
