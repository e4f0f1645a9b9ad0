#include "tests/gpu/gpu_run.h"

#include <chrono>
#include <thread>

#include "engine/query/statistics/statistics.h"
#include "engine/session/runner_library.h"
#include "tests/support/every_span.h"
#include "tests/support/valid.h"

namespace warpglass::test {

void GpuTest::SetUp() {
    const Result<Runner*> runner = loadRunner();
    if (!runner)
        GTEST_SKIP() << "nothing can be run here: " << runner.message();
    m_runner = *runner;
    for (const DeviceInfo& device : m_runner->devices()) {
        if (device.id == "cuda:0")
            return;
    }
    GTEST_SKIP() << "there is no GPU that LibTorch can use on this machine";
}

RunConfig GpuTest::config(Precision precision, AttentionVariant attention, Mode mode) {
    return {.model = "small",
            .shape = *presetShape("small"),
            .precision = precision,
            .attention = attention,
            .mode = mode,
            .device = "cuda:0",
            .warmup = 1,
            .steps = 2};
}

RunConfig GpuTest::tooLarge() {
    RunConfig large = config();
    large.context = 1024;
    large.batch = 16;
    large.memoryLimit = Bytes(std::int64_t{6} << 30);
    return large;
}

GpuRun GpuTest::run(const RunConfig& config, RunControl& control,
                    const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) {
    std::shared_ptr<TraceFeed> feed;
    const Result<RunOutcome> outcome =
        m_runner->run(test::valid(config), control, [&](std::shared_ptr<TraceFeed> recorded) {
            feed = recorded;
            if (onFeed)
                onFeed(recorded);
        });
    EXPECT_TRUE(outcome) << outcome.message();
    if (!outcome)
        return {};
    return {*outcome, feed->latest()};
}

GpuRun GpuTest::run(const RunConfig& config) {
    RunControl control;
    return run(config, control);
}

GpuRun GpuTest::runStoppedAt(const RunConfig& config, std::int64_t step, std::chrono::milliseconds after) {
    RunControl control;
    std::thread stopper([&control, step, after] {
        while (control.step.load() < step)
            std::this_thread::yield();
        std::this_thread::sleep_for(after);
        control.stop.store(true);
    });
    GpuRun stopped = run(config, control);
    stopper.join();
    return stopped;
}

GpuRun GpuTest::cleanRun(const RunConfig& config) {
    GpuRun result = run(config);
    EXPECT_EQ(result.outcome.state, run_state::kFinished) << result.outcome.message;
    EXPECT_EQ(lossText(*result.trace), "");
    EXPECT_EQ(result.trace->info().get("capture.problem"), "");
    return result;
}

std::int64_t kernelsOf(const Snapshot& trace, std::int32_t step, const char* family) {
    SpanFilter filter{.step = step};
    std::int64_t count = 0;
    for (const StatisticsRow& row : kernelStatistics(trace, filter)) {
        if (!family || kOpFamilyNames[static_cast<std::size_t>(row.family)] == family)
            count += row.instances;
    }
    return count;
}

std::map<std::string, int> kernelsByPlace(const Snapshot& trace, std::int32_t step) {
    std::map<std::string, int> kernels;
    for (const SpanRow& kernel : spansOf(trace, TrackKind::kGpuStream)) {
        const Place place = trace.place(kernel.place);
        if (kernel.step == step && place.phase != Phase::kReplay && place.phase != Phase::kNone)
            ++kernels[std::string(trace.name(kernel.name)) + " " + std::string(phaseName(place.phase)) + " " +
                      std::string(trace.name(place.module))];
    }
    return kernels;
}

std::vector<SpanRow> spansOf(const Snapshot& trace, TrackKind kind) {
    std::vector<SpanRow> spans;
    for (const FoundSpan& span : spansOfKind(trace, kind))
        spans.push_back(span.row);
    return spans;
}

std::string lossText(const Snapshot& trace) {
    std::string text;
    for (const LossCount& loss : trace.losses())
        text += std::to_string(loss.count) + " × " + loss.name + "; ";
    return text;
}

}  // namespace warpglass::test
