#include "engine/plan/run_config.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <random>

#include "engine/plan/available_memory.h"
#include "engine/plan/flops.h"
#include "engine/plan/memory_prediction.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"
#include "tests/support/must.h"
#include "tests/support/random_config.h"

namespace warpglass::test::run_config_test {

using testing::HasSubstr;

RunConfig custom() {
    return {.model = "custom"};
}

/// The sentence at a field; fails the test unless that is the only problem.
std::string onlyProblem(const RunConfig& config, std::string_view field) {
    const std::vector<ConfigProblem> problems = validate(config);
    if (problems.size() != 1) {
        ADD_FAILURE() << problems.size() << " problems where one at " << field << " was expected";
        return "";
    }
    EXPECT_EQ(problems[0].field, field) << problems[0].sentence;
    return problems[0].sentence;
}

TEST(Presets, AreThoseOfTheWorkload) {
    std::vector<std::string_view> names;
    for (const ModelPreset& preset : modelPresets())
        names.push_back(preset.name);
    EXPECT_THAT(names, testing::ElementsAre("tiny", "small", "medium", "large", "xl", "2.7B", "10B"));
    EXPECT_EQ(*presetShape("xl"), (ModelShape{10000, 1600, 6400, 48, 25}));
    const Result<ModelShape> none = presetShape("Small");
    ASSERT_FALSE(none);
    for (const std::string_view name : names)
        EXPECT_THAT(none.message(), HasSubstr(std::string(name)));
}

TEST(Presets, AreValidInEveryWay) {
    for (const ModelPreset& preset : modelPresets())
        for (const Mode mode : {Mode::kForward, Mode::kForwardBackward, Mode::kStep})
            for (const auto attention : {AttentionVariant::kNaive, AttentionVariant::kFlash}) {
                RunConfig config{.model = std::string(preset.name),
                                 .shape = preset.shape,
                                 .context = 2048,
                                 .attention = attention,
                                 .mode = mode};
                for (const ConfigProblem& problem : validate(config))
                    ADD_FAILURE() << preset.name << ", " << problem.field << ": " << problem.sentence;
            }
}

TEST(Words, ThatAreUnknownGetASentenceWithTheChoices) {
    RunConfig config;
    EXPECT_EQ(takeSetting("precision", "fp8", config).message(),
              "There is no precision \"fp8\": choose fp32, tf32, bf16 or fp16.");
    std::vector<std::string_view> attentions;
    for (const Choice& choice : findSetting("attention")->choices())
        attentions.push_back(choice.word);
    EXPECT_EQ(takeSetting("attention", "", config).message(),
              "There is no attention variant \"\": choose " + listedWords(attentions) + ".");
    EXPECT_EQ(takeSetting("mode", "Step", config).message(),
              "There is no mode \"Step\": choose forward, forward-backward or step. Did you mean step?");
    EXPECT_FALSE(takeSetting("no-such", "1", config));
    EXPECT_EQ(config, RunConfig());
}

TEST(ShortTitle, NamesWhatTellsRunsApart) {
    RunConfig config{.model = "small", .context = 512};
    EXPECT_EQ(shortTitle(config), "small · fp32 · naive · 512");
    config.execution = Execution::kGraph;
    EXPECT_EQ(shortTitle(config), "small · fp32 · naive · 512 · CUDA graph");
}

TEST(Validate, AcceptsTheDefaults) {
    EXPECT_TRUE(validate(RunConfig{}).empty());
    EXPECT_TRUE(validate(custom()).empty());
}

TEST(Validate, HoldsAPresetToItsSizes) {
    RunConfig config{.shape = {.layers = 5}};
    EXPECT_THAT(onlyProblem(config, "model"), HasSubstr("\"tiny\""));
    config.model = "enormous";
    EXPECT_THAT(onlyProblem(config, "model"), HasSubstr("enormous"));
}

TEST(Validate, NamesAWidthThatHeadsDoNotDivide) {
    RunConfig config = custom();
    config.shape.heads = 3;
    const std::string sentence = onlyProblem(config, "heads");
    EXPECT_THAT(sentence, testing::AllOf(HasSubstr("256"), HasSubstr("3 heads")));
}

TEST(Validate, NamesAnOddHeadDimension) {
    RunConfig config = custom();
    config.shape.dModel = 60;
    config.shape.heads = 4;
    EXPECT_THAT(onlyProblem(config, "heads"), HasSubstr("15"));
}

TEST(Validate, NamesEverySizeThatIsNotPositive) {
    struct Field {
        const char* name;
        std::int64_t RunConfig::*member = nullptr;
        std::int64_t ModelShape::*size = nullptr;
    };
    const Field fields[] = {
        {"d-model", nullptr, &ModelShape::dModel},   {"d-ff", nullptr, &ModelShape::dFf},
        {"layers", nullptr, &ModelShape::layers},    {"heads", nullptr, &ModelShape::heads},
        {"vocab", nullptr, &ModelShape::vocabulary}, {"context", &RunConfig::context, nullptr},
        {"batch", &RunConfig::batch, nullptr}};
    for (const Field& field : fields)
        for (const std::int64_t value :
             {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
              std::numeric_limits<std::int64_t>::max()}) {
            RunConfig config = custom();
            (field.size ? config.shape.*field.size : config.*field.member) = value;
            const std::string sentence = onlyProblem(config, field.name);
            EXPECT_THAT(sentence, HasSubstr(value <= 0 ? "at least 1" : "at most")) << field.name;
        }
}

TEST(Validate, WantsSomethingToRun) {
    RunConfig config{.warmup = 0, .steps = 0};
    EXPECT_THAT(onlyProblem(config, "steps"), HasSubstr("nothing to run"));
    config.warmup = 1;
    EXPECT_TRUE(validate(config).empty());
    config.warmup = -1;
    onlyProblem(config, "warmup");
    config.warmup = 0;
    config.steps = -3;
    EXPECT_THAT(onlyProblem(config, "steps"), HasSubstr("-3"));
}

TEST(Validate, KnowsWellFormedDevices) {
    RunConfig config;
    for (const char* device : {"cpu", "cuda:0", "cuda:7", "cuda:15"}) {
        config.device = device;
        EXPECT_TRUE(validate(config).empty()) << device;
    }
    for (const char* device : {"", "CPU", "cpu:0", "cuda", "cuda:", "cuda:-1", "cuda:+1", "cuda:x", "cuda:1x",
                               "cuda:01", "cuda: 1", "cuda:99999999999999999999", "mps", "cpu "}) {
        config.device = device;
        EXPECT_THAT(onlyProblem(config, "device"), HasSubstr('"' + std::string(device) + '"'));
    }
}

TEST(Validate, NamesWordsThatNoParserGives) {
    onlyProblem({.precision = static_cast<Precision>(9)}, "precision");
    onlyProblem({.attention = static_cast<AttentionVariant>(9)}, "attention");
    onlyProblem({.mode = static_cast<Mode>(9)}, "mode");
    onlyProblem({.execution = static_cast<Execution>(9)}, "execution");
}

TEST(Validate, AGraphNeedsAGpuAndASecondStep) {
    RunConfig config = custom();
    config.execution = Execution::kGraph;
    EXPECT_THAT(onlyProblem(config, "execution"), HasSubstr("needs a GPU"));
    config.device = "cuda:0";
    EXPECT_TRUE(validate(config).empty());
    config.warmup = 0;
    config.steps = 1;
    EXPECT_THAT(onlyProblem(config, "steps"), HasSubstr("at least 2 steps"));
}

TEST(Validate, RefusesWhatCannotBeCounted) {
    RunConfig config = custom();
    config.context = 1 << 24;
    config.batch = 1 << 20;
    EXPECT_THAT(onlyProblem(config, "context"), HasSubstr("than can be counted"));
}

TEST(Validate, ReportsInFieldOrder) {
    RunConfig config{.model = "none",
                     .shape = {0, 0, 0, 0, 0},
                     .context = 0,
                     .batch = 0,
                     .device = "?",
                     .warmup = -1,
                     .steps = -1};
    std::vector<std::string> fields;
    for (const ConfigProblem& problem : validate(config))
        fields.push_back(problem.field);
    EXPECT_THAT(fields, testing::ElementsAre("model", "d-model", "d-ff", "layers", "heads", "vocab",
                                             "context", "batch", "device", "warmup", "steps"));
}

TEST(Validate, WritesOneSentenceForEachProblem) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 5000; ++i) {
        const auto size = [&random] {
            const auto magnitude = static_cast<std::int64_t>(random() >> (1 + random() % 63));
            return random() % 8 == 0 ? -magnitude : magnitude;
        };
        RunConfig config = custom();
        config.shape = {size(), size(), size(), size() % 5000, size() % 64};
        config.context = size();
        config.batch = size();
        config.warmup = size();
        config.steps = size();
        for (const ConfigProblem& problem : validate(config)) {
            ASSERT_FALSE(problem.field.empty());
            EXPECT_TRUE(problem.sentence.ends_with('.')) << problem.sentence;
            EXPECT_GT(problem.sentence.size(), 20u);
        }
    }
}

