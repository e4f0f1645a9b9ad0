// A sample run with its memory folded, for tests of findings.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "engine/query/memory/memory_timeline.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"

namespace warpglass::test {

/// All of them, by name.
inline constexpr std::array<const char*, 8> kSampleRuns = {
    "small-fp32-naive", "small-bf16-naive", "small-bf16-flash", "small-bf16-graph",
    "small-no-warmup",  "xl-bf16-forward",  "xl-bf16-step",     "large-fp32-out-of-memory"};

/// By its name without the extension: "small-bf16-naive".
inline MemoryTimeline openSample(const std::string& name) {
    return timelineOf(openSampleRun(name));
}

}  // namespace warpglass::test
