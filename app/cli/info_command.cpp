#include <algorithm>

#include "app/cli/command.h"
#include "app/cli/saved_run.h"
#include "engine/io/run_file.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/model/roofline.h"
#include "engine/query/summary/run_summary.h"
#include "engine/report/activity_tables.h"
#include "engine/report/memory_tables.h"
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

/// Why the peak is where it is, for scripts; people read it over the peak's table.
ReportTable peakExplanationTable(const std::optional<PeakExplanation>& why) {
    using Of = Column<PeakExplanation>;
    using Why = PeakExplanation;
    return tableOf<Why>(
        "peak-explanation", "Why the peak is where it is", rowOf(why),
        {Of("sentence", "Sentence", [](const Why& peak) { return peak.sentence(); }),
         Of("time_ns", "At", Unit::kNanoseconds, &Why::time),
         Of("size_bytes", "Size", Unit::kBytes, &Why::bytes),
         Of("step", "Step", Unit::kCount, stepOf(&Why::step)),
         Of("phase", "Phase", [](const Why& peak) { return phaseName(peak.phase); }),
         Of("module", "Module", &Why::module), Of("op", "Op", &Why::op),
         Of("last_bytes", "Last allocation", Unit::kBytes, &Why::lastBytes),
         Of("held_bytes", "Live before", Unit::kBytes, through(&Why::held, &Why::Part::bytes)),
         Of("risen_bytes", "Added since", Unit::kBytes, through(&Why::risen, &Why::Part::bytes)),
         Of("category", "Category", [](const Why& peak) { return categoryName(peak.category); }),
         Of("category_bytes", "In that category", Unit::kBytes, &Why::categoryBytes),
         Of("group", "Group", &Why::group),
         Of("group_bytes", "In that group", Unit::kBytes, &Why::groupBytes),
         Of("group_allocations", "Allocations", Unit::kCount, &Why::groupAllocations)});
}

/// The samples of every counter: the training loss of each step. For people without the allocator's reserved
/// memory, which has hundreds and is a line of the memory chart.
ReportTable countersTable(const Snapshot& run, bool all) {
    std::vector<CounterSample> samples;
    for (std::uint64_t i = 0; i < run.counterSampleCount(); ++i)
        if (const auto sample = run.counterSample(i); sample && (all || run.name(sample->counter) == "loss"))
            samples.push_back(*sample);
    using Of = Column<CounterSample>;
    return tableOf<CounterSample>(
        "counters", "Counters", samples,
        {Of("counter", "Counter", [&](const CounterSample& sample) { return run.name(sample.counter); }),
         Of("time_ns", "Time", Unit::kNanoseconds, &CounterSample::time),
         Of("value", "Value", Unit::kNumber, &CounterSample::value)});
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

    const bool forPeople = isForPeople(options.format);
    const std::optional<PeakExplanation> why = explainPeak(memory);
    ReportTable figures = summaryTable(summary, forPeople);
    const std::vector<std::string> implausible = implausibleShares(figures);
    const std::string roof = summary.utilization ? summary.utilization->ceilings.sentence() : std::string();
    const std::vector<RooflinePoint> points = roofline(*opened->snapshot);
    const bool others =
        std::ranges::any_of(points, [](const RooflinePoint& point) { return !point.kernel.empty(); });
    const std::string ofPoints = others ? "GEMMs and other kernels of a step" : "GEMMs of a step";
    std::vector<ReportTable> tables = {
        asRecord(std::move(figures), options.format),
        peakTable(summary, memory, why),
        pairsTable("information", "Run information", {"Key", "key"}, {"Value", "value"},
                   opened->snapshot->info().pairs()),
        gpuTimeTable(*opened->snapshot),
        countersTable(*opened->snapshot, !forPeople),
        lossesTable("not-recorded", summary.losses),
        warningsTable(warnings),
        reportOf(rooflineTable(),
                 ofPoints + " against the device's ceilings" + (roof.empty() ? std::string() : ". " + roof),
                 points, {ridgeOf(summary.utilization)}, forPeople)};
    // What is missing is in no figure.
    if (opened->isIncomplete || !damage.empty() || opened->snapshot->damage().count() > 0) {
        for (ReportTable& table : tables) {
            if (table.key == "summary" || table.key == "gpu-time" || table.key == "roofline")
                table.title +=
                    table.title.ends_with('.') ? " Records are missing from the file." : " (records missing)";
        }
    }
    for (ReportTable& table : outOfMemoryTables(outOfMemory(memory), options.format))
        tables.push_back(std::move(table));
    ReportTable given = memoryTable(summary, memory);
    ReportTable conditions = conditionsOfRunTable(conditionsOf(*opened->snapshot), forPeople);
    // Scripts find every table, new ones at the end; people are spared empty ones and what the CPU lacks.
    if (forPeople) {
        tables.insert(tables.begin() + 2, asRecord(withoutAbsent(std::move(given)), options.format));
        tables.insert(tables.begin() + 1, asRecord(withoutAbsent(std::move(conditions)), options.format));
        std::erase_if(tables, [](const ReportTable& table) { return table.rows.empty(); });
    } else {
        tables.insert(tables.end(), {std::move(given), peakExplanationTable(why), std::move(conditions)});
    }
    addImplausible(tables, implausible);
    const ExitStatus printed = print(renderTables(tables, options.format));
    return damage.empty() ? printed : fail(options.path + " is damaged.");
}

}  // namespace

void addInfoCommand(CLI::App& root, Work& chosen) {
    auto [command, options] = addCommand(
        root, chosen, "info",
        "Show what a run file contains: configuration, state, figures, losses, warnings", printInfo,
        R"(Examples:
  warpglass-cli info a.wgrun
  warpglass-cli info a.wgrun --check
  warpglass-cli info a.wgrun --format json)");
    addFileArgument(command, options.path);
    command.add_flag("--check", options.check,
                     "Read every part of the file; the exit status is 1 if any part is damaged");
    addFormatOption(command, options.format);
}

}  // namespace warpglass::cli
