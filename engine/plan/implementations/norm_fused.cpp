// engine/kernels/step_kernels.h, normForward() and normBackward().
#include <algorithm>
#include <charconv>

#include "engine/plan/flops.h"
#include "engine/plan/parts.h"

namespace warpglass {
namespace {

using namespace paper_kind;

PaperTensor forward(PaperOps& ops, PaperTensor& x, PaperTensor branch, PaperNorm& saved) {
    const PaperSizes& s = ops.sizes();
    PaperTensor sum = branch.holds() ? ops.kept(kResidual, s.stream) : x;
    PaperTensor result = ops.kept(kNorm, s.streamHalf);
    const PaperTensor reciprocal = ops.kept(kNorm, s.rows);
    if (ops.keeps())
        saved = {sum, reciprocal, {}, branch.holds()};
    x = std::move(sum);
    return result;
}

PaperStreamGradient backward(PaperOps& ops, PaperTensor gradient, PaperTensor through, PaperNorm& saved) {
    const PaperSizes& s = ops.sizes();
    const Saturating width(ops.config().shape.dModel);
    PaperStreamGradient result;
    result.stream = ops.make(kFlow, s.stream);
    if (saved.added)
        result.branch = s.mixed ? ops.make(kFlow, s.streamHalf) : result.stream;
    ops.keepGradient(width);
    {
        const std::int64_t rows = std::min(s.tokens.value(), planOf(NormVariant::kFused).mostPartialRows);
        const PaperTensor partials = ops.make(kBackwardScratch, width * rows * 4);
    }
    gradient.reset();
    // The first norm has nothing to add: autograd adds its input's gradient to the one that is there.
    if (!saved.added && through.holds())
        result.stream = std::move(through);
    saved = {};
    return result;
}

struct NormPlace {
    /// A branch is added to the residual stream before it.
    bool adds = false;
    /// The sum goes on beside it, and brings a gradient back.
    bool goesOn = false;
    /// Products that read its output.
    std::int64_t readers = 0;
    /// The block that it is in, and the one whose branch it adds; -1 for none.
    std::int64_t block = -1, branchOf = -1;
};

std::optional<NormPlace> placeOf(const RunConfig& config, std::string_view module) {
    if (module == "norm")
        return NormPlace{true, false, 1, -1, config.shape.layers - 1};  // lm_head
    constexpr std::string_view kBlocks = "blocks.";
    if (!module.starts_with(kBlocks))
        return std::nullopt;
    std::int64_t block = -1;
    const char* const end = module.data() + module.size();
    const auto number = std::from_chars(module.data() + kBlocks.size(), end, block);
    const std::string_view name(number.ptr, static_cast<std::size_t>(end - number.ptr));
    const bool second = name == ".norm2";
    if (number.ec != std::errc() || block < 0 || !(second || name == ".norm1"))
        return std::nullopt;
    const bool adds = second || block > 0;
    return NormPlace{adds, adds, second ? 2 : 3, block, second ? block : block - 1};  // w1, w3 or q, k, v
}

/// What is moved of each number of the residual stream for the norm itself, for the addition of the branch
/// and, in the backward pass, for that of the two gradients.
struct NormBytes {
    Saturating norm, branch, gradients;

