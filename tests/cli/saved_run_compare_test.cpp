// compare, against the engine's own comparison of the same snapshots.
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/format.h"
#include "engine/query/compare/comparison.h"
#include "engine/query/compare/comparison_headline.h"
#include "engine/query/compare/comparison_scope.h"
#include "engine/query/spans/step_spans.h"
#include "tests/cli/saved_run_fixture.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::saved_run_compare_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct CliCompare : CliSavedRun {
    /// The made run but for these settings, in a file.
    struct Other {
        std::shared_ptr<const Snapshot> run;
        std::string path;
    };
    template <class Change>
    Other made(Change change) {
        SyntheticOptions options;
        change(options.config);
        const auto run = makeSyntheticRun(options);
        return {run, save(*run, "b.wgrun")};
    }
    static void inBf16(RunConfig& config) { config.precision = Precision::kBf16; }
    static void largerBatch(RunConfig& config) { config.batch *= 2; }
};

TEST_F(CliCompare, SetsRunsSideBySide) {
    const std::string other = made([](RunConfig& config) {
                                  inBf16(config);
                                  largerBatch(config);
                              }).path;
    const json tables = parsed({"compare", m_path, other});
    const auto setting = [&](const char* key) {
        for (const json& row : rowsOf(tables, "settings"))
            if (row["setting"].get<std::string>().find(key) != std::string::npos)
                return row;
        return json();
    };
    EXPECT_EQ(setting("precision")["a"], "fp32");
    EXPECT_EQ(setting("precision")["b"], "bf16");
    EXPECT_EQ(setting("batch")["b"], std::to_string(2 * syntheticConfig().batch));
    for (const char* name : {"phases", "ops", "modules"}) {
        const json rows = rowsOf(tables, name);
        ASSERT_FALSE(rows.empty()) << name;
        for (const json& row : rows)
            if (!row["a_ns"].is_null() && !row["b_ns"].is_null()) {
                EXPECT_NEAR(row["difference_ns"].get<double>(),
                            row["b_ns"].get<double>() - row["a_ns"].get<double>(), 1e-3)
                    << row;
            }
    }
    const json peak = rowsOf(tables, "memory").back();
    EXPECT_EQ(peak["name"], "peak");
    EXPECT_GT(peak["ratio"].get<double>(), 1.0);

    // A run beside itself differs in nothing.
    const json same = parsed({"compare", m_path, m_path});
    EXPECT_TRUE(rowsOf(same, "settings").empty());
    EXPECT_THAT(columnOf(rowsOf(same, "phases"), "difference_ns"), testing::Each(json(0)));
}

TEST_F(CliCompare, BeginsWithTheHeadlineAndCutsLongTablesForPeople) {
    const auto [b, other] = made(inBf16);
    const RunComparison comparison = compareRuns(m_run, b);
    const std::size_t ops = comparison.ops.size();
    ASSERT_GT(ops, 20u);
    const std::string text = printed({"compare", m_path, other});
    EXPECT_THAT(text, StartsWith(headlineOf(comparison, *m_run, *b).text()));
    // For runs of a GPU it also says what bounds each.
    EXPECT_THAT(printed({"compare", sampleRunPath("small-fp32-naive").string(),
                         sampleRunPath("small-bf16-naive").string()}),
                AllOf(StartsWith("bf16 is 1.32× faster: "), HasSubstr(", but launch-bound (the GPU waits "),
                      HasSubstr(" where fp32 was GPU-bound (the GPU is busy for 96% of the step)"),
                      HasSubstr(" · GEMM share of GPU time: 87% → 29%")));
    ComparisonScope one{.steps = ComparisonScope::Steps::kOne};
    one.stepA = one.stepB = endedSteps(*m_run).back().step;
    const std::string ofOne = headlineOf(compareRuns(m_run, b, one), *m_run, *b, one).text();
    EXPECT_THAT(ofOne, HasSubstr(" in step " + std::to_string(one.stepA) + " against "));
    EXPECT_THAT(printed({"compare", m_path, other, "--step", std::to_string(one.stepA)}), StartsWith(ofOne));
    EXPECT_LT(text.find("Settings that differ"), text.find("Memory at the peak"));
    EXPECT_THAT(text, HasSubstr("(the 20 largest changes; " + std::to_string(ops - 20) + " more "));
    const std::string all = printed({"compare", m_path, other, "--all"});
    EXPECT_THAT(all, Not(HasSubstr("largest changes")));
    EXPECT_GT(all.size(), text.size());
    // Scripts get every row.
    EXPECT_EQ(rowsOf(parsed({"compare", m_path, other}), "ops").size(), ops);
    EXPECT_EQ(rowsOf(parsed({"compare", m_path, other, "--limit", "3"}), "ops").size(), 3u);
}

