// What reads run files: info, stats; and files that are none. The oracle is the engine's own queries over the
// same snapshot, so what is checked here is that the words reach them and that every figure reaches the page.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/query/statistics/statistics.h"
#include "tests/cli/saved_run_fixture.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::saved_run_test {

using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

SpanFilter measured() {
    return {.measuredOnly = true};
}

TEST_F(CliSavedRun, OpsAreThoseOfTheMeasuredSteps) {
    const json table = parsed({"stats", "ops", m_path});
    EXPECT_EQ(table["table"], "ops");
    ASSERT_FALSE(table["rows"].empty());
    expectRows(table["rows"], opStatistics(*m_run, measured()));
    expectRows(parsed({"stats", "ops", m_path, "--all"})["rows"], opStatistics(*m_run, {}));
    EXPECT_NE(opStatistics(*m_run, measured()).size() + opStatistics(*m_run, measured())[0].instances,
              opStatistics(*m_run, {}).size() + opStatistics(*m_run, {})[0].instances);
}

TEST_F(CliSavedRun, ARangeFilters) {
    SpanFilter filter = measured();
    filter.ranges = rangesMatching(*m_run, "forward");
    ASSERT_FALSE(filter.ranges.empty());
    const json rows = parsed({"stats", "ops", m_path, "--range", "forward"})["rows"];
    expectRows(rows, opStatistics(*m_run, filter));
    EXPECT_LT(rows.size(), opStatistics(*m_run, measured()).size());

    filter.ranges = rangesMatching(*m_run, "blocks.*.attn");
    ASSERT_FALSE(filter.ranges.empty());
    expectRows(parsed({"stats", "ranges", m_path, "--range", "blocks.*.attn"})["rows"],
               rangeStatistics(*m_run, filter));
}

TEST_F(CliSavedRun, PhasesSayByWhoseClockTheyAreAndGiveTheGpusBesideTheHosts) {
    const std::string gpu = sampleRunPath("small-bf16-flash").string();
    for (const Arguments& command : {Arguments{"phases", gpu}, Arguments{"phases", gpu, "--range", "step 2"},
                                     Arguments{"ranges", gpu}, Arguments{"steps", gpu}})
        EXPECT_THAT(linesOf(runProgram(with({"stats"}, command)).out).front(),
                    HasSubstr("by the host's clock"));
    EXPECT_THAT(runProgram({"stats", "phases", gpu}).out, HasSubstr("\nPhases on the GPU, by CUDA events\n"));
    EXPECT_EQ(printedJson({"stats", "phases", gpu})["table"], "phases") << "scripts find what they did";
    // The CPU has but one clock.
    EXPECT_THAT(printed({"stats", "phases", m_path}), testing::Not(HasSubstr("clock")));
}

TEST_F(CliSavedRun, WhatWasRecordedWithoutOpsSaysSo) {
    const auto run = traceOf("info config.device cpu config.record memory state finished ; end 1");
    const std::string path = save(*run, "no-ops.wgrun");
    for (const char* table : {"ops", "layers", "attention"})
        EXPECT_THAT(runProgram({"stats", table, path}).err, HasSubstr("The run was recorded without ops."))
            << table;
}

/// Autocast's linear calls itself in bf16.
constexpr const char* kTypedRun = R"(
    info config.warmup 1 config.device cpu state finished steps.completed 3
    step 0 0-100 | in phase forward | op aten::mul 10-30 types "fp32[2] → fp32[2]"
    step 1 100-200 | forward 100-200
      op aten::linear 110-150 types "fp32[4,8], fp32[2,8] → bf16[4,2]"
        op aten::linear 120-145 types "bf16[4,8], bf16[2,8] → bf16[4,2]"
      op aten::linear 160-190 types "bf16[4,8], bf16[2,8] → bf16[4,2]"
    step 2 200-300 | in phase forward | op aten::empty 210-220 types " → fp32[4,8]"; op aten::mul 230-240
    end 300
)";

