#include "engine/capture/name_registry.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace warpglass::test::name_registry_test {

TEST(NameRegistry, ATextHasOneIdWhereverItStands) {
    const std::string first = "aten::some_op", second = "aten::some_op";
    const std::uint32_t id = NameRegistry::idOf(first);
    EXPECT_EQ(NameRegistry::idOf(second), id);
    EXPECT_EQ(NameRegistry::idOfRecurring(first.c_str()), id);
    EXPECT_EQ(NameRegistry::idOfRecurring(second.c_str()), id);
    EXPECT_EQ(NameRegistry::textOf(id), first);
}

/// One address, ever another text, as an object on the stack has it; among them texts of one beginning, empty
/// ones, and some around the 60 characters up to which a text is remembered.
TEST(NameRegistry, AnotherTextAtTheSameAddressIsAnotherName) {
    std::mt19937 random(4);
    char buffer[256];
    for (int i = 0; i < 20'000; ++i) {
        const std::size_t length = random() % 4 == 0 ? 55 + random() % 12 : random() % 20;
        std::string text(length, 'x');
        if (length > 0)
            text.back() = static_cast<char>('a' + random() % 3);
        std::memcpy(buffer, text.c_str(), length + 1);
        ASSERT_EQ(NameRegistry::textOf(NameRegistry::idOfRecurring(buffer)), text);
    }
}

TEST(NameRegistry, ThreadsAgree) {
    std::vector<std::vector<std::uint32_t>> ids(4);
    std::vector<std::thread> threads;
    for (auto& of : ids)
        threads.emplace_back([&of] {
            for (int i = 0; i < 1000; ++i)
                of.push_back(NameRegistry::idOfRecurring(("thread name " + std::to_string(i)).c_str()));
        });
    for (std::thread& thread : threads)
        thread.join();
    for (const auto& of : ids)
        EXPECT_EQ(of, ids[0]);
}

}  // namespace warpglass::test::name_registry_test
