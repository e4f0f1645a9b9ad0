// What charts, the memory page and Find show of a filter, against asking every span and every allocation.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "engine/query/memory/allocation_map.h"
#include "engine/query/memory/memory_between.h"
#include "engine/query/memory/memory_tree.h"
#include "engine/query/model/attention_parts.h"
#include "engine/query/model/layers.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/op_family.h"
#include "engine/query/spans/work_times.h"
#include "engine/query/statistics/phase_samples.h"
#include "engine/query/statistics/span_search.h"
#include "tests/support/every_span.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/timeline_of.h"
#include "tests/unit/query/gpu_run_by_chance.h"
#include "tests/unit/query/grouped_spans.h"

namespace warpglass::test::filtered_queries_test {

bool isIn(const Snapshot& run, const Place& place, const SpanFilter& filter) {
    const std::string module(run.name(place.module));
    return (!filter.phase || place.phase == *filter.phase) &&
           (filter.modulePath.empty() || module == filter.modulePath ||
            module.starts_with(filter.modulePath + "."));
}

/// Every combination of what a filter may ask.
std::vector<WorkScope> variedScopes(const Snapshot& run, const std::string& module, const std::string& op,
                                    const std::string& text) {
    const std::int64_t end = run.range().end.value;
    std::vector<WorkScope> scopes;
    for (int bits = 0; bits < 64; ++bits) {
        WorkScope scope;
        if (bits & 1)
            scope.filter.modulePath = module;
        if (bits & 2)
            scope.filter.phase = bits & 32 ? Phase::kForward : Phase::kBackward;
        if (bits & 4)
            scope.filter.name = op;
        if (bits & 8)
            scope.text = text;
        if (bits & 16)
            scope.filter.ranges = {{Nanoseconds(end / 4), Nanoseconds(end / 2)},
                                   {Nanoseconds(end / 2 + end / 10), Nanoseconds(end - end / 10)}};
        else if (bits & 32)
            scope.allSteps = true;
        scopes.push_back(scope);
    }
    scopes.emplace_back().filter.step = 3;
    scopes.back().filter.modulePath = module;
    return scopes;
}

using WorkKey = std::tuple<std::uint32_t, std::string, std::string>;
using WorkSums = std::map<WorkKey, std::pair<std::int64_t, std::int64_t>>;

/// Row by row. `first`, `last`: the steps that a mean is over.
WorkSums naiveWork(const Snapshot& run, const WorkScope& scope, bool gpu, std::int32_t first,
                   std::int32_t last) {
    const SpanFilter& filter = scope.filter;
    WorkSums sums;
    for (const auto& [ref, row, kind, track, depth] : everySpan(run)) {
        if (gpu ? !isGpuTrack(kind) || kind == TrackKind::kGpuSync || kind == TrackKind::kGpuPhase
                : kind != TrackKind::kCpuThread)
            continue;
        const auto detail = gpu ? run.detail(row.detail) : std::nullopt;
        const std::string name(run.name(row.name));
        const std::string op = detail ? std::string(run.name(detail->op)) : std::string();
        const Place place = run.place(row.place);
        if (!isIn(run, place, filter) || (!filter.name.empty() && name != filter.name && op != filter.name))
            continue;
        if (!scope.text.empty() && !holds(name, scope.text) && !holds(op, scope.text) &&
            !holds(run.name(place.module), scope.text) && !holds(run.name(place.part), scope.text))
            continue;
        const bool chosen = !filter.ranges.empty() || filter.step;
        if (filter.step && row.step != *filter.step)
            continue;
        if (!chosen && (row.step < first || row.step > last))
            continue;
        const Nanoseconds start(row.start);
        if (!filter.ranges.empty() &&
            std::ranges::none_of(filter.ranges, [&](TimeRange range) { return range.contains(start); }))
            continue;
        auto& sum = sums[{row.place.value, gpu ? op : name, gpu ? name : std::string()}];
        sum.first += gpu ? row.duration : row.self;
        ++sum.second;
    }
    return sums;
}

void expectWork(const Snapshot& run, const WorkScope& scope, bool gpu, std::int32_t measuredFrom,
                std::int32_t last) {
    const WorkTimes times = workTimes(run, scope);
    WorkSums actual;
    for (const WorkRow& row : times.rows) {
        auto& sum =
            actual[{row.place.value, std::string(run.name(row.op)), std::string(run.name(row.kernel))}];
        sum.first += row.time;
        sum.second += row.instances;
    }
    EXPECT_EQ(actual, naiveWork(run, scope, gpu, scope.allSteps ? 0 : measuredFrom, last));
    const bool chosen = !scope.filter.ranges.empty() || scope.filter.step;
    EXPECT_EQ(times.steps, chosen ? 1 : last + 1 - (scope.allSteps ? 0 : measuredFrom));
    EXPECT_EQ(times.measured, !chosen && !(scope.allSteps && measuredFrom > 0));
}

TEST(FilteredWork, OfOpsIsWhatEveryOpThatPassesTook) {
    for (const std::uint64_t seed : {1u, 2u}) {
        const RandomRun run({.seed = seed});
        bool some = false;
        for (const WorkScope& scope : variedScopes(*run.snapshot(), "blocks.1", "aten::mm", "MM")) {
            expectWork(*run.snapshot(), scope, false, 2, 5);
            some = some || !workTimes(*run.snapshot(), scope).rows.empty();
        }
        EXPECT_TRUE(some);
    }
}

TEST(FilteredWork, OfKernelsIsWhatEveryKernelThatPassesTook) {
    const auto run = openSampleRun("small-bf16-naive");
    const std::int32_t warmup = static_cast<std::int32_t>(*run->info().getInteger("config.warmup"));
    const std::int32_t completed = static_cast<std::int32_t>(*run->info().getInteger("steps.completed"));
    for (const char* const text : {"Gemm", "Attn", "softmax"}) {
        for (const WorkScope& scope : variedScopes(*run, "blocks.3.attn", "aten::bmm", text))
            expectWork(*run, scope, true, warmup, completed - 1);
    }
}

TEST(FilteredWork, LayersHoldTheirModuleAndPhaseAndFlopsOfNoOther) {
    const auto run = openSampleRun("small-bf16-naive");
    WorkScope scope;
    scope.filter.modulePath = "blocks.3";
    scope.filter.phase = Phase::kBackward;
    const Layers all = layersOf(*run, {}), part = layersOf(*run, {}, scope);
    ASSERT_EQ(part.rows.size(), 1u);
    const auto same =
        std::ranges::find_if(all.rows, [](const LayerRow& row) { return row.name == "blocks.3"; });
    ASSERT_NE(same, all.rows.end());
    EXPECT_DOUBLE_EQ(part.rows[0].backward, same->backward);
    EXPECT_EQ(part.rows[0].backwardFlops, same->backwardFlops);
    EXPECT_EQ(part.rows[0].forward, 0);
    EXPECT_EQ(part.rows[0].forwardFlops.value, 0);
    EXPECT_TRUE(part.rates);
    scope.filter.name = "aten::mm";
    const Layers products = layersOf(*run, {}, scope);
    ASSERT_EQ(products.rows.size(), 1u);
    EXPECT_TRUE(products.rates);
    EXPECT_GT(products.rows[0].backwardFlops.value, 0);
    EXPECT_LT(products.rows[0].backwardFlops, same->backwardFlops) << "without the softmax and the like";
}

TEST(FilteredWork, AttentionsTimeInProductsIsTheRooflines) {
    for (const char* name : {"small-bf16-naive", "small-fp32-naive", "xl-bf16-step"}) {
        const auto run = openSampleRun(name);
        std::map<std::string, double> points;
        for (const RooflinePoint& point : roofline(*run)) {
            if (point.phase == PlanPhase::kForward)
                points[point.name] += point.time;
        }
        for (const AttentionPartRow& row : attentionParts(*run).rows) {
            if (row.phase != PlanPhase::kForward)
                continue;
            const std::string key = row.part == AttentionPart::kScores   ? "blocks.*.attn/scores"
                                    : row.part == AttentionPart::kValues ? "blocks.*.attn/values"
                                                                         : "";
            if (points.contains(key)) {
                EXPECT_NEAR(row.productTime, points[key], 1) << name << " " << key;
            }
        }
        const AttentionParts parts = attentionParts(*run);
        EXPECT_THAT(parts.note, testing::HasSubstr("roofline"));
    }
}

/// Time of the products of a place, step by step.
TEST(FilteredRoofline, OfAModuleAPhaseAndAStepIsItsProducts) {
    const auto run = openSampleRun("small-bf16-naive");
    WorkScope scope;
    scope.filter.modulePath = "blocks.3.ffn";
    scope.filter.phase = Phase::kForward;
    scope.filter.step = 2;
    const auto points = roofline(*run, scope);
    ASSERT_EQ(points.size(), 6u);
    EXPECT_EQ(std::ranges::count_if(points, &RooflinePoint::isLibraryKernel), 3)
        << "casts, the activation and the product with the gate";
    for (const RooflinePoint& point : points) {
        if (point.isLibraryKernel)
            continue;
        std::int64_t time = 0;
        const std::string module = "blocks.3" + point.name.substr(std::string("blocks.*").size());
        for (const FoundSpan& kernel : spansOfKind(*run, TrackKind::kGpuStream)) {
            const Place place = run->place(kernel.row.place);
            const auto detail = run->detail(kernel.row.detail);
            if (kernel.row.step == 2 && place.phase == Phase::kForward && run->name(place.module) == module &&
                detail && isProductOp(run->name(detail->op)))
                time += kernel.row.duration;
        }
        EXPECT_DOUBLE_EQ(point.time, static_cast<double>(time)) << point.name;
        EXPECT_GT(point.flops.value, 0);
    }
}

TEST(FilteredRoofline, OfARangeOfWholeStepsIsThoseStepsTogether) {
    const auto run = openSampleRun("small-bf16-naive");
    WorkScope steps;
    steps.filter.ranges = {run->range()};
    steps.filter.byLaunch = true;
    WorkScope means;
    means.allSteps = true;
    const auto ranged = roofline(*run, steps);
    auto mean = roofline(*run, means);
    std::erase_if(mean, [](const RooflinePoint& point) { return point.isUpdate; });  // of whole steps only
    const auto count = static_cast<double>(*run->info().getInteger("steps.completed"));
    ASSERT_EQ(ranged.size(), mean.size());
    for (std::size_t i = 0; i < mean.size(); ++i) {
        EXPECT_EQ(ranged[i].name, mean[i].name);
        EXPECT_NEAR(ranged[i].time, mean[i].time * count, 1e-6 * ranged[i].time);
        EXPECT_NEAR(static_cast<double>(ranged[i].flops.value),
                    static_cast<double>(mean[i].flops.value) * count, 1e-9 * 1e15);
        EXPECT_NEAR(ranged[i].intensity(), mean[i].intensity(), 1e-6 * mean[i].intensity());
    }
    steps.filter.ranges = {{Nanoseconds(0), Nanoseconds(1)}};
    EXPECT_TRUE(roofline(*run, steps).empty());
}

TEST(FilteredPhases, AreThoseOfTheStepsAndRangesAsked) {
    const RandomRun run({.seed = 9, .steps = 6, .warmup = 2});
    WorkScope scope;
    scope.filter.phase = Phase::kBackward;
    scope.allSteps = true;
    auto phases = phaseSamples(*run.snapshot(), TrackKind::kPhase, scope);
    ASSERT_EQ(phases.size(), 2u);
    EXPECT_EQ(phases[0].name, "backward");
    EXPECT_EQ(phases[0].counted, 6) << "warm-ups count where all steps are asked for";
    scope = {};
    EXPECT_EQ(phaseSamples(*run.snapshot(), TrackKind::kPhase, scope)[0].counted, 4);
    scope.filter.step = 1;
    for (const PhaseSamples& phase : phaseSamples(*run.snapshot(), TrackKind::kPhase, scope)) {
        ASSERT_EQ(phase.samples.size(), 1u);
        EXPECT_EQ(phase.samples[0].step, 1);
        EXPECT_EQ(phase.counted, 1);
    }
    const std::int64_t end = run.snapshot()->range().end.value;
    scope = {};
    scope.filter.ranges = {{Nanoseconds(end / 3), Nanoseconds(end * 2 / 3)}};
    std::map<std::string, std::int64_t> expected;
    for (const NaiveSpan& span : allSpans(*run.snapshot())) {
        if ((span.kind == TrackKind::kPhase || span.kind == TrackKind::kStep) && span.row.step != kNoStep &&
            span.row.start < end * 2 / 3 && span.row.start + span.row.duration > end / 3)
            ++expected[span.name];
    }
    std::map<std::string, std::int64_t> actual;
    for (const PhaseSamples& phase : phaseSamples(*run.snapshot(), TrackKind::kPhase, scope))
        actual[phase.name] = phase.counted;
    EXPECT_EQ(actual, expected);
    scope = {};
    scope.text = "attn";
    phases = phaseSamples(*run.snapshot(), TrackKind::kPhase, scope);
    EXPECT_EQ(phases.size(), phaseSamples(*run.snapshot(), TrackKind::kPhase).size())
        << "a phase is of all ops, whatever their names";
}

std::vector<AllocationConditions> variedConditions(const Snapshot& run) {
    const std::int64_t end = run.range().end.value;
    const std::string op(run.name(run.allocation(AllocationId(run.allocationCount() / 2))->op));
    std::vector<AllocationConditions> all;
    for (int bits = 0; bits < 64; ++bits) {
        AllocationConditions some;
        some.made.measuredOnly = bits % 3 == 0;  // says nothing of what is alive
        if (bits & 1)
            some.made.modulePath = "blocks.1";
        if (bits & 2)
            some.made.phase = Phase::kForward;
        if (bits & 4)
            some.made.name = op;
        if (bits & 8)
            some.made.ranges = {{Nanoseconds(end / 5), Nanoseconds(end / 2)}};
        if (bits & 16)
            some.category = Category::kActivations;
        if (bits & 32)
            some.text = "ATTN";
        all.push_back(some);
    }
    return all;
}

bool passesNaively(const Snapshot& run, const MemoryTimeline& memory, AllocationId id,
                   const AllocationConditions& conditions) {
    const AllocationRow row = *run.allocation(id);
    const Place place = run.place(row.place);
    const Nanoseconds made = memory.allocatedAt(id);
    const auto in = [&](TimeRange range) { return range.contains(made); };
    const auto& ranges = conditions.made.ranges;
    const std::string words[] = {std::string(categoryName(row.category)), std::string(run.name(place.module)),
                                 std::string(run.name(place.part)), std::string(run.name(row.op))};
    return isIn(run, place, conditions.made) &&
           (conditions.made.name.empty() || run.name(row.op) == conditions.made.name) &&
           (ranges.empty() || std::ranges::any_of(ranges, in)) &&
           (!conditions.category || row.category == *conditions.category) &&
           (conditions.text.empty() ||
            std::any_of(std::begin(words), std::end(words),
                        [&](const std::string& word) { return holds(word, conditions.text); }));
}

TEST(FilteredMemory, IsWhatOfEveryAllocationPasses) {
    const auto run = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(run);
    const Nanoseconds t = memory.peak()->time;
    std::size_t different = 0;
    const std::vector<AllocationId> all = allocationsOf(*run);
    EXPECT_TRUE(filterAllocations(memory, all, SpanFilter{.name = "no such op"}).empty());
    for (const AllocationConditions& conditions : variedConditions(*run)) {
        std::vector<AllocationId> expected;
        Bytes bytes;
        for (const AllocationId id : memory.aliveAt(t)) {
            if (passesNaively(*run, memory, id, conditions)) {
                expected.push_back(id);
                bytes += Bytes(run->allocation(id)->bytes);
            }
        }
        different += expected.size() != memory.aliveAt(t).size() && !expected.empty() ? 1 : 0;
        EXPECT_EQ(filterAllocations(memory, memory.aliveAt(t), conditions), expected);
        expected = all;
        std::erase_if(expected,
                      [&](AllocationId id) { return !passesNaively(*run, memory, id, conditions); });
        EXPECT_EQ(filterAllocations(memory, all, conditions), expected);
        const MemoryTreeNode tree =
            memoryTreeAt(memory, t, {BreakdownKey::kModule, BreakdownKey::kCategory}, conditions);
        EXPECT_EQ(tree.bytes, bytes);
        Bytes broken;
        for (const BreakdownRow& row : breakdownAt(memory, t, BreakdownKey::kOp, conditions))
            broken += row.bytes;
        EXPECT_EQ(broken, bytes);
        std::size_t below = 0;
        for (const MemoryTreeNode& node : tree.children)
            below += allocationsUnder(memory, t, {BreakdownKey::kModule, BreakdownKey::kCategory}, {node.key},
                                      conditions)
                         .size();
        EXPECT_EQ(below, static_cast<std::size_t>(tree.allocations));
    }
    EXPECT_GT(different, 8u) << "the conditions are such that they leave something and leave something out";
}

TEST(FilteredMemory, BetweenTwoMomentsCountsThoseEventsAlone) {
    const auto run = makeSyntheticRun();
    const MemoryTimeline memory = timelineOf(run);
    const std::int64_t end = run->range().end.value;
    const TimeRange range{Nanoseconds(end / 4), Nanoseconds(end * 3 / 4)};
    const MemoryBetween all = memoryBetween(memory, range, BreakdownKey::kCategory);
    for (const AllocationConditions& conditions : variedConditions(*run)) {
        std::int64_t allocated = 0, freed = 0, count = 0;
        for (std::uint64_t i = 0; i < run->memoryEventCount(); ++i) {
            const MemoryEvent event = *run->memoryEvent(i);
            if (!range.contains(Nanoseconds(event.time)) ||
                !passesNaively(*run, memory, event.allocation, conditions))
                continue;
            const std::int64_t bytes = run->allocation(event.allocation)->bytes;
            (event.action == MemoryAction::kAllocate ? allocated : freed) += bytes;
            ++count;
        }
        const MemoryBetween part = memoryBetween(memory, range, BreakdownKey::kCategory, conditions);
        EXPECT_EQ(part.total.allocated.bytes.value, allocated);
        EXPECT_EQ(part.total.freed.bytes.value, freed);
        EXPECT_EQ(part.total.allocated.allocations + part.total.freed.allocations, count);
        EXPECT_EQ(part.atBegin, all.atBegin) << "what is in use is of everything";
        EXPECT_EQ(part.atEnd, all.atEnd);
    }
}

TEST(FilteredMemory, TheMapHasThoseBlocksWhereTheyLieAmongAll) {
    SyntheticOptions options{.allocatorEvents = 600};
    for (const auto& run : {makeSyntheticRun(), makeSyntheticRun(options)}) {
        const MemoryTimeline memory = timelineOf(run);
        const AllocationMap all(memory);
        for (const AllocationConditions& conditions : variedConditions(*run)) {
            const AllocationMap part(memory, conditions);
            std::size_t row = 0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (!passesNaively(*run, memory, all.id(i), conditions))
                    continue;
                ASSERT_LT(row, part.size());
                EXPECT_EQ(part.id(row), all.id(i));
                EXPECT_EQ(part.begin(row), all.begin(i));
                EXPECT_EQ(part.end(row), all.end(i));
                ++row;
            }
            EXPECT_EQ(row, part.size());
        }
    }
}

