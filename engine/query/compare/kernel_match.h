// The kernels of two runs, each beside what took its place: matched by the op that launched them and by name,
// and where a name is in one run only (another precision has other kernels), all such kernels of one op
// against all such of the other run's.
//
// Times are of the steps that a scope takes (engine/query/compare/comparison_scope.h). Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/query/compare/comparison.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

struct KernelMatch {
    /// "aten::mm"; "(outside any op)".
    std::string op;
    /// Most time first; one and the same on both sides for kernels of one name. Empty on the side that has
    /// none.
    std::vector<std::string> namesA, namesB;
    /// What the first of them did most of its time (kernelTitle()), and how many such titles all of them
    /// have.
    std::string titleA, titleB;
    std::size_t titlesA = 0, titlesB = 0;
    /// ns.
    double a = 0, b = 0;
    /// How often they ran.
    double instancesA = 0, instancesB = 0;
    /// Whether that run has no step of the scope, so that what took the place of these kernels there is
    /// unknown.
    bool withoutStepsA = false, withoutStepsB = false;

    bool sameName() const { return namesA == namesB; }
    /// "aten::mm  nvjet_tst_128 → ampere_sgemm and 2 more"; against a run without steps its own kernels
    /// alone.
    std::string name() const;
};

/// Largest |difference| first. Empty when neither run has a kernel of such a step.
std::vector<KernelMatch> matchKernels(const Snapshot& a, const Snapshot& b,
                                      const ComparisonScope& scope = {});

/// The same as a comparison's rows. `comparison`: of the same runs and scope, which knows what either run's
/// file lacks.
std::vector<ComparisonRow> kernelRows(const std::vector<KernelMatch>& matches,
                                      const RunComparison& comparison);

}  // namespace warpglass
