// What a view of a sweep shows of it: one measure by two of its axes, with repeats of a cell taken together.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/settings.h"
#include "engine/sweep/measures.h"
#include "engine/sweep/sweep_chart.h"

namespace warpglass {

/// A value of an axis, in its place on the chart.
struct SliceValue {
    /// In the axis's list.
    std::size_t index = 0;
    /// As people read it: "bf16", "4,096".
    std::string name;
    /// Within a sentence: "bf16", "context length 4,096", "batch 8".
    std::string place;
    /// The value, on an axis of numbers.
    double number = 0;
};

struct SliceAxis {
    /// Null where the plan has no such axis.
    const SweepAxis* axis = nullptr;
    /// Null for a key that this version has no setting for.
    const Setting* setting = nullptr;
    bool isNumeric = false;
    /// Numbers in order of size, others as the plan has them; a single nameless one without an axis.
    std::vector<SliceValue> values;

    /// "Context length"; within a sentence "context length".
    std::string title() const, noun() const;
    /// "Context length (tokens)".
    std::string titleWithUnit() const;
};

struct SlicePoint {
    PointState state = PointState::kMissing;
    /// Mean over the repeats that have it.
    double value = std::numeric_limits<double>::quiet_NaN();
    double deviation = 0;
    std::optional<double> predicted;
    /// Index of the cell that it leads to; negative for none.
    std::int64_t source = -1;

    bool isMeasured() const { return state == PointState::kMeasured; }
};

struct SweepSlice {
    const Measure* measure = nullptr;
    SliceAxis x, series;
    /// By series and x, as series.values and x.values.
    std::vector<std::vector<SlicePoint>> points;
    /// The other axes' values, where they have several: "batch 8, fp32"; empty for none.
    std::string fixed;
    /// Cells (each repeat is one).
    std::int64_t outOfMemory = 0, failed = 0, skipped = 0, waiting = 0;
    /// Those that ran while other programs took the host's time, or a clock was held down.
    std::int64_t disturbed = 0;
    /// Where deviations are from.
    bool overRepeats = false, withinRuns = false;
    /// Times of work whose kernels the host launches one by one, over a setting that makes each of them
    /// longer: as long as the time does not grow with it, it is that of the launches.
    bool isOfLaunches = false;
};

/// Precondition: the plan has an axis.
SweepSlice sliceOf(const Sweep& sweep, const SweepView& view);
/// "Forward time" of "Forward, mean"; "MFU (of measured)".
std::string measureName(const Measure& measure);
/// Numbers alone, and as many as the list has.
std::optional<std::vector<double>> numbersOf(const SweepAxis& axis);

/// Each point as so many times better than that of the series `baseline`; where there is none, missing.
void relateTo(SweepSlice& slice, std::size_t baseline);

/// What the slice says, in one sentence, with one more on what hardly grows, and where growth is fitted
/// one on the series of which none is known; `baseline` where relateTo() was called for it.
std::string sentenceOf(const SweepSlice& slice, std::optional<std::size_t> baseline, bool fitted);

}  // namespace warpglass
