// The options of a run, from a command line's words to the configuration, without the program around them.
#include "app/cli/config_options.h"

#include <gmock/gmock.h>

#include <algorithm>

#include <CLI/CLI.hpp>

#include "tests/support/random_config.h"

namespace warpglass::cli {
namespace {

using Which = ConfigOptions::Settings;

/// What a command line gives; nothing where it is refused.
std::optional<ValidConfig> parse(std::vector<std::string> words, Which which = Which::kAll) {
    CLI::App command;
    ConfigOptions options;
    options.addTo(command, which);
    std::ranges::reverse(words);  // as the parser wants it
    try {
        command.parse(words);
    } catch (const CLI::ParseError&) {
        return std::nullopt;
    }
    return options.resolve();
}

TEST(ConfigOptions, GiveEveryConfigurationThatTheirWordsSay) {
    std::mt19937_64 random(20251124);
    for (int i = 0; i < 300; ++i) {
        const ValidConfig config = test::randomValidConfig(random);
        std::vector<std::string> words;
        for (const Setting& setting : settings()) {
            if (!setting.applies(config))
                continue;
            words.push_back("--" + std::string(setting.key));
            words.push_back(setting.text(config));
        }
        const auto parsed = parse(words);
        ASSERT_TRUE(parsed) << shortTitle(config);
        EXPECT_EQ(toPairs(*parsed), toPairs(config));
    }
}

TEST(ConfigOptions, LeaveWhatIsNotGivenAsItUsuallyIs) {
    EXPECT_EQ(parse({})->get(), RunConfig());
    RunConfig small;
    small.model = "small";
    small.shape = *presetShape("small");
    EXPECT_EQ(parse({"--model", "small"})->get(), small);
    EXPECT_EQ(parse({"--layers", "12", "--model", "small"})->get(), small) << "these are its own sizes";
    small.model = "custom";
    small.shape.layers = 2;
    EXPECT_EQ(parse({"--layers", "2", "--model", "small"})->get(), small) << "in whichever order";
    const std::vector<std::string> sizes = {"--d-model", "64",      "--d-ff", "128",     "--layers",
                                            "2",         "--heads", "4",      "--vocab", "100"};
    RunConfig custom;
    custom.model = "custom";
    custom.shape = {.vocabulary = 100, .dModel = 64, .dFf = 128, .layers = 2, .heads = 4};
    EXPECT_EQ(parse(sizes)->get(), custom) << "sizes alone name a model";
}

TEST(ConfigOptions, OfAnEstimateAreThoseThatMakeADifferenceToIt) {
    for (const Setting& setting : settings()) {
        std::vector<std::string> words = {"--" + std::string(setting.key), setting.text({})};
        if (setting.appliesTo == AppliesTo::kAttention)
            words.insert(words.begin(), {"--workload", "attention"});
        EXPECT_EQ(parse(words, Which::kPlanned).has_value(), setting.planned) << setting.key;
    }
}

TEST(ConfigOptions, OfAttentionAloneAreItsOwn) {
    const auto parsed =
        parse({"--workload", "attention", "--heads", "1", "--batch", "8", "--context", "1024"});
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->get().mode, Mode::kForwardBackward) << "it has no step of an optimizer";
    EXPECT_EQ(shortTitle(*parsed), "attention · fp32 · naive · 8 × 1 × 1024 × 64");
    EXPECT_EQ(shortTitle(*parse({"--causal", "yes", "--workload", "attention", "--mode", "forward"})),
              "attention · fp32 · naive · 4 × 4 × 128 × 64 · causal");
    EXPECT_FALSE(parse({"--workload", "attention", "--mode", "step"}));
    EXPECT_FALSE(parse({"--workload", "attention", "--model", "tiny"})) << "it has no model";
    EXPECT_FALSE(parse({"--head-dim", "16"})) << "a Transformer's follows from its width";
}

TEST(ConfigOptions, TakeSizesOfMemoryWithTheirUnits) {
    for (const auto& [text, bytes] :
         {std::pair{"16GiB", std::int64_t{16} << 30}, {"512MB", 512 << 20}, {"0", 0}})
        EXPECT_EQ((*parse({"--device", "cuda:0", "--memory-limit", text}))->memoryLimit, Bytes(bytes))
            << text;
    EXPECT_FALSE(parse({"--device", "cuda:0", "--memory-limit", "16apples"}));
    EXPECT_FALSE(parse({"--memory-limit", "16GiB"})) << "the CPU has none";
}

TEST(ConfigOptions, TellOfTheirWordsInTheHelp) {
    CLI::App command;
    ConfigOptions options;
    options.addTo(command, Which::kAll);
    const std::string help = command.help();
    for (const Setting& setting : settings()) {
        EXPECT_THAT(help, testing::HasSubstr("--" + std::string(setting.key) + " ")) << setting.key;
        for (const Choice& choice : setting.choices())
            EXPECT_THAT(help, testing::HasSubstr(choice.word)) << setting.key;
    }
}

}  // namespace
}  // namespace warpglass::cli
