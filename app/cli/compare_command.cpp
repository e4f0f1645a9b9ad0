#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/gate_report.h"
#include "app/cli/number_option.h"
#include "app/cli/report.h"
#include "app/cli/saved_run.h"
#include "engine/query/compare/comparison_bridge.h"
#include "engine/query/compare/comparison_headline.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/compare/kernel_match.h"
#include "engine/query/spans/step_spans.h"
#include "engine/tables/comparison_columns.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

struct CompareOptions {
    std::string a, b;
    /// Rows of each table; nothing asked for is kLargest for people and all for scripts.
    std::optional<std::int64_t> limit;
    bool all = false;
    /// Of each run; --step names both.
    std::optional<std::int32_t> step, stepB;
    bool mean = false, total = false, perToken = false;
    GateOptions gate;
    TableFormat format = TableFormat::kTable;
};

/// What a person reads of a table whose rows stand in the order of their change.
constexpr std::int64_t kLargest = 20;

/// For people "16.0 GiB" of a limit in bytes.
ReportTable settingsTable(const std::vector<RunComparison::Setting>& settings, bool people) {
    ReportTable table{
        "Settings that differ", {{"Setting", "setting"}, {"A", "a"}, {"B", "b"}}, {}, "settings"};
    for (const RunComparison::Setting& setting : settings)
        table.rows.push_back({setting.key,
                              textOrAbsent(people ? settingWords(setting, setting.a) : setting.a),
                              textOrAbsent(people ? settingWords(setting, setting.b) : setting.b)});
    return table;
}

/// The tables in the order of reading: what was set differently, then where the time went (on the GPU where
/// there was one), then memory, then the host's side of it. `scope`: "mean of a measured step …".
std::vector<ReportTable> tablesOf(const RunComparison& comparison, const std::vector<KernelMatch>& kernels,
                                  const std::string& scope, bool oneStep, bool people) {
    const std::string scopeOfMemory = oneStep ? "of the step" : "of the measured steps";
    const bool gpu = comparison.gpuA || comparison.gpuB;
    std::vector<ReportTable> tables = {settingsTable(comparison.settings, people)};
    const auto add = [&](const char* key, const std::string& title, const std::vector<ComparisonRow>& rows) {
        tables.push_back(reportOf(comparisonTable(Unit::kNanoseconds), title + ", " + scope, rows,
                                  {.completeSteps = !oneStep}, people, key));
    };
    const auto addModules = [&](const char* key, const std::string& title,
                                const std::vector<ComparisonRow>& rows) {
        add(key, title, rows);
        addSentences(tables.back().title, comparison.splits);
    };
    if (comparison.mixed()) {
        const std::string clocks =
            comparison.gpuA ? "GPU time of A, CPU time of B" : "CPU time of A, GPU time of B";
        add("mixed-phases", "Phases, " + clocks, comparison.mixedPhases);
        add("mixed-ops", "Ops, " + clocks, comparison.mixedOps);
        addModules("mixed-modules", "Modules, " + clocks, comparison.mixedModules);
    }
    if (gpu) {
        add("gpu-phases", "Phases, GPU time", comparison.gpuPhases);
        add("kernel-matches", "Kernels and copies by launching op and by name",
            kernelRows(kernels, comparison));
        add("kernels", "Kernels and copies by name", comparison.kernels);
        add("gpu-ops", "GPU time by launching op", comparison.gpuOps);
        addModules("gpu-modules", "GPU time by module", comparison.gpuModules);
    }
    if (!comparison.utilization.empty())
        tables.push_back(reportOf(comparisonTable(Unit::kFraction),
                                  "MFU: the model's GEMMs against the peak rate", comparison.utilization, {},
                                  people));
    const std::string peak = oneStep ? "Memory at the step's peak, " : "Memory at the peak, ";
    const auto addMemory = [&](const char* key, const std::string& title,
                               const std::vector<ComparisonRow>& rows) {
        tables.push_back(reportOf(comparisonTable(Unit::kBytes), title, rows, {}, people, key));
    };
    addMemory("memory", peak + "by category", comparison.categories);
    addMemory("memory-phases", "The most memory in each phase, " + scopeOfMemory, comparison.phaseMemory);
    if (!comparison.beforeBackward.empty())
        addMemory("memory-before-backward", "Memory just before the backward pass, " + scopeOfMemory,
                  comparison.beforeBackward);
    addMemory("memory-modules", peak + "by module", comparison.moduleMemory);
    addMemory("memory-ops", peak + "by the op that requested it", comparison.opMemory);
    add("phases", "Phases, CPU time", comparison.phases);
    add("ops", "Ops on the CPU, self time", comparison.ops);
    add("modules", "Modules, time of their ops on the CPU", comparison.modules);
    return tables;
}

