// The recording against LibTorch's own history of its caching allocator: every event in its order, every
// segment and block, every sum.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "engine/query/memory/memory_segments.h"
#include "tests/gpu/allocator_history.h"
#include "tests/gpu/gpu_run.h"
#include "tests/support/timeline_of.h"

namespace warpglass::test::gpu_allocator_test {

/// Takes LibTorch's snapshots while a run goes on: one as each step begins, others in between.
class SnapshotTaker {
public:
    SnapshotTaker(AllocatorHistory& history, const RunControl& control)
        : m_thread([this, &history, &control] {
              std::int64_t step = -1;
              int pause = 0;
              while (!m_stop.load()) {
                  const std::int64_t now = control.step.load();
                  if (now != step || ++pause == 20) {
                      m_taken.push_back(history.segments());
                      pause = 0;
                  }
                  step = now;
                  std::this_thread::sleep_for(std::chrono::microseconds(100));
              }
          }) {}
    /// In the order in which they were taken.
    const std::vector<std::vector<HistorySegment>>& stop() {
        m_stop = true;
        if (m_thread.joinable())
            m_thread.join();
        return m_taken;
    }
    ~SnapshotTaker() { stop(); }

private:
    std::atomic<bool> m_stop{false};
    std::vector<std::vector<HistorySegment>> m_taken;
    std::thread m_thread;
};

/// Walks LibTorch's history and the recording side by side.
class SideBySide {
public:
    explicit SideBySide(const Snapshot& trace) : m_trace(trace) {
        // What was there before the recording, and before the history, stands at time 0.
        for (; m_segments < trace.segmentEventCount(); ++m_segments) {
            const SegmentEvent event = *trace.segmentEvent(m_segments);
            if (event.time != 0)
                break;
            if (event.action == SegmentAction::kHold)
                m_earlier.insert(event.address);
        }
    }

    /// How much of the recording had happened at each of LibTorch's snapshots.
    struct Moment {
        std::uint64_t memoryEvents = 0;
        std::uint64_t segmentEvents = 0;
    };
    const std::vector<Moment>& snapshots() const { return m_snapshots; }
    std::size_t compared() const { return m_compared; }

    void compare(const std::vector<HistoryEntry>& history) {
        for (const HistoryEntry& entry : history) {
            if (testing::Test::HasFailure())
                return;
            if (entry.action == "snapshot") {
                m_snapshots.push_back({m_memory, m_segments});
                continue;
            }
            const bool completes = entry.action == "free_completed" && m_freeing == entry.address;
            const bool wasFreeing = m_freeing != 0;
            const std::uint64_t freeing = std::exchange(m_freeing, 0);
            if (completes)
                continue;
            if (wasFreeing && !atEnd())
                expectSegment(entry, SegmentAction::kHold, freeing, std::nullopt);
            if (atEnd()) {
                // What the run's end gives back is no part of the recording.
                EXPECT_TRUE(m_endings.contains(entry.action)) << entry.action;
                continue;
            }
            expect(entry);
            ++m_compared;
        }
        EXPECT_TRUE(atEnd()) << "LibTorch tells of nothing more, and "
                             << m_trace.memoryEventCount() - m_memory << " memory events, "
                             << m_trace.segmentEventCount() - m_segments << " segment events are left";
    }

private:
    bool atEnd() const {
        return m_memory == m_trace.memoryEventCount() && m_segments == m_trace.segmentEventCount();
    }

    void expect(const HistoryEntry& entry) {
        if (entry.action == "alloc")
            return expectBlock(entry, MemoryAction::kAllocate);
        if (entry.action == "free_requested") {
            m_freeing = entry.address;
            if (m_earlier.erase(entry.address) > 0)
                return expectSegment(entry, SegmentAction::kRelease, entry.address, std::nullopt);
            return expectBlock(entry, MemoryAction::kFree);
        }
        static const std::map<std::string_view, SegmentAction> kActions = {
            {"free_completed", SegmentAction::kRelease}, {"segment_alloc", SegmentAction::kAllocate},
            {"segment_free", SegmentAction::kFree},      {"segment_map", SegmentAction::kMap},
            {"segment_unmap", SegmentAction::kUnmap},    {"oom", SegmentAction::kOutOfMemory}};
        const SegmentAction action = kActions.at(entry.action);
        // A late release gives back what the block was given, not what it asked for.
        expectSegment(entry, action, entry.address,
                      action == SegmentAction::kRelease ? std::nullopt : std::optional(entry.bytes));
    }

