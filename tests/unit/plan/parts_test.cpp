#include "engine/plan/parts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "engine/plan/own_parts.h"
#include "engine/plan/settings.h"
#include "engine/plan/valid_config.h"

namespace warpglass::test::parts_test {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;

template <class Variant>
class Parts : public testing::Test {};
using Lists =
    testing::Types<AttentionVariant, NormVariant, FeedForwardVariant, EmbeddingVariant, RotaryVariant,
                   SoftmaxVariant, LossVariant, LinearVariant, ProductsVariant, OptimizerVariant>;
TYPED_TEST_SUITE(Parts, Lists);

TYPED_TEST(Parts, HaveAnImplementationForEachEnumeratorWithAWordOfItsOwn) {
    std::set<std::string_view> words;
    ASSERT_EQ(plansOf<TypeParam>().size(), kCountOf<TypeParam>);
    ASSERT_EQ(choicesOf<TypeParam>().size(), kCountOf<TypeParam>);
    for (std::size_t i = 0; i < kCountOf<TypeParam>; ++i) {
        const Choice& choice = choicesOf<TypeParam>()[i];
        EXPECT_EQ(choice.word, planOf(static_cast<TypeParam>(i)).is.choice.word);
        EXPECT_FALSE(choice.word.empty());
        EXPECT_FALSE(choice.toolTip.empty()) << choice.word;
        EXPECT_TRUE(words.insert(choice.word).second) << choice.word << " twice";
    }
}

/// As names of ops are compared with them once those are in lower case and without underscores.
TYPED_TEST(Parts, AreRecognizedByNamesThatCanMatch) {
    for (const auto* plan : plansOf<TypeParam>()) {
        for (const std::string_view name : plan->is.names)
            EXPECT_TRUE(!name.empty() && std::ranges::all_of(name, [](unsigned char c) {
                return std::islower(c) || std::isdigit(c);
            })) << name;
    }
}

TEST(PartsOfARun, AnAttentionThatIsToldApartSaysHow) {
    for (const AttentionPlan* plan : plansOf<AttentionVariant>())
        EXPECT_EQ(plan->note.empty(), plan->record == AttentionRecord::kOneKernel) << plan->is.choice.word;
}

/// Files have them, and scripts.
TEST(PartsOfARun, KeepTheWordsOfAttention) {
    std::vector<std::string_view> words;
    for (const Choice& choice : choicesOf<AttentionVariant>())
        words.push_back(choice.word);
    for (const char* word : {"naive", "sdpa-math", "sdpa-efficient", "sdpa-flash", "sdpa-cudnn", "flash"})
        EXPECT_NE(std::ranges::find(words, word), words.end()) << word;
}

// The setting `kernels`: the library's, all of ours, or some.

TEST(OwnParts, HaveWordsThatAreAllDifferent) {
    std::set<std::string_view> words;
    for (const Choice& choice : ownParts()) {
        EXPECT_TRUE(words.insert(choice.word).second) << choice.word << " twice";
        EXPECT_EQ(choice.word.find_first_of("+, "), std::string_view::npos) << choice.word;
        EXPECT_EQ(choice.devices, Devices::kGpu) << choice.word;
    }
    std::vector<std::string_view> inOrder;
    for (const Choice& choice : ownParts())
        inOrder.push_back(choice.word);
    EXPECT_THAT(inOrder, ElementsAre("optimizer", "norm", "swiglu", "embedding", "rope", "softmax", "loss",
                                     "casts", "products"));
}

TEST(OwnParts, EverySetOfThemIsWrittenAndReadBack) {
    std::set<std::string> texts;
    for (unsigned set = 0; set < 1u << ownParts().size(); ++set) {
        RunConfig config;
        for (std::size_t i = 0; i < ownParts().size(); ++i)
            setOwnPart(config, i, (set >> i & 1) != 0);
        const std::string text = ownPartsText(config);
        EXPECT_TRUE(texts.insert(text).second) << text;
        RunConfig read;
        read.norm = NormVariant::kFused;  // what was there before does not stay
        ASSERT_TRUE(takeOwnParts(text, read)) << text;
        EXPECT_EQ(read, config) << text;
    }
    EXPECT_TRUE(texts.contains("library") && texts.contains("fused") && texts.contains("norm+loss"));
}

TEST(OwnParts, AreTakenFromAPersonWithCommasAndBlanksInAnyOrder) {
    RunConfig config;
    ASSERT_TRUE(takeOwnParts("loss, norm", config));
    EXPECT_EQ(ownPartsText(config), "norm+loss");
    ASSERT_TRUE(takeOwnParts("optimizer+norm+swiglu+embedding+rope+softmax+loss+casts+products", config));
    EXPECT_EQ(ownPartsText(config), "fused");
    for (const char* wrong : {"", "+", "norm+", "norms", "fused+norm", "library,norm"}) {
        const RunConfig before = config;
        const Status taken = takeOwnParts(wrong, config);
        ASSERT_FALSE(taken) << wrong;
        EXPECT_THAT(taken.message(), AnyOf(HasSubstr("choose library, fused, or some of optimizer, norm,"),
                                           HasSubstr("stands alone"), HasSubstr("missing beside a +")));
        EXPECT_EQ(config, before) << wrong;
    }
    EXPECT_THAT(takeOwnParts("fused+norm", config).message(), HasSubstr("\"fused\" stands alone"));
    EXPECT_THAT(takeOwnParts("norm+", config).message(), HasSubstr("missing beside a +"));
    EXPECT_THAT(takeOwnParts("norms", config).message(), HasSubstr("Did you mean norm?"));
}

TEST(OwnParts, NeedAGpuAndSayItOnce) {
    RunConfig config;
    ASSERT_TRUE(takeOwnParts("fused", config));
    const std::vector<ConfigProblem> problems = validate(config);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].field, "kernels");
    EXPECT_EQ(
        problems[0].sentence,
        "The choice of kernels needs a GPU, since Warpglass's kernels are CUDA kernels: choose library, "
        "or a GPU with --device cuda:0.");
    RunConfig parts;
    ASSERT_TRUE(takeOwnParts("norm+loss", parts));
    ASSERT_EQ(validate(parts).size(), 1u);
    EXPECT_EQ(validate(parts)[0].sentence, problems[0].sentence);
    config.device = "cuda:0";
    EXPECT_TRUE(validate(config).empty());
}

