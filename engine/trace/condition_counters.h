// The conditions that a run ran under, as counters of its trace (CounterSample): how busy the host was with
// others' work, and the GPU's clocks. Sampled some ten times a second while the run goes on (engine/capture/
// conditions_sampler.h) and judged by engine/query/activity/conditions.h. A run without them was recorded by
// an earlier version, or by a program that does not sample them.
//
// The samples of one moment have one time. A counter that the system does not tell has none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpglass {

enum class ConditionCounter : std::uint8_t {
    // Rise only: what happened between two samples is their difference.
    kHostBusy,    // ns of all cores together in which anything ran, this run included
    kHostStolen,  // ns of all cores together that the hypervisor took
    kOwnTime,     // ns of CPU time of this process' threads
    kWaited,      // ns in which the run's thread was ready to run and had no core
    kPreempted,   // how often a core was taken from the run's thread
    kThrottled,   // ns in which a quota held the process back
    // As they are at the moment.
    kSmClock,       // MHz
    kMemoryClock,   // MHz
    kClockReasons,  // bits (engine/base/gpu_state.h)
    kPower,         // W
    kTemperature,   // °C
    kGpuProcesses   // with a context on the device, this one among them
};
inline constexpr std::size_t kConditionCounterCount = 12;
inline constexpr std::array<std::string_view, kConditionCounterCount> kConditionCounterNames = {
    "host busy (ns)",         "host stolen (ns)",     "process CPU time (ns)", "run's thread waited (ns)",
    "run's thread preempted", "quota throttled (ns)", "GPU SM clock (MHz)",    "GPU memory clock (MHz)",
    "GPU clock reasons",      "GPU power (W)",        "GPU temperature (°C)",  "GPU processes"};
constexpr std::string_view conditionCounterName(ConditionCounter counter) {
    return kConditionCounterNames[static_cast<std::size_t>(counter)];
}
/// Whether a counter only rises.
constexpr bool isCumulative(ConditionCounter counter) {
    return counter <= ConditionCounter::kThrottled;
}

/// Keys of the run information that the counters are read by.
namespace condition_key {
inline constexpr std::string_view kCores = "host.cores";                 // that are switched on
inline constexpr std::string_view kCoresAllowed = "host.cores_allowed";  // by affinity and quota; "2.5"
inline constexpr std::string_view kMaxSmClock = "gpu.max_sm_clock_mhz";
}  // namespace condition_key

}  // namespace warpglass
