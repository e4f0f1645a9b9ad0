// What each fused kernel is worth: the step with the library's kernels, and with ours added part by part.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/plan/own_parts.h"
#include "engine/query/compare/mean_spread.h"
#include "engine/sweep/grid.h"

namespace warpglass::experiment {
namespace {

constexpr std::string_view kName = "fusions", kKernels = "kernels";
// Five samples on each side make the interval 2.3 standard errors wide on either side; two would make it 4.3.
constexpr std::int64_t kRepeats = 5;
/// Which parts have something to do depends on them: each of their values has a sweep of its own.
constexpr std::array<std::string_view, 3> kDeciding = {"attention", "precision", "mode"};
/// A peak that differs by less is the same in words of three digits, or nearly.
constexpr double kLeastOfPeak = 0.01;

/// The step with some of the parts, over the repeats that ran.
struct Stage {
    std::string kernels;
    /// What it has that the stage before it had not: "norm", "norm and loss"; its kernels where that cannot
    /// be said so, and for the first.
    std::string added;
    SampleMean step;
    std::optional<double> peak, kernelsPerStep;
    std::int64_t source = -1;
    /// Against the stage before it; nothing for the first.
    std::optional<double> gain;
    /// Half of its 95% confidence interval.
    std::optional<double> margin;

    /// With a single repeat on either side nothing can be told from the noise.
    bool isNoise() const { return gain && (!margin || std::abs(*gain) < *margin); }
};

/// The stages at one choice of everything else.
struct Ladder {
    /// The values that tell it from the others: "naive", "eager"; in the order of variedKeys().
    std::vector<std::string> at;
    std::vector<Stage> stages;
    /// The settings that all of its runs have in common.
    std::string setup = {};

