// Where a run may be stopped: module boundaries in the forward pass and in the optimizer, block boundaries in
// the backward pass. Nothing is half done there, and an exception unwinds through code that expects one.
#pragma once

#include <atomic>
#include <exception>

namespace warpglass {

/// Thrown at a safe point once a stop was asked for; caught by the run alone. A std::exception, since
/// autograd hands nothing else on from the thread that it runs a GPU's nodes on.
struct StopRequested : std::exception {
    const char* what() const noexcept override { return "the run was asked to stop"; }
};

/// Makes `stop` the flag that this thread's safe points read, until the end of the scope.
class SafePointScope {
public:
    explicit SafePointScope(const std::atomic<bool>& stop) : m_previous(s_stop) { s_stop = &stop; }
    ~SafePointScope() { s_stop = m_previous; }
    SafePointScope(const SafePointScope&) = delete;
    SafePointScope& operator=(const SafePointScope&) = delete;

    static bool stopRequested() { return isSet(s_stop); }
    /// The flag of this thread, for a safe point that another thread will come to; null outside any scope.
    static const std::atomic<bool>* current() { return s_stop; }
    static bool isSet(const std::atomic<bool>* stop) { return stop && stop->load(std::memory_order_relaxed); }

private:
    const std::atomic<bool>* m_previous;
    static inline thread_local const std::atomic<bool>* s_stop = nullptr;
};

/// Throws StopRequested if this thread's run is to stop.
inline void safePoint() {
    if (SafePointScope::stopRequested())
        throw StopRequested();
}

}  // namespace warpglass
