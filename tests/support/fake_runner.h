// A Runner without LibTorch: records SyntheticRecorder's run, as fast or as slowly as a test wants.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "engine/runner/runner_api.h"

namespace warpglass::test {

struct FakeRunnerOptions {
    /// Slept after every outermost op, so that a run can be watched and stopped; 0 runs flat out.
    std::chrono::microseconds pausePerOp{0};
    /// A snapshot is published after every so many outermost ops, and at every step's end.
    int opsPerCommit = 20;
    /// The step in which the run fails, with this message.
    std::optional<std::int64_t> failAtStep;
    std::string failMessage = "the synthetic run was told to fail";
    /// When set, run() returns this error and records nothing.
    std::string refuse;
    std::string version = "2.11.0";
    /// The share of its time that the run says its thread waited for a core.
    std::optional<double> waitedShare;
    /// Called on the run's thread before each step: for a test that steers what happens in between.
    std::function<void(std::int64_t)> beforeStep;
};

class FakeRunner : public Runner {
public:
    explicit FakeRunner(FakeRunnerOptions options = {});

    std::string torchVersion() const override { return m_options.version; }
    std::vector<DeviceInfo> devices() const override;
    Result<RunOutcome> run(const ValidConfig& config, RunControl& control,
                           const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) override;
    Result<RunOutcome> runUnrecorded(const ValidConfig& config, RunControl& control) override;
    /// Made-up figures of its one device; an error for another, and when stopped.
    Result<DeviceCeilings> measureCeilings(const std::string& device, RunControl& control) override;

private:
    FakeRunnerOptions m_options;
    std::atomic<bool> m_busy{false};
};

}  // namespace warpglass::test
