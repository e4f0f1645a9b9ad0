#include "ui/timeline/time_ruler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "ui/timeline/timeline_coordinates.h"

namespace warpglass::ui {
namespace {

TimeRange range(std::int64_t begin, std::int64_t end) {
    return {Nanoseconds(begin), Nanoseconds(end)};
}

std::vector<std::string> labels(const Ruler& ruler) {
    std::vector<std::string> result;
    for (const RulerTick& tick : ruler.ticks) {
        if (!tick.label.empty())
            result.push_back(tick.label);
    }
    return result;
}

using testing::ElementsAre;

TEST(TimeRuler, LabelsAreWholeTimesInTheUnitOfTheView) {
    const Ruler ruler = makeRuler(range(0, 45'400'000), 970);
    EXPECT_EQ(ruler.step, Nanoseconds(5'000'000));
    EXPECT_EQ(ruler.base, "");
    EXPECT_THAT(labels(ruler),
                ElementsAre("0\u202Fms", "5\u202Fms", "10\u202Fms", "15\u202Fms", "20\u202Fms", "25\u202Fms",
                            "30\u202Fms", "35\u202Fms", "40\u202Fms", "45\u202Fms"));
}

TEST(TimeRuler, DecimalsAreAsManyAsTheStepNeeds) {
    EXPECT_THAT(labels(makeRuler(range(2'100'000, 2'900'000), 400)),
                ElementsAre("2.2\u202Fms", "2.4\u202Fms", "2.6\u202Fms", "2.8\u202Fms"));
    EXPECT_THAT(labels(makeRuler(range(0, 300), 400)),
                ElementsAre("0\u202Fns", "100\u202Fns", "200\u202Fns", "300\u202Fns"));
    EXPECT_THAT(labels(makeRuler(range(1'000'000'000, 3'000'000'000), 300)),
                ElementsAre("1\u202Fs", "2\u202Fs", "3\u202Fs"));
}

TEST(TimeRuler, DeepInALongRunLabelsCountFromABase) {
    const Ruler ruler = makeRuler(range(3'214'567'120, 3'214'567'900), 500);
    EXPECT_EQ(ruler.step, Nanoseconds(200));
    EXPECT_EQ(ruler.base, "3.214567\u202Fs");
    EXPECT_THAT(labels(ruler), ElementsAre("+200\u202Fns", "+400\u202Fns", "+600\u202Fns", "+800\u202Fns"));
}

TEST(TimeRuler, AViewThatBeginsBeforeTheRunHasTheTicksOfTheRun) {
    // As one run is shown beside another that begins earlier.
    const Ruler ruler = makeRuler(range(-10'000'000, 20'000'000), 600);
    EXPECT_THAT(labels(ruler),
                ElementsAre("0\u202Fms", "5\u202Fms", "10\u202Fms", "15\u202Fms", "20\u202Fms"));
    ASSERT_FALSE(ruler.ticks.empty());
    EXPECT_EQ(ruler.ticks.front().time, Nanoseconds(0)) << "nothing before it";
    EXPECT_TRUE(makeRuler(range(-300, -100), 600).ticks.empty());
    constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
    EXPECT_TRUE(makeRuler(range(kLowest, 100), 600).ticks.empty());
}

TEST(TimeRuler, NothingToShowGivesNoTicks) {
    EXPECT_TRUE(makeRuler(range(5, 5), 100).ticks.empty());
    EXPECT_TRUE(makeRuler(range(0, 100), 0).ticks.empty());
    EXPECT_TRUE(makeRuler(range(0, std::numeric_limits<std::int64_t>::max()), 100).ticks.empty());
}

TEST(TimeRuler, TicksAreInViewInOrderSpacedAndAStepIsOneTwoOrFive) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 2000; ++i) {
        const auto duration = static_cast<std::int64_t>(100 + random() % (1ull << (8 + random() % 34)));
        const auto begin =
            static_cast<std::int64_t>(random() % 1'000'000'000'000) - (i % 4 == 0 ? duration : 0);
        const TimeRange visible = range(begin, begin + duration);
        const double width = static_cast<double>(100 + random() % 3000);
        const Ruler ruler = makeRuler(visible, width);
        std::int64_t leading = ruler.step.value;
        while (leading % 10 == 0)
            leading /= 10;
        ASSERT_TRUE(leading == 1 || leading == 2 || leading == 5) << ruler.step.value;
        std::optional<Nanoseconds> last, lastLabelled;
        for (const RulerTick& tick : ruler.ticks) {
            ASSERT_TRUE(tick.time >= visible.begin && tick.time <= visible.end);
            ASSERT_GE(tick.time, Nanoseconds(0));
            ASSERT_TRUE(!last || tick.time > *last);
            last = tick.time;
            if (tick.label.empty())
                continue;
            ASSERT_EQ(tick.time.value % ruler.step.value, 0);
            ASSERT_LE(tick.label.size(), 14u) << tick.label;
            if (lastLabelled) {
                ASSERT_GE(timeToPixel(tick.time, visible, width) - timeToPixel(*lastLabelled, visible, width),
                          83.9);
            }
            lastLabelled = tick.time;
        }
    }
}

}  // namespace
}  // namespace warpglass::ui
