// A report as one HTML file: no script, nothing fetched, its figures within it in both themes.
#pragma once

#include <string>

#include "engine/report/report_document.h"

namespace warpglass {

/// Figures that were not drawn are left out. Numbers of tables are <data> with their plain value, as CSV has
/// it, but for those that a table states in words, as a comparison its differences. Pure; any thread.
std::string reportHtml(const ReportDocument& document);

}  // namespace warpglass
