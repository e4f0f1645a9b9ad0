#include "engine/query/links/span_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/query/links/device_waits.h"
#include "engine/query/links/link_index.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/spans_at.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/gpu_run_by_chance.h"

namespace warpglass::test::span_links_test {

/// Everything by looking at every span.
class Oracle {
public:
    explicit Oracle(const Snapshot& snapshot) : m_snapshot(snapshot) {
        for (std::size_t k = 0; k < kTrackKindNames.size(); ++k)
            spans[k] = spansOfKind(snapshot, static_cast<TrackKind>(k));
        for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
            for (const FoundSpan& work : of(kind))
                m_launching.insert(work.row.link);
        }
    }
    const std::vector<FoundSpan>& of(TrackKind kind) const { return spans[static_cast<std::size_t>(kind)]; }

    std::string thread(const FoundSpan& span) const {
        std::string name(m_snapshot.name(m_snapshot.track(span.track).name));
        const std::string head = "CUDA calls · ";
        return name.starts_with(head) ? name.substr(head.size()) : name;
    }
    const FoundSpan* callOf(const FoundSpan& work) const {
        for (const FoundSpan& call : of(TrackKind::kApiThread)) {
            if (call.row.link == work.row.link)
                return &call;
        }
        return nullptr;
    }
    /// The deepest op of that thread (and name) that holds t.
    std::optional<SpanRef> opAt(const std::string& thread, std::int64_t t, std::optional<NameId> name) const {
        const FoundSpan* best = nullptr;
        for (const FoundSpan& op : of(TrackKind::kCpuThread)) {
            if (op.row.start <= t && t < op.row.end() && this->thread(op) == thread &&
                (!name || op.row.name == *name) && (!best || op.depth > best->depth))
                best = &op;
        }
        return best ? std::optional(best->ref) : std::nullopt;
    }
    std::vector<SpanRef> modulesAt(std::int64_t t) const {
        std::vector<FoundSpan> found;
        for (const FoundSpan& module : of(TrackKind::kModule)) {
            if (module.row.start <= t && t < module.row.end())
                found.push_back(module);
        }
        std::ranges::sort(found, [](const FoundSpan& a, const FoundSpan& b) { return a.depth < b.depth; });
        std::vector<SpanRef> refs;
        for (const FoundSpan& module : found)
            refs.push_back(module.ref);
        return refs;
    }
    /// Whether a call or an op is of the module, or of the part of one, that the span is of.
    bool isOf(const FoundSpan& made, const FoundSpan& module) const {
        const Place at = m_snapshot.place(made.row.place), in = m_snapshot.place(module.row.place);
        if (isPart(module))
            return at == Place{at.phase, in.module, in.part};
        return isWithin(m_snapshot.name(at.module), m_snapshot.name(module.row.name));
    }
    bool isPart(const FoundSpan& module) const {
        const Place in = m_snapshot.place(module.row.place);
        return in.part.valid() && in.part == module.row.name;
    }
    const FoundSpan* firstLaunchIn(const FoundSpan& module) const {
        return firstIn(module, TrackKind::kApiThread,
                       [this](const FoundSpan& call) { return m_launching.contains(call.row.link); });
    }
    const FoundSpan* firstOpIn(const FoundSpan& module) const {
        return firstIn(module, TrackKind::kCpuThread, [](const FoundSpan&) { return true; });
    }
    std::optional<SpanRef> waitFor(std::int64_t launched, std::int64_t workEnd) const {
        const FoundSpan* first = nullptr;
        for (const FoundSpan& wait : of(TrackKind::kGpuSync)) {
            if (wait.row.start >= launched && wait.row.end() >= workEnd - kClockTolerance &&
                (!first || wait.row.end() < first->row.end()))
                first = &wait;
        }
        if (!first)
            return std::nullopt;
        const FoundSpan* call = callOf(*first);
        return call ? call->ref : first->ref;
    }

private:
    template <class Passes>
    const FoundSpan* firstIn(const FoundSpan& module, TrackKind kind, const Passes& passes) const {
        const FoundSpan* first = nullptr;
        for (const FoundSpan& made : of(kind)) {
            if (made.row.start >= module.row.start && made.row.start < module.row.end() &&
                (!first ||
                 std::pair(made.row.start, made.depth) < std::pair(first->row.start, first->depth)) &&
                isOf(made, module) && passes(made))
                first = &made;
        }
        return first;
    }

