// What a lower precision gains in time and memory, and whether the loss pays for it.
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/sweep/grid.h"

namespace warpglass::experiment {
namespace {

constexpr std::string_view kReference = "fp32";
/// A larger model gains clearly more than a small one.
constexpr double kClearly = 1.25;

std::vector<double> lossesOf(const Snapshot& run) {
    std::vector<double> losses;
    const NameId loss = run.findName("loss");
    for (std::uint64_t i = 0; loss.valid() && i < run.counterSampleCount(); ++i) {
        const std::optional<CounterSample> sample = run.counterSample(i);
        if (sample && sample->counter == loss)
            losses.push_back(sample->value);
    }
    return losses;
}

const SweepCell* okCell(const Sweep& sweep, const std::string& model, std::string_view precision) {
    const SweepCell* cell = cellAt(sweep, {{"model", model}, {"precision", std::string(precision)}});
    return cell && cell->state == CellState::kOk ? cell : nullptr;
}

/// How many times as fast as fp32; nothing without both.
std::optional<double> speedup(const Sweep& sweep, const std::string& model, const SweepCell& cell,
                              std::string_view measure) {
    const SweepCell* reference = okCell(sweep, model, kReference);
    const auto before = reference ? reference->figure(measure) : std::nullopt;
    const auto now = cell.figure(measure);
    return before && now && *now > 0 ? std::optional(*before / *now) : std::nullopt;
}

ReportTable timesTable(const Sweep& sweep) {
    ReportTable table{"Times and memory by precision",
                      {{"Model", "model"},
                       {"Precision", "precision"},
                       {"Forward", "forward_mean_ns", Unit::kNanoseconds},
                       {"± Std", "forward_stddev_ns", Unit::kNanoseconds},
                       {"Backward", "backward_mean_ns", Unit::kNanoseconds},
                       {"± Std", "backward_stddev_ns", Unit::kNanoseconds},
                       {"Step", "step_mean_ns", Unit::kNanoseconds},
                       {"± Std", "step_stddev_ns", Unit::kNanoseconds},
                       {"Speed-up over fp32, forward", "forward_speedup", Unit::kRatio},
                       {"Speed-up over fp32, step", "step_speedup", Unit::kRatio},
                       {"Peak memory", "peak_bytes", Unit::kBytes}},
                      {},
                      "precision"};
    const auto cellOf = [](const SweepCell& cell, std::string_view key) {
        const auto value = cell.figure(key);
        return value ? wholeCell(*value) : Cell();
    };
    const auto ratio = [](std::optional<double> value) { return value ? Cell(*value) : Cell(); };
    for (const std::string& model : valuesOf(sweep, "model")) {
        for (const std::string& precision : valuesOf(sweep, "precision")) {
            const SweepCell* cell = okCell(sweep, model, precision);
            if (!cell)
                continue;
            table.rows.push_back(
                {model, precision, cellOf(*cell, "forward_mean_ns"), cellOf(*cell, "forward_stddev_ns"),
                 cellOf(*cell, "backward_mean_ns"), cellOf(*cell, "backward_stddev_ns"),
                 cellOf(*cell, "step_mean_ns"), cellOf(*cell, "step_stddev_ns"),
                 ratio(speedup(sweep, model, *cell, "forward_mean_ns")),
                 ratio(speedup(sweep, model, *cell, "step_mean_ns")), cellOf(*cell, "peak_bytes")});
        }
    }
    return table;
}

Chart timesChart(const Sweep& sweep) {
    Chart chart{
        .key = "precision-step", .title = "Step time by model and precision", .kind = ChartKind::kBars};
    chart.x = {"Model", Unit::kText, false, valuesOf(sweep, "model")};
    chart.y = {"Step", Unit::kNanoseconds};
    for (const std::string& precision : valuesOf(sweep, "precision")) {
        ChartSeries series{precision, {}};
        for (std::size_t i = 0; i < chart.x.categories.size(); ++i) {
            const SweepCell* cell =
                cellAt(sweep, {{"model", chart.x.categories[i]}, {"precision", precision}});
            if (!cell)
                continue;
            ChartPoint point{.x = static_cast<double>(i), .state = stateOf(*cell), .source = cell->index};
            const auto time = cell->figure("step_mean_ns");
            if (point.state == PointState::kMeasured && time) {
                point.y = *time;
                point.deviation = cell->figure("step_stddev_ns").value_or(0);
            } else if (point.state == PointState::kMeasured) {
                point.state = PointState::kMissing;
            }
            series.points.push_back(point);
        }
        chart.series.push_back(std::move(series));
    }
    chart.notes.emplace_back(kErrorBarsOfSteps);
    chart.setup = settingsInCommon(sweep.plan);
    return chart;
}

void answerSpeed(const Sweep& sweep, ExperimentResult& result) {
    for (const std::string& precision : valuesOf(sweep, "precision")) {
        if (precision == kReference)
            continue;
        std::vector<std::string> words;
        for (const std::string& model : valuesOf(sweep, "model")) {
            const SweepCell* cell = okCell(sweep, model, precision);
            const SweepCell* reference = okCell(sweep, model, kReference);
            if (!cell || !reference)
                continue;
            const auto forward = speedup(sweep, model, *cell, "forward_mean_ns");
            const auto step = speedup(sweep, model, *cell, "step_mean_ns");
            const auto peak = cell->figure("peak_bytes"), before = reference->figure("peak_bytes");
            if (!forward || !step)
                continue;
            const double stepNow = *cell->figure("step_mean_ns"),
                         stepBefore = *reference->figure("step_mean_ns");
            std::string text =
                model + ": forward " +
                speedWords(*reference->figure("forward_mean_ns"), *cell->figure("forward_mean_ns")) +
                " as in fp32, a step " + speedWords(stepBefore, stepNow) + " (" +
                formatDuration(Nanoseconds(std::llround(stepNow))) + " against " +
                formatDuration(Nanoseconds(std::llround(stepBefore))) + ")";
            if (peak && before && *before > 0)
                text += ", peak memory " + formatBytes(Bytes(std::llround(*peak))) + " against " +
                        formatBytes(Bytes(std::llround(*before)));
            words.push_back(text + disturbedClause({cell, reference}));
        }
        for (const std::string& text : words)
            result.answers.push_back(precision + ", " + text + ".");
    }
}

/// Where a step gains more with a larger model: a small one's waits for its launches.
void answerSize(const Sweep& sweep, ExperimentResult& result) {
    const std::vector<std::string> models = valuesOf(sweep, "model");
    std::vector<std::string> words;
    std::vector<const SweepCell*> cells;
    for (const std::string& precision : valuesOf(sweep, "precision")) {
        const auto gainOf = [&](const std::string& model) {
            const SweepCell* cell = okCell(sweep, model, precision);
            return cell ? speedup(sweep, model, *cell, "step_mean_ns") : std::nullopt;
        };
        const auto first = gainOf(models.front()), last = gainOf(models.back());
        if (precision == kReference || !first || !last || *last <= kClearly * *first)
            continue;
        words.push_back("with " + precision + " from " + timesWords(*first) + " (" + models.front() +
                        ") to " + timesWords(*last) + " (" + models.back() + ")");
        for (const std::string& model : {models.front(), models.back()}) {
            cells.push_back(okCell(sweep, model, precision));
            cells.push_back(okCell(sweep, model, kReference));
        }
    }
    if (!words.empty())
        result.answers.push_back(
            "The speed of a step relative to fp32 grows with the model: " + listed(words) +
            disturbedClause(cells) +
            ". A small model's step is short enough to wait for the launches of its kernels, which no "
            "precision "
            "makes faster; the experiment compiled tells how much that is.");
}

/// The index of the first loss that is infinite or NaN.
std::optional<std::size_t> firstBroken(const std::vector<double>& losses) {
    const auto found =
        std::find_if(losses.begin(), losses.end(), [](double loss) { return !std::isfinite(loss); });
    return found == losses.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - losses.begin()));
}

