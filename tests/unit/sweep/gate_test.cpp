#include "engine/sweep/gate.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <vector>

namespace warpglass::test::gate_test {

using testing::HasSubstr;
using Of = GateCondition::Of;

GateCondition condition(std::string_view text) {
    const Result<GateCondition> parsed = parseGateCondition(text);
    EXPECT_TRUE(parsed) << text << ": " << (parsed ? "" : parsed.message());
    return parsed ? *parsed : GateCondition{};
}

GateJudgment judged(std::string_view text, const std::vector<GatePair>& pairs,
                    const GateCautions& cautions = {}) {
    return judge(condition(text), pairs, cautions);
}

MATCHER_P2(Is, verdict, words, "is a verdict that says so") {
    *result_listener << arg.sentence;
    return arg.verdict == verdict && arg.sentence.find(words) != std::string::npos;
}

/// Figures of `part` as measure() gathers them.
void putSample(std::map<std::string, double, std::less<>>& figures, const std::string& part,
               const std::vector<double>& times) {
    double sum = 0, squares = 0;
    for (const double time : times)
        sum += time;
    const double mean = sum / static_cast<double>(times.size());
    for (const double time : times)
        squares += (time - mean) * (time - mean);
    figures[part + "_mean_ns"] = mean;
    figures[part + "_samples"] = static_cast<double>(times.size());
    if (times.size() > 1)
        figures[part + "_stddev_ns"] = std::sqrt(squares / static_cast<double>(times.size() - 1));
}

GatePair pairOf(const std::vector<double>& a, const std::vector<double>& b) {
    GatePair pair;
    putSample(pair.a, "step", a);
    putSample(pair.b, "step", b);
    return pair;
}

TEST(GateCondition, IsReadAsWritten) {
    struct Case {
        const char* text;
        const char* key;
        Of of;
        bool above;
        double limit;
    };
    for (const Case& c :
         {Case{"step.mean > +5%", "step_mean_ns", Of::kChange, true, 0.05},
          Case{" step_mean_ns>+0.5 % ", "step_mean_ns", Of::kChange, true, 0.005},
          Case{"tokens_per_second < -5%", "tokens_per_second", Of::kChange, false, -0.05},
          Case{"memory.peak > +100MiB", "peak_bytes", Of::kDifference, true, 104857600},
          Case{"peak_bytes > 2GB", "peak_bytes", Of::kValue, true, 2e9},
          Case{"memory.before_backward > +1%", "before_backward_bytes", Of::kChange, true, 0.01},
          Case{"forward.median > 1.5ms", "forward_median_ns", Of::kValue, true, 1.5e6},
          Case{"step.mean > +20us", "step_mean_ns", Of::kDifference, true, 2e4},
          Case{"last_loss > 9.5", "last_loss", Of::kValue, true, 9.5},
          Case{"mfu_measured < -1%", "mfu_measured", Of::kChange, false, -0.01}}) {
        SCOPED_TRACE(c.text);
        const GateCondition read = condition(c.text);
        ASSERT_TRUE(read.measure);
        EXPECT_EQ(read.measure->key, c.key);
        EXPECT_EQ(read.of, c.of);
        EXPECT_EQ(read.above, c.above);
        EXPECT_NEAR(read.limit, c.limit, std::abs(c.limit) * 1e-12);
    }
}

TEST(GateCondition, ThatIsNoneIsRefusedInOneSentenceThatNamesIt) {
    for (const char* text :
         {"", "step.mean", "step.mean >", "step.mean >> +5%", "> +5%", "step.mean > five", "step.mean > 5%",
          "step.mean > +5", "step.mean > +5MiB", "peak_bytes > 3ms", "step.mean > +5%%", "step.mean = +5%",
          "step.mean > +-5%", "step.mean > +inf%", "step.mean > +5% < 3%"}) {
        const Result<GateCondition> parsed = parseGateCondition(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_THAT(parsed.message(), HasSubstr('"' + std::string(text) + '"'));
    }
    EXPECT_THAT(parseGateCondition("step_maen_ns > +5%").message(), HasSubstr("Did you mean step_mean_ns?"));
    EXPECT_THAT(parseGateCondition("speed > +5%").message(), HasSubstr("names no measure"));
    for (const auto& [text, said] :
         {std::pair{"stepmean > +5%", "Did you mean step.mean?"},
          {"memory > +5%", "Did you mean memory."},
          {"tokens < -5%", "Did you mean tokens_per_second?"},
          {"> +5%", "names no measure: none stands before the sign."},
          {"step.mean >= +5%", "it has to have > or < alone, without =."},
          {"step.mean > 20", "the limit has no unit, and step_mean_ns is in ns, us, ms or s."},
          {"peak_bytes > 2gib", "\"gib\" is no unit: peak_bytes is in B, kB, MB, GB, KiB, MiB or GiB."},
          {"last_loss > +5ms", "\"ms\" is no unit: last_loss has no unit."}})
        EXPECT_THAT(parseGateCondition(text).message(), HasSubstr(said));
}

TEST(Gate, JudgesByTheWholeInterval) {
    // 100 ± 1 and 110 ± 1, ten steps each: +10%, and its interval within a point of it.
    const std::vector<double> a{99, 101, 99, 101, 100, 100, 99, 101, 99, 101};
    std::vector<double> b;
    for (const double time : a)
        b.push_back(time + 10);
    const std::vector<GatePair> pairs{pairOf(a, b)};
    const auto verdict = [&](const char* text) { return judged(text, pairs).verdict; };
    EXPECT_EQ(verdict("step.mean > +5%"), GateVerdict::kTrips);
    EXPECT_EQ(verdict("step.mean > +15%"), GateVerdict::kHolds);
    EXPECT_EQ(verdict("step.mean > +10%"), GateVerdict::kUndecided);
    EXPECT_EQ(verdict("step.mean < +15%"), GateVerdict::kTrips);
    EXPECT_EQ(verdict("step.mean < -5%"), GateVerdict::kHolds);
    EXPECT_EQ(verdict("step.mean > +5ns"), GateVerdict::kTrips);
    EXPECT_EQ(verdict("step.mean > 120ns"), GateVerdict::kHolds);
    EXPECT_EQ(verdict("step.mean > 105ns"), GateVerdict::kTrips);
    const GateJudgment found = judged("step.mean > +5%", pairs);
    EXPECT_NEAR(*found.found, 0.1, 1e-12);
    EXPECT_LT(*found.low, 0.1);
    EXPECT_GT(*found.low, 0.09);
    EXPECT_NEAR(*found.high - 0.1, 0.1 - *found.low, 1e-12);
    EXPECT_THAT(found.sentence,
                HasSubstr("\"step.mean > +5%\" trips: Step time went from 100\u202fns to 110\u202fns"));
}

TEST(Gate, ADifferenceOfSharesIsInPoints) {
    std::vector<GatePair> pairs{pairOf({100, 101, 99}, {250, 251, 249})};
    pairs.front().a["mfu_measured"] = 0.4;
    pairs.front().b["mfu_measured"] = 0.16;
    EXPECT_THAT(
        judged("mfu_measured < -5%", pairs).sentence,
        HasSubstr("MFU (of measured) went from 40% to 16%, -24 points; relative to A -60.00% (95%: "));
    EXPECT_THAT(judged("mfu_measured < -0.05", pairs).sentence, HasSubstr("to 16%, -24 points"));
    pairs.front().b.erase("mfu_measured");
    EXPECT_THAT(judged("mfu_measured < -5%", pairs).sentence, HasSubstr("B has no MFU (of measured)."));
}

TEST(Gate, TakesTheSpreadOfAMeanAsWelchDoes) {
    // By hand: a 10, 12, 14 (mean 12, s² 4); b 20, 26 (mean 23, s² 18). The error of b − a is √(4/3 + 18/2),
    // with (10.333…)² / ((4/3)²/2 + 9²/1) = 1.30 degrees of freedom, rounded down to 1: t = 12.706.
    const std::vector<GatePair> pairs{pairOf({10, 12, 14}, {20, 26})};
    const GateJudgment found = judged("step.mean > +1ns", pairs);
    EXPECT_NEAR(*found.found, 11, 1e-9);
    EXPECT_NEAR(*found.high - 11, 12.706 * std::sqrt(4.0 / 3 + 9), 0.01);
    EXPECT_EQ(found.verdict, GateVerdict::kUndecided);
}

/// For many pairs of samples whose true change is known, 95% of the intervals hold it.
TEST(Gate, ItsIntervalsHoldTheTrueChangeAsOftenAsTheySay) {
    std::mt19937_64 random(11);
    const auto sample = [&](double mean, double deviation, int count) {
        std::normal_distribution<double> normal(mean, deviation);
        std::vector<double> times;
        for (int i = 0; i < count; ++i)
            times.push_back(normal(random));
        return times;
    };
    for (const int repeats : {1, 5}) {
        int held = 0;
        constexpr int kTrials = 2000;
        for (int trial = 0; trial < kTrials; ++trial) {
            std::vector<GatePair> pairs;
            for (int i = 0; i < repeats; ++i)
                pairs.push_back(pairOf(sample(1000, 20, 10), sample(1080, 40, 8)));
            const GateJudgment found = judged("step.mean > +5%", pairs);
            held += *found.low <= 0.08 && 0.08 <= *found.high ? 1 : 0;
        }
        EXPECT_NEAR(held / static_cast<double>(kTrials), 0.95, 0.015) << repeats;
    }
}

TEST(Gate, KnowsWhatIsExactAndWhatOneRunCannotTell) {
    GatePair pair{.a = {{"peak_bytes", 1000}, {"step_median_ns", 100}, {"first_loss", 9.25}},
                  .b = {{"peak_bytes", 1011}, {"step_median_ns", 200}, {"first_loss", 9.25}}};
    const std::vector<GatePair> pairs{pair};
    EXPECT_EQ(judged("memory.peak > +1%", pairs).verdict, GateVerdict::kTrips);
    EXPECT_EQ(judged("memory.peak > +11B", pairs).verdict, GateVerdict::kHolds);
    EXPECT_EQ(judged("memory.peak > +1%", pairs, {.times = "The host was busy."}).verdict,
              GateVerdict::kTrips);
    EXPECT_EQ(judged("first_loss > +0%", pairs).verdict, GateVerdict::kHolds);
    EXPECT_THAT(judged("step.median > +5%", pairs), Is(GateVerdict::kUndecided, "--repeat"));
    EXPECT_THAT(judged("step.mean > +5%", pairs), Is(GateVerdict::kUndecided, "B has no step time"));
}

TEST(Gate, LeavesTimesThatCannotBeComparedUndecided) {
    const std::vector<GatePair> pairs{pairOf({100, 101, 99}, {200, 201, 199})};
    EXPECT_THAT(judged("step.mean > +5%", pairs, {.times = "A's host was busy."}),
                Is(GateVerdict::kUndecided, "A's host was busy."));
}

TEST(Gate, IsUndecidedWhereTheRunsCannotCarryAVerdict) {
    GatePair pair = pairOf({100, 101, 99}, {200, 201, 199});
    pair.a["peak_bytes"] = 1000;
    pair.b["peak_bytes"] = 900;
    pair.a["last_loss"] = pair.b["last_loss"] = 2;
    const std::vector<GatePair> pairs{pair};
    const auto verdict = [&](const char* text, const GateCautions& cautions) {
        return judged(text, pairs, cautions).verdict;
    };
    for (const char* text : {"step.mean > +5%", "memory.peak > +1%", "last_loss > +1%"})
        EXPECT_EQ(verdict(text, {.all = "B failed."}), GateVerdict::kUndecided) << text;
    EXPECT_EQ(verdict("memory.peak > +1%", {.memory = "It lacks memory."}), GateVerdict::kUndecided);
    EXPECT_EQ(verdict("memory.peak > +1%", {.times = "The host was busy."}), GateVerdict::kHolds);
    EXPECT_EQ(verdict("step.mean > +5%", {.memory = "It lacks memory."}), GateVerdict::kTrips);
    EXPECT_EQ(verdict("last_loss > +1%", {}), GateVerdict::kHolds);
    std::vector<GatePair> onGpu = pairs;
    onGpu[0].onGpu = true;
    EXPECT_EQ(judged("last_loss > +1%", onGpu).verdict, GateVerdict::kUndecided)
        << "one run of a GPU does not tell how much its last loss scatters";
    onGpu.push_back(onGpu[0]);
    EXPECT_EQ(judged("last_loss > +1%", onGpu).verdict, GateVerdict::kHolds);
}

TEST(Gate, OfBAloneNeedsNothingOfA) {
    GatePair pair;
    pair.b["peak_bytes"] = 1000;
    const std::vector<GatePair> pairs{pair};
    const GateCautions cautions{.againstA = "A was stopped."};
    EXPECT_EQ(judged("memory.peak > 2kB", pairs, cautions).verdict, GateVerdict::kHolds);
    pair.a["peak_bytes"] = 1000;
    const std::vector<GatePair> both{pair};
    EXPECT_THAT(judged("memory.peak > +1%", both, cautions), Is(GateVerdict::kUndecided, "A was stopped."));
}

/// Every kind of condition, whatever is known of its measure.
TEST(Gate, TripsWhereBRanOutOfMemoryAndADidNot) {
    GatePair pair;
    pair.a["peak_bytes"] = 1000;
    pair.b["peak_bytes"] = 500;
    pair.outOfMemoryB = "in the forward pass of step 2";
    const GateCautions cautions{.all = "B did not run to its end (failed)."};
    for (const char* text : {"step.mean > +5%", "memory.peak > +1MiB", "tokens_per_second < -5%"}) {
        const GateJudgment found = judged(text, {pair}, cautions);
        EXPECT_EQ(found.verdict, GateVerdict::kTrips) << text;
        EXPECT_EQ(found.sentence,
                  '"' + std::string(text) +
                      "\" trips: B ran out of memory in the forward pass of step 2, and A did "
                      "not.");
    }
    GatePair sound = pairOf({100, 101, 99}, {100, 101, 99});
    EXPECT_THAT(judged("step.mean > +5%", {sound, pair}, cautions),
                Is(GateVerdict::kTrips, "trips: B of pair 2 ran out of memory in the forward pass"));
}

TEST(Gate, AnAThatRanOutOfMemoryIsNoMeasureOfB) {
    GatePair pair = pairOf({100, 101, 99}, {100, 101, 99});
    pair.outOfMemoryA = "in step 0";
    EXPECT_THAT(
        judged("step.mean > +5%", {pair}),
        Is(GateVerdict::kUndecided, "A ran out of memory in step 0, so there is nothing to hold B against."));
    EXPECT_EQ(judged("step.mean > 1ms", {pair}).verdict, GateVerdict::kHolds) << "a condition on B alone";
    pair.outOfMemoryB = "in the loss phase of step 1";
    EXPECT_THAT(
        judged("step.mean > +5%", {pair}),
        Is(GateVerdict::kUndecided, "A ran out of memory in step 0, and B in the loss phase of step 1."));
    EXPECT_THAT(judged("step.mean > 1ms", {pair}),
                Is(GateVerdict::kTrips, "trips: B ran out of memory in the loss phase of step 1."));
}

TEST(Gate, IsExactWhereAllPairsAreAlike) {
    GatePair pair;
    pair.a["peak_bytes"] = 1e9;
    pair.b["peak_bytes"] = 1e9 + 104857600;
    const std::vector<GatePair> pairs(6, pair);
    EXPECT_EQ(judged("memory.peak > +100MiB", pairs).verdict, GateVerdict::kHolds);
    EXPECT_EQ(judged("memory.peak > +99MiB", pairs).verdict, GateVerdict::kTrips);
}

TEST(Gate, HasNoChangeInPercentFromNothing) {
    GatePair pair;
    pair.a["peak_bytes"] = 0;
    pair.b["peak_bytes"] = 5;
    const GateJudgment found = judged("memory.peak > +1%", {pair});
    EXPECT_EQ(found.verdict, GateVerdict::kUndecided);
    EXPECT_THAT(found.sentence, testing::Not(HasSubstr("inf")));
}

TEST(Gate, OfSeveralPairsTakesTheSpreadOfTheirChanges) {
    // Every pair is 10% longer, though the runs themselves differ by a factor of two.
    std::vector<GatePair> pairs;
    for (const double scale : {100.0, 150.0, 200.0})
        pairs.push_back(pairOf({scale, scale * 1.2}, {scale * 1.1, scale * 1.32}));
    const GateJudgment found = judged("step.mean > +9%", pairs);
    EXPECT_EQ(found.verdict, GateVerdict::kTrips) << found.sentence;
    EXPECT_NEAR(*found.low, 0.1, 1e-9);
    EXPECT_EQ(judged("step.median > +9%", pairs).verdict, GateVerdict::kUndecided) << "no pair has a median";
}

}  // namespace warpglass::test::gate_test
