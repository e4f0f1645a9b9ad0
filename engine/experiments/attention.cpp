// Attention alone, by length and head dimension: its times, what it keeps for the backward pass, and the size
// that no longer fits.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/collect.h"
#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/experiments/fastest_answer.h"
#include "engine/sweep/grid.h"
#include "engine/sweep/growth.h"
#include "engine/sweep/growth_words.h"
#include "engine/tables/series_choices.h"

namespace warpglass::experiment {
namespace {

/// A line of the results: one variant at one head dimension, over the lengths.
struct Line {
    std::string sweep, attention, dimension;
    std::vector<const SweepCell*> cells;  // by length
};

std::vector<Line> linesOf(const Sweep& sweep, const std::string& name) {
    std::vector<Line> lines;
    for (const std::string& attention : valuesOf(sweep, "attention")) {
        for (const std::string& dimension : valuesOf(sweep, "head-dim")) {
            Line line{name, attention, dimension, {}};
            for (const std::string& length : valuesOf(sweep, "context")) {
                if (const SweepCell* cell = cellAt(
                        sweep, {{"attention", attention}, {"head-dim", dimension}, {"context", length}}))
                    line.cells.push_back(cell);
            }
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

/// Both sweeps have one precision.
std::string precisionOf(const Sweep& sweep) {
    return valuesOf(sweep, "precision").front();
}

double lengthOf(const Sweep& sweep, const SweepCell& cell) {
    return std::stod(valueOf(sweep, cell, "context"));
}

ReportTable tableOf(const Sweep& sweep, const std::string& name) {
    ReportTable table{"Attention alone, " + valuesOf(sweep, "precision").front(),
                      {{"Variant", "attention"},
                       {"Head dimension", "head_dim", Unit::kCount},
                       {"Length", "context", Unit::kCount},
                       {"State", "state"},
                       {"Forward", "forward_mean_ns", Unit::kNanoseconds},
                       {"± Std", "forward_stddev_ns", Unit::kNanoseconds},
                       {"Backward", "backward_mean_ns", Unit::kNanoseconds},
                       {"± Std", "backward_stddev_ns", Unit::kNanoseconds},
                       {"Before backward, allocated", "before_backward_bytes", Unit::kBytes},
                       {"Before backward, reserved", "before_backward_reserved_bytes", Unit::kBytes},
                       {"Peak", "peak_bytes", Unit::kBytes}},
                      {},
                      "attention-" + name};
    for (const Line& line : linesOf(sweep, name)) {
        for (const SweepCell* cell : line.cells) {
            std::vector<Cell> row{line.attention, std::int64_t{std::stoll(line.dimension)},
                                  std::int64_t{std::stoll(valueOf(sweep, *cell, "context"))},
                                  std::string(cellStateName(cell->state))};
            for (std::size_t column = row.size(); column < table.columns.size(); ++column)
                row.push_back(wholeCell(cell->figure(table.columns[column].key)));
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

Chart chartOf(const ExperimentEvidence& evidence, const std::string& measure, const std::string& what,
              Unit unit) {
    Chart chart{.key = "attention-" + measure, .title = what + " by length"};
    const bool isTime = unit == Unit::kNanoseconds;
    std::string dimension;
    chart.x = {"Length (tokens)", Unit::kCount, true};
    chart.y = {what, unit, true};
    for (const char* name : {"fp32", "bf16"}) {
        const Sweep& sweep = evidence.sweep(name);
        if (sweep.cells.empty())
            continue;
        // The largest head dimension of each variant: all of them would be a tangle; the table has them.
        const auto dimensions = valuesOf(sweep, "head-dim");
        for (const Line& line : linesOf(sweep, name)) {
            if (dimensions.empty() || line.dimension != dimensions.back())
                continue;
            ChartSeries series = seriesOf(line.attention, name);
            for (const SweepCell* cell : line.cells)
                series.points.push_back(pointOf(*cell, lengthOf(sweep, *cell),
                                                measure + (isTime ? "_mean_ns" : "_bytes"),
                                                isTime ? measure + "_stddev_ns" : ""));
            chart.series.push_back(std::move(series));
            dimension = line.dimension;
        }
    }
    if (!dimension.empty())
        chart.title += ", head dimension " + dimension;
    if (isTime)
        chart.notes.emplace_back(kErrorBarsOfSteps);
    return chart;
}

/// The setup of both sweeps, which differ in their precision.
std::string setupOf(const ExperimentEvidence& evidence) {
    SweepPlan plan;
    std::vector<std::string> precisions;
    for (const char* name : {"fp32", "bf16"}) {
        const Sweep& sweep = evidence.sweep(name);
        if (sweep.cells.empty())
            continue;
        plan = sweep.plan;
        precisions.push_back(precisionOf(sweep));
    }
    if (precisions.size() > 1)
        plan.axes.push_back({"precision", precisions});
    return plan.axes.empty() ? std::string() : settingsInCommon(plan);
}

/// "naive: forward grows as n^1.98 ± 0.03 and backward as …", at the largest dimension, where times are not
/// those of launching.
std::vector<std::string> growthAnswers(const Sweep& sweep, const std::string& name,
                                       std::initializer_list<const char*> phases,
                                       std::vector<AnswerEntry>& entries) {
    std::vector<std::string> answers;
    for (const Line& line : linesOf(sweep, name)) {
        if (line.dimension != valuesOf(sweep, "head-dim").back())
            continue;
        std::vector<std::string> words, unfitted;
        std::vector<const SweepCell*> fitted;
        for (const char* phase : phases) {
            std::vector<std::pair<double, double>> points;
            for (const SweepCell* cell : line.cells) {
                const auto time = cell->figure(std::string(phase) + "_mean_ns");
                if (cell->state != CellState::kOk || !time)
                    continue;
                points.emplace_back(lengthOf(sweep, *cell), *time);
                fitted.push_back(cell);
            }
            const bool haveEnough = points.size() >= kLeastPoints;
            AnswerEntry entry{"Growth with the length n, head dimension " + line.dimension, "–",
                              std::string(phase) + ", " + line.attention + " in " + precisionOf(sweep)};
            const auto grows = tailPowerLaw(std::move(points));
            if (grows) {
                // Exponents of lines that end at different lengths are not of the same lengths.
                words.push_back(std::string(phase) + " grows as " + growthWords(grows->growth) +
                                " from length " + formatGrouped(std::llround(grows->from)) + " to " +
                                formatGrouped(std::llround(grows->to)));
                entry.figure = growthWords(grows->growth);
                entry.clause += ", " + formatGrouped(std::llround(grows->from)) + " to " +
                                formatGrouped(std::llround(grows->to)) + " tokens";
            } else if (haveEnough) {
                unfitted.emplace_back(phase);
                entry.clause += ": no power of n fits";
            }
            entry.clause += disturbedMark(fitted);
            if (haveEnough)
                entries.push_back(std::move(entry));
        }
        if (!unfitted.empty())
            answers.push_back("No growth can be fitted to " + listed(unfitted) + " with " + line.attention +
                              " in " + precisionOf(sweep) + " at head dimension " + line.dimension +
                              ": no power of the length goes near enough through the times" +
                              disturbedClause(fitted) + ".");
        if (!words.empty())
            answers.push_back("With " + line.attention + " in " + precisionOf(sweep) + " at head dimension " +
                              line.dimension + ", " + listed(words) + disturbedClause(fitted) + ".");
    }
    return answers;
}

/// What the script's arithmetic keeps before the backward pass, in bytes: in fp32 B·S²·4 of probabilities,
/// and 7·B·S·d·4 of q, k, v, their gradients and the output. Under autocast the latter have 2 bytes each, and
/// the probabilities 4 + 2: softmax runs in fp32, and their product with the values takes a copy in 16 bits.
struct KeptBytes {
    explicit KeptBytes(const RunConfig& config)
        : isMixed(warpglass::isMixed(config.precision)),
          heads(std::max<std::int64_t>(1, config.shape.heads) * config.batch) {
        const auto rows = static_cast<double>(heads) * static_cast<double>(config.context);
        scores = rows * static_cast<double>(config.context) * 4;
        probabilities = isMixed ? scores * 6 / 4 : scores;
        vectors = 7 * rows * static_cast<double>(config.headDimension()) * (isMixed ? 2 : 4);
    }
    double all() const { return probabilities + vectors; }
    std::string_view probabilitiesFormula() const { return isMixed ? "B·S²·(4 + 2)" : "B·S²·4"; }
    std::string_view vectorsFormula() const { return isMixed ? "7·B·S·d·2" : "7·B·S·d·4"; }
    std::string_view probabilitiesWords() const {
        return isMixed ? "probabilities in fp32, in which autocast runs softmax, and a copy in 16 bits"
                       : "probabilities";
    }

    bool isMixed;
    /// B.
    std::int64_t heads;
    /// Scores: one matrix of them in fp32.
    double scores = 0, probabilities = 0, vectors = 0;
};

/// What naive attention keeps more at the second length than at the first, beside what is derived.
std::optional<std::string> keptAnswer(const Sweep& sweep, const std::string& name,
                                      std::vector<AnswerEntry>& entries) {
    for (const Line& line : linesOf(sweep, name)) {
        std::vector<const SweepCell*> known;
        for (const SweepCell* cell : line.cells) {
            if (line.attention == "naive" && cell->state == CellState::kOk &&
                cell->figure("before_backward_bytes") && !configOf(sweep.plan, *cell).isCausal())
                known.push_back(cell);
        }
        if (known.size() < 2)
            continue;
        const RunConfig first = configOf(sweep.plan, *known[0]), second = configOf(sweep.plan, *known[1]);
        const auto measured = std::llround(*known[1]->figure("before_backward_bytes") -
                                           *known[0]->figure("before_backward_bytes"));
        const KeptBytes kept(second);
        const auto derived = std::llround(kept.all() - KeptBytes(first).all());
        entries.push_back({"Kept for the backward pass by naive, head dimension " + line.dimension,
                           formatBytes(Bytes(measured)),
                           "more at " + formatGrouped(second.context) + " tokens than at " +
                               formatGrouped(first.context) + " in " + precisionOf(sweep) +
                               "; by the formula " + formatBytes(Bytes(derived))});
        return "From length " + formatGrouped(first.context) + " to " + formatGrouped(second.context) +
               " naive in " + precisionOf(sweep) + " keeps " + formatBytes(Bytes(measured)) +
               " more at head dimension " + line.dimension + ": " + formatGrouped(measured) +
               " bytes, where " + std::string(kept.probabilitiesFormula()) + " + " +
               std::string(kept.vectorsFormula()) + " (" + std::string(kept.probabilitiesWords()) +
               "; q, k, v, their gradients and the output) grows by " + formatGrouped(derived) + ".";
    }
    return std::nullopt;
}

/// What is kept, with the numbers of a cell put in.
std::string derivation(const RunConfig& config, const SweepCell& cell) {
    const KeptBytes kept(config);
    std::string atPeak;
    if (const auto peak = cell.figure("predicted_peak_bytes"); peak && *peak > kept.vectors)
        atPeak = "At the peak, predicted to be " + formatBytes(Bytes(std::llround(*peak))) +
                 ", scores, probabilities and their gradients take " +
                 readableCell(std::round((*peak - kept.vectors) / kept.scores * 10) / 10, Unit::kRatio) +
                 " times B·S²·4. ";
    return std::string(kept.probabilitiesFormula()) + " = " + formatGrouped(kept.heads) + " × " +
           formatGrouped(config.context) + "² × " + (kept.isMixed ? "6" : "4") + " = " +
           formatBytes(Bytes(std::llround(kept.probabilities))) + " for " +
           std::string(kept.probabilitiesWords()) +
           ", beside which the forward pass holds the scores that they are made of, and " +
           std::string(kept.vectorsFormula()) + " = " + formatBytes(Bytes(std::llround(kept.vectors))) +
           " for q, k, v, their gradients and the output at head dimension " +
           std::to_string(config.headDimension()) + ". " + atPeak;
}

constexpr const char* kOutOfMemory = "First length that runs out of memory";

/// A variant's head dimensions, by the first length that does not fit with them.
void answerFirstThatDoesNotFit(const Sweep& sweep, const std::string& name, ExperimentResult& result) {
    const std::vector<Line> lines = linesOf(sweep, name);
    for (const std::string& attention : valuesOf(sweep, "attention")) {
        std::map<std::int64_t, std::vector<std::pair<std::string, const SweepCell*>>> byLength;
        for (const Line& line : lines) {
            const auto first = std::ranges::find(line.cells, CellState::kOutOfMemory, &SweepCell::state);
            if (line.attention == attention && first != line.cells.end())
                byLength[configOf(sweep.plan, **first).context].emplace_back(line.dimension, *first);
        }
        for (const auto& [length, cells] : byLength) {
            auto dimensions = mapped<std::string>(cells, [&](const auto& each) { return each.first; });
            result.entries.push_back({kOutOfMemory, formatGrouped(length),
                                      "tokens: " + attention + " in " + precisionOf(sweep) +
                                          ", head dimension " + listed(dimensions)});
            std::string sentence =
                "The first length at which " + attention + " in " + precisionOf(sweep) +
                " runs out of memory is " + formatGrouped(length) + " (head dimension " + listed(dimensions) +
                ")" +
                (attention == "naive"
                     ? ": " + derivation(configOf(sweep.plan, *cells.back().second), *cells.back().second)
                     : ". ");
            result.answers.push_back(sentence + cells.back().second->message);
        }
    }
}

/// Another variant and the first at the longest length at which both ran, of the largest head dimension.
struct Beside {
    std::string first, other, dimension;
    std::int64_t length = 0;
    const SweepCell *before = nullptr, *after = nullptr;

    std::string placeIn(const std::string& precision) const {
        return "In " + precision + " at length " + formatGrouped(length) + " and head dimension " +
               dimension + ", ";
    }
};

std::vector<Beside> besideTheFirst(const Sweep& sweep) {
    std::vector<Beside> all;
    const auto dimensions = valuesOf(sweep, "head-dim");
    const auto attentions = valuesOf(sweep, "attention");
    for (std::size_t other = 1; other < attentions.size() && !dimensions.empty(); ++other) {
        Beside beside{attentions.front(), attentions[other], dimensions.back()};
        for (const std::string& length : valuesOf(sweep, "context")) {
            const auto at = [&](const std::string& attention) {
                const SweepCell* cell = okCellAt(
                    sweep, {{"attention", attention}, {"head-dim", dimensions.back()}, {"context", length}});
                return cell && cell->figure("forward_mean_ns") ? cell : nullptr;
            };
            if (at(beside.first) && at(beside.other)) {
                beside.before = at(beside.first);
                beside.after = at(beside.other);
                beside.length = std::stoll(length);
            }
        }
        if (beside.before)
            all.push_back(std::move(beside));
    }
    return all;
}

std::string timesAnswer(const Sweep& sweep, const Beside& beside) {
    const auto speed = [&](const std::string& measure) -> std::string {
        const auto now = beside.after->figure(measure), before = beside.before->figure(measure);
        return now && before && *now > 0 && *before > 0 ? speedWords(*before, *now) : std::string();
    };
    const std::string forward = speed("forward_mean_ns"), backward = speed("backward_mean_ns");
    if (forward.empty())
        return {};
    return beside.placeIn(precisionOf(sweep)) + "the forward pass of " + beside.other + " is " + forward +
           " as " + beside.first + "'s" +
           (backward.empty() ? std::string() : ", its backward pass " + backward) +
           disturbedClause({beside.before, beside.after}) + ".";
}

std::string memoryAnswer(const Sweep& sweep, const Beside& beside) {
    const auto kept = beside.after->figure("before_backward_bytes"),
               keptBefore = beside.before->figure("before_backward_bytes");
    if (!kept || !keptBefore)
        return {};
    return beside.placeIn(precisionOf(sweep)) + beside.other + " has " +
           formatBytes(Bytes(std::llround(*kept))) + " allocated before the backward pass, where " +
           beside.first + " has " + formatBytes(Bytes(std::llround(*keptBefore))) + ".";
}

/// timesAnswer() and memoryAnswer() in short.
void addEntries(const Sweep& sweep, const Beside& beside, std::vector<AnswerEntry>& entries) {
    const std::string group = "Against " + beside.first + " in " + precisionOf(sweep) + ", " +
                              formatGrouped(beside.length) + " tokens, head dimension " + beside.dimension;
    for (const char* pass : {"forward", "backward"}) {
        const std::string measure = std::string(pass) + "_mean_ns";
        const auto now = beside.after->figure(measure), before = beside.before->figure(measure);
        if (!now || !before || *now <= 0 || *before <= 0)
            continue;
        AnswerEntry entry = speedEntry(*before, *now, beside.first);
        entry.group = group;
        entry.clause +=
            std::string(": ") + beside.other + ", " + pass + disturbedMark({beside.before, beside.after});
        entries.push_back(std::move(entry));
    }
    const auto kept = beside.after->figure("before_backward_bytes"),
               before = beside.before->figure("before_backward_bytes");
    if (kept && before)
        entries.push_back({group, formatBytes(Bytes(std::llround(*kept))),
                           "allocated before the backward pass: " + beside.other + "; " + beside.first + " " +
                               formatBytes(Bytes(std::llround(*before)))});
}

std::vector<NamedSweep> attentionSweeps(const ExperimentOptions& options) {
    const auto lengths = byDevice<std::vector<std::string>>(
        options, {"256", "1024", "4096", "8192", "16384", "32768", "65536"}, {"64", "128", "256", "512"});
    const auto dimensions =
        byDevice<std::vector<std::string>>(options, {"16", "32", "64", "128"}, {"16", "64"});
    const ChosenSettings settings = {{"workload", "attention"},
                                     {"batch", "8"},
                                     {"heads", "1"},
                                     {"mode", "forward-backward"},
                                     {"causal", "no"},
                                     {"warmup", byDevice<std::string>(options, "5", "2")},
                                     {"steps", byDevice<std::string>(options, "100", "20")}};
    const auto sweepIn = [&](const std::string& precision, std::vector<std::string> variants) {
        ChosenSettings with = settings;
        with.emplace_back("precision", precision);
        NamedSweep sweep =
            planSweep(options, precision,
                      {{"attention", std::move(variants)}, {"head-dim", dimensions}, {"context", lengths}},
                      with, KeepRuns::kNo, {"precision"});
        sweep.plan.tooLarge = TooLarge::kTry;
        return sweep;
    };
    if (!options.onGpu())
        return {sweepIn("fp32", {"naive", "flash"})};
    return {sweepIn("fp32", {"naive", "sdpa-efficient", "flash"}),
            sweepIn("bf16", {"naive", "sdpa-flash", "flash"})};
}

void evaluateAttention(const ExperimentEvidence& evidence, ExperimentResult& result) {
    std::string forward, backward;  // what the charts of times say: the first that there is
    std::string saved, kept;        // what that of memory says, the first before the second
    bool anyGrows = false;
    const auto takeFirst = [](std::string& said, const std::vector<std::string>& answers) {
        if (said.empty() && !answers.empty())
            said = answers.front();
    };
    for (const char* name : {"fp32", "bf16"}) {
        const Sweep& sweep = evidence.sweep(name);
        if (sweep.cells.empty())
            continue;
        for (const Beside& beside : besideTheFirst(sweep)) {
            const std::string memory = memoryAnswer(sweep, beside);
            for (const std::string& answer : {timesAnswer(sweep, beside), memory}) {
                if (!answer.empty())
                    result.answers.push_back(answer);
            }
            addEntries(sweep, beside, result.entries);
            saved = memory.empty() ? saved : memory;
        }
        for (const std::string& answer :
             growthAnswers(sweep, name, {"forward", "backward"}, result.entries)) {
            result.answers.push_back(answer);
            anyGrows = anyGrows || answer.find(" grows as ") != answer.npos;
        }
        std::vector<AnswerEntry> unused;
        takeFirst(forward, growthAnswers(sweep, name, {"forward"}, unused));
        takeFirst(backward, growthAnswers(sweep, name, {"backward"}, unused));
        if (const std::optional<std::string> answer = keptAnswer(sweep, name, result.entries)) {
            result.answers.push_back(*answer);
            kept = kept.empty() ? *answer : kept;
        }
        answerFirstThatDoesNotFit(sweep, name, result);
        result.tables.push_back(tableOf(sweep, name));
        noteCells(sweep, result, precisionOf(sweep));
    }
    result.charts.push_back(chartOf(evidence, "forward", "Forward time", Unit::kNanoseconds));
    result.charts.push_back(chartOf(evidence, "backward", "Backward time", Unit::kNanoseconds));
    result.charts.push_back(chartOf(evidence, "before_backward", "Memory before backward", Unit::kBytes));
    for (Chart& chart : result.charts)
        chart.setup = setupOf(evidence);
    result.charts[2].sentence = saved.empty() ? kept : saved;
    std::stable_partition(result.entries.begin(), result.entries.end(),
                          [](const AnswerEntry& entry) { return entry.group == kOutOfMemory; });
    const auto cellOf = [&](const ChartSeries& series, const ChartPoint& point) -> const SweepCell* {
        const std::vector<SweepCell>& cells = evidence.sweep(series.choices[1]).cells;
        const auto cell = std::ranges::find(cells, point.source, &SweepCell::index);
        return cell == cells.end() ? nullptr : &*cell;
    };
    tellFastest(result, cellOf, forward, backward);
    if (anyGrows)
        result.notes.emplace_back(kMarginOfGrowth);
    noteCpuSizes(evidence.options(), result);
}

}  // namespace

const Experiment kAttention = {"attention", "Attention by length and head dimension",
                               "How time and memory grow with the length, where naive attention runs out of "
                               "memory, and what a fused kernel saves.",
                               attentionSweeps, evaluateAttention};

}  // namespace warpglass::experiment
