// A model's layers side by side: what each block, and what stands before and after the blocks, takes in time,
// computes, moves and keeps. Rows add up to all of a step: the last holds what belongs to no layer.
//
// Time is that of engine/query/work_times.h, a step. FLOPs are the plan's (engine/plan/flops.h), matrix
// products and elementwise work; bytes moved are those of the matrix products (matrix_products.h), at the
// least. Memory is what of the layer is alive at a moment that the caller chooses, the run's peak.
//
// A block stands out where its value is farther than 3 × 1.4826 × MAD from the median of all blocks, MAD
// being the median absolute deviation (Leys et al. 2013, "Detecting outliers: do not use standard deviation
// around the mean, use absolute deviation around the median", J. Exp. Soc. Psychol. 49(4); 1.4826 makes it a
// standard deviation where values are normal), and by more than 5 %: steps differ by as much from run to run.
// Of fewer than five blocks none stands out.
//
// Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/memory_timeline.h"
#include "engine/query/statistics.h"
#include "engine/query/work_times.h"

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
    /// Of one step; 0 without a configuration.
    Flops forwardFlops, backwardFlops, optimizerFlops;
    /// What the matrix products of one step move.
    Bytes moved;
    /// Alive at the moment, by category.
    CategoryBytes alive{};
    /// Of its kind; blocks only.
    std::array<bool, kLayerMeasureCount> outlier{};

    double time() const { return forward + backward + optimizer; }
    Flops flops() const { return forwardFlops + backwardFlops + optimizerFlops; }
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
    /// The time is of all ops of whole steps: FLOPs, which are a step's, can be set against it.
    bool wholeSteps = true;
    /// Of a step that was not completed: FLOPs and bytes moved are those of the modules that ran in each
    /// phase, every one as planned.
    bool unfinished = false;
    /// In the model's order; empty when nothing of it was recorded.
    std::vector<LayerRow> rows;
    /// Of the blocks.
    std::array<double, kLayerMeasureCount> median{};
    std::int64_t blocks = 0;

    double time() const;
};

/// `alive`: what is alive at the moment that memory is stated of. FLOPs and bytes moved are those of the
/// scope's phase and module, whatever its ranges; not known where it takes but some ops by name or text.
Layers layersOf(const Snapshot& snapshot, const std::vector<AllocationId>& alive,
                const WorkScope& scope = {});

/// "blocks.0's backward pass takes 3.1 ms, 22 % over the median of the 12 blocks (2.54 ms)."; one sentence
/// for each measure in which it stands out; empty for a row that does not.
std::vector<std::string> outlierSentences(const Layers& layers, const LayerRow& row);

/// Which values stand out of their like, as said above.
std::vector<bool> robustOutliers(const std::vector<double>& values);
double medianOf(std::vector<double> values);

}  // namespace warpglass
