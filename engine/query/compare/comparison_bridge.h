// The way from A's figure to B's: what each kind of work or memory adds or takes away.
//
// Whole nanoseconds and bytes, so that the parts add up to the difference exactly. Pure functions; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/compare/comparison.h"
#include "engine/query/compare/comparison_scope.h"

namespace warpglass {

struct ComparisonBridge {
    struct Part {
        std::string name;
        std::int64_t a = 0, b = 0;
        std::int64_t difference() const { return b - a; }
    };
    bool bytes = false;  // else nanoseconds
    std::int64_t a = 0, b = 0;
    /// The largest difference first; last what the others leave of both figures, which may be less than 0.
    std::vector<Part> parts;

    /// As many as people read in a line: the largest, and what is left as "others".
    std::vector<Part> shownParts(std::size_t most = 6) const;
    /// "46.4 ms", "−32.4 ms", "+1.20 GiB".
    std::string figure(std::int64_t value) const;
    std::string signedFigure(std::int64_t value) const;
    /// "46.4 ms → matmul −32.4 ms → idle and host +20.1 ms → … → 35.3 ms".
    std::string text() const;
};

/// From a step's time to the other's: the time of the GPU by family of op (engine/query/spans/op_family.h;
/// without a GPU the ops' own on the CPU), and the rest of the step, in which the GPU was idle. Nothing where
/// either time is unknown, or at least what the file has, or larger than a run's can be, and for times per
/// token. `comparison` is that of a
/// and b in `scope`.
std::optional<ComparisonBridge> timeBridge(const RunComparison& comparison, const Snapshot& a,
                                           const Snapshot& b, const ComparisonScope& scope);
/// From the one peak to the other, by category. Nothing where either is unknown.
std::optional<ComparisonBridge> memoryBridge(const RunComparison& comparison);

}  // namespace warpglass