std::string brokenWords(const std::string& precision, const std::vector<double>& losses, std::size_t first) {
    const bool recovers = std::any_of(losses.begin() + static_cast<std::ptrdiff_t>(first), losses.end(),
                                      [](double loss) { return std::isfinite(loss); });
    if (!recovers)
        return "The loss of " + precision + " is infinite or NaN from step " + std::to_string(first) +
               " on (counted from 0).";
    const auto broken =
        std::count_if(losses.begin(), losses.end(), [](double loss) { return !std::isfinite(loss); });
    return "The loss of " + precision + " is infinite or NaN in " + counted(broken, "step", "steps") +
           " of " + std::to_string(losses.size()) + ", first in step " + std::to_string(first) +
           " (counted from 0).";
}

/// The losses of a precision's cell that ended well; empty for none.
std::vector<double> lossesAt(const ExperimentEvidence& evidence, const Sweep& sweep,
                             std::string_view precision) {
    const SweepCell* cell = cellAt(sweep, {{"precision", std::string(precision)}});
    const auto run = cell && cell->state == CellState::kOk ? evidence.run(*cell) : nullptr;
    return run ? lossesOf(*run) : std::vector<double>();
}

void answerLoss(const ExperimentEvidence& evidence, const Sweep& sweep, ExperimentResult& result) {
    Chart chart{.key = "precision-loss", .title = "Loss on one fixed batch, step by step"};
    chart.setup = settingsInCommon(sweep.plan);
    chart.x = {"Step", Unit::kOrdinal};
    chart.y = {"Loss", Unit::kNumber};
    ReportTable table{"Loss by precision",
                      {{"Precision", "precision"},
                       {"First", "first_loss", Unit::kNumber},
                       {"Last", "last_loss", Unit::kNumber},
                       {"Steps", "steps", Unit::kCount},
                       {"Largest difference from fp32", "largest_difference", Unit::kNumber}},
                      {},
                      "loss"};
    const std::vector<double> reference = lossesAt(evidence, sweep, kReference);
    std::vector<std::string> words;
    for (const std::string& precision : valuesOf(sweep, "precision")) {
        const std::vector<double> losses = lossesAt(evidence, sweep, precision);
        if (losses.empty())
            continue;
        const std::optional<std::size_t> broken = firstBroken(losses);
        ChartSeries series{precision, {}};
        for (std::size_t i = 0; i < broken.value_or(losses.size()); ++i)
            series.points.push_back({.x = static_cast<double>(i), .y = losses[i]});
        chart.series.push_back(std::move(series));
        if (broken)
            result.answers.push_back(brokenWords(precision, losses, *broken));
        Cell difference;
        const std::size_t compared = std::min(losses.size(), reference.size());
        if (precision != kReference && compared > 0 && !broken && !firstBroken(reference)) {
            double largest = 0;
            for (std::size_t i = 0; i < compared; ++i)
                largest = std::max(largest, std::abs(losses[i] - reference[i]));
            difference = largest;
            words.push_back(
                precision + " differs from fp32 by at most " + readableCell(largest, Unit::kRatio) +
                (compared < reference.size()
                     ? " in the " + counted(static_cast<std::int64_t>(compared), "step", "steps") +
                           " that it took"
                     : ""));
        }
        table.rows.push_back(
            {precision, losses.front(), losses.back(), static_cast<std::int64_t>(losses.size()), difference});
    }
    if (table.rows.empty())
        return;
    if (!words.empty()) {
        chart.sentence = "Over " + counted(static_cast<std::int64_t>(reference.size()), "step", "steps") +
                         " on one fixed batch the loss of " + listed(words) + "; fp32 goes from " +
                         readableCell(reference.front(), Unit::kNumber) + " to " +
                         readableCell(reference.back(), Unit::kNumber) + ".";
        result.answers.push_back(chart.sentence);
    }
    result.charts.push_back(std::move(chart));
    result.tables.push_back(std::move(table));
}

