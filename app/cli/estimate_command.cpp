#include <array>

#include "app/cli/command.h"
#include "app/cli/config_options.h"
#include "engine/base/gpu_devices.h"
#include "engine/plan/estimate.h"
#include "engine/report/run_tables.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

struct EstimateOptions {
    ConfigOptions run;
    bool details = false;
    TableFormat format = TableFormat::kTable;
};

/// By Fit.
constexpr std::array<std::string_view, 4> kFitWords = {"fits", "tight", "too-large", "unknown"};

ReportTable attentionTable(const Estimate& estimate) {
    const RunConfig& config = estimate.config;
    return recordOf("attention", shortTitle(config),
                    {{"workload", "Workload", Unit::kText, "attention"},
                     {"batch", "Batch", Unit::kCount, config.batch},
                     {"heads", "Heads", Unit::kCount, config.shape.heads},
                     {"context", "Length", Unit::kCount, config.context},
                     {"head_dim", "Head dimension", Unit::kCount, config.headDim},
                     {"total_flops", "FLOPs per pass", Unit::kFlops, estimate.flops.total()}});
}

ReportTable modelTable(const Estimate& estimate) {
    const RunConfig& config = estimate.config;
    const ModelShape& shape = config.shape;
    return recordOf("model", shortTitle(config),
                    {{"model", "Model", Unit::kText, config.model},
                     {"d_model", "Model width", Unit::kCount, shape.dModel},
                     {"d_ff", "Feed-forward width", Unit::kCount, shape.dFf},
                     {"layers", "Layers", Unit::kCount, shape.layers},
                     {"heads", "Heads", Unit::kCount, shape.heads},
                     {"vocab", "Vocabulary", Unit::kCount, shape.vocabulary},
                     {"parameters", "Parameters", Unit::kCount, estimate.parameters},
                     {"tokens", "Tokens per step", Unit::kCount, config.tokensPerStep()},
                     {"total_flops", "FLOPs per step", Unit::kFlops, estimate.flops.total()}});
}

ReportTable flopsTable(const FlopsEstimate& flops) {
    std::vector<PlanPhase> phases;
    for (std::size_t i = 0; i < kPlanPhaseNames.size(); ++i) {
        if (flops.total(static_cast<PlanPhase>(i)).value > 0)
            phases.push_back(static_cast<PlanPhase>(i));
    }
    const auto total = [&](PlanPhase phase) { return flops.total(phase); };
    using Of = Column<PlanPhase>;
    return tableOf<PlanPhase>(
        "flops", "Floating-point operations of one step, by phase", phases,
        {Of("phase", "Phase", planPhaseName),
         Of("matmul_flops", "GEMMs", Unit::kFlops, [&](PlanPhase phase) { return flops.matmul(phase); }),
         Of("elementwise_flops", "Elementwise", Unit::kFlops,
            [&](PlanPhase phase) { return flops.elementwise(phase); }),
         Of("total_flops", "Total", Unit::kFlops, total),
         Of("share", "Share", Unit::kFraction, shareOf(numberOf(flops.total()), total))});
}

ReportTable memoryTable(const MemoryPrediction& memory) {
    const auto atPeak = memory.atPeak();
    std::vector<CategoryPart> parts;
    for (std::size_t i = 0; i < kPlanCategoryCount; ++i)
        parts.push_back({kPlanCategoryNames[i], atPeak[i].value});
    return categoriesTable("memory", "Predicted memory at the peak, by category", parts);
}

ReportTable fitTable(const MemoryPrediction& memory, const DeviceInfo& device) {
    const Bytes inUse = inUseAlready(device);
    const bool known = device.available.value > 0;
    const bool present = device.memory.value > 0;
    return recordOf(
        "peak", "Peak",
        {{"peak_bytes", "Requested at the peak", Unit::kBytes, memory.total()},
         {"phase", "In phase", Unit::kText, memory.peakPhase()},
         {"moment", "At", Unit::kText, memory.peak().name},
         {"available_bytes", "Available", Unit::kBytes, known ? cellOf(device.available) : Cell()},
         {"fit", "Fit", Unit::kText, kFitWords[static_cast<std::size_t>(fitOf(memory, device.available))]},
         {"sentence", "In words", Unit::kText,
          known ? fitSentence(memory, device.available, inUse)
                : unknownFitSentence(memory, device.id, present)},
         {"in_use_bytes", "Already in use", Unit::kBytes, known ? cellOf(inUse) : Cell()},
         {"given_bytes", "Given by the allocator", Unit::kBytes, memory.given},
         {"reserved_bytes", "Reserved by the allocator", Unit::kBytes, memory.reserved},
         {"before_backward_bytes", "Requested before backward", Unit::kBytes, memory.beforeBackward()}});
}

