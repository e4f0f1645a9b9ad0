// An experiment's folder: what is written is read back, what is wrong with a file is said in one sentence.
#include "engine/experiments/experiment_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "engine/experiments/experiment_json.h"
#include "tests/support/files.h"
#include "tests/support/must.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::experiment_folder_test {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

ExperimentResult sample() {
    ExperimentResult result{
        .name = "memory",
        .title = "Memory over time",
        .lookFor = "Where memory peaks.",
        .answers = {"It peaks at 3 GiB.", "In backward."},
        .entries = {{"Backward pass", "3 GiB", "at the peak"}},
        .notes = {"One cell ran out of memory."},
        .tables = {
            {"Peaks",
             {{"Context", "context", Unit::kCount}, {"Peak", "peak_bytes", Unit::kBytes}, {"Mode", "mode"}},
             {{std::int64_t{128}, 1.5, std::string("step")}, {Cell(), std::int64_t{7}, Cell()}},
             "peaks"}}};
    Chart chart{
        .key = "peaks", .title = "Peak by context", .sentence = "It doubles.", .kind = ChartKind::kBars};
    chart.x = {"Context", Unit::kCount, true, {"128", "256"}};
    chart.y = {"Peak", Unit::kBytes};
    chart.series = {
        {"step",
         {{.x = 0, .y = 3e9, .deviation = 1e6, .source = 4}, {.x = 1, .state = PointState::kOutOfMemory}}},
        {"predicted", {{.x = 0, .y = 2.9e9}}, true, 0}};
    chart.series[0].choices = {"step", "bf16"};
    chart.notes = {"A note."};
    Chart bridge{.key = "bridge",
                 .title = "From one to the other",
                 .kind = ChartKind::kBridge,
                 .x = {"Added", Unit::kText, false, {"library", "+ norm"}},
                 .y = {"Step", Unit::kNanoseconds},
                 .series = {{"whole step", {{.x = 0, .y = 12e6}}},
                            {"gained", {{.x = 1, .y = 10e6, .deviation = 1e5, .from = 12e6}}}}};
    result.charts = {chart, bridge};
    result.runs = {{"128 · step", "runs/memory/0.wgrun"}};
    result.memorySnapshots = {{"128 · step", "runs/memory/0.pickle"}};
    result.information = {{"device.name", "NVIDIA H200"}};
    return result;
}

TEST(ExperimentFolder, WhatIsWrittenIsReadBack) {
    const TemporaryFolder folder;
    ASSERT_TRUE(writeExperiment(sample(), folder / "x"));
    for (const fs::path& path : {folder / "x", folder / "x/result.json"}) {
        const auto back = must(readExperiment(path));
        // Numbers that are none (NaN) differ from themselves; as text all of it is compared.
        EXPECT_EQ(toJson(back), toJson(sample()));
        ASSERT_EQ(back.entries.size(), 1u);
        EXPECT_EQ(back.entries[0].clause, "at the peak");
        EXPECT_EQ(back.charts[0].series[0].points[1].state, PointState::kOutOfMemory);
        EXPECT_EQ(back.charts[0].series[0].choices[1], "bf16");
        EXPECT_EQ(back.charts[0].series[1].choices[1], "");
        EXPECT_EQ(back.charts[1].series[1].points[0].from, 12e6);
        EXPECT_EQ(back.tables[0].rows[0][0], Cell(std::int64_t{128}));
        ASSERT_EQ(back.memorySnapshots.size(), 1u);
        EXPECT_EQ(back.memorySnapshots[0].file, "runs/memory/0.pickle");
    }
    EXPECT_THAT(contentOf(folder / "x/answer.md"), HasSubstr("- It peaks at 3 GiB."));
    EXPECT_THAT(contentOf(folder / "x/tables/peaks.csv"), HasSubstr("128,1.5,step"));
    EXPECT_THAT(contentOf(folder / "x/tables/peaks.tex"), HasSubstr("\\begin{tabular}"));
    EXPECT_THAT(contentOf(folder / "x/tables/peaks.md"), HasSubstr("| Context |"));
}

TEST(ExperimentFolder, WhatCannotBeWrittenIsNamed) {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "x";
    EXPECT_THAT(writeExperiment(sample(), folder / "file").message(), HasSubstr("file"));
}

TEST(ExperimentFolder, AWrongFileIsOneSentence) {
    const TemporaryFolder folder;
    EXPECT_THAT(readExperiment(folder / "none").message(), HasSubstr("none"));
    const auto said = [&](const std::string& text) {
        std::ofstream(folder / "result.json", std::ios::binary) << text;
        const auto result = readExperiment(folder / "result.json");
        return result ? std::string("opened") : result.message();
    };
    EXPECT_THAT(said("{"), HasSubstr("is no JSON"));
    EXPECT_THAT(said("[1]"), EndsWith(": it is not as this version writes it."));
    std::string newer = toJson(sample());
    newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
    EXPECT_THAT(said(newer), HasSubstr("newer Warpglass"));
    ExperimentResult outside = sample();
    outside.runs[0].file = "../../etc/passwd";
    EXPECT_THAT(said(toJson(outside)), HasSubstr("outside its folder"));
    outside = sample();
    outside.memorySnapshots[0].file = "/etc/passwd";
    EXPECT_THAT(said(toJson(outside)), HasSubstr("outside its folder"));
}

TEST(ExperimentFolder, OfAnEarlierVersionHasNoMemorySnapshots) {
    ExperimentResult without = sample();
    without.memorySnapshots.clear();
    std::string older = toJson(without);
    const std::string list = ",\n \"memory_snapshots\": []";
    ASSERT_THAT(older, HasSubstr(list));
    older.erase(older.find(list), list.size());
    EXPECT_EQ(toJson(must(experimentFromJson(older))), toJson(without));
}

TEST(ExperimentFolder, DamageAtAnyByteNeverCrashes) {
    const std::string whole = toJson(sample());
    std::mt19937_64 random(11);
    int opened = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text = whole;
        for (std::uint64_t n = random() % 3 + 1; n > 0; --n)
            text[random() % text.size()] = static_cast<char>(random() % 256);
        if (random() % 4 == 0)
            text.resize(random() % text.size());
        const auto result = experimentFromJson(text);
        opened += result ? 1 : 0;
        if (result) {
            for (const ReportTable& table : result->tables) {
                for (const auto& row : table.rows)
                    EXPECT_EQ(row.size(), table.columns.size());
            }
            (void)toJson(*result);
        }
    }
    EXPECT_GT(opened, 0);
    EXPECT_LT(opened, 3000);
}

}  // namespace warpglass::test::experiment_folder_test
