// The type of every tensor under autocast: of a small network, and of the Transformer's modules.
#include <algorithm>
#include <array>

#include "engine/base/format.h"
#include "engine/experiments/catalog.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_words.h"
#include "engine/plan/parameters.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/spans/step_selection.h"
#include "engine/runner/runner_api.h"
#include "engine/sweep/grid.h"
#include "engine/trace/span_detail.h"

namespace warpglass::experiment {
namespace {

/// "bf16[4,128]": a type and sizes, as a run records them.
struct TensorWords {
    std::string type, sizes;
};

std::vector<TensorWords> tensorsOf(std::string_view text) {
    std::vector<TensorWords> tensors;
    while (true) {
        const std::size_t open = text.find('[');
        const std::size_t close = text.find(']', open == text.npos ? 0 : open);
        if (open == text.npos || close == text.npos)
            return tensors;
        std::string_view type = text.substr(0, open);
        type.remove_prefix(std::min(type.find_first_not_of(", "), type.size()));
        tensors.push_back({std::string(type), std::string(text.substr(open + 1, close - open - 1))});
        text.remove_prefix(close + 1);
    }
}

/// What the ops of a module, of all blocks together, took and gave in one step.
struct ModuleTypes {
    std::string weight, input, output, gradient;
};

std::string sizesOf(const ParameterTensor& tensor) {
    return isGain(tensor) ? std::to_string(tensor.rows)
                          : std::to_string(tensor.rows) + "," + std::to_string(tensor.columns);
}

/// By the module's path with its block left open, in the model's order.
class TypesByModule {
public:
    TypesByModule(const Snapshot& run, const RunConfig& config) : m_run(run) {
        for (const ParameterTensor& tensor : parameterTensors(config.shape)) {
            const std::string group = moduleGroup(tensor.module);
            if (!m_types.contains(group))
                m_order.push_back(group);
            m_types[group];
            m_parameter[group] = sizesOf(tensor);
        }
        const StepSelection steps = stepsToAverage(run);
        for (const SpanLane& lane : lanesOfKind(run, TrackKind::kCpuThread))
            forEachRow(lane, {}, [&](const SpanChunk& chunk, std::uint32_t i) {
                if (chunk.step[i] == steps.last)
                    add(chunk.row(i), lane.depth());
            });
    }

    const std::vector<std::string>& order() const { return m_order; }
    const ModuleTypes& of(const std::string& group) const { return m_types.at(group); }

private:
    void add(const SpanRow& row, std::uint32_t depth) {
        const std::optional<SpanDetail> detail = m_run.detail(row.detail);
        if (!detail || detail->kind != DetailKind::kOp)
            return;
        const Place place = m_run.place(row.place);
        const auto found = m_types.find(moduleGroup(m_run.name(place.module)));
        if (found == m_types.end())
            return;
        const std::string_view text = m_run.name(detail->fullName);
        const std::size_t arrow = text.find(kTypesArrow);
        const std::vector<TensorWords> inputs = tensorsOf(text.substr(0, arrow));
        const std::vector<TensorWords> outputs = arrow == text.npos
                                                     ? std::vector<TensorWords>()
                                                     : tensorsOf(text.substr(arrow + kTypesArrow.size()));
        ModuleTypes& types = found->second;
        if (place.phase == Phase::kForward && depth == 0) {
            if (types.input.empty() && !inputs.empty())
                types.input = typeOtherThan(m_parameter[found->first], inputs);
            if (!outputs.empty())
                types.output = outputs.front().type;
            for (const TensorWords& tensor : inputs) {
                if (tensor.sizes == m_parameter[found->first])
                    types.weight = tensor.type;
            }
        }
        if (place.phase == Phase::kBackward && m_run.name(row.name) == "torch::autograd::AccumulateGrad" &&
            !inputs.empty())
            types.gradient = inputs.front().type;
    }

    /// The embedding's first tensor is its table; what comes in are the tokens.
    static std::string typeOtherThan(const std::string& parameter, const std::vector<TensorWords>& inputs) {
        for (const TensorWords& tensor : inputs) {
            if (tensor.sizes != parameter)
                return tensor.type;
        }
        return inputs.front().type;
    }

