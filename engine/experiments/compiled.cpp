// What running a step as one CUDA graph gains over running it op by op, and what fused kernels gain in each:
// launches and memory traffic told apart; and of attention alone (compiled_attention.cpp).
#include <array>

#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"

namespace warpglass::experiment {
namespace {

/// A way to run a step; times in ns.
struct Way {
    std::optional<double> mean, deviation;
    const SweepCell* cell = nullptr;

    bool ran() const { return mean && *mean > 0; }
};

/// One model with one attention. `fused…` have no figures in a sweep that varies no kernels, which those of
/// earlier versions do not.
struct Compared {
    std::string model, attention;
    Way eager, graph, fusedEager, fusedGraph;
};

/// The first value of the axis is what the others are compared with, the last is "fused".
std::vector<Compared> comparedOf(const Sweep& sweep) {
    const std::vector<std::string> kernels = valuesOf(sweep, "kernels");
    std::vector<Compared> all;
    for (const std::string& model : valuesOf(sweep, "model")) {
        for (const std::string& attention : valuesOf(sweep, "attention")) {
            const auto way = [&](const std::string& of, const char* execution) -> Way {
                const SweepCell* cell = okCellAt(
                    sweep,
                    {{"model", model}, {"attention", attention}, {"execution", execution}, {"kernels", of}});
                return cell ? Way{cell->figure("step_mean_ns"), cell->figure("step_stddev_ns"), cell} : Way();
            };
            Compared compared{model, attention, way(kernels.front(), "eager"), way(kernels.front(), "graph"),
                              {},    {}};
            if (kernels.size() > 1) {
                compared.fusedEager = way(kernels.back(), "eager");
                compared.fusedGraph = way(kernels.back(), "graph");
            }
            if (compared.eager.ran() || compared.graph.ran() || compared.fusedEager.ran() ||
                compared.fusedGraph.ran())
                all.push_back(std::move(compared));
        }
    }
    return all;
}

std::optional<double> ratioOf(const Way& before, const Way& now) {
    return before.ran() && now.ran() ? std::optional(*before.mean / *now.mean) : std::nullopt;
}

ReportTable timesTable(const std::vector<Compared>& all) {
    ReportTable table{"Step time, eager and as a graph, with the library's and with fused kernels",
                      {{"Model", "model"},
                       {"Attention", "attention"},
                       {"Eager", "eager_mean_ns", Unit::kNanoseconds},
                       {"± Std", "eager_stddev_ns", Unit::kNanoseconds},
                       {"Graph", "graph_mean_ns", Unit::kNanoseconds},
                       {"± Std", "graph_stddev_ns", Unit::kNanoseconds},
                       {"Speed-up", "speedup", Unit::kRatio},
                       {"Fused, eager", "fused_eager_mean_ns", Unit::kNanoseconds},
                       {"± Std", "fused_eager_stddev_ns", Unit::kNanoseconds},
                       {"Fused, graph", "fused_graph_mean_ns", Unit::kNanoseconds},
                       {"± Std", "fused_graph_stddev_ns", Unit::kNanoseconds},
                       {"Speed-up by fusing, eager", "fused_eager_speedup", Unit::kRatio},
                       {"Speed-up by fusing, graph", "fused_graph_speedup", Unit::kRatio},
                       {"Speed-up by both", "both_speedup", Unit::kRatio}},
                      {},
                      "compiled"};
    const auto ratio = [](const Way& before, const Way& now) { return cellOf(ratioOf(before, now)); };
    for (const Compared& of : all)
        table.rows.push_back({of.model, of.attention, wholeCell(of.eager.mean), wholeCell(of.eager.deviation),
                              wholeCell(of.graph.mean), wholeCell(of.graph.deviation),
                              ratio(of.eager, of.graph), wholeCell(of.fusedEager.mean),
                              wholeCell(of.fusedEager.deviation), wholeCell(of.fusedGraph.mean),
                              wholeCell(of.fusedGraph.deviation), ratio(of.eager, of.fusedEager),
                              ratio(of.graph, of.fusedGraph), ratio(of.eager, of.fusedGraph)});
    return table;
}

/// `kernels` is empty where they were not varied.
Chart speedupChart(const std::vector<Compared>& all, const std::string& kernels) {
    Chart chart{.key = "compiled-speedup",
                .title = "How many times as fast a step is as a graph" +
                         (kernels.empty() ? std::string() : ", and with " + kernels),
                .kind = ChartKind::kBars};
    chart.x = {"Model and attention", Unit::kText};
    chart.y = {"Speed-up over eager", Unit::kRatio};
    std::array<ChartSeries, 3> series{
        {{.name = "graph"}, {.name = kernels + ", eager"}, {.name = kernels + ", graph"}}};
    for (const Compared& of : all) {
        const std::array ratios = {ratioOf(of.eager, of.graph), ratioOf(of.eager, of.fusedEager),
                                   ratioOf(of.eager, of.fusedGraph)};
        for (std::size_t i = 0; i < series.size(); ++i) {
            if (ratios[i])
                series[i].points.push_back(
                    {.x = static_cast<double>(chart.x.categories.size()), .y = *ratios[i]});
        }
        chart.x.categories.push_back(of.model + ", " + of.attention);
    }
    for (ChartSeries& one : series) {
        if (!one.points.empty())
            chart.series.push_back(std::move(one));
    }
    return chart;
}

/// What a graph gains; where they ran, what fused kernels gain, and of what kind the gain of both is.
std::string answerOf(const Compared& of, const std::string& kernels) {
    std::string sentence;
    if (const auto ratio = ratioOf(of.eager, of.graph))
        sentence = "As a graph a step of " + of.model + " with " + of.attention + " attention takes " +
                   timeWithSpread(*of.graph.mean) + " instead of " + timeWithSpread(*of.eager.mean) + ": " +
                   speedWords(*ratio, 1) + ".";
    if (const auto ratio = ratioOf(of.graph, of.fusedGraph); ratio && !sentence.empty()) {
        sentence += " With " + kernels + " the graph takes " + timeWithSpread(*of.fusedGraph.mean) + ", " +
                    speedWords(*ratio, 1) + " as with the library's";
        if (const auto eager = ratioOf(of.eager, of.fusedEager))
            sentence += ", and the step op by op " + timeWithSpread(*of.fusedEager.mean) + ", " +
                        speedWords(*eager, 1);
        sentence += ".";
        const double launches = *of.eager.mean - *of.graph.mean,
                     traffic = *of.graph.mean - *of.fusedGraph.mean;
        if (launches > 0 && traffic > 0)
            sentence += " Of the " + timeWithSpread(launches + traffic) + " that both gain together, " +
                        timeWithSpread(launches) + " were spent on launches, and " + timeWithSpread(traffic) +
                        " on memory traffic and the gaps between kernels.";
    }
    if (!sentence.empty())
        sentence.insert(sentence.size() - 1, disturbedClause({of.eager.cell, of.graph.cell,
                                                              of.fusedEager.cell, of.fusedGraph.cell}));
    return sentence;
}

std::vector<NamedSweep> compiledSweeps(const ExperimentOptions& options) {
    if (!options.onGpu())
        return {};
    // What was given of attention alone is no setting of the model.
    ExperimentOptions ofModel = options;
    std::erase_if(ofModel.given, [](const SweepAxis& axis) {
        const Setting* setting = findSetting(axis.key);
        return setting && setting->workloadProblem(RunConfig()).has_value();
    });
    NamedSweep model = planSweep(
        ofModel, "compiled",
        {{"model", {"small", "medium", "large"}},
         {"attention", {"naive", "sdpa-flash"}},
         {"execution", {"eager", "graph"}},
         {"kernels", {std::string(kLibraryKernels), std::string(kFusedKernels)}}},
        {{"precision", "bf16"}, {"context", "512"}, {"mode", "step"}, {"warmup", "5"}, {"steps", "10"}},
        KeepRuns::kNo, {"context"});
    return {std::move(model), compiledAttentionSweep(options)};
}

void evaluateCompiled(const ExperimentEvidence& evidence, ExperimentResult& result) {
    if (!evidence.options().onGpu()) {
        result.answers.emplace_back(
            "A CUDA graph and the fused kernels need a GPU: on the CPU every step runs op by op with the "
            "library's kernels, and there is nothing to compare.");
        return;
    }
    const Sweep& sweep = evidence.sweep("compiled");
    const std::vector<Compared> all = comparedOf(sweep);
    const std::vector<std::string> varied = valuesOf(sweep, "kernels");
    const std::string kernels = varied.size() > 1 ? kernelsWords(varied.back()) : std::string();
    for (const Compared& of : all) {
        if (std::string answer = answerOf(of, kernels); !answer.empty())
            result.answers.push_back(std::move(answer));
    }
    Chart chart = speedupChart(all, kernels);
    chart.setup = settingsInCommon(sweep.plan);
    if (!result.answers.empty())
        chart.sentence = result.answers.front();
    result.charts.push_back(std::move(chart));
    result.tables.push_back(timesTable(all));
    noteCells(sweep, result);
    evaluateCompiledAttention(evidence.sweep("attention"), result);
}

}  // namespace

const Experiment kCompiled = {"compiled", "Compiled execution",
                              "How much of a step's time is the launching of its kernels, which a CUDA graph "
                              "saves, and how much is memory traffic, which fused kernels save.",
                              compiledSweeps, evaluateCompiled};

}  // namespace warpglass::experiment