TEST_F(CliSavedRun, OpsByTypesAndShapesAreThoseOfTheMeasuredSteps) {
    const std::string path = save(*traceOf(kTypedRun), "typed.wgrun");
    const auto figures = [](const json& rows) {
        std::vector<std::string> lines;
        for (const json& row : rows)
            lines.push_back(row["name"].get<std::string>() + " " + row["types"].dump() + " " +
                            row["self_ns"].dump() + " " + row["total_ns"].dump() + " " +
                            row["instances"].dump() + " " + row["instances_per_step"].dump());
        return lines;
    };
    const json table = parsed({"stats", "types", path});
    EXPECT_EQ(table["table"], "types");
    const std::string inBf16 = R"(aten::linear "bf16[4,8], bf16[2,8] → bf16[4,2]" 55 55 2 1)";
    EXPECT_THAT(
        figures(table["rows"]),
        testing::ElementsAre(inBf16, R"(aten::linear "fp32[4,8], fp32[2,8] → bf16[4,2]" 15 40 1 0.5)",
                             R"(aten::empty "→ fp32[4,8]" 10 10 1 0.5)", "aten::mul null 10 10 1 0.5"));
    EXPECT_DOUBLE_EQ(table["rows"][0]["self_share"].get<double>(), 55.0 / 90);
    EXPECT_DOUBLE_EQ(table["rows"][1]["time_share"].get<double>(), 40.0 / 90);
    EXPECT_THAT(figures(parsed({"stats", "types", path, "--all"})["rows"]),
                testing::Contains(R"(aten::mul "fp32[2] → fp32[2]" 20 20 1 null)"));
    EXPECT_THAT(figures(parsed({"stats", "types", path, "--limit", "1"})["rows"]),
                testing::ElementsAre(inBf16));
    EXPECT_EQ(parsed({"stats", "types", path, "--range", "forward"})["rows"].size(), 2u);
    const std::vector<std::string> lines = linesOf(printed({"stats", "types", path}));
    EXPECT_EQ(lines.front(), "Ops by types and shapes of the measured steps, totals of 2 steps");
    EXPECT_THAT(lines, testing::Contains(EndsWith("Name          Types and shapes")));
    EXPECT_THAT(lines, testing::Contains(EndsWith("aten::linear  bf16[4,8], bf16[2,8] → bf16[4,2]")));
}

TEST_F(CliSavedRun, WhatWasRecordedWithoutTypesSaysSoAndHowToRecordThem) {
    for (const std::string& path : {m_path, sampleRunPath("small-bf16-naive").string()})
        expectOneSentence(runProgram({"stats", "types", path}), 1,
                          ": The run was recorded without the types and shapes of ops; --record all,shapes "
                          "records them.\n");
}

TEST_F(CliSavedRun, RangesAndPhases) {
    expectRows(parsed({"stats", "ranges", m_path})["rows"], rangeStatistics(*m_run, measured()));
    // What happens once, outside the steps, comes last and has no share of them.
    const auto isOutside = [](const std::string& name) { return name == "setup" || name == "teardown"; };
    json phases = parsed({"stats", "phases", m_path})["rows"];
    while (!phases.empty() && isOutside(phases.back()["name"])) {
        EXPECT_TRUE(phases.back()["time_share"].is_null());
        phases.erase(phases.size() - 1);
    }
    std::vector<StatisticsRow> ofSteps = phaseStatistics(*m_run);
    std::erase_if(ofSteps, [&](const StatisticsRow& row) { return isOutside(row.name); });
    expectRows(phases, ofSteps);

    const json all = parsed({"stats", "phases", m_path, "--all"})["rows"];
    std::vector<std::string> names;
    for (const json& row : all)
        names.push_back(row["name"]);
    EXPECT_THAT(names, testing::IsSupersetOf({"setup", "forward", "loss", "backward", "optimizer", "step"}));
    const auto step = std::ranges::find(names, "step");
    ASSERT_NE(step, names.end());
    EXPECT_TRUE(std::all_of(step + 1, names.end(), isOutside));
    EXPECT_EQ(all[static_cast<std::size_t>(step - names.begin())]["instances"],
              syntheticConfig().warmup + syntheticConfig().steps);
}

