// What needs no run: the words, the help, the exit statuses, the estimate.
#include <gmock/gmock.h>

#include <iterator>
#include <sstream>
#include "tests/cli/program.h"

namespace warpglass::test::usage_test {

using testing::HasSubstr;
using testing::StartsWith;

void expectWrongCommandLine(const Arguments& arguments, const std::string& because) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    expectOneSentence(runProgram(arguments), 2, because);
}

TEST(CliUsage, WrongCommandLinesReturnTwo) {
    expectWrongCommandLine({}, "subcommand is required");
    expectWrongCommandLine({"frobnicate"}, "\"frobnicate\" is not a command.");
    expectWrongCommandLine({"devices", "--frobnicate"}, "--frobnicate");
    expectWrongCommandLine({"devices", "extra"}, "extra");
    expectWrongCommandLine({"info"}, "FILE is required");
    expectWrongCommandLine({"findings"}, "FILE is required");
    expectWrongCommandLine({"findings", "a.wgrun", "--limit", "-1"}, "--limit");
    expectWrongCommandLine({"stats"}, "subcommand is required");
    expectWrongCommandLine({"stats", "frobnicate", "a.wgrun"}, "frobnicate");
    expectWrongCommandLine({"compare", "a.wgrun"}, "B is required");
    expectWrongCommandLine({"devices", "--format", "xml"}, "There is no format \"xml\"");
    expectWrongCommandLine({"stats", "ops", "a.wgrun", "--limit", "-3"}, "--limit");
    expectWrongCommandLine({"stats", "memory", "a.wgrun", "--at", "soon"}, "\"soon\" is not a time");
    expectWrongCommandLine({"stats", "memory", "a.wgrun", "--at", "-1ms"}, "\"-1ms\" is not a time");
}

TEST(CliUsage, ATypingSlipIsAnsweredWithWhatWasProbablyMeant) {
    expectWrongCommandLine({"inof", "a.wgrun"}, "\"inof\" is not a command. Did you mean info?");
    expectWrongCommandLine({"stats", "kernls", "a.wgrun"}, "Did you mean kernels?");
    expectWrongCommandLine({"rum", "--model", "tiny"}, "\"rum\" is not a command. Did you mean run?");
    expectWrongCommandLine({"run", "--contxt", "128"},
                           "There is no option --contxt. Did you mean --context?");
    expectWrongCommandLine({"run", "--contxt=128"}, "There is no option --contxt. Did you mean --context?");
    expectWrongCommandLine({"stats", "ops", "a.wgrun", "--rnage", "forward"}, "Did you mean --range?");
    expectWrongCommandLine({"stats", "--rnage", "forward", "ops", "a.wgrun"}, "There is no option --rnage.");
    expectWrongCommandLine({"--verison"}, "Did you mean --version?");
    expectWrongCommandLine({"info", "a.wgrun", "--format", "cvs"}, "Did you mean csv?");
    expectWrongCommandLine({"run", "--precision", "bf61"}, "Did you mean bf16?");
    expectWrongCommandLine({"run", "--model", "smal"}, "Did you mean small?");
    expectWrongCommandLine({"run", "--record", "ops,memry"}, "Did you mean memory?");
    expectWrongCommandLine({"stats", "ranges", "a.wgrun", "--kind", "modle"}, "Did you mean module?");
    EXPECT_THAT(runProgram({"frobnicate"}).err, testing::Not(HasSubstr("Did you mean")));
}

/// An option that takes a number, of a command with what else the command needs.
struct NumericOption {
    Arguments command;
    std::string option;
    std::string allowed;
};