    const Snapshot& m_snapshot;
    std::vector<FoundSpan> spans[kTrackKindNames.size()];
    std::set<std::uint64_t> m_launching;  // the ids of GPU work
};

/// Whether a module's chain goes through the first call in it that made work run; where there is none it ends
/// at its first op, if at any.
bool goesThroughItsFirstLaunch(const Snapshot& snapshot, const LinkIndex& index, const Oracle& oracle,
                               const FoundSpan& module) {
    const CauseChain chain = causeChain(snapshot, &index, module.ref);
    EXPECT_EQ(chain.at, CauseLevel::kModule);
    EXPECT_EQ(chain.spans[0], module.ref);
    const FoundSpan* call = oracle.firstLaunchIn(module);
    if (!call) {
        const FoundSpan* op = oracle.firstOpIn(module);
        EXPECT_EQ(chain.spans[1], op ? std::optional(op->ref) : std::nullopt);
        EXPECT_FALSE(chain.spans[2]);
        EXPECT_FALSE(chain.spans[3]);
        return false;
    }
    EXPECT_EQ(chain.spans[1], oracle.opAt(oracle.thread(*call), call->row.start, std::nullopt));
    EXPECT_EQ(chain.spans[2], call->ref);
    const auto work = chain.spans[3] ? rowOf(snapshot, *chain.spans[3]) : std::nullopt;
    EXPECT_TRUE(work && work->link == call->row.link);
    if (const auto op = chain.spans[1] ? rowOf(snapshot, *chain.spans[1]) : std::nullopt; op && work) {
        EXPECT_EQ(chain.spans[4], oracle.waitFor(std::max(op->start, module.row.start), work->end()));
    }
    return true;
}

TEST(SpanLinks, OfAKernelAreThoseThatLookingAtEverySpanFinds) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const auto snapshot = gpuRunByChance({.seed = seed, .streams = seed % 2 == 0 ? 1 : 3});
        const Oracle oracle(*snapshot);
        LinkIndex index;
        index.update(*snapshot);
        std::vector<FoundSpan> work = oracle.of(TrackKind::kGpuStream);
        const auto& copies = oracle.of(TrackKind::kGpuCopies);
        work.insert(work.end(), copies.begin(), copies.end());
        ASSERT_GT(work.size(), 20u);
        for (const FoundSpan& span : work) {
            const SpanLinks links = spanLinks(*snapshot, &index, span.ref);
            const FoundSpan* call = oracle.callOf(span);
            ASSERT_TRUE(call && links.launch);
            EXPECT_EQ(*links.launch, call->ref);
            EXPECT_EQ(links.op, oracle.opAt(oracle.thread(*call), call->row.start,
                                            snapshot->detail(span.row.detail)->op));
            EXPECT_TRUE(links.op);
            EXPECT_EQ(links.modules, oracle.modulesAt(call->row.start));
            EXPECT_EQ(links.wait, oracle.waitFor(call->row.start, span.row.end()));
            EXPECT_EQ(links.work, std::vector<SpanRef>{span.ref});
        }
    }
}

