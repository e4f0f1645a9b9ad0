// The NVIDIA GPUs of this machine without LibTorch and without CUDA's libraries: asked of the driver itself,
// so that estimates and the window can offer them before anything is loaded.
#pragma once

#include <vector>

#include "engine/base/host_device.h"

namespace warpglass {

/// In CUDA's order, "cuda:0" first; `threads` counts multiprocessors; `available` is 0 and `driver` empty
/// where the driver's management library does not say. Empty without a driver or a GPU. Takes some 100 ms at
/// its first call, while the driver wakes the devices: ask on a worker. Any thread.
std::vector<DeviceInfo> gpuDevices();

/// The CPU and every GPU.
std::vector<DeviceInfo> allDevices();

/// What of a GPU's memory is in use already, by other programs or earlier work of this one; 0 where that is
/// not known or a trifle: what a driver and one idle program take. Of the CPU 0: its memory is everybody's.
Bytes inUseAlready(const DeviceInfo& device);

}  // namespace warpglass