    void expectBlock(const HistoryEntry& entry, MemoryAction action) {
        ASSERT_LT(m_memory, m_trace.memoryEventCount()) << entry.action << " " << entry.address;
        const MemoryEvent event = *m_trace.memoryEvent(m_memory++);
        const AllocationRow row = *m_trace.allocation(event.allocation);
        ASSERT_EQ(event.action, action) << "memory event " << m_memory - 1;
        ASSERT_EQ(row.address, entry.address) << "memory event " << m_memory - 1;
        ASSERT_EQ(row.requested, entry.bytes) << "memory event " << m_memory - 1;
        expectInTime(event.time);
    }

    void expectSegment(const HistoryEntry& entry, SegmentAction action, std::uint64_t address,
                       std::optional<std::int64_t> bytes) {
        ASSERT_LT(m_segments, m_trace.segmentEventCount()) << entry.action << " " << entry.address;
        const SegmentEvent event = *m_trace.segmentEvent(m_segments++);
        ASSERT_EQ(kSegmentActionNames[static_cast<std::size_t>(event.action)],
                  kSegmentActionNames[static_cast<std::size_t>(action)])
            << "segment event " << m_segments - 1;
        ASSERT_EQ(event.address, address) << "segment event " << m_segments - 1;
        if (bytes) {
            ASSERT_EQ(event.bytes, *bytes) << "segment event " << m_segments - 1;
        }
        expectInTime(event.time);
    }

    void expectInTime(std::int64_t time) {
        EXPECT_GE(time, m_time);
        m_time = time;
    }

    const Snapshot& m_trace;
    const std::set<std::string_view> m_endings = {"free_requested", "free_completed", "segment_free",
                                                  "segment_unmap"};
    std::uint64_t m_memory = 0, m_segments = 0;
    std::int64_t m_time = 0;
    std::uint64_t m_freeing = 0;
    std::set<std::uint64_t> m_earlier;
    std::size_t m_compared = 0;
    std::vector<Moment> m_snapshots;
};

BlockState stateOf(const HistoryBlock& block) {
    return block.allocated ? BlockState::kAllocated : block.active ? BlockState::kPending : BlockState::kFree;
}

void expectSameSegments(const Snapshot& trace, const SegmentState& ours,
                        const std::vector<HistorySegment>& theirs) {
    ASSERT_EQ(ours.segments.size(), theirs.size());
    EXPECT_EQ(ours.outside.value, 0);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const MemorySegment& segment = ours.segments[i];
        ASSERT_EQ(segment.address, theirs[i].address);
        ASSERT_EQ(segment.bytes, theirs[i].bytes);
        EXPECT_EQ(segment.large, theirs[i].large);
        EXPECT_EQ(segment.expandable, theirs[i].expandable);
        EXPECT_EQ(segment.stream == 0, theirs[i].defaultStream);
        ASSERT_EQ(segment.blocks.size(), theirs[i].blocks.size()) << "of the segment at " << segment.address;
        for (std::size_t b = 0; b < theirs[i].blocks.size(); ++b) {
            const HistoryBlock& block = theirs[i].blocks[b];
            ASSERT_EQ(segment.blocks[b].bytes, block.bytes);
            if (segment.blocks[b].state == BlockState::kEarlier) {
                ASSERT_TRUE(block.active);
                continue;
            }
            ASSERT_EQ(segment.blocks[b].state, stateOf(block));
            if (block.allocated) {
                ASSERT_EQ(trace.allocation(segment.blocks[b].allocation)->requested, block.requested);
            }
        }
    }
}

