// What a report says of a run: the facts, worked out once, and which of its usual parts cannot be made of
// them, and why. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/query/findings/run_overview.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/report/report_input.h"
#include "engine/trace/missing_records.h"

namespace warpglass {

/// Tables and figures that a run usually has, in the order of reading.
enum class RunPart : std::uint8_t {
    kConditions,
    kGpuPhases,
    kPhases,
    kGpuTime,
    kKernels,
    kOps,
    kLayers,
    kAttention,
    kMemory,
    kFlame,  // of time
    kRoofline,
    kPhaseDots,
    kClocks
};
inline constexpr auto kRunPartNames = std::to_array<std::string_view>(
    {"conditions of the run", "phases on the GPU", "phases", "GPU time", "kernels", "ops", "layers",
     "parts of attention", "memory", "flame chart of time", "roofline", "phases of every step",
     "clocks inside kernels"});
inline constexpr std::size_t kRunPartCount = kRunPartNames.size();
static_assert(kRunPartCount == static_cast<std::size_t>(RunPart::kClocks) + 1);

struct RunToTell {
    const Snapshot& run;
    MemoryTimeline& memory;
    RunOverview overview;
    AttentionParts attention;
    Layers layers;
    /// What the file lacks, once all of the above has been read from it.
    MissingRecords missing;

    struct Part {
        bool isThere = false;
        /// Within a sentence, without full stop; "" also for a part that no one would look for.
        std::string whyNot = {};
    };
    std::array<Part, kRunPartCount> parts{};

    bool has(RunPart part) const { return parts[static_cast<std::size_t>(part)].isThere; }
    /// "Parts of attention and roofline: no step was completed (memory ran out in step 0)." One a reason.
    std::vector<std::string> absences() const;
};

/// Both must outlive what is returned. Takes as long as the summary of the run.
RunToTell toTell(const ReportRun& run, MemoryTimeline& memory);

}  // namespace warpglass
