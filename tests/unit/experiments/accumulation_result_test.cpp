// What the accumulation experiment says of sums that the test makes.
#include <gmock/gmock.h>

#include "engine/experiments/catalog.h"
#include "engine/experiments/run_experiment.h"
#include "engine/runner/runner_api.h"
#include "tests/support/fake_runner.h"
#include "tests/unit/experiments/made_evidence.h"

namespace warpglass::test::accumulation_result_test {

using ::testing::Contains;
using ::testing::HasSubstr;

/// Adds in double, but in fp16 stops at 32, and a bf16 term is 0.0100098.
class SumRunner final : public FakeRunner {
public:
    Result<std::vector<double>> accumulate(const Accumulation& way) override {
        if (way.compensated)
            return Error{"No sum is corrected here."};
        const double term = way.term == NumberFormat::kBf16 ? 0.0100098 : way.value;
        std::vector<double> sums;
        double sum = 0;
        for (std::int64_t i = 0; i < way.terms; ++i) {
            if (way.sum != NumberFormat::kFp16 || sum + term < 32.005)
                sum += term;
            sums.push_back(sum);
        }
        return sums;
    }
};

ExperimentResult resultOf(Runner* runner) {
    MadeEvidence evidence(experiment::kAccumulation, {});
    evidence.runnerUsed = runner;
    return evaluated(experiment::kAccumulation, evidence);
}

TEST(AccumulationResult, NamesTheReasonOfEachError) {
    SumRunner runner;
    const ExperimentResult result = resultOf(&runner);
    EXPECT_THAT(result.answers,
                Contains(AllOf(HasSubstr("as fp16 += fp16"), HasSubstr("After 3,200 terms it stops at 32"),
                               HasSubstr("spacing is 0.03125"))));
    EXPECT_THAT(result.answers, Contains(AllOf(HasSubstr("as fp32 += bf16 gives 10.0098"),
                                               HasSubstr("nearly all of it is the term's own"))));
    EXPECT_THAT(result.notes, Contains("No sum is corrected here."));
    ASSERT_EQ(result.tables.size(), 1u);
    EXPECT_EQ(result.tables[0].rows.size(), 6u);
    ASSERT_EQ(result.charts.size(), 2u);
    ASSERT_EQ(result.charts[0].series.size(), 5u) << "without the one that is cast first";
    EXPECT_NEAR(result.charts[1].series[4].points.back().y, 10000 * 0.0000098, 1e-6);
}

TEST(AccumulationResult, WithoutARunnerSaysWhy) {
    const ExperimentResult result = resultOf(nullptr);
    EXPECT_TRUE(result.answers.empty());
    EXPECT_THAT(result.notes, Contains("There is no runner here."));
}

}  // namespace warpglass::test::accumulation_result_test