std::vector<NamedSweep> precisionSweeps(const ExperimentOptions& options) {
    const auto models = byDevice<std::vector<std::string>>(options, {"small", "medium", "large"}, {"tiny"});
    const auto precisions =
        byDevice<std::vector<std::string>>(options, {"fp32", "tf32", "bf16", "fp16"}, {"fp32", "bf16"});
    const auto context = byDevice<std::string>(options, "512", "64");
    return {planSweep(options, "times", {{"model", models}, {"precision", precisions}},
                      {{"context", context},
                       {"mode", "step"},
                       {"warmup", byDevice<std::string>(options, "5", "3")},
                       {"steps", byDevice<std::string>(options, "10", "5")}}),
            planSweep(options, "loss", {{"precision", precisions}},
                      {{"model", models.front()},
                       // Whether the loss follows shows in a small batch and few steps too.
                       {"context", byDevice<std::string>(options, context, "16")},
                       {"batch", byDevice<std::string>(options, "4", "2")},
                       {"mode", "step"},
                       {"warmup", "0"},
                       {"steps", byDevice<std::string>(options, "100", "40")},
                       {"record", "none"}},
                      KeepRuns::kYes, {"model", "warmup", "steps"})};
}

void evaluatePrecision(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Sweep& times = evidence.sweep("times");
    const Sweep& loss = evidence.sweep("loss");
    answerSpeed(times, result);
    answerSize(times, result);
    result.tables.push_back(timesTable(times));
    result.charts.push_back(timesChart(times));
    if (!result.answers.empty())
        result.charts.back().sentence = result.answers.front();
    answerLoss(evidence, loss, result);
    noteCpuSizes(evidence.options(), result);
    if (!evidence.options().onGpu() && !evidence.options().find("precision"))
        result.notes.emplace_back("fp16 and TF32 need a GPU, so only fp32 and bf16 were run.");
    const std::vector<std::string> given = valuesOf(times, "precision");
    if (std::ranges::find(given, kReference) == given.end())
        result.notes.emplace_back(
            "Nothing is compared: that takes fp32, which was not among the precisions that were given.");
    noteCells(times, result);
    noteCells(loss, result);
}

}  // namespace

const Experiment kPrecision = {"precision", "Mixed precision",
                               "How much faster each precision is than fp32, phase by phase, what it saves "
                               "in memory, and whether the loss follows.",
                               precisionSweeps, evaluatePrecision};

}  // namespace warpglass::experiment