std::vector<NumericOption> numericOptions() {
    const std::string natural = "a whole number of at least 0", positive = "a whole number of at least 1";
    std::vector<NumericOption> options = {
        {{"run"}, "--warmup", natural},
        {{"run"}, "--steps", natural},
        {{"run"}, "--seed", natural},
        {{"run"}, "--memory-limit", "a size such as 16GiB"},
        {{"findings", "a.wgrun"}, "--limit", natural},
        {{"compare", "a.wgrun", "b.wgrun"}, "--limit", natural},
        {{"compare", "a.wgrun", "b.wgrun"}, "--step", natural},
        {{"compare", "a.wgrun", "b.wgrun", "--step", "1"}, "--step-b", natural},
    };
    for (const char* command : {"estimate", "run"}) {
        for (const char* option :
             {"--d-model", "--d-ff", "--layers", "--heads", "--vocab", "--context", "--batch"})
            options.push_back({{command}, option, positive});
    }
    for (const char* table : {"ops", "types", "kernels", "copies", "ranges", "phases", "gpu", "layers",
                              "attention", "steps", "memory", "allocations", "segments"})
        options.push_back({{"stats", table, "a.wgrun"}, "--limit", natural});
    return options;
}

TEST(CliUsage, WhatIsNoNumberIsAnsweredWithTheOptionTheValueAndWhatIsAllowed) {
    for (const NumericOption& numeric : numericOptions()) {
        for (const std::string value : {"abc", "1.5x", "0x10", "1e3", "", "99999999999999999999999"}) {
            SCOPED_TRACE(numeric.option + " " + value);
            const bool tooLarge = value.size() > 20 && numeric.option != "--memory-limit";
            const std::string allowed =
                tooLarge ? numeric.allowed.substr(0, std::string("a whole number").size()) : numeric.allowed;
            const Outcome outcome = runProgram(with(numeric.command, {numeric.option, value}));
            expectOneSentence(outcome, 2, ", not \"" + value + "\".");
            EXPECT_THAT(outcome.err, StartsWith("warpglass-cli: " + numeric.option + " takes " + allowed));
        }
    }
}

TEST(CliUsage, ANegativeNumberIsAnsweredWithTheOptionTheValueAndWhatIsAllowed) {
    for (const NumericOption& numeric : numericOptions()) {
        SCOPED_TRACE(testing::PrintToString(numeric.command));
        const Outcome outcome = runProgram(with(numeric.command, {numeric.option, "-7"}));
        expectOneSentence(outcome, 2, "-7");
        EXPECT_THAT(outcome.err, StartsWith("warpglass-cli: " + numeric.option));
        EXPECT_THAT(outcome.err, testing::ContainsRegex("at least [01]|0 for no limit"));
        EXPECT_LT(outcome.err.size(), 160u) << outcome.err;
    }
}

TEST(CliUsage, AnOptionWithoutItsValueOrWithTwoIsAnsweredInWords) {
    for (const NumericOption& numeric : numericOptions()) {
        const Arguments without = with(numeric.command, {numeric.option});
        expectWrongCommandLine(without, numeric.option + " needs a value.");
        expectWrongCommandLine(with(without, {"1", numeric.option, "2"}),
                               numeric.option + " takes one value, and was given more.");
    }
}

TEST(CliUsage, SizesHaveBinaryUnits) {
    // On the CPU every limit is refused for itself: the size has been read.
    for (const char* size : {"16GiB", "16gb", "16 G", "4096", "4096b", "7EiB", "1m"})
        expectWrongCommandLine({"run", "--memory-limit", size}, "The memory limit needs a GPU");
    for (const char* size : {"8EiB", "16GiBs", "GiB", "16 iB", "1.5GiB", "16GG"})
        expectWrongCommandLine({"run", "--memory-limit", size}, "--memory-limit takes a size such as 16GiB");
}

TEST(CliUsage, AllAndNoneStandAlone) {
    expectWrongCommandLine({"run", "--record", "none,ops"}, "\"none\" stands alone");
    expectWrongCommandLine({"run", "--record", "ops, all"}, "\"all\" stands alone");
}

