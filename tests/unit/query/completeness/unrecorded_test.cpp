// What is said of a run that was recorded without something, and what is said where nothing was found in it.
#include "engine/query/completeness/unrecorded.h"

#include <gtest/gtest.h>

#include "engine/query/findings/run_overview.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test {
namespace {

/// A run with steps and nothing else in them, that says it was recorded with `features`.
RunByHand recordedWith(std::string_view features, const char* device = "cuda:0") {
    RunByHand run;
    run.config.recorded = *parseRecorded(features);
    run.config.device = device;
    return run;
}

std::string sentenceOf(const RunByHand& run) {
    return unrecordedSentence(*run.snapshot());
}

TEST(Unrecorded, OfAGpuIsWhatItsTimeAndItsMemoryAreToldBy) {
    EXPECT_EQ(
        sentenceOf(recordedWith("none")),
        "The run was recorded without kernels and memory: figures and findings say nothing of the GPU's "
        "busy and idle time and of what fills memory.");
    EXPECT_EQ(sentenceOf(recordedWith("memory")),
              "The run was recorded without kernels: figures and findings say nothing of the GPU's busy and "
              "idle time.");
    EXPECT_EQ(
        sentenceOf(recordedWith("ops,memory,kernels")),
        "The run was recorded without CUDA calls: figures and findings say nothing of the GPU's busy and "
        "idle time.");
    EXPECT_EQ(sentenceOf(recordedWith("kernels,calls")),
              "The run was recorded without ops and memory: figures and findings say nothing of the ops that "
              "the GPU's time goes to and of what fills memory.");
    EXPECT_EQ(sentenceOf(recordedWith("ops,memory,kernels,calls")), "") << "waits are seen by the calls";
    EXPECT_EQ(sentenceOf(recordedWith("all")), "") << "it may go on";
}

TEST(Unrecorded, OfTheCpuAreOpsAndMemory) {
    EXPECT_EQ(sentenceOf(recordedWith("memory", "cpu")),
              "The run was recorded without ops: figures and findings say nothing of what a step's time goes "
              "to.");
    EXPECT_EQ(sentenceOf(recordedWith("ops,memory", "cpu")), "");
    EXPECT_EQ(
        sentenceOf(recordedWith("none", "cpu")),
        "The run was recorded without ops and memory: figures and findings say nothing of what a step's "
        "time goes to and of what fills memory.");
}

TEST(Unrecorded, IsWhatIsNotThere) {
    RunByHand run = recordedWith("all");
    run.info.emplace_back("capture.problem", "another tool holds CUPTI");
    EXPECT_EQ(sentenceOf(run).substr(0, 40), "The run was recorded without kernels: fi");
    // Of an earlier version that had no word for calls.
    run = recordedWith("ops,memory,kernels");
    run.fillStep();
    EXPECT_EQ(sentenceOf(run), "");
    // It said that it would record them, and ended without.
    run = recordedWith("all");
    run.info.emplace_back("steps.completed", "3");
    EXPECT_EQ(sentenceOf(run), sentenceOf(recordedWith("none")));
    run.state = "recording";
    EXPECT_EQ(sentenceOf(run), "");
    // What the file has lost is said elsewhere.
    run.state = "finished";
    run.info.emplace_back("missing.any", "yes");
    EXPECT_EQ(sentenceOf(run), "");
    EXPECT_EQ(unrecordedSentence(*traceOf()), "") << "a run that states nothing";
}

TEST(Unrecorded, WhyThereIsNoWorkIsSaidOfOpsAndKernels) {
    const auto ops = [](const RunByHand& run) { return unrecordedOps(*run.timeline().snapshot()); };
    const auto work = [](const RunByHand& run) { return unrecordedWork(*run.timeline().snapshot()); };
    const std::string without = "The run was recorded without ops";
    EXPECT_EQ(ops(recordedWith("memory", "cpu")), without);
    EXPECT_EQ(work(recordedWith("memory", "cpu")), without);
    EXPECT_EQ(ops(recordedWith("ops,memory", "cpu")), "");
    EXPECT_EQ(work(recordedWith("ops,memory", "cpu")), "");
    EXPECT_EQ(ops(recordedWith("memory,kernels,calls")), without);
    EXPECT_EQ(work(recordedWith("memory,kernels,calls")), "") << "a GPU's kernels are its work";
    EXPECT_EQ(work(recordedWith("memory")), "The run was recorded without kernels and ops");
    EXPECT_EQ(work(recordedWith("ops")), "") << "the CPU's ops stand for it";
    RunByHand whole;
    whole.fillStep();
    EXPECT_EQ(ops(whole), "");
    EXPECT_EQ(work(whole), "");
}

TEST(Unrecorded, ThatNothingStandsOutIsSaidOfWhatWasRecorded) {
    const auto overview = [](const RunByHand& run) { return overviewOf(run.timeline()); };
    RunByHand whole;
    whole.fillStep();
    EXPECT_TRUE(overview(whole).findings.empty());
    EXPECT_EQ(drawnWithout(overview(whole)), "");
    EXPECT_EQ(nothingFound(overview(whole)), "Nothing stands out.");

    const RunByHand bare = recordedWith("none");
    EXPECT_TRUE(overview(bare).findings.empty());
    EXPECT_EQ(drawnWithout(overview(bare)), sentenceOf(bare));
    EXPECT_EQ(nothingFound(overview(bare)), "Nothing stands out in what was recorded.");

    RunByHand lost = recordedWith("none");
    lost.info = {{"missing.any", "yes"}, {"missing.ops", "5 of 12"}};
    EXPECT_EQ(drawnWithout(overview(lost)),
              "Part of the run is missing: 5 of 12 ops. Figures and findings are of what is there. " +
                  sentenceOf(bare));
    EXPECT_EQ(nothingFound(overview(lost)), "Nothing stands out in what is there.");

    RunByHand unmeasured = whole;
    unmeasured.stepLengths.clear();
    EXPECT_EQ(nothingFound(overview(unmeasured)),
              "Nothing stands out: no step was completed, and nothing of memory is known.");
    unmeasured.allocations = {{kMs, 2 * kMs, 4096, Category::kWeights, "lm_head"}};
    EXPECT_TRUE(overview(unmeasured).findings.empty());
    EXPECT_EQ(nothingFound(overview(unmeasured)),
              "Nothing stands out in memory; no step was completed to say more of.");
}

}  // namespace
}  // namespace warpglass::test
