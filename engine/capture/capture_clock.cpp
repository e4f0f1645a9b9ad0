#include "engine/capture/capture_clock.h"

#include <cmath>
#include <mutex>
#include <optional>
#include <thread>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace warpglass {

#if defined(__x86_64__)
namespace {

constexpr auto kMeasurement = std::chrono::milliseconds(20);
/// More than the steady clock is slewed by, and than the reading of both is uncertain in that time.
constexpr double kAgreement = 1e-4;

/// Intel, "Software Developer's Manual", volume 3, section 18.17.1: CPUID leaf 80000007H, EDX bit 8.
bool hasInvariantCounter() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

struct Moment {
    std::uint64_t ticks = 0;
    std::int64_t time = 0;
};

/// Both clocks at one moment: the counter before and after the other, again and again, for the closest pair.
template <class Now>
Moment readBoth(Now&& now) {
    Moment best;
    std::uint64_t closest = ~std::uint64_t{0};
    for (int i = 0; i < 50; ++i) {
        const std::uint64_t before = __rdtsc();
        const std::int64_t time = now();
        const std::uint64_t after = __rdtsc();
        if (after - before < closest) {
            closest = after - before;
            best = {before + (after - before) / 2, time};
        }
    }
    return best;
}

}  // namespace

void CaptureClock::calibrate() {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (!hasInvariantCounter())
        return;
    static std::optional<Moment> first;
    const Moment begin = readBoth(steadyNow);
    std::this_thread::sleep_for(kMeasurement);
    const Moment end = readBoth(steadyNow);
    if (end.ticks <= begin.ticks || end.time <= begin.time) {
        s_rate.store(0, std::memory_order_relaxed);  // the counter was set back: the steady clock it is
        first.reset();
        return;
    }
    const auto rateSince = [&end](const Moment& since) {
        return static_cast<double>(end.time - since.time) / static_cast<double>(end.ticks - since.ticks);
    };
    const bool agrees = first && end.ticks > first->ticks && end.time > first->time &&
                        std::abs(rateSince(*first) / rateSince(begin) - 1) < kAgreement;
    if (!agrees)
        first = begin;
    const auto elapsed = static_cast<Wide>(end.time - first->time);
    // The clock goes on from where the steady clock is now.
    s_baseTicks.store(end.ticks, std::memory_order_relaxed);
    s_base.store(end.time, std::memory_order_relaxed);
    s_rate.store(static_cast<std::uint64_t>((elapsed << kRateBits) / (end.ticks - first->ticks)),
                 std::memory_order_relaxed);
}
#else
void CaptureClock::calibrate() {}
#endif

}  // namespace warpglass
