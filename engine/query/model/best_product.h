// The fastest GEMM of a run, and the one that moved the most bytes per second. They show what the device can
// do, even if a measurement of its ceilings found less.
//
// GEMMs of one place and one name are taken together, over the complete steps that means cover, so that no
// single clock tick or interrupted kernel decides. Work is as in span_work.h. On the CPU the time is the ops'
// own.
//
// Pure function; any thread. Linear in the kernels (on the CPU the ops) of the run.
#pragma once

#include <string>

#include "engine/trace/snapshot.h"

namespace warpglass {

struct BestProduct {
    /// 0 where no product's work is known.
    double flopsPerSecond = 0;
    /// Where it ran, "blocks.7.ffn.w1 (backward)".
    std::string place;
    /// The most of any product; operands and results counted once each.
    double bytesPerSecond = 0;
};

BestProduct bestProduct(const Snapshot& snapshot);

}  // namespace warpglass
