// A report as it is asked for: of which inputs, what of them, and where it goes. The command line asks the
// window's program, which draws the figures and lays out pages, and writes what needs neither by itself.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/report/report.h"

namespace warpglass {

struct ReportRequest {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    /// Title, parts and what is compared; `made` and `command` are filled in where it is made.
    ReportOptions options = {};
};

/// Reads words with commas between ("answers,figures"); an error names the word that is none.
Result<ReportParts> reportPartsOf(std::string_view words);

/// What --only and --without leave; both empty for all parts. An error also where nothing is left.
Result<ReportParts> chosenParts(std::string_view only, std::string_view without);

/// The options that both programs take, without the name of either: inputs last.
std::vector<std::string> reportArguments(const ReportRequest& request);
/// "warpglass-cli report a.wgrun --output report.html", as a shell takes it.
std::string reportCommand(const ReportRequest& request);

/// Where it is made now: "Warpglass 0.1.0 · 2026-11-25".
std::string reportMade(std::string_view version);

/// Writes the report. With figures, and as PDF, by the window's program (`program`; empty for the one beside
/// the running program). Where that cannot, HTML and Markdown are written without figures, and `said` gets
/// the sentence why. Blocks; any thread.
Status writeReportAs(const ReportRequest& request, const ReportInputs& inputs,
                     const std::filesystem::path& program, const std::atomic<bool>& stop,
                     std::vector<std::string>& said);

}  // namespace warpglass
