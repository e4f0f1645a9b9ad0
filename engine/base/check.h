// Assertions for our own bugs. User input, files and devices never trigger one: they return Result<T>.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <thread>

namespace warpglass::detail {
[[noreturn]] inline void checkFailed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: internal error: %s does not hold\n", file, line, expression);
    std::abort();
}
}  // namespace warpglass::detail

/// Always on: the conditions it guards are cheap and a broken invariant must not write a wrong run file.
#define WG_CHECK(expression) \
    ((expression) ? void(0) : ::warpglass::detail::checkFailed(#expression, __FILE__, __LINE__))

/// Only in debug builds: for conditions on per-event paths.
#ifdef NDEBUG
#define WG_DCHECK(expression) ((void)sizeof(!(expression)))
#else
#define WG_DCHECK(expression) WG_CHECK(expression)
#endif

namespace warpglass {

/// Holds a class to the one thread that first used it: WG_DCHECK(m_thread.isCurrent()).
class ThreadChecker {
public:
    bool isCurrent() const {
        if (m_owner == std::thread::id())
            m_owner = std::this_thread::get_id();
        return m_owner == std::this_thread::get_id();
    }
    /// The next caller becomes the owner (an object built on one thread and used on another).
    void detach() { m_owner = std::thread::id(); }

private:
    mutable std::thread::id m_owner;
};

}  // namespace warpglass
