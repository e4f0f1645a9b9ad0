// What autocast's 16-bit copies of the weights cost: the time of the casts that make them in every step and
// that turn the weights' gradients back, and the bytes of the copies live at the peak. It is one cause, which
// copies_and_casts.h and weight_copies.cpp report.
//
// Time: of the kernels that aten::copy_ launched in a module that has a weight, in its forward and backward
// pass, those whose grid covers as many numbers as the weight has (numbers = blocks × threads × numbers per
// thread; the last is 8 in LibTorch's vectorized copies and 4 in its unrolled ones, whichever accounts for
// more of a kernel's time), and at most one per module, pass and step, since its input may have as many.
//
// Bytes: what of the live memory at the peak is a copy of a weight (engine/query/memory/weight_copies.h).
//
// Limits: the time of casts on the CPU is unknown; runs that are not in mixed precision have no result.
#pragma once

#include <string>
#include <vector>

#include "engine/query/findings/run_facts.h"

namespace warpglass {

struct WeightCasts {
    /// ns per step, including that of gradients.
    double time = 0;
    bool gradients = false;
    Bytes bytes;
    std::vector<AllocationId> copies;
};

WeightCasts weightCasts(const RunFacts& facts);

/// A twentieth of the peak: less is not worth a sentence.
inline constexpr double kLeastShareOfWeightCopies = 0.05;
/// What would take away both the time and the bytes, and how much of them at most.
std::string weightCastRemedy(const WeightCasts& casts);

}  // namespace warpglass
