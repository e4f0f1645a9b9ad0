#include "engine/runner/torch_runner.h"
#include "engine/plan/own_parts.h"
#include "engine/plan/parts.h"

#include <sys/utsname.h>
#include <torch/version.h>

#include <algorithm>
#include <new>

#include "engine/base/format.h"
#include "engine/base/host_device.h"
#include "engine/base/kernel_files.h"
#include "engine/base/utc_now.h"
#include "engine/capture/capture_clock.h"
#include "engine/capture/conditions_sampler.h"
#include "engine/capture/range_scope.h"
#include "engine/capture/recorder.h"
#include "engine/capture/torch_observers.h"
#include "engine/plan/memory_prediction.h"
#include "engine/runner/attention.h"
#include "engine/runner/ceilings.h"
#include "engine/runner/computed_experiments.h"
#include "engine/runner/gpu.h"
#include "engine/runner/kernel_clocks.h"
#include "engine/runner/memory_snapshot.h"
#include "engine/runner/observed_ops.h"
#include "engine/runner/own_kernels.h"
#include "engine/runner/safe_point.h"
#include "engine/runner/training_run.h"

namespace warpglass {
namespace {

/// Why a run cannot even begin, found out before anything is allocated: an error for a configuration that
/// needsOvercommit() of the memory that is available. `overcommit`: a person wants it all the same.
Status refuseImpossible(const ValidConfig& config, const DeviceInfo& device, bool overcommit) {
    // The prediction takes milliseconds for a GPU, of whose run nothing is refused.
    if (config->onGpu() || overcommit)
        return {};
    const MemoryPrediction prediction = predictMemory(config);
    if (needsOvercommit(prediction, device.available))
        return Error{fitSentence(prediction, device.available)};
    return {};
}

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

/// How every sentence of a run that ran out of memory begins (engine/trace/run_info.cpp knows it by
/// that).
constexpr std::string_view kNeedsMoreMemory = "The run needs more memory than";

/// In our own numbers, which are the same events' as the recording's, and short.
std::string refusalSentence(const RefusedAllocation& refused, Bytes limit, const GpuMemory& now) {
    const std::string numbers = ": " + formatBytes(Bytes(refused.requested)) + " more were asked for, with " +
                                formatBytes(Bytes(refused.allocated)) + " allocated, " +
                                formatBytes(Bytes(refused.reserved)) + " reserved, and ";
    if (limit.value > 0 && limit < now.total)
        return std::string(kNeedsMoreMemory) + " it may take" + numbers + "a limit of " + formatBytes(limit) +
               ".";
    return std::string(kNeedsMoreMemory) + " the GPU has left" + numbers + formatBytes(now.free) +
           " of the " + formatBytes(now.total) + " free.";
}

/// The end of the sentence on memory that the host refused. LibTorch says where in its source that was, and
/// in bytes how much it was.
std::string hostRefusal(std::string_view what) {
    constexpr std::string_view kAsked = "you tried to allocate ", kSource = "[enforce fail at ";
    if (const std::size_t asked = what.find(kAsked); asked != what.npos) {
        if (const auto bytes = leadingInteger(what.substr(asked + kAsked.size())); bytes && *bytes > 0)
            return ": " + formatBytes(Bytes(*bytes)) + " more were asked for.";
    }
    if (const std::size_t end = what.find("] "); what.starts_with(kSource) && end != what.npos)
        what.remove_prefix(end + 2);
    return "; LibTorch says: " + std::string(what);
}

std::string failureSentence(const c10::Error& error) {
    const std::string what = firstLine(error.what_without_backtrace());
    if (dynamic_cast<const c10::OutOfMemoryError*>(&error)) {
        // The numbers; not the advice on LibTorch's own settings that follows them.
        return std::string(kNeedsMoreMemory) + " the GPU has left; LibTorch says: " +
               what.substr(0, what.find(" If reserved but unallocated"));
    }
    if (what.find("can't allocate memory") != std::string::npos ||
        what.find("not enough memory") != std::string::npos)
        return std::string(kNeedsMoreMemory) + " this machine gave it" + hostRefusal(what);
    return "LibTorch could not go on: " + what;
}

/// Everything between the start of the recording and its end. Never throws.
RunOutcome execute(const RunConfig& config, RunControl& control, Gpu* gpu) {
    static const RegisteredName kLoss("loss");
    const SafePointScope safePoints(control.stop);
    RunOutcome outcome;
    const auto fail = [&outcome](std::string message) {
        outcome.state = run_state::kFailed;
        outcome.message = std::move(message);
    };
    try {
        TrainingRun run(config, gpu);
        {
            const MemorySnapshotScope snapshot(gpu, control.memorySnapshot, outcome.snapshotProblem);
            run.setUp();
            const std::int64_t steps = config.warmup + config.steps;
            for (std::int64_t i = 0; i < steps; ++i) {
                control.step.store(i);
                if (const std::optional<double> loss = run.step(i)) {
                    outcome.losses.push_back(*loss);
                    recordCounter(kLoss, *loss);
                }
                ++outcome.steps;
            }
        }
        run.tearDown();
        outcome.state = run_state::kFinished;
    } catch (const StopRequested&) {
        outcome.state = run_state::kStopped;
    } catch (const c10::Error& error) {
        fail(failureSentence(error));
    } catch (const std::bad_alloc&) {
        fail(std::string(kNeedsMoreMemory) + " this machine gave it.");
    } catch (const std::exception& error) {
        fail("The run could not go on: " + firstLine(error.what()));
    }
    return outcome;
}

/// What was launched before a stop or a failure ends before anything else is asked. Work that failed on the
/// device shows in whatever LibTorch asked of it next; the device itself knows what happened, and whether
/// anything can run there again.
void settleOnDevice(Gpu* gpu, RunOutcome& outcome) {
    if (!gpu)
        return;
    if (const Status done = gpu->synchronize(); !done)
        outcome = {std::string(run_state::kFailed), done.message(), std::move(outcome.losses), outcome.steps,
                   std::move(outcome.snapshotProblem)};
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

bool runsOwnKernels(const RunConfig& config) {
    return !attentionPlan(config).is.kernels.empty() ||
           (!config.isAttention() && ownPartsText(config) != kLibraryKernels);
}

/// The implementation that will run, or why there is none. Call inside an SdpaBackendScope, with the run's
/// device chosen.
Result<std::string> chooseBackend(const RunConfig& config, const DeviceInfo& device) {
    if (runsOwnKernels(config)) {
        if (const Status usable = checkKernels(device.name); !usable)
            return usable.error();
    }
    try {
        std::string backend = attentionBackend(config, at::Device(config.device));
        if (!backend.starts_with(wantedBackend(config.attention)))
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

/// A device as a run finds it, ready to be run on.
struct ChosenDevice {
    DeviceInfo info;
    Gpu* gpu = nullptr;  // null for the CPU
    int index = -1;
};

Result<ChosenDevice> chooseDevice(const RunConfig& config, const std::vector<DeviceInfo>& devices) {
    const auto found =
        std::ranges::find_if(devices, [&](const DeviceInfo& device) { return device.id == config.device; });
    if (found == devices.end()) {
        std::string there;
        for (const DeviceInfo& device : devices)
            there += (there.empty() ? "" : ", ") + device.id;
        const LoadedGpu& loaded = loadGpu();
        const std::string why = devices.size() > 1 ? ""
                                : loaded.gpu       ? loaded.gpu->noDevice()
                                                   : loaded.problem;
        return Error{"The device \"" + config.device + "\" is not there: this machine has " + there +
                     (why.empty() ? "." : " (" + why + ").")};
    }
    ChosenDevice chosen{*found};
    if (!config.onGpu())
        return chosen;
    chosen.gpu = loadGpu().gpu;
    chosen.index = std::stoi(config.device.substr(std::string_view("cuda:").size()));
    if (Status selected = chosen.gpu->select(chosen.index, config.memoryLimit); !selected)
        return selected.error();
    return chosen;
}

/// While it lives the GPU's work is recorded.
class GpuCaptureScope {
public:
    GpuCaptureScope(Gpu* gpu, Recorded recorded) : m_gpu(gpu) {
        if (m_gpu)
            m_gpu->beginCapture(recorded);
    }
    ~GpuCaptureScope() {
        if (m_gpu)
            m_gpu->endCapture();
    }
    GpuCaptureScope(const GpuCaptureScope&) = delete;
    GpuCaptureScope& operator=(const GpuCaptureScope&) = delete;

private:
    Gpu* m_gpu;
};

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
    std::vector<DeviceInfo> all{cpu};
    if (Gpu* gpu = loadGpu().gpu) {
        for (DeviceInfo& device : gpu->devices())
            all.push_back(std::move(device));
    }
    return all;
}

Result<RunOutcome> TorchRunner::run(const ValidConfig& valid, RunControl& control,
                                    const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) {
    const BusyScope busy(m_busy);
    if (!busy.mine())
        return kBusyError;
    if (Status status = refuseImpossible(valid, hostDevice(), control.overcommit); !status)
        return status.error();
    const RunConfig& config = valid;
    const Result<ChosenDevice> device = chooseDevice(config, devices());
    if (!device)
        return device.error();
    Gpu* gpu = device->gpu;
    if (!gpu && !control.memorySnapshot.empty())
        return Error{std::string(kNoSnapshotOfCpu)};
    const SdpaBackendScope sdpa(config.attention);
    const Result<std::string> backend = chooseBackend(config, device->info);
    if (!backend)
        return backend.error();
    if (gpu)
        gpu->releaseMemory();  // so that the run's first allocation is the first there is

    ConditionsSampler conditions(HostLoadReader(), gpu ? openGpuMonitor(config.device) : nullptr);
    prepare(config, control);
    CaptureClock::calibrate();
    const GpuCaptureScope gpuCapture(gpu, config.recorded);
    Recorder::Info info = describe(config, device->info, *backend);
    if (gpu) {
        for (auto& pair : gpu->information())
            info.push_back(std::move(pair));
        info.emplace_back("capture.problem", gpu->captureProblem());
    }
    RunClocks clocks(config);
    if (const Status made = clocks.make(); !made)
        return made.error();
    if (clocks.bytes().value > 0)
        info.emplace_back("memory.kernel_clock_bytes", std::to_string(clocks.bytes().value));
    for (auto& pair : conditions.information())
        info.push_back(std::move(pair));
    info.insert(info.end(), control.information.begin(), control.information.end());
    Recorder recorder(std::move(info), gpu ? gpu->activity() : nullptr, gpu != nullptr);
    if (!config.recorded.has(Feature::kMemory))
        recorder.leaveOutMemory();
    onFeed(recorder.feed());
    try {
        recorder.start();
    } catch (const std::exception& error) {
        return Error{"The recording could not begin: " + firstLine(error.what()) + "."};
    }
    RunOutcome outcome;
    std::optional<RefusedAllocation> refused;
    {
        const TorchObservers observers(device->index, opsObserved(config.recorded),
                                       config.recorded.has(Feature::kMemory));
        conditions.start();
        outcome = execute(config, control, gpu);
        settleOnDevice(gpu, outcome);
        conditions.stop();
        refused = observers.refused();
    }
    const bool ranOut = refused && outcome.message.starts_with(kNeedsMoreMemory);
    if (ranOut && gpu)
        outcome.message = refusalSentence(*refused, config.memoryLimit, gpu->memory());
    Recorder::Info final{{"steps.completed", std::to_string(outcome.steps)},
                         {"state", outcome.state},
                         {"state.message", outcome.message}};
    if (gpu) {
        const GpuMemory memory = gpu->memory();
        final.emplace_back("allocator.peak_allocated_bytes", std::to_string(memory.peakAllocated.value));
        final.emplace_back("allocator.peak_reserved_bytes", std::to_string(memory.peakReserved.value));
        final.emplace_back("allocator.out_of_memory", std::to_string(memory.outOfMemories));
    }
    if (!outcome.snapshotProblem.empty())
        final.emplace_back("memory_snapshot.problem", outcome.snapshotProblem);
    if (ranOut) {
        final.emplace_back("allocator.request_bytes", std::to_string(refused->requested));
        final.emplace_back("allocator.allocated_bytes", std::to_string(refused->allocated));
        if (gpu)
            final.emplace_back("allocator.reserved_bytes", std::to_string(refused->reserved));
        final.emplace_back("allocator.out_of_memory_ns", std::to_string(refused->time));
    }
    Result<KernelClocksList> clocked = clocks.read();
    if (!clocked)
        final.emplace_back("kernel_clocks.problem", clocked.message());
    recorder.finish(std::move(final), clocked ? std::move(*clocked) : KernelClocksList());
    if (gpu)
        gpu->releaseMemory();
    return outcome;
}

Result<RunOutcome> TorchRunner::runUnrecorded(const ValidConfig& valid, RunControl& control) {
    const BusyScope busy(m_busy);
    if (!busy.mine())
        return kBusyError;
    if (Status status = refuseImpossible(valid, hostDevice(), control.overcommit); !status)
        return status.error();
    const RunConfig& config = valid;
    const Result<ChosenDevice> device = chooseDevice(config, devices());
    if (!device)
        return device.error();
    const SdpaBackendScope sdpa(config.attention);
    if (const Result<std::string> backend = chooseBackend(config, device->info); !backend)
        return backend.error();
    prepare(config, control);
    RunOutcome outcome = execute(config, control, device->gpu);
    settleOnDevice(device->gpu, outcome);
    if (device->gpu)
        device->gpu->releaseMemory();
    return outcome;
}

Result<DeviceCeilings> TorchRunner::measureCeilings(const std::string& device, RunControl& control) {
    const BusyScope busy(m_busy);
    if (!busy.mine())
        return kBusyError;
    RunConfig config;
    config.device = device;
    const Result<ChosenDevice> chosen = chooseDevice(config, devices());
    if (!chosen)
        return chosen.error();
    const SafePointScope safePoints(control.stop);
    Result<DeviceCeilings> measured = Error{"The measurement was stopped."};
    try {
        measured = measureCeilingsOf(chosen->info, chosen->gpu, control);
        measured->torch = torchVersion();
        measured->measured = utcNow();
    } catch (const StopRequested&) {
        // said above
    } catch (const std::exception& error) {
        measured = Error{"The ceilings of " + device + " could not be measured: " + firstLine(error.what())};
    }
    if (chosen->gpu)
        chosen->gpu->releaseMemory();
    return measured;
}

Result<std::vector<double>> TorchRunner::accumulate(const Accumulation& way) {
    try {
        return warpglass::accumulate(way);
    } catch (const std::exception& error) {
        return Error{"The sum " + accumulationWords(way) +
                     " could not be computed: " + firstLine(error.what())};
    }
}

Result<std::vector<NamedType>> TorchRunner::autocastTypes(const std::string& device, Precision precision) {
    const BusyScope busy(m_busy);
    if (!busy.mine())
        return kBusyError;
    RunConfig config;
    config.device = device;
    const Result<ChosenDevice> chosen = chooseDevice(config, devices());
    if (!chosen)
        return chosen.error();
    try {
        return warpglass::autocastTypes(at::Device(device), precision);
    } catch (const std::exception& error) {
        return Error{"The types under " + std::string(precisionName(precision)) + " autocast on " + device +
                     " are not known: " + firstLine(error.what())};
    }
}

}  // namespace warpglass

warpglass::Runner* warpglassRunner(int abi) {
    static warpglass::TorchRunner runner;
    // Before anything asks LibTorch whether it has CUDA: the answer is kept.
    warpglass::loadGpu();
    return abi == warpglass::kRunnerAbi ? &runner : nullptr;
}