    std::string title() const {
        std::string words;
        for (const std::string& value : at)
            words += (words.empty() ? "" : ", ") + value;
        return words;
    }
    std::string opening(const std::string& sentence) const {
        return at.empty() ? sentence : title() + ": " + sentence;
    }
};

/// Settings that were given with several values.
std::vector<std::string> variedKeys(const ExperimentOptions& options) {
    std::vector<std::string> keys;
    for (const SweepAxis& axis : options.given) {
        if (axis.values.size() > 1 && axis.key != kKernels)
            keys.push_back(axis.key);
    }
    return keys;
}

/// Its parts that have something to do, one after the other: some only beside those before them.
std::vector<RunConfig> addedInTurn(RunConfig config) {
    (void)takeOwnParts(kLibraryKernels, config);
    std::vector<RunConfig> all{config};
    for (std::size_t i = 0; i < ownParts().size(); ++i) {
        if (!ownPartHasWork(config, i))
            continue;
        setOwnPart(config, i, true);
        all.push_back(config);
    }
    return all;
}

/// library, then one part after the other; the last has all that have something to do, which is "fused".
std::vector<std::string> stagesOf(const RunConfig& config) {
    std::vector<std::string> stages;
    for (const RunConfig& stage : addedInTurn(config))
        stages.push_back(ownPartsText(stage));
    if (stages.size() > 1)
        stages.back() = kFusedKernels;
    return stages;
}

/// The options with one value of each deciding setting, and what tells these from each other.
std::vector<std::pair<std::string, ExperimentOptions>> decided(const ExperimentOptions& options) {
    std::vector<std::pair<std::string, ExperimentOptions>> all{{std::string(kName), options}};
    for (const std::string_view key : kDeciding) {
        const SweepAxis* axis = options.find(key);
        if (!axis || axis->values.size() < 2)
            continue;
        std::vector<std::pair<std::string, ExperimentOptions>> more;
        for (const auto& [name, of] : all) {
            for (const std::string& value : axis->values) {
                ExperimentOptions one = of;
                for (SweepAxis& given : one.given) {
                    if (given.key == key)
                        given.values = {value};
                }
                more.emplace_back(name + "-" + value, std::move(one));
            }
        }
        all = std::move(more);
    }
    return all;
}

std::vector<NamedSweep> fusionSweeps(const ExperimentOptions& options) {
    if (!options.onGpu())
        return {};
    std::vector<NamedSweep> all;
    for (const auto& [name, of] : decided(options)) {
        NamedSweep sweep = planSweep(of, name, {{std::string(kKernels), {}}},
                                     {{"model", "small"},
                                      {"context", "512"},
                                      {"batch", "4"},
                                      {"precision", "bf16"},
                                      {"attention", "flash"},
                                      {"execution", "graph"},
                                      {"mode", "step"},
                                      {"warmup", "5"},
                                      {"steps", "20"}});
        for (SweepAxis& axis : sweep.plan.axes) {
            if (axis.key == kKernels && axis.values.empty())
                axis.values = stagesOf(sweep.plan.base);
        }
        sweep.plan.repeats = kRepeats;
        sweep.plan.order = CellOrder::kInterleaved;
        all.push_back(std::move(sweep));
    }
    return all;
}

/// "norm", "norm and loss".
std::string addedWords(const RunConfig& base, const std::string& before, const std::string& now) {
    RunConfig a = base, b = base;
    (void)takeOwnParts(before, a);
    (void)takeOwnParts(now, b);
    std::vector<std::string> added;
    for (std::size_t i = 0; i < ownParts().size(); ++i) {
        if (hasOwnPart(a, i) && !hasOwnPart(b, i))
            return now;
        if (hasOwnPart(b, i) && !hasOwnPart(a, i) && ownPartHasWork(b, i))
            added.emplace_back(ownParts()[i].word);
    }
    return added.empty() ? now : listed(added);
}

std::optional<double> meanFigure(const std::vector<const SweepCell*>& cells, std::string_view key) {
    std::vector<double> values;
    for (const SweepCell* cell : cells) {
        if (const auto figure = cell->figure(key))
            values.push_back(*figure);
    }
    return values.empty() ? std::nullopt : std::optional(meanOf(values).mean);
}

std::optional<Stage> stageOf(const std::vector<const SweepCell*>& repeats, const std::string& kernels) {
    std::vector<double> steps;
    for (const SweepCell* cell : repeats) {
        if (const auto step = cell->figure("step_mean_ns"))
            steps.push_back(*step);
    }
    if (steps.empty())
        return std::nullopt;
    return Stage{.kernels = kernels,
                 .added = kernels,
                 .step = meanOf(steps),
                 .peak = meanFigure(repeats, "peak_bytes"),
                 .kernelsPerStep = meanFigure(repeats, "kernels_per_step"),
                 .source = repeats.front()->index,
                 .gain = {},
                 .margin = {}};
}

/// One for each combination of the other axes' values, of which `cell` is the first.
Ladder ladderFrom(const Sweep& sweep, const SweepCell& cell, std::size_t kernels,
                  const std::vector<std::string>& varied) {
    Ladder ladder;
    for (const std::string& key : varied)
        ladder.at.push_back(valueOf(sweep, cell, key));
    const std::vector<std::string>& values = sweep.plan.axes[kernels].values;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::vector<std::uint32_t> wanted = cell.values;
        wanted[kernels] = static_cast<std::uint32_t>(i);
        std::vector<const SweepCell*> repeats;
        for (const SweepCell& one : sweep.cells) {
            if (one.values == wanted && one.state == CellState::kOk)
                repeats.push_back(&one);
        }
        std::optional<Stage> stage = stageOf(repeats, values[i]);
        if (!stage)
            continue;
        if (!ladder.stages.empty()) {
            const Stage& before = ladder.stages.back();
            stage->added = addedWords(configOf(sweep.plan, cell), before.kernels, stage->kernels);
            stage->gain = before.step.mean - stage->step.mean;
            stage->margin = differenceMargin(before.step, stage->step);
        }
        ladder.stages.push_back(std::move(*stage));
    }
    return ladder;
}

std::vector<Ladder> laddersOf(const Sweep& sweep, const std::vector<std::string>& varied) {
    const auto axis = std::ranges::find(sweep.plan.axes, kKernels, &SweepAxis::key);
    std::vector<Ladder> ladders;
    if (axis == sweep.plan.axes.end())
        return ladders;
    const auto kernels = static_cast<std::size_t>(axis - sweep.plan.axes.begin());
    for (const SweepCell& cell : sweep.cells) {
        if (cell.repeat != 0 || kernels >= cell.values.size() || cell.values[kernels] != 0)
            continue;
        Ladder ladder = ladderFrom(sweep, cell, kernels, varied);
        if (ladder.stages.size() > 1)
            ladders.push_back(std::move(ladder));
    }
    return ladders;
}

std::string bytesWords(double bytes) {
    return formatBytes(Bytes(std::llround(bytes)));
}

/// The stage after the first that has the most of something; 0 where none has any.
template <class Amount>
std::size_t mostOf(const Ladder& ladder, Amount amount) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < ladder.stages.size(); ++i) {
        if (amount(i) > (most > 0 ? amount(most) : 0))
            most = i;
    }
    return most;
}

