// A report as Markdown, with its figures as files beside it.
#pragma once

#include <string>
#include <string_view>

#include "engine/report/report_document.h"

namespace warpglass {

/// `figures`: the folder in which the figures lie as ID.svg, as the page names it. Figures that were not
/// drawn are left out. Pure; any thread.
std::string reportMarkdown(const ReportDocument& document, std::string_view figures);

}  // namespace warpglass