/// As RunFilter means it for any track: ranges by what they are or where they lie.
bool spanPasses(const Snapshot& run, TrackKind kind, const SpanRow& row, const SpanFilter& filter) {
    if (filter.measuredOnly && row.step < static_cast<std::int32_t>(*run.info().getInteger("config.warmup")))
        return false;
    if (!filter.ranges.empty() && !filter.ranges[0].contains(Nanoseconds(row.start)))
        return false;
    const std::string name(run.name(row.name));
    const auto detail = run.detail(row.detail);
    const bool named = name == filter.name || (detail && run.name(detail->op) == filter.name);
    if (!filter.name.empty() && !named)
        return false;
    const bool ofPlace = filter.phase || !filter.modulePath.empty();
    const Place place = run.place(row.place);
    if (!ofPlace || (kind != TrackKind::kStep && kind != TrackKind::kPhase && kind != TrackKind::kModule))
        return isIn(run, place, filter);
    if (kind == TrackKind::kStep || !filter.name.empty())
        return false;
    SpanFilter phaseOnly, moduleOnly;
    phaseOnly.phase = filter.phase;
    moduleOnly.modulePath = filter.modulePath;
    const bool inPhase = isIn(run, place, phaseOnly);
    if (kind == TrackKind::kPhase)
        return filter.modulePath.empty() && (inPhase || name == phaseName(*filter.phase));
    return inPhase && (isIn(run, place, moduleOnly) || name == filter.modulePath ||
                       name.starts_with(filter.modulePath + "."));
}