TEST(SpanLinks, OfAnOpAreAllTheWorkThatItsCallsMade) {
    for (std::uint64_t seed = 21; seed <= 28; ++seed) {
        const auto snapshot = gpuRunByChance({.seed = seed});
        const Oracle oracle(*snapshot);
        LinkIndex index;
        index.update(*snapshot);
        for (const FoundSpan& op : oracle.of(TrackKind::kCpuThread)) {
            std::vector<SpanRef> expected;
            for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
                for (const FoundSpan& work : oracle.of(kind)) {
                    const FoundSpan* call = oracle.callOf(work);
                    if (call && oracle.thread(*call) == oracle.thread(op) &&
                        call->row.start >= op.row.start && call->row.start < op.row.end())
                        expected.push_back(work.ref);
                }
            }
            const SpanLinks links = spanLinks(*snapshot, &index, op.ref);
            EXPECT_TRUE(
                std::is_permutation(links.work.begin(), links.work.end(), expected.begin(), expected.end()));
            EXPECT_EQ(links.op, op.ref);
            EXPECT_EQ(links.modules, oracle.modulesAt(op.row.start));
            EXPECT_EQ(links.launch.has_value(), !expected.empty());
            EXPECT_FALSE(links.moreWork);
            // Without an index: what time alone tells.
            const SpanLinks early = spanLinks(*snapshot, nullptr, op.ref);
            EXPECT_EQ(early.modules, links.modules);
            EXPECT_TRUE(early.work.empty());
        }
        for (const FoundSpan& call : oracle.of(TrackKind::kApiThread)) {
            const SpanLinks links = spanLinks(*snapshot, &index, call.ref);
            EXPECT_EQ(links.op, oracle.opAt(oracle.thread(call), call.row.start, std::nullopt));
        }
    }
}

