// Why the last call into the system failed, in its own words. Reads errno: to be asked before anything else
// is called. Any thread.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace warpglass {

inline std::error_code lastSystemError() {
    return {errno, std::generic_category()};
}

/// "Permission denied".
inline std::string lastSystemCause() {
    return lastSystemError().message();
}

}  // namespace warpglass
