// The order of memory's categories in pictures, legends and words: what stays is below, what comes and goes
// is above, so that nothing constant seems to rise with what varies. Files and tables of all categories keep
// the order of the enumeration.
//
// Pure; any thread.
#pragma once

#include <array>

#include "engine/trace/ids.h"

namespace warpglass {

/// Bottom first. Weights, the optimizer's state, the input and libraries' workspaces stay once they are
/// there; gradients stay for a part of a step, copies of weights and activations for less.
inline constexpr std::array<Category, kCategoryCount> kStackOrder = {
    Category::kWeights,     Category::kOptimizerState, Category::kInput,
    Category::kWorkspace,   Category::kGradients,      Category::kWeightCopies,
    Category::kActivations, Category::kTemporaries,    Category::kUnknown};

}  // namespace warpglass
