// A failure that the device does not recover from: an assertion in a kernel. Each case runs in a process of
// its own, which nothing but its end can mend.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "engine/io/run_file.h"
#include "engine/session/run_session.h"
#include "tests/gpu/gpu_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/valid.h"

namespace warpglass::test::gpu_fault_test {

using namespace std::chrono_literals;

/// Longer than any machine takes; a process that hangs is ended by the alarm, and its test fails.
constexpr unsigned kPatience = 240;

/// Fewer than any step has.
constexpr std::int64_t kKernelsOfAStep = 100;

/// Fills memory of the first GPU through the driver, in the context that LibTorch uses. False when it cannot.
bool fillOnDevice(std::uint64_t address, std::size_t bytes, unsigned char value) {
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!driver)
        return false;
    const auto retain = reinterpret_cast<int (*)(void**, int)>(dlsym(driver, "cuDevicePrimaryCtxRetain"));
    const auto setCurrent = reinterpret_cast<int (*)(void*)>(dlsym(driver, "cuCtxSetCurrent"));
    const auto fill = reinterpret_cast<int (*)(unsigned long long, unsigned char, std::size_t)>(
        dlsym(driver, "cuMemsetD8_v2"));
    void* context = nullptr;
    return retain && setCurrent && fill && retain(&context, 0) == 0 && setCurrent(context) == 0 &&
           fill(address, value, bytes) == 0;
}

/// Where the run's token and target ids are: what a step looks up rows of tables by.
std::vector<std::uint64_t> idTensors(const Snapshot& trace, const RunConfig& config) {
    const std::int64_t bytes = config.tokensPerStep() * 8;
    std::vector<std::uint64_t> addresses;
    for (std::uint64_t i = 0; i < trace.settledAllocationCount(); ++i) {
        const auto row = trace.allocation(AllocationId(i));
        if (row && row->category == Category::kInput && row->requested == bytes)
            addresses.push_back(row->address);
    }
    return addresses;
}

