// The NVIDIA GPUs of this machine without LibTorch and without CUDA's libraries: asked of the driver itself,
// so that estimates and the window can offer them before anything is loaded.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/host_device.h"

namespace warpglass {

/// In CUDA's order, "cuda:0" first; `threads` counts multiprocessors; `available` is 0 and `driver` empty
/// where the driver's management library does not say. Empty without a driver or a GPU. Takes some 100 ms at
/// its first call, while the driver wakes the devices: ask on a worker. Any thread.
std::vector<DeviceInfo> gpuDevices();

/// The CPU and every GPU.
std::vector<DeviceInfo> allDevices();
/// Nothing but its id is known of one that is not there.
DeviceInfo knownDevice(std::string_view id);

/// How much of a GPU's memory is already in use by other programs or by earlier work of this one. It is 0 if
/// unknown, or if it is no more than a driver and one idle program take. It is 0 for the CPU, whose memory is
/// shared by all programs.
Bytes inUseAlready(const DeviceInfo& device);

}  // namespace warpglass