struct GpuAllocator : GpuTest {
    /// A run under LibTorch's own history, compared with it, and with at least so many of its snapshots.
    void expectTruth(const RunConfig& config, std::string_view state, std::size_t snapshots) {
        std::unique_ptr<AllocatorHistory> history;
        std::unique_ptr<SnapshotTaker> taker;
        RunControl control;
        const GpuRun recorded = run(config, control, [&](const std::shared_ptr<TraceFeed>&) {
            history = AllocatorHistory::open();
            ASSERT_TRUE(history) << "LibTorch's allocator was not found";
            history->begin();
            taker = std::make_unique<SnapshotTaker>(*history, control);
        });
        ASSERT_TRUE(history);
        const auto& taken = taker->stop();
        const std::vector<HistoryEntry> entries = history->end();
        ASSERT_TRUE(recorded.trace);
        EXPECT_EQ(recorded.outcome.state, state) << recorded.outcome.message;
        EXPECT_EQ(lossText(*recorded.trace), "");

        SideBySide sides(*recorded.trace);
        sides.compare(entries);
        EXPECT_GT(sides.compared(), 300u);
        ASSERT_GE(sides.snapshots().size(), taken.size());
        compareSnapshots(recorded.trace, sides.snapshots(), taken, snapshots);
        expectReserved(recorded.trace);
    }

private:
    static void compareSnapshots(const std::shared_ptr<const Snapshot>& shared,
                                 const std::vector<SideBySide::Moment>& moments,
                                 const std::vector<std::vector<HistorySegment>>& taken, std::size_t least) {
        const MemoryTimeline memory = timelineOf(shared);
        MemorySegments segments;
        const Snapshot& trace = *shared;
        segments.update(shared);
        std::size_t compared = 0;
        for (std::size_t i = 0; i < taken.size(); ++i) {
            const SideBySide::Moment& moment = moments[i];
            // Only a moment that no event shares with the next tells the two apart; and after the recording's
            // end there is nothing to compare.
            if (moment.memoryEvents == trace.memoryEventCount() || moment.memoryEvents == 0)
                continue;
            const std::int64_t t =
                std::max(trace.memoryEvent(moment.memoryEvents - 1)->time,
                         moment.segmentEvents == 0 ? 0 : trace.segmentEvent(moment.segmentEvents - 1)->time);
            if (trace.memoryEvent(moment.memoryEvents)->time <= t ||
                (moment.segmentEvents < trace.segmentEventCount() &&
                 trace.segmentEvent(moment.segmentEvents)->time <= t))
                continue;
            expectSameSegments(trace, segments.at(memory, Nanoseconds(t)), taken[i]);
            ++compared;
        }
        EXPECT_GE(compared, least) << "of " << taken.size();
    }

    /// LibTorch states what it has reserved with every allocation and free; the live segments add up to it.
    static void expectReserved(const std::shared_ptr<const Snapshot>& trace) {
        MemorySegments segments;
        segments.update(trace);
        std::size_t samples = 0;
        for (std::uint64_t i = 0; i < trace->counterSampleCount(); ++i) {
            const CounterSample sample = *trace->counterSample(i);
            if (trace->name(sample.counter) != "memory reserved")
                continue;
            EXPECT_EQ(segments.reservedAt(Nanoseconds(sample.time)).value,
                      static_cast<std::int64_t>(sample.value));
            ++samples;
        }
        EXPECT_GT(samples, 3u);
        EXPECT_EQ(segments.peakReserved().value,
                  trace->info().getInteger("allocator.peak_reserved_bytes").value_or(-1));
    }
};

TEST_F(GpuAllocator, EveryEventSegmentAndBlockIsLibTorchsOwn) {
    for (RunConfig each : {config(), config(Precision::kBf16, AttentionVariant::kSdpaFlash)}) {
        each.steps = 6;
        expectTruth(each, run_state::kFinished, 3);
    }
}

TEST_F(GpuAllocator, SoWhenMemoryRunsOut) {
    expectTruth(tooLarge(), run_state::kFailed, 0);
}

TEST_F(GpuAllocator, OutOfMemoryIsInTheTraceWithItsPlace) {
    const GpuRun failed = run(tooLarge());
    std::size_t found = 0;
    for (std::uint64_t i = 0; i < failed.trace->segmentEventCount(); ++i) {
        const SegmentEvent event = *failed.trace->segmentEvent(i);
        if (event.action != SegmentAction::kOutOfMemory)
            continue;
        ++found;
        EXPECT_GT(event.bytes, 0);
        EXPECT_EQ(event.step, 0);
        EXPECT_NE(failed.trace->place(event.place).phase, Phase::kNone);
        EXPECT_TRUE(failed.trace->place(event.place).module.valid());
    }
    EXPECT_EQ(found, 1u);
}

TEST_F(GpuAllocator, TheProfilersOwnMemoryIsStated) {
    const GpuRun recorded = cleanRun(config());
    const RunInfo& info = recorded.trace->info();
    const std::int64_t profiler = info.getInteger("memory.profiler_bytes").value_or(-1);
    const std::int64_t other = info.getInteger("memory.other_bytes").value_or(-1);
    const std::int64_t device = info.getInteger("device.memory_bytes").value_or(0);
    EXPECT_GE(profiler, 0);
    EXPECT_LT(profiler, std::int64_t{1} << 30);
    EXPECT_GT(other, std::int64_t{64} << 20) << "a context alone takes more";
    EXPECT_LT(profiler + other, device);
    // Taken once, and there for all later runs of the process.
    const GpuRun again = cleanRun(config());
    EXPECT_GE(again.trace->info().getInteger("memory.profiler_bytes").value_or(-1), profiler);
}

}  // namespace warpglass::test::gpu_allocator_test
