// What of a run is recorded. Each costs a little of the time that it measures; see docs/performance.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/plan/choice.h"

namespace warpglass {

enum class Feature : std::uint8_t { kOps, kMemory, kKernels, kCalls, kWaits, kShapes, kKernelClocks };
inline constexpr auto kFeatures = std::to_array<Choice>({
    {"ops", "PyTorch's ops"},
    {"memory", "Every allocation and free"},
    {"kernels", "The GPU's kernels, copies and fills"},
    {"calls", "Calls into CUDA: which op, module and step a kernel belongs to"},
    {"waits", "Waits for the GPU, by the calls that wait, and the profiler's own time"},
    {"shapes",
     "The types and shapes of every op's inputs and outputs, which nearly doubles what recording an op "
     "costs"},
    {.word = "kernel-clocks",
     .toolTip =
         "Where the time inside flash attention's kernels goes, by a twin of each that writes it, once",
     .devices = Devices::kGpu,
     .label = "clocks"},
});
inline constexpr auto kFeatureNames = wordsOf(kFeatures);

class Recorded {
public:
    /// Everything but shapes and kernel clocks.
    constexpr Recorded() = default;
    static constexpr Recorded none() {
        Recorded nothing;
        nothing.m_bits = 0;
        return nothing;
    }

    constexpr bool has(Feature feature) const { return (m_bits & bitOf(feature)) != 0; }
    constexpr void set(Feature feature, bool on) {
        m_bits = static_cast<std::uint8_t>(on ? m_bits | bitOf(feature) : m_bits & ~bitOf(feature));
    }
    constexpr bool operator==(const Recorded&) const = default;

private:
    static constexpr unsigned bitOf(Feature feature) { return 1u << static_cast<unsigned>(feature); }
    std::uint8_t m_bits = static_cast<std::uint8_t>(
        ((1u << kFeatureNames.size()) - 1) & ~(bitOf(Feature::kShapes) | bitOf(Feature::kKernelClocks)));
};

/// "ops,memory,kernels,calls,waits"; "none".
std::string recordedText(Recorded recorded);
/// "all" (everything but shapes and kernel clocks), "none", "all,shapes" and the like, or words with commas
/// between them.
Result<Recorded> parseRecorded(std::string_view text);

}  // namespace warpglass
