// How long the phases of a step take, and how many warm-up steps it needs before they take that long.
#include <algorithm>
#include <cmath>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/base/median.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/measures.h"

namespace warpglass::experiment {
namespace {

// With fewer, the last half is no measure of the first.
constexpr std::size_t kLeastToSettle = 4;
// An iteration is settled where it is this near to the median of the last half of them. Above what a quiet
// machine's steps differ by (1 to 2%), far below what a first step takes longer (2 to 100 times).
constexpr double kSettledWithin = 0.10;
// On a machine whose steps differ by more, what they differ by: three standard deviations, each 1.4826 times
// the median absolute deviation, as in a normal distribution.
constexpr double kDeviations = 3, kMadToSigma = 1.4826;
// Where they differ by more than this, a slow first step could not be told from the noise.
constexpr double kTooNoisy = 0.5;

/// A time of the table: which mode's run it is of, and the measure.
struct Timed {
    std::string_view title, mode, measure;
};
constexpr std::array<Timed, 7> kTimed = {{
    {"forward, inference", "forward", "forward"},
    {"forward", "step", "forward"},
    {"loss", "step", "loss"},
    {"backward", "step", "backward"},
    {"forward + backward", "forward-backward", "forward_backward"},
    {"optimizer", "step", "optimizer"},
    {"step", "step", "step"},
}};

Cell figureCell(const SweepCell& cell, std::string_view measure, std::string_view statistic) {
    return wholeCell(cell.figure(std::string(measure) + "_" + std::string(statistic)));
}

ReportTable phaseTimesTable(const Sweep& sweep) {
    ReportTable table{"Time of each phase",
                      {{"Model", "model"},
                       {"Phase", "phase"},
                       {"Mean", "mean_ns", Unit::kNanoseconds},
                       {"± Std", "stddev_ns", Unit::kNanoseconds},
                       {"Min", "min_ns", Unit::kNanoseconds},
                       {"Med", "median_ns", Unit::kNanoseconds},
                       {"Max", "max_ns", Unit::kNanoseconds},
                       {"Samples", "samples", Unit::kCount},
                       {"Tokens/s", "tokens_per_second", Unit::kNumber}},
                      {},
                      "times"};
    for (const std::string& model : valuesOf(sweep, "model")) {
        for (const Timed& timed : kTimed) {
            const SweepCell* cell = okCellAt(sweep, {{"model", model}, {"mode", std::string(timed.mode)}});
            if (!cell)
                continue;
            const auto rate = timed.title == "step" ? cell->figure("tokens_per_second") : std::nullopt;
            table.rows.push_back(
                {model, std::string(timed.title), figureCell(*cell, timed.measure, "mean_ns"),
                 figureCell(*cell, timed.measure, "stddev_ns"), figureCell(*cell, timed.measure, "min_ns"),
                 figureCell(*cell, timed.measure, "median_ns"), figureCell(*cell, timed.measure, "max_ns"),
                 figureCell(*cell, timed.measure, "samples"), rate ? Cell(std::round(*rate)) : Cell()});
        }
    }
    std::erase_if(table.rows, [](const auto& row) { return isAbsent(row[2]); });
    return table;
}

Chart phaseTimesChart(const Sweep& sweep) {
    Chart chart{.key = "benchmark-times", .title = "Time of each phase by model", .kind = ChartKind::kBars};
    chart.x = {"Model", Unit::kText, false, valuesOf(sweep, "model")};
    chart.y = {"Time", Unit::kNanoseconds};
    for (const Timed& timed : kTimed) {
        if (timed.title == "loss")
            continue;  // too short to be seen beside the others
        ChartSeries series{std::string(timed.title), {}};
        for (std::size_t i = 0; i < chart.x.categories.size(); ++i) {
            const SweepCell* cell =
                cellAt(sweep, {{"model", chart.x.categories[i]}, {"mode", std::string(timed.mode)}});
            if (!cell)
                continue;
            const std::string measure(timed.measure);
            series.points.push_back(
                pointOf(*cell, static_cast<double>(i), measure + "_mean_ns", measure + "_stddev_ns"));
        }
        chart.series.push_back(std::move(series));
    }
    chart.notes.emplace_back(kErrorBarsOfSteps);
    chart.setup = settingsInCommon(sweep.plan);
    return chart;
}

/// "small: forward 35.2 ms ± 0.2 ms, backward …; a step takes …, of which backward is 62%."
void answerTimes(const Sweep& sweep, ExperimentResult& result) {
    for (const std::string& model : valuesOf(sweep, "model")) {
        const SweepCell* step = okCellAt(sweep, {{"model", model}, {"mode", "step"}});
        if (!step)
            continue;
        const auto mean = [&](std::string_view phase) {
            return step->figure(std::string(phase) + "_mean_ns");
        };
        const auto words = [&](std::string_view phase) {
            return timeWithSpread(*mean(phase), step->figure(std::string(phase) + "_stddev_ns"));
        };
        if (!mean("forward") || !mean("backward") || !mean("step"))
            continue;
        std::string sentence = "A step of " + model + " takes " + words("step") + ": forward " +
                               words("forward") + ", backward " + words("backward");
        if (mean("optimizer"))
            sentence += ", optimizer " + words("optimizer");
        sentence +=
            "; backward takes " + timesWords(*mean("backward") / *mean("forward")) + " as long as forward";
        const SweepCell* inference = okCellAt(sweep, {{"model", model}, {"mode", "forward"}});
        if (inference && inference->figure("forward_mean_ns"))
            sentence +=
                ", and a forward pass without gradients takes " +
                timeWithSpread(*inference->figure("forward_mean_ns"), inference->figure("forward_stddev_ns"));
        result.answers.push_back(sentence + disturbedClause({step, inference}) + ".");
    }
}

/// Each iteration's time, the first included, of a run without warm-up; empty where it is not known.
std::vector<double> iterationsOf(const ExperimentEvidence& evidence, const SweepCell& cell,
                                 std::string_view phase) {
    std::vector<double> times;
    const std::shared_ptr<const Snapshot> run = evidence.run(cell);
    if (!run)
        return times;
    const std::vector<PhaseSamples> byGpu = phaseSamples(*run, TrackKind::kGpuPhase);
    const bool hasGpu = std::ranges::any_of(
        byGpu, [&](const PhaseSamples& samples) { return samples.phase != Phase::kNone; });
    const std::vector<PhaseSamples> all = hasGpu ? byGpu : phaseSamples(*run, TrackKind::kPhase);
    for (const PhaseSamples& samples : all) {
        if (samples.name != phase)
            continue;
        for (const PhaseSample& sample : samples.samples) {
            if (sample.counted || sample.warmup)
                times.push_back(static_cast<double>(sample.duration.value));
        }
    }
    return times;
}

Chart iterationsChart(const ExperimentEvidence& evidence, const Sweep& sweep, const SweepCell& cell) {
    Chart chart{.key = "benchmark-iterations", .title = "The first iterations, one by one, without warm-up"};
    chart.setup = settingsInCommon(sweep.plan);
    chart.x = {"Iteration", Unit::kOrdinal};
    chart.y = {"Time", Unit::kNanoseconds, true};
    for (const std::string_view phase : {"forward", "backward", "optimizer", "step"}) {
        ChartSeries series{std::string(phase), {}};
        const std::vector<double> times = iterationsOf(evidence, cell, phase);
        for (std::size_t i = 0; i < times.size(); ++i)
            series.points.push_back({.x = static_cast<double>(i), .y = times[i], .source = cell.index});
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    if (const auto settled = settledAfter(iterationsOf(evidence, cell, "step")))
        chart.sentence = settled->after == 0
                             ? "The first iteration already takes as long as the later ones."
                             : "From iteration " + std::to_string(settled->after) +
                                   " on, every step is within " + formatPercent(settled->within) +
                                   " of the later ones' median.";
    if (!chart.sentence.empty())
        chart.sentence.insert(chart.sentence.size() - 1, disturbedClause({&cell}));
    return chart;
}

ReportTable warmupTable(const Sweep& sweep) {
    ReportTable table{"Means by number of warm-up steps",
                      {{"Warm-up", "warmup", Unit::kCount},
                       {"Forward, mean", "forward_mean_ns", Unit::kNanoseconds},
                       {"± Std", "forward_stddev_ns", Unit::kNanoseconds},
                       {"Backward, mean", "backward_mean_ns", Unit::kNanoseconds},
                       {"± Std", "backward_stddev_ns", Unit::kNanoseconds},
                       {"Step, mean", "step_mean_ns", Unit::kNanoseconds},
                       {"± Std", "step_stddev_ns", Unit::kNanoseconds}},
                      {},
                      "warmup"};
    for (const std::string& warmup : valuesOf(sweep, "warmup")) {
        const SweepCell* cell = okCellAt(sweep, {{"warmup", warmup}});
        if (!cell)
            continue;
        std::vector<Cell>& row = table.rows.emplace_back(std::vector<Cell>{std::int64_t{std::stoll(warmup)}});
        for (std::size_t column = 1; column < table.columns.size(); ++column)
            row.push_back(wholeCell(cell->figure(table.columns[column].key)));
    }
    return table;
}

void answerWarmup(const ExperimentEvidence& evidence, const Sweep& sweep, ExperimentResult& result) {
    std::vector<std::string> means;
    std::vector<const SweepCell*> cells;
    for (const std::string& warmup : valuesOf(sweep, "warmup")) {
        const SweepCell* cell = okCellAt(sweep, {{"warmup", warmup}});
        if (!cell || !cell->figure("forward_mean_ns"))
            continue;
        means.push_back(timeWithSpread(*cell->figure("forward_mean_ns"), cell->figure("forward_stddev_ns")) +
                        (warmup == "0"
                             ? std::string(" without warm-up")
                             : " after " + counted(std::stoll(warmup), "warm-up step", "warm-up steps")));
        cells.push_back(cell);
    }
    const std::string model = valuesOf(sweep, "model").front();
    if (means.size() > 1)
        result.answers.push_back("The mean of a forward pass of " + model + " is " + listed(means) +
                                 disturbedClause(cells) + ".");
    const SweepCell* cold = okCellAt(sweep, {{"warmup", "0"}});
    if (!cold)
        return;
    result.charts.push_back(iterationsChart(evidence, sweep, *cold));
    const std::vector<double> times = iterationsOf(evidence, *cold, "step");
    const auto settled = settledAfter(times);
    if (!settled) {
        const std::string why =
            times.empty() ? "its steps were not recorded one by one"
            : times.size() < kLeastToSettle
                ? "that takes at least " + std::to_string(kLeastToSettle) + " steps, and " +
                      counted(static_cast<std::int64_t>(times.size()), "was", "were") + " run"
                : std::string("the steps do not settle within the first half of those that were run");
        result.answers.push_back("How many warm-up steps are enough for " + model +
                                 " cannot be told here: " + why + disturbedClause({cold}) + ".");
        return;
    }
    result.answers.push_back(
        (settled->after == 0
             ? "No warm-up step is needed for " + model
             : counted(settled->after, "warm-up step is", "warm-up steps are") + " enough for " + model) +
        " here: the first step takes " + timesWords(times.front() / settled->later) +
        " the median of the later ones, and " +
        (settled->after == 0 ? "every step"
                             : "every step from number " + std::to_string(settled->after) + " on") +
        " is within " + formatPercent(settled->within) + " of it" + disturbedClause({cold}) + ".");
}

std::vector<NamedSweep> benchmarkSweeps(const ExperimentOptions& options) {
    const std::vector<std::string> models =
        byDevice<std::vector<std::string>>(options, {"small", "medium", "large", "xl"}, {"tiny"});
    const std::string context = byDevice<std::string>(options, "512", "64");
    NamedSweep modes =
        planSweep(options, "modes", {{"model", models}, {"mode", {"forward", "forward-backward", "step"}}},
                  {{"context", context}, {"warmup", "5"}, {"steps", "10"}}, KeepRuns::kNo, {"warmup"});
    NamedSweep warmup =
        planSweep(options, "warmup", {{"warmup", {"0", "1", "2", "5"}}},
                  {{"model", models.front()}, {"context", context}, {"mode", "step"}, {"steps", "10"}},
                  KeepRuns::kYes, {"model", "mode"});
    return {std::move(modes), std::move(warmup)};
}

void evaluateBenchmark(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Sweep& modes = evidence.sweep("modes");
    const Sweep& warmup = evidence.sweep("warmup");
    answerTimes(modes, result);
    result.tables.push_back(phaseTimesTable(modes));
    result.charts.push_back(phaseTimesChart(modes));
    result.charts.back().sentence = result.answers.empty() ? std::string() : result.answers.front();
    answerWarmup(evidence, warmup, result);
    result.tables.push_back(warmupTable(warmup));
    if (!result.answers.empty())
        result.notes.emplace_back(kSpreadOfSteps);
    noteCpuSizes(evidence.options(), result);
    noteCells(modes, result);
    noteCells(warmup, result);
}

}  // namespace

std::optional<Settled> settledAfter(std::span<const double> times) {
    if (times.size() < kLeastToSettle)
        return std::nullopt;
    const std::vector<double> last(times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                                   times.end());
    Settled settled;
    settled.later = medianOf(last);
    auto deviations = mapped<double>(last, [&](double time) { return std::abs(time - settled.later); });
    settled.within =
        std::max(kSettledWithin, kDeviations * kMadToSigma * medianOf(deviations) / settled.later);
    if (settled.within > kTooNoisy)
        return std::nullopt;
    std::size_t enough = times.size();
    while (enough > 0 && std::abs(times[enough - 1] - settled.later) <= settled.within * settled.later)
        --enough;
    // What settles only in the last half has not been watched long enough.
    if (enough > times.size() / 2)
        return std::nullopt;
    settled.after = static_cast<std::int64_t>(enough);
    return settled;
}

const Experiment kBenchmark = {"benchmark", "End-to-end benchmark",
                               "How long forward, backward and the optimizer take, how much a measurement "
                               "varies, and how many warm-up steps it needs.",
                               benchmarkSweeps, evaluateBenchmark};

}  // namespace warpglass::experiment
