// The tables of a run as a whole: its figures, and its memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/query/memory/memory_statistics.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/summary/run_summary.h"
#include "engine/tables/column.h"
#include "engine/tables/report_table.h"
#include "engine/trace/missing_records.h"

namespace warpglass {

/// The run in one row: `info`. Other tables that tell of runs lift its columns. `isCeilingReached`: a run has
/// done better than what was measured.
TableDescription<RunSummary> runColumns(bool isCeilingReached = false);
/// People are spared what there is not, and are told why there is no share of a ceiling.
ReportTable summaryTable(const RunSummary& run, bool forPeople);

/// Leaves out the counts of records of which the file has lost some: what is left is no figure of the run.
void forgetCounts(ReportTable& summary, const MissingRecords& missing);

/// Bytes of a category, of all those that make up a whole.
struct CategoryPart {
    std::string_view name;
    std::int64_t bytes = 0;
    RoundingTotals rounding = {};
};
ReportTable categoriesTable(std::string key, std::string title, const std::vector<CategoryPart>& parts,
                            bool withRounding = false);
/// Memory at the peak by category, under the sentence that says why the peak is where it is; no rows without
/// memory events.
ReportTable peakTable(const RunSummary& run, const MemoryTimeline& memory,
                      const std::optional<PeakExplanation>& why);

/// One row: what was asked for and given, and what of the device was in use besides.
ReportTable memoryTable(const RunSummary& run, const MemoryTimeline& memory);

/// What should have been recorded and was not, and what is wrong with the file: a row for each.
ReportTable lossesTable(std::string key, const std::vector<LossCount>& losses);
ReportTable warningsTable(const std::vector<std::string>& warnings);

}  // namespace warpglass
