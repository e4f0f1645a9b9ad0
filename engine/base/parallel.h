// Independent pieces of one computation on several threads.
//
// For work of milliseconds: starting a thread takes some 20 µs. Without one the caller's does everything.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <initializer_list>
#include <system_error>
#include <thread>
#include <vector>

namespace warpglass {

/// How many threads a computation that is this wide should use, its caller's counted: at least 1. More than
/// four would wait for memory, not compute.
inline std::size_t threadsFor(std::size_t pieces) {
    constexpr std::size_t kMost = 4;
    return std::max<std::size_t>(1,
                                 std::min({pieces, kMost, std::size_t{std::thread::hardware_concurrency()}}));
}

/// Runs every task once, the last on this thread and the others beside it, and returns when all are done.
/// Where tasks throw, one exception is thrown here then. The tasks share nothing that one of them changes.
inline void runTogether(const std::vector<std::function<void()>>& tasks) {
    std::vector<std::future<void>> others;
    others.reserve(tasks.size());
    std::size_t done = 0;  // by others
    if (std::thread::hardware_concurrency() > 1) {
        try {
            for (; done + 1 < tasks.size(); ++done)
                others.push_back(std::async(std::launch::async, tasks[done]));
        } catch (const std::system_error&) {
            // No more threads to be had.
        }
    }
    // A future of std::async waits when it is destroyed: so do all of them where this throws.
    for (; done < tasks.size(); ++done)
        tasks[done]();
    for (std::future<void>& other : others)
        other.get();
}

}  // namespace warpglass
