// One run in a process of its own, by the command line as a user types it, and what its file says of it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace warpglass::bench {

/// What is recorded in a step, counted in the measured ones.
enum class EventKind : unsigned char { kOps, kMemory, kKernels, kCalls };
inline constexpr std::array<std::string_view, 4> kEventNames = {"op", "allocation or free",
                                                                "kernel, copy or fill", "call into CUDA"};

struct RunCost {
    /// Median of the measured steps, in ns on the wall.
    double step = 0;
    /// By kind, a step.
    std::array<double, kEventNames.size()> events{};
    std::uint64_t lost = 0;
};

/// Starts `program` with these arguments and waits for it; what it wrote to its standard output. An error
/// where it could not be started or did not return 0.
Result<std::string> outputOf(const std::vector<std::string>& command);

/// `warpglass-cli run` with `arguments` into a file that is deleted again.
Result<RunCost> costOfRun(const std::string& commandLine, const std::vector<std::string>& arguments);

}  // namespace warpglass::bench
