// What a run may have of a device's memory: what is free of it, or the run's own limit where that is less.
#pragma once

#include "engine/base/host_device.h"
#include "engine/base/units.h"
#include "engine/plan/run_config.h"

namespace warpglass {

struct AvailableMemory {
    /// 0 where it is not known.
    Bytes bytes;
    /// What others hold of the device; 0 where the limit is what counts.
    Bytes inUse;
    /// The run's limit is less than what is free.
    bool isLimit = false;
};

/// A device of no known size gives the limit, if there is one.
AvailableMemory availableMemory(const RunConfig& config, const DeviceInfo& device);

}  // namespace warpglass
