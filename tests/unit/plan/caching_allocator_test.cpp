// The model of LibTorch's caching allocator: against a slow one over pages of 512 bytes, against rules by
// hand, and against what the real one did in the sample runs.
#include "engine/plan/caching_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/sample_run.h"

namespace warpglass::test::caching_allocator_test {

using Address = CachingAllocator::Address;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

/// The same rules written down slowly: a segment is an array of pages that are free or somebody's, and
/// everything is searched.
class SlowAllocator {
public:
    explicit SlowAllocator(std::int64_t limit) : m_limit(limit) {}

    /// Nowhere: -1.
    Address allocate(std::int64_t bytes) {
        const std::int64_t size = std::max<std::int64_t>((bytes + 511) / 512, 1) * 512;
        const bool small = size <= kMiB;
        std::vector<std::pair<std::int64_t, Address>> fitting;
        for (const Segment& segment : m_segments)
            for (const auto& [begin, pages] : gapsOf(segment))
                if (segment.small == small && segment.isPrivate == m_private && pages * 512 >= size)
                    fitting.emplace_back(pages * 512, segment.address + begin * 512);
        if (fitting.empty()) {
            const std::int64_t unit = 2 * kMiB;
            const std::int64_t taken = small              ? unit
                                       : size < 10 * kMiB ? 20 * kMiB
                                                          : (size + unit - 1) / unit * unit;
            if (m_limit > 0 && reserved() + taken > m_limit)
                release();
            if (m_limit > 0 && reserved() + taken > m_limit)
                return -1;
            m_segments.push_back({m_addresses.take(taken), small, m_private,
                                  std::vector<Address>(static_cast<std::size_t>(taken / 512), kFree)});
            fitting.emplace_back(taken, m_segments.back().address);
        }
        const auto [available, address] = *std::ranges::min_element(fitting);
        const bool splits = small ? available - size >= 512 : available - size > kMiB;
        const std::int64_t given = splits ? size : available;
        fill(address, given, address);
        m_given[address] = given;
        return address;
    }

    void free(Address address) {
        fill(address, m_given.at(address), kFree);
        m_given.erase(address);
    }

    void release() {
        std::erase_if(m_segments, [this](const Segment& segment) {
            const bool unused =
                std::ranges::all_of(segment.pages, [](Address owner) { return owner == kFree; });
            if (unused)
                m_addresses.give(segment.address, segment.bytes());
            return unused;
        });
    }

    void beginPrivatePool() { m_private = true; }

    std::int64_t given() const {
        std::int64_t sum = 0;
        for (const auto& [address, bytes] : m_given)
            sum += bytes;
        return sum;
    }
    std::int64_t reserved() const {
        std::int64_t sum = 0;
        for (const Segment& segment : m_segments)
            sum += segment.bytes();
        return sum;
    }

private:
    static constexpr Address kFree = -1;
    struct Segment {
        Address address = 0;
        bool small = false, isPrivate = false;
        std::vector<Address> pages;  // whose each is

        std::int64_t bytes() const { return static_cast<std::int64_t>(pages.size()) * 512; }
    };

    static std::vector<std::pair<std::int64_t, std::int64_t>> gapsOf(const Segment& segment) {
        std::vector<std::pair<std::int64_t, std::int64_t>> gaps;
        for (std::size_t i = 0; i < segment.pages.size(); ++i) {
            if (segment.pages[i] != kFree)
                continue;
            if (i == 0 || segment.pages[i - 1] != kFree)
                gaps.emplace_back(static_cast<std::int64_t>(i), 0);
            ++gaps.back().second;
        }
        return gaps;
    }

    void fill(Address address, std::int64_t bytes, Address owner) {
        for (Segment& segment : m_segments) {
            if (address < segment.address || address >= segment.address + segment.bytes())
                continue;
            const auto from = segment.pages.begin() + (address - segment.address) / 512;
            std::fill(from, from + bytes / 512, owner);
        }
    }

