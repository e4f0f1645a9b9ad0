// What can be said of a cell before it runs: whether it can, whether it will fit, and how long it may take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/base/units.h"
#include "engine/plan/device_ceilings.h"
#include "engine/plan/run_config.h"
#include "engine/sweep/sweep.h"

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
    /// Set by Outlooks::verdict() alone: `peak` is what is asked for, and more may be given; a cell that is
    /// too large has no sentence.
    bool peakIsLeast = false, isWordless = false;

    bool operator==(const CellOutlook&) const = default;
};

/// The outlook at every place of a plan's grid: places count as cells do, without repeats.
struct GridOutlook {
    const CellOutlook& at(std::int64_t place) const {
        return distinct[which[static_cast<std::size_t>(place)]];
    }

    /// Cells with the same needs share one.
    std::vector<CellOutlook> distinct;
    /// A configuration of each.
    std::vector<RunConfig> configs;
    /// By place.
    std::vector<std::uint32_t> which;
};

/// Asks this machine for its devices once, and remembers what configurations of the same needs have. Not
/// thread-safe.
class Outlooks {
public:
    Outlooks();
    /// For a machine with these devices.
    explicit Outlooks(std::vector<DeviceInfo> devices);

    /// On a GPU milliseconds for needs that are new.
    CellOutlook of(const RunConfig& config);
    /// Some ten microseconds, and milliseconds only where what is asked for is within the memory and more
    /// than a half of it. Remembers nothing; any thread.
    CellOutlook verdict(const RunConfig& config) const;
    /// verdict() of every cell; and only whether it can be run, and its time. Both use several threads.
    GridOutlook verdicts(const SweepPlan& plan) const { return ofGrid(plan, &Outlooks::verdict); }
    GridOutlook times(const SweepPlan& plan) const { return ofGrid(plan, &Outlooks::time); }
    /// of() in place of a verdict, for those of `grid.distinct` that are named. Uses several
    /// threads.
    void complete(GridOutlook& grid, const std::vector<std::size_t>& named) const;

private:
    const DeviceInfo* deviceOf(const RunConfig& config) const;
    CellOutlook whole(const RunConfig& config) const;
    CellOutlook time(const RunConfig& config) const;
    GridOutlook ofGrid(const SweepPlan& plan, CellOutlook (Outlooks::*of)(const RunConfig&) const) const;
    /// Nothing for one that can be run.
    std::optional<std::string> cannotRun(const RunConfig& config) const;

    std::vector<DeviceInfo> m_devices;
    std::map<std::string, CellOutlook> m_known;
    /// By device.
    std::map<std::string, DeviceCeilings> m_ceilings;
};

}  // namespace warpglass