/// Settings, phases and categories stand in an order of their own.
bool isByChange(const ReportTable& table) {
    return table.key != "settings" && table.key != "mfu" && table.key != "memory" &&
           table.key != "memory-before-backward" && !table.key.ends_with("phases");
}

/// Keeps the rows of the largest changes, and says in the title how many are left out.
void keepLargest(ReportTable& table, std::int64_t limit, bool sayAll) {
    const std::size_t rows = table.rows.size();
    keepFirst(table, limit);
    if (const std::size_t left = rows - table.rows.size(); left > 0)
        table.title += " (the " + std::to_string(limit) +
                       (isByChange(table) ? " largest changes; " : " first rows; ") + std::to_string(left) +
                       (left == 1 ? " more is left out" : " more are left out") +
                       (sayAll ? ", --all shows them)" : ")");
}

bool hasStep(const std::string& path, const Snapshot& run, std::int32_t step) {
    const std::vector<StepSpan> steps = endedSteps(run);
    const auto has = std::any_of(steps.begin(), steps.end(),
                                 [step](const StepSpan& candidate) { return candidate.step == step; });
    if (!has)
        say(path + " has no step " + std::to_string(step) +
            (steps.empty() ? ": it has no step that ended."
                           : ": its steps are " + std::to_string(steps.front().step) + " to " +
                                 std::to_string(steps.back().step) + "."));
    return has;
}

/// Nothing, and a sentence to the person, where a run has no such step.
std::optional<ComparisonScope> scopeOf(const CompareOptions& options, const Snapshot& a, const Snapshot& b) {
    ComparisonScope scope;
    scope.perToken = options.perToken;
    if (options.total)
        scope.steps = ComparisonScope::Steps::kSum;
    if (!options.step && !options.stepB)
        return scope;
    scope.steps = ComparisonScope::Steps::kOne;
    scope.stepA = options.step ? *options.step : *options.stepB;
    scope.stepB = options.stepB ? *options.stepB : *options.step;
    if (!hasStep(options.a, a, scope.stepA) || !hasStep(options.b, b, scope.stepB))
        return std::nullopt;
    return scope;
}

/// For scripts; people read them over the headline.
ReportTable cautionsTable(const std::vector<std::string>& cautions) {
    ReportTable table{"Cautions", {{"Caution", "sentence"}}, {}, "cautions"};
    for (const std::string& caution : cautions)
        table.rows.push_back({caution});
    return table;
}

/// What people read first: what keeps their times from being compared as they are, the headline, of the one
/// step or else of the mean of the measured ones, and what to know of the pair. `comparison` is in `scope`.
std::string introduction(const RunComparison& comparison, const ComparisonScope& scope,
                         const std::shared_ptr<const Snapshot>& a, const std::shared_ptr<const Snapshot>& b) {
    const RunComparison mean = scope == ComparisonScope() ? comparison : compareRuns(a, b);
    const ComparisonHeadline headline = scope.steps == ComparisonScope::Steps::kOne
                                            ? headlineOf(comparison, *a, *b, scope)
                                            : headlineOf(mean, *a, *b);
    std::string text;
    for (const std::string& caution : comparisonCautions(*a, *b))
        text += "Caution: " + caution + "\n";
    text += headline.text();
    text += headline.text().empty() ? "" : "\n";
    // Where the headline has no step times, these say nothing either.
    const bool steps = headline.stepA && headline.stepB;
    if (const auto bridge = steps ? timeBridge(comparison, *a, *b, scope) : std::nullopt)
        text += "Step time: " + bridge->text() + "\n";
    if (const auto bridge = memoryBridge(comparison))
        text += "Peak memory: " + bridge->text() + "\n";
    for (const std::string& note : comparisonNotes(mean, a, b))
        text += "Note: " + note + "\n";
    if (!comparison.utilizationNote.empty())
        text += "Note: MFU: " + comparison.utilizationNote + "\n";
    return text.empty() ? text : text + "\n";
}