ReportTable leftOutTable(const MemoryPrediction& memory) {
    using Of = Column<LeftOutTerm>;
    return tableOf<LeftOutTerm>(
        "left-out", "Not in the prediction", memory.leftOut,
        {Of("term", "Term", &LeftOutTerm::name), Of("sentence", "What it is", &LeftOutTerm::sentence)});
}

ReportTable momentsTable(const MemoryPrediction& memory) {
    struct Term {
        const MemoryMoment* moment;
        const MemoryTerm* term;
    };
    std::vector<Term> terms;
    for (const MemoryMoment& moment : memory.moments) {
        for (const MemoryTerm& term : moment.terms)
            terms.push_back({&moment, &term});
    }
    using Of = Column<Term>;
    return tableOf<Term>(
        "moments", "Moments at which memory may peak, term by term", terms,
        {Of("phase", "Phase", through(&Term::moment, &MemoryMoment::phase)),
         Of("moment", "Moment", through(&Term::moment, &MemoryMoment::name)),
         Of("category", "Category", [](const Term& of) { return planCategoryName(of.term->category); }),
         Of("size_bytes", "Size", Unit::kBytes, through(&Term::term, &MemoryTerm::bytes)),
         Of("term", "Tensors", through(&Term::term, &MemoryTerm::name))});
}

ReportTable workTable(const Estimate& estimate) {
    using Of = Column<FlopsEntry>;
    return tableOf<FlopsEntry>(
        "work", "Floating-point operations of one step, by module", estimate.flops.entries,
        {Of("phase", "Phase", [](const FlopsEntry& entry) { return planPhaseName(entry.phase); }),
         Of("module", "Module", &FlopsEntry::module), Of("part", "Part", &FlopsEntry::part),
         Of("matmul_flops", "GEMMs", Unit::kFlops, &FlopsEntry::matmul),
         Of("elementwise_flops", "Elementwise", Unit::kFlops, &FlopsEntry::elementwise)});
}

ReportTable parametersTable(const ModelShape& shape) {
    using Of = Column<ParameterTensor>;
    return tableOf<ParameterTensor>("parameters", "Parameters, by module", parameterTensors(shape),
                                    {Of("module", "Module", &ParameterTensor::module),
                                     Of("rows", "Rows", Unit::kCount, &ParameterTensor::rows),
                                     Of("columns", "Columns", Unit::kCount, &ParameterTensor::columns),
                                     Of("parameters", "Parameters", Unit::kCount, &ParameterTensor::count)});
}

ExitStatus printEstimate(const EstimateOptions& options) {
    const std::optional<ValidConfig> config = options.run.resolve();
    if (!config)
        return ExitStatus::kWrongCommandLine;
    const Estimate estimate = estimateRun(*config);
    std::vector<ReportTable> tables = {
        asRecord((*config)->isAttention() ? attentionTable(estimate) : modelTable(estimate), options.format),
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
    auto [command, options] =
        addCommand(root, chosen, "estimate",
                   "Show what a run would need: parameters, FLOPs, memory, and whether it fits",
                   printEstimate, R"(Nothing is run and LibTorch is not loaded.

Examples:
  warpglass-cli estimate --model small --context 512 --batch 4 --precision fp32 --attention naive --mode step
  warpglass-cli estimate --model custom --d-model 512 --d-ff 2048 --layers 6 --heads 8 --vocab 10000
  warpglass-cli estimate --model large --mode forward --details --format csv)");
    options.run.addTo(command, ConfigOptions::Settings::kPlanned);
    command.add_flag("--details", options.details, "Also print every memory term, module and weight")
        ->group("Output");
    addFormatOption(command, options.format);
}

}  // namespace warpglass::cli
