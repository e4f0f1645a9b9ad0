// Speed of the queries at the sizes that the design promises: 1 M memory events replayed in under half a
// second, statistics and charts over 10 M spans and 1 M events.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "engine/query/compare/comparison.h"
#include "engine/query/memory/allocation_map.h"
#include "engine/query/memory/memory_breakdown.h"
#include "engine/query/memory/memory_segments.h"
#include "engine/query/memory/memory_timeline.h"
#include "engine/query/memory/memory_tree.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/statistics/duration_distribution.h"
#include "engine/query/statistics/flame.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/query/statistics/span_search.h"
#include "engine/query/statistics/statistics.h"
#include "engine/query/statistics/typed_ops.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/allocator_model.h"
#include "tests/support/synthetic_trace.h"

namespace {

using namespace warpglass;

constexpr std::uint64_t kSpans = 10'000'000;
constexpr std::uint64_t kMemoryEvents = 1'000'000;
constexpr std::uint32_t kLanes = 6;
constexpr std::size_t kChartWidth = 1600;

// Made once: the recording is not what is measured.
std::shared_ptr<const Snapshot> spansRun() {
    static const auto snapshot = test::makeManySpans(kSpans, kLanes);
    return snapshot;
}
std::shared_ptr<const Snapshot> memoryRun() {
    static const auto snapshot = test::makeManyMemoryEvents(kMemoryEvents);
    return snapshot;
}
const MemoryTimeline& memoryTimeline() {
    static const MemoryTimeline timeline = [] {
        MemoryTimeline made;
        made.update(memoryRun());
        return made;
    }();
    return timeline;
}

/// The middle 1/denominator of the run.
TimeRange middleOf(const Snapshot& snapshot, std::int64_t denominator) {
    const std::int64_t end = snapshot.range().end.value;
    const std::int64_t begin = end / 2 - end / denominator / 2;
    return {Nanoseconds(begin), Nanoseconds(begin + end / denominator)};
}

void replayMemoryEvents(benchmark::State& state) {
    const auto snapshot = memoryRun();
    for (auto _ : state) {
        MemoryTimeline timeline;
        timeline.update(snapshot);
        benchmark::DoNotOptimize(timeline.peak());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kMemoryEvents));
}
BENCHMARK(replayMemoryEvents)->Unit(benchmark::kMillisecond);