TEST_F(CliSavedRun, RangesOfOneKindAreNotMixedWithOthers) {
    std::size_t all = 0;
    for (const std::string_view kind : kRangeKindNames) {
        const json rows = parsed({"stats", "ranges", m_path, "--kind", std::string(kind)})["rows"];
        EXPECT_FALSE(rows.empty()) << kind;
        EXPECT_THAT(columnOf(rows, "kind"), testing::Each(std::string(kind)));
        all += rows.size();
    }
    EXPECT_EQ(parsed({"stats", "ranges", m_path})["rows"].size(), all);
    EXPECT_EQ(runProgram({"stats", "ranges", m_path, "--kind", "sideways"}).status, 2);
}

TEST_F(CliSavedRun, WhatIsOnlyInWarmUpIsShownAndSaid) {
    const Outcome outcome = runProgram({"stats", "ops", m_path, "--range", "step 0", "--format", "csv"});
    ASSERT_GT(syntheticConfig().warmup, 0);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr("The measured steps contain none of this"));
    EXPECT_GT(linesOf(outcome.out).size(), 1u);
}

TEST_F(CliSavedRun, TheHeadingSaysWhatIsCovered) {
    EXPECT_THAT(printed({"stats", "ops", m_path}),
                StartsWith("Ops of the measured steps, totals of 3 steps\n"));
    EXPECT_THAT(printed({"stats", "ops", m_path, "--all"}), StartsWith("Ops of the whole run, totals\n"));
    EXPECT_THAT(printed({"stats", "ops", m_path, "--range", "forward"}),
                StartsWith("Ops of the measured steps, totals of 3 steps, in forward\n"));
}

TEST_F(CliSavedRun, OfARunWithoutACompleteStepLayersAndAttentionAreOfTheOneThatItEndedIn) {
    const auto run = traceOf(R"(
        info state failed steps.completed 0
        step 0 0-900 | in phase forward module blocks.0.attn | op aten::mul 100-400
        end 1000
    )");
    const std::string failed = save(*run, "failed.wgrun");
    const std::string where = ", by CPU time, of step 0 until the run failed: no step was completed\n";
    EXPECT_THAT(printed({"stats", "layers", failed}), StartsWith("Layers" + where));
    EXPECT_THAT(printed({"stats", "attention", failed}), StartsWith("Parts of attention" + where));
    EXPECT_EQ(parsed({"stats", "layers", failed})["rows"].at(0)["forward_ns"], 300);
    EXPECT_EQ(parsed({"stats", "attention", failed})["rows"].at(0)["time_ns"], 300);
}

TEST_F(CliSavedRun, OfARangeFlopsAreThoseOfWhatRanInIt) {
    const auto steps = static_cast<std::int64_t>(syntheticConfig().warmup + syntheticConfig().steps);
    const json one = parsed({"stats", "layers", m_path, "--range", "step 1"})["rows"];
    const json every = parsed({"stats", "layers", m_path, "--range", "step *"})["rows"];
    int blocks = 0;
    for (const json& row : every) {
        if (!row["layer"].get<std::string>().starts_with("blocks."))
            continue;
        ++blocks;
        const auto of =
            std::ranges::find_if(one, [&](const json& other) { return other["layer"] == row["layer"]; });
        ASSERT_NE(of, one.end()) << row;
        for (const char* flops : {"forward_flops", "backward_flops"})
            EXPECT_EQ(row[flops], steps * (*of)[flops].get<std::int64_t>()) << row;
    }
    EXPECT_GT(blocks, 0);
    const json parts = parsed({"stats", "attention", m_path, "--range", "step 1"})["rows"];
    for (const json& part : parts)
        EXPECT_EQ(part["flops_per_second"].is_null(), part["flops"].is_null()) << part;
}

