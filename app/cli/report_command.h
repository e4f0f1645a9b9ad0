// Writing a report for a command: what is wrong with its inputs is said, and where it is.
#pragma once

#include "app/cli/console.h"
#include "engine/report/report_request.h"

namespace warpglass::cli {

/// Fills in what makes the report and when. kWorkFailed where nothing was written, and where an input is not
/// in the report; kWrongCommandLine where what is to be compared was not given.
ExitStatus writeReportAndSay(ReportRequest request);

}  // namespace warpglass::cli
