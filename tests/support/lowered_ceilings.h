// A sample run that states half of the ceilings it was recorded with, which its products beat.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/run_damage.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test {

inline std::shared_ptr<const Snapshot> openWithLowerCeilings(const TemporaryFolder& folder,
                                                             const std::string& name) {
    const std::filesystem::path path = folder / (name + ".wgrun");
    std::filesystem::copy_file(sampleRunPath(name), path);
    alterRun(path, "UPDATE info SET value=CAST(value/2 AS TEXT) WHERE key GLOB 'ceiling.*_per_second'");
    const auto opened = openRun(path);
    EXPECT_TRUE(opened) << opened.message();
    return opened->snapshot;
}

}  // namespace warpglass::test
