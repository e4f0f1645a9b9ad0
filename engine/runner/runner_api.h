// What libwarpglass-runner offers, with no LibTorch header: the app and the command line load it when
// something is first run (engine/session/runner_library.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/host_device.h"
#include "engine/base/result.h"
#include "engine/base/units.h"
#include "engine/plan/accumulation.h"
#include "engine/plan/device_ceilings.h"
#include "engine/plan/valid_config.h"
#include "engine/trace/trace_feed.h"

namespace warpglass {

/// Shared by whoever started a run and the run itself; all members may be used from any thread.
struct RunControl {
    /// Read between ops; the run ends there, keeps what it recorded and says "stopped".
    std::atomic<bool> stop{false};
    /// The step now running (warm-up steps first), and how many there are.
    std::atomic<std::int64_t> step{0};
    std::atomic<std::int64_t> totalSteps{0};
    /// What the run states besides what the runner knows of it; not changed any more once it has begun.
    std::vector<std::pair<std::string, std::string>> information;
    /// Runs on the CPU although it is predicted not to fit; not changed any more once it has begun.
    bool overcommit = false;
    /// Where LibTorch's own snapshot of a GPU's memory goes, taken when the last step has ended (or the run
    /// has failed) and before anything is freed; empty for none. Not changed any more once it has begun.
    std::filesystem::path memorySnapshot;
};

/// A tensor by what it is ("fc1 output") and its type ("fp16").
struct NamedType {
    std::string tensor, type;
};

/// How a run ended.
struct RunOutcome {
    /// A run_state value: finished, stopped or failed.
    std::string state;
    /// One sentence when it failed.
    std::string message;
    /// Loss of each completed step, warm-up steps first; for mode forward too (the loss of the logits). The
    /// attention workload has none.
    std::vector<double> losses;
    /// Completed steps, warm-up steps among them.
    std::int64_t steps = 0;
    /// Why there is no memory snapshot though one was asked for, in one sentence; empty when all is well. The
    /// run states it too, as "memory_snapshot.problem".
    std::string snapshotProblem = {};
};

class Runner {
public:
    virtual ~Runner() = default;

    /// "2.11.0".
    virtual std::string torchVersion() const = 0;
    virtual std::vector<DeviceInfo> devices() const = 0;

    /// Runs to the end on the calling thread (not the window's). One run at a time: a second concurrent call
    /// fails with a sentence. `onFeed` is called once, on the calling thread, before anything is recorded;
    /// snapshots then appear in the feed, the last one with the final state before this returns. An error
    /// only when nothing could be recorded at all (the device is absent, the memory too small).
    virtual Result<RunOutcome> run(const ValidConfig& config, RunControl& control,
                                   const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) = 0;
    /// The same run with no observer attached and nothing recorded, for measuring what recording costs.
    virtual Result<RunOutcome> runUnrecorded(const ValidConfig& config, RunControl& control) = 0;

    /// Measures what a device ("cpu", "cuda:0") can do at most: some seconds of work on the calling thread,
    /// by steps that `control` counts and between which it stops (then an error). Excludes runs as a run
    /// does.
    virtual Result<DeviceCeilings> measureCeilings(const std::string& device, RunControl& control) = 0;

    /// The sum after each term, computed on the CPU op by op: some microseconds a term, on the calling
    /// thread. May be called while a run goes on.
    virtual Result<std::vector<double>> accumulate(const Accumulation&) {
        return Error{"This runner adds no numbers."};
    }
    /// One forward and backward pass of fc1 → ReLU → LayerNorm → fc2 → cross-entropy under autocast, and the
    /// type of every tensor in it, in that order. `device` is "cpu" or a GPU's name, `precision` a mixed one.
    virtual Result<std::vector<NamedType>> autocastTypes(const std::string& /*device*/, Precision) {
        return Error{"This runner knows no types."};
    }
};

/// Raised when anything in this header or in the headers it includes changes shape.
inline constexpr int kRunnerAbi = 13;

}  // namespace warpglass

extern "C" {
/// Null when `abi` is not this library's kRunnerAbi. The library keeps the object.
warpglass::Runner* warpglassRunner(int abi);
}
