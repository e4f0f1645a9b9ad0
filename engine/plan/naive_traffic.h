// What the library's ops of one layer's naive attention move, from the heads' q, k and v to their output and
// back: the measure of what a kernel of ours that stands for some of them does not move. Each op reads its
// operands and writes its result once (kernel_work.h); copies that only change a layout are not counted.
//
// On a GPU. Pure; any thread.
#pragma once

#include "engine/plan/flops.h"
#include "engine/plan/run_config.h"
#include "engine/plan/saturating.h"

namespace warpglass {

/// The products: two forward, four backward. `phase`: one of these two.
Saturating naiveProductsMove(const RunConfig& config, PlanPhase phase);
/// What stands between them: the scale, the mask, softmax and its casts.
Saturating naiveSoftmaxMoves(const RunConfig& config, PlanPhase phase);

}  // namespace warpglass
