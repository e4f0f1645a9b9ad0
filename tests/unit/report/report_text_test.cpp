// What a report says: of what a run lacks in place of tables of remains, of settings, commands and sweeps.
#include <gmock/gmock.h>

#include <filesystem>
#include <set>
#include <string>

#include "engine/report/markdown_report.h"
#include "engine/report/report.h"
#include "engine/report/report_input.h"
#include "engine/report/report_request.h"
#include "engine/session/save_run.h"
#include "tests/support/made_sweep.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::report_text_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

ReportDocument documentOf(const std::vector<fs::path>& paths) {
    const Result<ReportInputs> inputs = openReportInputs(paths);
    EXPECT_TRUE(inputs) << inputs.message();
    return *makeReport(*inputs, {});
}

std::string textOf(const std::vector<fs::path>& paths) {
    return reportMarkdown(documentOf(paths), "figures");
}

std::vector<std::string> viewsOf(const ReportDocument& document) {
    std::vector<std::string> views;
    for (const ReportFigure* figure : figuresOf(document)) {
        if (const auto* view = std::get_if<ReportRunView>(&figure->of))
            views.push_back(view->view);
    }
    return views;
}

/// A copy of a sample in which some chunks cannot be read. `which`: a condition of SQL.
fs::path damagedSample(const TemporaryFolder& folder, const std::string& which) {
    const fs::path path = folder / "damaged.wgrun";
    fs::copy_file(sampleRunPath("small-bf16-naive"), path, fs::copy_options::overwrite_existing);
    alterRun(path, "UPDATE chunks SET data=zeroblob(9) WHERE " + which);
    return path;
}

/// Lanes of tracks of that kind.
std::string lanesOf(TrackKind kind) {
    const auto run = openSampleRun("small-bf16-naive");
    std::string lanes;
    for (std::size_t i = 0; i < run->laneCount(); ++i) {
        if (run->track(run->lane(LaneId(i)).track()).kind == kind)
            lanes += (lanes.empty() ? "" : ",") + std::to_string(i);
    }
    return "kind=0 AND lane IN (" + lanes + ")";
}

TEST(ReportText, NoTableIsMadeOfWhatIsLeftOfTheKernels) {
    const TemporaryFolder folder;
    const fs::path path = damagedSample(folder, lanesOf(TrackKind::kGpuStream));
    const std::string text = textOf({path});
    for (const char* table : {"**Kernels", "**Layers", "**Parts of attention", "**GPU time", "| Kernels | 0",
                              "| Kernels | 1", "| Spans |"})
        EXPECT_THAT(text, Not(HasSubstr(table))) << table;
    EXPECT_THAT(text,
                HasSubstr("## Not in this report\n\n- GPU time, kernels, layers, parts of attention, flame "
                          "chart of time and roofline: all 5,396 kernels are missing from the file.\n"));
    // What is whole stays.
    EXPECT_THAT(text, AllOf(HasSubstr("**Ops of the measured steps"), HasSubstr("**Memory**")));
    EXPECT_EQ(viewsOf(documentOf({path})),
              (std::vector<std::string>{"timeline", "memory", "flame-memory", "phase-dots"}));
}

TEST(ReportText, NoTableIsMadeOfWhatIsLeftOfOpsOrMemory) {
    const TemporaryFolder folder;
    const std::string ops = textOf({damagedSample(folder, lanesOf(TrackKind::kCpuThread))});
    EXPECT_THAT(ops, AllOf(Not(HasSubstr("**Ops of")), HasSubstr("- Ops: all "),
                           HasSubstr("**Kernels of the measured steps")));
    const std::string memory = textOf({damagedSample(folder, "kind IN (1, 2)")});
    EXPECT_THAT(memory, AllOf(Not(HasSubstr("**Memory**")), HasSubstr("- Memory: all ")));
}

TEST(ReportText, SaysWhatARunOutOfMemoryHasNot) {
    const std::string text = textOf({sampleRunPath("large-fp32-out-of-memory")});
    EXPECT_THAT(
        text, HasSubstr("- Conditions of the run, phases on the GPU, GPU time, parts of attention, roofline "
                        "and phases of every step: no step was completed (memory ran out in step 0).\n"));
    EXPECT_THAT(text, HasSubstr("| Measured | 1 step |"));
}

