#include "engine/capture/recorder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "engine/capture/capture_stream.h"
#include "engine/capture/range_scope.h"
#include "tests/support/every_span.h"

namespace warpglass::test::recorder_test {

std::uint64_t rowsOfKind(const Snapshot& s, TrackKind kind) {
    return spansOfKind(s, kind).size();
}

/// As the op observer does it.
void recordOp(const char* name) {
    CaptureStream& stream = CaptureStream::instance();
    CaptureEvent event{.time = stream.now(),
                       .name = NameRegistry::idOf(name),
                       .depth = stream.thread().depth++,
                       .kind = CaptureKind::kOpBegin};
    stream.push(event);
    CaptureEvent end{.time = stream.now(), .depth = --stream.thread().depth, .kind = CaptureKind::kOpEnd};
    stream.push(end);
}

/// What is recorded while `work` goes on.
template <class Work>
std::shared_ptr<const Snapshot> recordedOf(Work work, GpuActivity* gpu = nullptr) {
    Recorder recorder({}, gpu);
    recorder.start();
    work();
    recorder.finish({});
    return recorder.feed()->latest();
}

/// Tells of a kernel as soon as its launch has been pushed, as CUPTI may.
class FakeGpu final : public GpuActivity {
public:
    void launch(std::uint32_t correlation) {
        CaptureStream& stream = CaptureStream::instance();
        CaptureEvent event{.name = NameRegistry::idOf("cuLaunchKernel"), .kind = CaptureKind::kApiBegin};
        event.correlation = correlation;
        event.time = stream.now();
        stream.pushSurely(event);
        event.kind = CaptureKind::kApiEnd;
        stream.pushSurely(event);
        GpuRecord record{.symbol = "kernel",
                         .begin = 1000 * static_cast<std::int64_t>(correlation),
                         .correlation = correlation};
        record.end = record.begin + 10;
        const std::lock_guard lock(m_mutex);
        m_arrived.push_back(record);
    }
    void flush(bool) override {}
    bool collect() override {
        const std::lock_guard lock(m_mutex);
        m_taken.swap(m_arrived);
        return !m_taken.empty();
    }
    void decode(const std::function<void(const GpuRecord&)>& take) override {
        for (const GpuRecord& record : m_taken)
            take(record);
        m_taken.clear();
    }
    std::vector<LossCount> losses() const override { return {{"made up", 3}}; }

private:
    std::mutex m_mutex;
    std::vector<GpuRecord> m_arrived, m_taken;
};

TEST(Recorder, EveryKernelFindsItsLaunchHoweverEarlyItsRecordComes) {
    FakeGpu gpu;
    constexpr std::uint32_t kLaunches = 50000;
    const auto launchAll = [&] {
        const PhaseScope phase(Phase::kForward);
        for (std::uint32_t i = 1; i <= kLaunches; ++i) {
            const ModuleScope module{ModulePath(i % 2 ? "odd" : "even")};
            gpu.launch(i);
            if (i % 1000 == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(4));
        }
    };
    const auto s = recordedOf(launchAll, &gpu);
    ASSERT_EQ(s->losses().size(), 1u) << s->losses()[0].name;
    EXPECT_EQ(s->losses()[0].name, "made up");
    const SpanLane lane = s->lanesOf(s->tracksOfKind(TrackKind::kGpuStream).at(0)).at(0);
    ASSERT_EQ(lane.rows(), kLaunches);
    for (std::uint64_t i = 0; i < lane.rows(); ++i) {
        const SpanRow row = *lane.row(i);
        ASSERT_EQ(s->name(s->place(row.place).module), row.link % 2 ? "odd" : "even") << row.link;
    }
}

TEST(Recorder, RangesOpsAndCountersBecomeATrace) {
    Recorder recorder({{"state", "recording"}, {"config.seed", "7"}});
    recorder.start();
    {
        const StepScope step(0);
        const PhaseScope phase(Phase::kForward);
        const ModuleScope module{ModulePath("blocks.0")};
        const PartScope part{RegisteredName("scores")};
        recordOp("aten::bmm");
        recordCounter(RegisteredName("loss"), 2.5);
    }
    recorder.finish({{"state", "finished"}});
    const auto s = recorder.feed()->latest();
    EXPECT_EQ(s->info().get("state"), "finished");
    EXPECT_EQ(s->info().get("config.seed"), "7");
    EXPECT_EQ(rowsOfKind(*s, TrackKind::kStep), 1u);
    EXPECT_EQ(rowsOfKind(*s, TrackKind::kPhase), 1u);
    EXPECT_EQ(rowsOfKind(*s, TrackKind::kModule), 2u);
    EXPECT_EQ(rowsOfKind(*s, TrackKind::kCpuThread), 1u);
    ASSERT_EQ(s->counterSampleCount(), 1u);
    EXPECT_EQ(s->counterSample(0)->value, 2.5);
    EXPECT_TRUE(s->losses().empty());
}

TEST(Recorder, TracksComeInTheirOrder) {
    const auto s = recordedOf([] {});
    ASSERT_EQ(s->trackCount(), 4u);
    const char* names[] = {"steps", "phases", "modules", "main"};
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(s->name(s->track(TrackId(i)).name), names[i]);
}

TEST(Recorder, RowsAppearWhileTheRunGoesOn) {
    Recorder recorder({});
    recorder.start();
    recordOp("aten::mm");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::uint64_t rows = 0;
    while (rows == 0 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (const auto s = recorder.feed()->latest())
            rows = rowsOfKind(*s, TrackKind::kCpuThread);
    }
    EXPECT_EQ(rows, 1u);
    recorder.finish({});
}

TEST(Recorder, ThreadsHaveTracksOfTheirOwn) {
    constexpr int kThreads = 3, kOps = 5000;
    const auto s = recordedOf([] {
        std::vector<std::jthread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([] {
                for (int i = 0; i < kOps; ++i)
                    recordOp(i % 2 ? "aten::a" : "aten::b");
            });
        }
        recordOp("aten::main");
    });
    EXPECT_TRUE(s->losses().empty());
    const auto tracks = s->tracksOfKind(TrackKind::kCpuThread);
    ASSERT_EQ(tracks.size(), std::size_t{kThreads + 1});
    EXPECT_EQ(s->lanesOf(tracks[0])[0].rows(), 1u);
    for (int t = 1; t <= kThreads; ++t)
        EXPECT_EQ(s->lanesOf(tracks[static_cast<std::size_t>(t)])[0].rows(), std::uint64_t{kOps});
}

TEST(Recorder, ASecondRecordingStartsAfresh) {
    for (int run = 0; run < 3; ++run) {
        const auto s = recordedOf([run] {
            for (int i = 0; i <= run; ++i)
                recordOp("aten::mm");
        });
        EXPECT_EQ(rowsOfKind(*s, TrackKind::kCpuThread), static_cast<std::uint64_t>(run + 1));
    }
}

TEST(Recorder, NothingIsRecordedOutsideARecording) {
    {
        const PhaseScope phase(Phase::kForward);
        recordCounter(RegisteredName("loss"), 1);
    }
    const auto s = recordedOf([] {});
    EXPECT_EQ(s->spanCount(), 0u);
    EXPECT_EQ(s->counterSampleCount(), 0u);
}

}  // namespace warpglass::test::recorder_test
