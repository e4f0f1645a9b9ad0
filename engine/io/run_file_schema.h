// The tables of a run file, one line each: from it they are made, checked for what no run file has, and held
// to their checksums. A new table is a line here, and rows written by a RowWriter (table_checksum.h).
#pragma once

#include <string>
#include <string_view>

#include "engine/io/sqlite_database.h"

namespace warpglass::run_file {

struct FileTable {
    std::string_view name;
    std::string_view columns;
    /// The format version that first had it.
    int since = 1;
    /// Its checksum is over so many of its columns, from the first: 0 stands for all.
    int covered = 0;
    /// Made with the file; others when they are first needed.
    bool always = true;
    bool withoutRowid = false;
};

// The order is that of their first pages in the file; that of the columns of chunks matters too
// (run_file_format.h).
inline constexpr FileTable kTables[] = {
    {"info", "id INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL"},
    {"totals", "key TEXT PRIMARY KEY, value INTEGER NOT NULL", 1, 0, true, true},
    {"checksums", "table_name TEXT PRIMARY KEY, rows INTEGER NOT NULL, checksum INTEGER NOT NULL", 4, 0, true,
     true},
    {"strings", "id INTEGER PRIMARY KEY, text TEXT NOT NULL"},
    {"places", "id INTEGER PRIMARY KEY, phase INTEGER NOT NULL, module INTEGER, part INTEGER"},
    {"details",
     "id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, copy INTEGER NOT NULL, full_name INTEGER, op INTEGER, "
     "grid_x INTEGER, grid_y INTEGER, grid_z INTEGER, block_x INTEGER, block_y INTEGER, block_z INTEGER, "
     "registers INTEGER, static_shared INTEGER, dynamic_shared INTEGER, bytes INTEGER, graph_node INTEGER, "
     "occupancy REAL",
     2},
    {"tracks", "id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name INTEGER"},
    {"lanes",
     "id INTEGER PRIMARY KEY, track INTEGER NOT NULL, depth INTEGER NOT NULL, rows INTEGER NOT NULL"},
    {"losses", "id INTEGER PRIMARY KEY, name TEXT NOT NULL, count INTEGER NOT NULL"},
    {"open_spans",
     "id INTEGER PRIMARY KEY, lane INTEGER NOT NULL, start_ns INTEGER NOT NULL, name INTEGER, place INTEGER, "
     "step INTEGER NOT NULL"},
    {"statistics",
     "id INTEGER PRIMARY KEY, name TEXT NOT NULL, family TEXT NOT NULL, time_share REAL, total_ns INTEGER, "
     "self_share REAL, self_ns INTEGER, instances INTEGER, average_ns REAL, median_ns REAL, min_ns INTEGER, "
     "max_ns INTEGER, stddev_ns REAL"},
    {"chunks",
     "id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, lane INTEGER NOT NULL, chunk INTEGER NOT NULL, rows "
     "INTEGER NOT NULL, begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, data_sum INTEGER NOT NULL, mip "
     "BLOB, data BLOB NOT NULL",
     1, 8},
    {"kernel_clocks",
     "id INTEGER PRIMARY KEY, kernel TEXT NOT NULL, step INTEGER NOT NULL, heads INTEGER NOT NULL, batch "
     "INTEGER NOT NULL, tiles_of_head INTEGER NOT NULL, rows_of_tile INTEGER NOT NULL, causal INTEGER NOT "
     "NULL, lost_tiles INTEGER NOT NULL, lost_rounds INTEGER NOT NULL, data BLOB NOT NULL",
     4, 0, false},
    {"marks", "id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, text TEXT NOT NULL", 1, 0, false},
};

/// The version that has checksums.
inline constexpr int kFirstCheckedVersion = 4;

/// Precondition: the name is in kTables.
const FileTable& fileTable(std::string_view name);
int columnCount(const FileTable& table);
/// How many of its columns the checksum covers.
int coveredColumns(const FileTable& table);
/// The statement that makes it.
std::string creation(const FileTable& table);

/// Why a table of the file cannot be one of a run file: it computes values of its own, or makes them up. ""
/// when it is plain, or there is none.
std::string schemaProblem(Database& database, std::string_view table);

}  // namespace warpglass::run_file
