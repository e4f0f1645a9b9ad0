#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "app/cli/saved_run.h"
#include "app/cli/statistics_tables.h"

namespace warpglass::cli {
namespace {

struct CompareOptions {
    std::string a, b;
    std::int64_t limit = 0;
    TableFormat format = TableFormat::kTable;
};

ExitStatus printComparison(const CompareOptions& options) {
    const std::shared_ptr<const Snapshot> a = openSaved(options.a);
    const std::shared_ptr<const Snapshot> b = openSaved(options.b);
    if (!a || !b)
        return ExitStatus::kWorkFailed;
    const RunComparison comparison = compareRuns(a, b);
    std::vector<ReportTable> tables = {
        settingsTable(comparison.settings),
        comparisonTable("phases", "Phases, mean of a measured step", Unit::kNanoseconds, comparison.phases),
        comparisonTable("ops", "Ops, self time of a measured step, largest difference first",
                        Unit::kNanoseconds, comparison.ops),
        comparisonTable("modules", "Modules, time of their ops in a measured step", Unit::kNanoseconds,
                        comparison.modules),
        comparisonTable("memory", "Memory at the peak, by category", Unit::kBytes, comparison.categories),
    };
    if (!comparison.kernels.empty()) {
        const auto add = [&](const char* key, const char* title, const std::vector<ComparisonRow>& rows) {
            tables.push_back(comparisonTable(key, title, Unit::kNanoseconds, rows));
        };
        add("gpu-phases", "The GPU's time in a measured step, by phase", comparison.gpuPhases);
        add("gpu-ops", "The GPU's time in a measured step, by the op that launched it", comparison.gpuOps);
        add("gpu-modules", "The GPU's time in a measured step, by module", comparison.gpuModules);
        add("kernels", "Kernels and copies in a measured step, by name", comparison.kernels);
    }
    if (!comparison.utilization.empty())
        tables.push_back(comparisonTable("mfu", "MFU: the model's matrix products against the peak rate",
                                         Unit::kFraction, comparison.utilization));
    for (ReportTable& table : tables)
        keepFirst(table, options.limit);
    return print(renderTables(tables, options.format));
}

}  // namespace

void addCompareCommand(CLI::App& root, Work& chosen) {
    CLI::App* command = root.add_subcommand(
        "compare", "Set two runs side by side: phases, ops, modules, memory, settings, kernels");
    auto options = std::make_shared<CompareOptions>();
    addFileArgument(*command, options->a, "A", "Run file to compare from");
    addFileArgument(*command, options->b, "B", "Run file to compare with it");
    addLimitOption(*command, options->limit);
    addFormatOption(*command, options->format);
    command->footer(R"(Times are per measured step, so runs of different lengths compare.

Examples:
  warpglass-cli compare fp32.wgrun bf16.wgrun
  warpglass-cli compare a.wgrun b.wgrun --limit 10 --format markdown)");
    command->callback([&chosen, options] { chosen = [options] { return printComparison(*options); }; });
}

}  // namespace warpglass::cli
