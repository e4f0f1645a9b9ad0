// Where a GPU's time goes within the steps: busy, or idle and why.
//
// A moment is busy when a kernel, copy or fill runs on any stream. An idle stretch lasts from the end of what
// ran before it to the beginning of what runs next, and its cause follows from when that was launched:
//
//   gap                   before the GPU fell idle: it had the work, and took its time between two kernels
//   synchronization       after, and the host was waiting for the GPU when it fell idle: nothing could be
//                         queued
//   waiting for the host  after, and the host was busy with something else
//   unknown               the launch was not recorded
//
// The stretch to a step's end, which nothing follows, is judged by what the host did. Steps are those that
// means are taken over; they follow each other, as each ends with a wait for the device.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

enum class IdleCause : std::uint8_t { kGap, kSynchronization, kHostLate, kUnknown };
inline constexpr std::array<std::string_view, 4> kIdleCauseNames = {"kernel gap", "synchronization",
                                                                    "waiting for the host", "unknown"};

/// Whether steps are launch-bound, in which the GPU waits for the host for this long of their whole time: a
/// tenth or more. Below that count the waits at a step's beginning and end, which no execution takes away.
/// With less than a kernel per step, kernels are lost with a part of the file, and nothing is known of what
/// the GPU did.
bool isLaunchBound(double hostLate, double whole, double kernelsPerStep);

struct IdleStretch {
    TimeRange range;
    IdleCause cause = IdleCause::kUnknown;
    std::int32_t step = kNoStep;
    /// What ran next; an invalid name at a step's end.
    NameId next{};
    /// The correlation id of the call that launched it; 0 at a step's end and where it is not known.
    std::uint64_t launch = 0;
};

/// Sums over `steps` steps; busy and the idle causes add up to `wall`, to the nanosecond.
struct GpuTimeUse {
    std::int64_t steps = 0;
    Nanoseconds wall;
    Nanoseconds busy;
    std::array<Nanoseconds, kIdleCauseNames.size()> idle{};
    /// The longest idle stretches, longest first.
    std::vector<IdleStretch> longest;
};

/// Nothing but zeros when no step was completed or nothing ran on a GPU. O(n log n) in the spans of those
/// steps.
GpuTimeUse gpuTimeUse(const Snapshot& snapshot, std::size_t longestStretches = 20);
/// The same over other steps (engine/query/spans/span_scan.h). `ofFirst`, unless null, is given every idle
/// stretch of the first of them, in order of time.
struct StepSelection;
GpuTimeUse gpuTimeUse(const Snapshot& snapshot, const StepSelection& steps, std::size_t longestStretches,
                      std::vector<IdleStretch>* ofFirst = nullptr);

/// A GPU's work and its calls, read once for whoever asks about several selections of steps. Immutable; any
/// thread.
class GpuIdle {
public:
    /// `gpu`, unless empty: as if that one were the only GPU (gpusOf()). O(n) in the GPU's spans and the
    /// calls of each thread, as they are recorded in order. The snapshot must outlive it.
    explicit GpuIdle(const Snapshot& snapshot, std::string_view gpu = {});
    ~GpuIdle();
    GpuIdle(const GpuIdle&) = delete;
    GpuIdle& operator=(const GpuIdle&) = delete;

    /// Every idle stretch of those steps, in order of time: together what gpuTimeUse() sums.
    std::vector<IdleStretch> stretches(const StepSelection& steps) const;
    /// When something ran, in any step or none: in order of time, what touches or overlaps as one.
    std::vector<TimeRange> work() const;

private:
    struct Data;
    std::unique_ptr<const Data> m_data;
};
/// "GPU 0" of a track's name, "GPU 0 copies · stream 7"; and every GPU on which something ran.
std::string_view gpuOfTrack(std::string_view name);
std::vector<std::string> gpusOf(const Snapshot& snapshot);

/// Where calls into CUDA are missing from the file, and with them launches and waits, why the GPU was idle is
/// not known: all of it then counts as kUnknown.
void forgetCauses(GpuTimeUse& use);

}  // namespace warpglass
