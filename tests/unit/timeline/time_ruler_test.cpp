#include "ui/timeline/time_ruler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/support/trace_text.h"
#include "ui/timeline/timeline_coordinates.h"

namespace warpglass::ui::time_ruler_test {

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

StepClock clockOf(std::string_view text) {
    return StepClock(*test::traceOf(text));
}

TEST(TimeRuler, CountsFromTheStartOfEachStep) {
    const StepClock clock = clockOf("step 0 40-70ms ; step 1 70-101ms ; step 2 101ms-130ms");
    const Ruler ruler = makeRuler(range(0, 150'000'000), 1500, clock);
    EXPECT_EQ(ruler.step, Nanoseconds(10'000'000));
    EXPECT_EQ(ruler.origin, "");
    EXPECT_THAT(labels(ruler), ElementsAre("0\u202Fms", "10\u202Fms", "20\u202Fms", "30\u202Fms", "step 0",
                                           "10\u202Fms", "20\u202Fms", "step 1", "10\u202Fms", "20\u202Fms",
                                           "step 2", "10\u202Fms", "20\u202Fms", "30\u202Fms", "40\u202Fms"))
        << "the run's own time before the first; the last one goes on; none too near the next step";
    for (const RulerTick& tick : ruler.ticks)
        EXPECT_EQ(tick.step, tick.label.starts_with("step")) << tick.label;
}

TEST(TimeRuler, WhatItCountsFromStandsBesideItWhereThatIsOutOfView) {
    const StepClock clock = clockOf("step 6 0-45ms ; step 7 45-91.5ms");
    const Ruler within = makeRuler(range(50'000'000, 90'000'000), 800, clock);
    EXPECT_EQ(within.origin, "step 7");
    EXPECT_EQ(labels(within).front(), "5\u202Fms");
    const Ruler deep = makeRuler(range(48'214'567, 48'215'367), 500, clock);
    EXPECT_EQ(deep.origin, "step 7");
    EXPECT_EQ(deep.base, "3.214\u202Fms");
    EXPECT_EQ(labels(deep).front(), "+600\u202Fns");
    // Over the start of a step, what follows needs no base.
    const Ruler over = makeRuler(range(44'999'600, 45'000'400), 500, clock);
    EXPECT_EQ(over.origin, "step 6");
    EXPECT_THAT(labels(over),
                ElementsAre("+600\u202Fns", "+800\u202Fns", "step 7", "200\u202Fns", "400\u202Fns"));
    // Nothing counts from a step of which there is but the end.
    EXPECT_EQ(makeRuler(range(44'000'000, 91'000'000), 800, clock).origin, "");
}

TEST(TimeRuler, OfManyStepsEverySoManyIsNamed) {
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "step " + std::to_string(i) + " " + std::to_string(i * 10) + "-" +
                std::to_string(i * 10 + 10) + "ms\n";
    const Ruler ruler = makeRuler(range(0, 4'000'000'000), 1000, clockOf(text));
    EXPECT_THAT(labels(ruler), ElementsAre("step 0", "step 50", "step 100", "step 150", "step 200",
                                           "step 250", "step 300", "step 350"));
    EXPECT_LE(ruler.ticks.size(), 400u);
    // A short one before a long one leaves the name to that: its times count from it.
    const Ruler two = makeRuler(range(0, 200'000'000), 1000, clockOf("step 0 0-4ms ; step 1 4-200ms"));
    EXPECT_EQ(labels(two).front(), "step 1");
}

TEST(StepClock, TellsARangeByItsStepOnce) {
    const StepClock clock = clockOf("step 3 40-70ms ; step 4 70-101ms");
    const auto text = [&](double from, double to) {
        return clock.text(TimeRange{Nanoseconds(static_cast<std::int64_t>(from * 1e6)),
                                    Nanoseconds(static_cast<std::int64_t>(to * 1e6))});
    };
    EXPECT_EQ(text(41.5, 43), "step 3 + 1.500–3.000\u202Fms");
    EXPECT_EQ(text(69, 71), "step 3 + 29.000\u202Fms–step 4 + 1.000\u202Fms");
    EXPECT_EQ(text(10, 20), "10.000–20.000\u202Fms") << "before the first step";
    EXPECT_EQ(StepClock().text(TimeRange{Nanoseconds(1'000'000), Nanoseconds(2'000'000)}),
              "1.000–2.000\u202Fms");
}

TEST(StepClock, TellsAMomentByItsStep) {
    const StepClock clock = clockOf("step 3 40-70ms ; step 4 70-101ms");
    EXPECT_EQ(clock.text(Nanoseconds(12'345'678)), "12.346\u202Fms") << "before the first";
    EXPECT_EQ(clock.text(Nanoseconds(40'000'000)), "step 3 + 0.000\u202Fms");
    EXPECT_EQ(clock.text(Nanoseconds(69'999'000)), "step 3 + 29.999\u202Fms");
    EXPECT_EQ(clock.text(Nanoseconds(110'000'000)), "step 4 + 40.000\u202Fms");
    EXPECT_EQ(StepClock().text(Nanoseconds(110'000'000)), "110.000\u202Fms");
    // One that still runs has begun.
    EXPECT_EQ(clockOf("step 0 5-").steps().size(), 1u);
    EXPECT_TRUE(clockOf("capture 5-9").steps().empty()) << "no step of the run";
}

TEST(TimeRuler, SinceAnAlignmentTimesBeforeItAreLessThanNothing) {
    const Nanoseconds alignment(700'123'456);
    const auto ticksOf = [&](std::int64_t from, std::int64_t to) {
        return makeRuler({alignment + Nanoseconds(from), alignment + Nanoseconds(to)}, 1000,
                         StepClock::since(alignment));
    };
    const Ruler ruler = ticksOf(-12'000'000, 28'000'000);
    std::vector<std::string> labels;
    for (const RulerTick& tick : ruler.ticks) {
        if (tick.label.empty())
            continue;
        labels.push_back(tick.label);
        EXPECT_EQ((tick.time - alignment).value % ruler.step.value, 0) << tick.label;
        EXPECT_EQ(tick.step, tick.time == alignment) << tick.label;
    }
    EXPECT_EQ(labels, (std::vector<std::string>{"−10\u202Fms", "−5\u202Fms", "0\u202Fms", "5\u202Fms",
                                                "10\u202Fms", "15\u202Fms", "20\u202Fms", "25\u202Fms"}));
    EXPECT_TRUE(ruler.base.empty() && ruler.origin.empty());
    // Deep in a long run, before and after it, labels count from a base of its sign.
    EXPECT_TRUE(ticksOf(-20'000'001'000, -20'000'000'000).base.starts_with("−"));
    EXPECT_TRUE(ticksOf(20'000'000'000, 20'000'001'000).base.starts_with("2"));
    EXPECT_TRUE(ticksOf(-500, 500).base.empty());
    // Wherever the view is, ticks are in it and in order.
    std::mt19937_64 random(5);
    for (int i = 0; i < 500; ++i) {
        const auto width = static_cast<std::int64_t>(100 + random() % (1ull << (8 + random() % 34)));
        const auto from = static_cast<std::int64_t>(random() % 2'000'000'000) - 1'000'000'000;
        std::optional<Nanoseconds> last;
        for (const RulerTick& tick : ticksOf(from, from + width).ticks) {
            ASSERT_TRUE(tick.time >= alignment + Nanoseconds(from));
            ASSERT_TRUE(tick.time <= alignment + Nanoseconds(from + width));
            ASSERT_TRUE(!last || tick.time > *last);
            last = tick.time;
        }
    }
}

TEST(TimeRuler, MomentsAreToldSinceTheAlignment) {
    const StepClock clock = StepClock::since(Nanoseconds(5'000'000));
    EXPECT_EQ(clock.text(Nanoseconds(17'345'000)),
              QStringLiteral("+") + StepClock().text(Nanoseconds(12'345'000)));
    EXPECT_EQ(clock.text(Nanoseconds(2'500'000)),
              QStringLiteral("−") + StepClock().text(Nanoseconds(2'500'000)));
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
        std::optional<Nanoseconds> last, lastLabeled;
        for (const RulerTick& tick : ruler.ticks) {
            ASSERT_TRUE(tick.time >= visible.begin && tick.time <= visible.end);
            ASSERT_GE(tick.time, Nanoseconds(0));
            ASSERT_TRUE(!last || tick.time > *last);
            last = tick.time;
            if (tick.label.empty())
                continue;
            ASSERT_EQ(tick.time.value % ruler.step.value, 0);
            ASSERT_LE(tick.label.size(), 14u) << tick.label;
            if (lastLabeled) {
                ASSERT_GE(timeToPixel(tick.time, visible, width) - timeToPixel(*lastLabeled, visible, width),
                          83.9);
            }
            lastLabeled = tick.time;
        }
    }
}

}  // namespace warpglass::ui::time_ruler_test
