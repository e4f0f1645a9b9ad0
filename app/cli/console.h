// What the command line says and where: tables on standard output, sentences and progress on standard error.
// One thread only.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass::cli {

/// What the process returns. Scripts rely on these.
enum class ExitStatus : int { kDone = 0, kWorkFailed = 1, kWrongCommandLine = 2, kGateTripped = 3 };

/// One line on standard error: "warpglass-cli: <sentence>".
void say(std::string_view sentence);
/// Says the sentence; the work has failed.
ExitStatus fail(std::string_view sentence);
/// Says the sentence; the command line is wrong.
ExitStatus wrongCommandLine(std::string_view sentence);
/// Says the sentence; false, for a check that returns whether the command line is right.
bool refuse(std::string_view sentence);
/// Says each sentence with the file's name before it.
void sayOfFile(std::string_view path, const std::vector<std::string>& sentences);

/// Writes a rendered table. A reader that has gone (`| head`) had enough and is no failure; a full disk is.
ExitStatus print(std::string_view text);

bool errorIsTerminal();
/// Asks on the terminal, no being the answer to an empty line or the end of input. Precondition: both
/// standard input and standard error are terminals (canAsk()).
bool canAsk();
bool ask(std::string_view question);

/// A line that is rewritten in place on a terminal, and nothing at all elsewhere. Cleared when it goes.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    bool visible() const { return m_visible; }
    /// Whether it is time for another text: never where nothing is seen.
    bool isDue();
    void show(std::string_view text);
    /// Call before anything else is written to standard error.
    void clear();

private:
    bool m_visible;
    std::chrono::steady_clock::time_point m_lastDue{};
    std::string m_shown;
};

}  // namespace warpglass::cli