void memoryColumns(benchmark::State& state) {
    const TimeRange range = middleOf(*memoryRun(), state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(memoryTimeline().columns(range, kChartWidth));
}
BENCHMARK(memoryColumns)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

void memoryAliveAt(benchmark::State& state) {
    const std::int64_t end = memoryRun()->range().end.value;
    std::int64_t i = 0;
    std::size_t alive = 0;
    for (auto _ : state) {
        i = (i + 7919) % 10007;
        alive = memoryTimeline().aliveAt(Nanoseconds(end / 10007 * i)).size();
        benchmark::DoNotOptimize(alive);
    }
    state.counters["alive"] = static_cast<double>(alive);
}
BENCHMARK(memoryAliveAt)->Unit(benchmark::kMicrosecond);

void memoryBreakdownByModule(benchmark::State& state) {
    const Nanoseconds middle = middleOf(*memoryRun(), 2).begin;
    for (auto _ : state)
        benchmark::DoNotOptimize(breakdownAt(memoryTimeline(), middle, BreakdownKey::kModule));
}
BENCHMARK(memoryBreakdownByModule)->Unit(benchmark::kMillisecond);

/// Every allocation of an op that only allocates, for another: 2,000 of them alive.
const MemoryTimeline& memoryOfAllocatingOps() {
    static const MemoryTimeline timeline = [] {
        constexpr std::size_t kAlive = 2000;
        TraceWriter writer;
        const TrackId main = writer.addTrack(TrackKind::kCpuThread, "main");
        const PlaceId place = writer.internPlace({Phase::kForward, writer.internName("blocks.0"), NameId()});
        AllocationRow row;
        row.bytes = row.requested = 512;
        row.place = place;
        row.op = writer.internName("aten::empty_strided");
        const NameId callers[] = {writer.internName("aten::_to_copy"), writer.internName("aten::clone")};
        std::vector<AllocationId> made;
        std::int64_t now = 0;
        for (std::uint64_t i = 0; i < kMemoryEvents / 2; ++i) {
            writer.beginSpan(main, Nanoseconds(++now), callers[i % 2], place, 0);
            writer.beginSpan(main, Nanoseconds(++now), row.op, place, 0);
            made.push_back(writer.appendAllocation(Nanoseconds(++now), row));
            writer.endSpan(main, Nanoseconds(++now));
            writer.endSpan(main, Nanoseconds(++now));
            if (i >= kAlive)
                writer.appendFree(Nanoseconds(++now), made[i - kAlive]);
        }
        writer.settle();
        writer.commit(Nanoseconds(now));
        MemoryTimeline of;
        of.update(writer.feed()->latest());
        return of;
    }();
    return timeline;
}

/// What each move of the cursor costs under a filter by op (0) or text (1): a part of the treemap's 100 ms.
void memoryTreeUnderAFilter(benchmark::State& state) {
    const MemoryTimeline& memory = memoryOfAllocatingOps();
    const Nanoseconds middle = middleOf(*memory.snapshot(), 2).begin;
    AllocationConditions conditions;
    (state.range(0) == 0 ? conditions.made.name : conditions.text) = "aten::clone";
    for (auto _ : state)
        benchmark::DoNotOptimize(
            memoryTreeAt(memory, middle, {BreakdownKey::kModule, BreakdownKey::kOp}, conditions));
}
BENCHMARK(memoryTreeUnderAFilter)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// The map asks of every allocation, once a change of the filter.
void allocationMapUnderAFilter(benchmark::State& state) {
    const MemoryTimeline& memory = memoryOfAllocatingOps();
    AllocationConditions conditions;
    conditions.made.name = "aten::clone";
    for (auto _ : state)
        benchmark::DoNotOptimize(AllocationMap(memory, conditions).size());
}
BENCHMARK(allocationMapUnderAFilter)->Unit(benchmark::kMillisecond);

std::shared_ptr<const Snapshot> allocatorRun() {
    static const auto snapshot = test::makeAllocatorRun(kMemoryEvents);
    return snapshot;
}

void replaySegmentEvents(benchmark::State& state) {
    const auto snapshot = allocatorRun();
    for (auto _ : state) {
        MemorySegments segments;
        segments.update(snapshot);
        benchmark::DoNotOptimize(segments.peakReserved());
    }
    state.counters["events"] = static_cast<double>(snapshot->segmentEventCount());
}
BENCHMARK(replaySegmentEvents)->Unit(benchmark::kMillisecond);

void segmentsAt(benchmark::State& state) {
    MemoryTimeline memory;
    memory.update(allocatorRun());
    MemorySegments segments;
    segments.update(allocatorRun());
    const std::int64_t end = allocatorRun()->range().end.value;
    std::int64_t i = 0;
    for (auto _ : state) {
        i = (i + 7919) % 10007;
        benchmark::DoNotOptimize(segments.at(memory, Nanoseconds(end / 10007 * i)));
    }
}
BENCHMARK(segmentsAt)->Unit(benchmark::kMicrosecond);

void opStatisticsOfAll(benchmark::State& state) {
    const auto snapshot = spansRun();
    for (auto _ : state)
        benchmark::DoNotOptimize(opStatistics(*snapshot, {}));
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSpans));
}
BENCHMARK(opStatisticsOfAll)->Unit(benchmark::kMillisecond);

void opStatisticsOfOnePhase(benchmark::State& state) {
    const auto snapshot = spansRun();
    SpanFilter filter{.phase = Phase::kForward};
    for (auto _ : state)
        benchmark::DoNotOptimize(opStatistics(*snapshot, filter));
}
BENCHMARK(opStatisticsOfOnePhase)->Unit(benchmark::kMillisecond);

void opStatisticsOfARange(benchmark::State& state) {
    const auto snapshot = spansRun();
    SpanFilter filter{.ranges = {middleOf(*snapshot, state.range(0))}};
    for (auto _ : state)
        benchmark::DoNotOptimize(opStatistics(*snapshot, filter));
}
BENCHMARK(opStatisticsOfARange)->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

