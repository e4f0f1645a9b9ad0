// Random numbers of a device from a seed. Each device draws its own: a GPU draws billions of them in the time
// that the CPU takes for millions.
#pragma once

#include "engine/capture/torch_headers.h"

namespace warpglass {

inline at::Generator seededGenerator(at::Device device, std::uint64_t seed) {
    if (device.is_cpu())
        return at::detail::createCPUGenerator(seed);
    at::Generator generator =
        at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
    generator.set_current_seed(seed);
    return generator;
}

}  // namespace warpglass