TEST(SpanLinks, NothingForSpansThatAreNotThereAndIdsThatNooneHas) {
    const auto snapshot = gpuRunByChance({.seed = 3, .strangeIds = true});
    LinkIndex index;
    index.update(*snapshot);
    const Oracle oracle(*snapshot);
    int unknown = 0;
    for (const FoundSpan& kernel : oracle.of(TrackKind::kGpuStream)) {
        const SpanLinks links = spanLinks(*snapshot, &index, kernel.ref);
        EXPECT_EQ(links.launch.has_value(), oracle.callOf(kernel) != nullptr);
        unknown += !links.launch;
        if (!links.launch) {
            EXPECT_FALSE(links.op);
            EXPECT_TRUE(links.modules.empty());
        }
    }
    EXPECT_GT(unknown, 0);
    for (const SpanRef ref : {SpanRef{LaneId(10'000), 0}, SpanRef{LaneId(0), 1u << 30}, SpanRef{}}) {
        EXPECT_TRUE(spanLinks(*snapshot, &index, ref).work.empty());
        EXPECT_FALSE(causeChain(*snapshot, &index, ref).at);
        EXPECT_TRUE(allocationsDuring(*snapshot, ref, 10).empty());
    }
}

TEST(CauseChain, GoesFromTheModuleToTheWaitAndBack) {
    const auto snapshot = gpuRunByChance({.seed = 5});
    LinkIndex index;
    index.update(*snapshot);
    const Oracle oracle(*snapshot);
    int whole = 0;
    for (const FoundSpan& kernel : oracle.of(TrackKind::kGpuStream)) {
        const CauseChain chain = causeChain(*snapshot, &index, kernel.ref);
        ASSERT_EQ(chain.at, CauseLevel::kWork);
        const SpanLinks links = spanLinks(*snapshot, &index, kernel.ref);
        EXPECT_EQ(chain.spans[1], links.op);
        EXPECT_EQ(chain.spans[2], links.launch);
        EXPECT_EQ(chain.spans[3], kernel.ref);
        EXPECT_EQ(chain.spans[4], links.wait);
        EXPECT_EQ(chain.beside(-1), links.launch);
        EXPECT_EQ(chain.beside(1), links.wait);
        if (!chain.spans[0])
            continue;
        ++whole;
        // From the launch one comes to the same op, and down again to the kernel.
        const CauseChain fromLaunch = causeChain(*snapshot, &index, *links.launch);
        EXPECT_EQ(fromLaunch.at, CauseLevel::kLaunch);
        EXPECT_EQ(fromLaunch.beside(-1), links.op);
        EXPECT_EQ(fromLaunch.beside(1), kernel.ref);
        const CauseChain fromModule = causeChain(*snapshot, &index, *chain.spans[0]);
        EXPECT_EQ(fromModule.at, CauseLevel::kModule);
        if (const auto op = fromModule.beside(1)) {
            EXPECT_EQ(causeChain(*snapshot, &index, *op).at, CauseLevel::kOp);
        }
    }
    EXPECT_GT(whole, 10);
    for (const FoundSpan& wait : oracle.of(TrackKind::kGpuSync)) {
        const CauseChain chain = causeChain(*snapshot, &index, wait.ref);
        EXPECT_EQ(chain.at, CauseLevel::kWait);
        ASSERT_TRUE(chain.beside(-1));
        // It is the last of all that had ended.
        std::int64_t latest = 0;
        for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
            for (const FoundSpan& work : oracle.of(kind)) {
                if (work.row.end() <= wait.row.end() + kClockTolerance)
                    latest = std::max(latest, work.row.end());
            }
        }
        EXPECT_EQ(snapshot->lane(chain.beside(-1)->lane).row(chain.beside(-1)->row)->end(), latest);
    }
}

TEST(CauseChain, OfAModuleGoesThroughTheFirstCallInItThatMadeWorkRun) {
    int launching = 0;
    for (std::uint64_t seed = 31; seed <= 38; ++seed) {
        const auto snapshot = gpuRunByChance({.seed = seed});
        LinkIndex index;
        index.update(*snapshot);
        const Oracle oracle(*snapshot);
        for (const FoundSpan& module : oracle.of(TrackKind::kModule))
            launching += goesThroughItsFirstLaunch(*snapshot, index, oracle, module);
    }
    EXPECT_GT(launching, 20);
}

TEST(CauseChain, OfAModuleThatLaunchesNothingEndsAtItsFirstOp) {
    const auto run = traceOf(R"(
        in phase backward module blocks.1 | module blocks.1 100-200
          op ViewBackward0 100-140 | call cuMemAlloc_v2 110-115 # makes no work
          op AddBackward0 150-160 | in module blocks.2 | launch 155-158 | kernel kernel 300-400
        end 500
    )");
    LinkIndex index;
    index.update(*run);
    const Oracle oracle(*run);
    EXPECT_FALSE(goesThroughItsFirstLaunch(*run, index, oracle, oracle.of(TrackKind::kModule).front()));
    const CauseChain chain = causeChain(*run, &index, oracle.of(TrackKind::kModule).front().ref);
    EXPECT_EQ(chain.spans[1],
              (SpanRef{run->lanesOf(run->tracksOfKind(TrackKind::kCpuThread)[0])[0].id(), 0}));
}

TEST(CauseChain, OfBackwardModulesAndOfAttentionsPartsReachesTheGpu) {
    const auto run = openSampleRun("small-bf16-naive");
    LinkIndex index;
    index.update(*run);
    const Oracle oracle(*run);
    int backward = 0, parts = 0, launchesNothingFirst = 0;
    for (const FoundSpan& module : oracle.of(TrackKind::kModule)) {
        if (module.row.step != 3 || !goesThroughItsFirstLaunch(*run, index, oracle, module))
            continue;
        const bool isBackward = run->place(module.row.place).phase == Phase::kBackward;
        backward += isBackward;
        parts += oracle.isPart(module);
        const FoundSpan* op = oracle.firstOpIn(module);
        ASSERT_TRUE(op);
        launchesNothingFirst += isBackward && oracle.firstLaunchIn(module)->row.start >= op->row.end();
    }
    EXPECT_GT(backward, 50);
    EXPECT_GT(parts, 30);
    EXPECT_GT(launchesNothingFirst, 5) << "or the first op would do";
}

TEST(CauseChain, AStepHasNone) {
    const auto snapshot = makeSyntheticRun();
    const CauseChain chain = causeChain(*snapshot, nullptr, {snapshot->lanesOf(TrackId(0))[0].id(), 0});
    EXPECT_FALSE(chain.at);
    EXPECT_FALSE(chain.beside(1));
}

TEST(CauseChain, OfTheSampleRunsIsWhole) {
    const auto run = openSampleRun("small-bf16-flash");
    const Snapshot& snapshot = *run;
    LinkIndex index;
    index.update(snapshot);
    std::uint64_t kernels = 0, launches = 0, ops = 0, waits = 0;
    for (const FoundSpan& kernel : spansOfKind(snapshot, TrackKind::kGpuStream)) {
        const CauseChain chain = causeChain(snapshot, &index, kernel.ref);
        ++kernels;
        launches += chain.spans[2].has_value();
        waits += chain.spans[4].has_value();
        const auto op = chain.spans[1];
        ops += op.has_value();
        if (op) {
            EXPECT_EQ(snapshot.lane(op->lane).row(op->row)->name, snapshot.detail(kernel.row.detail)->op);
        }
    }
    EXPECT_GT(kernels, 4000u);
    EXPECT_EQ(launches, kernels);
    EXPECT_GT(ops, kernels * 99 / 100);
    EXPECT_GT(waits, kernels * 95 / 100);
}

TEST(AllocationsDuring, AreThoseOfTheOpsTimeAndPlace) {
    const auto snapshot = makeSyntheticRun();
    std::size_t found = 0;
    for (const FoundSpan& op : spansOfKind(*snapshot, TrackKind::kCpuThread)) {
        std::vector<std::uint64_t> expected, actual;
        for (std::uint64_t i = 0; i < snapshot->memoryEventCount(); ++i) {
            const MemoryEvent event = *snapshot->memoryEvent(i);
            const AllocationRow row = *snapshot->allocation(event.allocation);
            if (event.action == MemoryAction::kAllocate && event.time >= op.row.start &&
                event.time <= op.row.end() && row.place == op.row.place && row.step == op.row.step)
                expected.push_back(event.allocation.value);
        }
        for (const CausedAllocation& a : allocationsDuring(*snapshot, op.ref, 1000)) {
            actual.push_back(a.allocation.value);
            EXPECT_EQ(a.bytes, snapshot->allocation(a.allocation)->bytes);
        }
        EXPECT_EQ(actual, expected);
        found += actual.size();
        EXPECT_LE(allocationsDuring(*snapshot, op.ref, 1).size(), 1u);
    }
    EXPECT_GT(found, 100u);
}

TEST(AllocationsDuring, AreFoundOnBothSidesOfADamagedChunk) {
    // An allocation every 10 ns, three chunks of them; one op in each.
    TraceWriter writer;
    const TrackId thread = writer.addTrack(TrackKind::kCpuThread, "main");
    SpanRow op{
        .duration = 35, .name = writer.internName("aten::mm"), .place = writer.internPlace({}), .step = 0};
    AllocationRow row{.bytes = 512, .place = op.place, .step = op.step};
    for (std::int64_t i = 0; i < 3 * static_cast<std::int64_t>(kChunkRows); ++i)
        writer.appendAllocation(Nanoseconds(i * 10), row);
    constexpr std::int64_t kFirsts[] = {100, kChunkRows + 100, 2 * kChunkRows + 100};
    for (const std::int64_t first : kFirsts) {
        op.start = first * 10;
        ASSERT_TRUE(writer.appendSpan(thread, 0, op));
    }
    writer.settle();
    writer.commit(Nanoseconds(0));
    Damage damage;
    damage.memoryEvents.insert(1);
    const auto run = mountWithDamage(writer.feed()->latest(), damage).snapshot;
    for (std::size_t i = 0; i < std::size(kFirsts); ++i) {
        const auto caused = allocationsDuring(*run, {run->lanesOf(thread)[0].id(), i}, 10);
        if (i == 1) {
            EXPECT_TRUE(caused.empty()) << "its events are lost";
            continue;
        }
        ASSERT_EQ(caused.size(), 4u) << "op " << i;
        EXPECT_EQ(static_cast<std::int64_t>(caused[0].allocation.index()), kFirsts[i]);
    }
}

TEST(LinkIndex, FindsEveryIdWhateverTheirOrder) {
    for (const bool strange : {false, true}) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const auto snapshot = gpuRunByChance({.seed = seed, .opsPerThread = 120, .strangeIds = strange});
            LinkIndex index;
            EXPECT_FALSE(index.covers(*snapshot));
            index.update(*snapshot);
            EXPECT_TRUE(index.covers(*snapshot));
            std::map<std::uint64_t, std::vector<SpanRef>> calls, work, waits;
            for (const FoundSpan& s : spansOfKind(*snapshot, TrackKind::kApiThread))
                calls[s.row.link].push_back(s.ref);
            for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
                for (const FoundSpan& s : spansOfKind(*snapshot, kind))
                    work[s.row.link].push_back(s.ref);
            }
            for (const FoundSpan& s : spansOfKind(*snapshot, TrackKind::kGpuSync))
                waits[s.row.link].push_back(s.ref);
            const auto isOneOf = [](const std::optional<SpanRef>& found, const std::vector<SpanRef>& all) {
                return found ? std::ranges::find(all, *found) != all.end() : all.empty();
            };
            std::vector<std::uint64_t> ids{0, 1, UINT64_MAX};
            for (const auto& [id, refs] : work)
                ids.push_back(id);
            for (const auto& [id, refs] : calls)
                ids.push_back(id);
            for (const std::uint64_t id : ids) {
                EXPECT_TRUE(isOneOf(index.call(*snapshot, id), calls[id])) << id;
                EXPECT_TRUE(isOneOf(index.wait(*snapshot, id), waits[id])) << id;
                const std::vector<SpanRef> found = index.work(*snapshot, id, 1000);
                EXPECT_TRUE(
                    std::is_permutation(found.begin(), found.end(), work[id].begin(), work[id].end()));
                EXPECT_EQ(index.work(*snapshot, id, 1).size(), std::min<std::size_t>(1, work[id].size()));
            }
        }
    }
}