/// "Together the fusions take a step from 12 ms to 8 ms, 1.5× as fast; the most comes from casts: …"
std::string togetherWords(const Ladder& ladder) {
    const Stage &first = ladder.stages.front(), &last = ladder.stages.back();
    const std::string before = timeWithSpread(first.step.mean), now = timeWithSpread(last.step.mean);
    if (first.step.count < 2 || last.step.count < 2)
        return "With " + kernelsWords(first.kernels) + " a step takes " + before + ", with " +
               kernelsWords(last.kernels) + " " + now +
               "; a single run of each does not tell a gain from the noise.";
    if (isWithinSpread(first.step, last.step))
        return "Together the fusions gain nothing beyond the noise: a step takes " + before + " with " +
               kernelsWords(first.kernels) + " and " + now + " with " + kernelsWords(last.kernels) + ".";
    std::string sentence = "Together the fusions take a step from " + before + " to " + now + ", " +
                           speedWords(first.step.mean, last.step.mean);
    const std::size_t most = mostOf(
        ladder, [&](std::size_t i) { return ladder.stages[i].isNoise() ? 0 : *ladder.stages[i].gain; });
    if (most > 0 && ladder.stages.size() > 2)
        sentence += "; the most comes from " + ladder.stages[most].added + ": " +
                    timeWithSpread(*ladder.stages[most].gain, ladder.stages[most].margin);
    return sentence + ".";
}

/// What each gains, what each costs, and what cannot be told.
std::string inTurnWords(const Ladder& ladder) {
    std::vector<std::string> gains, losses, noise;
    for (std::size_t i = 1; i < ladder.stages.size(); ++i) {
        const Stage& stage = ladder.stages[i];
        const std::string words = stage.added + " " + timeWithSpread(std::abs(*stage.gain), stage.margin);
        if (stage.isNoise())
            noise.push_back(stage.added);
        else
            (*stage.gain >= 0 ? gains : losses).push_back(words);
    }
    std::string sentence;
    if (!gains.empty())
        sentence = "One added after the other, they gain: " + listed(gains) + ".";
    if (!losses.empty())
        sentence += (sentence.empty() ? "" : " ") + ("A step takes longer with: " + listed(losses)) + ".";
    if (!noise.empty())
        sentence += (sentence.empty() ? "" : " ") +
                    ("What " + listed(noise) + (noise.size() == 1 ? " changes" : " change") +
                     " is within the noise.");
    return sentence;
}

