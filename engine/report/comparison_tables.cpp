#include "engine/report/comparison_tables.h"

#include <optional>

#include "engine/query/compare/comparison_bridge.h"
#include "engine/query/compare/comparison_headline.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/compare/kernel_match.h"
#include "engine/query/findings/launch_bound.h"
#include "engine/report/report_sections.h"
#include "engine/tables/comparison_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/table_shape.h"

namespace warpglass {
namespace {

/// "Attention" of "config.attention"; of what is no setting, its key.
std::string nameOf(const std::string& key) {
    const Setting* setting = findSetting(key);
    return setting ? setting->columnTitle() : key;
}

/// For people "16.0 GiB" of a limit in bytes.
ReportTable settingsTable(const std::vector<RunComparison::Setting>& settings, bool people) {
    using Setting = RunComparison::Setting;
    using Differing = Column<Setting>;
    const auto side = [people](std::string Setting::*of) {
        return unlessEmpty(
            [=](const Setting& each) { return people ? settingWords(each, each.*of) : each.*of; });
    };
    return tableOf<Setting>(
        "settings", "Settings that differ", settings,
        {Differing("setting", "Setting",
                   [people](const Setting& each) { return people ? nameOf(each.key) : each.key; }),
         Differing("a", "A", side(&Setting::a)), Differing("b", "B", side(&Setting::b))});
}

/// The tables in the order of reading: what was set differently, then where the time went (on the GPU where
/// there was one), then memory, then the host's side of it. `scope`: "mean per measured step …".
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
        add("kernel-matches", "Kernels and copies by work, launching op and name",
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

std::string boundOf(const std::shared_ptr<const Snapshot>& run) {
    MemoryTimeline memory;
    memory.update(run);
    return boundInWords(RunFacts(memory));
}

/// Settings, phases and categories stand in an order of their own.
bool isByChange(const ReportTable& table) {
    return table.key != "settings" && table.key != "mfu" && table.key != "memory" &&
           table.key != "memory-before-backward" && !table.key.ends_with("phases");
}

}  // namespace

std::vector<ReportTable> comparisonTables(const RunComparison& comparison, const Snapshot& a,
                                          const Snapshot& b, const ComparisonScope& scope, bool people) {
    return tablesOf(comparison, matchKernels(comparison, a, b, scope), scopeText(a, b, scope),
                    scope.steps == ComparisonScope::Steps::kOne, people);
}

void keepLargest(ReportTable& table, std::int64_t limit, bool sayAll) {
    const std::size_t rows = table.rows.size();
    keepFirst(table, limit);
    const std::size_t left = rows - table.rows.size();
    if (left == 0)
        return;
    const std::string kept = std::to_string(limit) +
                             (isByChange(table) ? " largest changes; " : " first rows; ") +
                             std::to_string(left) + (left == 1 ? " more is left out" : " more are left out") +
                             (sayAll ? ", --all shows them" : "");
    table.title += table.title.ends_with('.') ? " The " + kept + "." : " (the " + kept + ")";
}

ComparisonIntroduction introductionOf(const RunComparison& comparison, const ComparisonScope& scope,
                                      const std::shared_ptr<const Snapshot>& a,
                                      const std::shared_ptr<const Snapshot>& b) {
    const RunComparison mean = scope == ComparisonScope() ? comparison : compareRuns(a, b);
    ComparisonHeadline headline = scope.steps == ComparisonScope::Steps::kOne
                                      ? headlineOf(comparison, *a, *b, scope)
                                      : headlineOf(mean, *a, *b);
    headline.boundA = boundOf(a);
    headline.boundB = a == b ? headline.boundA : boundOf(b);
    ComparisonIntroduction said;
    said.cautions = comparisonCautions(*a, *b);
    if (const std::string text = headline.text(); !text.empty())
        said.answers.push_back(text);
    // Where the headline has no step times, these say nothing either.
    const bool steps = headline.stepA && headline.stepB;
    if (const auto bridge = steps ? timeBridge(comparison, *a, *b, scope) : std::nullopt)
        said.answers.push_back("Time per step: " + bridge->text());
    if (const auto bridge = memoryBridge(comparison))
        said.answers.push_back("Peak memory: " + bridge->text());
    said.notes = comparisonNotes(mean, a, b);
    if (!comparison.utilizationNote.empty())
        said.notes.push_back("MFU: " + comparison.utilizationNote);
    return said;
}

}  // namespace warpglass
