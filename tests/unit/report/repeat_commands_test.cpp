// The commands that a report repeats its runs with, read back as a shell and the command line read them.
#include "engine/report/repeat_commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "engine/plan/settings.h"
#include "engine/sweep/grid.h"
#include "tests/support/made_sweep.h"
#include "tests/support/random_config.h"

namespace warpglass::test::repeat_commands_test {

/// As a shell splits it: what it prints of each word, a line each.
std::vector<std::string> shellWords(const std::string& command) {
    const std::string printed = "printf '%s\\n' " + command;
    std::FILE* pipe = ::popen(printed.c_str(), "r");
    EXPECT_TRUE(pipe);
    std::vector<std::string> words(1);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        if (c == '\n')
            words.emplace_back();
        else
            words.back() += static_cast<char>(c);
    }
    ::pclose(pipe);
    words.pop_back();
    return words;
}

/// What the options say of a run that is otherwise as usual.
RunConfig readBack(const std::vector<std::string>& words) {
    RunConfig config;
    for (const Setting& setting : settings()) {
        for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
            if (words[i] == "--" + std::string(setting.key)) {
                const Status taken = setting.take(words[i + 1], config);
                EXPECT_TRUE(taken) << taken.message();
            }
        }
    }
    return config;
}

TEST(RepeatCommands, ARunsCommandGivesItsConfiguration) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 500; ++i) {
        const RunConfig config = randomConfig(random);
        const std::vector<std::string> words = shellWords(runCommand(config, "a b'c.wgrun"));
        ASSERT_GE(words.size(), 4u);
        EXPECT_EQ(words[0], "warpglass-cli");
        EXPECT_EQ(words[1], "run");
        EXPECT_EQ(words[words.size() - 2], "--output");
        EXPECT_EQ(words.back(), "a b'c.wgrun");
        EXPECT_EQ(toPairs(readBack(words)), toPairs(config)) << runCommand(config, "x");
    }
}

TEST(RepeatCommands, ARunsCommandSaysWhatIsUsualToo) {
    RunConfig config{.model = "small", .shape = *presetShape("small")};
    const std::vector<std::string> words = shellWords(runCommand(config, "a.wgrun"));
    for (const char* option : {"--batch", "--precision", "--attention", "--mode", "--device", "--execution",
                               "--warmup", "--steps", "--deterministic", "--seed", "--record"})
        EXPECT_EQ(std::ranges::count(words, option), 1) << option;
    // What the preset brings, what only a GPU has, and a limit that there is none of.
    for (const char* option : {"--layers", "--d-model", "--kernels", "--memory-limit"})
        EXPECT_EQ(std::ranges::count(words, option), 0) << option;
}

TEST(RepeatCommands, ASweepsCommandGivesItsAxes) {
    Sweep sweep = madeSweep({.repeats = 3});
    sweep.plan.timeLimit = Nanoseconds(3'600'000'000'000);
    sweep.plan.runFolder = "kept runs";
    sweep.plan.memorySnapshots = true;
    const std::vector<std::string> words = shellWords(sweepCommand(sweep.plan, "s.wgsweep"));
    EXPECT_EQ(words[1], "sweep");
    for (const SweepAxis& axis : sweep.plan.axes) {
        const auto at = std::ranges::find(words, "--" + axis.key);
        ASSERT_NE(at, words.end()) << axis.key;
        EXPECT_EQ(*sweepAxis(axis.key, *(at + 1)), axis);
        EXPECT_EQ(std::ranges::count(words, "--" + axis.key), 1);
    }
    const auto repeats = std::ranges::find(words, "--repeats");
    ASSERT_NE(repeats, words.end());
    EXPECT_EQ(*(repeats + 1), "3");
    const auto valueOf = [&words](std::string_view option) {
        const auto at = std::ranges::find(words, option);
        return at == words.end() || at + 1 == words.end() ? std::string() : *(at + 1);
    };
    EXPECT_EQ(valueOf("--time-limit"), "3600s");
    EXPECT_EQ(valueOf("--keep-runs"), "kept runs");
    EXPECT_EQ(std::ranges::count(words, "--memory-snapshots"), 1);
    EXPECT_EQ(valueOf("--order"), "interleaved");
    EXPECT_EQ(valueOf("--too-large"), "skip");
    EXPECT_EQ(valueOf("--seed"), std::to_string(sweep.plan.base.seed));
}

TEST(RepeatCommands, WordsAreQuotedForAShell) {
    for (const std::string word : {"plain", "a b", "$HOME", "it's", "", "*", "a\"b", ";rm", "--x"})
        EXPECT_EQ(shellWords(shellWord(word)), std::vector<std::string>{word});
}

TEST(RepeatCommands, LinesAreOneCommandToAShell) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 50; ++i) {
        const std::string command =
            runCommand(randomConfig(random), "it's a --name --that --is --quoted.wgrun");
        std::string broken;
        for (const std::string& line : shellLines(command)) {
            EXPECT_LE(line.size(), 100u) << line;
            broken += line + "\n";
        }
        EXPECT_EQ(shellWords(broken), shellWords(command));
    }
    const std::string folder(70, 'f');
    EXPECT_EQ(shellLines("warpglass-cli report --title 'A title' " + folder + " b.wgrun --x"),
              (std::vector<std::string>{"warpglass-cli report --title 'A title' \\",
                                        "    " + folder + " b.wgrun \\", "    --x"}));
    EXPECT_EQ(shellLines("warpglass-cli report a.wgrun"),
              std::vector<std::string>{"warpglass-cli report a.wgrun"});
}

TEST(RepeatCommands, WriteBesideWhatTheyRepeat) {
    EXPECT_EQ(repeatedName("runs/small.wgrun"), "small-again.wgrun");
    EXPECT_EQ(repeatedName("experiments/attention"), "attention-again");
    EXPECT_EQ(repeatedName("experiments/attention/"), "attention-again");
}

}  // namespace warpglass::test::repeat_commands_test
