// Which kernels a forward pass, forward + backward and a whole step consist of. On the CPU, which ops.
#include <algorithm>
#include <array>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/query/spans/kernel_title.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/step_selection.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/sweep/grid.h"

namespace warpglass::experiment {
namespace {

constexpr std::size_t kListed = 10;
// What else matters: a family with at least this share.
constexpr double kMatters = 0.03;

struct ModeWords {
    std::string_view mode, words;
};
constexpr std::array<ModeWords, 3> kModesInWords = {{
    {"forward", "a forward pass (inference)"},
    {"forward-backward", "forward + backward"},
    {"step", "a training step"},
}};

/// Kernels or ops of the measured steps, the most time first; `phase` limits them.
struct Work {
    /// Whose run it is.
    const SweepCell* cell = nullptr;
    bool gpu = false;
    std::int64_t steps = 1;
    std::vector<StatisticsRow> rows;
    /// By OpFamily; they add up to 1.
    std::array<double, kOpFamilyCount> families{};

    double share(const StatisticsRow& row) const { return gpu ? row.timeShare : row.selfShare; }
    Nanoseconds time(const StatisticsRow& row) const { return gpu ? row.total : row.self; }
};

/// Each is named with what it does, where its name does not say it: a template may have one kernel in one
/// mode and several in another, and a kernel has the same name in all modes.
std::vector<StatisticsRow> kernelRows(const Snapshot& run, const SpanFilter& filter) {
    std::vector<StatisticsRow> rows;
    for (GroupedRow& row : groupedStatistics(run, filter, TrackKind::kGpuStream, SpanGrouping::kFlat).rows) {
        if (const std::string title = kernelTitle(row.figures.name, row.signature); title != row.figures.name)
            row.figures.name += ", " + title;
        rows.push_back(std::move(row.figures));
    }
    return rows;
}

Work workOf(const Snapshot& run, std::optional<Phase> phase = std::nullopt) {
    SpanFilter filter;
    filter.measuredOnly = true;
    filter.phase = phase;
    Work work;
    work.gpu = hasKernels(run);
    work.rows = work.gpu ? kernelRows(run, filter) : opStatistics(run, filter);
    if (!work.gpu)
        std::ranges::stable_sort(work.rows, std::ranges::greater(), &StatisticsRow::self);
    const WorkTimes times = workTimes(run, filter);
    work.steps = std::max<std::int64_t>(1, times.steps);
    double sum = 0;
    for (const WorkRow& row : times.rows) {
        if (row.time <= 0)
            continue;
        work.families[static_cast<std::size_t>(familyOf(run, row))] += static_cast<double>(row.time);
        sum += static_cast<double>(row.time);
    }
    for (double& family : work.families)
        family = sum > 0 ? family / sum : 0;
    return work;
}

double productShare(const Work& work) {
    return work.families[static_cast<std::size_t>(OpFamily::kMatmul)];
}

/// An op is ranked by its own time, but the figures of its single calls cover all that ran within them.
ReportTable topTable(const Work& work, std::string title, std::string key) {
    const std::string of = work.gpu ? "" : ", whole call";
    ReportTable table{std::move(title),
                      {{"Time %", "time_share", Unit::kFraction},
                       {"Total", "total_ns", Unit::kNanoseconds},
                       {"Time per step", "time_per_step_ns", Unit::kNanoseconds},
                       {"Instances", "instances", Unit::kCount},
                       {"Calls per step", "calls_per_step", Unit::kNumber},
                       {"Avg", "avg_ns", Unit::kNanoseconds},
                       {"Med" + of, "median_ns", Unit::kNanoseconds},
                       {"Min" + of, "min_ns", Unit::kNanoseconds},
                       {"Max" + of, "max_ns", Unit::kNanoseconds},
                       {"± Std" + of, "stddev_ns", Unit::kNanoseconds},
                       {"Name", "name"}},
                      {},
                      std::move(key)};
    for (std::size_t i = 0; i < std::min(kListed, work.rows.size()); ++i) {
        const StatisticsRow& row = work.rows[i];
        const auto steps = static_cast<double>(work.steps);
        const auto time = static_cast<double>(work.time(row).value);
        table.rows.push_back({work.share(row), work.time(row).value, wholeCell(time / steps), row.instances,
                              wholeIfExact(static_cast<double>(row.instances) / steps),
                              wholeCell(row.instances > 0 ? time / static_cast<double>(row.instances) : 0),
                              wholeCell(row.median), row.min.value, row.max.value, wholeCell(row.spread()),
                              row.name});
    }
    return table;
}

/// "NAME, with 24% of the time in 85 calls"; the tables have the whole of a long name.
std::string topWords(const Work& work) {
    const StatisticsRow& top = work.rows.front();
    return shortened(top.name) + ", with " + formatPercent(work.share(top)) + " of the time in " +
           formatMeanCount(static_cast<double>(top.instances) / static_cast<double>(work.steps)) + " calls";
}

ReportTable familyTable(const std::vector<std::pair<std::string, Work>>& modes) {
    ReportTable table{"Share of time by kind of work", {{"Kind of work", "family"}}, {}, "families"};
    for (const auto& [mode, work] : modes)
        table.columns.push_back({mode, mode, Unit::kFraction});
    for (std::size_t family = 0; family < kOpFamilyCount; ++family) {
        std::vector<Cell> row{std::string(kOpFamilyNames[family])};
        bool any = false;
        for (const auto& [mode, work] : modes) {
            row.emplace_back(work.families[family]);
            any = any || work.families[family] > 0;
        }
        if (any)
            table.rows.push_back(std::move(row));
    }
    return table;
}

Chart familyChart(const std::vector<std::pair<std::string, Work>>& modes) {
    Chart chart{
        .key = "kernels-families", .title = "What the time goes to, by mode", .kind = ChartKind::kBars};
    chart.x = {"Mode", Unit::kText};
    chart.y = {"Share of time", Unit::kFraction};
    for (const auto& [mode, work] : modes)
        chart.x.categories.push_back(mode);
    for (std::size_t family = 0; family < kOpFamilyCount; ++family) {
        ChartSeries series{std::string(kOpFamilyNames[family]), {}};
        double largest = 0;
        for (std::size_t i = 0; i < modes.size(); ++i) {
            const double share = modes[i].second.families[family];
            series.points.push_back({.x = static_cast<double>(i), .y = share});
            largest = std::max(largest, share);
        }
        if (largest > 0.005)
            chart.series.push_back(std::move(series));
    }
    return chart;
}

void answerTop(const std::string& what, const std::vector<std::pair<std::string, Work>>& modes,
               ExperimentResult& result) {
    const Work* inference = nullptr;
    for (const auto& [mode, work] : modes) {
        if (work.rows.empty())
            continue;
        const auto* words = std::ranges::find_if(
            kModesInWords, [name = mode](const ModeWords& known) { return known.mode == name; });
        std::string sentence = "In " + std::string(words == kModesInWords.end() ? mode : words->words) +
                               " the " + what + " that takes the most time is " + topWords(work) +
                               " per step";
        if (mode == "forward")
            inference = &work;
        else if (inference)
            sentence += inference->rows.front().name == work.rows.front().name
                            ? ": the same as in inference"
                            : ": another one than in inference";
        result.answers.push_back(sentence +
                                 disturbedClause({work.cell, inference ? inference->cell : nullptr}) + ".");
    }
}

/// Whether the forward phase of a training step runs what inference runs.
void answerForward(const std::string& what, const std::vector<std::pair<std::string, Work>>& modes,
                   const Snapshot* training, const SweepCell* cell, ExperimentResult& result) {
    const auto inference =
        std::ranges::find_if(modes, [](const auto& mode) { return mode.first == "forward"; });
    if (inference == modes.end() || inference->second.rows.empty() || !training)
        return;
    const Work forward = workOf(*training, Phase::kForward);
    if (forward.rows.empty())
        return;
    const bool same = forward.rows.front().name == inference->second.rows.front().name;
    result.answers.push_back(
        "In the forward phase of a training step the " + what + " that takes the most time is " +
        (same ? "the same as in inference" : topWords(forward) + " per step: another one than in inference") +
        disturbedClause({inference->second.cell, cell}) + ".");
}

void answerProducts(const std::vector<std::pair<std::string, Work>>& modes, ExperimentResult& result) {
    const auto of = [&](std::string_view mode) -> const Work* {
        const auto found = std::ranges::find_if(modes, [&](const auto& pair) { return pair.first == mode; });
        return found == modes.end() ? nullptr : &found->second;
    };
    const Work* inference = of("forward");
    const Work* training = of("step");
    if (inference && training)
        result.answers.push_back("GEMMs take " + formatPercent(productShare(*inference)) +
                                 " of the time in inference and " + formatPercent(productShare(*training)) +
                                 " in a training step" + disturbedClause({inference->cell, training->cell}) +
                                 ".");
    for (const auto* work : {inference, training}) {
        if (!work)
            continue;
        std::vector<std::pair<double, std::string>> others;
        for (std::size_t family = 0; family < kOpFamilyCount; ++family) {
            if (family != static_cast<std::size_t>(OpFamily::kMatmul) && work->families[family] >= kMatters)
                others.emplace_back(work->families[family], std::string(kOpFamilyNames[family]));
        }
        std::sort(others.rbegin(), others.rend());
        std::vector<std::string> words;
        words.reserve(others.size());
        for (const auto& [share, name] : others)
            words.push_back(name + " (" + formatPercent(share) + ")");
        if (!words.empty())
            result.answers.push_back("Besides GEMMs, what matters in " +
                                     std::string(work == inference ? "inference" : "a training step") +
                                     " is " + listed(words) + disturbedClause({work->cell}) + ".");
    }
}

std::vector<NamedSweep> kernelSweeps(const ExperimentOptions& options) {
    return {planSweep(options, "modes", {{"mode", {"forward", "forward-backward", "step"}}},
                      {{"model", byDevice<std::string>(options, "small", "tiny")},
                       {"context", byDevice<std::string>(options, "512", "64")},
                       {"warmup", "3"},
                       {"steps", "5"}},
                      KeepRuns::kYes)};
}

void evaluateKernels(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Sweep& sweep = evidence.sweep("modes");
    std::vector<std::pair<std::string, Work>> modes;
    std::shared_ptr<const Snapshot> training;
    const SweepCell* trained = nullptr;
    for (const std::string& mode : valuesOf(sweep, "mode")) {
        const SweepCell* cell = cellAt(sweep, {{"mode", mode}});
        const auto run = cell ? evidence.run(*cell) : nullptr;
        if (!run)
            continue;
        modes.emplace_back(mode, workOf(*run));
        modes.back().second.cell = cell;
        if (mode == "step")
            training = run, trained = cell;
    }
    const bool gpu = !modes.empty() && modes.front().second.gpu;
    const std::string what = gpu ? "kernel" : "op";
    if (!modes.empty() && !gpu)
        result.notes.emplace_back(
            "There are no kernels on the CPU; ops by their own time stand in their place. The median, least "
            "and most of a call, and the standard deviation of its calls, are of the whole call, with the "
            "ops within it.");
    answerTop(what, modes, result);
    answerForward(what, modes, training.get(), trained, result);
    answerProducts(modes, result);
    if (!modes.empty()) {
        result.charts.push_back(familyChart(modes));
        result.charts.back().setup = settingsInCommon(sweep.plan);
        for (const std::string& answer : result.answers) {
            if (answer.starts_with("GEMMs take"))
                result.charts.back().sentence = answer;
        }
        result.tables.push_back(familyTable(modes));
    }
    for (const auto& [mode, work] : modes)
        result.tables.push_back(topTable(work, "Top " + what + "s, mode " + mode, "top-" + mode));
    if (training) {
        for (const Phase phase : {Phase::kForward, Phase::kLoss, Phase::kBackward, Phase::kOptimizer}) {
            const Work work = workOf(*training, phase);
            if (!work.rows.empty())
                result.tables.push_back(
                    topTable(work, "Top " + what + "s of a training step's " + std::string(phaseName(phase)),
                             "top-step-" + std::string(phaseName(phase))));
        }
    }
    noteCpuSizes(evidence.options(), result);
    noteCells(sweep, result);
}

}  // namespace

const Experiment kKernels = {"kernels", "Kernels of inference and training",
                             "Which kernel takes the most time, how often it runs, whether it is the same in "
                             "inference and training, and how much of the time GEMMs take in each.",
                             kernelSweeps, evaluateKernels};

}  // namespace warpglass::experiment
