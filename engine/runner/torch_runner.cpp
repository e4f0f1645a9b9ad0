#include "engine/runner/torch_runner.h"

#include <sys/utsname.h>
#include <torch/version.h>

#include <chrono>
#include <ctime>
#include <new>

#include "engine/base/host_device.h"
#include "engine/capture/range_scope.h"
#include "engine/capture/recorder.h"
#include "engine/capture/torch_observers.h"
#include "engine/runner/attention.h"
#include "engine/runner/refusal.h"
#include "engine/runner/safe_point.h"
#include "engine/runner/training_run.h"

namespace warpglass {
namespace {

/// Held by the one run that may be going on.
class BusyScope {
public:
    explicit BusyScope(std::atomic<bool>& busy) : m_busy(busy), m_mine(!busy.exchange(true)) {}
    ~BusyScope() {
        if (m_mine)
            m_busy.store(false);
    }
    BusyScope(const BusyScope&) = delete;
    BusyScope& operator=(const BusyScope&) = delete;
    bool mine() const { return m_mine; }

private:
    std::atomic<bool>& m_busy;
    bool m_mine;
};

const Error kBusyError{"A run is already going on in this process; it has to end before another can start."};

/// LibTorch's messages go on with a backtrace and advice on later lines.
std::string firstLine(std::string_view text) {
    return std::string(text.substr(0, text.find('\n')));
}

std::string failureSentence(const c10::Error& error) {
    const std::string what = firstLine(error.what_without_backtrace());
    if (what.find("can't allocate memory") != std::string::npos ||
        what.find("not enough memory") != std::string::npos)
        return "The run needs more memory than this machine gave it; LibTorch says: " + what;
    return "LibTorch could not go on: " + what;
}

/// Everything between the start of the recording and its end. Never throws.
RunOutcome execute(const RunConfig& config, RunControl& control) {
    static const RegisteredName kLoss("loss");
    const SafePointScope safePoints(control.stop);
    RunOutcome outcome;
    const auto fail = [&outcome](std::string message) {
        outcome.state = run_state::kFailed;
        outcome.message = std::move(message);
    };
    try {
        TrainingRun run(config);
        run.setUp();
        const std::int64_t steps = config.warmup + config.steps;
        for (std::int64_t i = 0; i < steps; ++i) {
            control.step.store(i);
            outcome.losses.push_back(run.step(i));
            recordCounter(kLoss, outcome.losses.back());
        }
        run.tearDown();
        outcome.state = run_state::kFinished;
    } catch (const StopRequested&) {
        outcome.state = run_state::kStopped;
    } catch (const c10::Error& error) {
        fail(failureSentence(error));
    } catch (const std::bad_alloc&) {
        fail("The run needs more memory than this machine gave it.");
    } catch (const std::exception& error) {
        fail("The run could not go on: " + firstLine(error.what()));
    }
    return outcome;
}

std::string utcNow() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

std::string hostOs() {
    utsname name{};
    uname(&name);
    return std::string(name.sysname) + " " + name.release;
}

Recorder::Info describe(const RunConfig& config, const DeviceInfo& device, const std::string& backend) {
    Recorder::Info info = toPairs(config);
    info.emplace_back("state", run_state::kRecording);
    info.emplace_back("state.message", "");
    info.emplace_back("device.name", device.name);
    info.emplace_back("device.memory_bytes", std::to_string(device.memory.value));
    info.emplace_back("torch.version", TORCH_VERSION);
    info.emplace_back("warpglass.version", WARPGLASS_VERSION);
    info.emplace_back("attention.backend", backend);
    info.emplace_back("threads", std::to_string(at::get_num_threads()));
    info.emplace_back("time.started", utcNow());
    info.emplace_back("host.os", hostOs());
    return info;
}

/// The implementation that will run, or why there is none. Call inside an SdpaBackendScope.
Result<std::string> chooseBackend(const RunConfig& config) {
    try {
        std::string backend = attentionBackend(config);
        const bool wantsFlash = config.attention == AttentionVariant::kSdpaFlash;
        if (wantsFlash != (backend.find("flash") != std::string::npos))
            return Error{"LibTorch chose " + backend + " for the attention variant " +
                         std::string(attentionName(config.attention)) + "."};
        return backend;
    } catch (const std::exception& error) {
        return Error{"LibTorch has no " + std::string(attentionName(config.attention)) +
                     " attention for this configuration: " + firstLine(error.what())};
    }
}

void prepare(const RunConfig& config, RunControl& control) {
    control.step.store(0);
    control.totalSteps.store(config.warmup + config.steps);
}

}  // namespace

std::string TorchRunner::torchVersion() const {
    // What is loaded, not what this was compiled against: WARPGLASS_TORCH may name another.
    const std::string settings = at::show_config();
    constexpr std::string_view kKey = "TORCH_VERSION=";
    const std::size_t at = settings.find(kKey);
    if (at == std::string::npos)
        return TORCH_VERSION;
    const std::size_t begin = at + kKey.size();
    return settings.substr(begin, settings.find_first_of(", \n", begin) - begin);
}

std::vector<DeviceInfo> TorchRunner::devices() const {
    DeviceInfo cpu = hostDevice();
    cpu.threads = at::get_num_threads();
    return {cpu};
}

Result<RunOutcome> TorchRunner::run(const RunConfig& config, RunControl& control,
                                    const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) {
    const BusyScope busy(m_busy);
    if (!busy.mine())
        return kBusyError;
    const DeviceInfo device = devices().front();
    if (Status status = refuseImpossible(config, device); !status)
        return status.error();
    const SdpaBackendScope sdpa(config.attention);
    const Result<std::string> backend = chooseBackend(config);
    if (!backend)
        return backend.error();

    prepare(config, control);
    Recorder recorder(describe(config, device, *backend));
    onFeed(recorder.feed());
    try {
        recorder.start();
    } catch (const std::exception& error) {
        return Error{"The recording could not begin: " + firstLine(error.what()) + "."};
    }
    RunOutcome outcome;
    {
        const TorchObservers observers;
        outcome = execute(config, control);
    }
    recorder.finish({{"steps.completed", std::to_string(outcome.losses.size())},
                     {"state", outcome.state},
                     {"state.message", outcome.message}});
    return outcome;
}

Result<RunOutcome> TorchRunner::runUnrecorded(const RunConfig& config, RunControl& control) {
    const BusyScope busy(m_busy);
    if (!busy.mine())
        return kBusyError;
    if (Status status = refuseImpossible(config, devices().front()); !status)
        return status.error();
    const SdpaBackendScope sdpa(config.attention);
    if (const Result<std::string> backend = chooseBackend(config); !backend)
        return backend.error();
    prepare(config, control);
    return execute(config, control);
}

}  // namespace warpglass

warpglass::Runner* warpglassRunner(int abi) {
    static warpglass::TorchRunner runner;
    return abi == warpglass::kRunnerAbi ? &runner : nullptr;
}