/// What validate() lets through must be countable: nothing may have reached the largest int64.
TEST(Validate, LetsThroughOnlyWhatCanBeCounted) {
    std::mt19937_64 random(4);
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    int accepted = 0;
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        const auto upTo = [&random](int bits) {
            return static_cast<std::int64_t>(
                1 + (random() >> (64 - bits + random() % static_cast<unsigned>(bits))));
        };
        RunConfig config = custom();
        config.shape.heads = upTo(6);
        config.shape.dModel = config.shape.heads * 2 * upTo(13);
        config.shape.dFf = upTo(22);
        config.shape.layers = upTo(6);
        config.shape.vocabulary = upTo(24);
        config.context = upTo(24);
        config.batch = upTo(20);
        config.attention = static_cast<AttentionVariant>(random() % kCountOf<AttentionVariant>);
        config.precision = static_cast<Precision>(random() % 2);
        config.mode = static_cast<Mode>(random() % 3);
        if (!validate(config).empty()) {
            ++refused;
            continue;
        }
        ++accepted;
        EXPECT_LT(countFlops(config).total().value, kMax);
        EXPECT_LT(predictMemory(config).total().value, kMax);
        EXPECT_GT(predictMemory(config).total().value, 0);
    }
    EXPECT_GT(accepted, 200);
    EXPECT_GT(refused, 50);
}