TEST(LinkIndex, GrowsWithARunAcrossChunks) {
    TraceWriter writer;
    const TrackId calls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · main");
    const NameId name = writer.internName("cuLaunchKernel");
    LinkIndex index;
    std::uint64_t state = 7;
    std::uint64_t rows = 0;
    while (rows < 3 * kChunkRows) {
        const std::uint64_t until = rows + 1 + nextRandom(state) % 40'000;
        for (; rows < until; ++rows) {
            SpanRow row{.start = static_cast<std::int64_t>(rows) * 10};
            row.duration = row.self = 5;
            row.name = name;
            row.link = 2 * rows + 2;  // even ids only
            writer.appendSpan(calls, 0, row);
        }
        writer.commit(Nanoseconds(static_cast<std::int64_t>(rows) * 10));
        const auto snapshot = writer.feed()->latest();
        index.update(*snapshot);
        EXPECT_TRUE(index.covers(*snapshot));
        for (const std::uint64_t row : {std::uint64_t{0}, rows / 2, rows - 1}) {
            EXPECT_EQ(index.call(*snapshot, 2 * row + 2), (SpanRef{snapshot->lanesOf(calls)[0].id(), row}));
            EXPECT_FALSE(index.call(*snapshot, 2 * row + 3));
        }
        EXPECT_FALSE(index.call(*snapshot, 2 * rows + 2));
    }
}

}  // namespace warpglass::test::span_links_test
