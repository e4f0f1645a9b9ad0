// The half sentences of what nothing is said of without the records for it, whether those were never made
// (unrecorded.h) or are lost (missing_records.h), and how such are listed. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpglass {

/// After "figures and findings say nothing ".
inline constexpr std::string_view kGpuTimeUnsaid = "of the GPU's busy and idle time";
inline constexpr std::string_view kMemoryUnsaid = "of what fills memory";

/// "kernels", "kernels and memory", "kernels, ops and memory".
template <class Text>
std::string joinedByAnd(const std::vector<Text>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ").append(parts[i]);
    return text;
}

}  // namespace warpglass
