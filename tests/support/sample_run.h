// The sample runs (resources/runs), for tests of what is found in a real run. Where it is included,
// WARPGLASS_SAMPLE_RUNS names their folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "engine/io/run_file.h"

namespace warpglass::test {

/// By its name without the extension: "small-bf16-naive".
inline std::filesystem::path sampleRunPath(const std::string& name) {
    return std::filesystem::path(WARPGLASS_SAMPLE_RUNS) / (name + ".wgrun");
}

inline std::shared_ptr<const Snapshot> openSampleRun(const std::string& name) {
    const auto opened = openRun(sampleRunPath(name));
    EXPECT_TRUE(opened) << opened.message();
    return opened->snapshot;
}

}  // namespace warpglass::test
