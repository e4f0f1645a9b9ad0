#include "tests/cli/program.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>

namespace warpglass::test {
namespace {

[[noreturn]] void execute(const Arguments& arguments, const Environment& environment) {
    ::setenv("XDG_DATA_HOME", "/nowhere/at/all", 1);  // ceilings measured on this machine
    for (const auto& [name, value] : environment)
        ::setenv(name.c_str(), value.c_str(), 1);
    std::string program = WARPGLASS_CLI;
    std::vector<std::string> words = arguments;
    std::vector<char*> pointers = {program.data()};
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(program.c_str(), pointers.data());
    ::_exit(126);
}

void redirect(const std::string& path, int flags, int descriptor) {
    const int file = ::open(path.c_str(), flags, 0600);
    if (file < 0 || ::dup2(file, descriptor) < 0)
        ::_exit(125);
    ::close(file);
}

pid_t start(const Arguments& arguments, const Environment& environment, const std::string& out,
            const std::string& err, std::uint64_t fileLimit = 0) {
    const pid_t process = ::fork();
    if (process < 0)
        throw std::runtime_error("fork failed");
    if (process == 0) {
        redirect("/dev/null", O_RDONLY, STDIN_FILENO);
        if (fileLimit > 0) {
            const rlimit limit{fileLimit, fileLimit};
            ::setrlimit(RLIMIT_FSIZE, &limit);
        }
        redirect(out, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect(err, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
        execute(arguments, environment);
    }
    return process;
}

int awaitStatus(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Outcome runProgram(const Arguments& arguments, const Environment& environment) {
    return RunningProgram(arguments, environment).wait();
}

Outcome runSoundly(const Arguments& arguments, const Environment& environment) {
    Outcome outcome = runProgram(arguments, environment);
    EXPECT_EQ(outcome.status, 0) << testing::PrintToString(arguments) << outcome.err;
    return outcome;
}

Environment fake(const Environment& more) {
    Environment environment = {{"WARPGLASS_RUNNER", WARPGLASS_FAKE_RUNNER}};
    environment.insert(environment.end(), more.begin(), more.end());
    return environment;
}

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

void expectOneSentence(const Outcome& outcome, int status, const std::string& because) {
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(linesOf(outcome.err).size(), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, testing::StartsWith("warpglass-cli: "));
    EXPECT_THAT(outcome.err, testing::HasSubstr(because));
}

void expectColumnsOfThePaper(const std::string& csv) {
    const std::string paper = contentOf(WARPGLASS_TABLES_PAPER);
    const std::vector<std::string> lines = linesOf(csv);
    EXPECT_FALSE(lines.empty());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i == 0 || lines[i - 1].empty()) {
            EXPECT_THAT(paper, testing::HasSubstr("\n" + lines[i] + "\n"));
        }
    }
}

void expectEveryFormat(const Arguments& command) {
    SCOPED_TRACE(testing::PrintToString(command));
    const auto printed = [&](const char* format) {
        return runProgram(with(command, {"--format", format})).out;
    };
    EXPECT_THAT(printed("table"), testing::HasSubstr("---"));
    EXPECT_THAT(printed("markdown"), testing::HasSubstr("\n| "));
    EXPECT_TRUE(json::accept(printed("json")));
    expectColumnsOfThePaper(printed("csv"));
}

json rowOf(const Outcome& outcome) {
    const json table = json::parse(outcome.out, nullptr, false);
    EXPECT_FALSE(table.is_discarded()) << outcome.out << outcome.err;
    return table.is_discarded() ? json::object() : table["rows"][0];
}

json rowsOf(const json& tables, const std::string& name) {
    for (const json& table : tables)
        if (table["table"] == name)
            return table["rows"];
    ADD_FAILURE() << "no table " << name;
    return json::array();
}

json printedJson(const Arguments& command, const Environment& environment) {
    return json::parse(runSoundly(with(command, {"--format", "json"}), environment).out);
}

json rowsPrinted(const Arguments& command, const std::string& name) {
    return rowsOf(json::parse(runProgram(with(command, {"--format", "json"})).out), name);
}

std::vector<json> columnOf(const json& rows, const std::string& key) {
    std::vector<json> values;
    for (const json& row : rows)
        values.push_back(row[key]);
    return values;
}

std::int64_t columnSum(const json& rows, const std::string& key) {
    std::int64_t sum = 0;
    for (const json& row : rows)
        sum += row[key].get<std::int64_t>();
    return sum;
}

Outcome runProgramInto(const std::string& output, const Arguments& arguments) {
    const TemporaryFolder folder;
    const std::string err = (folder / "err").string();
    return {.status = awaitStatus(start(arguments, {}, output, err)), .err = contentOf(err)};
}

Outcome runOnTerminal(const Arguments& arguments, const std::string& input, const Environment& environment) {
    int terminal = -1;
    const pid_t process = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (process < 0)
        throw std::runtime_error("forkpty failed");
    if (process == 0)
        execute(arguments, environment);
    Outcome outcome;
    // The terminal keeps what is typed until it is read.
    if (::write(terminal, input.data(), input.size()) != static_cast<ssize_t>(input.size()))
        throw std::runtime_error("the terminal takes no input");
    char buffer[4096];
    // Reading fails with EIO once the program has ended and everything is read.
    for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
        outcome.out.append(buffer, static_cast<std::size_t>(got));
    ::close(terminal);
    outcome.status = awaitStatus(process);
    return outcome;
}

RunningProgram::RunningProgram(const Arguments& arguments, const Environment& environment,
                               std::uint64_t fileLimit)
    : m_process(start(arguments, environment, (m_folder / "out").string(), (m_folder / "err").string(),
                      fileLimit)) {}

RunningProgram::~RunningProgram() {
    if (m_process > 0) {
        send(SIGKILL);
        awaitStatus(m_process);
    }
}

void RunningProgram::send(int signal) {
    ::kill(m_process, signal);
}

void RunningProgram::awaitError(const std::string& text) const {
    for (int i = 0; i < 3000; ++i) {
        if (contentOf(m_folder / "err").find(text) != std::string::npos)
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    throw std::runtime_error("the program does not say: " + text);
}

Outcome RunningProgram::wait() {
    Outcome outcome{.status = awaitStatus(m_process)};
    m_process = -1;
    outcome.out = contentOf(m_folder / "out");
    outcome.err = contentOf(m_folder / "err");
    return outcome;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace warpglass::test
