#include "engine/capture/event_ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>
#include <vector>

namespace warpglass::test::event_ring_test {

TEST(EventRing, TakesAsMuchAsItHoldsAndGivesItBackInOrder) {
    EventRing<int> ring(8);
    for (int i = 0; i < 8; ++i)
        EXPECT_TRUE(ring.tryPush(i));
    EXPECT_FALSE(ring.tryPush(8));
    for (int i = 0; i < 8; ++i) {
        int value = -1;
        ASSERT_TRUE(ring.tryPop(value));
        EXPECT_EQ(value, i);
    }
    int value = -1;
    EXPECT_FALSE(ring.tryPop(value));
}

// Against a std::deque, over many laps, pushed and filled in in place.
TEST(EventRing, AgreesWithAQueue) {
    std::mt19937 random(1);
    EventRing<std::uint32_t> ring(16);
    std::deque<std::uint32_t> oracle;
    for (int i = 0; i < 100000; ++i) {
        if (random() % 2) {
            const std::uint32_t value = static_cast<std::uint32_t>(random());
            const bool inPlace = value % 2 == 0;
            const bool taken = inPlace ? ring.tryEmplace([value](std::uint32_t& place) { place = value; })
                                       : ring.tryPush(value);
            EXPECT_EQ(taken, oracle.size() < 16);
            if (oracle.size() < 16)
                oracle.push_back(value);
        } else {
            std::uint32_t value = 0;
            ASSERT_EQ(ring.tryPop(value), !oracle.empty());
            if (!oracle.empty()) {
                EXPECT_EQ(value, oracle.front());
                oracle.pop_front();
            }
        }
    }
}

struct Item {
    std::uint32_t producer;
    std::uint32_t number;
    std::uint64_t check;
};

// Nothing is lost but what tryPush refused, nothing comes twice, and each producer's values keep their order.
TEST(EventRing, ManyProducers) {
    constexpr std::uint32_t kProducers = 4, kItems = 20000;
    EventRing<Item> ring(256);
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint32_t> running{kProducers};
    std::vector<std::thread> producers;
    for (std::uint32_t p = 0; p < kProducers; ++p) {
        producers.emplace_back([&, p] {
            for (std::uint32_t i = 0; i < kItems; ++i) {
                const Item item{p, i, (std::uint64_t{p} << 32 | i) * 0x9e3779b97f4a7c15ull};
                // One half gives up when the ring is full, the other waits.
                while (!ring.tryPush(item)) {
                    if (p % 2 == 0) {
                        refused.fetch_add(1);
                        break;
                    }
                    std::this_thread::yield();
                }
            }
            running.fetch_sub(1);
        });
    }
    std::vector<std::int64_t> last(kProducers, -1);
    std::uint64_t taken = 0;
    Item item{};
    for (bool ended = false; !ended;) {
        ended = running.load() == 0;
        while (ring.tryPop(item)) {
            ASSERT_LT(item.producer, kProducers);
            ASSERT_EQ(item.check, (std::uint64_t{item.producer} << 32 | item.number) * 0x9e3779b97f4a7c15ull);
            ASSERT_GT(static_cast<std::int64_t>(item.number), last[item.producer]);
            last[item.producer] = item.number;
            ++taken;
        }
    }
    for (std::thread& thread : producers)
        thread.join();
    EXPECT_EQ(taken + refused.load(), std::uint64_t{kProducers} * kItems);
    EXPECT_EQ(last[1], kItems - 1);
    EXPECT_EQ(last[3], kItems - 1);
}

}  // namespace warpglass::test::event_ring_test
