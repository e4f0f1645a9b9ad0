// Where a time axis has its ticks and what they say. Pure: charts on the same axis take their grid from it
// too.
#pragma once

#include <string>
#include <vector>

#include "engine/base/units.h"
#include "ui/models/step_clock.h"

namespace warpglass::ui {

struct RulerTick {
    Nanoseconds time;
    /// "15 ms", or "+200 ns" after the base; "step 2" where that begins; empty for a minor tick.
    std::string label;
    /// A step begins here: what follows counts from it.
    bool step = false;
};

struct Ruler {
    /// Between labeled ticks of one step: 1, 2 or 5 × 10ⁿ ns.
    Nanoseconds step;
    /// Within the visible range and from 0 on, in order; minor ones between are fifths (halves of a step of 2
    /// × 10ⁿ ns). Where steps are too short to be seen apart, not every one has a tick.
    std::vector<RulerTick> ticks;
    /// Deep in a long run whole times would be too long to read: then labels count from this moment, written
    /// once ("3.214567 s"). Empty when labels are whole times.
    std::string base;
    /// What the first labels, and the base, count from where that begins before the view: "step 2". Empty
    /// when it is the run, and where no label counts from it.
    std::string origin;
};

/// Labeled ticks at least `minimumSpacing` pixels apart, but for the last one of a step, which is at least
/// three quarters of that before the next step; none before 0. No ticks for an empty range or width. Since an
/// alignment (StepClock::since()) times before it are less than 0, and it is marked as a step's start is.
Ruler makeRuler(TimeRange visible, double width, const StepClock& clock = {}, double minimumSpacing = 84);

}  // namespace warpglass::ui