TEST(Words, WhatIsRecordedReadsBackAndWrongWordsAreNamed) {
    EXPECT_EQ(*parseRecorded("all"), Recorded());
    EXPECT_EQ(recordedText(Recorded()), "ops,memory,kernels,calls,waits")
        << "shapes and kernel clocks are recorded where they are asked for";
    EXPECT_EQ(recordedText(*parseRecorded("all,shapes")), "ops,memory,kernels,calls,waits,shapes");
    EXPECT_EQ(recordedText(*parseRecorded("all,kernel-clocks")),
              "ops,memory,kernels,calls,waits,kernel-clocks");
    EXPECT_EQ(recordedText(*parseRecorded("all, kernel-clocks,shapes")),
              "ops,memory,kernels,calls,waits,shapes,kernel-clocks");
    EXPECT_EQ(recordedText(*parseRecorded("shapes,ops")), "ops,shapes");
    EXPECT_EQ(recordedText(*parseRecorded("none")), "none");
    EXPECT_EQ(recordedText(*parseRecorded("calls,ops")), "ops,calls");
    EXPECT_EQ(recordedText(*parseRecorded("calls, ops ,  memory")), "ops,memory,calls");
    EXPECT_FALSE(parseRecorded("calls, "));
    for (const char* wrong : {"", "op", "ops,", ",ops", "ops memory"}) {
        const Result<Recorded> recorded = parseRecorded(wrong);
        ASSERT_FALSE(recorded) << wrong;
        EXPECT_THAT(recorded.message(), HasSubstr("choose from ops, memory"));
    }
    for (const char* none : {"ops,none", "none,ops"})
        EXPECT_THAT(parseRecorded(none).message(), HasSubstr("\"none\" stands alone"));
    for (const char* all : {"all,ops", "ops, all"})
        EXPECT_THAT(parseRecorded(all).message(), HasSubstr("\"all\" stands alone"));
}

