// Which blocks live when, which are the largest and where they lie: against trying every allocation.
#include "engine/query/memory/allocation_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/query/memory/address_regions.h"
#include "tests/support/allocator_model.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/damaged_snapshot.h"

namespace warpglass::test::allocation_map_test {

struct Block {
    std::uint32_t id;
    std::int64_t begin, end, bytes;
};

/// From the snapshot's events, one after another.
std::vector<Block> allBlocks(const Snapshot& snapshot) {
    std::vector<Block> blocks;
    std::map<std::uint32_t, std::size_t> madeAs;
    for (std::uint64_t i = 0; i < snapshot.memoryEventCount(); ++i) {
        const MemoryEvent event = *snapshot.memoryEvent(i);
        if (event.action == MemoryAction::kAllocate) {
            madeAs[event.allocation.value] = blocks.size();
            blocks.push_back({event.allocation.value, event.time, snapshot.range().end.value + 1,
                              snapshot.allocation(event.allocation)->bytes});
        } else {
            Block& made = blocks[madeAs.at(event.allocation.value)];
            made.end = std::max(event.time, made.begin + 1);
        }
    }
    std::erase_if(blocks, [](const Block& b) { return b.bytes <= 0; });
    return blocks;
}

std::vector<std::uint32_t> largestIds(std::vector<Block> blocks, TimeRange range, std::size_t most) {
    std::erase_if(blocks,
                  [&](const Block& b) { return b.begin >= range.end.value || b.end <= range.begin.value; });
    std::ranges::sort(blocks, [](const Block& a, const Block& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.id < b.id;
    });
    blocks.resize(std::min(blocks.size(), most));
    std::vector<std::uint32_t> ids;
    for (const Block& block : blocks)
        ids.push_back(block.id);
    std::ranges::sort(ids);
    return ids;
}

void expectRows(const AllocationMap& map, const std::vector<Block>& blocks) {
    ASSERT_EQ(map.size(), blocks.size());
    for (std::size_t row = 0; row < map.size(); ++row) {
        ASSERT_EQ(map.id(row).value, blocks[row].id);
        ASSERT_EQ(map.begin(row), blocks[row].begin);
        ASSERT_EQ(map.end(row), blocks[row].end);
        ASSERT_EQ(map.bytes(row), blocks[row].bytes);
        ASSERT_EQ(map.rowOf(map.id(row)), row);
    }
}

void expectAgrees(const std::shared_ptr<const Snapshot>& snapshot, std::uint64_t seed, int probes) {
    const MemoryTimeline memory = timelineOf(snapshot);
    const AllocationMap map(memory);
    const std::vector<Block> blocks = allBlocks(*snapshot);
    ASSERT_NO_FATAL_FAILURE(expectRows(map, blocks));
    const auto end = static_cast<std::uint64_t>(snapshot->range().end.value);
    for (int i = 0; i < probes; ++i) {
        const auto a = static_cast<std::int64_t>(nextRandom(seed) % (end + 2));
        const auto b = i % 3 == 0 ? a + 1 : static_cast<std::int64_t>(nextRandom(seed) % (end + 2));
        const TimeRange range{Nanoseconds(std::min(a, b)), Nanoseconds(std::max(a, b))};
        AllocationMap::Sum sum;
        std::int64_t alive = 0;
        for (const Block& block : blocks) {
            if (block.begin < range.end.value && block.end > range.begin.value && range.begin < range.end) {
                ++sum.count;
                sum.bytes += block.bytes;
            }
            alive += block.begin <= a && block.end > a ? block.bytes : 0;
        }
        ASSERT_EQ(map.livingWithin(range), sum);
        ASSERT_EQ(map.bytesAt(a), alive);
        const auto most = static_cast<std::size_t>(nextRandom(seed) % 500 + 1);
        std::vector<std::uint32_t> ids;
        for (const std::uint32_t row : map.largestWithin(range, most))
            ids.push_back(map.id(row).value);
        ASSERT_EQ(ids,
                  range.begin < range.end ? largestIds(blocks, range, most) : std::vector<std::uint32_t>());
        std::int64_t visited = 0;
        map.forEachWithin(range, [&](std::uint32_t) { ++visited; });
        ASSERT_EQ(visited, range.begin < range.end ? sum.count : 0);
    }
}

TEST(AllocationMap, AgreesWithTryingEveryAllocation) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        SyntheticOptions options;
        options.config.seed = seed;
        options.allocatorEvents = seed == 3 ? 3000 : 0;
        expectAgrees(makeSyntheticRun(options), seed, 60);
    }
}

