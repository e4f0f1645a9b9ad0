#include "engine/plan/settings.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "engine/base/format.h"
#include "engine/plan/valid_config.h"
#include "tests/support/files.h"
#include "tests/support/random_config.h"

namespace warpglass::test::settings_test {

using testing::HasSubstr;

/// Converts to a member of any type.
struct Anything {
    template <class T>
    operator T&() const&&;
    template <class T>
    operator T&&() const&&;
};

/// How many members an aggregate has.
template <class T, class... Members>
constexpr std::size_t memberCount() {
    if constexpr (requires { T{Members{}..., Anything{}}; })
        return memberCount<T, Members..., Anything>();
    else
        return sizeof...(Members);
}

TEST(Settings, AreAsManyAsRunsHaveMembers) {
    // The shape is several; `kernels` is nine variants.
    EXPECT_EQ(everySetting().size(), memberCount<RunConfig>() - 1 + memberCount<ModelShape>() - 8)
        << "a member of RunConfig without an entry of the table, which nothing would keep, show or check";
}

constexpr auto kAlone = std::to_array<Choice>({{"eager", "Op by op"}});
constexpr auto kTwo = std::to_array<Choice>({{"eager", "Op by op"}, {"fused", "In one kernel"}});

TEST(Settings, OfOneChoiceAreOfferedOnceThereAreTwo) {
    const auto keysOf = [](const OneOf& norm) {
        const std::vector<Setting> all = {{.key = "norm", .kind = norm, .noun = "norm", .help = ""},
                                          *findSetting("context")};
        std::vector<std::string_view> keys;
        for (const Setting& setting : withSomethingToChoose(all))
            keys.push_back(setting.key);
        return keys;
    };
    EXPECT_THAT(keysOf(oneOf<&RunConfig::norm, listed<kAlone>>()), testing::ElementsAre("context"));
    EXPECT_THAT(keysOf(oneOf<&RunConfig::norm, listed<kTwo>>()), testing::ElementsAre("norm", "context"));
    for (const Setting& setting : everySetting())
        EXPECT_EQ(findSetting(setting.key) != nullptr, setting.choices().size() != 1) << setting.key;
}

TEST(Settings, OfOneChoiceRefuseAnotherVersionsWord) {
    for (const Setting& setting : everySetting()) {
        if (setting.choices().empty())
            continue;
        RunConfig config;
        if (setting.appliesTo == AppliesTo::kAttention)
            config.workload = Workload::kAttention;
        auto pairs = toPairs(config);
        std::erase_if(pairs, [&](const auto& pair) { return pair.first == setting.fileKey(); });
        pairs.emplace_back(setting.fileKey(), setting.choices()[0].word);
        EXPECT_TRUE(configFromPairs(pairs)) << setting.key;
        pairs.back().second = "none-such";
        const Result<RunConfig> refused = configFromPairs(pairs);
        ASSERT_FALSE(refused) << setting.key;
        EXPECT_THAT(refused.message(), HasSubstr("none-such"));
    }
}

TEST(Settings, HaveKeysOfTheirOwnThatSuitAnOption) {
    std::set<std::string_view> keys;
    for (const Setting& setting : settings()) {
        EXPECT_TRUE(keys.insert(setting.key).second) << setting.key << " twice";
        EXPECT_EQ(setting.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos)
            << setting.key;
        EXPECT_EQ(findSetting(setting.key), &setting);
        EXPECT_EQ(findSetting(setting.fileKey()), &setting);
    }
    EXPECT_EQ(findSetting("no-such"), nullptr);
    EXPECT_EQ(findSetting("config."), nullptr);
}

/// A file says of a workload what it has; one that names none is of a Transformer.
TEST(Settings, ThatDoNotApplyToAWorkloadAreNowhere) {
    RunConfig attention{.workload = Workload::kAttention, .mode = Mode::kForward};
    attention.shape.heads = 3;
    attention.model = "small";
    attention.shape.layers = 0;
    attention.norm = NormVariant::kCount;
    const std::optional<ValidConfig> valid = ValidConfig::of(attention);
    ASSERT_TRUE(valid) << "what a model would be is nobody's concern";
    EXPECT_EQ(valid->get().model, RunConfig().model);
    EXPECT_EQ(valid->get().shape.heads, 3);
    std::set<std::string> keys;
    for (const auto& [key, text] : toPairs(*valid))
        keys.insert(key);
    for (const char* key : {"config.model", "config.d-model", "config.layers", "config.vocab"})
        EXPECT_FALSE(keys.contains(key)) << key;
    for (const char* key : {"config.workload", "config.heads", "config.head-dim", "config.causal"})
        EXPECT_TRUE(keys.contains(key)) << key;
    EXPECT_EQ(configFromPairs(toPairs(*valid)).value(), valid->get());

    auto older = toPairs(RunConfig());
    std::erase_if(older, [](const auto& pair) { return pair.first == "config.workload"; });
    EXPECT_EQ(configFromPairs(older).value(), RunConfig());
    for (const auto& [key, text] : older)
        EXPECT_TRUE(key != "config.head-dim" && key != "config.causal") << key;
}

TEST(ValidConfig, OfAttentionAloneHasNoTrainingStepAndAnyHeadDimension) {
    RunConfig attention{.workload = Workload::kAttention, .headDim = 7, .mode = Mode::kForwardBackward};
    EXPECT_TRUE(validate(attention).empty()) << "nothing is rotated";
    attention.headDim = 0;
    ASSERT_EQ(validate(attention).size(), 1u);
    EXPECT_EQ(validate(attention)[0].field, "head-dim");
    attention.headDim = 16;
    attention.mode = Mode::kStep;
    ASSERT_EQ(validate(attention).size(), 1u);
    EXPECT_EQ(validate(attention)[0].field, "mode");
    ASSERT_TRUE(takeSetting("workload", "attention", attention));
    EXPECT_EQ(attention.mode, Mode::kForwardBackward);
}

/// Files and scripts hold these: they may become more, and no other.
TEST(Settings, KeepTheKeysThatFilesAndScriptsRelyOn) {
    for (const char* key :
         {"model",     "d-model",   "d-ff", "layers",    "heads",        "vocab",    "context",  "batch",
          "precision", "attention", "mode", "execution", "device",       "workload", "head-dim", "causal",
          "warmup",    "steps",     "seed", "record",    "memory-limit", "kernels"})
        EXPECT_NE(findSetting(key), nullptr) << key;
}

TEST(Settings, SayWhatTheyAre) {
    for (const Setting& setting : settings()) {
        EXPECT_FALSE(setting.noun.empty()) << setting.key;
        EXPECT_FALSE(setting.help.empty()) << setting.key;
        EXPECT_FALSE(setting.help.ends_with('.')) << setting.key;
        EXPECT_FALSE(setting.name().empty()) << setting.key;
        EXPECT_EQ(setting.devices == Devices::kAll, setting.whyNotElsewhere.empty()) << setting.key;
        std::set<std::string_view> words, labels;
        for (const Choice& choice : setting.choices()) {
            EXPECT_TRUE(words.insert(choice.word).second) << setting.key << " " << choice.word;
            EXPECT_TRUE(labels.insert(choice.label).second) << setting.key << " " << choice.label;
            EXPECT_FALSE(choice.toolTip.empty()) << choice.word;
            EXPECT_FALSE(choice.toolTip.ends_with('.')) << choice.word;
        }
    }
}

TEST(Settings, ReadBackWhatTheyWrite) {
    std::mt19937_64 random(20251123);
    std::map<std::string_view, std::set<std::string>> seen;
    for (int i = 0; i < 1000; ++i) {
        const RunConfig config = randomConfig(random);
        RunConfig back;
        for (const Setting& setting : settings()) {
            const std::string text = setting.text(config);
            seen[setting.key].insert(text);
            const Status taken = setting.take(text, back);
            ASSERT_TRUE(taken) << setting.key << ": " << taken.message();
            EXPECT_EQ(setting.text(back), text) << setting.key;
            EXPECT_EQ(setting.words(back), setting.words(config)) << setting.key;
        }
        EXPECT_EQ(back, config);
        EXPECT_EQ(configFromPairs(toPairs(config)).value(), config);
    }
    for (const Setting& setting : settings())
        EXPECT_GT(seen[setting.key].size(), 1u) << setting.key << " was never another";
}

TEST(Settings, AreUsualInARunOfWhichNothingIsSaid) {
    std::mt19937_64 random(7);
    int unusual = 0;
    for (const Setting& setting : settings())
        EXPECT_TRUE(setting.isUsual(RunConfig())) << setting.key;
    for (int i = 0; i < 100; ++i) {
        const RunConfig config = randomConfig(random);
        bool all = true;
        for (const Setting& setting : settings())
            all = all && setting.isUsual(config);
        EXPECT_EQ(all, config == RunConfig());
        unusual += !all;
    }
    EXPECT_GT(unusual, 90);
}

/// A setting is refused where its kind or its choice has no use, with a sentence that names what has.
TEST(Settings, ThatNeedTheOtherKindOfDeviceSaySo) {
    int refused = 0;
    for (const char* device : {"cpu", "cuda:0"}) {
        RunConfig config{.device = device};
        for (const Setting& setting : settings()) {
            const auto* one = std::get_if<OneOf>(&setting.kind);
            for (std::size_t i = 0; one && i < one->choices().size(); ++i) {
                RunConfig chosen = config;
                one->choose(chosen, i);
                const bool allowed = includes(one->choices()[i].devices, config.onGpu());
                const auto problem = setting.deviceProblem(chosen);
                ASSERT_EQ(!problem, allowed) << setting.key << " " << one->choices()[i].word << " " << device;
                if (allowed)
                    continue;
                ++refused;
                EXPECT_THAT(*problem, HasSubstr(config.onGpu() ? "needs the CPU" : "needs a GPU"));
                EXPECT_THAT(*problem, HasSubstr('"' + std::string(one->choices()[i].word) + '"'));
                const auto problems = validate(chosen);
                ASSERT_EQ(problems.size(), 1u) << *problem;
                EXPECT_EQ(problems[0].field, setting.key);
                EXPECT_EQ(problems[0].sentence, *problem);
            }
        }
    }
    EXPECT_GE(refused, 5) << "tf32, fp16, sdpa-efficient, sdpa-cudnn, graph on the CPU";
}

TEST(Settings, AreRefusedJustBeyondTheirBounds) {
    for (const Setting& setting : settings()) {
        const auto* number = std::get_if<WholeNumber>(&setting.kind);
        if (!number)
            continue;
        RunConfig config;
        for (const auto& [value, ok] : {std::pair{number->least - 1, false},
                                        {number->least, true},
                                        {number->most, true},
                                        {number->most + 1, false}}) {
            number->value.in(config) = value;
            EXPECT_EQ(!setting.problem(config), ok) << setting.key << " = " << value;
        }
    }
}

TEST(ValidConfig, IsWhatValidateFindsNothingWrongWith) {
    std::mt19937_64 random(11);
    int valid = 0, invalid = 0;
    for (int i = 0; i < 3000; ++i) {
        const RunConfig config = randomConfig(random, 100);
        std::vector<ConfigProblem> problems;
        const std::optional<ValidConfig> made = ValidConfig::of(config, &problems);
        const std::vector<ConfigProblem> found = validate(config);
        ASSERT_EQ(made.has_value(), found.empty());
        ASSERT_EQ(problems.size(), found.size());
        if (made) {
            EXPECT_EQ(made->get(), config);
        }
        (made ? valid : invalid) += 1;
    }
    EXPECT_GT(valid, 50);
    EXPECT_GT(invalid, 50);
    EXPECT_EQ(ValidConfig().get(), RunConfig());
    EXPECT_TRUE(validate(ValidConfig()).empty()) << "the one that nobody has to validate";
}

TEST(Titles, SayASettingInItsOwnWords) {
    RunConfig config;
    const auto titleOf = [&config](const char* key) { return findSetting(key)->titleWords(config); };
    EXPECT_EQ(titleOf("layers"), "4 layers");
    config.shape.layers = 1;
    EXPECT_EQ(titleOf("layers"), "1 layer");
    EXPECT_EQ(titleOf("batch"), "batch 4");
    RunConfig attention{.workload = Workload::kAttention, .shape = {.heads = 1}, .context = 1024, .batch = 8};
    EXPECT_EQ(shortTitle(attention), "attention · fp32 · naive · 8 × 1 × 1024 × 64");
    attention.causal = Causal::kYes;
    attention.execution = Execution::kGraph;
    EXPECT_EQ(shortTitle(attention), "attention · fp32 · naive · 8 × 1 × 1024 × 64 · causal · CUDA graph");
    EXPECT_EQ(titleOf("memory-limit"), "no limit");
    config.memoryLimit = Bytes(std::int64_t{16} << 30);
    EXPECT_EQ(titleOf("memory-limit"), "limit 16.0\u202FGiB");
    EXPECT_EQ(findSetting("context")->wordsWithUnit(config), "128 tokens");
    config.context = 4096;
    EXPECT_EQ(findSetting("context")->wordsWithUnit(config), "4,096 tokens");
}

// What the documents say of the settings is what the table says. To write them anew:
// `cmake --build build/dev --target update-settings-docs`.

constexpr const char* kReadmeHead = "| option | what it says |\n|---|---|\n";

std::string code(std::string_view word) {
    return "`" + std::string(word) + "`";
}

/// "`fp32`, `bf16`; on a GPU also `tf32`, `fp16`".
std::string wordsOf(std::span<const Choice> choices, const char* onGpu = "; on a GPU also ") {
    std::string text;
    for (const auto& [devices, lead] :
         {std::pair{Devices::kAll, ""}, {Devices::kCpu, "; on the CPU also "}, {Devices::kGpu, onGpu}}) {
        std::string words;
        for (const Choice& choice : choices) {
            if (choice.devices == devices)
                words += (words.empty() ? lead : ", ") + code(choice.word);
        }
        text += words;
    }
    return text;
}

std::string description(const Setting& setting) {
    std::string text(setting.help);
    if (std::holds_alternative<OwnKernels>(setting.kind))
        text += ": `library`; on a GPU also `fused`, or some of " + wordsOf(setting.choices(), "");
    else if (!setting.choices().empty())
        text += ": " + wordsOf(setting.choices());
    if (std::holds_alternative<SomeOf>(setting.kind))
        text += "; or `all`, or `none`";
    if (std::holds_alternative<ModelName>(setting.kind)) {
        for (const ModelPreset& preset : modelPresets())
            text += (&preset == modelPresets().data() ? ": " : ", ") + code(preset.name);
        text += "; or `custom`, with the sizes below";
    }
    return text;
}

std::string usual(const Setting& setting) {
    const bool isPresets =
        setting.panel.part == PanelPart::kSizes && setting.appliesTo != AppliesTo::kAttention;
    return isPresets                                      ? "the preset's"
           : std::holds_alternative<SomeOf>(setting.kind) ? "`all`"
                                                          : code(setting.text({}));
}

std::string bounds(const Setting& setting) {
    const auto* number = std::get_if<WholeNumber>(&setting.kind);
    return number ? formatGrouped(number->least) + " to " + formatGrouped(number->most) : "";
}

std::string where(Devices devices) {
    return devices == Devices::kCpu ? "CPU" : devices == Devices::kGpu ? "GPU" : "";
}

std::string readmeTable() {
    std::string text = kReadmeHead;
    for (const Setting& setting : settings())
        text += "| " + code("--" + std::string(setting.key)) + " | " + description(setting) + " |\n";
    return text;
}

std::string settingsPage() {
    std::string text =
        "# Settings of a run\n\n"
        "Each is an option of `warpglass-cli run`, those that make a difference to what a run needs of "
        "`estimate` "
        "too, and a field of the window's run\npanel. A run file has it as `config.` and its name. This page "
        "is made "
        "from the table in `engine/plan/settings.cpp`, and a test compares them.\n\n"
        "| option | what it says | unless given | bounds | where |\n|---|---|---|---|---|\n";
    for (const Setting& setting : settings())
        text += "| " + code("--" + std::string(setting.key)) + " | " + description(setting) + " | " +
                usual(setting) + " | " + bounds(setting) + " | " + where(setting.devices) + " |\n";
    for (const Setting& setting : settings()) {
        if (setting.choices().empty())
            continue;
        text += "\n## " + code("--" + std::string(setting.key)) +
                "\n| word | what it is | where |\n|---|---|---|\n";
        for (const Choice& choice : setting.choices())
            text += "| " + code(choice.word) + " | " + std::string(choice.toolTip) + " | " +
                    where(choice.devices) + " |\n";
    }
    return text;
}

/// With WARPGLASS_UPDATE_DOCS=1 the document is written instead.
void expectSays(const std::string& name, const std::string& wanted) {
    const std::string path = WARPGLASS_SOURCE_DIR "/" + name;
    if (std::getenv("WARPGLASS_UPDATE_DOCS")) {
        std::ofstream(path) << wanted;
        return;
    }
    EXPECT_TRUE(contentOf(path) == wanted) << name << " is not what the table of settings says; " << wanted;
}

TEST(SettingsDocs, ThePageIsTheTable) {
    expectSays("docs/settings.md", settingsPage());
}

TEST(SettingsDocs, TheReadmesTableIsTheTable) {
    const std::string readme = contentOf(WARPGLASS_SOURCE_DIR "/README.md");
    const std::size_t begin = readme.find(kReadmeHead), end = readme.find("\n\n", begin) + 1;
    ASSERT_NE(begin, std::string::npos);
    expectSays("README.md", readme.substr(0, begin) + readmeTable() + readme.substr(end));
}

}  // namespace warpglass::test::settings_test
