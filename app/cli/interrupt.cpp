#include "app/cli/interrupt.h"

namespace warpglass::cli {
namespace {

volatile std::sig_atomic_t g_requested = 0;

void onSignal(int signal) {
    if (g_requested == 0) {
        g_requested = 1;
        return;
    }
    // The default action, so that a shell sees a process ended by that signal. Delivered when this returns.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

}  // namespace

InterruptGuard::InterruptGuard() {
    g_requested = 0;
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &m_formerInterrupt);
    sigaction(SIGTERM, &action, &m_formerTerminate);
    sigaction(SIGHUP, nullptr, &m_formerHangup);
    if (m_formerHangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, nullptr);
}

InterruptGuard::~InterruptGuard() {
    sigaction(SIGINT, &m_formerInterrupt, nullptr);
    sigaction(SIGTERM, &m_formerTerminate, nullptr);
    sigaction(SIGHUP, &m_formerHangup, nullptr);
}

bool InterruptGuard::requested() const {
    return g_requested != 0;
}

}  // namespace warpglass::cli
