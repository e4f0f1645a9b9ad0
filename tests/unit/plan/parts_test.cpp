#include "engine/plan/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace warpglass::test::parts_test {

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

}  // namespace warpglass::test::parts_test
