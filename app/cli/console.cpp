#include "app/cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <set>

namespace warpglass::cli {
namespace {

constexpr std::string_view kProgram = "warpglass-cli";

void writeError(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

/// The terminal's width; 80 where it does not tell.
std::size_t terminalWidth() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 80;
    return size.ws_col;
}

/// The first `width` code points.
std::string_view clipped(std::string_view text, std::size_t width) {
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end) {
        const bool begins = (text[end] & 0xc0) != 0x80;
        if (begins && seen++ == width)
            break;
    }
    return text.substr(0, end);
}

}  // namespace

void say(std::string_view sentence) {
    std::string line(kProgram);
    line.append(": ").append(sentence);
    // The engine's sentences come with a full stop or without; a person reads them all the same way.
    if (sentence.empty() || std::string_view(".?!").find(sentence.back()) == std::string_view::npos)
        line += '.';
    line += '\n';
    writeError(line);
}

bool refuse(std::string_view sentence) {
    say(sentence);
    return false;
}

ExitStatus fail(std::string_view sentence) {
    say(sentence);
    return ExitStatus::kWorkFailed;
}

ExitStatus wrongCommandLine(std::string_view sentence) {
    say(sentence);
    return ExitStatus::kWrongCommandLine;
}

void sayOfFile(std::string_view path, const std::vector<std::string>& sentences) {
    static std::set<std::string> said;  // each once, whoever finds it
    for (const std::string& sentence : sentences) {
        std::string line = std::string(path) + ": " + sentence;
        if (said.insert(line).second)
            say(line);
    }
}

ExitStatus print(std::string_view text) {
    errno = 0;
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (written || errno == EPIPE)
        return ExitStatus::kDone;
    return fail(std::string("Standard output can't be written: ") + std::strerror(errno) + ".");
}

bool errorIsTerminal() {
    return ::isatty(STDERR_FILENO) == 1;
}

bool canAsk() {
    return ::isatty(STDIN_FILENO) == 1 && errorIsTerminal();
}

bool ask(std::string_view question) {
    writeError(std::string(kProgram) + ": " + std::string(question) + " [y/N] ");
    std::string answer;
    if (!std::getline(std::cin, answer)) {
        writeError("\n");
        return false;
    }
    return answer == "y" || answer == "Y" || answer == "yes";
}

ProgressLine::ProgressLine() : m_visible(errorIsTerminal()) {}

ProgressLine::~ProgressLine() {
    clear();
}

bool ProgressLine::isDue() {
    // A line that changes faster can't be read.
    constexpr std::chrono::milliseconds kInterval{200};
    const auto now = std::chrono::steady_clock::now();
    if (!m_visible || now - m_lastDue < kInterval)
        return false;
    m_lastDue = now;
    return true;
}

void ProgressLine::show(std::string_view text) {
    if (!m_visible)
        return;
    // A line that wraps could not be rewritten in place.
    const std::string_view line = clipped(text, terminalWidth() - 1);
    if (line == m_shown)
        return;
    m_shown = line;
    writeError("\r\x1b[K" + m_shown);
}

void ProgressLine::clear() {
    if (!m_visible || m_shown.empty())
        return;
    m_shown.clear();
    writeError("\r\x1b[K");
}

}  // namespace warpglass::cli
