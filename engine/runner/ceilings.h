// Measures what a device can do at most (engine/plan/device_ceilings.h): the products, copies and launches
// that a run is made of, through the same LibTorch calls, each alone. Products are large square ones and
// those of the presets. A rate is the best of short bursts, as a run has them, and of the median of several
// repetitions of some 50 ms each after a warm-up, which a device that grows hot may not hold; times are the
// host's clock around a synchronized batch, but for the time from kernel to kernel, which is the device's
// own.
#pragma once

#include "engine/plan/device_ceilings.h"
#include "engine/runner/gpu.h"
#include "engine/runner/runner_api.h"

namespace warpglass {

/// On the calling thread; counts its steps in `control`. `gpu` is the selected device's, null for the CPU.
/// Throws what LibTorch throws, std::runtime_error when the device fails, and StopRequested (safe_point.h)
/// between repetitions, inside a SafePointScope. A product or a copy that does not fit is left out. `device`
/// and `driver` are set from the device; `torch` and `measured` are the caller's.
DeviceCeilings measureCeilingsOf(const DeviceInfo& device, Gpu* gpu, RunControl& control);

}  // namespace warpglass
