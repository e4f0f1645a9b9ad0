// What one launch of a kernel of ours (engine/kernels) computes and moves, known from the configuration
// alone.
//
// FLOPs follow the conventions of flops.h. Bytes are the least: each tensor's numbers read once and written
// once. Vectors of a number a row, tokens and tables that stay in the caches count nothing
// (engine/kernels/step_kernels.h states the same). What was not moved is how much more the ops of the
// library's sequence move, each reading its operands and writing its result once: mostly tensors between them
// that are written and read again.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/base/units.h"
#include "engine/plan/run_config.h"
#include "engine/plan/saturating.h"

namespace warpglass {

struct KernelWork {
    Flops flops;
    Bytes moved;
    Bytes notMoved;
    /// These figures are the sum of so many launches, which do not share them equally.
    std::int64_t launches = 1;
};
inline KernelWork kernelWork(Saturating flops, Saturating moved, Saturating notMoved = 0,
                             std::int64_t launches = 1) {
    return {Flops(flops.value()), Bytes(moved.value()), Bytes(notMoved.value()), launches};
}

struct OwnKernel {
    /// In a trace: without its namespace and template arguments.
    std::string_view name;
    /// Nothing where it depends on the module and the model has no such one. Precondition: validate() is
    /// empty.
    std::optional<KernelWork> (*work)(const RunConfig&, std::string_view module) = nullptr;
};

}  // namespace warpglass
