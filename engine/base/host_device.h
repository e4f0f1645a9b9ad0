// What a run can be put on, and this machine's CPU and memory from the kernel's own files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/base/units.h"

namespace warpglass {

struct DeviceInfo {
    std::string id;  // "cpu", later "cuda:0"
    std::string name;
    /// Installed, and free at the time of asking.
    Bytes memory;
    Bytes available;
    std::int64_t threads = 0;
    /// For a GPU: the version of its driver, "580.65.06"; empty for the CPU.
    std::string driver = {};
};

/// This machine's CPU without LibTorch, so that estimates can state what fits before anything is loaded.
DeviceInfo hostDevice();

/// Reads proc/ and sys/fs/cgroup/ under `root` ("/" but for tests). In a container, memory is what its
/// control group (version 2 or 1) allows, if that is less than the machine has. Values that cannot be read
/// are 0, the name "CPU".
DeviceInfo readHostDevice(const std::filesystem::path& root);

}  // namespace warpglass
