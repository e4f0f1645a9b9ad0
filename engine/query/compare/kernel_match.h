// The kernels of two runs, each beside what took its place. Where a work of the model is done
// by ops of ours in one run and by other ops in the other one, all kernels of that work stand against all of
// the other run's. All others are matched by the op that launched them and by name, and where a name is in
// one run only (another precision has other kernels), all such kernels of one op against all such of the
// other run's. Each kernel's time is in one match.
//
// Times are of the steps that a scope takes (engine/query/compare/comparison_scope.h). Pure; any thread.
#pragma once

#include <compare>
#include <set>
#include <string>
#include <vector>

#include "engine/query/compare/comparison.h"
#include "engine/query/compare/landmark.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// From where kernels are launched: by which ops, most time first, and a point at which they are found.
struct KernelOrigin {
    struct Place {
        Phase phase = Phase::kNone;
        /// All blocks taken together: "blocks.*.attn".
        std::string modules;
        std::string op, kernel;

        auto operator<=>(const Place&) const = default;
    };
    std::vector<std::string> ops;
    std::set<Place> places;
    /// The first in a step: of these, and where there are more of the same ops in other matches, of those in
    /// the place that takes most of the time.
    Landmark landmark;

    /// Whether it is one of these: a kernel by its name, described by landmarkAt().
    bool holds(const Landmark& at, const std::string& kernel) const;
};

struct KernelMatch {
    /// "aten::mm"; "(outside any op)"; "" where the kernels of a work are matched.
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
    /// "AdamW", "SwiGLU, backward"; "" where those of an op are matched.
    std::string work = {};
    KernelOrigin originA = {}, originB = {};

    bool sameName() const { return namesA == namesB; }
    /// "aten::mm  nvjet_tst_128 → ampere_sgemm and 2 more", "AdamW: aten::_fused_adamw_ → warpglass::adamw";
    /// against a run without steps its own kernels, or ops, alone.
    std::string name() const;
    /// The same as people read it, with the titles of ops (opTitle()).
    std::string shownName() const;
    /// What both have in common: the work, or the op's title.
    std::string heading() const;
};

/// Largest |difference| first. Empty when neither run has a kernel of such a step. `comparison`: of the same
/// runs and scope; without it their work is read anew.
std::vector<KernelMatch> matchKernels(const RunComparison& comparison, const Snapshot& a, const Snapshot& b,
                                      const ComparisonScope& scope);
std::vector<KernelMatch> matchKernels(const Snapshot& a, const Snapshot& b,
                                      const ComparisonScope& scope = {});

/// The same as a comparison's rows. `comparison`: of the same runs and scope, which knows what either run's
/// file lacks.
std::vector<ComparisonRow> kernelRows(const std::vector<KernelMatch>& matches,
                                      const RunComparison& comparison);

}  // namespace warpglass