TEST(ReportText, SaysWhatARunOnTheCpuHasNot) {
    const TemporaryFolder folder;
    ASSERT_TRUE(saveRun(*makeSyntheticRun({}), folder / "cpu.wgrun"));
    const std::string text = textOf({folder / "cpu.wgrun"});
    EXPECT_THAT(
        text, HasSubstr("Phases on the GPU, GPU time and kernels: the run was recorded on the CPU: it has no "
                        "records of a GPU.\n"));
    EXPECT_THAT(text, HasSubstr("- Conditions of the run: neither the host's load nor the GPU's clocks were "
                                "recorded.\n"));
    EXPECT_THAT(text, Not(HasSubstr("inside kernels:"))) << "no one looks for them";
}

TEST(ReportText, ARunThatHasAllSaysNothingOfIt) {
    EXPECT_THAT(textOf({sampleRunPath("small-bf16-naive")}), Not(HasSubstr("Not in this report")));
    EXPECT_THAT(textOf({sampleRunPath("attention-clocks")}), Not(HasSubstr("Not in this report")));
}

TEST(ReportText, PartsAreThoseOfOnlyLessThoseOfWithout) {
    EXPECT_EQ(*chosenParts("", ""), ReportParts::all());
    EXPECT_EQ(*chosenParts("answers,tables", "tables"), *reportPartsOf("answers"));
    EXPECT_THAT(chosenParts("answers", "answers").message(), HasSubstr("would have no parts"));
    EXPECT_THAT(chosenParts("answer", "").message(), HasSubstr("choose configuration, "));
    EXPECT_THAT(chosenParts("", "answer").message(), HasSubstr("Did you mean answers?"));
}

TEST(ReportText, SymbolsKeepTheirCase) {
    const std::string text = textOf({sampleRunPath("small-bf16-naive")});
    EXPECT_THAT(
        text, AllOf(HasSubstr("| d_model | 768 |"), HasSubstr("| d_ff | 3,072 |"), HasSubstr("| Batch | ")));
}

TEST(ReportText, ADifferenceOfSharesIsInPoints) {
    const std::string text = textOf({sampleRunPath("small-bf16-naive"), sampleRunPath("small-bf16-flash")});
    EXPECT_THAT(text, HasSubstr("| measured ceiling | 5.9% | 7.1% | +1.2 points | 1.21× |"));
    EXPECT_THAT(text, HasSubstr("| Attention | naive | sdpa-flash |"));
}

TEST(ReportText, ASweepsAnswersNameTheSettingsOfTheirRuns) {
    const std::string text = textOf({fs::path(WARPGLASS_SAMPLE_RUNS) / "small-and-medium.wgsweep"});
    EXPECT_THAT(text,
                HasSubstr("\n  - Step time by context length and model (fp32, naive, forward) · batch 4 · "
                          "warm-up 3 · 10 steps.\n"));
    EXPECT_THAT(text, HasSubstr("| Context | 128, 256, 512 |"));
}

TEST(ReportText, ASweepsCellsFitAPageAndTheirReasonsStandBeneath) {
    const std::string text = textOf({fs::path(WARPGLASS_SAMPLE_RUNS) / "small-and-medium.wgsweep"});
    EXPECT_THAT(text, HasSubstr("| Model | Context | Precision | Attention | Mode | State | Step, mean | "
                                "Tokens per second | Peak memory |\n"));
    const std::string reason =
        "- 12 cells (fp32 · flash) were not run: On a GPU the attention variant \"flash\" computes in 16 "
        "bits only";
    const std::size_t table = text.find("**Cells**"), told = text.find(reason);
    ASSERT_NE(told, std::string::npos) << text;
    EXPECT_LT(table, told);
    EXPECT_EQ(text.find("\"flash\" computes", told + reason.size()), std::string::npos) << "it is said once";
}

