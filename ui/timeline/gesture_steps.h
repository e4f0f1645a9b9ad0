// How far the wheel, a drag and keys go in the timeline, in its overview and in charts on its axis.
#pragma once

#include <cmath>

#include "engine/base/units.h"

namespace warpglass::ui {

/// Less movement than this between press and release is a click.
inline constexpr int kDragDistance = 4;
/// One notch of a wheel (120 eighths of a degree) leaves four fifths of the width: three notches halve it.
inline constexpr double kZoomPerNotch = 0.8;
inline constexpr double kNotch = 120.0;
/// W and S, which repeat while held, go in smaller steps than they seem to: about as a notch and a half.
inline constexpr double kZoomPerKey = 0.7;
/// Shares of the visible width.
inline constexpr double kPanPerNotch = 0.10;
inline constexpr double kPanPerKey = 0.15;

/// A part of how long a range is.
inline Nanoseconds shareOf(TimeRange range, double part) {
    return Nanoseconds(std::llround(static_cast<double>(range.duration().value) * part));
}

}  // namespace warpglass::ui
