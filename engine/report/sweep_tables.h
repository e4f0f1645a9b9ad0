// The tables of a sweep: before it runs, and what became of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/sweep/measures.h"
#include "engine/sweep/sweep.h"
#include "engine/sweep/sweep_run.h"
#include "engine/tables/report_table.h"

namespace warpglass {

/// What `--dry-run` prints: the sweep in one row, and a row for each cell of the grid (not each repeat) that
/// cannot run or will likely not fit.
std::vector<ReportTable> forecastTables(const SweepPlan& plan, const SweepForecast& forecast,
                                        TableFormat format);

/// The sweep in one row, its cells by index, and what is damaged of its file. `measures`: keys; empty for
/// some that people look at first, or for scripts all that any cell has.
std::vector<ReportTable> sweepTables(const std::filesystem::path& path, const Sweep& sweep,
                                     const std::vector<std::string>& measures, TableFormat format);

/// The cells for a page, which has less room than a terminal: the settings that vary, what became of the cell
/// and the most telling of its figures. Why it did not run is for the text beneath to say.
ReportTable cellsForPage(const Sweep& sweep);

/// "4 ok, 1 out of memory, 2 skipped".
std::string countsInWords(const Sweep& sweep);

}  // namespace warpglass
