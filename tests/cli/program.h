// Runs warpglass-cli as a person or a script does, and keeps what it said and returned.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/words.h"

namespace warpglass::test {

struct Outcome {
    /// The exit status, or 128 + the signal that ended it, as a shell has it.
    int status = -1;
    std::string out;
    std::string err;
};

using Arguments = std::vector<std::string>;
using Environment = std::vector<std::pair<std::string, std::string>>;

/// Runs it to its end, with no terminal and an empty standard input.
Outcome runProgram(const Arguments& arguments, const Environment& environment = {});
/// The same of what is to return 0.
Outcome runSoundly(const Arguments& arguments, const Environment& environment = {});
/// For a runner that needs no LibTorch.
Environment fake(const Environment& more = {});
/// The same with standard output going to a file or device.
Outcome runProgramInto(const std::string& output, const Arguments& arguments);
/// Runs it on a terminal of its own, types `input`, and gives all that the terminal showed as `out`.
Outcome runOnTerminal(const Arguments& arguments, const std::string& input,
                      const Environment& environment = {});

/// The second behind the first.
Arguments with(Arguments arguments, const Arguments& more);
/// It ended with that status, printed nothing, and said why in one line on standard error.
void expectOneSentence(const Outcome& outcome, int status, const std::string& because);
/// Every table of the CSV has the columns that docs/tables.md promises.
void expectColumnsOfThePaper(const std::string& csv);
/// The command prints in every format, in CSV with the columns of the paper.
void expectEveryFormat(const Arguments& command);

using nlohmann::json;

/// What a command prints that ends well.
json printedJson(const Arguments& command, const Environment& environment = {});
/// The one row of the one table that was printed.
json rowOf(const Outcome& outcome);
/// The rows of one of several tables.
json rowsOf(const json& tables, const std::string& name);
json rowsPrinted(const Arguments& command, const std::string& name);
/// The values of one column, and their sum.
std::vector<json> columnOf(const json& rows, const std::string& key);
std::int64_t columnSum(const json& rows, const std::string& key);

/// A program that goes on while the test does something to it. Killed when it goes.
class RunningProgram {
public:
    /// `fileLimit`: no file may grow beyond so many bytes; 0 for no limit.
    explicit RunningProgram(const Arguments& arguments, const Environment& environment = {},
                            std::uint64_t fileLimit = 0);
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    void send(int signal);
    /// Until standard error contains the text; gives up with an exception after a minute.
    void awaitError(const std::string& text) const;
    /// Waits for its end.
    Outcome wait();

private:
    const TemporaryFolder m_folder;  // what it says
    pid_t m_process = -1;
};

std::vector<std::string> linesOf(const std::string& text);

}  // namespace warpglass::test
