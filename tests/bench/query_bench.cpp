// Speed of the queries at the sizes that the design promises: 1 M memory events replayed in under half a
// second, statistics and charts over 10 M spans and 1 M events.
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>
#include <string_view>
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
#include "tests/support/timeline_of.h"

namespace {

using namespace warpglass;

constexpr std::uint64_t kSpans = 10'000'000;
constexpr std::uint64_t kMemoryEvents = 1'000'000;
constexpr std::uint32_t kLanes = 6;
constexpr std::size_t kChartWidth = 1600;

// Made once: the recording is not what is measured.
const std::shared_ptr<const Snapshot>& spansRun() {
    static const auto snapshot = test::makeManySpans(kSpans, kLanes);
    return snapshot;
}
const SpanSet& spansOfOneName() {
    static const SpanSet set{.name = opStatistics(*spansRun(), {}).front().name};
    return set;
}
/// The spans of a run that was recorded with shapes.
const std::shared_ptr<const Snapshot>& typedSpansRun() {
    static const auto snapshot = test::makeManySpans(kSpans, kLanes, 1, true);
    return snapshot;
}
const std::shared_ptr<const Snapshot>& allocatorRun() {
    static const auto snapshot = test::makeAllocatorRun(kMemoryEvents);
    return snapshot;
}
struct SegmentsOfRun {
    MemoryTimeline memory;
    MemorySegments segments;
};
const SegmentsOfRun& allocatorMemory() {
    static const SegmentsOfRun made = [] {
        SegmentsOfRun of{test::timelineOf(allocatorRun()), {}};
        of.segments.update(allocatorRun());
        return of;
    }();
    return made;
}
const MemoryTimeline& memoryTimeline() {
    static const MemoryTimeline timeline = test::timelineOf(test::makeManyMemoryEvents(kMemoryEvents));
    return timeline;
}

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
        return test::timelineOf(writer.feed()->latest());
    }();
    return timeline;
}

/// The middle 1/denominator of the run.
TimeRange middleOf(const Snapshot& snapshot, std::int64_t denominator) {
    const std::int64_t end = snapshot.range().end.value;
    const std::int64_t begin = end / 2 - end / denominator / 2;
    return {Nanoseconds(begin), Nanoseconds(begin + end / denominator)};
}

/// Another moment of the run each time.
Nanoseconds nextMoment(const Snapshot& snapshot) {
    static std::int64_t s_moment = 0;
    s_moment = (s_moment + 7919) % 10007;
    return Nanoseconds(snapshot.range().end.value / 10007 * s_moment);
}

using Argument = std::int64_t;

/// What a question costs with each argument: `ask(of(), argument)`.
template <class Of, class Ask>
benchmark::internal::Benchmark* measure(const char* name, Of of, Ask ask,
                                        const std::vector<Argument>& arguments = {0}) {
    auto* const measured = benchmark::RegisterBenchmark(name, [of, ask](benchmark::State& state) {
        const auto& subject = of();
        for (auto _ : state)
            benchmark::DoNotOptimize(ask(subject, state.range(0)));
    });
    for (const Argument argument : arguments)
        measured->Arg(argument);
    return measured->Unit(benchmark::kMillisecond);
}

using Run = std::shared_ptr<const Snapshot>;

void measureMemory() {
    measure("replayMemoryEvents", memoryTimeline, [](const MemoryTimeline& memory, Argument) {
        return test::timelineOf(memory.snapshot()).peak();
    });
    measure("memoryColumns", memoryTimeline,
            [](const MemoryTimeline& memory, Argument part) {
                return memory.columns(middleOf(*memory.snapshot(), part), kChartWidth);
            },
            {1, 10, 100, 1000, 100000});
    measure("memoryAliveAt", memoryTimeline, [](const MemoryTimeline& memory, Argument) {
        return memory.aliveAt(nextMoment(*memory.snapshot()));
    })->Unit(benchmark::kMicrosecond);
    measure("memoryBreakdownByModule", memoryTimeline, [](const MemoryTimeline& memory, Argument) {
        return breakdownAt(memory, middleOf(*memory.snapshot(), 2).begin, BreakdownKey::kModule);
    });
    // What each move of the cursor costs under a filter by op (0) or text (1), in the treemap's 100 ms.
    measure("memoryTreeUnderAFilter", memoryOfAllocatingOps,
            [](const MemoryTimeline& memory, Argument byText) {
                AllocationConditions conditions;
                (byText == 0 ? conditions.made.name : conditions.text) = "aten::clone";
                return memoryTreeAt(memory, middleOf(*memory.snapshot(), 2).begin,
                                    {BreakdownKey::kModule, BreakdownKey::kOp}, conditions);
            },
            {0, 1});
    // The map asks of every allocation, once a change of the filter.
    measure("allocationMapUnderAFilter", memoryOfAllocatingOps, [](const MemoryTimeline& memory, Argument) {
        AllocationConditions conditions;
        conditions.made.name = "aten::clone";
        return AllocationMap(memory, conditions).size();
    });
    measure("replaySegmentEvents", allocatorRun, [](const Run& run, Argument) {
        MemorySegments segments;
        segments.update(run);
        return segments.peakReserved();
    });
    measure("segmentsAt", allocatorMemory, [](const SegmentsOfRun& of, Argument) {
        return of.segments.at(of.memory, nextMoment(*of.memory.snapshot()));
    })->Unit(benchmark::kMicrosecond);
}

