// The conditions that a run ran under, and whether they disturbed it: how busy the host was with others' work
// and how long the run's thread had to wait for a core, and the GPU's clocks. From the counters of
// engine/trace/condition_counters.h, over any stretch of time.
//
// Counters that only rise are taken as rising evenly between two samples, which are some 100 ms apart: what
// is said of a shorter step is the mean over the samples around it. Others' work is what ran on all cores
// less this process' CPU time. Clocks are means of the samples within a stretch, or the nearest one; samples
// at which the GPU was idle are left out of them where there are others, since an idle GPU's clock falls.
//
// Pure; any thread. One pass over the counters' samples, of which a run of a day has a million; at most some
// 50 MiB, whatever a file holds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/host_load.h"
#include "engine/trace/condition_counters.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

/// What a stretch of time ran under; nothing for what was not recorded, or not over half of it.
struct Conditions {
    /// Cores that others kept busy, and that the hypervisor took, on average.
    std::optional<double> othersCores, stolenCores;
    /// Shares of the time in which the run's thread was ready and had no core, and in which a quota held the
    /// process back.
    std::optional<double> waitedShare, throttledShare;
    /// How often a second a core was taken from the run's thread.
    std::optional<double> preemptions;
    /// MHz, W, °C.
    std::optional<double> smClock, memoryClock, power, temperature;
    /// clock_reason's bits that were set in a tenth of the time or more.
    std::optional<std::uint64_t> clockReasons;
    /// The largest number of processes with a context on the GPU at once, including this one.
    std::optional<std::int64_t> gpuProcesses;

    bool empty() const {
        return !othersCores && !stolenCores && !waitedShare && !throttledShare && !preemptions && !smClock &&
               !memoryClock && !power && !temperature && !clockReasons && !gpuProcesses;
    }
};

/// The samples of a run.
class ConditionSeries {
public:
    explicit ConditionSeries(const Snapshot& snapshot);

    bool empty() const { return m_moments.empty(); }
    /// How many moments are held.
    std::size_t moments() const { return m_moments.size(); }
    Conditions in(TimeRange range) const { return over({range}); }
    /// All of them together.
    Conditions over(const std::vector<TimeRange>& ranges) const;

private:
    static constexpr std::size_t kRising = 6;
    struct Moment {
        std::int64_t time = 0;
        /// NaN for none.
        std::array<double, kConditionCounterCount> values{};
    };
    /// A counter that only rises, in order of time, two samples or none.
    struct Rising {
        std::vector<std::int64_t> times;
        std::vector<double> values;
        double at(double time) const;
    };
    struct Gauges;

    bool takesMoment(std::uint64_t number, std::uint64_t& stride);
    void addRising(const Moment& moment);
    /// How much a counter rose in the ranges, and the part of them for which that is known; nothing for less
    /// than half.
    struct Rise {
        double by = 0, over = 0;
    };
    std::optional<Rise> rise(ConditionCounter counter, const std::vector<TimeRange>& ranges) const;
    void addGauges(TimeRange range, Gauges& gauges) const;

    std::vector<Moment> m_moments;  // in order of time
    std::array<Rising, kRising> m_rising;
};

/// What a run's measured steps ran under, or its warm-ups where no measured step is complete.
struct RunConditions {
    /// All of them together; whether they are measured ones.
    Conditions steps;
    bool measured = true;
    /// The cores of the host, and how many of them the run uses at a time: LibTorch's threads on the CPU, or
    /// on a GPU the one thread that launches the work. 0 if unknown.
    double cores = 0, coresNeeded = 0;
    /// MHz; of the steps one by one the slowest and the fastest, and what the GPU can run at.
    std::optional<double> slowestStepClock, fastestStepClock, maxSmClock;
    /// "NVIDIA H100 80GB HBM3"; of the host its name.
    std::string device;

    /// Whether the run sampled them, even if there is nothing for its steps: it may have completed none, or
    /// its file may have lost the samples.
    bool sampled = false;

    bool recorded() const { return !steps.empty(); }
    /// Others left the run too few cores, or it waited for one.
    bool hostDisturbs() const;
    /// The GPU's clock was held down.
    bool clockIsHeldDown() const;
    /// "other programs used 3.2 of 4 cores and the run's thread waited for a core 12% of the time": what of
    /// the host disturbs; "" where hostDisturbs() does not.
    std::string disturbance() const;
    /// A sentence for each thing that disturbed the run; none where all was well or nothing is known.
    std::vector<std::string> cautions() const;
    /// "other programs used 0.1 of 4 cores · the run's thread waited 0.2% of the time for a core · SM clock
    /// 1,980 of 1,980 MHz · 61 °C · 412 W"; "" where nothing is known.
    std::string inWords() const;
};

RunConditions conditionsOf(const Snapshot& snapshot);
/// The same of one stretch of the run, a step say.
RunConditions conditionsIn(const Snapshot& snapshot, TimeRange range);

/// The host's conditions while something other than a run was measured, between two readings that are
/// `passed` apart, in the form of a run's steps. Less than a second gives nothing: /proc/stat counts in steps
/// of 10 ms, and other programs work in bursts.
RunConditions hostConditions(const HostLoad& before, const HostLoad& after, Nanoseconds passed, double cores,
                             double coresNeeded);

/// What differs between two runs' conditions, or disturbed one of them, so that their times reflect more than
/// their settings; one sentence each. None for conditions that neither run recorded.
std::vector<std::string> comparedConditions(const RunConditions& a, const RunConditions& b);

/// Sentences as one text, a space between them.
std::string joinedSentences(const std::vector<std::string>& sentences);

/// Limits beyond which a run counts as disturbed.
namespace condition_limit {
/// Other programs left the run less than this share of the cores it needs; two runs differ by a tenth anyway.
inline constexpr double kCoresLeft = 0.9;
/// Cores: what a desktop does beside a run, and what proc/stat's steps of 10 ms blur.
inline constexpr double kLeastOthers = 0.25;
/// Shares of the time that the run's thread waited, and that a quota held it back: on an idle machine the
/// scheduler's own work makes a thread wait less than 0.5%.
inline constexpr double kWaited = 0.02;
inline constexpr double kThrottled = 0.02;
/// The hypervisor took this share of the cores that the run needs.
inline constexpr double kStolen = 0.05;
/// The GPU ran at less than this share of its highest clock: slower by more than the steps of a run differ.
inline constexpr double kHeldDown = 0.9;
/// Two clocks differ when they are farther apart than this share of the faster one: GPUs step by 15 MHz,
/// which is 1%.
inline constexpr double kClockDiffers = 0.03;
/// Machines have fewer cores than this; a file may say anything, and what says more is not believed.
inline constexpr double kMostCores = 65536;
}  // namespace condition_limit

}  // namespace warpglass
