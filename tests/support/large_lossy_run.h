// A run whose file lacks something, and which is too large for the window's thread to look through. Where it
// is included, WARPGLASS_SAMPLE_RUNS names the samples' folder; it takes warpglass_test_damage.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>

#include "engine/session/save_run.h"
#include "tests/support/repeated_run.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_run.h"

namespace warpglass::test {

/// A GPU's, of some 300,000 spans, opened from a file in `folder`. It is known at once to lack something, and
/// its chunks of these kinds of track cannot be read.
inline std::shared_ptr<const Snapshot> openLargeRunWithout(const std::filesystem::path& folder,
                                                           std::initializer_list<TrackKind> kinds) {
    const std::filesystem::path path = folder / "lossy.wgrun";
    const Status saved = saveRun(*repeatRun(*openSampleRun("small-bf16-naive"), 300'000), path);
    EXPECT_TRUE(saved);
    std::string numbers;
    for (const TrackKind kind : kinds)
        numbers += (numbers.empty() ? "" : ",") + std::to_string(static_cast<int>(kind));
    alterRun(path,
             "UPDATE chunks SET data=zeroblob(1000) WHERE kind=0 AND lane IN (SELECT lanes.id FROM lanes "
             "JOIN tracks ON tracks.id=lanes.track WHERE tracks.kind IN (" +
                 numbers + ")); INSERT INTO info(key, value) VALUES('missing.any', 'yes')");
    const auto opened = openRun(path);
    EXPECT_TRUE(opened) << opened.message();
    return opened->snapshot;
}

}  // namespace warpglass::test
