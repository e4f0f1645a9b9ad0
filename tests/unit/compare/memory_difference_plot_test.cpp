#include "ui/compare/memory_difference_plot.h"

#include <gtest/gtest.h>
#include <QTest>

#include <random>

#include "engine/trace/trace_writer.h"
#include "tests/support/gestures.h"

namespace warpglass::ui::memory_difference_plot_test {

/// A run of `length` ns whose memory goes up and down, and its sum at each ns.
struct Walk {
    std::shared_ptr<const Snapshot> snapshot;
    std::vector<std::int64_t> sums;
};

Walk randomWalk(std::mt19937_64& random, std::int64_t length) {
    TraceWriter writer;
    Walk walk;
    walk.sums.assign(static_cast<std::size_t>(length) + 1, 0);
    std::vector<AllocationId> alive;
    std::vector<std::int64_t> sizes;
    std::int64_t sum = 0;
    for (std::int64_t t = 0; t <= length; ++t) {
        if (random() % 7 == 0) {
            if (alive.empty() || random() % 2) {
                AllocationRow row{.address = random()};
                row.bytes = row.requested = static_cast<std::int64_t>(1 + random() % 1000);
                alive.push_back(writer.appendAllocation(Nanoseconds(t), row));
                sizes.push_back(row.bytes);
                sum += row.bytes;
            } else {
                const std::size_t i = random() % alive.size();
                writer.appendFree(Nanoseconds(t), alive[i]);
                sum -= sizes[i];
                alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(i));
                sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        walk.sums[static_cast<std::size_t>(t)] = sum;
    }
    writer.commit(Nanoseconds(length));
    walk.snapshot = writer.feed()->latest();
    return walk;
}

TEST(MemoryDifferencePlot, ColumnsAreTheGreatestSumsAndNothingOutsideARun) {
    std::mt19937_64 random(6);
    for (int round = 0; round < 20; ++round) {
        const auto a = randomWalk(random, 1000 + static_cast<std::int64_t>(random() % 1000));
        const auto b = randomWalk(random, 1000 + static_cast<std::int64_t>(random() % 1000));
        RunDocument documentA, documentB;
        documentA.setSnapshot(a.snapshot);
        documentB.setSnapshot(b.snapshot);
        TimeAxis axis;
        axis.setFullRange({Nanoseconds(0), a.snapshot->range().end});
        axis.setFollowing(false);
        axis.setBeyond(Nanoseconds(500), Nanoseconds(1500));
        // One column a ns.
        axis.setVisibleRange({Nanoseconds(-300), Nanoseconds(1700)});
        ASSERT_EQ(axis.visibleRange().duration(), Nanoseconds(2000));
        MemoryDifferencePlot plot(documentA, documentB, axis);
        const Nanoseconds offset(static_cast<std::int64_t>(random() % 400) - 200);
        plot.setOffset(offset);
        const auto columnsA = plot.memory().columnsOfA(2000), columnsB = plot.memory().columnsOfB(2000);
        for (int x = 0; x < 2000; ++x) {
            const std::int64_t t = axis.visibleRange().begin.value + x;
            const auto expected = [](const Walk& walk, std::int64_t time) {
                const std::int64_t end = walk.snapshot->range().end.value;
                return time < 0 || time >= end ? MemoryDifference::kNone
                                               : walk.sums[static_cast<std::size_t>(time)];
            };
            // What held when the ns began counts too.
            const auto isEither = [&](std::int64_t found, const Walk& walk, std::int64_t time) {
                const std::int64_t now = expected(walk, time);
                const std::int64_t before = time > 0 ? expected(walk, time - 1) : now;
                return found == now || (now >= 0 && found == std::max(now, before));
            };
            ASSERT_TRUE(isEither(columnsA[static_cast<std::size_t>(x)], a, t)) << "at " << t;
            ASSERT_TRUE(isEither(columnsB[static_cast<std::size_t>(x)], b, t + offset.value)) << "at " << t;
        }
        EXPECT_EQ(plot.memory().ofA(Nanoseconds(500)), a.sums[500]);
        EXPECT_EQ(plot.memory().ofB(Nanoseconds(500)), b.sums[static_cast<std::size_t>(500 + offset.value)]);
        EXPECT_FALSE(plot.memory().ofA(Nanoseconds(-1)));
    }
}

TEST(MemoryDifferencePlot, TheAxisHasSeveralMarksThatDoNotTouch) {
    RunDocument a, b;
    TimeAxis axis;
    MemoryDifferencePlot plot(a, b, axis);
    constexpr int kLegend = 20, kLetters = 10;
    for (const int height : {84, 120, 190, 240, 400, 1400}) {
        plot.resize(800, height);
        for (std::int64_t top = 900; top < std::int64_t{1} << 45; top += top / 3) {
            const std::vector<std::int64_t> ticks = plot.ticksOf(top);
            ASSERT_GE(ticks.size(), 2u) << height << ' ' << top;
            EXPECT_LE(ticks.size(), 10u) << height << ' ' << top;
            EXPECT_LE(ticks.back(), top);
            const double apart =
                static_cast<double>(ticks.front()) / static_cast<double>(top) * (height - kLegend) / 1.08;
            EXPECT_GE(apart, kLetters) << height << ' ' << top;
        }
    }
    // The times take a line of their own.
    plot.resize(800, 240);
    const std::size_t before = plot.ticksOf(std::int64_t{1} << 32).size();
    plot.setShowsTimes(true);
    plot.resize(800, 240 + 18);
    EXPECT_EQ(plot.ticksOf(std::int64_t{1} << 32).size(), before);
}

TEST(MemoryDifferencePlot, MouseAndKeysMoveTheAxisAndAClickPins) {
    std::mt19937_64 random(6);
    RunDocument a, b;
    const auto walk = randomWalk(random, 10'000);
    a.setSnapshot(walk.snapshot);
    b.setSnapshot(walk.snapshot);
    TimeAxis axis;
    axis.setFullRange(walk.snapshot->range());
    axis.setFollowing(false);
    MemoryDifferencePlot plot(a, b, axis);
    plot.setLabelWidth(100);
    plot.resize(1100, 200);
    QTest::mouseClick(&plot, Qt::LeftButton, {}, {600, 100});
    ASSERT_TRUE(axis.pinnedCursor());
    EXPECT_EQ(axis.pinnedCursor()->value, axis.fullRange().end.value / 2);
    test::turnWheel(plot, {600, 100}, {0, 360});
    const TimeRange zoomed = axis.visibleRange();
    EXPECT_LT(zoomed.duration().value, axis.fullRange().duration().value * 6 / 10);
    test::drag(plot, {600, 100}, {400, 100});
    EXPECT_NEAR(static_cast<double>((axis.visibleRange().begin - zoomed.begin).value),
                0.2 * static_cast<double>(zoomed.duration().value), 2);
    EXPECT_EQ(axis.pinnedCursor()->value, axis.fullRange().end.value / 2) << "a drag pins nothing";
    QTest::keyClick(&plot, Qt::Key_F);
    EXPECT_EQ(axis.visibleRange(), axis.fullRange());
    axis.setCursor(std::nullopt);
    const QImage before = plot.grab().toImage();
    test::drag(plot, {300, 100}, {500, 100}, Qt::ShiftModifier);
    ASSERT_TRUE(axis.selectedRange());
    axis.setCursor(std::nullopt);
    const QImage selected = plot.grab().toImage();
    const QRect within(350, 40, 100, 150), outside(700, 40, 300, 150);
    EXPECT_NE(selected.copy(within), before.copy(within)) << "it is seen";
    EXPECT_EQ(selected.copy(outside), before.copy(outside));
}

}  // namespace warpglass::ui::memory_difference_plot_test
