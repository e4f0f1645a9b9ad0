// A part of the experiment `compiled`: attention alone over its lengths, op by op, as a CUDA graph, and by
// Warpglass's own kernels.
#include <array>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/plan/settings.h"
#include "engine/plan/variants.h"
#include "engine/sweep/grid.h"
#include "engine/tables/series_choices.h"

namespace warpglass::experiment {
namespace {

constexpr std::array<std::string_view, 2> kExecutionsInOrder = {"eager", "graph"};

/// A pass at one length: null where it did not run to its end.
struct Pass {
    const SweepCell* cell = nullptr;

    std::optional<double> mean() const { return cell ? cell->figure("step_mean_ns") : std::nullopt; }
    std::optional<double> deviation() const { return cell ? cell->figure("step_stddev_ns") : std::nullopt; }
};

const SweepCell* cellIn(const Sweep& sweep, const std::string& attention, std::string_view execution,
                        const std::string& length) {
    return cellAt(sweep,
                  {{"attention", attention}, {"execution", std::string(execution)}, {"context", length}});
}

Pass passOf(const Sweep& sweep, const std::string& attention, std::string_view execution,
            const std::string& length) {
    const SweepCell* cell = cellIn(sweep, attention, execution, length);
    return {cell && cell->state == CellState::kOk ? cell : nullptr};
}

std::optional<double> ratioOf(const Pass& before, const Pass& now) {
    return before.mean() && now.mean() && *now.mean() > 0 ? std::optional(*before.mean() / *now.mean())
                                                          : std::nullopt;
}

std::string lengthWords(const std::string& length) {
    return formatGrouped(std::stoll(length));
}

/// What the variant is called beside the others: ours are kernels of ours.
std::string variantWords(const std::string& attention) {
    return attention == attentionName(AttentionVariant::kFlash) ? attention + " (Warpglass's own kernels)"
                                                                : attention;
}

ReportTable tableOf(const Sweep& sweep) {
    const std::vector<std::string> attentions = valuesOf(sweep, "attention");
    ReportTable table{
        "Attention alone, a pass by length, eager and as a graph",
        {{"Attention", "attention"},
         {"Length", "context", Unit::kCount},
         {"Eager", "eager_mean_ns", Unit::kNanoseconds},
         {"± Std", "eager_stddev_ns", Unit::kNanoseconds},
         {"Graph", "graph_mean_ns", Unit::kNanoseconds},
         {"± Std", "graph_stddev_ns", Unit::kNanoseconds},
         {"Speed-up by the graph", "speedup", Unit::kRatio},
         {"Speed-up over " + attentions.front() + ", eager", "eager_speedup_over_first", Unit::kRatio},
         {"Speed-up over " + attentions.front() + ", graph", "graph_speedup_over_first", Unit::kRatio}},
        {},
        "compiled-attention"};
    for (const std::string& attention : attentions) {
        for (const std::string& length : valuesOf(sweep, "context")) {
            const Pass eager = passOf(sweep, attention, "eager", length),
                       graph = passOf(sweep, attention, "graph", length);
            if (!eager.cell && !graph.cell)
                continue;
            table.rows.push_back(
                {attention, std::int64_t{std::stoll(length)}, wholeCell(eager.mean()),
                 wholeCell(eager.deviation()), wholeCell(graph.mean()), wholeCell(graph.deviation()),
                 cellOf(ratioOf(eager, graph)),
                 cellOf(ratioOf(passOf(sweep, attentions.front(), "eager", length), eager)),
                 cellOf(ratioOf(passOf(sweep, attentions.front(), "graph", length), graph))});
        }
    }
    return table;
}

Chart chartOf(const Sweep& sweep) {
    Chart chart{.key = "compiled-attention", .title = "A pass of attention alone by length"};
    chart.x = {"Length", Unit::kCount, true};
    chart.y = {"Forward + backward", Unit::kNanoseconds, true};
    for (const std::string& attention : valuesOf(sweep, "attention")) {
        for (const std::string_view execution : kExecutionsInOrder) {
            ChartSeries series = seriesOf(attention, execution == "graph" ? "as a graph" : "eager");
            for (const std::string& length : valuesOf(sweep, "context")) {
                if (const SweepCell* cell = cellIn(sweep, attention, execution, length))
                    series.points.push_back(
                        pointOf(*cell, std::stod(length), "step_mean_ns", "step_stddev_ns"));
            }
            if (!series.points.empty())
                chart.series.push_back(std::move(series));
        }
    }
    chart.notes.emplace_back(kErrorBarsOfSteps);
    chart.setup = settingsInCommon(sweep.plan);
    return chart;
}

/// "… takes 50 µs instead of 150 µs: 3× as fast".
std::string gainWords(const Pass& before, const Pass& now) {
    return "takes " + timeWithSpread(*now.mean(), std::nullopt) + " instead of " +
           timeWithSpread(*before.mean(), std::nullopt) + ": " + speedWords(*before.mean(), *now.mean());
}

/// What a graph gains at the shortest and the longest length of which both are known.
std::string graphAnswer(const Sweep& sweep, const std::string& attention) {
    std::vector<std::string> known;
    for (const std::string& length : valuesOf(sweep, "context")) {
        if (ratioOf(passOf(sweep, attention, "eager", length), passOf(sweep, attention, "graph", length)))
            known.push_back(length);
    }
    if (known.empty())
        return {};
    const auto at = [&](const std::string& length) {
        return std::pair{passOf(sweep, attention, "eager", length),
                         passOf(sweep, attention, "graph", length)};
    };
    const auto [eager, graph] = at(known.front());
    const auto [eagerLong, graphLong] = at(known.back());
    std::string sentence = "As a graph, a pass of attention alone with " + variantWords(attention) +
                           " at length " + lengthWords(known.front()) + " " + gainWords(eager, graph);
    if (known.size() > 1)
        sentence += ", and at length " + lengthWords(known.back()) + " " + gainWords(eagerLong, graphLong);
    return sentence + disturbedClause({eager.cell, graph.cell, eagerLong.cell, graphLong.cell}) + ".";
}

/// What another variant gains over the first, op by op, at the longest length of both.
std::string variantAnswer(const Sweep& sweep, const std::string& first, const std::string& attention) {
    Pass before, now;
    std::string at;
    for (const std::string& length : valuesOf(sweep, "context")) {
        const Pass ofFirst = passOf(sweep, first, "eager", length),
                   ofOther = passOf(sweep, attention, "eager", length);
        if (ratioOf(ofFirst, ofOther))
            before = ofFirst, now = ofOther, at = length;
    }
    return at.empty() ? std::string()
                      : "Op by op, a pass of " + variantWords(attention) + " in place of " + first +
                            " at length " + lengthWords(at) + " " + gainWords(before, now) +
                            disturbedClause({before.cell, now.cell}) + ".";
}

}  // namespace

NamedSweep compiledAttentionSweep(const ExperimentOptions& options) {
    RunConfig attention;
    attention.workload = Workload::kAttention;
    ExperimentOptions of = options;
    // What was given of the model is no setting of attention alone.
    std::erase_if(of.given, [&](const SweepAxis& axis) {
        const Setting* setting = findSetting(axis.key);
        return !setting || setting->key == "workload" || setting->workloadProblem(attention).has_value();
    });
    return planSweep(of, "attention",
                     {{"attention", {"naive", std::string(attentionName(AttentionVariant::kFlash))}},
                      {"execution", {"eager", "graph"}},
                      {"context", {"256", "1024", "4096", "8192", "16384"}}},
                     {{"workload", "attention"},
                      {"precision", "bf16"},
                      {"batch", "8"},
                      {"heads", "1"},
                      {"head-dim", "64"},
                      {"causal", "no"},
                      {"mode", "forward-backward"},
                      {"warmup", "5"},
                      {"steps", "100"}},
                     KeepRuns::kNo, {"precision", "mode", "warmup", "steps"});
}

void evaluateCompiledAttention(const Sweep& sweep, ExperimentResult& result) {
    if (sweep.cells.empty())
        return;
    const std::vector<std::string> attentions = valuesOf(sweep, "attention");
    Chart chart = chartOf(sweep);
    for (const std::string& attention : attentions) {
        std::vector<std::string> answers = {graphAnswer(sweep, attention)};
        if (attention != attentions.front())
            answers.push_back(variantAnswer(sweep, attentions.front(), attention));
        for (std::string& answer : answers) {
            if (answer.empty())
                continue;
            if (chart.sentence.empty())
                chart.sentence = answer;
            result.answers.push_back(std::move(answer));
        }
    }
    result.charts.push_back(std::move(chart));
    result.tables.push_back(tableOf(sweep));
    noteCells(sweep, result);
}

}  // namespace warpglass::experiment