TEST(FilteredSearch, FindsWhatIsNamedAndPasses) {
    const auto gpu = openSampleRun("small-bf16-naive");
    const RandomRun random({.seed = 5});
    for (const auto& run : {random.snapshot(), gpu}) {
        for (const WorkScope& scope : variedScopes(*run, "blocks.1", "aten::mm", "")) {
            SpanFilter filter = scope.filter;
            if (!filter.ranges.empty())
                filter.ranges.resize(1);
            filter.measuredOnly = !scope.allSteps && !filter.step;
            if (filter.step || scope.text == "x")
                continue;
            SpanSearch search = searchOf(*run, {true, true, true, true}, [](std::string_view name) {
                return holds(name, "mm") || holds(name, "attn");
            });
            const std::int64_t everywhere = searchSpans(*run, search).count;
            search.within = std::make_shared<const SpansWithin>(*run, filter);
            std::vector<SpanPosition> expected;
            for (const auto& [ref, row, kind, track, depth] : everySpan(*run)) {
                const auto detail = run->detail(row.detail);
                const std::string name(run->name(row.name));
                const std::string full = detail ? std::string(run->name(detail->fullName)) : std::string();
                const bool match =
                    holds(name, "mm") || holds(name, "attn") || holds(full, "mm") || holds(full, "attn");
                if (match && kind != TrackKind::kGpuPhase && spanPasses(*run, kind, row, filter))
                    expected.push_back({ref.lane, ref.row});
            }
            const SearchResult found = searchSpans(*run, search);
            ASSERT_EQ(found.count, std::ssize(expected));
            EXPECT_EQ(found.everywhere, everywhere);
            for (std::size_t i = 0; i < std::min<std::size_t>(expected.size(), 40); ++i)
                EXPECT_TRUE(matchAt(*run, search, expected[i]));
            // Next goes through matches within the filter alone.
            const auto next = nextMatch(*run, search, std::nullopt, true);
            EXPECT_EQ(next.has_value(), !expected.empty());
            if (next) {
                EXPECT_NE(std::ranges::find(expected, next->at), expected.end());
            }
        }
    }
}

}  // namespace warpglass::test::filtered_queries_test
