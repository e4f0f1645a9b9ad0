// What running a step as one CUDA graph gains over running it op by op.
#include <cmath>

#include "engine/base/format.h"
#include "engine/experiments/catalogue.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/sweep/grid.h"

namespace warpglass::experiment {
namespace {

ReportTable timesTable(const Sweep& sweep) {
    ReportTable table{"Step time, eager and as a graph",
                      {{"Model", "model"},
                       {"Attention", "attention"},
                       {"Eager", "eager_mean_ns", Unit::kNanoseconds},
                       {"± Std", "eager_stddev_ns", Unit::kNanoseconds},
                       {"Graph", "graph_mean_ns", Unit::kNanoseconds},
                       {"± Std", "graph_stddev_ns", Unit::kNanoseconds},
                       {"Speed-up", "speedup", Unit::kRatio}},
                      {},
                      "compiled"};
    for (const std::string& model : valuesOf(sweep, "model")) {
        for (const std::string& attention : valuesOf(sweep, "attention")) {
            const auto figure = [&](const char* execution, const char* key) -> std::optional<double> {
                const SweepCell* cell =
                    cellAt(sweep, {{"model", model}, {"attention", attention}, {"execution", execution}});
                return cell && cell->state == CellState::kOk ? cell->figure(key) : std::nullopt;
            };
            const auto eager = figure("eager", "step_mean_ns"), graph = figure("graph", "step_mean_ns");
            if (!eager && !graph)
                continue;
            const auto whole = [](std::optional<double> value) { return value ? wholeCell(*value) : Cell(); };
            table.rows.push_back({model, attention, whole(eager), whole(figure("eager", "step_stddev_ns")),
                                  whole(graph), whole(figure("graph", "step_stddev_ns")),
                                  eager && graph && *graph > 0 ? Cell(*eager / *graph) : Cell()});
        }
    }
    return table;
}

Chart speedupChart(const ReportTable& table) {
    Chart chart{.key = "compiled-speedup",
                .title = "How many times as fast a step is as a graph",
                .kind = ChartKind::kBars};
    chart.x = {"Model and attention", Unit::kText};
    chart.y = {"Speed-up over eager", Unit::kRatio};
    ChartSeries series{"graph", {}};
    for (const auto& row : table.rows) {
        const auto* ratio = std::get_if<double>(&row.back());
        if (!ratio)
            continue;
        series.points.push_back({.x = static_cast<double>(chart.x.categories.size()), .y = *ratio});
        chart.x.categories.push_back(readableCell(row[0], Unit::kText) + ", " +
                                     readableCell(row[1], Unit::kText));
    }
    chart.series.push_back(std::move(series));
    return chart;
}

std::vector<NamedSweep> sweeps(const ExperimentOptions& options) {
    if (!options.onGpu())
        return {};
    return {planSweep(
        options, "compiled",
        {{"model", {"small", "medium", "large"}},
         {"attention", {"naive", "sdpa-flash"}},
         {"execution", {"eager", "graph"}}},
        {{"precision", "bf16"}, {"context", "512"}, {"mode", "step"}, {"warmup", "5"}, {"steps", "10"}})};
}

void evaluate(const ExperimentEvidence& evidence, ExperimentResult& result) {
    if (!evidence.options().onGpu()) {
        result.answers.emplace_back(
            "A CUDA graph needs a GPU: on the CPU every step runs op by op, and there is nothing "
            "to compare.");
        return;
    }
    const Sweep& sweep = evidence.sweep("compiled");
    ReportTable table = timesTable(sweep);
    for (const auto& row : table.rows) {
        if (const auto* ratio = std::get_if<double>(&row.back()))
            result.answers.push_back("As a graph a step of " + readableCell(row[0], Unit::kText) + " with " +
                                     readableCell(row[1], Unit::kText) + " attention takes " +
                                     readableCell(row[4], Unit::kNanoseconds) + " instead of " +
                                     readableCell(row[2], Unit::kNanoseconds) + ": " + speedWords(*ratio, 1) +
                                     ".");
    }
    Chart chart = speedupChart(table);
    if (!result.answers.empty())
        chart.sentence = result.answers.front();
    result.charts.push_back(std::move(chart));
    result.tables.push_back(std::move(table));
    noteCells(sweep, result);
}

}  // namespace

const Experiment kCompiled = {
    "compiled", "Compiled execution",
    "How much of a step's time is the launching of its kernels, which a CUDA graph saves.", sweeps, evaluate};

}  // namespace warpglass::experiment
