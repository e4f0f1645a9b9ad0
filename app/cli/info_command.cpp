#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "engine/io/run_file.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/model/roofline.h"
#include "engine/query/summary/run_summary.h"
#include "engine/query/summary/step_caution.h"
#include "engine/report/condition_tables.h"
#include "engine/report/gpu_tables.h"
#include "engine/report/out_of_memory_report.h"
#include "engine/report/run_tables.h"
#include "engine/tables/layer_columns.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

struct InfoOptions {
    std::string path;
    bool check = false;
    TableFormat format = TableFormat::kTable;
};

template <class Integer>
Cell count(Integer value) {
    return static_cast<std::int64_t>(value);
}

/// Why the peak is where it is, for scripts; people read it over the peak's table.
ReportTable peakExplanationTable(const std::optional<PeakExplanation>& why) {
    ReportTable table{"Why the peak is where it is",
                      {{"Sentence", "sentence"},
                       {"At", "time_ns", Unit::kNanoseconds},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Step", "step", Unit::kCount},
                       {"Phase", "phase"},
                       {"Module", "module"},
                       {"Op", "op"},
                       {"Last allocation", "last_bytes", Unit::kBytes},
                       {"Live before", "held_bytes", Unit::kBytes},
                       {"Added since", "risen_bytes", Unit::kBytes},
                       {"Category", "category"},
                       {"In that category", "category_bytes", Unit::kBytes},
                       {"Group", "group"},
                       {"In that group", "group_bytes", Unit::kBytes},
                       {"Allocations", "group_allocations", Unit::kCount}},
                      {},
                      "peak-explanation"};
    if (why)
        table.rows.push_back({why->sentence(), why->time.value, why->bytes.value,
                              why->step == kNoStep ? Cell() : Cell(std::int64_t{why->step}),
                              std::string(phaseName(why->phase)), why->module, why->op, why->lastBytes.value,
                              why->held.bytes.value, why->risen.bytes.value,
                              std::string(categoryName(why->category)), why->categoryBytes.value, why->group,
                              why->groupBytes.value, why->groupAllocations});
    return table;
}

ReportTable informationTable(const RunInfo& info) {
    ReportTable table{"Run information", {{"Key", "key"}, {"Value", "value"}}, {}, "information"};
    for (const auto& [key, value] : info.pairs())
        table.rows.push_back({key, value});
    return table;
}

/// The samples of every counter: the training loss of each step. For people without the allocator's reserved
/// memory, which has hundreds and is a line of the memory chart.
ReportTable countersTable(const Snapshot& run, bool all) {
    ReportTable table{
        "Counters",
        {{"Counter", "counter"}, {"Time", "time_ns", Unit::kNanoseconds}, {"Value", "value", Unit::kNumber}},
        {},
        "counters"};
    for (std::uint64_t i = 0; i < run.counterSampleCount(); ++i)
        if (const auto sample = run.counterSample(i); sample && (all || run.name(sample->counter) == "loss"))
            table.rows.push_back({std::string(run.name(sample->counter)), sample->time, sample->value});
    return table;
}

ReportTable lossesTable(const std::vector<LossCount>& losses) {
    ReportTable table{
        "Not recorded", {{"What", "name"}, {"Count", "count", Unit::kCount}}, {}, "not-recorded"};
    for (const LossCount& loss : losses)
        table.rows.push_back({loss.name, count(loss.count)});
    return table;
}

ReportTable warningsTable(const std::vector<std::string>& warnings) {
    ReportTable table{"Warnings about the file", {{"Warning", "warning"}}, {}, "warnings"};
    for (const std::string& warning : warnings)
        table.rows.push_back({warning});
    return table;
}

/// To the warnings: which figures of the others, and of the summary as it was, cannot be.
void addImplausible(std::vector<ReportTable>& tables, const std::vector<std::string>& ofSummary) {
    std::vector<std::vector<Cell>> rows;
    rows.reserve(ofSummary.size());
    for (const std::string& sentence : ofSummary)
        rows.push_back({sentence});
    for (const ReportTable& table : tables) {
        for (const std::string& sentence : implausibleShares(table)) {
            if (std::find(rows.begin(), rows.end(), std::vector<Cell>{sentence}) == rows.end())
                rows.push_back({sentence});
        }
    }
    for (ReportTable& table : tables) {
        if (table.key == "warnings")
            table.rows.insert(table.rows.end(), rows.begin(), rows.end());
    }
}