    Saturating all() const { return norm + branch + gradients; }
};

NormBytes forwardBytes(const NormPlace& at, const PaperSizes& s) {
    if (!at.adds)
        return {Saturating(4) + s.half, 0, 0};   // x read, y written
    return {s.half, Saturating(8) + s.half, 0};  // x and the branch read, their sum written; y written
}

NormBytes backwardBytes(const NormPlace& at, const PaperSizes& s) {
    const Saturating read = Saturating(4) + s.half;  // the sum and dy
    const Saturating branch = at.adds && s.mixed ? s.half : Saturating(0);
    // The sum's gradient is written by the norm or, where one comes around it, by the addition.
    return at.goesOn ? NormBytes{read, branch, 8} : NormBytes{read + 4, branch, 0};
}

/// The library adds in one op, which writes the sum that the norm then reads again. The norm's output is
/// fp32: where products compute in 16 bits it is written and read by a cast for each of them, all but one of
/// whose results ours does not write either.
std::optional<KernelWork> forwardKernel(const RunConfig& config, std::string_view module) {
    const std::optional<NormPlace> at = placeOf(config, module);
    if (!at)
        return std::nullopt;
    const PaperSizes s(config);
    const Saturating elements = s.tokens * config.shape.dModel, readers = at->readers;
    const Saturating casts = Saturating(4) + readers * 4 + (readers - 1) * s.half;
    return kernelWork(planOf(NormVariant::kFused).forwardWork.of(s.tokens, config.shape.dModel) +
                          elements * (at->adds ? kResidualOperations : 0),
                      elements * forwardBytes(*at, s).all(),
                      elements * ((at->adds ? Saturating(4) : Saturating(0)) + (s.mixed ? casts : 0)));
}

Saturating partialRows(const PaperSizes& sizes) {
    return std::min(sizes.tokens.value(), planOf(NormVariant::kFused).mostPartialRows);
}

/// The library casts the gradient that comes from each product to fp32, adds them there and gives fp32 to the
/// norm; ours gets the sum in 16 bits. The norm's gradient is written and read again to be added to the
/// stream's, and the sum read again to be cast for the branch.
std::optional<KernelWork> gradientKernel(const RunConfig& config, std::string_view module) {
    const std::optional<NormPlace> at = placeOf(config, module);
    if (!at)
        return std::nullopt;
    const PaperSizes s(config);
    const Saturating width = config.shape.dModel, elements = s.tokens * width, readers = at->readers;
    const Saturating sumOfRows = partialRows(s) * width;
    Saturating notMoved;
    if (at->goesOn)
        notMoved += 8;
    if (at->adds && s.mixed)
        notMoved += 4;
    if (s.mixed)
        notMoved +=
            readers * (s.half + 4) + (readers - 1) * (Saturating(12) - s.half * 3) + (Saturating(4) - s.half);
    return kernelWork(planOf(NormVariant::kFused).backwardWork.of(s.tokens, width) +
                          elements * (at->goesOn ? kResidualOperations : 0) - sumOfRows,
                      elements * backwardBytes(*at, s).all() + sumOfRows * 4, elements * notMoved);
}

/// Adds up what the kernel before it summed over rows: the rest of the additions of backwardWork.
std::optional<KernelWork> weightGradientKernel(const RunConfig& config, std::string_view) {
    const Saturating width = config.shape.dModel, rows = partialRows(PaperSizes(config));
    return kernelWork(rows * width, (rows + 1) * width * 4);
}

/// The plan has a block's additions at the block itself (engine/plan/flops.h), whichever norm makes them.
ServedModules served(std::string_view module, const NormPlace& at, Saturating elements, const NormBytes& each,
                     Saturating besides) {
    ServedModules all;
    const auto add = [&all](std::string name, Saturating moved) {
        const auto known = std::ranges::find(all, name, &ServedModule::module);
        if (moved.value() > 0 && known != all.end())
            known->moved = Bytes((moved + known->moved.value).value());
        else if (moved.value() > 0)
            all.push_back({std::move(name), Bytes(moved.value())});
    };
    const auto block = [](std::int64_t number) { return "blocks." + std::to_string(number); };
    add(block(at.branchOf), elements * each.branch);
    add(block(at.block), elements * each.gradients);
    add(std::string(module), elements * each.norm + besides);
    return all.size() > 1 ? all : ServedModules();
}

ServedModules servedForward(const RunConfig& config, std::string_view module) {
    const std::optional<NormPlace> at = placeOf(config, module);
    const PaperSizes s(config);
    return at ? served(module, *at, s.tokens * config.shape.dModel, forwardBytes(*at, s), 0)
              : ServedModules();
}

ServedModules servedBackward(const RunConfig& config, std::string_view module) {
    const std::optional<NormPlace> at = placeOf(config, module);
    const PaperSizes s(config);
    const Saturating width = config.shape.dModel;
    return at ? served(module, *at, s.tokens * width, backwardBytes(*at, s), partialRows(s) * width * 4)
              : ServedModules();
}

constexpr OwnKernel kKernels[] = {{"fusedNormKernel", &forwardKernel, &servedForward},
                                  {"fusedNormGradientKernel", &gradientKernel, &servedBackward},
                                  {"fusedNormGradientOfWideRowKernel", &gradientKernel, &servedBackward},
                                  {"fusedNormWeightGradientKernel", &weightGradientKernel}};

constexpr std::string_view kNames[] = {"fusednorm"};

constexpr std::string_view kNorms[] = {"blocks.*.norm1", "blocks.*.norm2", "norm"}, kBlocks[] = {"blocks.*"};
constexpr std::string_view kNormOps[] = {"aten::_fused_rms_norm"}, kAdditions[] = {"aten::add", "aten::add_"},
                           kNormGradientOps[] = {"aten::_fused_rms_norm_backward", "aten::add", "aten::add_"},
                           kBranchGradientOps[] = {"aten::copy_", "aten::add", "aten::add_"};
/// In the backward pass the stream's two gradients are added at the norm, and the sum is cast for the branch.
constexpr LibraryOps kStandsFor[] = {{PlanPhase::kForward, kNorms, kNormOps},
                                     {PlanPhase::kForward, kBlocks, kAdditions},
                                     {PlanPhase::kBackward, kNorms, kNormGradientOps},
                                     {PlanPhase::kBackward, kBlocks, kBranchGradientOps}};

}  // namespace

template <>
const NormPlan& plan<NormVariant::kFused>() {
    static constexpr NormPlan kPlan{
        .is = {.choice = {"norm", "RMSNorm with the addition to the residual stream before it, in one kernel",
                          Devices::kGpu},
               .names = kNames,
               .sentence =
                   "The norm adds the branch to the residual stream and normalizes it, in one kernel.",
               .kernels = kKernels,
               .split = "An RMSNorm's time is split between the norm and the blocks whose additions to the "
                        "residual stream it makes, by the bytes that it moves for each.",
               .work = "RMSNorm and residual add",
               .standsFor = kStandsFor},
        .forwardWork = {4, 3},  // x², sum, × 1/rms, × gain; of a row mean, + ε, 1/√
        .backwardWork = {8},  // gain's product and sum, dy·g, its dot product with x̂, − x̂·c, × 1/rms
        .addsAndNarrows = true,
        .mostPartialRows = 512,  // some for each multiprocessor, and few to add up
        .forward = &forward,
        .backward = &backward};
    return kPlan;
}

}  // namespace warpglass
