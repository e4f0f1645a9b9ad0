// A measure of a sweep against its settings, as a chart. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/sweep/sweep.h"
#include "engine/tables/chart.h"

namespace warpglass {

struct SweepView {
    /// The key of a measure (measures.h).
    std::string measure;
    ChartKind kind = ChartKind::kLines;
    /// Keys of axes of the plan. `x` is the horizontal axis; `series` tells lines or bars apart, or is the
    /// vertical axis of a heat map. Empty for the first axes left.
    std::string x, series;
    /// Every other axis at one of its values: key and value. An axis not named here is at its first value.
    std::vector<std::pair<std::string, std::string>> fixed;
    /// Instead of the measure, how many times better each cell is than the one with this value of the
    /// `series` axis; empty for the measure itself.
    std::string baseline;
    bool logX = false, logY = false;
    bool predicted = false, fit = false;

    bool operator==(const SweepView&) const = default;
};
/// What to look at first: the step's time (or the longest phase's) over the axis of numbers with most values,
/// or over the axis `x` where it is named.
SweepView usualView(const Sweep& sweep, std::string_view x = {});

/// Repeats of a cell are one point: their mean, and the deviation over repeats, or within the run where there
/// is one repeat. A fit goes through a series' larger measured points (tailPowerLaw() of growth.h) and is
/// named "∝ n^1.98 ± 0.03".
Chart sweepChart(const Sweep& sweep, const SweepView& view);

}  // namespace warpglass
