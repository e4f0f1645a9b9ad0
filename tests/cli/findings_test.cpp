// What `findings` and `stats gpu` print: the engine's findings with their evidence, and what they are drawn
// without, of runs that were recorded without something or have lost some of it.
#include "engine/query/findings/findings.h"

#include <gmock/gmock.h>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/findings/run_overview.h"
#include "tests/cli/saved_run_fixture.h"
#include "tests/support/sample_run.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::findings_test {

using testing::HasSubstr;
using testing::Not;

using CliFindings = CliRunFiles;

TEST_F(CliFindings, HaveTheEvidenceThatTheEngineGivesThem) {
    const std::shared_ptr<const Snapshot> run = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(run);
    const std::vector<Finding> findings = findIn(memory);
    const json rows = rowsPrinted({"findings", save(*run, "a.wgrun")}, "findings");
    ASSERT_EQ(rows.size(), findings.size());
    const auto cell = [](const std::string& text) { return text.empty() ? json() : json(text); };
    bool anyPhase = false;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Evidence& evidence = findings[i].evidence;
        EXPECT_EQ(rows[i]["sentence"], findings[i].sentence);
        EXPECT_EQ(rows[i]["names"], cell(evidence.names));
        EXPECT_EQ(rows[i]["phase"],
                  cell(evidence.phase ? std::string(phaseName(*evidence.phase)) : std::string()));
        EXPECT_EQ(rows[i]["counted_from_ns"], evidence.range ? json(evidence.range->begin.value) : json());
        anyPhase = anyPhase || evidence.phase;
    }
    EXPECT_TRUE(anyPhase) << "the optimizer's";
}

TEST_F(CliFindings, SayWhatARunWasRecordedWithout) {
    RunByHand run;
    run.config.recorded = Recorded::none();
    const std::string path = save(*run.snapshot(), "bare.wgrun");
    const std::string without = Completeness(*run.snapshot()).unrecordedSentence();
    ASSERT_FALSE(without.empty());
    const Outcome outcome = runSoundly({"findings", path});
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr(without));
    EXPECT_THAT(outcome.out, HasSubstr("Nothing stands out in what was recorded."));
    EXPECT_EQ(outcome.out.find(without), outcome.out.rfind(without)) << "once";
    EXPECT_TRUE(rowsPrinted({"findings", path}, "findings").empty());
    EXPECT_EQ(rowsPrinted({"findings", path}, "overview")[0]["without"], without);
    const std::string whole = save(*makeSyntheticRun(), "whole.wgrun");
    EXPECT_TRUE(rowsPrinted({"findings", whole}, "overview")[0]["without"].is_null());
}

TEST_F(CliFindings, OfASingleMeasuredStepACautionIsSaidWithTheFigures) {
    const std::string words = "Only one step was measured";
    for (const char* command : {"findings", "info"}) {
        SCOPED_TRACE(command);
        const std::string path = sampleRunPath("xl-bf16-step").string();
        const bool info = command == std::string("info");
        const std::string table = info ? "summary" : "overview", column = info ? "caution" : "cautions";
        const std::string said = runProgram({command, path}).out;
        EXPECT_THAT(said, HasSubstr(words));
        EXPECT_EQ(said.find(words), said.rfind(words)) << "once";
        EXPECT_THAT(rowsPrinted({command, path}, table)[0][column].get<std::string>(),
                    testing::StartsWith(words));
        const std::string several = sampleRunPath("small-bf16-flash").string();
        EXPECT_THAT(runProgram({command, several}).out, Not(HasSubstr("Caution")));
        EXPECT_TRUE(rowsPrinted({command, several}, table)[0][column].is_null());
    }
}

TEST_F(CliFindings, WhatIsAPartOfAnotherSaysSo) {
    bool any = false;
    for (const json& row :
         rowsPrinted({"findings", sampleRunPath("small-bf16-graph").string()}, "findings")) {
        const bool part = row["rule"] == "copies-and-casts" || row["rule"] == "optimizer";
        EXPECT_EQ(row["part_of"], part ? json("memory-bound") : json()) << row["rule"];
        any = any || part;
    }
    EXPECT_TRUE(any);
}

