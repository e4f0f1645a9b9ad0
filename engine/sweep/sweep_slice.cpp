#include "engine/sweep/sweep_slice.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/base/collect.h"

namespace warpglass {

namespace {

/// The configuration with just this value taken; nothing for one that the setting does not take.
std::optional<RunConfig> configWith(const Setting* setting, const std::string& value) {
    RunConfig config;
    return setting && setting->take(value, config) ? std::optional(config) : std::nullopt;
}

std::optional<double> numberOf(const Setting* setting, const std::string& value) {
    const auto config = configWith(setting, value);
    if (!config || !(std::holds_alternative<WholeNumber>(setting->kind) ||
                     std::holds_alternative<AnyNumber>(setting->kind)))
        return std::nullopt;
    const std::string text = setting->text(*config);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string nameOf(const Setting* setting, const std::string& value) {
    const auto config = configWith(setting, value);
    if (const auto number = numberOf(setting, value))
        return readableCell(wholeIfExact(*number), Unit::kCount);
    return config ? setting->words(*config) : value;
}

std::string placeOf(const Setting* setting, bool isNumeric, const std::string& value) {
    const auto config = configWith(setting, value);
    if (!config)
        return value;
    const std::string words = setting->words(*config);
    if (!isNumeric)
        return words;
    const std::string titled = setting->titleWords(*config);
    return titled != words && !titled.empty() ? titled
                                              : std::string(setting->noun) + " " + nameOf(setting, value);
}

SliceAxis sliceAxis(const SweepAxis* axis) {
    SliceAxis slice;
    slice.axis = axis;
    if (!axis) {
        slice.values.emplace_back();
        return slice;
    }
    slice.setting = findSetting(axis->key);
    const auto numbers = numbersOf(*axis);
    slice.isNumeric = numbers.has_value();
    for (std::size_t i = 0; i < axis->values.size(); ++i) {
        const std::string& value = axis->values[i];
        slice.values.push_back({i, nameOf(slice.setting, value),
                                placeOf(slice.setting, slice.isNumeric, value), numbers ? (*numbers)[i] : 0});
    }
    if (numbers)
        std::ranges::stable_sort(slice.values, {}, &SliceValue::number);
    return slice;
}

const SweepAxis* axisOf(const SweepPlan& plan, const std::string& key) {
    const auto found = std::ranges::find(plan.axes, key, &SweepAxis::key);
    return found == plan.axes.end() ? nullptr : &*found;
}

const SweepAxis* firstBut(const SweepPlan& plan, const SweepAxis* taken) {
    for (const SweepAxis& axis : plan.axes) {
        if (&axis != taken)
            return &axis;
    }
    return nullptr;
}

/// What is known of the repeats of one cell.
struct Repeats {
    std::vector<const SweepCell*> cells;

    std::vector<double> figures(std::string_view key) const {
        std::vector<double> found;
        for (const SweepCell* cell : cells) {
            const auto figure = cell->state == CellState::kOk ? cell->figure(key) : std::nullopt;
            if (figure && std::isfinite(*figure))
                found.push_back(*figure);
        }
        return found;
    }
    const SweepCell* firstIn(CellState state) const {
        const auto found = std::ranges::find(cells, state, &SweepCell::state);
        return found == cells.end() ? nullptr : *found;
    }
};

double meanOf(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

double deviationOf(const std::vector<double>& values) {
    const double mean = meanOf(values);
    double squares = sumOver<double>(values, [&](double value) { return (value - mean) * (value - mean); });
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

SlicePoint pointOf(const Repeats& repeats, SweepSlice& slice) {
    SlicePoint point;
    if (repeats.cells.empty())
        return point;
    point.source = repeats.cells.front()->index;
    for (const SweepCell* cell : repeats.cells) {
        if (!point.predicted && !slice.measure->predictedKey.empty())
            point.predicted = cell->figure(slice.measure->predictedKey);
    }
    const std::vector<double> values = repeats.figures(slice.measure->key);
    if (!values.empty()) {
        point.state = PointState::kMeasured;
        point.value = meanOf(values);
        point.source = repeats.firstIn(CellState::kOk)->index;
        if (values.size() > 1) {
            point.deviation = deviationOf(values);
            slice.overRepeats = true;
        } else if (!slice.measure->deviationKey.empty()) {
            const std::vector<double> within = repeats.figures(slice.measure->deviationKey);
            point.deviation = within.empty() ? 0 : within.front();
            slice.withinRuns = slice.withinRuns || point.deviation > 0;
        }
    } else if (const SweepCell* out = repeats.firstIn(CellState::kOutOfMemory)) {
        point.state = PointState::kOutOfMemory;
        point.source = out->index;
    } else if (const SweepCell* failed = repeats.firstIn(CellState::kFailed)) {
        point.state = PointState::kFailed;
        point.source = failed->index;
    }
    return point;
}

void count(SweepSlice& slice, const SweepCell& cell) {
    const CellState state = cell.state;
    slice.disturbed += cell.wasDisturbed();
    slice.outOfMemory += state == CellState::kOutOfMemory;
    slice.failed += state == CellState::kFailed;
    slice.skipped += state == CellState::kSkipped;
    slice.waiting += state == CellState::kWaiting || state == CellState::kRunning;
}

/// For each axis of the plan, which of its values the view is restricted to; nothing for the two it shows.
std::vector<std::optional<std::size_t>> fixedValues(const SweepPlan& plan, const SweepView& view,
                                                    SweepSlice& slice) {
    std::vector<std::optional<std::size_t>> fixed;
    for (const SweepAxis& axis : plan.axes) {
        if (&axis == slice.x.axis || &axis == slice.series.axis) {
            fixed.emplace_back();
            continue;
        }
        std::size_t index = 0;
        for (const auto& [key, value] : view.fixed) {
            const auto found = std::ranges::find(axis.values, value);
            if (key == axis.key && found != axis.values.end())
                index = static_cast<std::size_t>(found - axis.values.begin());
        }
        fixed.emplace_back(index);
        if (index >= axis.values.size() || axis.values.size() == 1)  // which settingsInCommon() tells
            continue;
        slice.fixed += slice.fixed.empty() ? "" : ", ";
        slice.fixed += placeOf(findSetting(axis.key), numbersOf(axis).has_value(), axis.values[index]);
    }
    return fixed;
}

bool isShown(const SweepCell& cell, const std::vector<std::optional<std::size_t>>& fixed) {
    if (cell.values.size() != fixed.size())
        return false;  // of a damaged file
    for (std::size_t i = 0; i < fixed.size(); ++i) {
        if (fixed[i] && *fixed[i] != cell.values[i])
            return false;
    }
    return true;
}

std::size_t placeIn(const SweepPlan& plan, const SweepAxis* axis) {
    return static_cast<std::size_t>(axis - plan.axes.data());
}

/// By index in the axis's list, the place among the slice's values.
std::vector<std::size_t> placesOf(const SliceAxis& axis) {
    std::vector<std::size_t> places(axis.values.size());
    for (std::size_t i = 0; i < axis.values.size(); ++i)
        places[axis.values[i].index] = i;
    return places;
}

/// On a GPU, and not as a graph: every kernel has a launch of its own.
bool launches(const SweepPlan& plan) {
    const bool mayBeGraph = std::ranges::any_of(
        plan.axes, [](const SweepAxis& axis) { return axis.key == "execution" || axis.key == "device"; });
    return plan.base.onGpu() && plan.base.execution == Execution::kEager && !mayBeGraph;
}

}  // namespace

std::optional<std::vector<double>> numbersOf(const SweepAxis& axis) {
    const Setting* setting = findSetting(axis.key);
    std::vector<double> numbers;
    for (const std::string& value : axis.values) {
        const auto number = numberOf(setting, value);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

std::string SliceAxis::title() const {
    if (!setting)
        return axis ? axis->key : std::string();
    return std::string(setting->panel.head.empty() ? setting->panel.label : setting->panel.head);
}

std::string SliceAxis::noun() const {
    return setting ? std::string(setting->noun) : title();
}

std::string SliceAxis::titleWithUnit() const {
    const bool hasUnit = isNumeric && !setting->panel.unit.empty();
    return hasUnit ? title() + " (" + std::string(setting->panel.unit) + ")" : title();
}

std::string measureName(const Measure& measure) {
    const auto comma = measure.title.find(", ");
    if (comma == std::string::npos)
        return measure.title;
    const std::string head = measure.title.substr(0, comma), rest = measure.title.substr(comma + 2);
    if (measure.unit == Unit::kNanoseconds && rest == "mean")
        return head + " time";
    return head + " (" + rest + ")";
}

SweepSlice sliceOf(const Sweep& sweep, const SweepView& view) {
    const SweepPlan& plan = sweep.plan;
    SweepSlice slice;
    slice.measure = findMeasure(view.measure);
    if (!slice.measure)
        slice.measure = &measures().front();
    const SweepAxis* series = axisOf(plan, view.series);
    const SweepAxis* x = axisOf(plan, view.x);
    x = x ? x : firstBut(plan, series);
    // One axis cannot be both; where it is all there is, it is the horizontal one.
    if (!series || series == x)
        series = firstBut(plan, x);
    slice.x = sliceAxis(x ? x : &plan.axes.front());
    slice.series = sliceAxis(series);

    slice.isOfLaunches = launches(plan) && slice.measure->unit == Unit::kNanoseconds &&
                         slice.measure->key.ends_with("_mean_ns") &&
                         slice.measure->key != "optimizer_mean_ns" &&
                         (slice.x.axis->key == "context" || slice.x.axis->key == "batch");

    const auto fixed = fixedValues(plan, view, slice);
    const std::size_t columns = slice.x.values.size();
    const std::vector<std::size_t> xPlaces = placesOf(slice.x), seriesPlaces = placesOf(slice.series);
    std::vector<Repeats> byPlace(columns * slice.series.values.size());
    for (const SweepCell& cell : sweep.cells) {
        if (!isShown(cell, fixed))
            continue;
        const std::size_t at = cell.values[placeIn(plan, slice.x.axis)];
        const std::size_t of = slice.series.axis ? cell.values[placeIn(plan, slice.series.axis)] : 0;
        if (at >= xPlaces.size() || of >= seriesPlaces.size())
            continue;  // of a damaged file
        count(slice, cell);
        byPlace[seriesPlaces[of] * columns + xPlaces[at]].cells.push_back(&cell);
    }
    for (std::size_t s = 0; s < slice.series.values.size(); ++s) {
        auto& row = slice.points.emplace_back();
        for (std::size_t i = 0; i < columns; ++i)
            row.push_back(pointOf(byPlace[s * columns + i], slice));
    }
    return slice;
}

void relateTo(SweepSlice& slice, std::size_t baseline) {
    const std::vector<SlicePoint> base = slice.points[baseline];
    for (auto& row : slice.points) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            SlicePoint& point = row[i];
            point.predicted.reset();
            if (!point.isMeasured())
                continue;
            if (!base[i].isMeasured() || !(base[i].value > 0) || !(point.value > 0)) {
                point.state = PointState::kMissing;
                continue;
            }
            const bool lower = slice.measure->better == Better::kLower;
            const double ratio = lower ? base[i].value / point.value : point.value / base[i].value;
            // This is for a quotient of two independent figures. The baseline is 1 by definition.
            point.deviation =
                &row == &slice.points[baseline]
                    ? 0
                    : ratio * std::hypot(point.deviation / point.value, base[i].deviation / base[i].value);
            point.value = ratio;
        }
    }
}

}  // namespace warpglass
