#include "engine/query/activity/conditions.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

#include "engine/base/gpu_state.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/findings/trial_outcome.h"
#include "tests/support/must.h"
#include "tests/support/run_conditions.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::conditions_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace limit = condition_limit;

RunConditions judged(const MadeConditions& made) {
    return conditionsOf(*makeRun(made));
}

MadeConditions quiet() {
    return {.othersCores = 0.1, .stolenCores = 0, .waitedShare = 0.001};
}

MadeConditions onGpu(double megahertz, std::uint64_t reasons = 0) {
    MadeConditions made = quiet();
    made.device = "cuda:0";
    made.deviceName = "A GPU";
    made.smClock = [megahertz](std::int64_t) { return megahertz; };
    made.reasons = reasons;
    return made;
}

TEST(Conditions, AreOfTheMeasuredStepsAlone) {
    MadeConditions made{.othersCores = 1.5, .stolenCores = 0.5, .waitedShare = 0.25, .throttledShare = 0.125};
    const RunConditions run = judged(made);
    EXPECT_NEAR(*run.steps.othersCores, 1.5, 1e-6);
    EXPECT_NEAR(*run.steps.waitedShare, 0.25, 1e-9);
    EXPECT_NEAR(*run.steps.stolenCores, 0.5, 1e-9);
    EXPECT_NEAR(*run.steps.throttledShare, 0.125, 1e-9);
    EXPECT_FALSE(run.steps.smClock);
    EXPECT_TRUE(run.measured);
    EXPECT_EQ(run.cores, 4);
    const ConditionSeries series(*makeRun(made));
    EXPECT_NEAR(*series.in({Nanoseconds(0), Nanoseconds(MadeConditions::kStep)}).othersCores, 0, 1e-6);
}