/// The ridge of the ceilings that the roofs are of; 0 without both of them.
double ridgeOf(const std::optional<ModelUtilization>& mfu) {
    for (const RunCeiling* ceiling :
         {mfu ? &mfu->ceilings.measured : nullptr, mfu ? &mfu->ceilings.dataSheet : nullptr}) {
        if (ceiling && ceiling->flopsPerSecond && ceiling->bytesPerSecond)
            return *ceiling->flopsPerSecond / *ceiling->bytesPerSecond;
    }
    return 0;
}

ExitStatus printInfo(const InfoOptions& options) {
    const Result<OpenedRun> opened = openRun(options.path);
    if (!opened)
        return fail(opened.message());
    MemoryTimeline memory;
    memory.update(opened->snapshot);
    const RunSummary summary = summarizeRun(memory);

    std::vector<std::string> warnings = opened->warnings;
    std::vector<std::string> damage;
    if (options.check)
        damage = verifyRun(options.path);
    for (const std::string& sentence : damage)
        if (std::find(warnings.begin(), warnings.end(), sentence) == warnings.end())
            warnings.push_back(sentence);

    const std::optional<PeakExplanation> why = explainPeak(memory);
    ReportTable figures = summaryTable(summary, isForPeople(options.format));
    const std::vector<std::string> implausible = implausibleShares(figures);
    const std::string roof = summary.utilization ? summary.utilization->ceilings.sentence() : std::string();
    const std::vector<RooflinePoint> points = roofline(*opened->snapshot);
    const std::string ofPoints =
        std::ranges::any_of(points, &RooflinePoint::isOwnKernel) ? "GEMMs and our own kernels of a step"
        : std::ranges::any_of(points, &RooflinePoint::isUpdate) ? "GEMMs and the optimizer's update of a step"
                                                                : "GEMMs of a step";
    std::vector<ReportTable> tables = {
        asRecord(std::move(figures), options.format),
        peakTable(summary, memory, why),
        informationTable(opened->snapshot->info()),
        gpuTimeTable(*opened->snapshot),
        countersTable(*opened->snapshot, !isForPeople(options.format)),
        lossesTable(summary.losses),
        warningsTable(warnings),
        reportOf(rooflineTable(),
                 ofPoints + " against the device's ceilings" + (roof.empty() ? std::string() : ". " + roof),
                 points, {ridgeOf(summary.utilization)}, isForPeople(options.format))};
    // What is missing is in no figure.
    if (opened->isIncomplete || !damage.empty() || opened->snapshot->damage().count() > 0) {
        for (ReportTable& table : tables) {
            if (table.key == "summary" || table.key == "gpu-time" || table.key == "roofline")
                table.title +=
                    table.title.ends_with('.') ? " Records are missing from the file." : " (records missing)";
        }
    }
    const std::optional<OutOfMemory> failure = outOfMemory(memory);
    for (ReportTable& table : outOfMemoryTables(failure, options.format))
        tables.push_back(std::move(table));
    // Scripts find every table, new ones at the end; people are spared empty ones and what the CPU lacks.
    tables.insert(isForPeople(options.format) ? tables.begin() + 2 : tables.end(),
                  asRecord(isForPeople(options.format) ? withoutAbsent(memoryTable(summary, memory))
                                                       : memoryTable(summary, memory),
                           options.format));
    if (!isForPeople(options.format))
        tables.push_back(peakExplanationTable(why));
    const bool forPeople = isForPeople(options.format);
    ReportTable conditions = conditionsOfRunTable(conditionsOf(*opened->snapshot), forPeople);
    if (forPeople)
        tables.insert(tables.begin() + 1, asRecord(withoutAbsent(std::move(conditions)), options.format));
    else
        tables.push_back(std::move(conditions));
    if (isForPeople(options.format))
        std::erase_if(tables, [](const ReportTable& table) { return table.rows.empty(); });
    addImplausible(tables, implausible);
    const ExitStatus printed = print(renderTables(tables, options.format));
    return damage.empty() ? printed : fail(options.path + " is damaged.");
}

}  // namespace

void addInfoCommand(CLI::App& root, Work& chosen) {
    CLI::App* command = root.add_subcommand(
        "info", "Show what a run file contains: configuration, state, figures, losses, warnings");
    auto options = std::make_shared<InfoOptions>();
    command->add_option("FILE", options->path, "Run file (.wgrun)")->type_name("")->required();
    command->add_flag("--check", options->check,
                      "Read every part of the file; the exit status is 1 if any part is damaged");
    addFormatOption(*command, options->format);
    command->footer(R"(Examples:
  warpglass-cli info a.wgrun
  warpglass-cli info a.wgrun --check
  warpglass-cli info a.wgrun --format json)");
    command->callback([&chosen, options] { chosen = [options] { return printInfo(*options); }; });
}

}  // namespace warpglass::cli
