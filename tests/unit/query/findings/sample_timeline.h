// A sample run with its memory folded, for tests of findings.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "engine/io/run_file.h"
#include "engine/query/memory/memory_timeline.h"
#include "tests/support/timeline_of.h"

namespace warpglass::test {

/// All of them, by name.
inline constexpr std::array<const char*, 8> kSampleRuns = {
    "small-fp32-naive", "small-bf16-naive", "small-bf16-flash", "small-bf16-graph",
    "small-no-warmup",  "xl-bf16-forward",  "xl-bf16-step",     "large-fp32-out-of-memory"};

/// By its name without the extension: "small-bf16-naive".
inline MemoryTimeline openSample(const std::string& name) {
    const auto opened = openRun(std::string(WARPGLASS_SAMPLE_RUNS) + "/" + name + ".wgrun");
    EXPECT_TRUE(opened) << name;
    return timelineOf(opened->snapshot);
}

}  // namespace warpglass::test
