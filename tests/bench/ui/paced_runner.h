// A runner without LibTorch whose run appends so many rows a second of the wall clock, through the
// TraceWriter and TraceFeed that a recording uses, in a GPU run's shape: steps, phases, modules, nested ops
// on the main thread and autograd's, calls into CUDA, kernels of one stream that arrive 50 ms at a time,
// allocations and frees. In each 100 rows about 15 are kernels and 30 are memory events.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/runner/runner_api.h"

namespace warpglass::test {

class PacedRunner final : public Runner {
public:
    explicit PacedRunner(double rowsPerSecond) : m_rate(rowsPerSecond) {}

    std::string torchVersion() const override { return "none"; }
    std::vector<DeviceInfo> devices() const override { return {}; }
    /// Goes on until it is stopped, whatever the configuration says; a step has its layers.
    Result<RunOutcome> run(const ValidConfig& config, RunControl& control,
                           const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) override;
    Result<RunOutcome> runUnrecorded(const ValidConfig& config, RunControl& control) override;
    Result<DeviceCeilings> measureCeilings(const std::string& device, RunControl& control) override;

    /// What the writer has spent on its rows so far. Any thread.
    struct Cost {
        std::uint64_t rows = 0;
        std::uint64_t cpuNanoseconds = 0;  // of the writer's thread
    };
    Cost cost() const { return {m_rows.load(), m_cpu.load()}; }
    /// The longest that appending some milliseconds' rows and committing them took since the last call.
    std::int64_t takeLongestTurn() { return m_longestTurn.exchange(0); }

private:
    const double m_rate;
    std::atomic<std::uint64_t> m_rows{0};
    std::atomic<std::uint64_t> m_cpu{0};
    std::atomic<std::int64_t> m_longestTurn{0};
};

}  // namespace warpglass::test
