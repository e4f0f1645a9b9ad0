// This machine's CPU and memory, from the kernel's own files.
#pragma once

#include <filesystem>

#include "engine/runner/runner_api.h"

namespace warpglass {

/// Reads proc/ and sys/fs/cgroup/ under `root` ("/" but for tests). In a container memory is what its control
/// group (version 2 or 1) allows, where that is less than the machine has. Values that cannot be read are 0,
/// the name "CPU".
DeviceInfo readHostDevice(const std::filesystem::path& root);

}  // namespace warpglass