/// What was not as it should be, on standard error; the process then exits with 1.
class Findings {
public:
    void expect(bool holds, const std::string& what) {
        if (holds)
            return;
        std::fprintf(stderr, "not so: %s\n", what.c_str());
        m_all = false;
    }
    bool all() const { return m_all; }

private:
    bool m_all = true;
};

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Lets a run come to its third step and its kernels so far be recorded (CUPTI hands out no times of what was
/// still in its buffers when the device fails: those are counted as lost), then makes every token's id one
/// that no table has: the embedding's kernel asserts.
std::unique_ptr<RunSession> runIntoAssertion(Runner& runner, const RunConfig& config,
                                             const std::filesystem::path& file, Findings& findings) {
    std::unique_ptr<RunSession> session = RunSession::startWith(runner, valid(config), file);
    while (!session->finished() && session->control().step < 3)
        std::this_thread::sleep_for(1ms);
    findings.expect(!session->finished(), "the run comes to its third step");
    if (session->finished())
        return nullptr;
    std::vector<std::uint64_t> ids;
    while (!session->finished() && ids.size() < 2) {
        ids = idTensors(*session->feed()->latest(), config);
        std::this_thread::sleep_for(5ms);
    }
    findings.expect(ids.size() == 2, "tokens and targets are two allocations of this size");
    while (!session->finished() && kernelsOf(*session->feed()->latest(), 2) <= kKernelsOfAStep)
        std::this_thread::sleep_for(5ms);
    for (const std::uint64_t address : ids)
        findings.expect(fillOnDevice(address, static_cast<std::size_t>(config.tokensPerStep()) * 8, 0x7f),
                        "the ids can be overwritten");
    session->wait();
    return session;
}

void checkRecording(const RunSession& session, const std::filesystem::path& file, Findings& findings) {
    const RunOutcome outcome = session.outcome().value_or(RunOutcome{});
    std::fprintf(stderr, "the run: %s, \"%s\"\n", outcome.state.c_str(), outcome.message.c_str());
    findings.expect(outcome.state == run_state::kFailed, "the run has failed");
    findings.expect(contains(outcome.message, "need a restart of this program"),
                    "it says that the device needs a restart");
    findings.expect(outcome.losses.size() >= 3, "the steps before are counted");
    findings.expect(session.fileError().empty(), "its file is complete: " + session.fileError());

    const auto trace = session.feed()->latest();
    findings.expect(trace->info().get("state") == run_state::kFailed, "the trace says that it failed");
    findings.expect(trace->info().get("state.message") == outcome.message, "and why");
    findings.expect(trace->openSpans().empty(), "nothing is left open");
    std::fprintf(stderr, "recorded: %s\n", lossText(*trace).c_str());
    for (std::int32_t step = 0; step < 3; ++step)
        findings.expect(kernelsOf(*trace, step) > kKernelsOfAStep,
                        "the kernels of step " + std::to_string(step) + " are kept");

    const auto opened = openRun(file);
    findings.expect(opened.ok(), "the file opens");
    if (!opened)
        return;
    // Kernels that the failure cut off have no times, and that is said.
    findings.expect(opened->warnings.empty() || !lossText(*trace).empty(),
                    "with no warning but of what was lost: " +
                        (opened->warnings.empty() ? std::string() : opened->warnings.front()));
    findings.expect(opened->snapshot->spanCount() == trace->spanCount(), "with every span");
    findings.expect(opened->snapshot->memoryEventCount() == trace->memoryEventCount(),
                    "with every memory event");
    findings.expect(opened->snapshot->info().get("state.message") == outcome.message, "and the reason");
}

void checkWhatFollows(Runner& runner, const RunConfig& config, Findings& findings) {
    for (int i = 0; i < 2; ++i) {
        RunControl control;
        bool recorded = false;
        const auto next =
            runner.run(valid(config), control, [&](std::shared_ptr<TraceFeed>) { recorded = true; });
        std::fprintf(stderr, "the next: \"%s\"\n", next.message().c_str());
        findings.expect(!next.ok() && !recorded, "the next run is refused");
        findings.expect(contains(next.message(), "until this program is started again"),
                        "with a sentence that says what helps");
    }
    RunControl control;
    findings.expect(!runner.runUnrecorded(valid(config), control).ok(), "an unrecorded run is refused");
    findings.expect(!runner.measureCeilings("cuda:0", control).ok(), "and so is a measurement");
    const auto devices = runner.devices();
    findings.expect(std::any_of(devices.begin(), devices.end(),
                                [](const DeviceInfo& device) { return device.id == "cuda:0"; }),
                    "the device is listed as before");

    RunConfig onCpu{.shape = *presetShape("tiny"), .context = 16, .batch = 1, .mode = Mode::kForward};
    std::shared_ptr<TraceFeed> feed;
    const auto cpu = runner.run(valid(onCpu), control, [&](std::shared_ptr<TraceFeed> live) { feed = live; });
    findings.expect(cpu.ok() && cpu->state == run_state::kFinished,
                    "a run on the CPU goes on as ever: " + (cpu.ok() ? cpu->message : cpu.message()));
}

[[noreturn]] void failOnDevice(Runner& runner, RunConfig config) {
    alarm(kPatience);
    Findings findings;
    {
        config.steps = 100'000;
        const TemporaryFolder folder;
        const std::filesystem::path file = folder / "failed.wgrun";
        if (const auto session = runIntoAssertion(runner, config, file, findings)) {
            checkRecording(*session, file, findings);
            checkWhatFollows(runner, config, findings);
        }
    }
    // Not _exit: that the program ends is part of it.
    std::exit(findings.all() ? 0 : 1);
}

class GpuFaultDeathTest : public GpuTest, public testing::WithParamInterface<Execution> {
protected:
    // A fresh process, and not a fork of this one, which has CUDA loaded.
    GpuFaultDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(GpuFaultDeathTest, WhatWasRecordedIsKeptAndTheDeviceRefusedFromThenOn) {
    RunConfig faulty = config();
    faulty.execution = GetParam();
    EXPECT_EXIT(failOnDevice(*m_runner, faulty), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(EagerAndGraph, GpuFaultDeathTest,
                         testing::Values(Execution::kEager, Execution::kGraph),
                         [](const auto& tested) { return std::string(executionName(tested.param)); });

}  // namespace warpglass::test::gpu_fault_test