/// What else they save: memory at the peak, launches. Empty where neither is known to change.
std::string besidesWords(const Ladder& ladder) {
    const Stage &first = ladder.stages.front(), &last = ladder.stages.back();
    std::vector<std::string> words;
    if (first.peak && last.peak && std::abs(*first.peak - *last.peak) >= kLeastOfPeak * *first.peak) {
        words.push_back("peak memory goes from " + bytesWords(*first.peak) + " to " + bytesWords(*last.peak));
        const auto saved = [&](std::size_t i) {
            const auto &before = ladder.stages[i - 1].peak, &now = ladder.stages[i].peak;
            return before && now ? *before - *now : 0;
        };
        const std::size_t most = mostOf(ladder, saved);
        if (most > 0 && ladder.stages.size() > 2)
            words.back() +=
                " (most of it with " + ladder.stages[most].added + ": " + bytesWords(saved(most)) + " less)";
    }
    if (first.kernelsPerStep && last.kernelsPerStep &&
        std::llround(*first.kernelsPerStep) != std::llround(*last.kernelsPerStep))
        words.push_back("the GPU runs " + formatGrouped(std::llround(*last.kernelsPerStep)) +
                        " kernels per step instead of " + formatGrouped(std::llround(*first.kernelsPerStep)));
    if (words.empty())
        return {};
    return "With all of them " + listed(words) + ".";
}

