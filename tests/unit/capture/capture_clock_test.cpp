#include "engine/capture/capture_clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace warpglass::test::capture_clock_test {

std::int64_t steady() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

TEST(CaptureClock, KeepsTheTimeOfTheSteadyClock) {
    CaptureClock::calibrate();
    CaptureClock::calibrate();
    // Between two readings of the other clock, give or take what its rate may be off since it was calibrated:
    // the steady clock is slewed by up to 500 ppm, and a busy machine makes a long time of this.
    const std::int64_t calibrated = steady();
    for (int i = 0; i < 200; ++i) {
        const std::int64_t before = steady(), now = CaptureClock::now(), after = steady();
        const std::int64_t off = 100'000 + (after - calibrated) / 1000;
        EXPECT_GE(now, before - off);
        EXPECT_LE(now, after + off);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

/// The clock reads the counter without waiting for what stands before it, so a reading may be taken while an
/// earlier load is still under way (1.4 µs early was seen). Here loads are to have ended before it.
void waitForLoads() {
#if defined(__x86_64__)
    _mm_lfence();
#endif
}

TEST(CaptureClock, NeverGoesBack) {
    CaptureClock::calibrate();
    std::vector<std::thread> threads;
    std::atomic<std::int64_t> shared{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            std::int64_t last = 0;
            for (int i = 0; i < 100'000; ++i) {
                // What another thread has read before this one asks is not later.
                const std::int64_t others = shared.load(std::memory_order_acquire);
                waitForLoads();
                const std::int64_t now = CaptureClock::now();
                ASSERT_GE(now, last);
                ASSERT_GE(now, others - 1'000);
                last = now;
                shared.store(now, std::memory_order_release);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

}  // namespace warpglass::test::capture_clock_test
