#include "engine/lessons/lesson_figures.h"

#include <gmock/gmock.h>

#include <set>

#include "engine/base/format.h"
#include "engine/query/findings/run_overview.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/spans/op_family.h"
#include "engine/sweep/measures.h"
#include "tests/support/sample_run.h"

namespace warpglass::test::lesson_figures_test {

const LessonFigures kA = {{"step_mean_ns", 46'400'000}, {"step_min_ns", 35'100'000}, {"peak_bytes", 4096}};
const LessonFigures kB = {{"step_mean_ns", 23'200'000}};

std::string filled(std::string_view text) {
    return withFigures(text, [](const std::string& run) -> const LessonFigures* {
        return run.empty() ? &kA : run == "b" ? &kB : nullptr;
    });
}

TEST(LessonFigures, StandInTheTextAsPeopleReadThem) {
    EXPECT_EQ(filled("A step took {step_mean_ns}, {b: step_mean_ns} there."),
              "A step took " + formatMeanDuration(46.4e6) + ", " + formatMeanDuration(23.2e6) + " there.");
    EXPECT_EQ(filled("{step_mean_ns / b: step_mean_ns}"), "2");
    EXPECT_EQ(filled("{b: step_mean_ns % step_mean_ns}"), formatPercent(0.5));
    EXPECT_EQ(filled("{step_mean_ns - step_min_ns}"), formatMeanDuration(11.3e6));
    EXPECT_EQ(filled("{peak_bytes}"), formatBytes(Bytes(4096)));
    EXPECT_EQ(filled("nothing"), "nothing");
    EXPECT_EQ(filled("{step_mean_ns / b: step_mean_ns}. So\n{step_mean_ns / b: step_mean_ns}) and"),
              "2\\. So\n2\\) and")
        << "no item of a list";
    EXPECT_EQ(filled("It is {step_mean_ns / b: step_mean_ns}."), "It is 2.");
}

TEST(LessonFigures, SayWhatIsNotKnown) {
    EXPECT_EQ(filled("{c: step_mean_ns}"), "…");
    EXPECT_EQ(filled("{b: peak_bytes} {b: peak_bytes / peak_bytes}"), "– –");
}

TEST(LessonFigures, NameTheirRuns) {
    EXPECT_THAT(runsOfFigures("{a: step_mean_ns / b: step_mean_ns} {step_mean_ns} {b: peak_bytes}"),
                ::testing::ElementsAre("a", "b"));
}

TEST(LessonFigures, KeysAreKnownOnceAndNoMeasures) {
    std::set<std::string> keys;
    for (const LessonKey& key : lessonKeys()) {
        EXPECT_TRUE(keys.insert(key.key).second) << key.key;
        EXPECT_EQ(findMeasure(key.key), nullptr) << key.key;
        EXPECT_EQ(figuresProblem("{" + key.key + "}", {}), "") << key.key;
    }
}

/// What the summary's cards say of the same run.
TEST(LessonFigures, AreThoseOfTheSummary) {
    const auto run = openSampleRun("small-bf16-naive");
    const LessonFigures figures = lessonFigures(run);
    MemoryTimeline memory;
    memory.update(run);
    const RunOverview overview = overviewOf(memory);
    ASSERT_TRUE(overview.summary.stepMean && overview.summary.peak);
    EXPECT_DOUBLE_EQ(figures.at("step_mean_ns"), *overview.summary.stepMean);
    const auto steps = static_cast<double>(overview.gpu.steps);
    EXPECT_DOUBLE_EQ(figures.at("gpu_busy_ns"), static_cast<double>(overview.gpu.busy.value) / steps);
    EXPECT_DOUBLE_EQ(
        figures.at("gpu_late_ns"),
        static_cast<double>(overview.gpu.idle[static_cast<std::size_t>(IdleCause::kHostLate)].value) / steps);
    double sum = 0;
    for (const std::string_view category : kCategoryNames) {
        std::string key = "peak_" + std::string(category) + "_bytes";
        std::ranges::replace(key, ' ', '_');
        sum += figures.at(key);
    }
    EXPECT_DOUBLE_EQ(sum, static_cast<double>(sumOf(overview.summary.peak->bytes)));
    double kernels = 0;
    for (const std::string_view family : kOpFamilyNames)
        kernels += figures.at("gpu_" + std::string(family) + "_ns");
    EXPECT_GT(kernels, 0);
    EXPECT_LE(kernels, figures.at("gpu_busy_ns") * 1.0001) << "one stream: kernels do not overlap";
    EXPECT_EQ(figures.at("parameters"), 128'625'408) << "small, as the documentation has it";
    EXPECT_EQ(figures.at("layers"), 12);
    EXPECT_EQ(figures.at("heads"), 12);
    EXPECT_EQ(figures.at("context"), 512);
    EXPECT_EQ(figures.at("score_matrix_bytes"), 4.0 * 12 * 512 * 512 * 4);
    EXPECT_GT(figures.at("attention_forward_softmax_ns"), 0);
    EXPECT_GT(figures.at("attention_forward_scores_flops"), figures.at("attention_forward_softmax_flops"));
    for (const auto& [key, value] : figures)
        EXPECT_EQ(figuresProblem("{" + key + "}", {}), "") << key;
}

}  // namespace warpglass::test::lesson_figures_test
