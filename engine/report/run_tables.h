// The tables of a run as a whole: its figures, and its memory.
#pragma once

#include <optional>

#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/summary/run_summary.h"
#include "engine/tables/report_table.h"
#include "engine/trace/missing_records.h"

namespace warpglass {

/// The run in one row. People are spared what there is not, and are told why there is no share of a ceiling.
ReportTable summaryTable(const RunSummary& run, bool forPeople);

/// Leaves out the counts of records of which the file has lost some: what is left is no figure of the run.
void forgetCounts(ReportTable& summary, const MissingRecords& missing);

/// Memory at the peak by category, under the sentence that says why the peak is where it is; no rows without
/// memory events.
ReportTable peakTable(const RunSummary& run, const MemoryTimeline& memory,
                      const std::optional<PeakExplanation>& why);

/// One row: what was asked for and given, and what of the device was in use besides.
ReportTable memoryTable(const RunSummary& run, const MemoryTimeline& memory);

}  // namespace warpglass
