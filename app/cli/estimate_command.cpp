#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/config_options.h"
#include "app/cli/report.h"
#include "engine/base/gpu_devices.h"
#include "engine/plan/estimate.h"
#include "engine/session/runner_library.h"

namespace warpglass::cli {
namespace {

struct EstimateOptions {
    ConfigOptions run;
    bool details = false;
    TableFormat format = TableFormat::kTable;
};

std::string_view fitWord(Fit fit) {
    switch (fit) {
        case Fit::kFits:
            return "fits";
        case Fit::kTight:
            return "tight";
        case Fit::kTooLarge:
            return "too-large";
        case Fit::kUnknown:
            break;
    }
    return "unknown";
}

ReportTable attentionTable(const Estimate& estimate) {
    const RunConfig& config = estimate.config;
    return {shortTitle(config),
            {{"Workload", "workload"},
             {"Batch", "batch", Unit::kCount},
             {"Heads", "heads", Unit::kCount},
             {"Length", "context", Unit::kCount},
             {"Head dimension", "head_dim", Unit::kCount},
             {"FLOPs per pass", "total_flops", Unit::kFlops}},
            {{std::string("attention"), config.batch, config.shape.heads, config.context, config.headDim,
              estimate.flops.total().value}},
            "attention"};
}

ReportTable modelTable(const Estimate& estimate) {
    if (estimate.config->isAttention())
        return attentionTable(estimate);
    const ModelShape& shape = estimate.config->shape;
    return {shortTitle(estimate.config),
            {{"Model", "model"},
             {"Model width", "d_model", Unit::kCount},
             {"Feed-forward width", "d_ff", Unit::kCount},
             {"Layers", "layers", Unit::kCount},
             {"Heads", "heads", Unit::kCount},
             {"Vocabulary", "vocab", Unit::kCount},
             {"Parameters", "parameters", Unit::kCount},
             {"Tokens per step", "tokens", Unit::kCount},
             {"FLOPs per step", "total_flops", Unit::kFlops}},
            {{estimate.config->model, shape.dModel, shape.dFf, shape.layers, shape.heads, shape.vocabulary,
              estimate.parameters, estimate.config->tokensPerStep(), estimate.flops.total().value}},
            "model"};
}

ReportTable flopsTable(const FlopsEstimate& flops) {
    ReportTable table{"Floating-point operations of one step, by phase",
                      {{"Phase", "phase"},
                       {"GEMMs", "matmul_flops", Unit::kFlops},
                       {"Elementwise", "elementwise_flops", Unit::kFlops},
                       {"Total", "total_flops", Unit::kFlops},
                       {"Share", "share", Unit::kFraction}},
                      {},
                      "flops"};
    const auto whole = static_cast<double>(flops.total().value);
    for (std::size_t i = 0; i < kPlanPhaseNames.size(); ++i) {
        const auto phase = static_cast<PlanPhase>(i);
        const std::int64_t total = flops.total(phase).value;
        if (total > 0)
            table.rows.push_back({std::string(kPlanPhaseNames[i]), flops.matmul(phase).value,
                                  flops.elementwise(phase).value, total, static_cast<double>(total) / whole});
    }
    return table;
}

ReportTable memoryTable(const MemoryPrediction& memory) {
    ReportTable table{
        "Predicted memory at the peak, by category",
        {{"Category", "category"}, {"Size", "size_bytes", Unit::kBytes}, {"Share", "share", Unit::kFraction}},
        {},
        "memory"};
    const auto atPeak = memory.atPeak();
    const auto whole = static_cast<double>(memory.total().value);
    for (std::size_t i = 0; i < kPlanCategoryCount; ++i)
        table.rows.push_back({std::string(kPlanCategoryNames[i]), atPeak[i].value,
                              whole > 0 ? static_cast<double>(atPeak[i].value) / whole : 0.0});
    return table;
}

ReportTable fitTable(const MemoryPrediction& memory, const DeviceInfo& device) {
    const Bytes inUse = inUseAlready(device);
    const std::optional<Bytes> before = memory.beforeBackward();
    const bool known = device.available.value > 0;
    const bool present = device.memory.value > 0;
    return {"Peak",
            {{"Requested at the peak", "peak_bytes", Unit::kBytes},
             {"In phase", "phase"},
             {"At", "moment"},
             {"Available", "available_bytes", Unit::kBytes},
             {"Fit", "fit"},
             {"In words", "sentence"},
             {"Already in use", "in_use_bytes", Unit::kBytes},
             {"Given by the allocator", "given_bytes", Unit::kBytes},
             {"Reserved by the allocator", "reserved_bytes", Unit::kBytes},
             {"Requested before backward", "before_backward_bytes", Unit::kBytes}},
            {{memory.total().value, memory.peakPhase(), memory.peak().name,
              known ? Cell(device.available.value) : Cell(),
              std::string(fitWord(fitOf(memory, device.available))),
              known ? fitSentence(memory, device.available, inUse)
                    : unknownFitSentence(memory, device.id, present),
              known ? Cell(inUse.value) : Cell(), memory.given.value, memory.reserved.value,
              before ? Cell(before->value) : Cell()}},
            "peak"};
}

ReportTable leftOutTable(const MemoryPrediction& memory) {
    ReportTable table{
        "Not in the prediction", {{"Term", "term"}, {"What it is", "sentence"}}, {}, "left-out"};
    for (const LeftOutTerm& term : memory.leftOut)
        table.rows.push_back({term.name, term.sentence});
    return table;
}

ReportTable momentsTable(const MemoryPrediction& memory) {
    ReportTable table{"Moments at which memory may peak, term by term",
                      {{"Phase", "phase"},
                       {"Moment", "moment"},
                       {"Category", "category"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Tensors", "term"}},
                      {},
                      "moments"};
    for (const MemoryMoment& moment : memory.moments)
        for (const MemoryTerm& term : moment.terms)
            table.rows.push_back({moment.phase, moment.name, std::string(planCategoryName(term.category)),
                                  term.bytes.value, term.name});
    return table;
}

ReportTable workTable(const Estimate& estimate) {
    ReportTable table{"Floating-point operations of one step, by module",
                      {{"Phase", "phase"},
                       {"Module", "module"},
                       {"Part", "part"},
                       {"GEMMs", "matmul_flops", Unit::kFlops},
                       {"Elementwise", "elementwise_flops", Unit::kFlops}},
                      {},
                      "work"};
    for (const FlopsEntry& entry : estimate.flops.entries)
        table.rows.push_back({std::string(planPhaseName(entry.phase)), entry.module, entry.part,
                              entry.matmul.value, entry.elementwise.value});
    return table;
}

ReportTable parametersTable(const ModelShape& shape) {
    ReportTable table{"Parameters, by module",
                      {{"Module", "module"},
                       {"Rows", "rows", Unit::kCount},
                       {"Columns", "columns", Unit::kCount},
                       {"Parameters", "parameters", Unit::kCount}},
                      {},
                      "parameters"};
    for (const ParameterTensor& tensor : parameterTensors(shape))
        table.rows.push_back({tensor.module, tensor.rows, tensor.columns, tensor.count()});
    return table;
}

/// What is known of a device without LibTorch; nothing but its name for any other than the host.
DeviceInfo knownDevice(const std::string& id) {
    for (DeviceInfo& device : allDevices()) {
        if (device.id == id)
            return device;
    }
    DeviceInfo other;
    other.id = id;
    return other;
}

ExitStatus printEstimate(const EstimateOptions& options) {
    const std::optional<ValidConfig> config = options.run.resolve();
    if (!config)
        return ExitStatus::kWrongCommandLine;
    const Estimate estimate = estimateRun(*config);
    std::vector<ReportTable> tables = {
        asRecord(modelTable(estimate), options.format),
        flopsTable(estimate.flops),
        memoryTable(estimate.memory),
        asRecord(fitTable(estimate.memory, knownDevice((*config)->device)), options.format),
        leftOutTable(estimate.memory),
    };
    if (options.details) {
        tables.push_back(momentsTable(estimate.memory));
        tables.push_back(workTable(estimate));
        if (!(*config)->isAttention())
            tables.push_back(parametersTable((*config)->shape));
    }
    return print(renderTables(tables, options.format));
}

}  // namespace

void addEstimateCommand(CLI::App& root, Work& chosen) {
    CLI::App* command = root.add_subcommand(
        "estimate", "Show what a run would need: parameters, FLOPs, memory, and whether it fits");
    auto options = std::make_shared<EstimateOptions>();
    options->run.addTo(*command, ConfigOptions::Settings::kPlanned);
    command->add_flag("--details", options->details, "Also print every memory term, module and weight")
        ->group("Output");
    addFormatOption(*command, options->format);
    command->footer(R"(Nothing is run and LibTorch is not loaded.

Examples:
  warpglass-cli estimate --model small --context 512 --batch 4 --precision fp32 --attention naive --mode step
  warpglass-cli estimate --model custom --d-model 512 --d-ff 2048 --layers 6 --heads 8 --vocab 10000
  warpglass-cli estimate --model large --mode forward --details --format csv)");
    command->callback([&chosen, options] { chosen = [options] { return printEstimate(*options); }; });
}

}  // namespace warpglass::cli
