// What the memory page computes at 1 M allocations: the index of the allocation map (off the window's
// thread), a view's geometry over 1,600 columns at any zoom, and the treemap of a moment. The bar of a view's
// geometry and of a treemap is 100 ms.
#include <benchmark/benchmark.h>

#include <QRectF>
#include <memory>

#include "engine/query/memory/memory_between.h"
#include "engine/query/memory/memory_groups.h"
#include "tests/support/synthetic_trace.h"
#include "ui/memory/allocation_geometry.h"
#include "ui/memory/treemap_view.h"

namespace warpglass::ui {
namespace {

constexpr std::size_t kAllocations = 1'000'000;
constexpr double kWidth = 1600, kHeight = 500;

/// As many allocations in slots of a segment, some 2,000 alive at once; or none ever freed.
std::shared_ptr<const Snapshot> makeRun(bool freed) {
    constexpr std::int64_t kSlot = std::int64_t{2} << 20;
    constexpr std::size_t kSlots = 2000;
    TraceWriter writer;
    SegmentEvent segment;
    segment.address = 0x7f0000000000u;
    segment.bytes = kSlot * static_cast<std::int64_t>(freed ? kSlots : kAllocations);
    writer.appendSegmentEvent(segment);
    std::vector<PlaceId> places;
    for (int block = 0; block < 48; ++block) {
        const NameId module = writer.internName("blocks." + std::to_string(block) + ".attn");
        places.push_back(writer.internPlace({Phase::kForward, module, {}}));
        places.push_back(writer.internPlace({Phase::kBackward, module, {}}));
    }
    const NameId ops[] = {writer.internName("aten::mm"), writer.internName("aten::add"),
                          writer.internName("aten::_softmax")};
    struct Held {
        AllocationId id;
        std::size_t slot;
    };
    std::vector<Held> held;
    std::vector<std::size_t> freeSlots;
    std::size_t nextSlot = 0;
    std::uint64_t random = 17;
    std::int64_t time = 0;
    for (std::size_t i = 0; i < kAllocations; ++i) {
        while (freed && held.size() >= kSlots) {
            const std::size_t back = std::min<std::size_t>(held.size() - 1, test::nextRandom(random) % 400);
            const std::size_t at = held.size() - 1 - back;
            writer.appendFree(Nanoseconds(time += 500), held[at].id);
            freeSlots.push_back(held[at].slot);
            held[at] = held.back();
            held.pop_back();
        }
        const std::uint64_t r = test::nextRandom(random);
        std::size_t slot = nextSlot;
        if (freeSlots.empty()) {
            ++nextSlot;
        } else {
            slot = freeSlots.back();
            freeSlots.pop_back();
        }
        AllocationRow row;
        row.bytes = row.requested = static_cast<std::int64_t>(512 + r % 4096 * (1u << ((r >> 20) % 9)));
        row.address = segment.address + static_cast<std::uint64_t>(slot) * kSlot;
        row.place = places[(r >> 30) % places.size()];
        row.op = ops[(r >> 40) % 3];
        row.category = static_cast<Category>((r >> 50) % (kStoredCategoryCount - 1));
        held.push_back({writer.appendAllocation(Nanoseconds(time += 500), row), slot});
        if (i % 20'000 == 0)
            writer.settle();
    }
    writer.settle();
    writer.commit(Nanoseconds(time));
    return writer.feed()->latest();
}

const MemoryTimeline& timeline(bool freed) {
    static std::unique_ptr<MemoryTimeline> made[2];
    if (!made[freed]) {
        made[freed] = std::make_unique<MemoryTimeline>();
        made[freed]->update(makeRun(freed));
    }
    return *made[freed];
}

const AllocationMap& map() {
    static const AllocationMap made(timeline(true));
    return made;
}

/// The middle of the run at one zoom; `zoom` is the binary logarithm of run over view.
TimeRange middle(std::int64_t zoom) {
    const std::int64_t end = timeline(true).snapshot()->range().end.value;
    const std::int64_t width = end >> zoom;
    return {Nanoseconds((end - width) / 2), Nanoseconds((end + width) / 2)};
}

void mapIndex(benchmark::State& state) {
    const MemoryTimeline& memory = timeline(true);
    for (auto _ : state)
        benchmark::DoNotOptimize(AllocationMap(memory).size());
}
BENCHMARK(mapIndex)->Unit(benchmark::kMillisecond);

void mapByAddress(benchmark::State& state) {
    const MapViewport view{middle(state.range(0)), 0, static_cast<double>(map().placeEnd()), kWidth, kHeight};
    std::size_t rects = 0;
    for (auto _ : state) {
        const MapGeometry geometry = addressGeometry(map(), view);
        rects = geometry.blocks.size() + geometry.merged.size();
    }
    state.counters["rects"] = static_cast<double>(rects);
    state.counters["in view"] = static_cast<double>(map().livingWithin(view.time).count);
}
BENCHMARK(mapByAddress)->DenseRange(0, 12, 3)->Unit(benchmark::kMillisecond);

void mapByBirth(benchmark::State& state) {
    const double peak = static_cast<double>(sumOf(timeline(true).peak()->bytes));
    const MapViewport view{middle(state.range(0)), 0, peak, kWidth, kHeight};
    std::size_t rects = 0;
    for (auto _ : state) {
        std::vector<std::int64_t> moments;
        for (const MemoryColumn& column : timeline(true).columns(view.time, static_cast<std::size_t>(kWidth)))
            moments.push_back(column.peakTime.value);
        const MapGeometry geometry = stackGeometry(map(), view, moments);
        rects = geometry.blocks.size() + geometry.merged.size();
    }
    state.counters["rects"] = static_cast<double>(rects);
}
BENCHMARK(mapByBirth)->DenseRange(0, 12, 3)->Unit(benchmark::kMillisecond);

/// What a treemap of a moment takes: 2,000 alive of 1 M, or all of them.
void treemap(benchmark::State& state) {
    const MemoryTimeline& memory = timeline(state.range(0) == 0);
    const Nanoseconds end = memory.snapshot()->range().end;
    std::size_t cells = 0;
    for (auto _ : state) {
        const MemoryTreeNode tree = memoryTreeAt(
            memory, end, {BreakdownKey::kCategory, BreakdownKey::kModuleGroup, BreakdownKey::kModule});
        cells = layOutTree(tree, {}, QRectF(0, 0, 500, 400)).size();
    }
    state.counters["cells"] = static_cast<double>(cells);
}
BENCHMARK(treemap)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void memoryByModule(benchmark::State& state) {
    const MemoryTimeline& memory = timeline(true);
    for (auto _ : state)
        benchmark::DoNotOptimize(MemoryGroups(memory, MemoryGrouping::kModule).names().size());
}
BENCHMARK(memoryByModule)->Unit(benchmark::kMillisecond);

/// A frame of the stack by module, over the whole run.
void memoryByModuleColumns(benchmark::State& state) {
    const MemoryTimeline& memory = timeline(true);
    static const MemoryGroups groups(memory, MemoryGrouping::kModule);
    for (auto _ : state) {
        MemoryGroups::Cursor cursor(groups, memory);
        for (const MemoryColumn& column : memory.columns(middle(0), static_cast<std::size_t>(kWidth)))
            benchmark::DoNotOptimize(cursor.after(column.peakEvents));
    }
}
BENCHMARK(memoryByModuleColumns)->Unit(benchmark::kMillisecond);

void betweenTheEnds(benchmark::State& state) {
    const MemoryTimeline& memory = timeline(true);
    for (auto _ : state)
        benchmark::DoNotOptimize(memoryBetween(memory, middle(0), BreakdownKey::kModule).rows.size());
}
BENCHMARK(betweenTheEnds)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace warpglass::ui
