#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/condition_tables.h"
#include "app/cli/gpu_tables.h"
#include "app/cli/out_of_memory_report.h"
#include "app/cli/report.h"
#include "engine/io/run_file.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_statistics.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/model/roofline.h"
#include "engine/query/summary/run_summary.h"
#include "engine/query/summary/step_caution.h"
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

ReportTable summaryTable(const RunSummary& run, TableFormat format) {
    const std::optional<ModelUtilization>& mfu = run.utilization;
    const bool isReached = mfu && mfu->ceilings.isReached();
    return {run.title.empty() ? "Run" : run.title,
            {{"State", "state"},
             {"Why", "state_message"},
             {"Time recorded", "duration_ns", Unit::kNanoseconds},
             {"Warm-up steps", "warmup_steps", Unit::kCount},
             {"Measured steps", "measured_steps", Unit::kCount},
             {"Planned steps", "planned_steps", Unit::kCount},
             {"Steps averaged", "averaged_steps", Unit::kCount},
             {"Step time, mean", "step_mean_ns", Unit::kNanoseconds},
             {"Step time, standard deviation", "step_stddev_ns", Unit::kNanoseconds},
             {"Tokens per second", "tokens_per_second", Unit::kCount},
             {"FLOPs per step", "step_flops", Unit::kFlops},
             {"FLOPs per second", "flops_per_second", Unit::kFlopsPerSecond},
             {"GEMM FLOPs per step", "step_matmul_flops", Unit::kFlops},
             {"GEMM FLOPs per second", "matmul_flops_per_second", Unit::kFlopsPerSecond},
             {"Peak memory", "peak_bytes", Unit::kBytes},
             {"Peak at", "peak_time_ns", Unit::kNanoseconds},
             {"Spans", "spans", Unit::kCount},
             {"Ops", "ops", Unit::kCount},
             {"Memory events", "memory_events", Unit::kCount},
             {"Allocations", "allocations", Unit::kCount},
             {"Kernels", "kernels", Unit::kCount},
             {"Model's GEMM FLOPs per step", "model_flops", Unit::kFlops},
             {"Model's GEMM FLOPs per second", "model_flops_per_second", Unit::kFlopsPerSecond},
             {isReached ? "Ceiling per second, reached by a run" : "Measured ceiling per second",
              "ceiling_flops_per_second", Unit::kFlopsPerSecond},
             {isReached ? "MFU of the ceiling reached" : "MFU of the measured ceiling", "ceiling_share",
              Unit::kFraction},
             {"Data sheet per second", "data_sheet_flops_per_second", Unit::kFlopsPerSecond},
             {"MFU of the data sheet", "data_sheet_share", Unit::kFraction}},
            {{textOrAbsent(isForPeople(format) ? stateInWords(run) : run.state),
              textOrAbsent(run.stateMessage),
              run.duration.value,
              run.warmupSteps,
              run.measuredSteps,
              run.plannedSteps > 0 ? Cell(run.plannedSteps) : Cell(),
              run.averagedSteps,
              orAbsent(run.stepMean),
              orAbsent(run.stepStandardDeviation),
              orAbsent(run.tokensPerSecond),
              orAbsent(run.flopsPerStep),
              orAbsent(run.flopsPerSecond),
              orAbsent(run.matmulFlopsPerStep),
              orAbsent(run.matmulFlopsPerSecond),
              run.peak ? Cell(sumOf(run.peak->bytes)) : Cell(),
              run.peak ? Cell(run.peak->time.value) : Cell(),
              count(run.spans),
              count(run.ops),
              count(run.memoryEvents),
              count(run.allocations),
              count(run.kernels),
              mfu ? Cell(mfu->modelFlops.value) : Cell(),
              mfu ? Cell(mfu->flopsPerSecond) : Cell(),
              mfu ? orAbsent(mfu->ceilings.measured.flopsPerSecond) : Cell(),
              mfu ? orAbsent(mfu->ofMeasured()) : Cell(),
              mfu ? orAbsent(mfu->ceilings.dataSheet.flopsPerSecond) : Cell(),
              mfu ? orAbsent(mfu->ofDataSheet()) : Cell()}},
            "summary"};
}

/// Why there is no share of a ceiling, for people, who would look for it.
void addWhyNoMfu(ReportTable& summary, const RunSummary& run) {
    std::string why;
    if (!run.config)
        why = "the run states no configuration, so its FLOPs are not known";
    else if (!run.stepMean)
        why = "no measured step was completed";
    else if (!run.utilization)
        why = "the run's FLOPs are not known";
    else if (!run.utilization->ofMeasured() && !run.utilization->ofDataSheet())
        why =
            "the ceilings of its device had not been measured when it ran (warpglass-cli devices --measure), "
            "and no "
            "data sheet of it is known";
    if (why.empty())
        return;
    summary.columns.push_back({"No MFU", "no_mfu"});
    summary.rows.front().emplace_back("There is no MFU: " + why + ".");
}

/// What the summary says of memory before the backward pass; people are spared what there is not.
void addBeforeBackward(ReportTable& summary, const std::optional<BeforeBackward>& before, bool forPeople) {
    const auto add = [&](ReportColumn column, Cell cell) {
        if (forPeople && isAbsent(cell))
            return;
        summary.columns.push_back(std::move(column));
        summary.rows.front().push_back(std::move(cell));
    };
    add({"Allocated before backward", "before_backward_bytes", Unit::kBytes},
        before ? Cell(before->allocated.value) : Cell());
    add({"Reserved before backward", "before_backward_reserved_bytes", Unit::kBytes},
        before && before->reserved ? Cell(before->reserved->value) : Cell());
}