TEST(Conditions, AStepShorterThanTheSamplesHasWhatIsAroundIt) {
    MadeConditions made = onGpu(1500);
    made.othersCores = 2;
    const ConditionSeries series(*makeRun(made));
    const Conditions step = series.in({Nanoseconds(311'000'000), Nanoseconds(312'000'000)});
    EXPECT_NEAR(*step.othersCores, 2, 1e-5);
    EXPECT_EQ(step.smClock, 1500);
    // Before the first and long after the last sample nothing is known.
    EXPECT_TRUE(series.in({Nanoseconds(10'000'000'000), Nanoseconds(11'000'000'000)}).empty());
    EXPECT_FALSE(series.in({Nanoseconds(900'000'000), Nanoseconds(1'500'000'000)}).othersCores)
        << "less than half of it is known";
}

/// Against a sum over every nanosecond's own rate, at random sample times and rates.
TEST(Conditions, OfAnyRangesAreTheMeanOfWhatTheSamplesSay) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 50; ++round) {
        TraceWriter writer;
        const NameId waited = writer.internName(conditionCounterName(ConditionCounter::kWaited));
        std::vector<std::int64_t> times{0};
        std::vector<double> values{0}, rates;
        for (int i = 0; i < 20; ++i) {
            times.push_back(times.back() + 60 + static_cast<std::int64_t>(random() % 100));
            rates.push_back(static_cast<double>(random() % 1000) / 1000);
            values.push_back(values.back() + rates.back() * 1e6 *
                                                 static_cast<double>(times.back() - times[times.size() - 2]));
        }
        for (std::size_t i = 0; i < times.size(); ++i)
            writer.appendCounter(Nanoseconds(times[i] * 1'000'000), waited, values[i]);
        writer.commit(Nanoseconds(times.back() * 1'000'000));
        std::vector<TimeRange> ranges;
        double expected = 0, length = 0;
        for (int i = 0; i < 3; ++i) {
            const auto begin = static_cast<std::int64_t>(random() % 1000);
            const std::int64_t end = begin + 1 + static_cast<std::int64_t>(random() % 100);
            ranges.push_back({Nanoseconds(begin * 1'000'000), Nanoseconds(end * 1'000'000)});
            for (std::int64_t ms = begin; ms < end; ++ms) {  // rates hold for whole milliseconds
                const auto next = std::upper_bound(times.begin(), times.end(), ms) - times.begin();
                expected += rates[static_cast<std::size_t>(next - 1)];
                length += 1;
            }
        }
        const auto share = must(ConditionSeries(*writer.feed()->latest()).over(ranges).waitedShare);
        EXPECT_NEAR(share, expected / length, 1e-9);
    }
}

TEST(Conditions, ARunThatDoesNotHaveThemSaysNothing) {
    const RunConditions run = conditionsOf(*makeSyntheticRun());
    EXPECT_FALSE(run.recorded());
    EXPECT_THAT(run.cautions(), IsEmpty());
    EXPECT_EQ(run.inWords(), "");
    EXPECT_THAT(comparedConditions(run, run), IsEmpty());
    EXPECT_THAT(comparedConditions(run, judged(quiet())), IsEmpty());
}

TEST(Conditions, AQuietRunHasFiguresAndNoCaution) {
    const RunConditions run = judged(onGpu(1980, clock_reason::kPowerCap));
    EXPECT_THAT(run.cautions(), IsEmpty());
    EXPECT_EQ(run.inWords(),
              "other programs used 0.1 of 4 cores · the run's thread hardly waited for a core · "
              "SM clock 1,980 of 1,980 MHz (power cap)");
}

TEST(Conditions, OthersDisturbWhereTheyLeaveTooFewCores) {
    MadeConditions made = quiet();
    made.othersCores = 4 - limit::kCoresLeft * 4 - 0.01;  // with four threads
    EXPECT_THAT(judged(made).cautions(), IsEmpty());
    made.othersCores = 3.2;
    EXPECT_THAT(judged(made).cautions(),
                ElementsAre("The host was busy: in the measured steps other programs used 3.2 of 4 cores, so "
                            "times are longer than on an idle host."));
    made.threads = 2;
    made.othersCores = 2;  // two are left for two
    EXPECT_THAT(judged(made).cautions(), IsEmpty());
    made.othersCores = 2.3;
    EXPECT_EQ(judged(made).cautions().size(), 1u);
    made.device = "cuda:0";  // one launches
    EXPECT_THAT(judged(made).cautions(), IsEmpty());
    made.othersCores = 3.3;
    EXPECT_EQ(judged(made).cautions().size(), 1u);
}

TEST(Conditions, AWaitForACoreDisturbsFromFiftiethOfTheTimeOn) {
    MadeConditions made = quiet();
    made.waitedShare = limit::kWaited - 0.001;
    EXPECT_THAT(judged(made).cautions(), IsEmpty());
    made.waitedShare = 0.12;
    EXPECT_THAT(judged(made).cautions(), ElementsAre(HasSubstr("the run's thread waited for a core 12% of")));
    made.othersCores = 3.2;
    EXPECT_THAT(judged(made).cautions(),
                ElementsAre(HasSubstr("used 3.2 of 4 cores and the run's thread waited for a core 12%")));
}

TEST(Conditions, AHypervisorAndAQuotaDisturbToo) {
    MadeConditions made = quiet();
    made.stolenCores = limit::kStolen * 4 - 0.01;
    made.throttledShare = limit::kThrottled - 0.001;
    EXPECT_THAT(judged(made).cautions(), IsEmpty());
    made.stolenCores = 0.5;
    made.throttledShare = 0.08;
    EXPECT_THAT(judged(made).cautions(),
                ElementsAre(HasSubstr("hypervisor gave 0.5 of 4 cores to other machines"),
                            HasSubstr("A CPU quota held the run back for 8.0% of the measured steps")));
}

TEST(Conditions, AClockIsHeldDownBelowNineTenthsForAReason) {
    EXPECT_THAT(judged(onGpu(0.91 * 1980, clock_reason::kPowerCap)).cautions(), IsEmpty());
    EXPECT_THAT(judged(onGpu(1410, clock_reason::kIdle)).cautions(), IsEmpty()) << "nothing ran";
    EXPECT_THAT(judged(onGpu(1410, 0x2)).cautions(), IsEmpty()) << "a person chose it";
    EXPECT_THAT(judged(onGpu(1410, clock_reason::kPowerCap)).cautions(),
                ElementsAre("The GPU's clock was held down (power cap): 1,410 MHz in the measured steps, of "
                            "1,980 MHz at most."));
}

TEST(Conditions, AClockThatChangesAmongTheStepsIsSaid) {
    MadeConditions made = onGpu(1980);
    made.smClock = [](std::int64_t step) {
        return step < 2 ? 1980.0 : 1980 * (1 - limit::kClockDiffers + 0.005);
    };
    EXPECT_THAT(judged(made).cautions(), IsEmpty());
    made.smClock = [](std::int64_t step) { return step == 0 ? 345.0 : step < 3 ? 1980.0 : 1600.0; };
    EXPECT_THAT(judged(made).cautions(), ElementsAre(HasSubstr("measured steps: 1,600 MHz to 1,980 MHz")))
        << "the warm-up's does not count";
}

TEST(Conditions, AnIdleSampleDoesNotLowerTheClockOfOnesThatWork) {
    const ConditionSeries series(*traceOf(R"text(
        counter "GPU SM clock (MHz)" 1980 0     ; counter "GPU clock reasons" 0 0
        counter "GPU SM clock (MHz)" 1980 100ms ; counter "GPU clock reasons" 0 100ms
        counter "GPU SM clock (MHz)" 345 200ms  ; counter "GPU clock reasons" 1 200ms
        counter "GPU SM clock (MHz)" 1980 300ms ; counter "GPU clock reasons" 0 300ms
        end 400ms
    )text"));
    EXPECT_EQ(series.in({Nanoseconds(0), Nanoseconds(400'000'000)}).smClock, 1980);
    EXPECT_EQ(series.in({Nanoseconds(0), Nanoseconds(400'000'000)}).clockReasons, clock_reason::kIdle);
    EXPECT_EQ(series.in({Nanoseconds(190'000'000), Nanoseconds(210'000'000)}).smClock, 345) << "all there is";
}

TEST(Conditions, OfAnythingThatIsMeasuredAreThoseOfTheHost) {
    HostLoad before, after;
    before.busy = Nanoseconds(5'000'000'000);
    before.own = Nanoseconds(1'000'000'000);
    after.busy = Nanoseconds(13'000'000'000);
    after.own = Nanoseconds(3'000'000'000);
    const RunConditions busy = hostConditions(before, after, Nanoseconds(2'000'000'000), 4, 4);
    EXPECT_EQ(busy.steps.othersCores, 3.0);
    EXPECT_TRUE(busy.hostDisturbs());
    EXPECT_EQ(busy.inWords(), "other programs used 3 of 4 cores");
    EXPECT_FALSE(hostConditions(before, after, Nanoseconds(2'000'000'000), 4, 1).hostDisturbs());
    EXPECT_FALSE(hostConditions(before, after, Nanoseconds(500'000'000), 4, 4).recorded())
        << "too short to tell";
    EXPECT_FALSE(hostConditions({}, after, Nanoseconds(2'000'000'000), 4, 4).recorded());
    after.own = Nanoseconds(9'500'000'000);  // more than ran, by a step of proc/stat
    EXPECT_EQ(hostConditions(before, after, Nanoseconds(2'000'000'000), 4, 4).steps.othersCores, 0.0);
}

TEST(Conditions, TwoRunsThatDifferInThemAreSaidTo) {
    const RunConditions still = judged(quiet());
    MadeConditions made = quiet();
    made.othersCores = 3.2;
    const RunConditions busy = judged(made);
    EXPECT_THAT(comparedConditions(still, still), IsEmpty());
    EXPECT_THAT(
        comparedConditions(still, busy),
        ElementsAre("The host was busy in B's steps: other programs used 3.2 of 4 cores; in A's other "
                    "programs used 0.1 of 4 cores. Part of the difference may be due to that."));
    EXPECT_THAT(comparedConditions(busy, still), ElementsAre(HasSubstr("busy in A's steps: ")));
    EXPECT_THAT(comparedConditions(busy, busy), ElementsAre(HasSubstr("busy in both runs")));
    EXPECT_THAT(
        comparedConditions(busy, conditionsOf(*makeSyntheticRun())),
        ElementsAre(HasSubstr("in B's this was not recorded. Part of the difference may be due to that.")));
}

TEST(Conditions, TwoRunsWhoseClocksDifferAreSaidTo) {
    const RunConditions fast = judged(onGpu(1980)), slow = judged(onGpu(1410, clock_reason::kPowerCap));
    EXPECT_THAT(comparedConditions(fast, judged(onGpu(1980 * (1 - limit::kClockDiffers + 0.005)))),
                IsEmpty());
    EXPECT_THAT(
        comparedConditions(fast, slow),
        ElementsAre("The GPU's clock was not the same: 1,980 MHz in A's steps, 1,410 MHz in B's (power "
                    "cap). Part of the difference may be due to that."));
    MadeConditions other = onGpu(1410);
    other.deviceName = "Another GPU";
    EXPECT_THAT(comparedConditions(fast, judged(other)), IsEmpty()) << "its clocks are others";
    EXPECT_THAT(comparedConditions(slow, conditionsOf(*makeSyntheticRun())),
                ElementsAre(HasSubstr("held down in A's steps (power cap): 1,410 MHz of 1,980 MHz")));
}

TEST(Conditions, OfADamagedFileAreNoNonsense) {
    MadeConditions made = onGpu(1980);
    made.besides = [](TraceWriter& writer) {
        const double values[] = {std::numeric_limits<double>::quiet_NaN(), -1e300, 1e308, -5,
                                 std::numeric_limits<double>::infinity()};
        for (const std::string_view name : kConditionCounterNames) {
            for (const double value : values)
                writer.appendCounter(Nanoseconds(333'000'000), writer.internName(name), value);
        }
        // Out of order, and going back.
        writer.appendCounter(Nanoseconds(250'000'001),
                             writer.internName(conditionCounterName(ConditionCounter::kWaited)), 0);
        writer.setInfo(condition_key::kMaxSmClock, "nan");
    };
    const RunConditions run = judged(made);
    EXPECT_NEAR(*run.steps.waitedShare, 0.001, 1e-6);
    EXPECT_EQ(run.steps.smClock, 1980);
    EXPECT_FALSE(run.maxSmClock);
    EXPECT_THAT(run.cautions(), IsEmpty());
}

TEST(Conditions, OfMoreSamplesThanAnyRunHasSomeAreTaken) {
    TraceWriter writer;
    const NameId waited = writer.internName(conditionCounterName(ConditionCounter::kWaited));
    constexpr std::int64_t kSamples = 700'000, kInterval = 100'000'000;
    for (std::int64_t i = 0; i < kSamples; ++i)
        writer.appendCounter(Nanoseconds(i * kInterval), waited, 0.25 * static_cast<double>(i * kInterval));
    writer.commit(Nanoseconds(kSamples * kInterval));
    const ConditionSeries series(*writer.feed()->latest());
    EXPECT_LE(series.moments(), std::size_t{1} << 18);
    for (const std::int64_t at : {std::int64_t{0}, kSamples / 3, kSamples - 100})
        EXPECT_NEAR(*series.in({Nanoseconds(at * kInterval), Nanoseconds((at + 50) * kInterval)}).waitedShare,
                    0.25, 1e-9);
}

TEST(Conditions, AreInTheOverviewAndInWhatBecameOfATrial) {
    MadeConditions made = quiet();
    made.othersCores = 3.2;
    const MemoryTimeline timeline = timelineOf(makeRun(made));
    EXPECT_THAT(overviewOf(timeline).conditions.cautions(), ElementsAre(HasSubstr("3.2 of 4 cores")));
    Trial trial{.setting = "precision", .value = "bf16", .before = 400e6, .expected = 200e6};
    EXPECT_THAT(trialOutcome(trial, timeline).sentence, HasSubstr("came true. The host was busy: "));
}

}  // namespace warpglass::test::conditions_test