/// A filter's bar: 300 ms for 10 M spans.
void groupedStatisticsOfAll(benchmark::State& state) {
    const auto snapshot = spansRun();
    const auto grouping = static_cast<SpanGrouping>(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(groupedStatistics(*snapshot, {}, TrackKind::kCpuThread, grouping));
}
BENCHMARK(groupedStatisticsOfAll)->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

/// The spans of a run that was recorded with shapes.
std::shared_ptr<const Snapshot> typedSpansRun() {
    static const auto snapshot = test::makeManySpans(kSpans, kLanes, 1, true);
    return snapshot;
}

void groupedStatisticsWithTypes(benchmark::State& state) {
    const auto snapshot = typedSpansRun();
    const auto grouping = static_cast<SpanGrouping>(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(groupedStatistics(*snapshot, {}, TrackKind::kCpuThread, grouping));
}
BENCHMARK(groupedStatisticsWithTypes)->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

/// For the command line, which has seconds.
void typedOpsOfAll(benchmark::State& state) {
    const auto snapshot = typedSpansRun();
    for (auto _ : state)
        benchmark::DoNotOptimize(typedOps(*snapshot, {}));
}
BENCHMARK(typedOpsOfAll)->Unit(benchmark::kMillisecond);

void groupedStatisticsOfARange(benchmark::State& state) {
    const auto snapshot = spansRun();
    SpanFilter filter{.ranges = {middleOf(*snapshot, state.range(0))}};
    for (auto _ : state)
        benchmark::DoNotOptimize(
            groupedStatistics(*snapshot, filter, TrackKind::kCpuThread, SpanGrouping::kFlat));
}
BENCHMARK(groupedStatisticsOfARange)->Arg(2)->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

/// What typing a text costs: the bar is 300 ms.
void groupedStatisticsOfAText(benchmark::State& state) {
    const auto snapshot = spansRun();
    const auto grouping = static_cast<SpanGrouping>(state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(groupedStatistics(*snapshot, {}, TrackKind::kCpuThread, grouping, "mm"));
}
BENCHMARK(groupedStatisticsOfAText)->Arg(0)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

void durationsOfOneName(benchmark::State& state) {
    const auto snapshot = spansRun();
    SpanSet set{.name = opStatistics(*snapshot, {}).front().name};
    for (auto _ : state)
        benchmark::DoNotOptimize(durationDistribution(*snapshot, set));
}
BENCHMARK(durationsOfOneName)->Unit(benchmark::kMillisecond);

SpanSearch searchFor(std::string_view text) {
    return searchOf(*spansRun(), {true, true, true, true},
                    [text](std::string_view name) { return name.find(text) != std::string_view::npos; });
}

/// Find's bars: all of 10 M spans in 300 ms, the first page in 50 ms. "" matches every span.
void searchAllSpans(benchmark::State& state, std::string_view text) {
    const auto snapshot = spansRun();
    std::int64_t count = 0;
    for (auto _ : state)
        count = searchSpans(*snapshot, searchFor(text)).count;
    state.counters["matches"] = static_cast<double>(count);
}
BENCHMARK_CAPTURE(searchAllSpans, every, "")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchAllSpans, some, "1")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchAllSpans, none, "no such name")->Unit(benchmark::kMillisecond);

void searchFirstPage(benchmark::State& state) {
    const auto snapshot = spansRun();
    for (auto _ : state)
        benchmark::DoNotOptimize(firstMatches(*snapshot, searchFor("1"), 200, 1'000'000));
}
BENCHMARK(searchFirstPage)->Unit(benchmark::kMillisecond);

void searchNext(benchmark::State& state) {
    const auto snapshot = spansRun();
    const SpanSearch search = searchFor("1");
    std::optional<SearchMatch> at;
    for (auto _ : state)
        at = nextMatch(*snapshot, search, at, true);
}
BENCHMARK(searchNext)->Unit(benchmark::kMicrosecond);

void searchColumns(benchmark::State& state) {
    const auto snapshot = spansRun();
    const SpanSearch search = searchFor("1");
    for (auto _ : state)
        benchmark::DoNotOptimize(matchColumns(*snapshot, search, snapshot->range(), kChartWidth));
}
BENCHMARK(searchColumns)->Unit(benchmark::kMillisecond);

// What the charts page computes off the window's thread. These spans are in no steps: all of them count.
SpanFilter allOf(const Snapshot& snapshot) {
    return {.ranges = {snapshot.range()}};
}

void chartFlame(benchmark::State& state) {
    const auto snapshot = spansRun();
    for (auto _ : state)
        benchmark::DoNotOptimize(timeFlame(*snapshot, allOf(*snapshot), state.range(0) == 1).nodes.size());
}
BENCHMARK(chartFlame)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void chartLayers(benchmark::State& state) {
    const auto snapshot = spansRun();
    for (auto _ : state)
        benchmark::DoNotOptimize(layersOf(*snapshot, {}, allOf(*snapshot)).rows.size());
}
BENCHMARK(chartLayers)->Unit(benchmark::kMillisecond);

void chartAttention(benchmark::State& state) {
    const auto snapshot = spansRun();
    for (auto _ : state)
        benchmark::DoNotOptimize(attentionParts(*snapshot, allOf(*snapshot)).rows.size());
}
BENCHMARK(chartAttention)->Unit(benchmark::kMillisecond);

}  // namespace
