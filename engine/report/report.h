// Makes the report of runs, sweeps and experiments: what was run and on what first, then what came of it in
// sentences, tables and figures, the comparison of two of them, and the commands that repeat it.
//
// Pure; any thread. Takes as long as the summary and statistics of each run. Figures are named and described;
// drawing them is the window's (app/window/report_figures.h), which fills in ReportFigure::drawing.
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/report/report_document.h"
#include "engine/report/report_input.h"
#include "engine/report/report_parts.h"

namespace warpglass {

struct ReportOptions {
    /// Empty for one that names what the report is of.
    std::string title = {};
    ReportParts parts = ReportParts::all();
    /// Names of two inputs (ReportInput::name, or the path as given) that are compared; empty for both runs
    /// where there are exactly two.
    std::string compareA = {}, compareB = {};
    /// "Warpglass 0.1.0 · 2026-11-25": by what and when it was made.
    std::string made = {};
    /// The command that makes this report again; empty for none.
    std::string command = {};
};

/// An error where what is to be compared is not among the inputs, or is no run. Asked before the work.
Status checkCompared(const ReportInputs& inputs, const ReportOptions& options);

/// An error as checkCompared() has it.
Result<ReportDocument> makeReport(const ReportInputs& inputs, const ReportOptions& options);

}  // namespace warpglass
