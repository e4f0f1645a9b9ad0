#include "engine/plan/available_memory.h"

#include "engine/base/gpu_devices.h"

namespace warpglass {

AvailableMemory availableMemory(const RunConfig& config, const DeviceInfo& device) {
    const Bytes limit = config.memoryLimit;
    if (limit.value > 0 && (device.available.value <= 0 || limit < device.available))
        return {limit, {}, true};
    return {device.available, inUseAlready(device), false};
}

}  // namespace warpglass