    const Snapshot& m_run;
    std::vector<std::string> m_order;
    std::map<std::string, ModuleTypes> m_types;
    std::map<std::string, std::string> m_parameter;
};

/// A table of types as a picture: rows from above, columns after the first from the left, colored by type.
Chart typesChart(const ReportTable& table, const std::string& key, const std::string& what) {
    // Those of 16 bits first, which are next to one another in color.
    constexpr std::array<std::string_view, 3> kInOrder = {"bf16", "fp16", "fp32"};
    Chart chart{.key = key, .title = table.title, .kind = ChartKind::kHeatMap};
    chart.x = {what, Unit::kText};
    chart.y = {table.columns.front().title, Unit::kText};
    chart.value = {"Type", Unit::kText};
    std::vector<std::string>& types = chart.value.categories;
    for (const std::vector<Cell>& row : table.rows) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (const std::string type = readableCell(row[i], Unit::kText);
                !isAbsent(row[i]) && std::ranges::find(types, type) == types.end())
                types.push_back(type);
        }
    }
    std::ranges::stable_sort(types, {}, [&](const std::string& type) {
        return std::ranges::find(kInOrder, type) - kInOrder.begin();
    });
    for (std::size_t i = 1; i < table.columns.size(); ++i)
        chart.x.categories.push_back(table.columns[i].title);
    ChartSeries cells{"Type", {}};
    for (std::size_t r = table.rows.size(); r-- > 0;) {
        const std::vector<Cell>& row = table.rows[r];
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (isAbsent(row[i]))
                continue;
            const auto type = std::ranges::find(types, readableCell(row[i], Unit::kText)) - types.begin();
            cells.points.push_back({.x = static_cast<double>(i - 1),
                                    .y = static_cast<double>(chart.y.categories.size()),
                                    .value = static_cast<double>(type)});
        }
        chart.y.categories.push_back(readableCell(row.front(), Unit::kText));
    }
    chart.series.push_back(std::move(cells));
    return chart;
}

constexpr std::string_view kSmallNetwork = "small-network";

