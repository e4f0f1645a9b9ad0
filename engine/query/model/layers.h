// A model's layers side by side: how much time each block, and each layer before and after the blocks, takes,
// and what it computes, moves and keeps. Rows add up to the whole step: the last one holds what belongs to no
// layer.
//
// Time is that of engine/query/spans/work_times.h, per step, or over a whole range. What works for several
// modules counts for each of them by its share (shared_work.h): AdamW, for one, over all parameters at once.
// A filter's module takes these shares, wherever the kernel ran. FLOPs are the plan's (engine/plan/flops.h),
// for GEMMs and elementwise work; bytes moved are the least that the GEMMs move (matrix_products.h). Both
// cover the ops whose time is counted (plan_of_scope.h). Memory is what the layer holds at a moment that the
// caller chooses, the run's peak.
//
// A block stands out where its value is farther than 3 × 1.4826 × MAD from the median of all blocks, MAD
// being the median absolute deviation (Leys et al. 2013, "Detecting outliers: do not use standard deviation
// around the mean, use absolute deviation around the median", J. Exp. Soc. Psychol. 49(4); 1.4826 makes it a
// standard deviation where values are normal), and by more than 5%: steps differ by as much from run to run.
// With fewer than five blocks none stands out. Blocks are compared pass by pass, by time, and only those that
// ran completely within the scope: not those that a range cuts, or that did not run in it.
//
// Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/work_times.h"

namespace warpglass {

/// What layers are compared by.
enum class LayerMeasure : std::uint8_t { kForward, kBackward, kOptimizer, kActivations };
inline constexpr std::size_t kLayerMeasureCount = 4;
inline constexpr std::array<std::string_view, kLayerMeasureCount> kLayerMeasureNames = {
    "forward", "backward", "optimizer", "activations"};

struct LayerRow {
    /// "blocks.3", "token_embeddings", "lm_head", "loss", "rest".
    std::string name;
    bool block = false;
    /// A module of the run; not "loss" and "rest".
    bool module = false;
    /// ns a step (of a range: in all). The loss's is its forward and its backward pass.
    double forward = 0, backward = 0, optimizer = 0;
    /// How much of it is shares of what works for several modules, ns.
    double shared = 0;
    /// Planned FLOPs of the same ops; 0 without a configuration, and if some of what they do is unknown.
    Flops forwardFlops, backwardFlops, optimizerFlops;
    /// Bytes that their GEMMs move, likewise.
    Bytes moved;
    bool flopsKnown = true;
    /// Alive at the moment, by category.
    CategoryBytes alive{};
    /// By measure; blocks only. Only what is compared can be an outlier.
    std::array<bool, kLayerMeasureCount> compared{}, outlier{};
    /// By pass: whether the layer runs ops or kernels in it that compute, and not only copies and fills.
    std::array<bool, kLayerMeasureCount> computes{};

    double time() const { return forward + backward + optimizer; }
    /// The FLOPs of the forward and the backward pass over their time; 0 where they took none.
    double passesFlopsPerSecond() const;
    /// Stops at the largest number.
    Flops flops() const;
    Bytes activations() const { return Bytes(alive[static_cast<std::size_t>(Category::kActivations)]); }
    Bytes memory() const { return Bytes(sumOf(alive)); }
    /// ns, or bytes of activations.
    double value(LayerMeasure measure) const;
    bool standsOut() const;
    bool standsOutByTime() const;
};

struct Layers {
    bool gpu = false;
    std::int64_t steps = 0;
    bool measured = false, ofRange = false;
    /// FLOPs are of the work that the time is of, and can be set against it.
    bool rates = true;
    /// Why neither FLOPs nor bytes moved are stated (planUnsaid()); "" where they are.
    std::string unplanned;
    /// The step was not completed: FLOPs and bytes moved are the planned values of the modules that ran in
    /// each phase.
    bool unfinished = false;
    /// How the time of what works for several modules is split, a sentence for each kind that there is.
    std::vector<std::string> splits;
    /// In the model's order; empty when nothing of it was recorded.
    std::vector<LayerRow> rows;
    /// The median of the blocks that are compared, and how many these are.
    std::array<double, kLayerMeasureCount> median{};
    std::array<std::int64_t, kLayerMeasureCount> compared{};
    std::int64_t blocks = 0;

    double time() const;
    /// Whether a block ran completely in every pass by which blocks are compared, and computed in no other.
    /// Its time is comparable with that of other such blocks.
    bool isWhole(const LayerRow& block) const;
    /// Whether kernels other than the optimizer's are shared, so that LayerRow::shared says more than its
    /// time.
    bool sharesBesideOptimizer() const;
    /// Whether some pass is compared over enough blocks.
    bool comparesTimes() const;
};

/// What is live at the moment for which memory is stated.
struct LiveMemory {
    std::vector<AllocationId> ids;
    const MemoryTimeline* memory = nullptr;  // of the ids
};
/// `alive` is independent of the scope.
Layers layersOf(const Snapshot& snapshot, const LiveMemory& alive, const WorkScope& scope = {});

/// "blocks.0's backward pass takes 3.1 ms, 22% over the median of the 12 blocks (2.54 ms)."; one sentence
/// for each measure in which the row is an outlier; empty if it is none.
std::vector<std::string> outlierSentences(const Layers& layers, const LayerRow& row);

/// Which values are outliers, by the rule above.
std::vector<bool> robustOutliers(const std::vector<double>& values);

}  // namespace warpglass
