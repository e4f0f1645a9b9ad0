// A chart as data: what the window draws with QCustomPlot, what a figure shows, and what its CSV holds. Made
// of sweeps and experiments without any drawing, and so tested without it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/tables/cell.h"

namespace warpglass {

enum class ChartKind : std::uint8_t {
    kLines,
    kBars,
    kHeatMap,
    kBridge  // one bar a category, from ChartPoint::from to y: how one total becomes another. Its series are
             // kinds of bars
};

struct ChartAxis {
    /// "Context length".
    std::string title = {};
    Unit unit = Unit::kNumber;
    bool logarithmic = false;
    /// The names of categories at 0, 1, 2 …; empty for an axis of numbers. Always set on both axes of a heat
    /// map and on the x axis of bars and bridges; on a heat map's values where these are kinds.
    std::vector<std::string> categories = {};
};

/// How a point is to be taken.
enum class PointState : std::uint8_t {
    kMeasured,
    kOutOfMemory,  // drawn as such, at the axis; y is not known
    kFailed,
    kMissing  // not run (yet), or skipped
};

struct ChartPoint {
    double x = 0;
    double y = std::numeric_limits<double>::quiet_NaN();
    /// Half of the error bar; 0 for none.
    double deviation = 0;
    PointState state = PointState::kMeasured;
    /// Where a bridge's bar begins.
    double from = 0;
    /// The value of a heat map's cell, in the unit of `Chart::value`.
    double value = std::numeric_limits<double>::quiet_NaN();
    /// What it leads to when clicked, as the chart's maker counts (a sweep's cell); negative for nothing.
    std::int64_t source = -1;

    bool isUnmeasured() const { return state == PointState::kOutOfMemory || state == PointState::kFailed; }
};

struct ChartSeries {
    std::string name = {};
    std::vector<ChartPoint> points = {};
    /// Drawn dashed and without marks, in the color of the series it belongs to: fitted; or dotted:
    /// predicted, which is named "SERIES, predicted".
    bool isModel = false;
    /// Index of the series whose color it has; negative for one of its own.
    std::int32_t colorOf = -1;
    /// Its points stand for themselves: no line from one to the next.
    bool isScattered = false;
    /// The two that its name is made of, where it is: {"flash", "bf16"} of "flash, bf16" (series_choices.h).
    std::array<std::string, 2> choices = {};
};

struct Chart {
    /// "attention-time": names the figure's file.
    std::string key = {};
    /// What is shown: "Forward time by context length".
    std::string title = {};
    /// What it says, in one sentence; empty for nothing.
    std::string sentence = {};
    /// The settings that all of its points have in common: "tiny · context 64 · batch 4"; empty for none.
    std::string setup = {};
    ChartKind kind = ChartKind::kLines;
    ChartAxis x = {}, y = {};
    /// For a heat map's colors.
    ChartAxis value = {};
    std::vector<ChartSeries> series = {};
    /// What is not in the picture and must be said: "2 cells ran out of memory".
    std::vector<std::string> notes = {};

    bool isHeat() const { return kind == ChartKind::kHeatMap; }
    bool isBridge() const { return kind == ChartKind::kBridge; }
    bool isBars() const { return kind == ChartKind::kBars || isBridge(); }
};

}  // namespace warpglass
