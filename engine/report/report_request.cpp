#include "engine/report/report_request.h"

#include <algorithm>

#include "engine/base/nearest_word.h"
#include "engine/base/units.h"
#include "engine/base/utc_now.h"
#include "engine/plan/settings.h"
#include "engine/report/repeat_commands.h"
#include "engine/report/report_file.h"
#include "engine/sweep/window_program.h"

namespace warpglass {
namespace {

// A hundred inputs with a dozen figures each, twice as slow as they are.
constexpr Nanoseconds kWritingLimit(600'000'000'000);

std::string partsInWords(ReportParts parts) {
    std::string words;
    for (std::size_t i = 0; i < kReportPartCount; ++i) {
        if (parts.has(static_cast<ReportPart>(i)))
            words += (words.empty() ? "" : ",") + std::string(kReportPartNames[i]);
    }
    return words;
}

Status writeWithoutFigures(const ReportRequest& request, const ReportInputs& inputs) {
    const Result<ReportDocument> document = makeReport(inputs, request.options);
    if (!document)
        return document.error();
    ReportDocument plain = *document;
    leaveOutUndrawn(plain);
    return writeReport(plain, request.output);
}

}  // namespace

Result<ReportParts> reportPartsOf(std::string_view words) {
    ReportParts parts;
    while (!words.empty()) {
        const std::size_t comma = std::min(words.find(','), words.size());
        const std::string_view word = words.substr(0, comma);
        const auto found = std::ranges::find(kReportPartNames, word);
        if (found == kReportPartNames.end())
            return Error{"A report has no part \"" + std::string(word) + "\": choose " +
                         listedWords(kReportPartNames) + "." + didYouMean(word, kReportPartNames)};
        parts.set(static_cast<ReportPart>(found - kReportPartNames.begin()));
        words.remove_prefix(std::min(comma + 1, words.size()));
    }
    return parts;
}

Result<ReportParts> chosenParts(std::string_view only, std::string_view without) {
    const Result<ReportParts> with = only.empty() ? ReportParts::all() : reportPartsOf(only);
    const Result<ReportParts> less = reportPartsOf(without);
    if (!with || !less)
        return with ? less.error() : with.error();
    ReportParts parts = *with;
    for (std::size_t i = 0; i < kReportPartCount; ++i) {
        if (less->has(static_cast<ReportPart>(i)))
            parts.set(static_cast<ReportPart>(i), false);
    }
    if (parts.none())
        return Error{"The report would have no parts: --without leaves out all of them."};
    return parts;
}

std::vector<std::string> reportArguments(const ReportRequest& request) {
    const ReportOptions& options = request.options;
    std::vector<std::string> arguments = {"--output", request.output.string()};
    const auto add = [&](const char* option, const std::string& value) {
        arguments.emplace_back(option);
        arguments.push_back(value);
    };
    if (!options.title.empty())
        add("--title", options.title);
    if (options.parts != ReportParts::all())
        add("--only", partsInWords(options.parts));
    if (!options.compareA.empty()) {
        add("--compare-a", options.compareA);
        add("--compare-b", options.compareB);
    }
    for (const std::filesystem::path& input : request.inputs)
        arguments.push_back(input.string());
    return arguments;
}

std::string reportCommand(const ReportRequest& request) {
    std::string command = "warpglass-cli report";
    for (const std::string& argument : reportArguments(request))
        command += " " + shellWord(argument);
    return command;
}

std::string reportMade(std::string_view version) {
    constexpr std::size_t kDate = 10;  // of "2026-11-25T09:00:00Z"
    return "Warpglass " + std::string(version) + " · " + utcNow().substr(0, kDate);
}

Status writeReportAs(const ReportRequest& request, const ReportInputs& inputs,
                     const std::filesystem::path& program, const std::atomic<bool>& stop,
                     std::vector<std::string>& said) {
    const Result<ReportFormat> format = reportFormatOf(request.output);
    if (!format)
        return format.error();
    if (Status place = checkReportPlace(request.output, request.inputs); !place)
        return place;
    const bool pages = *format == ReportFormat::kPdf;
    if (!pages && !request.options.parts.has(ReportPart::kFigures))
        return writeWithoutFigures(request, inputs);
    if (*format == ReportFormat::kMarkdown) {
        if (Status place = checkFigurePlace(request.output); !place)
            return place;
    }
    std::vector<std::string> arguments = reportArguments(request);
    arguments.insert(arguments.begin(), {"--render", "report"});
    const Status drawn = runWindowProgram(program, arguments, kWritingLimit, stop);
    if (drawn || stop)
        return drawn;
    if (pages)
        return Error{"The report was not written: " + drawn.message()};
    const Status plain = writeWithoutFigures(request, inputs);
    if (plain)
        said.push_back("The report has no figures: " + drawn.message());
    return plain;
}

}  // namespace warpglass
