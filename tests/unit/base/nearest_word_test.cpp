// The nearest word, and its count of slips against a search through all edits.
#include "engine/base/nearest_word.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

namespace warpglass::test::nearest_word_test {

constexpr std::array<std::string_view, 7> kCommands = {"devices", "estimate", "run",     "info",
                                                       "stats",   "compare",  "findings"};

TEST(NearestWord, OfOneSlip) {
    EXPECT_EQ(nearestWord("inof", kCommands), "info");
    EXPECT_EQ(nearestWord("stat", kCommands), "stats");
    EXPECT_EQ(nearestWord("compares", kCommands), "compare");
    EXPECT_EQ(nearestWord("fimdings", kCommands), "findings");
    EXPECT_EQ(nearestWord("Run", kCommands), "run");
}

TEST(NearestWord, OfTwoSlipsInALongWord) {
    EXPECT_EQ(nearestWord("esitmat", kCommands), "estimate");
    EXPECT_EQ(nearestWord("rnu", kCommands), "run");
    EXPECT_EQ(nearestWord("rxy", kCommands), "");
}

TEST(NearestWord, IsNoneWhereNoneIsNear) {
    EXPECT_EQ(nearestWord("frobnicate", kCommands), "");
    EXPECT_EQ(nearestWord("", kCommands), "");
    EXPECT_EQ(nearestWord("x", std::array<std::string_view, 1>{"y"}), "");
    EXPECT_EQ(nearestWord("run", {}), "");
    EXPECT_EQ(nearestWord(std::string(1'000'000, 'r'), kCommands), "");
}

TEST(NearestWord, TheFirstOfEquallyNearOnes) {
    EXPECT_EQ(nearestWord("bat", std::array<std::string_view, 2>{"cat", "rat"}), "cat");
    EXPECT_EQ(nearestWord("bat", std::array<std::string_view, 3>{"cat", "bat", "rat"}), "bat");
}

TEST(NearestWord, IsASentenceOfItsOwn) {
    EXPECT_EQ(didYouMean("inof", kCommands), " Did you mean info?");
    EXPECT_EQ(didYouMean("frobnicate", kCommands), "");
}

/// All words that one slip makes of `word`, over two letters.
std::set<std::string> afterOneSlip(const std::string& word) {
    std::set<std::string> made;
    for (std::size_t i = 0; i <= word.size(); ++i) {
        for (const char letter : {'a', 'b'}) {
            made.insert(word.substr(0, i) + letter + word.substr(i));
            if (i < word.size())
                made.insert(word.substr(0, i) + letter + word.substr(i + 1));
        }
        if (i < word.size())
            made.insert(word.substr(0, i) + word.substr(i + 1));
        if (i + 1 < word.size())
            made.insert(word.substr(0, i) + word[i + 1] + word[i] + word.substr(i + 2));
    }
    made.erase(word);
    return made;
}

TEST(NearestWord, FindsWhatOneSlipMadeAndNothingFurther) {
    std::mt19937 random(20261122);
    for (int round = 0; round < 200; ++round) {
        std::string word(3 + random() % 3, 'a');
        for (char& letter : word)
            letter = random() % 2 == 0 ? 'a' : 'b';
        const std::set<std::string> near = afterOneSlip(word);
        for (const std::string& slipped : near) {
            const std::array<std::string_view, 1> known = {word};
            // At least one slip is allowed in so few letters; a word of two letters may have none in common.
            EXPECT_EQ(nearestWord(slipped, known), word) << slipped;
        }
        const std::array<std::string_view, 1> other = {word};
        for (const std::string& slipped : near) {
            for (const std::string& twice : afterOneSlip(slipped)) {
                if (twice != word && !near.contains(twice) && twice.size() < 6) {
                    EXPECT_EQ(nearestWord(twice, other), "") << twice << " from " << word;
                }
            }
        }
    }
}

}  // namespace warpglass::test::nearest_word_test
