// What can be said of a cell before it runs: whether it can, whether it will fit, and how long it may take.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/base/units.h"
#include "engine/plan/device_ceilings.h"
#include "engine/plan/run_config.h"

namespace warpglass {

struct CellOutlook {
    /// Why it cannot be run, or will not fit, in one sentence; empty for neither.
    std::string doubt;
    bool cannotRun = false, tooLarge = false;
    /// Predicted; 0 of one that cannot be run.
    Bytes peak;
    /// A rough time, in ns, good for weighing cells against one another; `timeIsKnown` where it rests on the
    /// device's measured ceilings.
    double time = 0;
    bool timeIsKnown = false;
};

/// Asks this machine for its devices once, and remembers what configurations of the same needs have. Not
/// thread-safe.
class Outlooks {
public:
    Outlooks();
    /// Microseconds to milliseconds for needs that are new.
    CellOutlook of(const RunConfig& config);
    /// The time alone, as in `of`.
    double time(const RunConfig& config);
    /// Whether it rests on the device's measured ceilings.
    bool timeIsKnown(const RunConfig& config);

private:
    const DeviceInfo* deviceOf(const RunConfig& config) const;
    const std::optional<DeviceCeilings>& ceilingsOf(const RunConfig& config);

    std::vector<DeviceInfo> m_devices;
    std::map<std::string, CellOutlook> m_known;
    std::map<std::string, double> m_flops;
    std::map<std::string, std::optional<DeviceCeilings>> m_ceilings;
};

}  // namespace warpglass