    std::int64_t m_limit;
    bool m_private = false;
    std::vector<Segment> m_segments;
    std::map<Address, std::int64_t> m_given;
    DeviceAddresses m_addresses;
};

TEST(CachingAllocator, DoesWhatASlowOneDoes) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        std::mt19937_64 random(seed);
        const auto upTo = [&random](std::int64_t n) {
            return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
        };
        const std::int64_t limit = seed % 3 == 0 ? 150 * kMiB : 0;
        CachingAllocator allocator{Bytes(limit)};
        SlowAllocator slow(limit);
        std::vector<Address> alive;
        std::int64_t peakGiven = 0, peakReserved = 0;
        int refused = 0;
        for (int i = 0; i < 400; ++i) {
            if (!alive.empty() && random() % 5 < 2) {
                const std::size_t which = random() % alive.size();
                allocator.free(alive[which]);
                slow.free(alive[which]);
                alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
            } else if (random() % 100 == 0) {
                allocator.releaseUnused();
                slow.release();
            } else {
                // Sizes that recur, so that there are ties, and those around every border of the rules.
                const std::int64_t borders[] = {512, kMiB, 2 * kMiB, 3 * kMiB, 10 * kMiB, 20 * kMiB};
                const std::int64_t bytes = std::max<std::int64_t>(
                    1, random() % 2 == 0 ? borders[random() % 6] + upTo(3) - 2 : upTo(6 * kMiB));
                const auto address = allocator.allocate(Bytes(bytes));
                const Address expected = slow.allocate(bytes);
                ASSERT_EQ(address.value_or(-1), expected) << "seed " << seed << ", call " << i;
                refused += address ? 0 : 1;
                if (address)
                    alive.push_back(*address);
            }
            ASSERT_EQ(allocator.given().value, slow.given()) << "seed " << seed << ", call " << i;
            ASSERT_EQ(allocator.reserved().value, slow.reserved()) << "seed " << seed << ", call " << i;
            peakGiven = std::max(peakGiven, slow.given());
            peakReserved = std::max(peakReserved, slow.reserved());
            if (i == 300 && seed % 2 == 0) {
                allocator.beginPrivatePool();
                slow.beginPrivatePool();
            }
        }
        EXPECT_EQ(allocator.peakGiven().value, peakGiven);
        EXPECT_EQ(allocator.peakReserved().value, peakReserved);
        EXPECT_EQ(refused > 0, limit > 0);
        for (const Address address : alive)
            allocator.free(address);
        EXPECT_EQ(allocator.given(), Bytes(0));
        EXPECT_EQ(allocator.asked(), Bytes(0));
        allocator.releaseUnused();
        EXPECT_EQ(allocator.reserved(), Bytes(0)) << "what was freed has joined into whole segments again";
    }
}

TEST(CachingAllocator, RoundsSplitsAndJoins) {
    CachingAllocator allocator;
    const Address small = *allocator.allocate(Bytes(1));
    EXPECT_EQ(allocator.givenAt(small), Bytes(512));
    EXPECT_EQ(allocator.reserved(), Bytes(2 * kMiB));
    // 20 MiB are taken for it; what is left of them is split off.
    const Address large = *allocator.allocate(Bytes(kMiB + 1));
    EXPECT_EQ(allocator.givenAt(large), Bytes(kMiB + 512));
    EXPECT_EQ(allocator.reserved(), Bytes(22 * kMiB));
    // A segment of its own, whose rest of 0.5 MiB goes with it.
    const Address own = *allocator.allocate(Bytes(21 * kMiB + kMiB / 2));
    EXPECT_EQ(allocator.givenAt(own), Bytes(22 * kMiB));
    EXPECT_EQ(allocator.asked(), Bytes(1 + kMiB + 1 + 21 * kMiB + kMiB / 2));
    allocator.free(large);
    EXPECT_EQ(*allocator.allocate(Bytes(20 * kMiB)), large) << "both halves are one block again";
    EXPECT_EQ(allocator.reserved(), Bytes(44 * kMiB));
}

TEST(CachingAllocator, AGraphSharesNothing) {
    CachingAllocator allocator;
    const Address before = *allocator.allocate(Bytes(30 * kMiB));
    allocator.free(before);
    allocator.beginPrivatePool();
    EXPECT_NE(*allocator.allocate(Bytes(30 * kMiB)), before);
    EXPECT_EQ(allocator.reserved(), Bytes(60 * kMiB));
}

TEST(CachingAllocator, GivesBackBeforeItRefuses) {
    CachingAllocator allocator(Bytes(50 * kMiB));
    allocator.free(*allocator.allocate(Bytes(30 * kMiB)));
    ASSERT_TRUE(allocator.allocate(Bytes(40 * kMiB)));
    EXPECT_EQ(allocator.reserved(), Bytes(40 * kMiB));
    EXPECT_FALSE(allocator.allocate(Bytes(12 * kMiB)));
    EXPECT_EQ(allocator.given(), Bytes(40 * kMiB)) << "a refusal changes nothing";
}

