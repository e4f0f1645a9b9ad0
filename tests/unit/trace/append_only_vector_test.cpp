#include "engine/trace/append_only_vector.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace warpglass::test::append_only_vector_test {

TEST(AppendOnlyVector, KeepsElementsInPlaceAcrossBlocks) {
    AppendOnlyVector<std::string, 4, 8> v;
    const std::string* first = &v.pushBack("0");
    for (int i = 1; i < 32; ++i)
        v.pushBack(std::to_string(i));
    EXPECT_EQ(&v[0], first);
    ASSERT_EQ(v.size(), 32u);
    EXPECT_TRUE(v.full());
    for (std::size_t i = 0; i < 32; ++i)
        EXPECT_EQ(v[i], std::to_string(i));
}

TEST(AppendOnlyVector, ReadersSeeOnlyCompleteElements) {
    AppendOnlyVector<std::pair<int, int>, 64, 1024> v;
    constexpr int kCount = 50000;
    std::thread reader([&v] {
        std::size_t seen = 0;
        while (seen < kCount) {
            const std::size_t size = v.size();
            for (; seen < size; ++seen) {
                ASSERT_EQ(v[seen].first, static_cast<int>(seen));
                ASSERT_EQ(v[seen].second, static_cast<int>(2 * seen));
            }
        }
    });
    for (int i = 0; i < kCount; ++i)
        v.pushBack({i, 2 * i});
    reader.join();
}

}  // namespace warpglass::test::append_only_vector_test
