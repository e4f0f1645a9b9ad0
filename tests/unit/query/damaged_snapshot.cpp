#include "tests/unit/query/damaged_snapshot.h"

#include <functional>
#include <random>

namespace warpglass::test {

namespace {

std::size_t chunksFor(std::uint64_t rows) {
    return static_cast<std::size_t>((rows + kChunkRows - 1) / kChunkRows);
}

/// Called on a chunk's copy when it is loaded; false when the chunk is lost.
struct Hooks {
    std::function<bool(std::size_t lane, std::size_t chunk, SpanChunk&)> span;
    std::function<bool(std::size_t chunk, MemoryEventChunk&)> events;
    std::function<bool(std::size_t chunk, AllocationChunk&)> allocations;
    std::function<bool(std::size_t chunk, SegmentEventChunk&)> segments;
};

template <class Chunk>
std::unique_ptr<ChunkSlot<Chunk>> lazyCopy(std::shared_ptr<const Snapshot> whole, const Chunk* source,
                                           std::function<bool(Chunk&)> hook) {
    return ChunkSlot<Chunk>::makeLazy([whole, source, hook]() -> std::unique_ptr<Chunk> {
        auto copy = std::make_unique<Chunk>(*source);
        return hook(*copy) ? std::move(copy) : nullptr;
    });
}

std::shared_ptr<const Snapshot> mount(std::shared_ptr<const Snapshot> whole, const Hooks& hooks) {
    auto columns = std::make_shared<TraceColumns>();
    SnapshotSizes sizes;
    for (std::size_t i = 0; i < whole->nameCount(); ++i)
        columns->names.pushBack(std::string(whole->name(NameId(i))));
    for (std::size_t i = 0; i < whole->placeCount(); ++i)
        columns->places.pushBack(whole->place(PlaceId(i)));
    for (std::size_t i = 0; i < whole->trackCount(); ++i)
        columns->tracks.pushBack(whole->track(TrackId(i)));
    for (std::size_t i = 0; i < whole->laneCount(); ++i) {
        const SpanLane lane = whole->lane(LaneId(i));
        auto store = std::make_unique<LaneStore>();
        store->track = lane.track();
        store->depth = lane.depth();
        for (std::size_t c = 0; c < lane.chunkCount(); ++c) {
            const TimeRange range = lane.chunkRange(c);
            store->mounted.push_back({range.begin.value, range.end.value});
            store->mips.pushBack(std::make_unique<SpanMip>(lane.mip(c)));
            store->chunks.pushBack(lazyCopy<SpanChunk>(
                whole, lane.chunk(c), [=](SpanChunk& chunk) { return hooks.span(i, c, chunk); }));
        }
        sizes.laneRows.push_back(lane.rows());
        columns->lanes.pushBack(std::move(store));
    }
    for (std::size_t c = 0; c < chunksFor(whole->memoryEventCount()); ++c)
        columns->memoryEvents.pushBack(
            lazyCopy<MemoryEventChunk>(whole, whole->memoryEventChunk(c),
                                       [=](MemoryEventChunk& chunk) { return hooks.events(c, chunk); }));
    for (std::size_t c = 0; c < chunksFor(whole->allocationCount()); ++c)
        columns->allocations.pushBack(
            lazyCopy<AllocationChunk>(whole, whole->allocationChunk(c),
                                      [=](AllocationChunk& chunk) { return hooks.allocations(c, chunk); }));
    for (std::size_t c = 0; c < chunksFor(whole->segmentEventCount()); ++c)
        columns->segmentEvents.pushBack(
            lazyCopy<SegmentEventChunk>(whole, whole->segmentEventChunk(c),
                                        [=](SegmentEventChunk& chunk) { return hooks.segments(c, chunk); }));
    sizes.segmentEvents = whole->segmentEventCount();
    sizes.names = whole->nameCount();
    sizes.places = whole->placeCount();
    sizes.tracks = whole->trackCount();
    sizes.memoryEvents = whole->memoryEventCount();
    sizes.allocations = whole->allocationCount();
    sizes.settledAllocations = whole->allocationCount();
    return std::make_shared<const Snapshot>(columns, sizes, std::vector<Category>(), std::vector<OpenSpan>(),
                                            whole->sharedInfo(), whole->losses(), whole->range().end,
                                            whole->epoch());
}

}  // namespace

MountedRun mountWithDamage(std::shared_ptr<const Snapshot> whole, const Damage& damage) {
    auto loads = std::make_shared<std::size_t>(0);
    const Hooks hooks{
        [=](std::size_t lane, std::size_t chunk, SpanChunk&) {
            ++*loads;
            return !damage.spans.contains({lane, chunk});
        },
        [=](std::size_t chunk, MemoryEventChunk&) { return !damage.memoryEvents.contains(chunk); },
        [=](std::size_t chunk, AllocationChunk&) { return !damage.allocations.contains(chunk); },
        [](std::size_t, SegmentEventChunk&) { return true; }};
    return {mount(std::move(whole), hooks), std::move(loads)};
}

std::shared_ptr<const Snapshot> mountScrambled(std::shared_ptr<const Snapshot> whole, std::uint64_t seed) {
    auto random = std::make_shared<std::mt19937_64>(seed);
    // Now and then any value; now and then a small one, which may well be valid.
    const auto id = [random] {
        const std::uint64_t r = (*random)();
        return static_cast<std::uint32_t>(r % 3 == 0 ? r >> 32 : (r >> 32) % 64);
    };
    const auto signedBelow = [random](int bits) {
        const auto magnitude = static_cast<std::int64_t>((*random)() >> (64 - bits));
        return (*random)() % 4 == 0 ? -magnitude : magnitude;
    };
    const auto someRows = [random](auto&& change) {
        for (std::uint32_t i = 0; i < kChunkRows; ++i) {
            if ((*random)() % 5 == 0)
                change(i);
        }
        return true;
    };
    const Hooks hooks{[=](std::size_t, std::size_t, SpanChunk& chunk) {
                          return someRows([&](std::uint32_t i) {
                              chunk.start[i] = signedBelow(40);
                              chunk.duration[i] = signedBelow(40);
                              chunk.self[i] = signedBelow(40);
                              chunk.name[i] = id();
                              chunk.place[i] = id();
                              chunk.step[i] = static_cast<std::int32_t>(id());
                          });
                      },
                      [=](std::size_t, MemoryEventChunk& chunk) {
                          return someRows([&](std::uint32_t i) {
                              chunk.time[i] = signedBelow(40);
                              chunk.allocation[i] = id();
                              chunk.action[i] = static_cast<MemoryAction>(id() & 0xff);
                          });
                      },
                      [=](std::size_t, AllocationChunk& chunk) {
                          return someRows([&](std::uint32_t i) {
                              chunk.bytes[i] = signedBelow(48);
                              chunk.place[i] = id();
                              chunk.op[i] = id();
                              chunk.category[i] = static_cast<Category>(id() & 0xff);
                          });
                      },
                      [=](std::size_t, SegmentEventChunk& chunk) {
                          return someRows([&](std::uint32_t i) {
                              chunk.time[i] = signedBelow(40);
                              // Often near the others, so that they overlap.
                              chunk.address[i] = (*random)() % 3 == 0
                                                     ? (*random)()
                                                     : chunk.address[(*random)() % (i + 1)] +
                                                           static_cast<std::uint64_t>(signedBelow(24));
                              chunk.bytes[i] = signedBelow((*random)() % 4 == 0 ? 63 : 25);
                              chunk.stream[i] = id();
                              chunk.pool[i] = id();
                              chunk.allocation[i] = id();
                              chunk.action[i] = static_cast<SegmentAction>(id() & 0xff);
                          });
                      }};
    return mount(std::move(whole), hooks);
}

}  // namespace warpglass::test
