#include "engine/capture/conditions_sampler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "engine/capture/capture_stream.h"
#include "engine/capture/name_registry.h"
#include "engine/capture/recorder.h"
#include "engine/trace/condition_counters.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test::conditions_sampler_test {

class FakeMonitor final : public GpuMonitor {
public:
    GpuState read() override { return {.smClock = 1410, .reasons = clock_reason::kPowerCap, .watts = 412.5}; }
    std::optional<std::int64_t> maxSmClock() override { return 1980; }
};

struct Sampler : testing::Test {
    void SetUp() override {
        write("proc/stat", "cpu  100 0 50 0 0 0 0 7 0 0\ncpu0 1 1 1 1\ncpu1 1 1 1 1\n");
        write("proc/self/task/5/schedstat", "1 2000 3\n");
    }
    void write(const std::string& name, const std::string& content) { writeContent(m_root / name, content); }
    HostLoadReader host() { return HostLoadReader(5, m_root.path()); }

    TemporaryFolder m_root;
};

/// By counter: the values in order.
std::map<std::string, std::vector<double>> valuesOf(const Snapshot& run) {
    std::map<std::string, std::vector<double>> values;
    for (std::uint64_t i = 0; i < run.counterSampleCount(); ++i)
        values[std::string(run.name(run.counterSample(i)->counter))].push_back(run.counterSample(i)->value);
    return values;
}

TEST_F(Sampler, TakesWhatTheSystemTellsAtTheBeginningAndTheEnd) {
    ConditionsSampler sampler(host(), std::make_unique<FakeMonitor>());
    Recorder recorder({});
    recorder.start();
    sampler.start();
    sampler.stop();
    recorder.finish({});
    const auto run = recorder.feed()->latest();
    const auto values = valuesOf(*run);
    const auto of = [&](ConditionCounter counter) {
        const auto found = values.find(std::string(conditionCounterName(counter)));
        return found == values.end() ? std::vector<double>() : found->second;
    };
    // One at the beginning and one at the end; on a machine that stands still for long, more between them.
    const std::size_t moments = of(ConditionCounter::kWaited).size();
    ASSERT_GE(moments, 2u);
    const auto eachTime = [moments](double value) { return std::vector<double>(moments, value); };
    EXPECT_EQ(of(ConditionCounter::kHostBusy), eachTime(150e7));
    EXPECT_EQ(of(ConditionCounter::kHostStolen), eachTime(7e7));
    EXPECT_EQ(of(ConditionCounter::kWaited), eachTime(2000));
    EXPECT_EQ(of(ConditionCounter::kOwnTime).size(), moments);
    EXPECT_TRUE(of(ConditionCounter::kPreempted).empty()) << "there is no status";
    EXPECT_TRUE(of(ConditionCounter::kThrottled).empty()) << "there is no quota";
    EXPECT_EQ(of(ConditionCounter::kSmClock), eachTime(1410));
    EXPECT_EQ(of(ConditionCounter::kClockReasons), eachTime(4));
    EXPECT_EQ(of(ConditionCounter::kPower), eachTime(412.5));
    EXPECT_TRUE(of(ConditionCounter::kTemperature).empty());
    // All of a moment have one time.
    std::map<std::int64_t, std::size_t> byTime;
    for (std::uint64_t i = 0; i < run->counterSampleCount(); ++i)
        ++byTime[run->counterSample(i)->time];
    EXPECT_LE(byTime.size(), moments);
    for (const auto& [time, count] : byTime)
        EXPECT_EQ(count % (run->counterSampleCount() / moments), 0u) << time;
    EXPECT_TRUE(run->losses().empty());
}

TEST_F(Sampler, GoesOnWhileTheRunDoes) {
    ConditionsSampler sampler(host());
    Recorder recorder({});
    recorder.start();
    sampler.start();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const std::string name(conditionCounterName(ConditionCounter::kWaited));
    std::size_t samples = 0;
    while (samples < 4 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        samples = valuesOf(*recorder.feed()->latest())[name].size();
    }
    EXPECT_GE(samples, 4u);
    sampler.stop();
    recorder.finish({});
}

TEST_F(Sampler, TakesNoThreadsNumberAndNoTrack) {
    ConditionsSampler sampler(host());
    Recorder recorder({});
    recorder.start();
    sampler.start();
    sampler.stop();  // the sampler's thread has been there before the other's
    std::thread([] {
        CaptureEvent event{.time = CaptureStream::instance().now(),
                           .name = NameRegistry::idOf("aten::mm"),
                           .kind = CaptureKind::kOpBegin};
        CaptureStream::instance().push(event);
    }).join();
    recorder.finish({});
    const auto run = recorder.feed()->latest();
    ASSERT_EQ(run->trackCount(), 5u);
    EXPECT_EQ(run->name(run->track(TrackId(4)).name), "thread 1");
}

TEST_F(Sampler, StatesWhatTheCountersAreReadBy) {
    const auto pairs = ConditionsSampler(host(), std::make_unique<FakeMonitor>()).information();
    std::map<std::string, std::string> info(pairs.begin(), pairs.end());
    EXPECT_EQ(info["host.cores"], "2");
    EXPECT_EQ(info["gpu.max_sm_clock_mhz"], "1980");
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/cpu.max", "50000 100000\n");
    const auto limited = ConditionsSampler(host()).information();
    info = {limited.begin(), limited.end()};
    EXPECT_EQ(info["host.cores_allowed"], "0.5");
    EXPECT_FALSE(info.contains("gpu.max_sm_clock_mhz"));
}

}  // namespace warpglass::test::conditions_sampler_test