TEST(CliUsage, WrongRunsReturnTwoAndSayWhy) {
    for (const char* command : {"estimate", "run"}) {
        expectWrongCommandLine({command, "--model", "huge"}, "There is no model \"huge\"");
        expectWrongCommandLine({command, "--precision", "fp8"}, "There is no precision \"fp8\"");
        expectWrongCommandLine({command, "--attention", "cubic"}, "There is no attention variant \"cubic\"");
        expectWrongCommandLine({command, "--mode", "sideways"}, "There is no mode \"sideways\"");
        expectWrongCommandLine({command, "--context", "many"}, "--context");
        expectWrongCommandLine({command, "--context", "0"}, "context length");
        expectWrongCommandLine({command, "--batch", "-1"}, "batch size");
        expectWrongCommandLine({command, "--heads", "7"}, "cannot be divided into 7 heads");
        expectWrongCommandLine({command, "--device", "toaster"}, "\"toaster\"");
        expectWrongCommandLine({command, "--model", "custom", "--d-model", "64"}, "needs its sizes");
    }
    expectWrongCommandLine({"run", "--steps", "-1"}, "measured steps");
    expectWrongCommandLine({"run", "--seed", "minus"}, "--seed");
}

TEST(CliUsage, EveryProblemOfTheSizesIsSaid) {
    const Outcome outcome = runProgram({"estimate", "--layers", "0", "--vocab", "-5", "--batch", "0"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    const std::vector<std::string> lines = linesOf(outcome.err);
    ASSERT_EQ(lines.size(), 3u) << outcome.err;
    EXPECT_THAT(lines[0], HasSubstr("layers"));
    EXPECT_THAT(lines[1], HasSubstr("vocabulary"));
    EXPECT_THAT(lines[2], HasSubstr("batch"));
}

TEST(CliUsage, EveryCommandHasHelpWithExamples) {
    for (const std::string words : {"",
                                    " devices",
                                    " estimate",
                                    " run",
                                    " info",
                                    " findings",
                                    " stats",
                                    " stats ops",
                                    " stats types",
                                    " stats ranges",
                                    " stats phases",
                                    " stats layers",
                                    " stats attention",
                                    " stats steps",
                                    " stats memory",
                                    " stats allocations",
                                    " stats segments",
                                    " compare",
                                    " sweep",
                                    " sweep-info"}) {
        std::istringstream split(words + " --help");
        const Outcome outcome = runProgram(
            Arguments(std::istream_iterator<std::string>(split), std::istream_iterator<std::string>()));
        EXPECT_EQ(outcome.status, 0) << words;
        EXPECT_EQ(outcome.err, "") << words;
        EXPECT_THAT(outcome.out, HasSubstr("Examples:\n  warpglass-cli" + words)) << words;
    }
}

TEST(CliUsage, HelpNamesTheWordsThatScriptsRelyOn) {
    const std::string help = runProgram({"run", "--help"}).out;
    for (const char* word : {"--model", "--d-model", "--d-ff", "--layers", "--heads", "--vocab", "--context",
                             "--batch", "--precision", "--attention", "--mode", "--device", "--warmup",
                             "--steps", "--seed", "--output", "--format"})
        EXPECT_THAT(help, HasSubstr(word));
    EXPECT_THAT(help, HasSubstr("fp32, tf32, bf16, fp16"));
    EXPECT_THAT(help, HasSubstr("naive, sdpa-math, sdpa-efficient, sdpa-flash, sdpa-cudnn, flash"));
    EXPECT_THAT(help, HasSubstr("forward, forward-backward, step"));
    EXPECT_THAT(help, HasSubstr("tiny, small, medium, large, xl, 2.7B, 10B"));
}

TEST(CliUsage, VersionIsPrinted) {
    const Outcome outcome = runProgram({"--version"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, testing::MatchesRegex("warpglass-cli [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(CliUsage, DevicesListsTheCpu) {
    const Outcome outcome = runProgram({"devices", "--format", "json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json table = json::parse(outcome.out);
    EXPECT_EQ(table["table"], "devices");
    ASSERT_GE(table["rows"].size(), 1u);
    EXPECT_EQ(table["rows"][0]["device"], "cpu");
    EXPECT_GT(table["rows"][0]["memory_bytes"].get<std::int64_t>(), 0);
    EXPECT_GT(table["rows"][0]["threads"].get<std::int64_t>(), 0);
}

TEST(CliEstimate, CountsThePresets) {
    const std::vector<std::pair<std::string, std::int64_t>> presets = {
        {"small", 128'625'408}, {"medium", 423'183'360}, {"large", 969'411'840}};
    for (const auto& [model, parameters] : presets) {
        const json row = rowsPrinted({"estimate", "--model", model, "--context", "512", "--batch", "4",
                                      "--precision", "fp32", "--attention", "naive", "--mode", "step"},
                                     "model")[0];
        EXPECT_EQ(row["parameters"], parameters);
        EXPECT_EQ(row["tokens"], 2048);
    }
}

TEST(CliEstimate, PartsAddUpToTheWhole) {
    const Outcome outcome = runProgram({"estimate", "--details", "--format", "json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const json tables = json::parse(outcome.out);
    std::int64_t memory = 0;
    for (const json& row : rowsOf(tables, "memory"))
        memory += row["size_bytes"].get<std::int64_t>();
    EXPECT_EQ(rowsOf(tables, "peak")[0]["peak_bytes"], memory);
    std::int64_t flops = 0, work = 0;
    for (const json& row : rowsOf(tables, "flops"))
        flops += row["total_flops"].get<std::int64_t>();
    for (const json& row : rowsOf(tables, "work"))
        work += row["matmul_flops"].get<std::int64_t>() + row["elementwise_flops"].get<std::int64_t>();
    EXPECT_EQ(rowsOf(tables, "model")[0]["total_flops"], flops);
    EXPECT_EQ(work, flops);
    std::int64_t parameters = 0;
    for (const json& row : rowsOf(tables, "parameters"))
        parameters += row["parameters"].get<std::int64_t>();
    EXPECT_EQ(rowsOf(tables, "model")[0]["parameters"], parameters);
}

TEST(CliEstimate, TakesCustomSizes) {
    const Arguments sizes = {"--d-model", "64",      "--d-ff", "128",     "--layers",
                             "2",         "--heads", "4",      "--vocab", "100"};
    const json model = rowsPrinted(with({"estimate", "--model", "custom"}, sizes), "model")[0];
    EXPECT_EQ(model["model"], "custom");
    // 2·V·d + L·(4·d² + 3·d·d_ff + 2·d) + d
    EXPECT_EQ(model["parameters"], 2 * 100 * 64 + 2 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64) + 64);
    EXPECT_EQ(rowsPrinted(with({"estimate"}, sizes), "model")[0], model);
}

TEST(CliEstimate, TextIsForPeople) {
    const Outcome outcome = runProgram({"estimate", "--model", "small"});
    ASSERT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.out, StartsWith("small · fp32 · naive · 128\n"));
    EXPECT_THAT(outcome.out, HasSubstr("128,625,408"));
    EXPECT_THAT(runProgram({"estimate", "--format", "markdown"}).out, HasSubstr("| --- | ---: |"));
}

TEST(CliOutput, AFullDiskFailsTheWork) {
    const Outcome outcome = runProgramInto("/dev/full", {"estimate"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "warpglass-cli: Standard output can't be written: No space left on device.\n");
}

TEST(CliOutput, RunAsksBeforeWhatDoesNotFit) {
    const Outcome outcome =
        runOnTerminal({"run", "--model", "10B", "--context", "65536", "--batch", "64"}, "n\n");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.out, HasSubstr("is larger than the"));
    EXPECT_THAT(outcome.out, HasSubstr("Run it anyway? [y/N]"));
    EXPECT_THAT(outcome.out, HasSubstr("warpglass-cli: The run was not started."));
}

TEST(CliOutput, RunRefusesWhatDoesNotFitWhereItCannotAsk) {
    const Outcome outcome = runProgram({"run", "--model", "10B", "--context", "65536", "--batch", "64"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("is larger than the"));
    EXPECT_THAT(outcome.err, HasSubstr("--yes runs it anyway."));
}

}  // namespace warpglass::test::usage_test