TEST(Words, ShapesAreThoseOfOps) {
    RunConfig config;
    config.recorded.set(Feature::kShapes, true);
    EXPECT_TRUE(validate(config).empty());
    config.recorded.set(Feature::kOps, false);
    EXPECT_THAT(onlyProblem(config, "record"), HasSubstr("record ops too"));
}

TEST(Words, KernelClocksAreThoseOfFlashAttentionOnAGpu) {
    RunConfig config;
    config.recorded.set(Feature::kKernelClocks, true);
    EXPECT_THAT(onlyProblem(config, "record"), HasSubstr("choose the attention flash and a GPU"));
    config.attention = AttentionVariant::kFlash;
    EXPECT_THAT(onlyProblem(config, "record"), HasSubstr("choose the attention flash and a GPU"));
    config.device = "cuda:0";
    config.precision = Precision::kBf16;
    EXPECT_TRUE(validate(config).empty());
    config.shape.heads = 8;
    config.model = "custom";
    EXPECT_THAT(onlyProblem(config, "record"), HasSubstr("64 and 128, and not for 32"));
    config.recorded.set(Feature::kKernelClocks, false);
    EXPECT_TRUE(validate(config).empty());
}

TEST(Pairs, RoundTripWithWhatALaterVersionSays) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 1000; ++i) {
        RunConfig config = randomConfig(random);
        if (!config.isAttention())
            config.model = "model " + std::to_string(random() % 100) + " ·";
        config.steps = static_cast<std::int64_t>(random());
        auto pairs = toPairs(config);
        pairs.emplace_back("config.of-a-later-version", "x");
        std::ranges::shuffle(pairs, random);
        const auto back = must(configFromPairs(pairs));
        EXPECT_EQ(back, config);
    }
}

TEST(Pairs, ThatAreMissingAreNamed) {
    const auto complete = toPairs(RunConfig{});
    int required = 0;
    for (std::size_t i = 0; i < complete.size(); ++i) {
        if (!findSetting(complete[i].first)->required)
            continue;
        ++required;
        auto pairs = complete;
        pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
        const Result<RunConfig> config = configFromPairs(pairs);
        ASSERT_FALSE(config) << complete[i].first;
        EXPECT_THAT(config.message(), HasSubstr(complete[i].first));
    }
    EXPECT_EQ(required, 15) << "what files of the first version have";
}

TEST(Pairs, OfVersion1HaveNoMemoryLimit) {
    auto pairs = toPairs(RunConfig{});
    std::erase_if(pairs, [](const auto& pair) { return pair.first == "config.memory-limit"; });
    const auto config = must(configFromPairs(pairs));
    EXPECT_EQ(config, RunConfig{});
}

TEST(Device, WhatNeedsTheOtherKindIsRefusedByNamingBoth) {
    const auto configOf = [](const char* device, Precision precision, AttentionVariant attention) {
        return RunConfig{.precision = precision, .attention = attention, .device = device};
    };
    for (const Precision precision : {Precision::kTf32, Precision::kFp16}) {
        EXPECT_THAT(onlyProblem(configOf("cpu", precision, AttentionVariant::kNaive), "precision"),
                    HasSubstr("needs a GPU"));
        EXPECT_TRUE(validate(configOf("cuda:0", precision, AttentionVariant::kNaive)).empty());
    }
    for (const AttentionVariant attention :
         {AttentionVariant::kSdpaEfficient, AttentionVariant::kSdpaCudnn}) {
        EXPECT_THAT(onlyProblem(configOf("cpu", Precision::kBf16, attention), "attention"),
                    HasSubstr("needs a GPU"));
        EXPECT_TRUE(validate(configOf("cuda:3", Precision::kBf16, attention)).empty());
    }
    for (const char* device : {"cpu", "cuda:0"})
        EXPECT_TRUE(validate(configOf(device, Precision::kBf16, AttentionVariant::kFlash)).empty()) << device;
    EXPECT_THAT(onlyProblem(configOf("cuda:0", Precision::kFp32, AttentionVariant::kSdpaFlash), "attention"),
                HasSubstr("16 bits"));
    EXPECT_TRUE(validate(configOf("cpu", Precision::kFp32, AttentionVariant::kSdpaFlash)).empty());
}

