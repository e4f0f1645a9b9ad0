// What needs no run: the words, the help, the exit statuses, the estimate.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace warpglass::test::usage_test {

using testing::AllOf;
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
        for (const std::string& option : words("--d-model --d-ff --layers --heads --vocab --context --batch"))
            options.push_back({{command}, option, positive});
    }
    for (const std::string& table : words("ops types kernels copies ranges phases gpu layers attention steps "
                                          "memory allocations segments"))
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
    const Outcome outcome = runProgram(words("estimate --layers 0 --vocab -5 --batch 0"));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    const std::vector<std::string> lines = linesOf(outcome.err);
    ASSERT_EQ(lines.size(), 3u) << outcome.err;
    EXPECT_THAT(lines[0], HasSubstr("layers"));
    EXPECT_THAT(lines[1], HasSubstr("vocabulary"));
    EXPECT_THAT(lines[2], HasSubstr("batch"));
}

TEST(CliUsage, EveryCommandHasHelpWithExamples) {
    std::vector<std::string> commands =
        words("devices estimate run info findings stats compare sweep sweep-info");
    for (const std::string& table :
         words("ops types ranges phases layers attention steps memory allocations segments"))
        commands.push_back("stats " + table);
    commands.emplace_back();
    for (const std::string& command : commands) {
        const Outcome outcome = runProgram(words(command + " --help"));
        EXPECT_EQ(outcome.status, 0) << command;
        EXPECT_EQ(outcome.err, "") << command;
        EXPECT_THAT(outcome.out,
                    HasSubstr("Examples:\n  warpglass-cli" + (command.empty() ? "" : " " + command)))
            << command;
    }
}

TEST(CliUsage, HelpNamesTheWordsThatScriptsRelyOn) {
    const std::string help = runProgram({"run", "--help"}).out;
    for (const std::string& word :
         words("--model --d-model --d-ff --layers --heads --vocab --context --batch --precision --attention "
               "--mode --device --warmup --steps --seed --output --format"))
        EXPECT_THAT(help, HasSubstr(word));
    EXPECT_THAT(help, HasSubstr("fp32, tf32, bf16, fp16"));
    EXPECT_THAT(help, HasSubstr("naive, sdpa-math, sdpa-efficient, sdpa-flash, sdpa-cudnn, flash"));
    EXPECT_THAT(help, HasSubstr("forward, forward-backward, step"));
    EXPECT_THAT(help, HasSubstr("tiny, small, medium, large, xl, 2.7B, 10B"));
}

TEST(CliUsage, VersionIsPrinted) {
    EXPECT_THAT(runSoundly({"--version"}).out,
                testing::MatchesRegex("warpglass-cli [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(CliUsage, DevicesListsTheCpu) {
    const json table = printedJson({"devices"});
    EXPECT_EQ(table["table"], "devices");
    ASSERT_GE(table["rows"].size(), 1u);
    EXPECT_EQ(table["rows"][0]["device"], "cpu");
    EXPECT_GT(table["rows"][0]["memory_bytes"].get<std::int64_t>(), 0);
    EXPECT_GT(table["rows"][0]["threads"].get<std::int64_t>(), 0);
}

TEST(CliEstimate, PartsAddUpToTheWhole) {
    const json tables = printedJson({"estimate", "--details"});
    const json model = rowsOf(tables, "model")[0], work = rowsOf(tables, "work");
    EXPECT_EQ(model["tokens"], 4 * 128);
    EXPECT_EQ(rowsOf(tables, "peak")[0]["peak_bytes"], columnSum(rowsOf(tables, "memory"), "size_bytes"));
    EXPECT_EQ(model["total_flops"], columnSum(rowsOf(tables, "flops"), "total_flops"));
    EXPECT_EQ(model["total_flops"], columnSum(work, "matmul_flops") + columnSum(work, "elementwise_flops"));
    EXPECT_EQ(model["parameters"], columnSum(rowsOf(tables, "parameters"), "parameters"));
}

TEST(CliEstimate, TextIsForPeople) {
    EXPECT_THAT(runSoundly({"estimate", "--model", "small"}).out,
                AllOf(StartsWith("small · fp32 · naive · 128\n"), HasSubstr("128,625,408")));
    EXPECT_THAT(runProgram({"estimate", "--format", "markdown"}).out, HasSubstr("| --- | ---: |"));
}

TEST(CliOutput, AFullDiskFailsTheWork) {
    const Outcome outcome = runProgramInto("/dev/full", {"estimate"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "warpglass-cli: Standard output can't be written: No space left on device.\n");
}

TEST(CliOutput, RunAsksBeforeWhatDoesNotFitAndRefusesItWhereItCannotAsk) {
    const Arguments run = words("run --model 10B --context 65536 --batch 64");
    const Outcome asked = runOnTerminal(run, "n\n");
    EXPECT_EQ(asked.status, 1);
    EXPECT_THAT(asked.out, AllOf(HasSubstr("is larger than the"), HasSubstr("Run it anyway? [y/N]"),
                                 HasSubstr("warpglass-cli: The run was not started.")));
    const Outcome refused = runProgram(run);
    EXPECT_EQ(refused.status, 1);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, AllOf(HasSubstr("is larger than the"), HasSubstr("--yes runs it anyway.")));
}

}  // namespace warpglass::test::usage_test
