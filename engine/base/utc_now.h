// The time of day as files have it. Any thread.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace warpglass {

/// "2026-01-31T15:45:00Z".
inline std::string utcNow() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

}  // namespace warpglass
