// A report as pages: PDF, A4, in the light theme.
//
// GUI thread only.
#pragma once

#include <filesystem>

#include "engine/base/result.h"
#include "engine/report/report_document.h"

namespace warpglass::ui {

/// Replaces the file; an error names it, and what was there is still there then.
Status writeReportPages(const ReportDocument& report, const std::filesystem::path& path);

}  // namespace warpglass::ui
