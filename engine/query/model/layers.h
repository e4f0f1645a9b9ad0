// A model's layers side by side: what each block, and what stands before and after the blocks, takes in time,
// computes, moves and keeps. Rows add up to all of a step: the last holds what belongs to no layer.
//
// Time is that of engine/query/spans/work_times.h, a step, or of a range in all. FLOPs are the plan's
// (engine/plan/flops.h), matrix products and elementwise work; bytes moved are those of the matrix products
// (matrix_products.h), at the least; both of the ops whose time it is (plan_of_scope.h). What an optimizer
// computes that goes over all parameters at once is where its time is: in the last row. Memory is what of the
// layer is alive at a moment that the caller chooses, the run's peak.
//
// A block stands out where its value is farther than 3 × 1.4826 × MAD from the median of all blocks, MAD
// being the median absolute deviation (Leys et al. 2013, "Detecting outliers: do not use standard deviation
// around the mean, use absolute deviation around the median", J. Exp. Soc. Psychol. 49(4); 1.4826 makes it a
// standard deviation where values are normal), and by more than 5 %: steps differ by as much from run to run.
// Of fewer than five blocks none stands out. Compared are the blocks that ran whole in what the scope takes,
// by their times in each pass by itself: of a range not those that it cuts, or that did not run in it.
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
    /// Of the same, as planned; 0 without a configuration, and where some of what they do is not known.
    Flops forwardFlops, backwardFlops, optimizerFlops;
    /// What their matrix products move, likewise.
    Bytes moved;
    bool flopsKnown = true;
    /// Alive at the moment, by category.
    CategoryBytes alive{};
    /// Of its kind; blocks only. Only what is compared can be an outlier.
    std::array<bool, kLayerMeasureCount> compared{}, outlier{};
    /// Of a pass: it runs ops or kernels in it that compute, and not only copies and fills.
    std::array<bool, kLayerMeasureCount> computes{};

    double time() const { return forward + backward + optimizer; }
    /// Stops at the largest number.
    Flops flops() const;
    Bytes activations() const { return Bytes(alive[static_cast<std::size_t>(Category::kActivations)]); }
    Bytes memory() const { return Bytes(sumOf(alive)); }
    /// ns, or bytes of activations.
    double value(LayerMeasure measure) const;
    bool standsOut() const;
};

struct Layers {
    bool gpu = false;
    std::int64_t steps = 0;
    bool measured = false, ofRange = false;
    /// FLOPs are of the work that the time is of, and can be set against it.
    bool rates = true;
    /// Why neither FLOPs nor bytes moved are stated (planUnsaid()); "" where they are.
    std::string unplanned;
    /// Of a step that was not completed: FLOPs and bytes moved are those of the modules that ran in each
    /// phase, every one as planned.
    bool unfinished = false;
    /// In the model's order; empty when nothing of it was recorded.
    std::vector<LayerRow> rows;
    /// Of the blocks that are compared, and how many these are.
    std::array<double, kLayerMeasureCount> median{};
    std::array<std::int64_t, kLayerMeasureCount> compared{};
    std::int64_t blocks = 0;

    double time() const;
    /// Of a block: that it ran whole in every pass by which blocks are compared, and computed in no other.
    /// Its time can be set beside that of others of which this is so.
    bool isWhole(const LayerRow& block) const;
    /// That of enough blocks some pass is compared.
    bool comparesTimes() const;
};

/// `alive`: what is alive at the moment that memory is stated of, whatever the scope.
Layers layersOf(const Snapshot& snapshot, const std::vector<AllocationId>& alive,
                const WorkScope& scope = {});

/// "blocks.0's backward pass takes 3.1 ms, 22 % over the median of the 12 blocks (2.54 ms)."; one sentence
/// for each measure in which it stands out; empty for a row that does not.
std::vector<std::string> outlierSentences(const Layers& layers, const LayerRow& row);

/// Which values stand out of their like, as said above.
std::vector<bool> robustOutliers(const std::vector<double>& values);
double medianOf(std::vector<double> values);

}  // namespace warpglass
