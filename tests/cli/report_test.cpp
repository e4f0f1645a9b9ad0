// `report`: its numbers against those of the other commands, its page read strictly, and what it says of
// inputs that it cannot tell of.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "engine/session/save_run.h"
#include "tests/cli/program.h"
#include "tests/support/html_page.h"
#include "tests/support/made_experiment.h"
#include "tests/support/made_sweep.h"
#include "tests/support/run_damage.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::report_test {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
namespace fs = std::filesystem;

std::string sample(const std::string& name) {
    return (fs::path(WARPGLASS_SAMPLE_RUNS) / name).string();
}

HtmlElement pageOf(const Arguments& inputs, const fs::path& file) {
    const Outcome outcome =
        runSoundly(with(with({"report"}, inputs), {"--without", "figures", "--output", file.string()}));
    EXPECT_EQ(outcome.out, "");
    return readHtml(contentOf(file));
}

/// Cells of a line without quotes in it.
std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

const HtmlElement* tableOf(const HtmlElement& page, const std::string& key) {
    for (const HtmlElement* table : page.all("table")) {
        if (table->attribute("data-table") == key)
            return table;
    }
    ADD_FAILURE() << "no table " << key;
    return nullptr;
}

/// Every number of the table's rows is the CSV's of the same row and column. How many were compared.
int compareWithCsv(const HtmlElement& page, const std::string& key, const std::string& csv) {
    const std::vector<std::string> lines = linesOf(csv);
    const HtmlElement* table = tableOf(page, key);
    if (!table || lines.size() < 2)
        return 0;
    const std::vector<std::string> keys = cellsOf(lines.front());
    std::vector<std::string> columns;
    for (const HtmlElement* head : table->all("th"))
        columns.push_back(head->attribute("data-key"));
    int compared = 0;
    std::size_t row = 0;
    for (const HtmlElement* line : table->all("tr")) {
        const auto cells = line->all("td");
        if (cells.empty())
            continue;
        const std::vector<std::string> expected = cellsOf(lines.at(++row));
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const auto data = cells[c]->all("data");
            const auto at = std::ranges::find(keys, columns.at(c));
            if (data.empty() || at == keys.end())
                continue;
            EXPECT_EQ(data.front()->attribute("value"),
                      expected.at(static_cast<std::size_t>(at - keys.begin())))
                << key << ", row " << row << ", " << columns[c];
            ++compared;
        }
    }
    return compared;
}

struct CliReport : testing::Test {
    /// A report on these inputs, with these options, into the file of that name.
    Outcome report(const Arguments& words, const std::string& output = "r.html") const {
        return runProgram(with(with({"report"}, words), {"--output", (folder / output).string()}));
    }

    const TemporaryFolder folder;
    const fs::path file = folder / "r.html";
    const std::string run = sample("small-bf16-naive.wgrun");
};

TEST_F(CliReport, ItsNumbersAreThoseOfTheCsv) {
    const HtmlElement page = pageOf({run}, file);
    for (const char* key : {"kernels", "ops", "layers", "attention"}) {
        const std::string csv = runProgram({"stats", key, run, "--format", "csv"}).out;
        EXPECT_GT(compareWithCsv(page, key, csv), 20) << key;
    }
    const Outcome info = runProgram({"info", run, "--format", "csv"});
    // Several tables, each with its name before its cells: that of the peak alone.
    std::string peak;
    for (const std::string& line : linesOf(info.out)) {
        if (line.starts_with("peak,") || line.starts_with("table,category"))
            peak += line.substr(line.find(',') + 1) + "\n";
    }
    EXPECT_GT(compareWithCsv(page, "peak", peak), 10);
}

TEST_F(CliReport, TheFiguresOfARunAreThoseOfInfo) {
    const HtmlElement page = pageOf({run}, file);
    const std::vector<std::string> info = linesOf(runProgram({"info", run, "--format", "csv"}).out);
    const std::vector<std::string> keys = cellsOf(info.at(0)), values = cellsOf(info.at(1));
    const HtmlElement* table = tableOf(page, "summary");
    ASSERT_TRUE(table);
    int compared = 0;
    for (const HtmlElement* cell : table->all("td")) {
        const auto data = cell->all("data");
        const auto at = std::ranges::find(keys, cell->attribute("data-key"));
        if (data.empty() || at == keys.end())
            continue;
        EXPECT_EQ(data.front()->attribute("value"), values.at(static_cast<std::size_t>(at - keys.begin())));
        ++compared;
    }
    EXPECT_GT(compared, 20);
}