TEST(AllocationMap, OfManyEveryAllocationHasItsRowAndOfAFilterThoseThatPass) {
    // Enough that stretches of them are taken on more than one thread.
    const auto snapshot = makeManyMemoryEvents(500'000, 11);
    const MemoryTimeline memory = timelineOf(snapshot);
    std::vector<Block> blocks = allBlocks(*snapshot);
    ASSERT_GT(blocks.size(), 200'000u);
    ASSERT_NO_FATAL_FAILURE(expectRows(AllocationMap(memory), blocks));

    AllocationConditions conditions;
    conditions.category = snapshot->categoryOf(AllocationId(blocks[blocks.size() / 3].id));
    std::erase_if(blocks, [&](const Block& b) {
        return snapshot->categoryOf(AllocationId(b.id)) != conditions.category;
    });
    ASSERT_GT(blocks.size(), 1000u);
    const AllocationMap filtered(memory, conditions);
    ASSERT_NO_FATAL_FAILURE(expectRows(filtered, blocks));
    EXPECT_EQ(filtered.livingWithin(snapshot->range()).count, static_cast<std::int64_t>(blocks.size()));
}

TEST(AllocationMap, TheLargestOfMoreThanOneListAreTheLargestOfAll) {
    // Some 50,000 allocations: two nested lists and the whole.
    const auto snapshot = makeManyMemoryEvents(100'000, 4);
    const MemoryTimeline memory = timelineOf(snapshot);
    const AllocationMap map(memory);
    ASSERT_GT(map.size(), 40'000u);
    std::vector<Block> blocks;
    for (std::size_t row = 0; row < map.size(); ++row)
        blocks.push_back({map.id(row).value, map.begin(row), map.end(row), map.bytes(row)});
    std::uint64_t seed = 5;
    const auto end = static_cast<std::uint64_t>(snapshot->range().end.value);
    for (const std::size_t most : {1u, 100u, 16'384u, 20'000u, 1'000'000u}) {
        for (int i = 0; i < 6; ++i) {
            const auto a = static_cast<std::int64_t>(nextRandom(seed) % end);
            const TimeRange range =
                i == 0 ? snapshot->range() : TimeRange{Nanoseconds(a), Nanoseconds(a + (1 << (4 * i)))};
            std::vector<std::uint32_t> ids;
            for (const std::uint32_t row : map.largestWithin(range, most))
                ids.push_back(map.id(row).value);
            ASSERT_EQ(ids, largestIds(blocks, range, most)) << most << " within " << range.begin.value;
        }
    }
}

void expectPlaces(const std::shared_ptr<const Snapshot>& snapshot) {
    const MemoryTimeline memory = timelineOf(snapshot);
    const AllocationMap map(memory);
    ASSERT_TRUE(map.hasPlaces());
    std::int64_t place = 0;
    std::uint64_t last = 0;
    for (const AllocationMap::Piece& piece : map.pieces()) {
        EXPECT_EQ(piece.place, place);
        EXPECT_GT(piece.address, last) << "a gap lies between two pieces";
        place += piece.bytes;
        last = piece.address + static_cast<std::uint64_t>(piece.bytes);
    }
    EXPECT_EQ(map.placeEnd(), place);
    EXPECT_FALSE(map.placeAt(last)) << "it is beyond the last piece";
    for (std::size_t row = 0; row < map.size(); ++row) {
        ASSERT_EQ(map.addressAt(map.place(row)), snapshot->allocation(map.id(row))->address);
        ASSERT_EQ(map.placeAt(snapshot->allocation(map.id(row))->address), map.place(row));
        ASSERT_LE(map.place(row) + map.bytes(row), place);
    }
    // No two that live at once overlap, as in the allocator.
    for (const std::int64_t t : {snapshot->range().end.value / 3, snapshot->range().end.value / 2}) {
        std::vector<std::pair<std::int64_t, std::int64_t>> held;
        map.forEachWithin({Nanoseconds(t), Nanoseconds(t + 1)}, [&](std::uint32_t row) {
            held.emplace_back(map.place(row), map.place(row) + map.bytes(row));
        });
        ASSERT_GT(held.size(), 20u);
        std::ranges::sort(held);
        for (std::size_t i = 1; i < held.size(); ++i)
            ASSERT_LE(held[i - 1].second, held[i].first);
    }
}

TEST(AllocationMap, PlacesKeepAddressesApartAndLeaveOutTheGaps) {
    expectPlaces(makeAllocatorRun(4000, 7));
}

TEST(AllocationMap, SoDoThoseOfMany) {
    expectPlaces(makeAllocatorRun(300'000, 8));
}

TEST(AllocationMap, ARunWithoutSegmentsHasNoPlacesAndAnEmptyOneNothing) {
    EXPECT_FALSE(AllocationMap(timelineOf(makeSyntheticRun())).hasPlaces());
    const AllocationMap none{MemoryTimeline()};
    EXPECT_EQ(none.size(), 0u);
    const TimeRange all{Nanoseconds(0), Nanoseconds(100)};
    EXPECT_TRUE(none.largestWithin(all, 10).empty());
    EXPECT_EQ(none.livingWithin(all), AllocationMap::Sum());
}

TEST(AllocationMap, DamageAndNonsenseAreLeftOut) {
    const auto whole = makeSyntheticRun({.allocatorEvents = 2000});
    Damage damage;
    damage.allocations.insert(0);
    EXPECT_EQ(AllocationMap(timelineOf(mountWithDamage(whole, damage).snapshot)).size(), 0u);
    for (std::uint64_t seed = 1; seed < 20; ++seed) {
        const MemoryTimeline scrambled = timelineOf(mountScrambled(whole, seed));
        const AllocationMap map(scrambled);
        for (std::size_t row = 0; row < map.size(); ++row) {
            ASSERT_LT(map.begin(row), map.end(row));
            ASSERT_GT(map.bytes(row), 0);
            ASSERT_LE(map.hasPlaces() ? map.place(row) : 0, map.placeEnd());
        }
        const TimeRange all{Nanoseconds(0), Nanoseconds(std::int64_t{1} << 41)};
        EXPECT_EQ(map.livingWithin(all).count, static_cast<std::int64_t>(map.size()));
        EXPECT_EQ(map.largestWithin(all, 50).size(), std::min<std::size_t>(50, map.size()));
    }
}

TEST(AddressRegions, AGapLargerThanBothRangesBesideItPartsThem) {
    // The second gap is larger than the range below it alone, the third than both.
    const std::vector<AllocationMap::Piece> pieces = {
        {1000, 20, 0}, {1040, 30, 20}, {1110, 50, 50}, {1211, 40, 100}};
    EXPECT_EQ(addressRegions(pieces),
              (std::vector<AddressRegion>{{1000, 0, 100, 3, 0}, {1211, 100, 140, 1, 51}}));
    EXPECT_TRUE(addressRegions({}).empty());
}

TEST(AddressRegions, CoverThePiecesOfARun) {
    const AllocationMap map(timelineOf(makeAllocatorRun(3000, 5)));
    std::int64_t end = 0, ranges = 0;
    for (const AddressRegion& region : addressRegions(map.pieces())) {
        EXPECT_EQ(region.from, end);
        EXPECT_EQ(map.addressAt(region.from), region.address);
        end = region.to;
        ranges += region.ranges;
    }
    EXPECT_EQ(end, map.placeEnd());
    EXPECT_EQ(ranges, static_cast<std::int64_t>(map.pieces().size()));
}

}  // namespace warpglass::test::allocation_map_test
