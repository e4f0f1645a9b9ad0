// How far phases are from their medians, and the axis on which that is drawn for all of them. Pure; any
// thread.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "engine/query/statistics/phase_samples.h"

namespace warpglass::ui {

/// The median of the steps that count, in ns; where none does, that of all. At least 1.
double referenceOf(const PhaseSamples& phase);
/// How far it is from that, as a share of it: 0.24, or less than 0.
double deviationOf(const PhaseSamples& phase, double nanoseconds);
/// deviationInWords().
QString deviationText(double deviation);

/// From `low` to `high`, around 0.
struct PhaseAxis {
    double low = -1, high = 1;

    bool holds(double deviation) const { return deviation >= low && deviation <= high; }
    /// Round values, 0 among them, at most so many.
    std::vector<double> ticks(int most) const;
};
/// Holds the steps that count of all phases, and the bands of one standard deviation, but no step that is far
/// from its phase's others, and nothing beyond twice the median.
PhaseAxis axisOf(std::span<const PhaseSamples> phases);

}  // namespace warpglass::ui
