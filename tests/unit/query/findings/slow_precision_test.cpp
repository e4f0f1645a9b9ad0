// The rule about precision: from which share of the step on it speaks, and what it says bf16 would save.
#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "engine/base/format.h"
#include "engine/plan/flops.h"
#include "engine/query/findings/slow_precision.h"
#include "tests/support/must.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::slow_precision_test {

using testing::HasSubstr;

TEST(SlowPrecision, IsFoundFromThreeTenthsOfTheStepOn) {
    const auto multiplying = [](std::int64_t time, Precision precision = Precision::kFp32) {
        RunByHand run;
        run.config.precision = precision;
        run.config.attention = AttentionVariant::kNaive;
        run.kernels = {{0, time}, {time, 100 * kMs}};
        run.kernels[1].op = "aten::mul";
        return finding(findSlowPrecision, run);
    };
    EXPECT_FALSE(multiplying(30 * kMs - 1));
    const auto found = must(multiplying(30 * kMs));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->value, "tf32");
    const RunConfig& config = found.trial->config;
    const double faster = static_cast<double>(countFlops(config).matmul().value) / (0.5 * 494.7e12) * 1e9;
    EXPECT_NEAR(found.trial->expected, 70e6 + faster, 1);
    EXPECT_NEAR(found.nsPerStep, 30e6 - faster, 1);
    EXPECT_FALSE(multiplying(60 * kMs, Precision::kTf32));
    EXPECT_FALSE(multiplying(60 * kMs, Precision::kBf16));
}

TEST(SlowPrecision, SaysWhatBf16WouldSaveByTheCeilingsAndProposesItWhereThatIsMuchMore) {
    const auto with = [](double tf32, double bf16, std::int64_t time = 80 * kMs) {
        RunByHand run;
        run.config.precision = Precision::kFp32;
        run.config.attention = AttentionVariant::kNaive;
        run.hostTime = kMs;
        run.kernels = {{0, time}, {time, 100 * kMs}};
        run.kernels[1].op = "aten::mul";
        run.info.insert(run.info.end(), {{"ceiling.measured", "2026-11-21T17:11:34Z"},
                                         {"ceiling.fp32_flops_per_second", "20000000000000"},
                                         {"ceiling.tf32_flops_per_second", std::to_string(tf32)},
                                         {"ceiling.bf16_flops_per_second", std::to_string(bf16)}});
        for (auto& [key, value] : run.info) {
            if (key.starts_with("ceiling.") && value.ends_with(".000000"))
                value.resize(value.size() - 7);
        }
        return finding(findSlowPrecision, run);
    };
    auto found = must(with(100e12, 400e12));
    ASSERT_TRUE(found.trial);
    const double flops = static_cast<double>(countFlops(found.trial->config).matmul().value);
    const auto step = [flops](double ceiling) {
        return formatDuration(Nanoseconds(std::llround(20e6 + 1e9 * flops / (0.5 * ceiling))));
    };
    EXPECT_THAT(found.sentence, HasSubstr("5.0× as high in tf32 and 20.0× in bf16: a step is expected to "
                                          "take " +
                                          step(100e12) + " in tf32, and " + step(400e12) +
                                          " in bf16 plus what its casts take."));
    const double saved = 1e9 * flops * (1 / (0.5 * 100e12) - 1 / (0.5 * 400e12));
    EXPECT_EQ(found.trial->value, saved >= 10.0 * kMs ? "bf16" : "tf32");
    ASSERT_GE(saved, 10.0 * kMs);
    EXPECT_NEAR(found.trial->expected, 20e6 + 1e9 * flops / (0.5 * 400e12), 1);
    found = must(with(380e12, 400e12));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->value, "tf32") << "casts for little";
    found = must(with(25e12, 400e12));
    ASSERT_TRUE(found.trial);
    EXPECT_EQ(found.trial->value, "bf16") << "tf32 is hardly faster there";
    EXPECT_THAT(found.sentence, testing::Not(HasSubstr("tf32")));
}

TEST(SlowPrecision, GainsNoMoreThanTheProductsAndNothingOfAStepThatWaits) {
    const auto idleFor = [](std::int64_t late) {
        RunByHand run = lateBy(late);
        run.config.precision = Precision::kFp32;
        run.config.attention = AttentionVariant::kNaive;
        run.hostTime = kMs;
        return finding(findSlowPrecision, run);
    };
    const auto found = idleFor(9 * kMs);
    ASSERT_TRUE(found && found->trial);
    const double faster =
        static_cast<double>(countFlops(found->trial->config).matmul().value) / (0.5 * 494.7e12) * 1e9;
    EXPECT_NEAR(found->trial->expected, 9.0 * kMs + faster, 1) << "what the GPU waited stays";
    EXPECT_FALSE(idleFor(10 * kMs));
}

TEST(SlowPrecision, OfADeviceThatIsNotKnownNothingIsSaid) {
    RunByHand run;
    run.config.precision = Precision::kFp32;
    run.config.attention = AttentionVariant::kNaive;
    run.fillStep();
    EXPECT_TRUE(finding(findSlowPrecision, run));
    run.info[0].second = "Some GPU";
    EXPECT_FALSE(finding(findSlowPrecision, run));
    // What was measured on it makes it known.
    run.info.emplace_back("ceiling.fp32_flops_per_second", "50000000000000");
    run.info.emplace_back("ceiling.tf32_flops_per_second", "74000000000000");
    EXPECT_FALSE(finding(findSlowPrecision, run)) << "1.48 times as fast";
    run.info.back().second = "400000000000000";
    EXPECT_TRUE(finding(findSlowPrecision, run));
}

}  // namespace warpglass::test::slow_precision_test
