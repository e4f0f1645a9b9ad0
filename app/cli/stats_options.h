// What the subcommands of `stats` take from the command line, and how each is added to it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/cli/commands.h"
#include "engine/base/units.h"
#include "engine/tables/table_shape.h"
#include "engine/trace/snapshot.h"

namespace warpglass::cli {

struct StatsOptions;
/// What a subcommand does with the run once that is open.
using StatsWork = ExitStatus (*)(const std::shared_ptr<const Snapshot>& run, const StatsOptions& options);

struct StatsOptions {
    StatsWork work = nullptr;
    std::string path;
    /// The range of the run that counts; all of it when empty.
    std::string range;
    /// Only ranges of this kind; all when empty.
    std::string kind;
    /// Warm-up steps, set-up and teardown count, too.
    bool all = false;
    /// The moment of a table of memory; the peak when nothing.
    std::optional<Nanoseconds> at;
    /// Rows; 0 for all.
    std::int64_t limit = 0;
    /// For segments: every block.
    bool blocks = false;
    /// For allocations: alike ones as one.
    bool grouped = false;
    TableFormat format = TableFormat::kTable;
};

/// A subcommand. It takes the file, --limit and --format.
struct Statistic {
    const char* name;
    const char* what;
    StatsWork work;
    /// Also --range, --all, --at.
    bool ofRanges = true, takesAll = false, takesMoment = false;
    std::int64_t limit = 0;
    /// Adds what no other takes.
    void (*addMore)(CLI::App& command, StatsOptions& options) = nullptr;
    const char* footer = "";
};
void addStatistics(CLI::App& stats, Work& chosen, std::span<const Statistic> statistics);

/// The rows that --limit leaves.
ExitStatus printFirst(ReportTable table, const StatsOptions& options);

}  // namespace warpglass::cli
