// Sentences that name the largest of something, held against a recount the slow way, in every sample and in
// runs by chance: the peak's categories (its part of the model is in peak_explanation_test.cpp), the kernel
// that leaves most of the GPU unused, the one allocation that sets the peak, what was alive when memory ran
// out.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/format.h"
#include "engine/query/findings/rules.h"
#include "engine/query/memory/peak_explanation.h"
#include "engine/query/summary/out_of_memory.h"
#include "tests/support/must.h"
#include "tests/unit/query/findings/run_by_hand.h"
#include "tests/unit/query/findings/sample_timeline.h"

namespace warpglass::test::largest_sentences_test {

using testing::HasSubstr;

constexpr unsigned kRuns = 60;

class Chance {
public:
    explicit Chance(unsigned seed) : m_random(seed) {}
    std::int64_t below(std::int64_t n) {
        return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(n));
    }
    template <class T, std::size_t n>
    T of(const std::array<T, n>& values) {
        return values[static_cast<std::size_t>(below(n))];
    }

private:
    std::mt19937_64 m_random;
};

TEST(LargestOfThePeak, AreTheCategoriesThatTheSentenceNames) {
    for (const char* name : kSampleRuns) {
        SCOPED_TRACE(name);
        const MemoryTimeline memory = openSample(name);
        const auto why = must(explainPeak(memory));
        const std::string sentence = why.sentence();
        for (const PeakExplanation::Part& part : {why.held, why.risen}) {
            std::vector<Bytes> sizes(part.byCategory.begin(), part.byCategory.end());
            std::sort(sizes.rbegin(), sizes.rend());
            if (static_cast<double>(sizes[0].value) >= 0.1 * static_cast<double>(part.bytes.value)) {
                EXPECT_THAT(sentence, HasSubstr(" " + formatBytes(sizes[0])));
            }
        }
        EXPECT_EQ(why.categoryBytes, *std::ranges::max_element(why.risen.byCategory));
    }
}

TEST(LargestOfOccupancy, IsTheKernelThatCostsMostInAllItsShapes) {
    constexpr std::array<const char*, 4> kNames = {"kernel_a", "kernel_b", "kernel_c", "kernel_d"};
    int said = 0;
    for (unsigned seed = 1; seed <= kRuns; ++seed) {
        Chance chance(seed);
        RunByHand run;
        std::map<std::string, double> unused;
        for (int i = 0; i < 12; ++i) {
            const std::int64_t time = (1 + chance.below(6)) * kMs;
            const char* const name = chance.of(kNames);
            const auto blocks = static_cast<std::uint32_t>(1 + chance.below(131));
            unused[name] += static_cast<double>(time) * (1 - blocks / 132.0);
            run.add(time, {.name = name, .blocks = blocks});
        }
        const auto most = std::ranges::max_element(
            unused, [](const auto& a, const auto& b) { return a.second < b.second; });
        if (const auto found = finding(findOccupancy, run)) {
            ++said;
            EXPECT_THAT(found->sentence, testing::EndsWith(", " + most->first + " most."));
        }
    }
    EXPECT_GT(said, 50);
}

TEST(LargestAllocation, IsTheOneThatSetsThePeak) {
    constexpr std::array kCategories = {Category::kWeights, Category::kActivations, Category::kTemporaries,
                                        Category::kGradients, Category::kInput};
    int said = 0;
    for (unsigned seed = 1; seed <= kRuns; ++seed) {
        Chance chance(seed);
        RunByHand run;
        run.fillStep();
        std::int64_t largest = 0;
        for (int i = 0; i < 8; ++i) {
            const Category category = chance.of(kCategories);
            const std::int64_t bytes = 1000 * (1 + chance.below(900));
            // One moment has all of them.
            run.allocations.push_back(
                {(100 + chance.below(20)) * kMs, (130 + chance.below(20)) * kMs, bytes, category, "lm_head"});
            if (category != Category::kWeights && category != Category::kGradients)
                largest = std::max(largest, bytes);
        }
        if (const auto found = finding(findOneAllocation, run)) {
            ++said;
            EXPECT_THAT(found->sentence,
                        testing::StartsWith("One allocation of " + formatBytes(Bytes(largest)) + " "));
        }
    }
    EXPECT_GT(said, 10);
}

TEST(LargestAlive, AreThePartsThatTheSentenceNamesFirst) {
    // Each with the part of the model that it is of; the run by hand makes all in the forward pass.
    constexpr std::array<std::pair<const char*, const char*>, 7> kModules = {
        {{"blocks.0.attn", "blocks.*.attn"},
         {"blocks.11.attn.q_proj", "blocks.*.attn"},
         {"blocks.3.ffn.w1", "blocks.*.ffn"},
         {"blocks.4.ffn", "blocks.*.ffn"},
         {"blocks.5", "blocks.* outside its sublayers"},
         {"lm_head", "lm_head"},
         {"", "outside the model"}}};
    constexpr std::array kCategories = {Category::kWeights, Category::kActivations, Category::kTemporaries};
    for (unsigned seed = 1; seed <= kRuns; ++seed) {
        Chance chance(seed);
        RunByHand run;
        run.state = "failed";
        run.info.emplace_back("allocator.request_bytes", "1000");
        run.info.emplace_back("allocator.out_of_memory_ns", std::to_string(200 * kMs));
        std::map<std::pair<std::string, Category>, std::int64_t> parts;
        for (int i = 0; i < 14; ++i) {
            const auto [module, part] = chance.of(kModules);
            const Category category = chance.of(kCategories);
            const std::int64_t bytes = 1'000'003 * (1 + chance.below(900));
            run.allocations.push_back({(100 + i) * kMs, 250 * kMs, bytes, category, module});
            parts[{part, category}] += bytes;
        }
        std::vector<std::pair<std::int64_t, std::string>> sorted;
        for (const auto& [key, bytes] : parts)
            sorted.emplace_back(-bytes, key.first + " " + formatBytes(Bytes(bytes)) + " of " +
                                            std::string(categoryName(key.second)));
        std::ranges::sort(sorted);
        const auto failure = must(outOfMemory(run.timeline()));
        const std::string sentence = aliveSentence(failure, 2);
        EXPECT_THAT(sentence, HasSubstr(": " + sorted[0].second + ", " + sorted[1].second))
            << sentence << "\nbut " << sorted[0].second << ", " << sorted[1].second;
    }
}

}  // namespace warpglass::test::largest_sentences_test