TEST_F(CliFindings, StateTheRateThatTheMfuIsAShareOf) {
    for (const char* name : {"xl-bf16-step", "small-no-warmup"}) {
        SCOPED_TRACE(name);
        const MemoryTimeline memory = timelineOf(openSampleRun(name));
        const auto& mfu = overviewOf(memory).summary.utilization;
        ASSERT_TRUE(mfu && mfu->ofMeasured());
        const std::string path = sampleRunPath(name).string();
        const json row = rowsPrinted({"findings", path}, "overview")[0];
        EXPECT_DOUBLE_EQ(row["model_flops_per_second"].get<double>(), mfu->flopsPerSecond);
        EXPECT_NEAR(row["model_flops_per_second"].get<double>() / row["mfu_ceiling_share"].get<double>(),
                    *mfu->ceilings.measured.flopsPerSecond, 1e-6 * *mfu->ceilings.measured.flopsPerSecond);
        const auto rate = Flops(static_cast<std::int64_t>(mfu->flopsPerSecond));
        EXPECT_THAT(runProgram({"findings", path}).out, HasSubstr(formatFlops(rate) + "/s"));
        EXPECT_THAT(runProgram({"findings", path}).out, Not(HasSubstr("Planned FLOPs per second")))
            << "one rate";
    }
}

TEST_F(CliFindings, SayWhatTheWindowSaysOfLossesAndOfWhatIsBetweenThePhases) {
    const std::string whole = save(*makeSyntheticRun(), "whole.wgrun");
    EXPECT_EQ(rowsPrinted({"findings", whole}, "overview")[0]["lost_records"], 0);
    const std::string text = runProgram({"findings", whole}).out;
    EXPECT_THAT(text, testing::AllOf(HasSubstr("Records lost"), HasSubstr("between phases")));
    EXPECT_EQ(rowsPrinted({"findings", whole}, "step-phases").back()["phase"], "rest")
        << "a name for scripts";
    const std::string lossy = save(*traceOf("lost kernel 3 ; lost op 4"), "lossy.wgrun");
    EXPECT_EQ(rowsPrinted({"findings", lossy}, "overview")[0]["lost_records"], 7);
}

TEST_F(CliFindings, GiveThePeakOfLostEventsAsTheLeast) {
    RunByHand run;
    run.fillStep();
    run.allocations = {{kMs, 2 * kMs, 4096, Category::kWeights, "lm_head"}};
    const auto rowOf = [](const std::string& path) { return rowsPrinted({"findings", path}, "overview")[0]; };
    const std::string whole = save(*run.snapshot(), "whole.wgrun");
    EXPECT_EQ(rowOf(whole)["peak_bytes"], 4096);
    EXPECT_TRUE(rowOf(whole)["peak_least_bytes"].is_null());
    EXPECT_THAT(runProgram({"findings", whole}).out, Not(HasSubstr("Peak memory, at least")));
    run.info.emplace_back("missing.any", "yes");
    run.info.emplace_back("missing.memory-events", "10 of 12");
    const std::string lost = save(*run.snapshot(), "lost.wgrun");
    EXPECT_TRUE(rowOf(lost)["peak_bytes"].is_null());
    EXPECT_TRUE(rowOf(lost)["lost_records"].is_null());
    EXPECT_EQ(rowOf(lost)["peak_least_bytes"], 4096);
    const std::string text = runProgram({"findings", lost}).out;
    EXPECT_THAT(text, HasSubstr("Peak memory, at least"));
    EXPECT_THAT(text, HasSubstr("Memory at the peak (records missing), by category"));
}

TEST_F(CliFindings, WhyAGpuWasIdleIsNotSaidWithoutTheCalls) {
    RunByHand run;
    run.kernels = {{20 * kMs, 60 * kMs}, {70 * kMs, 100 * kMs, 20 * kMs}};
    const auto usesIn = [](const std::string& path) {
        return columnOf(rowsPrinted({"stats", "gpu", path}, "gpu-time"), "use");
    };
    const std::string whole = save(*run.snapshot(), "whole.wgrun");
    EXPECT_THAT(usesIn(whole), testing::ElementsAre("busy", "idle, kernel gap", "idle, synchronization",
                                                    "idle, waiting for the host", "step"));
    EXPECT_THAT(runProgram({"stats", "gpu", whole}).err, Not(HasSubstr("not known")));
    run.info.emplace_back("missing.any", "yes");
    run.info.emplace_back("missing.calls", "3 of 9");
    const std::string lost = save(*run.snapshot(), "lost.wgrun");
    EXPECT_THAT(usesIn(lost), testing::ElementsAre("busy", "idle, unknown", "step"));
    const Outcome outcome = runSoundly({"stats", "gpu", lost});
    EXPECT_THAT(outcome.err, HasSubstr("3 of 9 CUDA calls are missing: why the GPU was idle is not known."));
    EXPECT_THAT(outcome.out, Not(HasSubstr("waiting for the host")));
}

}  // namespace warpglass::test::findings_test
