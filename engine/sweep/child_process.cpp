#include "engine/sweep/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/base/collect.h"
#include "engine/base/descriptor.h"
#include "engine/base/kernel_files.h"
#include "engine/base/system_error.h"
#include "engine/io/utf8.h"

namespace warpglass {
namespace {

using Clock = std::chrono::steady_clock;

/// Soon enough for a person who stops a sweep, and nothing against what a cell takes.
constexpr int kPollMs = 20;
/// A run that is asked to stop ends between two ops and completes its file.
constexpr std::chrono::seconds kGrace(5);
/// How much of standard error is kept: the last sentences.
constexpr std::size_t kMostErrors = 65536;
/// exec() failed; as shells have it.
constexpr int kNoProgram = 127;

/// In the child, between fork and exec: calls into the system alone, since other threads held locks. `said`
/// learns why exec failed.
[[noreturn]] void becomeProgram(char* const* arguments, pid_t parent, int errors, int said) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent)
        ::_exit(kNoProgram);  // which died before it could be told
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execv(arguments[0], arguments);
    const int cause = errno;
    static_cast<void>(::write(said, &cause, sizeof cause) == sizeof cause);
    ::_exit(kNoProgram);
}

class Child {
public:
    Child(pid_t process, int errors) : m_process(process), m_errors(errors) {}

    ChildEnd watch(Nanoseconds timeLimit, const std::atomic<bool>& stop) {
        const Clock::time_point limit = Clock::now() + std::chrono::nanoseconds(timeLimit.value);
        Clock::time_point killAt = Clock::time_point::max();
        while (!hasEnded()) {
            if (stop && !m_end.stopped) {
                m_end.stopped = true;
                end(SIGKILL);
            }
            const Clock::time_point now = Clock::now();
            if (!m_end.timedOut && now >= limit) {
                m_end.timedOut = true;
                killAt = now + kGrace;
                end(SIGTERM);
            } else if (now >= killAt) {
                killAt = Clock::time_point::max();
                end(SIGKILL);
            }
            readErrors(kPollMs);
        }
        // What it has left running must not disturb the next.
        end(SIGKILL);
        readErrors(0);
        return std::move(m_end);
    }

private:
    bool hasEnded() {
        int status = 0;
        const pid_t ended = ::waitpid(m_process, &status, WNOHANG);
        if (ended == 0 || (ended < 0 && errno == EINTR))
            return false;
        if (ended == m_process && WIFSIGNALED(status))
            m_end.signal = WTERMSIG(status);
        else if (ended == m_process && WIFEXITED(status))
            m_end.status = WEXITSTATUS(status);
        return true;
    }

    void end(int signal) const { ::kill(-m_process, signal); }

    /// Waits for something to read, or that long.
    void readErrors(int timeoutMs) {
        pollfd waiting{m_isOpen ? m_errors : -1, POLLIN, 0};
        if (::poll(&waiting, 1, timeoutMs) <= 0)
            return;
        char buffer[4096];
        for (;;) {
            const ssize_t got = ::read(m_errors, buffer, sizeof buffer);
            if (got == 0)
                m_isOpen = false;
            if (got <= 0)
                return;
            m_end.errors.append(buffer, static_cast<std::size_t>(got));
            if (m_end.errors.size() > 2 * kMostErrors)
                m_end.errors.erase(0, m_end.errors.size() - kMostErrors);
        }
    }

    const pid_t m_process;
    const int m_errors;
    bool m_isOpen = true;
    ChildEnd m_end;
};

ChildEnd notStarted(std::string cause) {
    ChildEnd end;
    end.notStarted = std::move(cause);
    return end;
}

}  // namespace

ChildEnd runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                  Nanoseconds timeLimit, const std::atomic<bool>& stop) {
    std::vector<std::string> texts = {program.string()};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    auto pointers = mapped<char*>(texts, [&](std::string& text) { return text.data(); });
    pointers.push_back(nullptr);
    int errors[2], said[2];
    if (::pipe2(errors, O_CLOEXEC | O_NONBLOCK) != 0)
        return notStarted(lastSystemCause());
    Descriptor errorsIn(errors[0]), errorsOut(errors[1]);
    if (::pipe2(said, O_CLOEXEC) != 0)
        return notStarted(lastSystemCause());
    Descriptor saidIn(said[0]), saidOut(said[1]);
    // The program writes to a pipe that waits for room.
    ::fcntl(errors[1], F_SETFL, 0);
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0)
        return notStarted(lastSystemCause());
    if (process == 0)
        becomeProgram(pointers.data(), parent, errors[1], said[1]);
    ::setpgid(process, process);  // whichever of the two comes first
    errorsOut.close();
    saidOut.close();
    int cause = 0;
    ssize_t got = 0;
    do {
        got = ::read(said[0], &cause, sizeof cause);  // its end when exec has worked
    } while (got < 0 && errno == EINTR);
    ChildEnd end = Child(process, errors[0]).watch(timeLimit, stop);
    if (got == sizeof cause)
        end.notStarted = std::generic_category().message(cause);
    return end;
}

std::string lastSentence(const std::string& errors) {
    constexpr std::string_view kName = "warpglass-cli: ";
    std::string_view rest = trimmed(errors);
    std::string_view line = trimmed(
        rest.substr(rest.find_last_of('\n') == std::string_view::npos ? 0 : rest.find_last_of('\n') + 1));
    if (line.starts_with(kName))
        line.remove_prefix(kName.size());
    std::string sentence = validUtf8(line);
    std::replace_if(
        sentence.begin(), sentence.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return sentence;
}

}  // namespace warpglass
