#include "engine/trace/derived_facts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace warpglass {
namespace {

TEST(DerivedFacts, AreComputedOnceForAllThreads) {
    DerivedFacts facts;
    std::atomic<int> made = 0;
    std::vector<std::shared_ptr<const std::string>> seen(8);
    std::vector<std::thread> threads;
    for (auto& each : seen)
        threads.emplace_back([&] {
            each = facts.get<std::string>({}, 0, [&] {
                ++made;
                std::this_thread::yield();
                return std::string("roof");
            });
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(made, 1);
    for (const auto& each : seen) {
        EXPECT_EQ(each, seen.front());
        EXPECT_EQ(*each, "roof");
    }
}

TEST(DerivedFacts, AreKeptApartByTypeAndVariant) {
    DerivedFacts facts;
    EXPECT_EQ(*facts.get<int>({}, 0, [] { return 1; }), 1);
    EXPECT_EQ(*facts.get<int>("of the GPU", 0, [] { return 2; }), 2);
    EXPECT_EQ(*facts.get<long>({}, 0, [] { return 3L; }), 3);
    EXPECT_EQ(*facts.get<int>({}, 0, [] { return 4; }), 1) << "the first answer stands";
}

TEST(DerivedFacts, AreDerivedAnewForAnotherVersion) {
    DerivedFacts facts;
    const auto before = facts.get<int>({}, 0, [] { return 1; });
    EXPECT_EQ(*facts.get<int>({}, 3, [] { return 2; }), 2);
    EXPECT_EQ(*facts.get<int>({}, 3, [] { return 4; }), 2);
    EXPECT_EQ(*before, 1) << "whoever holds the former keeps it";
}

TEST(DerivedFacts, MayAskForFactsOfAnotherType) {
    DerivedFacts facts;
    const auto outer = facts.get<std::string>(
        {}, 0, [&] { return std::to_string(*facts.get<int>({}, 0, [] { return 7; })) + " of it"; });
    EXPECT_EQ(*outer, "7 of it");
}

TEST(DerivedFacts, AreTriedAgainWhereComputingThemFailed) {
    DerivedFacts facts;
    EXPECT_THROW(facts.get<int>({}, 0, []() -> int { throw std::runtime_error("no memory"); }),
                 std::runtime_error);
    EXPECT_EQ(*facts.get<int>({}, 0, [] { return 5; }), 5);
}

}  // namespace
}  // namespace warpglass
