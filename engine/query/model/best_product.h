// The fastest matrix product of a run, and the one that moved the most bytes a second: what the device has
// shown that it can do, also where a measurement of its ceilings saw less.
//
// Of the products of one place and one name together, over the complete steps that means are of, so that no
// single clock tick or interrupted kernel decides; work as in span_work.h. Of the CPU, the ops' own time.
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
