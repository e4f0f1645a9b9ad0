#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/saved_run.h"
#include "app/cli/stats_memory.h"
#include "app/cli/stats_options.h"
#include "engine/base/format.h"
#include "engine/base/nearest_word.h"
#include "engine/plan/run_config.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/model/plan_of_scope.h"
#include "engine/query/spans/step_selection.h"
#include "engine/report/activity_tables.h"
#include "engine/report/statistics_tables.h"
#include "engine/tables/clock_columns.h"
#include "engine/tables/phase_columns.h"
#include "engine/tables/report.h"
#include "engine/tables/typed_op_columns.h"

namespace warpglass::cli {
namespace {

using Rows = std::vector<StatisticsRow>;
using Query = std::function<Rows(const Snapshot&, const SpanFilter&)>;

/// What happens once, outside the steps, comes after them.
Rows stepsFirst(Rows rows) {
    std::stable_partition(rows.begin(), rows.end(), [](const StatisticsRow& row) {
        return row.name != phaseName(Phase::kSetup) && row.name != phaseName(Phase::kTeardown);
    });
    return rows;
}

/// Phases and "step" among the ranges, in the order in which they happen.
Rows phaseRows(const Snapshot& run, const SpanFilter& filter) {
    Rows all = rangeStatistics(run, filter);
    Rows phases;
    const auto take = [&](std::string_view name) {
        const auto found = std::ranges::find_if(all, [&](const auto& row) { return row.name == name; });
        if (found != all.end())
            phases.push_back(*found);
    };
    for (const std::string_view name : kPhaseNames)
        take(name);
    take("step");
    return phases;
}

/// Whether there is a reason, which it says of the file.
bool sayWhy(const std::string& path, const std::string& why) {
    if (!why.empty())
        say(path + ": " + why + ".");
    return !why.empty();
}

/// Why there is little or nothing to print of a GPU.
void sayOfGpuRecords(const Snapshot& run, const std::string& path) {
    const Completeness completeness(run);
    if (sayWhy(path, completeness.why(DataKind::kKernels)))
        return;
    const std::string missing =
        missingInWords(completeness.missing(), {RecordKind::kKernels, RecordKind::kCopies});
    if (!missing.empty())
        say(path + ": Of the GPU's records " + missing +
            " are missing from the file: how busy it was is not known.");
}

/// What is not known of a GPU's time without the calls, though its kernels are there. `use` is its table.
void sayOfCalls(const Snapshot& run, const ReportTable& use, const std::string& path) {
    const Completeness completeness(run);
    const MissingRecords missing = completeness.missing();
    if (missing.lacks(RecordKind::kCalls) && !use.rows.empty())
        say(path + ": Of the file's records " + missingInWords(missing, {RecordKind::kCalls}) +
            " are missing: why the GPU was idle is not known.");
    if (completeness.has(DataKind::kKernels) && use.rows.empty() &&
        completeness.recordedWithout(Feature::kCalls))
        say(path +
            ": The run was recorded without CUDA calls: which kernels belong to which step is unknown.");
}

/// The rows of the measured steps, or of everything when that was asked for or nothing else is there.
/// Nothing, after a sentence, where no range is the one that was asked for.
template <class Row, class Of>
std::optional<Counted<Row>> countedOf(const Snapshot& run, const StatsOptions& options,
                                      const std::string& what, const Of& query) {
    const std::optional<std::vector<TimeRange>> ranges = findRanges(run, options.path, options.range);
    if (!ranges)
        return std::nullopt;
    SpanFilter filter;
    filter.ranges = *ranges;
    filter.measuredOnly = !options.all;
    Counted<Row> result = counted<Row>(what, run, filter, query);
    if (filter.measuredOnly && !result.filter.measuredOnly && !result.rows.empty())
        say("The measured steps contain none of this, so warm-up steps and set-up are counted too.");
    if (!options.range.empty())
        result.title += ", in " + options.range;
    return result;
}

/// What countedOf() gives of the query, as a table.
ExitStatus printStatistics(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options,
                           StatisticsOf what, const std::string& key, const Query& query) {
    auto found = countedOf<StatisticsRow>(*run, options, capitalized(key), query);
    if (!found)
        return ExitStatus::kWorkFailed;
    const SpanFilter& filter = found->filter;
    if (key == "phases" || key == "ranges")
        found->title += hostClockOf(*run);
    const bool ofGpu = what == StatisticsOf::kKernels;
    if (ofGpu)
        sayOfGpuRecords(*run, options.path);
    if (key == "ops")
        sayWhy(options.path, Completeness(*run).why(DataKind::kOps));
    ReportTable table = statisticsReport(*found, what, key, isForPeople(options.format));
    keepFirst(table, options.limit);
    // The GPU's phases are told beside the host's where these are told as a whole: scripts find them in
    // `stats gpu`, where they have always been.
    if (key == "phases" && filter.ranges.empty() && filter.measuredOnly && isForPeople(options.format)) {
        ReportTable gpu = gpuPhasesTable(*run, true);
        keepFirst(gpu, options.limit);
        if (!gpu.rows.empty())
            return printFigures({std::move(table), std::move(gpu)}, options.format);
    }
    return printFigures(table, options.format);
}

ExitStatus printKernels(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    const auto found = countedOf<StatisticsNode>(*run, options, "Kernels", countedKernels);
    if (!found)
        return ExitStatus::kWorkFailed;
    sayOfGpuRecords(*run, options.path);
    return printFirst(kernelsTable(*found, isForPeople(options.format)), options);
}

ExitStatus printTypes(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    if (sayWhy(options.path, Completeness(*run).why(DataKind::kTypes)))
        return ExitStatus::kWorkFailed;
    const auto found = countedOf<TypedOp>(*run, options, "Ops by types and shapes", typedOps);
    if (!found)
        return ExitStatus::kWorkFailed;
    return printFirst(reportOf(typedOpsTable(), found->title, found->rows, {.steps = found->steps},
                               isForPeople(options.format)),
                      options);
}

ExitStatus printRanges(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    return printStatistics(run, options, StatisticsOf::kRanges, "ranges",
                           [&](const Snapshot& snapshot, const SpanFilter& filter) {
                               Rows rows = rangeStatistics(snapshot, filter);
                               std::erase_if(rows, [&](const StatisticsRow& row) {
                                   return !options.kind.empty() && row.kind != options.kind;
                               });
                               return rows;
                           });
}

ExitStatus printPhases(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    return printStatistics(run, options, StatisticsOf::kPhases, "phases",
                           [&](const Snapshot& snapshot, const SpanFilter& filter) {
                               // The engine's own notion of a run's phases gives set-up and teardown beside
                               // the measured steps.
                               return stepsFirst(filter.ranges.empty() && filter.measuredOnly
                                                     ? phaseStatistics(snapshot)
                                                     : phaseRows(snapshot, filter));
                           });
}

ExitStatus printGpu(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    sayOfGpuRecords(*run, options.path);
    const ReportTable use = gpuTimeTable(*run);
    sayOfCalls(*run, use, options.path);
    return printFigures(
        {use, gpuPhasesTable(*run, isForPeople(options.format)), gpuIdleTable(*run, options.limit)},
        options.format);
}

/// Finds the ranges, and prints the table that `make` gives of them: without any of the measured
/// steps, and where no step was completed of the one that the run ended in.
ExitStatus printOfRanges(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options,
                         ReportTable (*make)(const std::shared_ptr<const Snapshot>&, const SpanFilter&,
                                             const std::string& where, bool forPeople)) {
    const std::optional<std::vector<TimeRange>> ranges = findRanges(*run, options.path, options.range);
    if (!ranges)
        return ExitStatus::kWorkFailed;
    SpanFilter filter;
    filter.ranges = *ranges;
    filter.byLaunch = true;  // a named range is one of the CPU's
    std::string where = options.range.empty() ? "" : ", in " + options.range;
    // For a range that recurs the measured steps count, as everywhere.
    SpanFilter measured = filter;
    measured.measuredOnly = true;
    if (const std::int64_t steps = options.range.empty() ? 0 : stepsWithRanges(*run, measured); steps > 0) {
        filter = measured;
        where = (steps > 1 ? ", totals of " + std::to_string(steps) + " steps" : std::string()) + where;
    }
    if (const auto step = options.range.empty() ? Completeness(*run).unfinishedStep() : std::nullopt) {
        filter.step = step->step;
        where = ", of " + step->inWords() + ": no step was completed";
    }
    sayWhy(options.path, Completeness(*run).why(DataKind::kWork));
    sayWhy(options.path, planUnsaid(*run));
    return printFirst(make(run, filter, where, isForPeople(options.format)), options);
}

ExitStatus printLayers(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    return printOfRanges(
        run, options, [](const auto& of, const SpanFilter& filter, const std::string& where, bool forPeople) {
            MemoryTimeline memory;
            memory.update(of);
            const auto peak = memory.peak();
            return layersReport(
                layersOf(*of, peak ? LiveMemory{memory.aliveAt(peak->time), &memory} : LiveMemory(), filter),
                where, forPeople);
        });
}

ExitStatus printAttention(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    return printOfRanges(
        run, options, [](const auto& of, const SpanFilter& filter, const std::string& where, bool forPeople) {
            return attentionReport(attentionParts(*of, filter), where, forPeople);
        });
}

ExitStatus printSteps(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    std::vector<PhaseSamples> gpu = phaseSamples(*run, TrackKind::kGpuPhase);
    std::erase_if(gpu, [](const PhaseSamples& phase) { return phase.phase == Phase::kNone; });
    const std::vector<PhaseSamples> host = phaseSamples(*run, TrackKind::kPhase);
    const bool forPeople = isForPeople(options.format);
    std::vector<ReportTable> tables = {
        reportOf(phasesOfStepsTable(), "Phases of every step" + hostClockOf(*run), phasesOfSteps(host), {},
                 forPeople),
        reportOf(phasesOfStepsTable(), "Phases of every step on the GPU, by CUDA events", phasesOfSteps(gpu),
                 {}, forPeople, "gpu-steps"),
        conditionsOfStepsTable(*run, forPeople)};
    if (forPeople) {
        ReportTable conditions = withoutAbsent(std::move(tables.back()));
        tables.pop_back();
        if (!conditions.rows.empty())  // else a run of an earlier version
            tables.push_back(std::move(conditions));
    }
    for (ReportTable& table : tables)
        keepFirst(table, options.limit);
    return printFigures(tables, options.format);
}

ExitStatus printKernelClocks(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    if (sayWhy(options.path, whyNoKernelClocks(*run)))
        return ExitStatus::kWorkFailed;
    const std::vector<ClockedKernel> kernels = clockedKernels(*run);
    for (const ClockedKernel& kernel : kernels) {
        if (isForPeople(options.format))
            say("The " + kernel.kernel + " kernel: " + kernel.sentence());
    }
    return printFirst(reportOf(kernelClocksTable(), "Clocks inside attention's kernels, one call of each",
                               kernels, {}, isForPeople(options.format)),
                      options);
}

void addKindOption(CLI::App& command, StatsOptions& options) {
    command.add_option("--kind", options.kind, "Only steps, phases, modules or their parts")
        ->type_name("WORD")
        ->check(
            [](const std::string& word) {
                const bool known = std::ranges::find(kRangeKindNames, word) != kRangeKindNames.end();
                return known ? std::string()
                             : "There is no kind of range \"" + word +
                                   "\": choose step, phase, module or part." +
                                   didYouMean(word, kRangeKindNames);
            },
            "");
}

constexpr Statistic kStatistics[] = {
    {.name = "ops",
     .what = "Ops by name, most self time first",
     .work =
         [](const auto& run, const StatsOptions& o) {
             return printStatistics(run, o, StatisticsOf::kOps, "ops", opStatistics);
         },
     .takesAll = true,
     .footer =
         R"(Time % is the share of all rows' total times, nested ops counting in their parents' too; Self %
adds up to 100%.

Examples:
  warpglass-cli stats ops a.wgrun
  warpglass-cli stats ops a.wgrun --range forward --limit 10
  warpglass-cli stats ops a.wgrun --range "blocks.*.attn" --format csv)"},
    {.name = "types",
     .what = "Ops by name and by the types and shapes of their inputs and outputs",
     .work = printTypes,
     .takesAll = true,
     .footer =
         R"(A row for each op and types. The run has to be recorded with them (`run --record all,shapes`).

Examples:
  warpglass-cli stats types a.wgrun --limit 20
  warpglass-cli stats types a.wgrun --range "blocks.0.attn" --format csv)"},
    {.name = "kernels",
     .what = "GPU kernels by name, most time first",
     .work = printKernels,
     .takesAll = true,
     .footer = R"(With --range those kernels count that were launched inside it, whenever they ran.

Examples:
  warpglass-cli stats kernels a.wgrun
  warpglass-cli stats kernels a.wgrun --range backward --limit 10
  warpglass-cli stats kernels a.wgrun --range "blocks.*.attn" --format csv)"},
    {.name = "copies",
     .what = "GPU copies and fills by kind",
     .work =
         [](const auto& run, const StatsOptions& o) {
             return printStatistics(run, o, StatisticsOf::kKernels, "copies", copyStatistics);
         },
     .takesAll = true,
     .footer = R"(Examples:
  warpglass-cli stats copies a.wgrun --all)"},
    {.name = "ranges",
     .what = "Ranges (steps, phases, modules, their parts) by name",
     .work = printRanges,
     .takesAll = true,
     .addMore = addKindOption,
     .footer = R"(Examples:
  warpglass-cli stats ranges a.wgrun --all
  warpglass-cli stats ranges a.wgrun --kind module --limit 10
  warpglass-cli stats ranges a.wgrun --range backward --format markdown)"},
    {.name = "phases",
     .what = "Phases of a step: mean, deviation, minimum, maximum",
     .work = printPhases,
     .takesAll = true,
     .footer =
         R"(On a GPU these are the host's times, which mostly launches; beside them stand the phases as the GPU
went through them, by CUDA events, which scripts find in `stats gpu`.

Examples:
  warpglass-cli stats phases a.wgrun
  warpglass-cli stats phases a.wgrun --range "step 3" --format json)"},
    {.name = "gpu",
     .what = "How busy the GPU was, its phases, and why it was idle",
     .work = printGpu,
     .ofRanges = false,
     .footer =
         R"(A stretch without work is a kernel gap when the next kernel had been launched before it began;
else the GPU was waiting for the host, or the host could not launch because it was waiting for the GPU.

Examples:
  warpglass-cli stats gpu a.wgrun
  warpglass-cli stats gpu a.wgrun --limit 5 --format json)"},
    {.name = "kernel-clocks",
     .what = "Attention's kernels from inside: tiles, waves, tail, and where the time goes",
     .work = printKernelClocks,
     .ofRanges = false,
     .footer =
         R"(The run has to be recorded with them (`run --attention flash --record all,kernel-clocks`, on a GPU).
One call of each kernel tells of itself: the first of a step.

Examples:
  warpglass-cli stats kernel-clocks a.wgrun
  warpglass-cli stats kernel-clocks a.wgrun --format json)"},
    {.name = "layers",
     .what = "Layers side by side: time, FLOPs, bytes, activations; which blocks stand out",
     .work = printLayers,
     .footer =
         R"(A block stands out where it is farther than 3 × 1.4826 × MAD and 5% from the median of the blocks:
with --range, of those that ran whole inside it.

Examples:
  warpglass-cli stats layers a.wgrun
  warpglass-cli stats layers a.wgrun --range backward --format csv)"},
    {.name = "attention",
     .what = "Parts of attention: share of its time against share of its FLOPs",
     .work = printAttention,
     .footer =
         R"(Which parts can be told apart depends on the attention variant: a fused one is a single kernel.

Examples:
  warpglass-cli stats attention a.wgrun
  warpglass-cli stats attention a.wgrun --range "step 3" --format json)"},
    {.name = "steps",
     .what = "Every phase of every step, including warm-up steps, and the conditions of each step",
     .work = printSteps,
     .ofRanges = false,
     .footer =
         R"(What a step ran under is the load of the host by others and a GPU's clocks, sampled about ten times
a second: of a shorter step, the mean over the samples around it. Runs of earlier versions have none.

Examples:
  warpglass-cli stats steps a.wgrun
  warpglass-cli stats steps a.wgrun --format csv)"}};

}  // namespace

void addStatsCommand(CLI::App& root, Work& chosen) {
    CLI::App* stats = root.add_subcommand(
        "stats",
        "Statistics of a saved run: ops, types and shapes of ops, kernels, copies, ranges, phases, GPU time, "
        "clocks inside kernels, layers, parts of attention, steps, memory, allocations, segments");
    stats->require_subcommand(1);
    addStatistics(*stats, chosen, kStatistics);
    addMemoryStatistics(*stats, chosen);
    stats->footer(R"(Examples:
  warpglass-cli stats ops a.wgrun --range forward
  warpglass-cli stats memory a.wgrun --format json

`warpglass-cli stats ops --help` lists that table's options, and so for the others.)");
}

}  // namespace warpglass::cli