ReportTable smallTable(const std::vector<std::pair<std::string, std::vector<NamedType>>>& columns) {
    ReportTable table{"fc1 → ReLU → LayerNorm → fc2 under autocast",
                      {{"Tensor", "tensor"}},
                      {},
                      std::string(kSmallNetwork)};
    for (const auto& [title, types] : columns)
        table.columns.push_back({title, title});
    for (std::size_t i = 0; i < columns.front().second.size(); ++i) {
        std::vector<Cell> row{columns.front().second[i].tensor};
        for (const auto& [title, types] : columns)
            row.push_back(i < types.size() ? Cell(types[i].type) : Cell());
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// A column of the table that an earlier evaluation wrote; empty for none.
std::vector<NamedType> keptTypes(const std::optional<ExperimentResult>& before, const std::string& title) {
    std::vector<NamedType> types;
    for (const ReportTable& table : before ? before->tables : std::vector<ReportTable>()) {
        const auto column = std::ranges::find(table.columns, title, &ReportColumn::title);
        if (table.key != kSmallNetwork || column == table.columns.end())
            continue;
        const auto at = static_cast<std::size_t>(column - table.columns.begin());
        for (const std::vector<Cell>& row : table.rows) {
            if (at < row.size() && !isAbsent(row[at]))
                types.push_back({readableCell(row[0], Unit::kText), readableCell(row[at], Unit::kText)});
        }
    }
    return types;
}

void evaluateSmall(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Result<Runner*> runner = evidence.runner();
    const std::optional<ExperimentResult> before = evidence.before();
    std::vector<std::pair<std::string, std::vector<NamedType>>> columns;
    std::vector<std::string> devices{"cpu"};
    if (evidence.options().onGpu())
        devices.insert(devices.begin(), evidence.options().device);
    for (const std::string& device : devices) {
        for (const Precision precision : {Precision::kFp16, Precision::kBf16}) {
            std::string title = std::string(precisionName(precision)) + " on " + device;
            Result<std::vector<NamedType>> computed =
                runner ? (*runner)->autocastTypes(device, precision) : runner.error();
            // Where the answer is worked out anew on a machine without that device, or without LibTorch.
            std::vector<NamedType> types = computed ? std::move(*computed) : keptTypes(before, title);
            if (!types.empty())
                columns.emplace_back(std::move(title), std::move(types));
            else if (result.notes.empty() || result.notes.back() != computed.message())
                result.notes.push_back(computed.message());
        }
    }
    if (columns.empty())
        return;
    for (const auto& [title, types] : columns) {
        std::vector<std::string> words;
        for (const NamedType& one : types) {
            if (one.tensor.find("output") != std::string::npos || one.tensor == "loss" ||
                one.tensor == "fc1 weight" || one.tensor == "fc1 gradient")
                words.push_back(one.tensor + " " + one.type);
        }
        result.answers.push_back("Under " + title + ": " + listed(words) + ".");
    }
    const bool lowOnCpu = std::ranges::any_of(columns.back().second, [](const NamedType& one) {
        return one.tensor == "LayerNorm output" && one.type != "fp32";
    });
    if (lowOnCpu)  // the last column is the CPU's
        result.notes.emplace_back(
            "On the CPU autocast leaves LayerNorm in 16 bits; on a GPU it is one of the ops that run in "
            "fp32.");
    result.tables.push_back(smallTable(columns));
    result.charts.push_back(
        typesChart(result.tables.back(), "autocast-small-network", "Precision and device"));
    result.charts.back().sentence = result.answers.front();
}

void evaluateTransformer(const ExperimentEvidence& evidence, ExperimentResult& result) {
    const Sweep& sweep = evidence.sweep("transformer");
    for (const SweepCell& cell : sweep.cells) {
        const auto run = evidence.run(cell);
        if (!run)
            continue;
        const std::string precision = valueOf(sweep, cell, "precision");
        const TypesByModule types(*run, configOf(sweep.plan, cell));
        ReportTable table{
            "Types of the Transformer's modules, " + precision + " on " + evidence.options().device,
            {{"Module", "module"},
             {"Weight", "weight"},
             {"Input", "input"},
             {"Output", "output"},
             {"Gradient", "gradient"}},
            {},
            "transformer-" + precision};
        std::vector<std::string> low, full;
        for (const std::string& module : types.order()) {
            const ModuleTypes& of = types.of(module);
            table.rows.push_back({module, textOrAbsent(of.weight), textOrAbsent(of.input),
                                  textOrAbsent(of.output), textOrAbsent(of.gradient)});
            if (of.output == precision)
                low.push_back(module);
            else if (of.output == "fp32")
                full.push_back(module);
        }
        const bool weightsFull = std::ranges::all_of(table.rows, [](const auto& row) {
            const auto in32 = [](const Cell& cell) { return isAbsent(cell) || cell == Cell("fp32"); };
            return in32(row[1]) && in32(row[4]);
        });
        Chart chart = typesChart(table, "autocast-transformer-" + precision, "Tensor");
        chart.setup = settingsInCommon(sweep.plan);
        if (!low.empty() && !full.empty())
            chart.sentence = "In the Transformer under " + precision + " autocast the outputs of " +
                             listed(low) + " are " + precision + ", those of " + listed(full) + " fp32" +
                             (weightsFull ? "; every weight and every gradient is fp32." : ".");
        if (!chart.sentence.empty())
            result.answers.push_back(chart.sentence);
        if (!chart.series.front().points.empty())
            result.charts.push_back(std::move(chart));
        result.tables.push_back(std::move(table));
    }
    noteCells(sweep, result);
}

std::vector<NamedSweep> autocastSweeps(const ExperimentOptions& options) {
    return {
        planSweep(options, "transformer",
                  {{"precision", byDevice<std::vector<std::string>>(options, {"fp16", "bf16"}, {"bf16"})}},
                  {{"model", byDevice<std::string>(options, "small", "tiny")},
                   {"context", "64"},
                   {"mode", "step"},
                   {"warmup", "1"},
                   {"steps", "1"},
                   {"record", "ops,shapes"}},
                  KeepRuns::kYes)};
}

void evaluateAutocast(const ExperimentEvidence& evidence, ExperimentResult& result) {
    evaluateSmall(evidence, result);
    evaluateTransformer(evidence, result);
    if (!evidence.options().onGpu() && !evidence.options().find("precision"))
        result.notes.emplace_back("The Transformer's fp16 needs a GPU, so only bf16 was run.");
}

}  // namespace

const Experiment kAutocast = {.name = "autocast",
                              .title = "Types under autocast",
                              .lookFor =
                                  "Which tensors autocast computes in 16 bits and which stay in fp32: "
                                  "parameters, outputs, loss and gradients.",
                              .sweeps = autocastSweeps,
                              .evaluate = evaluateAutocast,
                              .tellsTimes = false};

}  // namespace warpglass::experiment
