#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "app/cli/saved_run.h"
#include "app/cli/statistics_tables.h"
#include "engine/query/comparison_headline.h"

namespace warpglass::cli {
namespace {

struct CompareOptions {
    std::string a, b;
    /// Rows of each table; nothing asked for is kLargest for people and all for scripts.
    std::optional<std::int64_t> limit;
    bool all = false;
    TableFormat format = TableFormat::kTable;
};

/// What a person reads of a table whose rows stand in the order of their change.
constexpr std::int64_t kLargest = 20;

/// The tables in the order of reading: what was set differently, then where the time went (on the GPU where
/// there was one), then memory, then the host's side of it.
std::vector<ReportTable> tablesOf(const RunComparison& comparison) {
    const bool gpu = !comparison.kernels.empty();
    std::vector<ReportTable> tables = {settingsTable(comparison.settings)};
    const auto add = [&](const char* key, const char* title, const std::vector<ComparisonRow>& rows) {
        tables.push_back(comparisonTable(key, title, Unit::kNanoseconds, rows));
    };
    if (gpu) {
        add("gpu-phases", "Phases, the GPU's time in a measured step", comparison.gpuPhases);
        add("kernels", "Kernels and copies in a measured step, by name", comparison.kernels);
        add("gpu-ops", "The GPU's time in a measured step, by the op that launched it", comparison.gpuOps);
        add("gpu-modules", "The GPU's time in a measured step, by module", comparison.gpuModules);
    }
    if (!comparison.utilization.empty())
        tables.push_back(comparisonTable("mfu", "MFU: the model's matrix products against the peak rate",
                                         Unit::kFraction, comparison.utilization));
    tables.push_back(
        comparisonTable("memory", "Memory at the peak, by category", Unit::kBytes, comparison.categories));
    add("phases", gpu ? "Phases, the CPU's time in a measured step" : "Phases, mean of a measured step",
        comparison.phases);
    add("ops", "Ops on the CPU, self time of a measured step", comparison.ops);
    add("modules", "Modules, time of their ops on the CPU in a measured step", comparison.modules);
    return tables;
}

/// Keeps the rows of the largest changes, and says in the title how many are left out.
void keepLargest(ReportTable& table, std::int64_t limit, bool sayAll) {
    const std::size_t rows = table.rows.size();
    keepFirst(table, limit);
    if (const std::size_t left = rows - table.rows.size(); left > 0)
        table.title += " (the " + std::to_string(limit) + " largest changes; " + std::to_string(left) +
                       (left == 1 ? " more is left out" : " more are left out") +
                       (sayAll ? ", --all shows them)" : ")");
}

ExitStatus printComparison(const CompareOptions& options) {
    const std::shared_ptr<const Snapshot> a = openSaved(options.a);
    const std::shared_ptr<const Snapshot> b = openSaved(options.b);
    if (!a || !b)
        return ExitStatus::kWorkFailed;
    const RunComparison comparison = compareRuns(a, b);
    std::vector<ReportTable> tables = tablesOf(comparison);
    const bool people = isForPeople(options.format);
    const std::int64_t limit = options.limit ? *options.limit : people && !options.all ? kLargest : 0;
    for (ReportTable& table : tables)
        keepLargest(table, limit, people && !options.limit);
    std::string text = renderTables(tables, options.format);
    if (const std::string headline = headlineOf(comparison, *a, *b).text(); people && !headline.empty())
        text = headline + "\n\n" + text;
    return print(text);
}

}  // namespace

void addCompareCommand(CLI::App& root, Work& chosen) {
    CLI::App* command = root.add_subcommand(
        "compare", "Set two runs side by side: phases, ops, modules, memory, settings, kernels");
    auto options = std::make_shared<CompareOptions>();
    addFileArgument(*command, options->a, "A", "Run file to compare from");
    addFileArgument(*command, options->b, "B", "Run file to compare with it");
    command
        ->add_option(
            "--limit", options->limit,
            "Print only the first N rows of each table; 0 prints all (default: 20, all as CSV or JSON)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->group("Output");
    command->add_flag("--all", options->all, "Print every row of each table")->group("Output");
    addFormatOption(*command, options->format);
    command->footer(
        R"(Times are per measured step, so runs of different lengths compare. The first line says what
came of it; then what was set differently, and each table with its largest changes first.

Examples:
  warpglass-cli compare fp32.wgrun bf16.wgrun
  warpglass-cli compare a.wgrun b.wgrun --all --format markdown)");
    command->callback([&chosen, options] { chosen = [options] { return printComparison(*options); }; });
}

}  // namespace warpglass::cli
