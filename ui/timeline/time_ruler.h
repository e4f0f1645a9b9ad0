// Where a time axis has its ticks and what they say. Pure: charts on the same axis take their grid from it
// too.
#pragma once

#include <string>
#include <vector>

#include "engine/base/units.h"

namespace warpglass::ui {

struct RulerTick {
    Nanoseconds time;
    /// "15 ms", or "+200 ns" after the base; empty for a minor tick.
    std::string label;
};

struct Ruler {
    /// Between labelled ticks: 1, 2 or 5 × 10ⁿ ns.
    Nanoseconds step;
    /// Within the visible range and from 0 on, in order; minor ones between are fifths (halves of a step of 2
    /// × 10ⁿ ns).
    std::vector<RulerTick> ticks;
    /// Deep in a long run whole times would be too long to read: then labels count from this moment, written
    /// once ("3.214567 s"). Empty when labels are whole times.
    std::string base;
};

/// Labelled ticks at least `minimumSpacing` pixels apart; none before 0. No ticks for an empty range or
/// width.
Ruler makeRuler(TimeRange visible, double width, double minimumSpacing = 84);

}  // namespace warpglass::ui