TEST_F(CliCompare, CallsACudaGraphAsTitlesDo) {
    const std::string other = made([](RunConfig& config) { config.execution = Execution::kGraph; }).path;
    EXPECT_THAT(printed({"compare", m_path, other}), HasSubstr("CUDA graph"));
    // A script has the option's word.
    EXPECT_EQ(rowsOf(parsed({"compare", m_path, other}), "settings").front()["b"], "graph");
}

TEST_F(CliCompare, StatesNoDifferenceToWhatARunNeverReached) {
    constexpr std::int64_t kMuch = std::int64_t{1} << 44;  // 16384 GiB
    const std::string failed = save(
        *traceOf("info state failed steps.completed 0 ; alloc 16384GiB 1 weights ; end 10"), "failed.wgrun");
    for (const bool failedIsB : {false, true}) {
        const Arguments command = {"compare", failedIsB ? m_path : failed, failedIsB ? failed : m_path};
        const json tables = parsed(command);
        std::size_t unknown = 0;
        for (const std::string name : {"phases", "ops", "modules", "memory"}) {
            const std::string unit = name == "memory" ? "_bytes" : "_ns";
            for (const json& row : rowsOf(tables, name)) {
                const bool one = row["a" + unit].is_null() != row["b" + unit].is_null();
                EXPECT_EQ(row["difference" + unit].is_null(), one) << row;
                unknown += one;
            }
        }
        EXPECT_GT(unknown, 20u);
        const json peak = rowsOf(tables, "memory").back();
        EXPECT_EQ(peak[failedIsB ? "b_bytes" : "a_bytes"], kMuch);
        EXPECT_TRUE(peak["ratio"].is_number());
        const std::string text = printed(command);
        EXPECT_THAT(text, HasSubstr("≥ " + formatBytes(Bytes(kMuch))));
        EXPECT_EQ(text.find("≤ ", text.find("Memory at the peak")) == std::string::npos, failedIsB) << text;
    }
}

TEST_F(CliCompare, TakesOneStepTheSumOrTheMeanPerToken) {
    const Other larger = made(largerBatch);
    const std::string& other = larger.path;
    const auto expectOps = [&](const Arguments& words, const ComparisonScope& scope) {
        const json rows = rowsOf(parsed(with({"compare", m_path, other}, words)), "ops");
        const std::vector<ComparisonRow> expected = compareRuns(m_run, larger.run, scope).ops;
        ASSERT_EQ(rows.size(), expected.size()) << testing::PrintToString(words);
        ASSERT_FALSE(rows.empty());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(rows[i]["name"], expected[i].name);
            EXPECT_NEAR(rows[i]["b_ns"].get<double>(), expected[i].b, 1e-3) << testing::PrintToString(words);
        }
    };
    using Steps = ComparisonScope::Steps;
    expectOps({"--mean"}, {});
    expectOps({"--per-step"}, {});
    expectOps({"--total"}, {.steps = Steps::kSum});
    expectOps({"--step", "1"}, {.steps = Steps::kOne, .stepA = 1, .stepB = 1});
    expectOps({"--step", "1", "--step-b", "0"}, {.steps = Steps::kOne, .stepA = 1, .stepB = 0});
    expectOps({"--per-token"}, {.perToken = true});

    EXPECT_THAT(printed({"compare", m_path, other, "--step", "1"}),
                HasSubstr("step 1 of A against step 1 of B"));
    EXPECT_THAT(printed({"compare", m_path, other}), HasSubstr("Note: A step of A is "));
    expectOneSentence(runProgram({"compare", m_path, other, "--step", "999"}), 1,
                      "has no step 999: its steps are 0 to ");
    EXPECT_EQ(runProgram({"compare", m_path, other, "--step", "1", "--total"}).status, 2);
}