TEST(Device, FlashAttentionRunsEveryPrecisionOnAGpuAndNamesWhatElseDoesWhereItHasNoKernel) {
    RunConfig config{.attention = AttentionVariant::kFlash, .device = "cuda:0"};
    for (std::size_t i = 0; i < kPrecisionNames.size(); ++i) {
        config.precision = static_cast<Precision>(i);
        EXPECT_TRUE(validate(config).empty()) << precisionName(config.precision);
        RunConfig refused = config;
        refused.shape.dModel = 40 * refused.shape.heads;
        refused.model = "custom";
        const std::string sentence = onlyProblem(refused, "attention");
        EXPECT_THAT(sentence, HasSubstr("16, 32, 64, 80, 96 and 128, and not for 40"));
        EXPECT_THAT(sentence,
                    HasSubstr(isMixed(config.precision) ? "choose sdpa-flash." : "choose sdpa-efficient."));
    }
}

TEST(Device, ADeterministicBackwardPassIsFlashAttentionsOnAGpu) {
    RunConfig config{.precision = Precision::kBf16,
                     .attention = AttentionVariant::kFlash,
                     .deterministic = Deterministic::kYes,
                     .device = "cuda:0"};
    EXPECT_TRUE(validate(config).empty());
    EXPECT_EQ(configFromPairs(toPairs(config)).value(), config);
    RunConfig other = config;
    other.attention = AttentionVariant::kSdpaFlash;
    EXPECT_THAT(onlyProblem(other, "deterministic"), HasSubstr("Only flash attention"));
    other = config;
    other.mode = Mode::kForward;
    EXPECT_THAT(onlyProblem(other, "deterministic"), HasSubstr("no backward pass"));
    other = config;
    other.device = "cpu";
    EXPECT_THAT(onlyProblem(other, "deterministic"), HasSubstr("needs a GPU"));
}

TEST(Device, AMemoryLimitIsAGpus) {
    RunConfig config{.memoryLimit = Bytes(1 << 30)};
    onlyProblem(config, "memory-limit");
    config.device = "cuda:0";
    EXPECT_TRUE(validate(config).empty());
    config.memoryLimit = Bytes(-1);
    onlyProblem(config, "memory-limit");
}

TEST(Device, WhatARunMayHaveOfIt) {
    RunConfig config{.device = "cuda:0"};
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
    const DeviceInfo gpu{"cuda:0", "Test GPU", Bytes(80 * kGiB), Bytes(20 * kGiB), 100};
    EXPECT_EQ(availableMemory(config, gpu).bytes, gpu.available);
    EXPECT_EQ(availableMemory(config, gpu).inUse, Bytes(60 * kGiB));
    config.memoryLimit = Bytes(30 * kGiB);
    EXPECT_EQ(availableMemory(config, gpu).bytes, gpu.available) << "less is left than it may take";
    EXPECT_FALSE(availableMemory(config, gpu).isLimit);
    config.memoryLimit = Bytes(10 * kGiB);
    EXPECT_EQ(availableMemory(config, gpu).bytes, config.memoryLimit);
    EXPECT_EQ(availableMemory(config, gpu).inUse, Bytes());
    EXPECT_TRUE(availableMemory(config, gpu).isLimit);
    EXPECT_EQ(availableMemory(config, DeviceInfo()).bytes, config.memoryLimit) << "of a device not known";
}

TEST(Pairs, ThatAreMalformedAreNamed) {
    const auto complete = toPairs(RunConfig{});
    for (std::size_t i = 0; i < complete.size(); ++i) {
        if (complete[i].first == "config.model" || complete[i].first == "config.device")
            continue;
        for (const char* bad : {"", "x", "1 ", "1.5", "99999999999999999999999"}) {
            auto pairs = complete;
            pairs[i].second = bad;
            const Result<RunConfig> config = configFromPairs(pairs);
            ASSERT_FALSE(config) << complete[i].first << " = " << bad;
            EXPECT_THAT(config.message(), HasSubstr(complete[i].first));
        }
    }
}

}  // namespace warpglass::test::run_config_test
