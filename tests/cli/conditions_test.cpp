// What is said of the conditions that runs ran under.
#include <gmock/gmock.h>

#include "tests/cli/saved_run_fixture.h"
#include "tests/support/run_conditions.h"

namespace warpglass::test::conditions_test {

using testing::HasSubstr;
using testing::Not;

struct CliConditions : CliSavedRun {
    std::string quiet(const std::string& name = "quiet.wgrun") {
        return save(*makeRun({.started = name, .othersCores = 0.1, .waitedShare = 0.001}), name);
    }
    std::string busy() {
        MadeConditions made{.othersCores = 3.2, .waitedShare = 0.12};
        made.smClock = [](std::int64_t step) { return step == 0 ? 345.0 : 1410.0; };
        made.reasons = 4;
        return save(*makeRun(made), "busy.wgrun");
    }
};

TEST_F(CliConditions, InfoHasThem) {
    const std::string path = busy();
    const json row = rowsOf(parsed({"info", path}), "conditions")[0];
    EXPECT_NEAR(row["others_cores"].get<double>(), 3.2, 1e-6);
    EXPECT_NEAR(row["waited_share"].get<double>(), 0.12, 1e-6);
    EXPECT_EQ(row["sm_clock_mhz"], 1410);
    EXPECT_EQ(row["max_sm_clock_mhz"], 1980);
    EXPECT_EQ(row["clock_reasons"], "power cap");
    EXPECT_EQ(row["host_cores"], 4);
    EXPECT_EQ(row["needed_cores"], 4);
    EXPECT_TRUE(row["stolen_cores"].is_null());
    EXPECT_THAT(row["cautions"].get<std::string>(), HasSubstr("The host was busy"));
    EXPECT_THAT(row["cautions"].get<std::string>(), HasSubstr("held down (power cap): 1,410 MHz"));
    const std::string people = printed({"info", path});
    EXPECT_THAT(people, testing::AllOf(HasSubstr("other programs used 3.2 of 4 cores"), HasSubstr("1,410")));
    EXPECT_THAT(people, Not(HasSubstr("hypervisor"))) << "not recorded";
    EXPECT_THAT(printed({"info", quiet()}), HasSubstr("Nothing of it disturbed them."));
}

TEST_F(CliConditions, ARunOfAnEarlierVersionSaysThatItHasNone) {
    EXPECT_THAT(printed({"info", m_path}), HasSubstr("not recorded"));
    EXPECT_TRUE(rowsOf(parsed({"info", m_path}), "conditions").empty());
    EXPECT_TRUE(rowsOf(parsed({"stats", "steps", m_path}), "conditions").empty());
    EXPECT_THAT(printed({"stats", "steps", m_path}), Not(HasSubstr("ran under")));
    EXPECT_TRUE(rowsOf(parsed({"findings", m_path}), "overview")[0]["cautions"].is_null());
    EXPECT_TRUE(rowsOf(parsed({"compare", m_path, quiet()}), "cautions").empty());
}

TEST_F(CliConditions, OfARunWithoutACompletedStepNothingIsKnown) {
    MadeConditions made;
    made.measured = -1;  // not even the warm-up
    made.othersCores = 3.2;
    EXPECT_THAT(printed({"info", save(*makeRun(made), "none.wgrun")}),
                HasSubstr("no sample of a completed step"));
}

TEST_F(CliConditions, EveryStepHasItsOwn) {
    const json rows = rowsOf(parsed({"stats", "steps", busy()}), "conditions");
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_EQ(rows[0]["counts_as"], "warm-up");
    EXPECT_NEAR(rows[0]["others_cores"].get<double>(), 0, 1e-6);
    EXPECT_EQ(rows[0]["sm_clock_mhz"], 345);
    for (std::size_t step = 1; step < 5; ++step) {
        EXPECT_EQ(rows[step]["step"], step);
        EXPECT_EQ(rows[step]["counts_as"], "measured");
        EXPECT_NEAR(rows[step]["others_cores"].get<double>(), 3.2, 1e-6);
        EXPECT_EQ(rows[step]["sm_clock_mhz"], 1410);
        EXPECT_EQ(rows[step]["clock_reasons"], "power cap");
    }
    const std::string people = printed({"stats", "steps", quiet()});
    EXPECT_THAT(people, HasSubstr("Cores used by others"));
    EXPECT_THAT(people, Not(HasSubstr("SM clock"))) << "none was recorded";
}

TEST_F(CliConditions, FindingsBeginWithTheCaution) {
    const std::string path = busy();
    EXPECT_THAT(printed({"findings", path}),
                HasSubstr("The host was busy: in the measured steps other programs used 3.2 of 4 cores"));
    EXPECT_THAT(rowsOf(parsed({"findings", path}), "overview")[0]["cautions"].get<std::string>(),
                HasSubstr("The host was busy"));
    EXPECT_THAT(printed({"findings", quiet()}), Not(HasSubstr("busy:")));
}

TEST_F(CliConditions, AComparisonSaysThemBeforeItsHeadline) {
    const std::string a = quiet(), b = busy();
    const std::string people = printed({"compare", a, b});
    EXPECT_EQ(people.find("Caution: The host was busy in B's steps: other programs used 3.2 of 4 cores"), 0u)
        << people.substr(0, 300);
    EXPECT_LT(people.find("Caution: "), people.find("a step"));
    EXPECT_EQ(rowsOf(parsed({"compare", a, b}), "cautions").size(), 2u);
    EXPECT_THAT(printed({"compare", a, quiet("other.wgrun")}), Not(HasSubstr("Caution")));
    EXPECT_THAT(printed({"compare", b, b}), Not(HasSubstr("Caution"))) << "the same run";
}

}  // namespace warpglass::test::conditions_test
