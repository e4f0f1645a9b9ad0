// Ctrl+C and kindred signals, for the time of a run: the first asks for a stop, a second ends the process.
#pragma once

#include <chrono>
#include <csignal>

namespace warpglass::cli {

/// How often to look whether a stop was requested: soon for a person who presses Ctrl+C, and nothing against
/// the work.
inline constexpr std::chrono::milliseconds kPollInterval{20};

/// Catches SIGINT, SIGTERM and (unless it was ignored, as under nohup) SIGHUP while it lives. One at a time.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// Whether a stop was requested. Any thread.
    bool requested() const;

private:
    struct sigaction m_formerInterrupt {};
    struct sigaction m_formerTerminate {};
    struct sigaction m_formerHangup {};
};

}  // namespace warpglass::cli