/// The same said plainly: every 2 MiB of every stretch, held or not.
class PlainAddresses {
public:
    std::int64_t take(std::int64_t bytes) {
        const auto pieces = static_cast<std::size_t>(bytes / kPiece);
        for (auto& [begin, held] : m_stretches) {
            for (std::size_t at = 0; at + pieces <= held.size(); ++at) {
                const auto from = held.begin() + static_cast<std::ptrdiff_t>(at);
                const auto to = from + static_cast<std::ptrdiff_t>(pieces);
                // Only where the gap begins.
                if ((at > 0 && !held[at - 1]) || std::find(from, to, true) != to)
                    continue;
                std::fill(from, to, true);
                return begin + static_cast<std::int64_t>(at) * kPiece;
            }
        }
        const std::int64_t stretch = (bytes + 32 * kMiB - 1) / (32 * kMiB) * 32 * kMiB;
        m_lowest -= stretch;
        m_stretches[m_lowest].resize(static_cast<std::size_t>(stretch / kPiece));
        return take(bytes);
    }
    void give(std::int64_t address, std::int64_t bytes) {
        const auto stretch = std::prev(m_stretches.upper_bound(address));
        const auto from = stretch->second.begin() + (address - stretch->first) / kPiece;
        std::fill(from, from + bytes / kPiece, false);
        if (std::ranges::find(stretch->second, true) == stretch->second.end())
            m_stretches.erase(stretch);
    }

private:
    static constexpr std::int64_t kPiece = 2 * kMiB;
    std::map<std::int64_t, std::vector<bool>> m_stretches;
    std::int64_t m_lowest = std::int64_t{1} << 62;
};

TEST(DeviceAddresses, NeverOverlapAndFillTheLowestGap) {
    std::mt19937_64 random(3);
    DeviceAddresses addresses;
    PlainAddresses plain;
    std::map<std::int64_t, std::int64_t> taken;
    for (int i = 0; i < 3000; ++i) {
        if (!taken.empty() && random() % 3 == 0) {
            const auto which = std::next(taken.begin(), static_cast<std::ptrdiff_t>(random() % taken.size()));
            addresses.give(which->first, which->second);
            plain.give(which->first, which->second);
            taken.erase(which);
            continue;
        }
        const auto bytes = static_cast<std::int64_t>(1 + random() % 40) * 2 * kMiB;
        const std::int64_t address = addresses.take(bytes);
        ASSERT_GE(address, 0);
        ASSERT_EQ(address, plain.take(bytes)) << i;
        const auto after = taken.lower_bound(address);
        ASSERT_TRUE(after == taken.end() || address + bytes <= after->first);
        ASSERT_TRUE(after == taken.begin() || std::prev(after)->first + std::prev(after)->second <= address);
        taken.emplace(address, bytes);
    }
    DeviceAddresses fresh;
    const std::int64_t first = fresh.take(20 * kMiB), second = fresh.take(20 * kMiB);
    EXPECT_EQ(second, first - 32 * kMiB);
    EXPECT_EQ(fresh.take(12 * kMiB), second + 20 * kMiB);
    EXPECT_EQ(fresh.take(12 * kMiB), first + 20 * kMiB);
}

/// Every allocation and free of a run in its order.
void expectWhatLibTorchGave(const Snapshot& run) {
    CachingAllocator allocator;
    std::map<AllocationId, Address> alive;
    std::uint64_t different = 0;
    for (std::uint64_t i = 0; i < run.memoryEventCount(); ++i) {
        const MemoryEvent event = *run.memoryEvent(i);
        if (event.action == MemoryAction::kFree) {
            allocator.free(alive.at(event.allocation));
            continue;
        }
        const AllocationRow row = *run.allocation(event.allocation);
        const Address address = *allocator.allocate(Bytes(row.requested));
        alive[event.allocation] = address;
        different += allocator.givenAt(address).value != row.bytes ? 1 : 0;
    }
    EXPECT_GT(run.memoryEventCount(), 1000u);
    EXPECT_EQ(different, 0u);
    EXPECT_EQ(allocator.peakGiven().value, run.info().getInteger("allocator.peak_allocated_bytes"));
    EXPECT_EQ(allocator.peakReserved().value, run.info().getInteger("allocator.peak_reserved_bytes"));
}

// A graph's replays are no calls of the allocator: the prediction's test has that one.
TEST(CachingAllocator, GivesWhatLibTorchGave) {
    for (const char* name : {"small-fp32-naive", "small-bf16-naive", "small-bf16-flash", "small-no-warmup",
                             "xl-bf16-forward", "xl-bf16-step", "large-fp32-out-of-memory"}) {
        SCOPED_TRACE(name);
        expectWhatLibTorchGave(*openSampleRun(name));
    }
}

}  // namespace warpglass::test::caching_allocator_test