TEST(OwnParts, HaveWorkWhereTheyRunAndAreNotRefused) {
    const auto working = [](const RunConfig& config) {
        std::vector<std::string_view> words;
        for (std::size_t i = 0; i < ownParts().size(); ++i) {
            if (ownPartHasWork(config, i))
                words.push_back(ownParts()[i].word);
        }
        return words;
    };
    RunConfig config;
    EXPECT_THAT(working(config), ElementsAre()) << "the CPU";
    config.device = "cuda:0";
    config.precision = Precision::kBf16;
    config.attention = AttentionVariant::kNaive;
    EXPECT_THAT(working(config),
                ElementsAre("optimizer", "norm", "swiglu", "embedding", "rope", "softmax", "loss", "casts"));
    config.attention = AttentionVariant::kFlash;
    EXPECT_THAT(working(config),
                ElementsAre("optimizer", "norm", "swiglu", "embedding", "rope", "loss", "casts"));
    ASSERT_TRUE(takeOwnParts("casts", config));
    EXPECT_THAT(working(config), testing::Contains("products")) << "of those that casts makes";
    ASSERT_TRUE(takeOwnParts("library", config));
    config.mode = Mode::kForward;
    config.attention = AttentionVariant::kNaive;
    config.precision = Precision::kFp32;
    EXPECT_THAT(working(config), ElementsAre("norm", "swiglu", "rope", "softmax", "loss"));
    for (std::size_t i = 0; i < ownParts().size(); ++i) {
        RunConfig with = config;
        setOwnPart(with, i, true);
        EXPECT_EQ(validate(with).empty(), ownPartHasWork(config, i)) << ownParts()[i].word;
        EXPECT_EQ(ownPartHasWork(with, i), ownPartHasWork(config, i)) << "whatever is chosen";
    }
    config.workload = Workload::kAttention;
    EXPECT_THAT(working(config), ElementsAre());
}

TEST(OwnParts, AlgorithmsAreTriedOutForTheProductsOfCastsUnlessTheSameBitsAreWanted) {
    RunConfig config{
        .precision = Precision::kBf16, .attention = AttentionVariant::kFlash, .device = "cuda:0"};
    const auto triesOut = [&config] { return planOf(productsOf(config)).triesOut; };
    EXPECT_FALSE(triesOut());
    ASSERT_TRUE(takeOwnParts("products", config));
    EXPECT_FALSE(triesOut());
    EXPECT_THAT(validate(config).at(0).sentence, HasSubstr("where \"casts\" makes them"));
    ASSERT_TRUE(takeOwnParts("casts+products", config));
    EXPECT_TRUE(triesOut());
    config.deterministic = Deterministic::kYes;
    EXPECT_FALSE(triesOut());
    EXPECT_THAT(validate(config).at(0).sentence, HasSubstr("not in a run that is to be deterministic"));
    config.deterministic = Deterministic::kNo;
    for (std::int64_t RunConfig::*steps : {&RunConfig::warmup, &RunConfig::steps}) {
        RunConfig without = config;
        without.*steps = 0;
        EXPECT_FALSE(planOf(productsOf(without)).triesOut) << "there is nothing to try them in, or for";
        EXPECT_EQ(validate(without).size(), 1u);
        ASSERT_TRUE(takeOwnParts("fused", without));
        EXPECT_TRUE(validate(without).empty());
    }
    config.precision = Precision::kFp32;
    ASSERT_TRUE(takeOwnParts("fused", config));
    EXPECT_FALSE(triesOut());
    EXPECT_TRUE(validate(config).empty()) << "fused is whatever can be";
}

TEST(OwnParts, AreInTitlesAndFiles) {
    RunConfig config{.device = "cuda:0"};
    ASSERT_TRUE(takeOwnParts("fused", config));
    EXPECT_THAT(shortTitle(config), HasSubstr(" · fused"));
    EXPECT_EQ(configFromPairs(toPairs(config)).value(), config);
    auto older = toPairs(config);
    std::erase_if(older, [](const auto& pair) { return pair.first == "config.kernels"; });
    EXPECT_EQ(ownPartsText(configFromPairs(older).value()), "library");
}

}  // namespace warpglass::test::parts_test
