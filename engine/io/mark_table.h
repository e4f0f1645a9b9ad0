// The table of marks in an opened run file. Internal to engine/io.
#pragma once

#include <string>
#include <vector>

#include "engine/io/run_marks.h"
#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

struct MarkTable {
    /// In order of time.
    std::vector<RunMark> marks;
    std::string problem{};  // why these are not all; empty when they are
    /// The problem as a person reads it.
    std::string sentence() const { return "Marks may be missing: " + problem + "."; }
};

/// Whether the file is of a version that has checksums, of marks too.
bool hasChecksums(Database& database);

/// Lowers the connection's limits (Database::limitValueSize, limitWork) to those of marks.
MarkTable readMarkTable(Database& database);

}  // namespace warpglass::run_file