ReportTable tableOf(const std::vector<Ladder>& ladders, const std::vector<std::string>& varied) {
    ReportTable table{"Each fusion, added to those before it", {}, {}, std::string(kName)};
    for (const std::string& key : varied)
        table.columns.push_back({capitalized(key), key});
    const std::vector<ReportColumn> columns = {{"Kernels", "kernels"},
                                               {"Added", "added"},
                                               {"Step", "step_mean_ns", Unit::kNanoseconds},
                                               {"± Std", "step_stddev_ns", Unit::kNanoseconds},
                                               {"Repeats", "repeats", Unit::kCount},
                                               {"Gained", "gained_ns", Unit::kNanoseconds},
                                               {"± 95%", "gained_margin_ns", Unit::kNanoseconds},
                                               {"Beyond the noise", "beyond_noise"},
                                               {"Speed-up so far", "speedup", Unit::kRatio},
                                               {"Peak", "peak_bytes", Unit::kBytes},
                                               {"Kernels per step", "kernels_per_step", Unit::kCount}};
    table.columns.insert(table.columns.end(), columns.begin(), columns.end());
    for (const Ladder& ladder : ladders) {
        for (const Stage& stage : ladder.stages) {
            std::vector<Cell> row(ladder.at.begin(), ladder.at.end());
            const std::vector<Cell> cells = {
                stage.kernels,
                stage.gain ? Cell(stage.added) : Cell(),
                wholeCell(stage.step.mean),
                stage.step.count > 1 ? wholeCell(stage.step.standardDeviation) : Cell(),
                stage.step.count,
                wholeCell(stage.gain),
                wholeCell(stage.margin),
                stage.gain && stage.margin ? Cell(std::string(stage.isNoise() ? "no" : "yes")) : Cell(),
                ladder.stages.front().step.mean / stage.step.mean,
                wholeCell(stage.peak),
                cellOf(stage.kernelsPerStep)};
            row.insert(row.end(), cells.begin(), cells.end());
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

/// From the first stage's step to the last one's.
Chart bridgeOf(const Ladder& ladder) {
    Chart chart{.key = std::string(kName),
                .title = "A step with each fusion added to those before it",
                .kind = ChartKind::kBridge};
    for (const std::string& value : ladder.at)
        chart.key += "-" + value;
    if (!ladder.at.empty())
        chart.title += ": " + ladder.title();
    chart.x = {"Fused kernels added", Unit::kText};
    chart.y = {"Time per step", Unit::kNanoseconds};
    ChartSeries whole{"whole step"}, gained{"gained"}, lost{"lost"}, noise{"within the noise"};
    const auto add = [&](ChartSeries& series, const Stage& stage, std::string category, double from) {
        series.points.push_back({.x = static_cast<double>(chart.x.categories.size()),
                                 .y = stage.step.mean,
                                 .deviation = stage.step.standardDeviation,
                                 .from = from,
                                 .source = stage.source});
        chart.x.categories.push_back(std::move(category));
    };
    const Stage &first = ladder.stages.front(), &last = ladder.stages.back();
    add(whole, first, first.kernels, 0);
    for (std::size_t i = 1; i < ladder.stages.size(); ++i) {
        const Stage& stage = ladder.stages[i];
        add(stage.isNoise()    ? noise
            : *stage.gain >= 0 ? gained
                               : lost,
            stage, "+ " + stage.added, ladder.stages[i - 1].step.mean);
    }
    add(whole, last, last.kernels, 0);
    for (ChartSeries* series : {&whole, &gained, &noise, &lost}) {
        if (!series->points.empty())
            chart.series.push_back(std::move(*series));
    }
    chart.sentence = togetherWords(ladder);
    chart.setup = ladder.setup;
    return chart;
}

void noteMethod(const ExperimentOptions& options, const std::vector<NamedSweep>& planned,
                ExperimentResult& result) {
    result.notes.push_back(
        "Each time is a mean over the runs that the table counts, which took turns; ± is half of the 95% "
        "confidence interval of a gain (Welch's t-test), and "
        "what is smaller is within the noise. What a part gains depends on those that are added before it.");
    if (!options.find("execution"))
        result.notes.emplace_back(
            "The steps ran as CUDA graphs, which wait for no launches: --execution eager,graph tells what "
            "the fusions gain where they do.");
    if (options.find(kKernels))
        return;
    for (const NamedSweep& sweep : planned) {
        const RunConfig all = addedInTurn(sweep.plan.base).back();
        std::vector<std::string> idle;
        for (std::size_t i = 0; i < ownParts().size(); ++i) {
            if (!hasOwnPart(all, i))
                idle.emplace_back(ownParts()[i].word);
        }
        if (!idle.empty())
            result.notes.push_back(listed(idle) + (idle.size() == 1 ? " has" : " have") +
                                   " nothing to do in a run of " + settingsInCommon(sweep.plan) + ", and " +
                                   (idle.size() == 1 ? "was" : "were") + " left out.");
    }
}

void evaluateFusions(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const ExperimentOptions& options = evidence.options();
    if (!options.onGpu()) {
        result.answers.emplace_back(
            "The fused kernels are CUDA kernels and need a GPU: on the CPU every step runs the library's, "
            "and there is nothing to compare.");
        return;
    }
    const std::vector<std::string> varied = variedKeys(options);
    const std::vector<NamedSweep> planned = fusionSweeps(options);
    std::vector<Ladder> ladders;
    for (const NamedSweep& named : planned) {
        const Sweep& sweep = evidence.sweep(named.name);
        for (Ladder& ladder : laddersOf(sweep, varied)) {
            ladder.setup = settingsInCommon(sweep.plan);
            ladders.push_back(std::move(ladder));
        }
    }
    for (const Ladder& ladder : ladders) {
        const std::string inTurn = ladder.stages.size() > 2 ? inTurnWords(ladder) : std::string();
        for (const std::string& answer : {togetherWords(ladder), inTurn, besidesWords(ladder)}) {
            if (!answer.empty())
                result.answers.push_back(ladder.opening(answer));
        }
        result.charts.push_back(bridgeOf(ladder));
    }
    if (!ladders.empty()) {
        result.tables.push_back(tableOf(ladders, varied));
        noteMethod(options, planned, result);
    }
    for (const NamedSweep& named : planned)
        noteCells(evidence.sweep(named.name), result);
}

}  // namespace

const Experiment kFusions = {.name = "fusions",
                             .title = "What each fusion is worth",
                             .lookFor =
                                 "How much of a step's time each fused kernel saves, added one after the "
                                 "other, and whether that is more than repeats of a run differ by.",
                             .sweeps = fusionSweeps,
                             .evaluate = evaluateFusions,
                             .comparesAll = true};

}  // namespace warpglass::experiment