/// Every id once, every link within the page to one, no script, and nothing that a browser would fetch.
void expectSelfContained(const HtmlElement& page) {
    std::set<std::string> ids;
    for (const HtmlElement* element : page.all()) {
        if (element->has("id")) {
            EXPECT_TRUE(ids.insert(element->attribute("id")).second) << element->attribute("id");
        }
    }
    for (const HtmlElement* element : page.all()) {
        EXPECT_NE(element->name, "script");
        EXPECT_NE(element->name, "link");
        EXPECT_FALSE(element->has("src"));
        for (const auto& [key, value] : element->attributes)
            EXPECT_THAT(key, Not(StartsWith("on")));
        if (element->name == "a") {
            ASSERT_THAT(element->attribute("href"), StartsWith("#"));
            EXPECT_TRUE(ids.contains(element->attribute("href").substr(1))) << element->attribute("href");
        }
        if (element->has("aria-labelledby")) {
            EXPECT_TRUE(ids.contains(element->attribute("aria-labelledby")));
        }
    }
    for (const HtmlElement* style : page.all("style")) {
        EXPECT_THAT(style->text, AllOf(Not(HasSubstr("url(")), Not(HasSubstr("@import"))));
    }
}

TEST_F(CliReport, APageOfEveryKindOfInputStandsByItself) {
    ASSERT_TRUE(writeSweep(madeSweep(), folder / "made.wgsweep"));
    ASSERT_TRUE(writeMadeExperiment(folder / "experiment"));
    const HtmlElement page = pageOf({run, sample("large-fp32-out-of-memory.wgrun"),
                                     (folder / "made.wgsweep").string(), (folder / "experiment").string()},
                                    folder / "r.html");
    expectSelfContained(page);
    const std::string text = page.text;
    EXPECT_THAT(text, AllOf(HasSubstr("2 runs, 1 sweep, 1 experiment"), HasSubstr("At a glance"),
                            HasSubstr("warpglass-cli sweep "), HasSubstr("warpglass-cli run ")));
    // Exactly two runs are compared unasked.
    EXPECT_THAT(text, HasSubstr("Comparison of small-bf16-naive and large-fp32-out-of-memory"));
    // What was run and on what comes before what came of it.
    EXPECT_LT(text.find("Configuration and environment"), text.find("Answers"));
}

TEST_F(CliReport, NamesFromFilesAreNoMarkup) {
    const auto run = traceOf(R"(
        info config.warmup 0 state finished
        step 0 0-1000
          forward 0-900
            op "<img src=x onerror=alert(1)>&'" 10-400
    )");
    ASSERT_TRUE(saveRun(*run, folder / "<b>&.wgrun"));
    const HtmlElement page = pageOf({(folder / "<b>&.wgrun").string()}, folder / "r.html");
    expectSelfContained(page);
    EXPECT_TRUE(page.all("b").empty());
    EXPECT_TRUE(page.all("img").empty());
    EXPECT_THAT(page.text, HasSubstr("<img src=x onerror=alert(1)>"));
    EXPECT_EQ(page.all("h1").front()->text, "<b>&");
}

TEST_F(CliReport, PartsAreLeftOut) {
    ASSERT_EQ(report({run, "--only", "answers,commands"}).status, 0);
    const HtmlElement page = readHtml(contentOf(file));
    std::vector<std::string> titles;
    for (const HtmlElement* title : page.all("h2"))
        titles.push_back(title->text);
    EXPECT_EQ(titles, (std::vector<std::string>{"Answers", "How to repeat it", "This report"}));
    EXPECT_TRUE(page.all("table").empty());
}

TEST_F(CliReport, MarkdownHasTheSameNumbers) {
    ASSERT_EQ(report({run, "--without", "figures"}, "r.md").status, 0);
    const std::string text = contentOf(folder / "r.md");
    const HtmlElement page = pageOf({run}, file);
    for (const HtmlElement* data : tableOf(page, "peak")->all("data"))
        EXPECT_THAT(text, HasSubstr("| " + data->text + " |"));
    EXPECT_THAT(text, HasSubstr("```sh\nwarpglass-cli run --workload transformer --model small"));
}

TEST_F(CliReport, InputsOfOneNameAreToldApart) {
    for (const char* side : {"before", "after"}) {
        fs::create_directories(folder / side);
        fs::copy_file(run, folder / side / "run.wgrun");
    }
    const HtmlElement page = pageOf(
        {(folder / "before/run.wgrun").string(), (folder / "after/run.wgrun").string()}, folder / "r.html");
    EXPECT_THAT(page.text, HasSubstr("Comparison of before/run and after/run"));
}