TEST(ReportText, ASweepsTableHasThePhasesWhereThereIsRoom) {
    const TemporaryFolder folder;
    MadeSweep how{.axes = {{"attention", {"naive"}},
                           {"context", {"128", "256", "4096"}},
                           {"precision", {"fp32", "bf16"}}}};
    Sweep sweep = madeSweep(how);
    sweep.cells.front().state = CellState::kFailed;
    sweep.cells.front().message = "The disk is full.";
    ASSERT_TRUE(writeSweep(sweep, folder / "made.wgsweep"));
    const std::string text = textOf({folder / "made.wgsweep"});
    EXPECT_THAT(text, HasSubstr("| Context | Precision | State | Step, mean | Forward, mean | "));
    EXPECT_THAT(text, Not(HasSubstr("Message |")));
    EXPECT_THAT(text, AllOf(HasSubstr("- 1 cell (128 · fp32) failed: The disk is full.\n"),
                            HasSubstr("- 1 cell (4096 · fp32) ran out of memory: ")));
}

TEST(ReportText, AnExperimentsTablesHaveTheNameFirst) {
    ExperimentResult result;
    result.tables.push_back({"Top kernels, mode step",
                             {{"Time %", "time_share", Unit::kFraction},
                              {"Instances", "instances", Unit::kCount},
                              {"Name", "name"}},
                             {{0.5, std::int64_t{8}, "gemm"}, {0.25, std::int64_t{2}, "softmax"}},
                             "top-step"});
    ReportInputs inputs;
    inputs.inputs.push_back({"kernels", "kernels", ReportExperiment{result}});
    EXPECT_THAT(reportMarkdown(*makeReport(inputs, {}), "figures"),
                HasSubstr("| Name | Time % | Instances |\n| --- | ---: | ---: |\n| gemm | 50% | 8 |\n"
                          "| softmax | 25% | 2 |\n"));
}

TEST(ReportText, FiguresOfACpuRunPromiseNeitherStreamsNorRoofs) {
    const auto seenIn = [](const fs::path& path) {
        std::string seen;
        const ReportDocument document = documentOf({path});
        for (const ReportFigure* figure : figuresOf(document))
            seen += figure->alternative + "\n";
        return seen;
    };
    const TemporaryFolder folder;
    ASSERT_TRUE(saveRun(*makeSyntheticRun({}), folder / "cpu.wgrun"));
    EXPECT_THAT(seenIn(folder / "cpu.wgrun"),
                AllOf(HasSubstr("modules and threads over"),
                      HasSubstr("by intensity and rate; the device's roofs are not known.")));
    EXPECT_THAT(seenIn(sampleRunPath("small-bf16-naive")),
                AllOf(HasSubstr("threads and streams over"), HasSubstr("under the device's roofs.")));
}

// What inputs of one name are called.

std::vector<std::string> namesOf(const std::vector<std::string>& paths) {
    std::vector<ReportInput> inputs;
    for (const std::string& path : paths)
        inputs.push_back({path, {}, ReportSweep{}});
    nameApart(inputs);
    std::vector<std::string> names;
    for (const ReportInput& input : inputs)
        names.push_back(input.name);
    return names;
}

TEST(ReportInput, IsCalledByAsMuchOfItsPathAsTellsItApart) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(namesOf({"a/run.wgrun", "other.wgsweep"}), (Names{"run", "other"}));
    EXPECT_EQ(namesOf({"a/run.wgrun", "b/run.wgrun", "c/other.wgrun"}), (Names{"a/run", "b/run", "other"}));
    EXPECT_EQ(namesOf({"x/a/run.wgrun", "y/a/run.wgrun"}), (Names{"x/a/run", "y/a/run"}));
    EXPECT_EQ(namesOf({"attention/", "b/attention"}), (Names{"attention", "b/attention"}));
    // A folder keeps its full stop, a file of another kind its ending.
    EXPECT_EQ(namesOf({"v1.2/", "run.txt"}), (Names{"v1.2", "run.txt"}));
}

TEST(ReportInput, NoTwoHaveOneName) {
    for (const std::vector<std::string>& paths :
         {std::vector<std::string>{"run.wgrun", "run.wgrun", "run.wgrun"},
          {"", "", "/"},
          {"a/b", "b", "b"}}) {
        const std::vector<std::string> names = namesOf(paths);
        EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    }
}

}  // namespace warpglass::test::report_text_test