TEST_F(CliSavedRun, ARangeThatMatchesNothingFails) {
    for (const char* what :
         {"ops", "ranges", "phases", "layers", "attention", "memory", "allocations", "segments"})
        expectOneSentence(runProgram({"stats", what, m_path, "--range", "sideways"}), 1,
                          "No range of " + m_path + " matches \"sideways\"");
    EXPECT_THAT(runProgram({"stats", "ops", m_path, "--range", "forwrd"}).err,
                EndsWith("lists their names. Did you mean forward?\n"));
}

TEST_F(CliSavedRun, LimitKeepsTheFirstRows) {
    const std::vector<std::string> all = linesOf(printed({"stats", "ops", m_path, "--format", "csv"}));
    const std::vector<std::string> three =
        linesOf(printed({"stats", "ops", m_path, "--format", "csv", "--limit", "3"}));
    ASSERT_GT(all.size(), 4u);
    EXPECT_EQ(three, std::vector<std::string>(all.begin(), all.begin() + 4));
}

TEST_F(CliSavedRun, InfoStatesTheRun) {
    const json tables = parsed({"info", m_path, "--check"});
    const json summary = rowsOf(tables, "summary")[0];
    EXPECT_EQ(summary["state"], "finished");
    EXPECT_EQ(summary["warmup_steps"], syntheticConfig().warmup);
    EXPECT_EQ(summary["measured_steps"], syntheticConfig().steps);
    EXPECT_EQ(summary["spans"], m_run->spanCount());
    EXPECT_EQ(summary["memory_events"], m_run->memoryEventCount());
    EXPECT_EQ(rowsOf(tables, "counters").size(), m_run->counterSampleCount());
    EXPECT_TRUE(rowsOf(tables, "warnings").empty());
    std::vector<json> keys, values;
    for (const auto& [key, value] : m_run->info().pairs()) {
        keys.emplace_back(key);
        values.emplace_back(value);
    }
    EXPECT_EQ(columnOf(rowsOf(tables, "information"), "key"), keys);
    EXPECT_EQ(columnOf(rowsOf(tables, "information"), "value"), values);
    EXPECT_THAT(printed({"info", m_path}), HasSubstr("Synthetic CPU"));
}

TEST_F(CliSavedRun, EveryTableTakesEveryFormat) {
    const std::string onGpu = save(*makeSyntheticRun({.allocatorEvents = 100}), "gpu.wgrun");
    const std::string typed = save(*traceOf(kTypedRun), "typed.wgrun");
    for (const std::string& what : words("ops ranges phases layers attention steps memory allocations"))
        expectEveryFormat({"stats", what, m_path});
    for (const std::string& command :
         {"stats kernels " + onGpu, "stats copies " + onGpu, "stats segments --blocks " + onGpu,
          "stats types " + typed, "info " + m_path, "findings " + m_path, "compare " + m_path + " " + m_path,
          std::string("devices"), std::string("estimate --details")})
        expectEveryFormat(words(command));
}

TEST_F(CliSavedRun, FilesThatAreNoRunsFailInOneSentence) {
    const std::string empty = (m_folder / "empty.wgrun").string();
    std::ofstream(empty).close();
    const std::string foreign = (m_folder / "foreign.wgrun").string();
    std::ofstream(foreign) << "a text that is long enough to be taken for a file header, and is none\n";
    for (const std::string& path :
         {(m_folder / "missing.wgrun").string(), empty, foreign, m_folder.path().string()}) {
        for (const std::string& command :
             {std::string("info"), std::string("findings"), std::string("stats ops"),
              std::string("stats memory"), "compare " + m_path})
            expectOneSentence(runProgram(with(words(command), {path})), 1,
                              std::filesystem::path(path).filename().string());
    }
}

