// MFU of two runs side by side. Each states the ceilings that were known when it ran, which a faster run may
// have raised since: runs of one device and precision are held against one roof, or their ratio would be that
// of the roofs.
#pragma once

#include <optional>
#include <string>

#include "engine/query/compare/comparison_figures.h"
#include "engine/query/model/roofline.h"

namespace warpglass {

struct UtilizationComparison {
    /// By "measured ceiling" and "data sheet", where known.
    ComparedFigures a, b;
    /// What roof, or which two, the measured shares are of, where that is not plain; a sentence or "".
    std::string note;
};

/// Compares the utilization of two runs; a run without one has no figures.
UtilizationComparison compareUtilization(const Snapshot& runA, std::optional<ModelUtilization> a,
                                         const Snapshot& runB, std::optional<ModelUtilization> b);

}  // namespace warpglass
