#include "app/cli/report_command.h"

#include <atomic>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/saved_run.h"
#include "engine/io/run_file.h"
#include "engine/report/report_file.h"

namespace warpglass::cli {
namespace {

struct ReportCommand {
    std::vector<std::string> inputs;
    std::string output = "report.html", title, only, without, compareA, compareB;
};

ExitStatus writeIt(const ReportCommand& command) {
    const Result<ReportParts> parts = chosenParts(command.only, command.without);
    if (!parts)
        return wrongCommandLine(parts.message());
    if (const Status count = checkInputCount(command.inputs.size()); !count)
        return wrongCommandLine(count.message());
    ReportRequest request;
    request.inputs.assign(command.inputs.begin(), command.inputs.end());
    if (const Status place = checkReportPlace(command.output, request.inputs); !place)
        return fail(place.message());
    if (const auto format = reportFormatOf(command.output); !format)
        return wrongCommandLine(format.message());
    request.output = command.output;
    request.options.title = command.title;
    request.options.parts = *parts;
    request.options.compareA = command.compareA;
    request.options.compareB = command.compareB;
    return writeReportAndSay(request);
}

/// The report may be made in a process of its own, so that what it finds damaged does not come to light here.
void sayOfRun(const std::string& path, const ReportRun& run) {
    sayOfFile(path, run.warnings);
    const std::vector<std::string> damage = verifyRun(path);
    sayOfFile(path, damage);
    if (!damage.empty())
        sayOfFile(path, {"The report does not include what is lost."});
}

}  // namespace

ExitStatus writeReportAndSay(ReportRequest request) {
    request.options.command = reportCommand(request);
    request.options.made = reportMade(WARPGLASS_VERSION);
    if (const Status place = checkReportPlace(request.output, request.inputs); !place)
        return fail(place.message());
    const Result<ReportInputs> inputs = openReportInputs(request.inputs);
    if (!inputs)
        return fail(inputs.message());
    for (const std::string& problem : inputs->problems)
        say(problem);
    for (const ReportInput& input : inputs->inputs) {
        if (const ReportRun* run = input.run())
            sayOfRun(input.path.string(), *run);
        else if (const auto* sweep = std::get_if<ReportSweep>(&input.content))
            sayOfFile(input.path.string(), sweep->sweep.warnings);
    }
    // An input that could not be read may be the one that was to be compared.
    if (const Status compared = checkCompared(*inputs, request.options); !compared)
        return inputs->problems.empty() ? wrongCommandLine(compared.message()) : fail(compared.message());
    const std::atomic<bool> stop{false};
    std::vector<std::string> said;
    const Status written = writeReportAs(request, *inputs, {}, stop, said);
    if (!written)
        return fail(written.message());
    for (const std::string& sentence : said)
        say(sentence);
    say("The report is in " + request.output.string() + ".");
    return inputs->problems.empty() ? ExitStatus::kDone : ExitStatus::kWorkFailed;
}

void addReportCommand(CLI::App& root, Work& chosen) {
    auto [command, options] = addCommand(
        root, chosen, "report",
        "Write one file that says what runs, sweeps and experiments came to, with figures", writeIt,
        R"(What was run and on what comes first, then what it came to in sentences, tables and figures, the
comparison of two runs, and the commands that run it again. Figures are drawn by the window's program;
without it the report has none.

Examples:
  warpglass-cli report a.wgrun
  warpglass-cli report fp32.wgrun bf16.wgrun --output precision.html --title "What bf16 is worth"
  warpglass-cli report sizes.wgsweep --only answers,figures --output sizes.md
  warpglass-cli report attention/ --output attention.pdf
  warpglass-cli report *.wgrun --compare-a base --compare-b new --without tables)");
    command
        .add_option("INPUT", options.inputs,
                    "Run files (.wgrun), sweep files (.wgsweep) and folders of experiments")
        ->type_name("")
        ->required();
    beginGroup(command, "Output");
    addText(command, "--output,-o", options.output, "FILE",
            "The file to write: .html is one file that needs no other, .md has its figures in a "
            "folder beside it, .pdf is pages")
        ->default_str("report.html");
    addText(command, "--title", options.title, "TEXT", "Title of the report (default: what it is of)");
    addText(command, "--only", options.only, "WORDS",
            "Only these parts, with commas between: configuration, answers, tables, figures, comparison, "
            "commands");
    addText(command, "--without", options.without, "WORDS", "All parts but these");
    auto* a = addText(command, "--compare-a", options.compareA, "RUN",
                      "The run that another is compared with (default: of exactly two runs, the first)");
    auto* b = addText(command, "--compare-b", options.compareB, "RUN", "The run that is compared with it");
    a->needs(b);
    b->needs(a);
}

}  // namespace warpglass::cli
