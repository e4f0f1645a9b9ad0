// A run in a file, for tests of what is done with the file.
#pragma once

#include <gtest/gtest.h>

#include "engine/session/save_run.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test {

/// In a folder of its own, which goes with this.
struct SavedRun {
    explicit SavedRun(const Snapshot& run) { EXPECT_TRUE(saveRun(run, path)); }

    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "a.wgrun";
};

}  // namespace warpglass::test
