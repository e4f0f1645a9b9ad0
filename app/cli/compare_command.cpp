#include <algorithm>
#include <functional>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/gate_report.h"
#include "app/cli/number_option.h"
#include "app/cli/saved_run.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/spans/step_spans.h"
#include "engine/report/comparison_tables.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

struct CompareOptions {
    std::string a, b;
    /// Rows of each table; nothing asked for is kLargest for people and all for scripts.
    std::optional<std::int64_t> limit;
    bool all = false;
    /// The step of each run; --step names both.
    std::optional<std::int32_t> step, stepB;
    bool mean = false, total = false, perToken = false;
    GateOptions gate;
    TableFormat format = TableFormat::kTable;
};

/// What a person reads of a table whose rows stand in the order of their change.
constexpr std::int64_t kLargest = 20;

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

/// What people read first.
std::string introduction(const ComparisonIntroduction& said) {
    std::string text;
    for (const std::string& caution : said.cautions)
        text += "Caution: " + caution + "\n";
    for (const std::string& answer : said.answers)
        text += answer + "\n";
    for (const std::string& note : said.notes)
        text += "Note: " + note + "\n";
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
    const bool people = isForPeople(options.format);
    std::vector<ReportTable> tables = comparisonTables(comparison, *a, *b, *scope, people);
    if (!people) {
        std::vector<std::string> cautions = comparisonCautions(*a, *b);
        if (!comparison.utilizationNote.empty())
            cautions.push_back("MFU: " + comparison.utilizationNote);
        tables.push_back(tableOf<std::string>("cautions", "Cautions", cautions,
                                              {Column<std::string>("sentence", "Caution", std::identity())}));
        if (gate->isAsked())
            tables.push_back(gate->table());
    }
    const std::int64_t limit = options.limit ? *options.limit : people && !options.all ? kLargest : 0;
    for (ReportTable& table : tables)
        keepLargest(table, limit, people && !options.limit);
    std::string text = renderTables(tables, options.format);
    if (people)
        text = gate->text() + introduction(introductionOf(comparison, *scope, a, b)) + text;
    const ExitStatus printed = print(text);
    return printed == ExitStatus::kDone ? gate->status() : printed;
}

}  // namespace

void addCompareCommand(CLI::App& root, Work& chosen) {
    auto [command, options] = addCommand(
        root, chosen, "compare", "Compare two runs: phases, ops, modules, memory, settings, kernels",
        printComparison,
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
    addFileArgument(command, options.a, "A", "Run file of A, the baseline");
    addFileArgument(command, options.b, "B", "Run file of B, compared with A");
    beginGroup(command, "Output");
    addNumberOption(
        command, "--limit", options.limit,
        "Print only the first N rows of each table; 0 prints all (default: 20; all for CSV and JSON)");
    command.add_flag("--all", options.all, "Print every row of each table");
    beginGroup(command, "What is compared");
    auto* step =
        addNumberOption(command, "--step", options.step,
                        "Compare this step instead of the mean; steps count from 0, warm-up steps first");
    addNumberOption(command, "--step-b", options.stepB, "The step of B, if it differs from --step")
        ->needs(step);
    auto* mean =
        command.add_flag("--mean,--per-step", options.mean, "Compare the mean measured step (the default)")
            ->excludes(step);
    command.add_flag("--total", options.total, "Compare the sums over all measured steps")
        ->excludes(step)
        ->excludes(mean);
    command.add_flag(
        "--per-token", options.perToken,
        "Divide times by the tokens per step (batch × context), for runs whose steps differ in size");
    addGateOptions(command, options.gate);
    addFormatOption(command, options.format);
}

}  // namespace warpglass::cli
