// What a report says of one input, and of two runs side by side: sections in the order of ReportPart. Pure;
// any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/plan/settings.h"
#include "engine/report/report_document.h"
#include "engine/report/report_input.h"
#include "engine/report/report_parts.h"

namespace warpglass {

/// As many rows as a table of a report has of what is ranked by cost; the command line prints the rest.
inline constexpr std::int64_t kMostReportRows = 15;

/// `index`: which input it is, for its figures.
std::vector<ReportSection> runSections(const ReportInput& input, std::size_t index, ReportParts parts);
std::vector<ReportSection> sweepSections(const ReportInput& input, ReportParts parts);
std::vector<ReportSection> experimentSections(const ReportInput& input, ReportParts parts);

/// `a` and `b` are runs of `inputs`.
ReportSection comparisonSection(const std::vector<ReportInput>& inputs, ReportRunPair pair,
                                ReportParts parts);

/// The runs of several in a row each: what was run, on what, and what came of it; no rows for none.
ReportTable runsTable(const std::vector<ReportInput>& inputs);

/// Puts a section with the part's title behind the others, where it is asked for and says something.
void addPart(std::vector<ReportSection>& sections, ReportPart part, ReportParts parts,
             std::vector<ReportBlock> blocks);

/// The settings in words: "Batch", "4".
ReportTable settingsTable(const RunConfig& config);
/// Device, versions and the rest of the machine, of what a run or a sweep states.
ReportTable environmentTable(const std::vector<std::pair<std::string, std::string>>& information);

/// Adds the table, without the columns that say nothing, unless it has no rows.
void addTable(std::vector<ReportBlock>& blocks, ReportTable table, bool onItsSide = false);
/// The same of the first `kMostReportRows`; says how many more there are, and with which command.
void addRanked(std::vector<ReportBlock>& blocks, ReportTable table, const std::string& command);

/// What a chart shows, for those who do not see it: its kind, its axes and its series.
std::string chartInWords(const Chart& chart);
/// The chart as a figure with that description.
ReportFigure figureOf(const Chart& chart);

}  // namespace warpglass
