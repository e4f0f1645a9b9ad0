// Which calls into CUDA make the host wait for the GPU.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpglass {

/// The GPU's times and the host's are brought together to some microseconds.
inline constexpr std::int64_t kClockTolerance = 20'000;  // ns

inline bool waitsForDevice(std::string_view call) {
    if (call.starts_with("cuStreamSynchronize") || call.starts_with("cuCtxSynchronize") ||
        call.starts_with("cuEventSynchronize"))
        return true;
    // A copy that is not asynchronous returns when it is done.
    return call.starts_with("cuMemcpy") && call.find("Async") == std::string_view::npos;
}

}  // namespace warpglass
