// warpglass-cli: the headless front end. Tables on standard output, messages on standard error; exit status 0
// done, 1 the work failed, 2 the command line is wrong, 3 a condition of compare --fail-if tripped.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>

#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/saved_run.h"
#include "engine/base/nearest_word.h"

namespace {

using warpglass::cli::ExitStatus;

constexpr const char* kFooter = R"(Examples:
  warpglass-cli run --model tiny --steps 3 --output a.wgrun
  warpglass-cli stats ops a.wgrun --range forward
  warpglass-cli compare a.wgrun b.wgrun --format csv

`warpglass-cli COMMAND --help` lists a command's options.
Exit status: 0 done, 1 the work failed, 2 the command line is wrong, 3 a condition of compare --fail-if tripped.)";

/// The command that was given, down to the last word of it: for "stats ops", the subcommand ops.
const CLI::App& givenCommand(const CLI::App& app) {
    const std::vector<CLI::App*> given = app.get_subcommands();
    return given.empty() ? app : givenCommand(*given.front());
}

/// "X is not a command of stats. Did you mean Y?"
std::string unknownCommand(const std::string& word, const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* sub : command.get_subcommands({}))
        names.push_back(sub->get_name());
    return "\"" + word + "\" is not a command." +
           warpglass::didYouMean(word, std::vector<std::string_view>(names.begin(), names.end()));
}

/// "There is no option --X. Did you mean --Y?"
std::string unknownOption(std::string word, const CLI::App& command) {
    word = word.substr(0, word.find('='));
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return "There is no option " + word + "." +
           warpglass::didYouMean(word, std::vector<std::string_view>(names.begin(), names.end()));
}

/// "--steps needs a value.", of CLI11's "--steps: 1 required N missing".
std::string wrongNumberOfValues(const std::string& message) {
    const std::string option = message.substr(0, message.find(':'));
    if (message.find("received") != std::string::npos)
        return option + " takes one value, and was given more.";
    return option +
           (message.find(": 2 required") == std::string::npos ? " needs a value." : " needs two values.");
}

/// What CLI11 found wrong, as one sentence, and what was probably meant.
ExitStatus sayParseError(const CLI::App& app, const CLI::ParseError& error) {
    std::string sentence = error.what();
    const CLI::App& command = givenCommand(app);
    const std::vector<std::string> unknown = app.remaining(true);
    const auto option = std::ranges::find_if(
        unknown, [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
    // CLI11 misses what is required before it mentions the word that was probably meant to be it.
    const bool misses = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    // The options behind an unknown command are that command's, and nothing is wrong with them.
    if (misses && !unknown.empty() && option != unknown.begin() && !command.get_subcommands({}).empty())
        sentence = unknownCommand(unknown.front(), command);
    else if ((misses || dynamic_cast<const CLI::ExtrasError*>(&error)) && option != unknown.end())
        sentence = unknownOption(*option, command);
    else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
        sentence = wrongNumberOfValues(sentence);
    while (!sentence.empty() && (sentence.back() == '\n' || sentence.back() == ' '))
        sentence.pop_back();
    if (!sentence.empty() && sentence.back() != '.' && sentence.back() != '?')
        sentence += '.';
    warpglass::cli::say(sentence + " See warpglass-cli --help.");
    return ExitStatus::kWrongCommandLine;
}

ExitStatus runProgram(int argc, char** argv) {
    CLI::App app("Records Transformer runs, and prints what is in them.", "warpglass-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", "warpglass-cli " WARPGLASS_VERSION);
    app.set_help_all_flag("--help-all", "Print the help of every command and exit");
    app.footer(kFooter);

    warpglass::cli::Work chosen;
    warpglass::cli::addDevicesCommand(app, chosen);
    warpglass::cli::addEstimateCommand(app, chosen);
    warpglass::cli::addRunCommand(app, chosen);
    warpglass::cli::addInfoCommand(app, chosen);
    warpglass::cli::addFindingsCommand(app, chosen);
    warpglass::cli::addStatsCommand(app, chosen);
    warpglass::cli::addCompareCommand(app, chosen);
    warpglass::cli::addSweepCommand(app, chosen);
    warpglass::cli::addSweepInfoCommand(app, chosen);
    warpglass::cli::addExperimentCommand(app, chosen);
    warpglass::cli::addFusionsCommand(app, chosen);
    warpglass::cli::addReportCommand(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        app.exit(help);
        return ExitStatus::kDone;
    } catch (const CLI::ParseError& error) {
        return sayParseError(app, error);
    }
    const ExitStatus status = chosen();
    warpglass::cli::sayDamage();
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    // A reader that goes away shows as EPIPE where we write, so that a run is never lost to `| head`.
    std::signal(SIGPIPE, SIG_IGN);
    // Likewise a file that has reached the size limit: the run goes on in memory.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        return static_cast<int>(runProgram(argc, argv));
    } catch (const std::bad_alloc&) {
        return static_cast<int>(warpglass::cli::fail("There is not enough memory to go on."));
    } catch (const std::exception& error) {
        return static_cast<int>(warpglass::cli::fail(std::string("Internal error: ") + error.what() + "."));
    }
}