TEST_F(CliReport, AnInputGivenTwiceIsInItOnce) {
    const Outcome outcome = report({run, run, "--only", "answers"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr(run + " was given twice: the report has it once.\n"));
    EXPECT_EQ(readHtml(contentOf(file)).all("h1").front()->text, "small-bf16-naive");
}

TEST_F(CliReport, TwoPathsOfOneInputAreNamedBoth) {
    const std::string link = (folder / "link.wgrun").string();
    fs::create_symlink(run, link);
    ASSERT_TRUE(writeMadeExperiment(folder / "x"));
    const std::string experiment = (folder / "x").string(), result = (folder / "x/result.json").string();
    const Outcome outcome = report({run, link, experiment, result, "--only", "answers"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr(run + " and " + link + " are the same file: the report has it once."));
    EXPECT_THAT(outcome.err, HasSubstr(experiment + " and " + result +
                                       " are the same experiment: the report has it once."));
}

TEST_F(CliReport, WhatCannotBeReadIsSaidAndTheRestIsWritten) {
    const Outcome outcome = report({run, "/no/such.wgrun", "--only", "answers"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("/no/such.wgrun"));
    EXPECT_THAT(readHtml(contentOf(file)).text, HasSubstr("/no/such.wgrun"));
}

TEST_F(CliReport, OneSentenceForWhatCannotBe) {
    const auto expectRefused = [this](const Arguments& words, int status, const std::string& sentence,
                                      const std::string& output = "r.html") {
        expectOneSentence(report(words, output), status, sentence);
        EXPECT_FALSE(fs::is_regular_file(folder / output)) << output;
    };
    const std::string sweep = sample("small-and-medium.wgsweep"), plain = (folder / "plain").string();
    expectRefused({"/no/such.wgrun"}, 1, "/no/such.wgrun");
    expectRefused({run}, 1, "r.html: there is no folder " + (folder / "no").string() + ".", "no/r.html");
    expectRefused({run}, 2, "does not end in .html, .md or .pdf.", "r.docx");
    expectRefused({run}, 2, "has nothing before its ending.", ".html");
    expectOneSentence(runProgram({"report", run, "--output", ""}), 2, "A report needs the name of a file");
    expectRefused({""}, 1, "cannot open a file without a name.");
    fs::create_directories(folder / "folder.html");
    fs::create_directories(plain);
    for (const char* output : {"folder.html", "folder.html/", "plain", "plain/"})
        expectRefused({run}, 1, "it is a folder. Name a file in it, such as ", output);
    expectRefused({run}, 1, "there is no folder", "none/");
    expectRefused({plain}, 1,
                  "plain is a folder, but not an experiment's: there is no result.json in it. To report on "
                  "the runs in it, name their files.");
    expectRefused({run, "--only", "answer"}, 2,
                  "A report has no part \"answer\": choose configuration, answers, tables, figures, "
                  "comparison or commands. Did you mean answers?");
    expectRefused({run, "--without", "configuration,answers,tables,figures,comparison,commands"}, 2,
                  "The report would have no parts");
    const Arguments compared = {run, "--without", "figures", "--compare-a", "small-bf16-naive"};
    expectRefused(with(compared, {sweep, "--compare-b", "small-and-medium"}), 2,
                  "small-and-medium is no run: only runs are compared.");
    expectRefused(with(compared, {"--compare-b", "small-bf16-flash"}), 2,
                  "small-bf16-flash is not among the report's inputs.");
    expectRefused({run, "--only", "comparison"}, 2, "There is nothing to compare: give two runs");
    expectRefused(Arguments(500, run), 2, "A report takes up to 100 inputs, and 500 were given");
}

/// Whatever is wrong with the file: a page that a strict reader takes, or one sentence.
void expectReportOrSentence(const fs::path& run, const std::string& damage, bool loses,
                            const fs::path& file) {
    SCOPED_TRACE(damage);
    fs::remove(file);
    const Outcome outcome =
        runProgram({"report", run.string(), "--without", "figures", "--output", file.string()});
    ASSERT_LT(outcome.status, 2) << outcome.err;
    if (outcome.status == 1) {
        EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
        EXPECT_FALSE(fs::exists(file));
        return;
    }
    try {
        const HtmlElement page = readHtml(contentOf(file));
        expectSelfContained(page);
        const auto paragraphs = page.all("p");
        EXPECT_TRUE(!loses || std::ranges::any_of(paragraphs, [](const HtmlElement* paragraph) {
            return paragraph->attribute("class") == "caution";
        }));
    } catch (const std::runtime_error& error) {
        ADD_FAILURE() << error.what();
    }
}

TEST_F(CliReport, ADamagedRunIsToldOfAsFarAsItGoes) {
    const fs::path sound = folder / "sound.wgrun", path = folder / "damaged.wgrun";
    ASSERT_TRUE(saveRun(*makeSyntheticRun({.allocatorEvents = 40}), sound));
    std::vector<RunDamage> all = cuts();
    for (const std::vector<RunDamage>& more :
         {lostChunks(), lostTables(), scrambledChunks(1), hostileValues(200)})
        all.insert(all.end(), more.begin(), more.end());
    for (const RunDamage& damage : all) {
        fs::copy_file(sound, path, fs::copy_options::overwrite_existing);
        damage.apply(path);
        expectReportOrSentence(path, damage.name, damage.loses, file);
    }
}

TEST_F(CliReport, OfADamagedRunSaysSoAsOtherCommandsDo) {
    const std::string damaged = (folder / "damaged.wgrun").string();
    ASSERT_TRUE(saveRun(*makeSyntheticRun({}), damaged));
    alterRun(damaged,
             "UPDATE chunks SET data=zeroblob(9) WHERE kind=0 AND lane=(SELECT max(lane) FROM chunks)");
    const Outcome outcome = report({damaged, "--without", "figures"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(damaged + ": Damaged, and so lost: "),
                                   HasSubstr(damaged + ": The report does not include what is lost.\n"),
                                   EndsWith("The report is in " + file.string() + ".\n")));
}

TEST_F(CliReport, FiguresThatCannotBeWrittenFailIt) {
    const fs::path figures = folder / "r-figures";
    writeContent(figures, "no folder");
    const auto expectRefused = [&](const std::string& why) {
        const Outcome outcome = report({run}, "r.md");
        EXPECT_EQ(outcome.status, 1);
        EXPECT_EQ(outcome.err,
                  "warpglass-cli: Cannot write the figures into " + figures.string() + ": " + why + "\n");
        EXPECT_FALSE(fs::exists(folder / "r.md"));
    };
    expectRefused("it is not a folder.");
    fs::remove(figures);
    fs::create_directories(figures / "figure-timeline.svg");
    expectRefused("figure-timeline.svg in it is a folder.");
    // Without figures nothing of it is asked for.
    EXPECT_EQ(report({run, "--without", "figures"}, "r.md").status, 0);
}

TEST_F(CliReport, ARunAtTheUtmostIsAPage) {
    ASSERT_TRUE(saveRun(*makeExtremeRun(), folder / "extreme.wgrun"));
    expectReportOrSentence(folder / "extreme.wgrun", "extreme", false, file);
}

TEST_F(CliReport, AllExperimentsEndInOneReport) {
    fs::create_directories(folder / "all");
    fs::copy(sample("attention"), folder / "all/attention", fs::copy_options::recursive);
    const Outcome outcome =
        runProgram({"experiment", "all", "--evaluate", "--output", (folder / "all").string()});
    // Those that were never run have nothing to evaluate: each says so, and the report is of the others.
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("The report is in " + (folder / "all/report.html").string() + "."));
    const HtmlElement page = readHtml(contentOf(folder / "all/report.html"));
    expectSelfContained(page);
    EXPECT_EQ(page.all("h1").front()->text, "All experiments");
    EXPECT_THAT(page.text, HasSubstr("warpglass-cli experiment attention --device cuda:0"));
    EXPECT_GT(
        compareWithCsv(page, "attention-bf16", contentOf(folder / "all/attention/tables/attention-bf16.csv")),
        20);
}

TEST_F(CliReport, WithoutTheWindowsProgramItHasNoFiguresAndSaysWhy) {
    fs::create_directories(folder / "bin");
    const fs::path built = WARPGLASS_CLI;
    fs::copy_file(built, folder / "bin/warpglass-cli");
    fs::create_directory_symlink(built.parent_path().parent_path() / "lib", folder / "lib");
    const fs::path errors = folder / "errors";
    const std::string command = (folder / "bin/warpglass-cli").string() + " report " + run + " --output " +
                                file.string() + " 2> " + errors.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << contentOf(errors);
    EXPECT_THAT(
        contentOf(errors),
        HasSubstr("The report has no figures: the window's program, warpglass, is not beside this one."));
    EXPECT_TRUE(readHtml(contentOf(file)).all("figure").empty());
}

}  // namespace warpglass::test::report_test
