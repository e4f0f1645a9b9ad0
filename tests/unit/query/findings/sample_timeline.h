// A sample run with its memory folded, for tests of findings.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/io/run_file.h"
#include "engine/query/memory_timeline.h"

namespace warpglass::test {

/// By its name without the extension: "small-bf16-naive".
inline MemoryTimeline openSample(const std::string& name) {
    const auto opened = openRun(std::string(WARPGLASS_SAMPLE_RUNS) + "/" + name + ".wgrun");
    EXPECT_TRUE(opened) << name;
    MemoryTimeline timeline;
    timeline.update(opened->snapshot);
    return timeline;
}

}  // namespace warpglass::test
