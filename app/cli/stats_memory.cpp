#include "app/cli/stats_memory.h"

#include <CLI/CLI.hpp>

#include "app/cli/saved_run.h"
#include "app/cli/stats_options.h"
#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/report/memory_tables.h"
#include "engine/tables/memory_columns.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

/// A saved run's memory and the moment that a table is about; nothing, with a sentence, where there is none.
struct MemoryMomentOf {
    MemoryTimeline memory;
    std::vector<TimeRange> ranges;
    Nanoseconds time;
    /// "at the peak, 1.2 GiB after 3.4 s".
    std::string words;
};

std::optional<MemoryMomentOf> findMoment(const std::shared_ptr<const Snapshot>& run,
                                         const StatsOptions& options) {
    std::optional<std::vector<TimeRange>> ranges = findRanges(*run, options.path, options.range);
    if (!ranges)
        return std::nullopt;
    MemoryMomentOf moment;
    moment.memory.update(run);
    moment.ranges = std::move(*ranges);
    const std::optional<MemoryPoint> peak = peakWithin(moment.memory, moment.ranges);
    if (!peak) {
        const Absence absence = Completeness(*run).absenceOf(DataKind::kMemory);
        say(options.path + ": " +
            (absence == Absence::kLost || absence == Absence::kNotRecorded
                 ? absenceInWords(DataKind::kMemory, absence) + "."
                 : std::string("No memory event was recorded") +
                       (options.range.empty() ? "." : " in that range.")));
        return std::nullopt;
    }
    moment.time = options.at.value_or(peak->time);
    const std::int64_t bytes = options.at ? sumOf(moment.memory.at(*options.at)) : sumOf(peak->bytes);
    moment.words =
        (options.at ? "" : "at the peak, ") + formatBytes(Bytes(bytes)) + " at " + formatMoment(moment.time);
    if (!options.at && !options.range.empty())
        moment.words += ", in " + options.range;
    return moment;
}

ExitStatus printMemory(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    const std::optional<MemoryMomentOf> moment = findMoment(run, options);
    if (!moment)
        return ExitStatus::kWorkFailed;
    std::vector<ReportTable> tables;
    if (moment->ranges.empty())
        tables.push_back(memoryStatisticsTable(moment->memory));
    tables.push_back(phasePeaksTable(moment->memory, moment->ranges));
    const auto addBreakdown = [&](const char* key, const char* what, BreakdownKey by) {
        tables.push_back(reportOf(breakdownTable(), std::string("Memory by ") + what + " " + moment->words,
                                  breakdownAt(moment->memory, moment->time, by), {},
                                  isForPeople(options.format), key));
    };
    addBreakdown("memory-by-category", "category", BreakdownKey::kCategory);
    addBreakdown("memory-by-module", "module", BreakdownKey::kModule);
    addBreakdown("memory-by-op", "op", BreakdownKey::kOp);
    for (ReportTable& table : tables)
        keepFirst(table, options.limit);
    return printFigures(tables, options.format);
}

ExitStatus printAllocations(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    const std::optional<MemoryMomentOf> moment = findMoment(run, options);
    if (!moment)
        return ExitStatus::kWorkFailed;
    std::vector<AllocationId> alive = moment->memory.aliveAt(moment->time);
    const std::size_t total = alive.size();
    const std::size_t count = options.limit == 0 ? total : static_cast<std::size_t>(options.limit);
    if (options.grouped) {
        const std::vector<AllocationGroup> groups = largestAllocationGroups(moment->memory, alive, count);
        const std::string title = "The " + std::to_string(groups.size()) + " largest groups of the " +
                                  std::to_string(total) + " live allocations " + moment->words;
        return printFigures(reportOf(allocationGroupsTable(), title, groups, {}, isForPeople(options.format)),
                            options.format);
    }
    const std::vector<AllocationDetail> largest = largestAllocations(moment->memory, alive, count);
    const std::string title = "The " + std::to_string(largest.size()) + " largest of " +
                              std::to_string(total) + " live allocations " + moment->words;
    return printFigures(reportOf(allocationsTable(), title, largest, {}, isForPeople(options.format)),
                        options.format);
}

ExitStatus printSegments(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options) {
    const std::optional<MemoryMomentOf> moment = findMoment(run, options);
    if (!moment)
        return ExitStatus::kWorkFailed;
    MemorySegments segments;
    segments.update(moment->memory.snapshot());
    if (segments.eventCount() == 0) {
        say(options.path + ": " + Completeness(*moment->memory.snapshot()).why(DataKind::kSegments) + ".");
        return ExitStatus::kWorkFailed;
    }
    const SegmentState state = segments.at(moment->memory, moment->time);
    std::vector<ReportTable> tables = {
        asRecord(fragmentationTable(moment->words, moment->time, state), options.format),
        segmentsTable(moment->words, state), segmentEventsTable(*moment->memory.snapshot())};
    keepFirst(tables[1], options.limit);
    if (options.blocks) {
        tables.push_back(blocksTable(moment->words, state, moment->memory));
        keepFirst(tables.back(), options.limit);
    }
    return printFigures(tables, options.format);
}

}  // namespace

void addMemoryStatistics(CLI::App& stats, Work& chosen) {
    const Statistic statistics[] = {
        {.name = "memory",
         .what = "Peak memory of each phase, and what the peak consists of",
         .work = printMemory,
         .takesMoment = true,
         .footer = R"(Every step counts, warm-up steps too: the peak is the run's.

Examples:
  warpglass-cli stats memory a.wgrun
  warpglass-cli stats memory a.wgrun --range backward --format json
  warpglass-cli stats memory a.wgrun --at 120ms)"},
        {.name = "allocations",
         .what = "Largest live allocations at the peak",
         .work = printAllocations,
         .takesMoment = true,
         // As many as a screen shows.
         .limit = 20,
         .addMore =
             [](CLI::App& command, StatsOptions& options) {
                 command.add_flag("--grouped", options.grouped,
                                  "Take alike allocations of all blocks together");
             },
         .footer = R"(Examples:
  warpglass-cli stats allocations a.wgrun
  warpglass-cli stats allocations a.wgrun --grouped
  warpglass-cli stats allocations a.wgrun --range "step 2" --limit 5
  warpglass-cli stats allocations a.wgrun --at 1.5s --limit 0 --format csv)"},
        {.name = "segments",
         .what = "Segments of a GPU's caching allocator at the peak, and fragmentation",
         .work = printSegments,
         .takesMoment = true,
         .addMore =
             [](CLI::App& command, StatsOptions& options) {
                 command.add_flag("--blocks", options.blocks, "Also print every block and gap in them");
             },
         .footer = R"(Fragmentation is 1 − largest free block / all that is free within the segments.

Examples:
  warpglass-cli stats segments a.wgrun
  warpglass-cli stats segments a.wgrun --at 1.5s --format json
  warpglass-cli stats segments a.wgrun --range backward --blocks --format csv)"}};
    addStatistics(stats, chosen, statistics);
}

}  // namespace warpglass::cli
