// Opening the run files that a command reads, and its --range.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "engine/tables/report_table.h"
#include "engine/trace/snapshot.h"

namespace CLI {
class App;
}

namespace warpglass::cli {

/// Adds the positional FILE.
void addFileArgument(CLI::App& command, std::string& path, const std::string& name = "FILE",
                     const std::string& what = "Run file (.wgrun)");
/// Adds --range.
void addRangeOption(CLI::App& command, std::string& pattern);

/// Null, with the reason said, when it can't be opened. What is missing from the file is said too.
std::shared_ptr<const Snapshot> openSaved(const std::string& path);
/// print() of figures of the runs that have been opened; of a damaged one it is said which of them cannot be.
ExitStatus printFigures(const ReportTable& table, TableFormat format);
ExitStatus printFigures(const std::vector<ReportTable>& tables, TableFormat format);
/// At the end of the work: what reading the opened files has found damaged, so that no figure is taken for
/// whole.
void sayDamage();

/// The ranges that a pattern stands for: none for an empty pattern, which sets no condition; nothing, with a
/// sentence said, when it matches none.
std::optional<std::vector<TimeRange>> findRanges(const Snapshot& run, const std::string& path,
                                                 const std::string& pattern);

}  // namespace warpglass::cli