ExitStatus printComparison(const CompareOptions& options) {
    const std::shared_ptr<const Snapshot> a = openSaved(options.a);
    const std::shared_ptr<const Snapshot> b = openSaved(options.b);
    if (!a || !b)
        return ExitStatus::kWorkFailed;
    const std::optional<ComparisonScope> scope = scopeOf(options, *a, *b);
    if (!scope)
        return ExitStatus::kWorkFailed;
    const std::optional<Gate> gate = gateOf(options.gate, a, b);
    if (!gate)
        return ExitStatus::kWorkFailed;
    const RunComparison comparison = compareRuns(a, b, *scope);
    const bool oneStep = scope->steps == ComparisonScope::Steps::kOne;
    const bool people = isForPeople(options.format);
    std::vector<ReportTable> tables =
        tablesOf(comparison, matchKernels(*a, *b, *scope), scopeText(*a, *b, *scope), oneStep, people);
    if (!people) {
        std::vector<std::string> cautions = comparisonCautions(*a, *b);
        if (!comparison.utilizationNote.empty())
            cautions.push_back("MFU: " + comparison.utilizationNote);
        tables.push_back(cautionsTable(cautions));
        if (gate->isAsked())
            tables.push_back(gate->table());
    }
    const std::int64_t limit = options.limit ? *options.limit : people && !options.all ? kLargest : 0;
    for (ReportTable& table : tables)
        keepLargest(table, limit, people && !options.limit);
    std::string text = renderTables(tables, options.format);
    if (people)
        text = gate->text() + introduction(comparison, *scope, a, b) + text;
    const ExitStatus printed = print(text);
    return printed == ExitStatus::kDone ? gate->status() : printed;
}

}  // namespace

void addCompareCommand(CLI::App& root, Work& chosen) {
    CLI::App* command =
        root.add_subcommand("compare", "Compare two runs: phases, ops, modules, memory, settings, kernels");
    auto options = std::make_shared<CompareOptions>();
    addFileArgument(*command, options->a, "A", "Run file of A, the baseline");
    addFileArgument(*command, options->b, "B", "Run file of B, compared with A");
    addNumberOption(
        *command, "--limit", options->limit,
        "Print only the first N rows of each table; 0 prints all (default: 20; all for CSV and JSON)")
        ->group("Output");
    command->add_flag("--all", options->all, "Print every row of each table")->group("Output");
    auto* step =
        addNumberOption(*command, "--step", options->step,
                        "Compare this step instead of the mean; steps count from 0, warm-up steps first")
            ->group("What is compared");
    auto* stepB =
        addNumberOption(*command, "--step-b", options->stepB, "The step of B, if it differs from --step")
            ->group("What is compared");
    stepB->needs(step);
    auto* mean =
        command->add_flag("--mean,--per-step", options->mean, "Compare the mean measured step (the default)")
            ->group("What is compared");
    command->add_flag("--total", options->total, "Compare the sums over all measured steps")
        ->excludes(step)
        ->excludes(mean)
        ->group("What is compared");
    mean->excludes(step);
    command
        ->add_flag(
            "--per-token", options->perToken,
            "Divide times by the tokens per step (batch × context), for runs whose steps differ in size")
        ->group("What is compared");
    addGateOptions(*command, options->gate);
    addFormatOption(*command, options->format);
    command->footer(
        R"(Times are those of a mean measured step, so runs of different lengths compare; --step, --total and
--per-token choose otherwise, and each title says what is compared. The first line says what came of it,
after a caution where the two did not run under the same conditions (a busy host, another clock);
then what was set differently, and each table with its largest changes first.

Examples:
  warpglass-cli compare fp32.wgrun bf16.wgrun
  warpglass-cli compare a.wgrun b.wgrun --all --format markdown
  warpglass-cli compare a.wgrun b.wgrun --step 4
  warpglass-cli compare batch4.wgrun batch8.wgrun --per-token
  warpglass-cli compare base.wgrun new.wgrun --fail-if "step.mean > +5%" --fail-if "memory.peak > +1%")");
    command->callback([&chosen, options] { chosen = [options] { return printComparison(*options); }; });
}

}  // namespace warpglass::cli
