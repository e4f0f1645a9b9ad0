#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <system_error>

#include "app/cli/command.h"
#include "app/cli/grid_options.h"
#include "app/cli/interrupt.h"
#include "app/cli/report_command.h"
#include "engine/base/format.h"
#include "engine/experiments/experiment.h"
#include "engine/experiments/experiment_figures.h"
#include "engine/experiments/experiment_folder.h"
#include "engine/experiments/experiment_json.h"
#include "engine/experiments/experiment_plans.h"
#include "engine/experiments/experiment_request.h"
#include "engine/experiments/run_experiment.h"
#include "engine/plan/settings.h"
#include "engine/report/report_request.h"
#include "engine/sweep/grid.h"
#include "engine/tables/report.h"

namespace warpglass::cli {
namespace {

/// In place of an experiment's name.
constexpr std::string_view kAllExperiments = "all";

struct ExperimentCommand {
    std::string name;
    GridOptions settings;
    std::string output;
    bool evaluateOnly = false;
    TableFormat format = TableFormat::kTable;
};

/// "modes: 3 of 12 cells done · 40 s left".
std::string progressText(const std::string& sweep, const SweepRun& run) {
    const std::shared_ptr<const Sweep> now = run.sweep();
    std::size_t done = 0;
    for (const SweepCell& cell : now->cells)
        done += cell.isDone() ? 1 : 0;
    std::string text =
        sweep + ": " + std::to_string(done) + " of " + std::to_string(now->cells.size()) + " cells done";
    if (const auto left = run.timeLeft())
        text += " · " + formatDuration(*left) + " left";
    return text;
}

std::string forPeople(const ExperimentResult& result) {
    std::string text = result.title + "\n" + result.lookFor + "\n";
    for (const std::string& settings : result.measured)
        text += (result.measured.size() > 1 ? "Measured, " : "Measured: ") + settings + "\n";
    text += "\n";
    for (const std::string& answer : result.answers)
        text += "• " + answer + "\n";
    for (const ReportTable& table : result.tables)
        text += "\n" + renderTable(table, TableFormat::kTable);
    if (!result.notes.empty())
        text += "\n";
    for (const std::string& note : result.notes)
        text += "Note: " + note + "\n";
    return text;
}

ExitStatus printResult(const ExperimentResult& result, TableFormat format) {
    switch (format) {
        case TableFormat::kTable:
            return print(forPeople(result));
        case TableFormat::kMarkdown:
            return print(answerPage(result));
        case TableFormat::kJson:
            return print(toJson(result));
        default:
            return print(renderTables(result.tables, format));
    }
}

ExitStatus listExperiments(TableFormat format) {
    using Of = Column<Experiment>;
    return print(renderTable(
        tableOf<Experiment>("experiments", "Experiments", experiments(),
                            {Of("name", "Name", &Experiment::name), Of("title", "Title", &Experiment::title),
                             Of("look_for", "What to look for", &Experiment::lookFor)}),
        format));
}

/// What was given; nothing, after saying why, for what no experiment can have.
std::optional<ExperimentOptions> optionsOf(const GridOptions& settings) {
    ExperimentOptions options;
    for (SweepAxis axis : settings.given()) {
        if (axis.key == "device" && axis.values.size() > 1) {
            say("An experiment runs on one device: give --device once, with one name.");
            return std::nullopt;
        }
        if (axis.key == "device")
            options.device = axis.values.front();
        else
            options.given.push_back(std::move(axis));
    }
    return options;
}

/// Whether every setting that was given is one of some sweep's workload; says which is not.
bool applyToItsSweeps(const ExperimentOptions& options, const std::vector<NamedSweep>& sweeps) {
    for (const SweepAxis& axis : options.given) {
        std::optional<std::string> problem;
        for (const NamedSweep& sweep : sweeps) {
            problem = workloadProblem(sweep.plan, *findSetting(axis.key));
            if (!problem)
                break;
        }
        if (problem)
            return refuse("--" + axis.key + ": " + *problem);
    }
    return true;
}

/// What was asked for, with settings that its sweeps have; nothing after saying what is wrong.
std::optional<ExperimentRequest> requestOf(const ExperimentCommand& command) {
    const Result<const Experiment*> experiment = findExperiment(command.name);
    if (!experiment) {
        say(experiment.message());
        return std::nullopt;
    }
    std::optional<ExperimentOptions> options = optionsOf(command.settings);
    if (!options || !applyToItsSweeps(*options, (*experiment)->sweeps(*options)))
        return std::nullopt;
    return ExperimentRequest{*experiment, std::move(*options)};
}

/// What was asked when the folder was begun, which need not be said again. Its request where there is none: a
/// folder of an earlier version.
Result<ExperimentRequest> keptRequest(const ExperimentRequest& asked, bool settingsGiven,
                                      const std::filesystem::path& folder) {
    if (std::error_code error; !std::filesystem::exists(folder / kRequestFile, error))
        return asked;
    Result<ExperimentRequest> kept = readRequest(folder);
    if (!kept)
        return kept;
    if (kept->experiment != asked.experiment)
        return Error{folder.string() + " holds the experiment " + std::string(kept->experiment->name) + "."};
    if (settingsGiven && !isSameRequest(*kept, asked))
        return Error{folder.string() +
                     " holds this experiment with other settings; without settings it is "
                     "evaluated as it was run."};
    return kept;
}

/// Runs the experiment, or evaluates what its folder holds, and prints and draws what it came to.
ExitStatus answer(const ExperimentCommand& command, ExperimentRequest asked,
                  const std::filesystem::path& folder, const InterruptGuard& interrupt) {
    if (command.evaluateOnly) {
        Result<ExperimentRequest> kept = keptRequest(asked, !asked.options.given.empty(), folder);
        if (!kept)
            return fail(kept.message());
        asked = std::move(*kept);
    }
    const auto& [experiment, options] = asked;
    if (Status compared = comparesWhatIsGiven(*experiment, options); !compared && !command.evaluateOnly)
        return fail(compared.message());
    // For one that goes on, the progress says what is left.
    if (std::error_code error;
        !command.evaluateOnly && !std::filesystem::exists(folder / kRequestFile, error)) {
        if (const std::string ahead = forecastSentence(options, experiment->sweeps(options)); !ahead.empty())
            say(ahead);
    }
    ProgressLine line;
    ExperimentWatch watch;
    watch.onProgress = [&](const std::string& sweep, const SweepRun& run) {
        if (line.isDue())
            line.show(progressText(sweep, run));
        return !interrupt.requested();
    };
    const Result<ExperimentResult> result = command.evaluateOnly
                                                ? evaluateExperiment(*experiment, options, folder)
                                                : runExperiment(*experiment, options, folder, {}, watch);
    line.clear();
    if (!result)
        return fail(result.message());
    bool drawn = false;
    if (!result->charts.empty()) {
        const std::atomic<bool> stop{false};
        const Status figures = drawFigures(folder, {}, stop);
        drawn = static_cast<bool>(figures);
        if (!drawn)
            say(figures.message());
    }
    const ExitStatus printed = printResult(*result, command.format);
    std::vector<std::string> written{"answer"};
    if (!result->tables.empty())
        written.emplace_back("tables");
    if (drawn)
        written.emplace_back("figures");
    if (!experiment->sweeps(options).empty())
        written.emplace_back("runs");
    say("The " + listed(written) + (written.size() > 1 ? " are in " : " is in ") + folder.string() + ".");
    return printed;
}

/// The settings that were given and that the experiment's sweeps have; a sweep that has none of them runs as
/// it usually does.
ExperimentOptions itsOwn(const ExperimentOptions& options, const Experiment& experiment) {
    ExperimentOptions own = options;
    const std::vector<NamedSweep> sweeps = experiment.sweeps(options);
    std::erase_if(own.given, [&](const SweepAxis& axis) {
        return std::ranges::all_of(sweeps, [&](const NamedSweep& sweep) {
            return workloadProblem(sweep.plan, *findSetting(axis.key)).has_value();
        });
    });
    return own;
}

/// Every experiment in a folder of its own, and one report of them all. One that fails is said and left out.
ExitStatus answerAll(const ExperimentCommand& command) {
    // Ten documents one after the other are none.
    if (!isForPeople(command.format)) {
        return wrongCommandLine("--format " +
                                std::string(kTableFormatNames[static_cast<std::size_t>(command.format)]) +
                                " is of one experiment: name it.");
    }
    const std::optional<ExperimentOptions> options = optionsOf(command.settings);
    if (!options)
        return ExitStatus::kWrongCommandLine;
    const std::filesystem::path folder = command.output.empty() ? "warpglass-experiments" : command.output;
    ReportRequest report;
    report.output = folder / "report.html";
    report.options.title = "All experiments";
    // Only while experiments run: it would keep Ctrl+C from ending the writing of the report.
    std::optional<InterruptGuard> interrupt(std::in_place);
    ExitStatus status = ExitStatus::kDone;
    std::size_t number = 0;
    for (const Experiment& experiment : experiments()) {
        const std::filesystem::path own = folder / experiment.name;
        say("Experiment " + std::string(experiment.name) + ", " + std::to_string(++number) + " of " +
            std::to_string(experiments().size()) + ".");
        const ExitStatus answered =
            answer(command, {&experiment, itsOwn(*options, experiment)}, own, *interrupt);
        if (answered != ExitStatus::kDone)
            status = answered;
        if (std::error_code error; std::filesystem::exists(own / kExperimentFile, error))
            report.inputs.push_back(own);
        if (interrupt->requested())
            return status;
    }
    interrupt.reset();
    if (report.inputs.empty())
        return fail("There is no report: no experiment has an answer.");
    const ExitStatus written = writeReportAndSay(report);
    return status == ExitStatus::kDone ? written : status;
}

ExitStatus work(const ExperimentCommand& command) {
    if (command.name.empty())
        return listExperiments(command.format);
    if (command.name == kAllExperiments)
        return answerAll(command);
    std::optional<ExperimentRequest> asked = requestOf(command);
    if (!asked)
        return ExitStatus::kWrongCommandLine;
    const InterruptGuard interrupt;
    return answer(command, std::move(*asked),
                  command.output.empty() ? "warpglass-" + command.name : command.output, interrupt);
}

/// What every experiment takes, whether it is named or has a command of its own.
void addOptions(CLI::App& command, ExperimentCommand& options) {
    options.settings.addTo(command);
    beginGroup(command, "Output");
    addText(command, "--output,-o", options.output, "DIR",
            "Folder for the result (default: warpglass-" + (options.name.empty() ? "NAME" : options.name) +
                " in this folder)");
    command.add_flag("--evaluate", options.evaluateOnly,
                     "Run nothing: work out the answer from what the folder holds, as it was asked");
    addFormatOption(command, options.format);
}

}  // namespace

void addExperimentCommand(CLI::App& root, Work& chosen) {
    auto [command, options] = addCommand(
        root, chosen, "experiment", "Answer a question by runs: tables, figures and the answer in words",
        work,
        R"(Settings take one value or several with commas between, in place of what the experiment would choose.
An experiment that was stopped goes on from its last finished run when the same command is given again.
On the CPU an experiment chooses sizes that a laptop finishes in about a minute. With all in place of a
name every experiment runs, each in a folder of its own in DIR with the settings that it has, and DIR/report.html
tells of them all.

Examples:
  warpglass-cli experiment
  warpglass-cli experiment accumulation
  warpglass-cli experiment benchmark --device cuda:0 --model small,medium --output benchmark
  warpglass-cli experiment memory --context 64,128 --format markdown
  warpglass-cli experiment all --output experiments)");
    addText(command, "name", options.name, "NAME", "Which one, or all; without a name they are listed");
    addOptions(command, options);
}

void addFusionsCommand(CLI::App& root, Work& chosen) {
    auto [command, options] =
        addCommand(root, chosen, "fusions", "What each fused kernel is worth: short for experiment fusions",
                   work, R"(Example:
  warpglass-cli fusions --device cuda:0 --attention naive,flash --execution eager,graph)");
    options.name = "fusions";
    addOptions(command, options);
}

}  // namespace warpglass::cli