void measureStatistics() {
    measure("opStatisticsOfAll", spansRun, [](const Run& run, Argument) { return opStatistics(*run, {}); });
    measure("opStatisticsOfOnePhase", spansRun,
            [](const Run& run, Argument) { return opStatistics(*run, {.phase = Phase::kForward}); });
    measure(
        "opStatisticsOfARange", spansRun,
        [](const Run& run, Argument part) { return opStatistics(*run, {.ranges = {middleOf(*run, part)}}); },
        {10, 1000});
    // A filter's bar: 300 ms for 10 M spans; and so for what typing a text costs.
    const auto grouped = [](const SpanFilter& filter, std::string_view text) {
        return [filter, text](const Run& run, Argument grouping) {
            return groupedStatistics(*run, filter, TrackKind::kCpuThread, static_cast<SpanGrouping>(grouping),
                                     text);
        };
    };
    measure("groupedStatisticsOfAll", spansRun, grouped({}, ""), {0, 1, 2});
    measure("groupedStatisticsWithTypes", typedSpansRun, grouped({}, ""), {0, 1, 2});
    measure("groupedStatisticsOfAText", spansRun, grouped({}, "mm"), {0, 1, 2});
    measure("groupedStatisticsOfARange", spansRun,
            [](const Run& run, Argument part) {
                return groupedStatistics(*run, {.ranges = {middleOf(*run, part)}}, TrackKind::kCpuThread,
                                         SpanGrouping::kFlat);
            },
            {2, 10, 1000});
    // For the command line, which has seconds.
    measure("typedOpsOfAll", typedSpansRun, [](const Run& run, Argument) { return typedOps(*run, {}); });
    measure("durationsOfOneName", spansOfOneName,
            [](const SpanSet& set, Argument) { return durationDistribution(*spansRun(), set); });
}

SpanSearch searchFor(const Run& run, std::string_view text) {
    return searchOf(*run, {true, true, true, true},
                    [text](std::string_view name) { return name.find(text) != std::string_view::npos; });
}

/// Find's bars: all of 10 M spans in 300 ms, the first page in 50 ms.
void measureSearch() {
    // "" matches every span, "1" some, and the last none.
    measure("searchAllSpans", spansRun,
            [](const Run& run, Argument text) {
                constexpr std::string_view kTexts[] = {"", "1", "no such name"};
                return searchSpans(*run, searchFor(run, kTexts[text])).count;
            },
            {0, 1, 2});
    measure("searchFirstPage", spansRun,
            [](const Run& run, Argument) { return firstMatches(*run, searchFor(run, "1"), 200, 1'000'000); });
    measure("searchNext", spansRun, [](const Run& run, Argument) {
        static const SpanSearch search = searchFor(run, "1");
        static std::optional<SearchMatch> s_at;
        return s_at = nextMatch(*run, search, s_at, true);
    })->Unit(benchmark::kMicrosecond);
    measure("searchColumns", spansRun, [](const Run& run, Argument) {
        static const SpanSearch search = searchFor(run, "1");
        return matchColumns(*run, search, run->range(), kChartWidth);
    });
}

/// What the charts page computes off the window's thread. These spans are in no steps: all of them count.
void measureCharts() {
    const auto allOf = [](const Run& run) { return SpanFilter{.ranges = {run->range()}}; };
    measure("chartFlame", spansRun,
            [=](const Run& run, Argument merged) {
                return timeFlame(*run, allOf(run), merged == 1).nodes.size();
            },
            {0, 1});
    measure("chartLayers", spansRun,
            [=](const Run& run, Argument) { return layersOf(*run, {}, allOf(run)).rows.size(); });
    measure("chartAttention", spansRun,
            [=](const Run& run, Argument) { return attentionParts(*run, allOf(run)).rows.size(); });
}

const bool s_registered = [] {
    measureMemory();
    measureStatistics();
    measureSearch();
    measureCharts();
    return true;
}();

}  // namespace