ReportTable peakTable(const RunSummary& run, const MemoryTimeline& memory,
                      const std::optional<PeakExplanation>& why) {
    ReportTable table{why ? why->sentence() + " By category:" : "Memory at the peak, by category",
                      {{"Category", "category"},
                       {"Size", "size_bytes", Unit::kBytes},
                       {"Share", "share", Unit::kFraction},
                       {"Requested", "requested_bytes", Unit::kBytes},
                       {"Lost to rounding", "rounding_bytes", Unit::kBytes}},
                      {},
                      "peak"};
    if (!run.peak)
        return table;
    const auto rounding = roundingAt(memory, run.peak->time);
    const auto whole = static_cast<double>(sumOf(run.peak->bytes));
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        table.rows.push_back({std::string(kCategoryNames[i]), run.peak->bytes[i],
                              whole > 0 ? static_cast<double>(run.peak->bytes[i]) / whole : 0.0,
                              rounding[i].asked.value, rounding[i].lost().value});
    return table;
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

/// What was asked for and given, and what of the device was in use besides.
ReportTable memoryTable(const RunSummary& run, const MemoryTimeline& memory) {
    const Snapshot& snapshot = *memory.snapshot();
    const RoundingTotals all = roundingOfRun(snapshot);
    RoundingTotals peak;
    if (run.peak) {
        for (const RoundingTotals& category : roundingAt(memory, run.peak->time)) {
            peak.asked += category.asked;
            peak.given += category.given;
            peak.allocations += category.allocations;
        }
    }
    MemorySegments segments;
    segments.update(memory.snapshot());
    const std::string absent = Completeness(snapshot).why(DataKind::kMemory);
    ReportTable table{absent.empty() ? "Memory" : "Memory. " + absent + ".",
                      {{"Requested at the peak", "peak_requested_bytes", Unit::kBytes},
                       {"Allocated at the peak", "peak_given_bytes", Unit::kBytes},
                       {"Lost to rounding at the peak", "peak_rounding_bytes", Unit::kBytes},
                       {"Live at the peak", "peak_allocations", Unit::kCount},
                       {"Requested by all allocations", "requested_bytes", Unit::kBytes},
                       {"Given to all allocations", "given_bytes", Unit::kBytes},
                       {"Lost to rounding by all allocations", "rounding_bytes", Unit::kBytes},
                       {"Reserved at the peak", "peak_reserved_bytes", Unit::kBytes},
                       {"Free share of reserved at the peak", "peak_free_share", Unit::kFraction},
                       {"Fragmentation at the peak", "peak_fragmentation_share", Unit::kFraction},
                       {"Maximum reserved", "max_reserved_bytes", Unit::kBytes},
                       {"Out-of-memory events", "out_of_memory", Unit::kCount},
                       {"Taken by the profiler (CUPTI)", "profiler_bytes", Unit::kBytes},
                       {"Also in use: CUDA's context, other programs", "other_bytes", Unit::kBytes}},
                      {},
                      "memory"};
    std::vector<Cell>& cells = table.rows.emplace_back();
    for (const std::int64_t figure : {peak.asked.value, peak.given.value, peak.lost().value, peak.allocations,
                                      all.asked.value, all.given.value, all.lost().value})
        cells.push_back(absent.empty() ? Cell(figure) : Cell());
    if (run.peak && segments.eventCount() > 0) {
        const SegmentTotals totals = segments.at(memory, run.peak->time).totals;
        cells.emplace_back(totals.reserved.value);
        cells.emplace_back(totals.freeShare());
        cells.emplace_back(totals.fragmentation());
    } else {
        cells.resize(cells.size() + 3);
    }
    for (const char* key : {"allocator.peak_reserved_bytes", "allocator.out_of_memory",
                            "memory.profiler_bytes", "memory.other_bytes"}) {
        const std::optional<std::int64_t> figure = snapshot.info().getInteger(key);
        cells.resize(cells.size() + 1);
        if (figure)
            cells.back() = *figure;
    }
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

/// Of the ceilings that the roofs are of; 0 without both of them.
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
    ReportTable figures = summaryTable(summary, options.format);
    if (const std::string caution = stepCaution(summary);
        !caution.empty() || !isForPeople(options.format)) {  // people are spared the empty line
        figures.columns.push_back({"Caution", "caution"});
        figures.rows.front().push_back(caution.empty() ? Cell() : Cell(caution));
    }
    const std::string roof = summary.utilization ? summary.utilization->ceilings.sentence() : std::string();
    if (!roof.empty() || !isForPeople(options.format)) {
        figures.columns.push_back({"Roof", "roof"});
        figures.rows.front().push_back(roof.empty() ? Cell() : Cell(roof));
    }
    addBeforeBackward(figures, summary.beforeBackward, isForPeople(options.format));
    if (isForPeople(options.format))
        addWhyNoMfu(figures, summary);
    const std::vector<std::string> implausible = implausibleShares(figures);
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
    // Scripts find every table, new ones at the end; people are spared the empty ones, and what the CPU
    // lacks.
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
