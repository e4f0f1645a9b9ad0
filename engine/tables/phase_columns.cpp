#include "engine/tables/phase_columns.h"

#include "engine/query/statistics/step_table.h"
#include "engine/tables/swatches.h"

namespace warpglass {
namespace {

using Spread = Column<PhaseSamples>;
using Sample = Column<PhaseOfStep>;

/// A duration that takes so many steps to be known.
Spread duration(std::string key, std::string title, std::string description,
                Reading<Cell, PhaseSamples, NoContext> of, int width, std::int64_t steps = 1) {
    return Spread(std::move(key), std::move(title), Unit::kNanoseconds, std::move(description),
                  [of, steps](const PhaseSamples& row) { return row.counted < steps ? Cell() : of(row, {}); },
                  {.width = width});
}

/// A deviation of fewer steps would look surer than it is: people read a dash.
std::optional<std::string> deviationText(const PhaseSamples& row) {
    return row.showsDeviation() ? std::optional<std::string>() : "–";
}

Cell firstWarmup(const PhaseSamples& row) {
    const bool has = !row.samples.empty() && row.samples.front().warmup;
    const Nanoseconds time = has ? row.samples.front().duration : Nanoseconds();
    return time.value > 0 ? cellOf(time) : Cell();
}

std::vector<Spread> spreadColumns() {
    std::vector<Spread> columns = {
        Spread("phase", "Phase", Unit::kText, "In the order in which a step goes through them",
               &PhaseSamples::name,
               {.inOrder = kAlways,
                .swatch =
                    [](const PhaseSamples& row) {
                        return row.phase == Phase::kNone ? std::optional<Swatch>() : swatchOf(row.phase);
                    },
                .width = 148}),
        duration("mean_ns", "Mean", "Over the steps that count", &PhaseSamples::mean, 96),
        duration("stddev_ns", "± Std", "Sample standard deviation (n − 1); shown only for five steps or more",
                 &PhaseSamples::standardDeviation, 96, 2),
        Spread("variation", "CV", Unit::kFraction,
               "Coefficient of variation: standard deviation over mean; shown only for five steps or more",
               [](const PhaseSamples& row) { return row.counted < 2 ? Cell() : Cell(row.variation()); },
               {.text = deviationText, .plainTitle = "Coefficient of variation", .width = 88}),
        duration("median_ns", "Med", "Median", &PhaseSamples::median, 88),
        duration("min_ns", "Min", "Shortest", &PhaseSamples::min, 88),
        duration("max_ns", "Max", "Longest", &PhaseSamples::max, 88),
        duration("range_ns", "Range", "Longest less shortest: how much steps differ", &PhaseSamples::range,
                 88, 2),
        Spread("steps", "Steps", Unit::kCount, "Number of steps that count", &PhaseSamples::counted,
               {.width = 72}),
        duration("first_warmup_ns", "Warm-up step",
                 "The very first step, which loads libraries and selects kernels", firstWarmup, 112, 0)};
    for (Spread& column : columns) {
        if (column.title == "± Std") {
            column.plainTitle = "StdDev (ns)";
            column.text = deviationText;
        } else if (column.title == "Med") {
            column.plainTitle = "Median (ns)";
        } else if (column.title == "Warm-up step") {
            column.name = "First warm-up";
        }
    }
    return columns;
}

std::vector<Sample> sampleColumns() {
    return {Sample("step", "Step", Unit::kOrdinal, "Steps count from 0, warm-up steps first",
                   [](const PhaseOfStep& row) { return row.sample->step; }),
            Sample("phase", "Phase", Unit::kText, "The phase, or “step” for all of it",
                   [](const PhaseOfStep& row) { return row.phase->name; }),
            Sample("start_ns", "Start", Unit::kMoment, "Time since recording began",
                   [](const PhaseOfStep& row) { return row.sample->start; }),
            Sample("duration_ns", "Duration", Unit::kNanoseconds, "From its beginning to its end",
                   [](const PhaseOfStep& row) { return row.sample->duration; }),
            Sample("mean_ratio", "Ratio to the mean", Unit::kRatio,
                   "Its duration divided by the mean of the steps that count",
                   [](const PhaseOfStep& row) {
                       const auto ns = static_cast<double>(row.sample->duration.value);
                       return row.phase->mean > 0 ? Cell(ns / row.phase->mean) : Cell();
                   }),
            Sample("counts_as", "Kind", Unit::kText,
                   "Warm-up steps and steps that were cut off count in no mean", [](const PhaseOfStep& row) {
                       const StepState state = row.sample->warmup    ? StepState::kWarmup
                                               : row.sample->counted ? StepState::kMeasured
                                                                     : StepState::kCutOff;
                       return kStepStateNames[static_cast<std::size_t>(state)];
                   })};
}

}  // namespace

const TableDescription<PhaseSamples>& phaseSpreadTable() {
    static const TableDescription<PhaseSamples> table{"phase-spread", spreadColumns()};
    return table;
}

std::vector<PhaseOfStep> phasesOfSteps(const std::vector<PhaseSamples>& phases) {
    std::vector<PhaseOfStep> rows;
    for (const PhaseSamples& phase : phases) {
        for (const PhaseSample& sample : phase.samples)
            rows.push_back({&phase, &sample});
    }
    return rows;
}

const TableDescription<PhaseOfStep>& phasesOfStepsTable() {
    static const TableDescription<PhaseOfStep> table{"steps", sampleColumns()};
    return table;
}

}  // namespace warpglass