TEST_F(CliCompare, IsAGate) {
    const std::string larger = made(largerBatch).path;
    const auto status = [](const Arguments& arguments) { return runProgram(arguments).status; };
    EXPECT_EQ(status({"compare", m_path, m_path, "--fail-if", "memory.peak > +1%"}), 0);
    const Outcome trips = runProgram(
        {"compare", m_path, larger, "--fail-if", "memory.peak > +1%", "--fail-if", "last_loss > 1e9"});
    EXPECT_EQ(trips.status, 3);
    EXPECT_EQ(trips.err, "");
    EXPECT_THAT(trips.out, StartsWith("Gate: \"memory.peak > +1%\" trips: Peak memory went from "));
    EXPECT_THAT(trips.out, HasSubstr("\nGate: \"last_loss > 1e9\" "));

    // What nothing is known of is what the person says it is.
    const Arguments unknown{"compare", m_path, m_path, "--fail-if", "request_bytes > +1%"};
    EXPECT_EQ(status(unknown), 0);
    EXPECT_EQ(status(with(unknown, {"--undecided", "fail"})), 3);

    const json rows = rowsPrinted({"compare", m_path, larger, "--repeat", m_path, larger, "--repeat", m_path,
                                   larger, "--fail-if", "memory.peak > +1%"},
                                  "gate");
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0]["measure"], "peak_bytes");
    EXPECT_EQ(rows[0]["verdict"], "trips");
    EXPECT_NEAR(rows[0]["low"].get<double>(), rows[0]["high"].get<double>(), 1e-12);
    EXPECT_NEAR(rows[0]["found"].get<double>(), rows[0]["b"].get<double>() / rows[0]["a"].get<double>() - 1,
                1e-12);
}

TEST_F(CliSavedRun, AGateDoesNotPassWhatFailedOrCannotBeCompared) {
    const auto judged = [this](const SyntheticOptions& options, const char* condition) {
        const std::string other = save(*makeSyntheticRun(options), "other.wgrun");
        return runProgram({"compare", m_path, other, "--fail-if", condition, "--undecided", "fail"});
    };
    const Outcome failed = judged({.state = std::string(run_state::kFailed)}, "memory.peak > +1%");
    EXPECT_EQ(failed.status, 3);
    EXPECT_THAT(failed.out, HasSubstr("B did not run to its end (failed)."));
    SyntheticOptions larger;
    larger.config.batch = syntheticConfig().batch * 2;
    const Outcome other = judged(larger, "tokens_per_second < -99%");
    EXPECT_EQ(other.status, 3);
    EXPECT_THAT(other.out, HasSubstr("A step of A is other work than one of B."));
}

TEST_F(CliSavedRun, AGateTripsWhereOnlyBRanOutOfMemory) {
    const std::string sound = WARPGLASS_SAMPLE_RUNS "/small-fp32-naive.wgrun",
                      out = WARPGLASS_SAMPLE_RUNS "/large-fp32-out-of-memory.wgrun";
    const auto judged = [](const std::string& a, const std::string& b, const char* condition) {
        return runProgram({"compare", a, b, "--fail-if", condition});
    };
    for (const char* condition : {"step.mean > +5%", "memory.peak > +500%", "memory.peak > 1GB"}) {
        const Outcome outcome = judged(sound, out, condition);
        EXPECT_EQ(outcome.status, 3) << condition;
        EXPECT_THAT(outcome.out, StartsWith("Gate: \"" + std::string(condition) +
                                            "\" trips: B ran out of memory in the forward pass of step 0"));
    }
    for (const std::string& b : {sound, out}) {
        const Outcome outcome = judged(out, b, "step.mean > +5%");
        EXPECT_EQ(outcome.status, 0) << "nothing to hold B against, and --undecided passes";
        EXPECT_THAT(outcome.out, HasSubstr("is undecided: A ran out of memory in the forward pass of step "));
    }
}

TEST_F(CliSavedRun, AGateThatIsNoneIsAMistakeOfTheCommandLine) {
    for (const std::string condition : {"step.mean", "speed > +5%", "step.mean > +5MiB"})
        expectOneSentence(runProgram({"compare", m_path, m_path, "--fail-if", condition}), 2,
                          "\"" + condition + "\"");
    EXPECT_EQ(
        runProgram({"compare", m_path, m_path, "--fail-if", "last_loss > 1", "--undecided", "maybe"}).status,
        2);
    EXPECT_EQ(runProgram({"compare", m_path, m_path, "--undecided", "fail"}).status, 2) << "of no condition";
    const Arguments repeated = {"compare", m_path, m_path, "--fail-if", "last_loss > 1", "--repeat", m_path};
    expectOneSentence(runProgram(with(repeated, {m_path, "--repeat", m_path})), 2,
                      "--repeat needs two values.");
    expectOneSentence(runProgram(with(repeated, {"no-such-file.wgrun"})), 1, "no-such-file.wgrun");
}

}  // namespace warpglass::test::saved_run_compare_test
