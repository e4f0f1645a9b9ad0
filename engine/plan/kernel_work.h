// What one launch of a kernel of ours (engine/kernels) computes and moves, from the configuration alone.
//
// FLOPs follow the conventions of flops.h. Bytes are the least: each tensor's numbers read once and written
// once. Vectors of a number a row, tokens and tables that stay in the caches count nothing
// (engine/kernels/step_kernels.h states the same). What was not moved is how much more the ops of the
// library's sequence move, each reading its operands and writing its result once: mostly tensors between them
// that are written and read again.
//
// For attention's kernels the products alone are FLOPs, as for every other fused attention: what they compute
// between two products is the plan's softmax and does not count here.
//
// A kernel that does what several of the library's ops do may work for several modules. It then states which,
// and what it moves for each: a tensor counts for the op that would read or write it in the library's
// sequence, and what stays in registers between two of them counts for neither. Tables by module split its
// time by these bytes.
//
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// A module that something works for, and what is moved for it: more than nothing.
struct ServedModule {
    std::string module;
    Bytes moved;

    bool operator==(const ServedModule&) const = default;
};
/// Each module once.
using ServedModules = std::vector<ServedModule>;

struct OwnKernel {
    /// In a trace: without its namespace and template arguments.
    std::string_view name;
    /// Nothing where it depends on the module and there is no such. Precondition: validate() is empty.
    std::optional<KernelWork> (*work)(const RunConfig&, std::string_view module) = nullptr;
    /// Which modules it works for, all that it moves being for one of them; empty where it is the module that
    /// it runs in alone, null where that is always so. The same precondition.
    ServedModules (*serves)(const RunConfig&, std::string_view module) = nullptr;
    /// Its FLOPs are those of matrix products, and arithmetic is its roof; else memory is.
    bool isProduct = false;
};

/// An op of an optimizer that works for many modules in one call, under none of them.
struct UpdateOp {
    /// In a trace.
    std::string_view name;
    /// Precondition: validate() is empty, and the run is not attention alone.
    ServedModules (*serves)(const RunConfig&) = nullptr;
};

}  // namespace warpglass
