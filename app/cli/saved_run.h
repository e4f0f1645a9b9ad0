// Opening the run files that a command reads, and its --range.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/cli_fwd.h"
#include "app/cli/console.h"
#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace warpglass::cli {

/// Adds --range.
void addRangeOption(CLI::App& command, std::string& pattern);

/// Null, after printing the reason, if it can't be opened. Also prints what is missing from the file.
std::shared_ptr<const Snapshot> openSaved(const std::string& path);
/// print() for figures of opened runs; for a damaged run it also says which figures cannot be right.
ExitStatus printFigures(const ReportTable& table, TableFormat format);
ExitStatus printFigures(const std::vector<ReportTable>& tables, TableFormat format);
/// At the end of the work: what reading the files found damaged, so that no figure is taken for whole.
void sayDamage();

/// The ranges that match a pattern: none for an empty pattern, which sets no condition; nothing, after
/// printing a sentence, if it matches none.
std::optional<std::vector<TimeRange>> findRanges(const Snapshot& run, const std::string& path,
                                                 const std::string& pattern);

}  // namespace warpglass::cli
