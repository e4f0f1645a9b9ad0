#include "ui/timeline/frame_overlay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/support/synthetic_trace.h"

namespace warpglass::ui::frame_overlay_test {

TEST(FrameTimes, HasNothingToSayWithoutFrames) {
    const FrameTimes times;
    EXPECT_EQ(times.count(), 0u);
    EXPECT_EQ(times.last(), 0);
    EXPECT_EQ(times.percentile95(), 0);
}

/// The definition, counted: the smallest time within which at least 95 of 100 frames of the last second were.
TEST(FrameTimes, PercentileIsThatOfTheLastSecondsFrames) {
    std::uint64_t random = 3;
    FrameTimes times;
    struct Frame {
        double at, took;
    };
    std::vector<Frame> all;
    double now = 0;
    for (int i = 0; i < 500; ++i) {
        now += static_cast<double>(test::nextRandom(random) % 60);
        const double took = static_cast<double>(test::nextRandom(random) % 400) / 10;
        all.push_back({now, took});
        times.add(now, took);
        std::vector<double> recent;
        for (const Frame& frame : all) {
            if (frame.at >= now - 1000)
                recent.push_back(frame.took);
        }
        double expected = 1e9;
        for (const double candidate : recent) {
            const auto within =
                std::count_if(recent.begin(), recent.end(), [&](double time) { return time <= candidate; });
            if (within * 100 >= std::ssize(recent) * 95)
                expected = std::min(expected, candidate);
        }
        ASSERT_EQ(times.count(), recent.size());
        ASSERT_EQ(times.percentile95(), expected) << i;
        ASSERT_EQ(times.last(), took);
    }
}

TEST(FrameOverlay, SaysTimesAndWhatWasDrawn) {
    FrameTimes times;
    times.add(10, 4.21);
    times.add(20, 2.5);
    FrameLoad load{.rects = 1234, .spans = 5'678'901, .rows = 9, .allRows = 12};
    const QStringList lines = frameLines(times, load);
    ASSERT_EQ(lines.size(), 3);
    EXPECT_EQ(lines[0], "2.5 ms · p95 4.2 ms of 2 in the last second");
    EXPECT_EQ(lines[1], "1,234 rectangles for 5,678,901 spans");
    EXPECT_EQ(lines[2], "9 of 12 rows in view");
}

}  // namespace warpglass::ui::frame_overlay_test