TEST_F(CliSavedRun, ARunThatWasCutOffOpensAndSaysSo) {
    const std::string path = save(*makeSyntheticRun({.state = "recording"}), "cut.wgrun");
    const json tables = printedJson({"info", path});
    EXPECT_EQ(rowsOf(tables, "summary")[0]["state"], "cut off");
    EXPECT_GT(rowsOf(tables, "summary")[0]["step_mean_ns"].get<double>(), 0) << "of the measured steps";
    EXPECT_THAT(runProgram({"info", path}).out, HasSubstr("cut off at "));
    EXPECT_FALSE(rowsOf(tables, "warnings").empty());
    // The statistics work, and say on standard error what is missing.
    const Outcome stats = runSoundly({"stats", "ops", path});
    EXPECT_THAT(stats.err, HasSubstr("cut.wgrun"));
}

TEST_F(CliSavedRun, OfARunThatWasCutOffBeforeItsFirstMeasuredStepNoStepTimeIsStated) {
    SyntheticOptions options{.state = "recording"};
    options.config.warmup = 2;
    options.config.steps = 1;
    const std::string path = save(*makeSyntheticRun(options), "cut.wgrun");
    const json summary = rowsPrinted({"info", path}, "summary")[0];
    EXPECT_EQ(summary["state"], "cut off");
    EXPECT_EQ(summary["warmup_steps"], 2);
    EXPECT_EQ(summary["measured_steps"], 0);
    for (const char* key : {"step_mean_ns", "step_stddev_ns", "tokens_per_second"})
        EXPECT_TRUE(summary[key].is_null()) << key << ": " << summary[key];
    EXPECT_THAT(runProgram({"findings", path}).out, HasSubstr("No measured step was completed"));
    const std::string all = runProgram({"compare", path, m_path}).out;
    const std::string compared = all.substr(0, all.find("Settings that differ"));
    EXPECT_LT(compared.size(), all.size());
    for (const char* words : {"Time per step:", "× faster", "× slower"})
        EXPECT_THAT(compared, Not(HasSubstr(words))) << "no step of it counts";
}

TEST_F(CliSavedRun, ADamagedFileIsCaughtByCheck) {
    std::string bytes = contentOf(m_path);
    // The chunks come after the tables, whose pages may also be empty.
    for (std::size_t i = bytes.size() * 6 / 10; i < bytes.size() * 9 / 10; ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    const std::string path = (m_folder / "damaged.wgrun").string();
    std::ofstream(path, std::ios::binary) << bytes;
    const Outcome outcome = runProgram({"info", path, "--check"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("damaged.wgrun"));
    // Figures that lack what is lost say so.
    EXPECT_THAT(runProgram({"stats", "ops", path}).err, AnyOf(HasSubstr("lost"), HasSubstr("missing")));
}

// A hundred times the tokens in the same time, and no totals that say what there should be.
TEST(CliDamagedRun, SaysWhichOfItsFiguresCannotBe) {
    const std::string path = (std::filesystem::path(testing::TempDir()) / "cli_implausible.wgrun").string();
    std::filesystem::copy_file(sampleRunPath("small-bf16-flash"), path,
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    alterRun(path, "UPDATE info SET value='400' WHERE key='config.batch'; DROP TABLE totals");
    const Outcome info = runProgram({"info", path});
    EXPECT_THAT(info.out, HasSubstr("Implausible: "));
    EXPECT_THAT(info.out, HasSubstr("\"MFU of the data sheet\" of summary, where 100% is all there can be."));
    EXPECT_EQ(runProgram({"info", path, "--check"}).status, 1);
    // A run that is whole is not doubted.
    EXPECT_THAT(runProgram({"info", sampleRunPath("small-bf16-flash").string()}).out,
                Not(HasSubstr("Implausible")));
}

}  // namespace warpglass::test::saved_run_test
