// The clock of everything that is recorded: nanoseconds from a fixed moment, steady, the same on every core.
//
// Where the processor has a time-stamp counter that runs at one rate through every sleep state (all x86-64 of
// the last decade), it is read directly, in two thirds of the time that the system's steady clock takes: an
// observer reads it twenty thousand times per step. The counter's rate is measured against the steady clock
// before each recording: over all the time since the first measurement, to some millionths, where that agrees
// with a new one over 20 ms; over these alone where it does not, as after the machine has slept. Elsewhere,
// and until it was measured, it is the steady clock.
//
// The counter is read without waiting for the instructions before it. One thread's readings never go back;
// beside another thread's that it has just loaded from memory, one may be a microsecond or two early.
//
// Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace warpglass {

class CaptureClock {
public:
    static std::int64_t now() {
#if defined(__x86_64__)
        if (const std::uint64_t rate = s_rate.load(std::memory_order_relaxed); rate != 0) {
            // Rate and bases are set while nothing is recorded.
            const std::uint64_t ticks = __rdtsc() - s_baseTicks.load(std::memory_order_relaxed);
            return s_base.load(std::memory_order_relaxed) +
                   static_cast<std::int64_t>((static_cast<Wide>(ticks) * rate) >> kRateBits);
        }
#endif
        return steadyNow();
    }

    /// Measures the counter's rate, in 20 ms. Before a recording begins, and before anything else that tells
    /// the time by this clock (CUPTI) is switched on for it.
    static void calibrate();

private:
    static std::int64_t steadyNow() {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(
                   std::chrono::steady_clock::now().time_since_epoch())
            .count();
    }

#if defined(__x86_64__)
    __extension__ using Wide = unsigned __int128;
#endif
    static constexpr int kRateBits = 48;
    static inline std::atomic<std::uint64_t> s_rate{0};  // ns a tick × 2^kRateBits; 0: no such counter
    static inline std::atomic<std::uint64_t> s_baseTicks{0};
    static inline std::atomic<std::int64_t> s_base{0};
};

}  // namespace warpglass
