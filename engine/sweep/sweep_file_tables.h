// The layout of the sweep file, .wgsweep, format versions 1 and 2. See also docs/sweep-file.md.
//
// A SQLite 3 database whose header carries application_id kSweepApplicationId and, as user_version, the
// format version. Readers refuse a newer version and read every older one. Tables:
//
//   plan(id, key, value)         what the sweep runs: config.* as in a run file, but of every setting, and
//   sweep.*;
//                                the last row is the checksum of the others and of axes
//   axes(id, axis, position, key, value)
//                                a row for each value of each axis
//   plan_copy, axes_copy         the same again, for when a page of these is damaged
//   cells(cell, state, message, started, took_ns, run_file, checksum)
//                                a row for each cell that has begun; the checksum covers its figures too.
//                                Version 2 adds memory_snapshot
//   figures(cell, key, value)    its figures, by a measure's key
//   information(id, key, value, checksum)
//   totals(key, value)           "done": how many cells are done
//
// A sweep that keeps memory snapshots is written as version 2 and any other as version 1, so that earlier
// Warpglasses, which would go on with it without them, refuse it and read every other.
//
// Checksums are those of the run file (engine/io/table_checksum.h): a row's, or the sum of several rows'.
//
// Writing is the run file's too: rollback journal, and SQLite's lock of a writer from the first moment to the
// last, so that others can tell a sweep that goes on from one that was cut off. Unlike a run file's it is
// synchronous=EXTRA: what is written survives a power cut.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/run_file_source.h"
#include "engine/io/sqlite_database.h"
#include "engine/sweep/sweep.h"

namespace warpglass::sweep_file {

/// "WGsw".
inline constexpr std::int32_t kApplicationId = 0x57477377;
/// The newest.
inline constexpr std::int32_t kFormatVersion = 2;
/// What a sweep of the plan is written as.
constexpr std::int32_t versionOf(const SweepPlan& plan) {
    return plan.memorySnapshots ? 2 : 1;
}

struct Table {
    std::string_view name, columns;
    bool withoutRowid = false;
    /// More columns at the end, of version 2.
    std::string_view added = {};
};
inline constexpr Table kTables[] = {
    {"plan", "id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL"},
    {"axes",
     "id INTEGER PRIMARY KEY, axis INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, value "
     "TEXT NOT NULL"},
    {"totals", "key TEXT PRIMARY KEY, value INTEGER NOT NULL", true},
    {"information",
     "id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL, checksum INTEGER NOT NULL"},
    {"cells",
     "cell INTEGER PRIMARY KEY, state TEXT NOT NULL, message TEXT NOT NULL, started TEXT NOT NULL, took_ns "
     "INTEGER NOT NULL, run_file TEXT NOT NULL, checksum INTEGER NOT NULL",
     false, ", memory_snapshot TEXT NOT NULL"},
    {"figures", "cell INTEGER NOT NULL, key TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY(cell, key)",
     true},
    {"plan_copy", "id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL"},
    {"axes_copy",
     "id INTEGER PRIMARY KEY, axis INTEGER NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, value "
     "TEXT NOT NULL"},
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// The plan without its axes as rows of `plan`, with a random id, and back. `pairs` are not trusted; an
/// error is the cause alone.
Pairs planPairs(const SweepPlan& plan);
Result<SweepPlan> planOf(const Pairs& pairs, std::vector<SweepAxis> axes);

/// What the last row of `plan` holds.
std::string planChecksum(const Pairs& pairs, const std::vector<SweepAxis>& axes);
/// For a row of `cells` and its figures.
std::uint64_t checksumOf(const SweepCell& cell);
/// For a row of `information`.
std::uint64_t checksumOf(std::int64_t id, std::string_view key, std::string_view value);

/// Reads the whole sweep; a cell called running may have been cut off. The error is the cause alone.
Result<Sweep> readSweep(run_file::Database& database);
void letRunningWait(Sweep& sweep);
/// Why the file is not to be opened, told by its first bytes; the cause alone, empty for none.
std::string headerProblem(const run_file::Database& database);
/// Whether a journal is the file's own (engine/io/run_file_source.h).
run_file::JournalCheck judgeJournal(const run_file::Database& file);

}  // namespace warpglass::sweep_file
