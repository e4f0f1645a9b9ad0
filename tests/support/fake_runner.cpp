#include "tests/support/fake_runner.h"

#include <thread>
#include <utility>

#include "engine/base/whole_file.h"
#include "engine/plan/memory_prediction.h"
#include "engine/trace/condition_counters.h"
#include "tests/support/synthetic_trace.h"

namespace warpglass::test {

FakeRunner::FakeRunner(FakeRunnerOptions options) : m_options(std::move(options)) {}

std::vector<DeviceInfo> FakeRunner::devices() const {
    return {{"cpu", "Synthetic CPU", Bytes(std::int64_t{16} << 30), Bytes(std::int64_t{12} << 30), 8}};
}

Result<RunOutcome> FakeRunner::run(const ValidConfig& valid, RunControl& control,
                                   const std::function<void(std::shared_ptr<TraceFeed>)>& onFeed) {
    if (!m_options.refuse.empty())
        return Error{m_options.refuse};
    if (!control.overcommit && needsOvercommit(predictMemory(valid), hostDevice().available))
        return Error{"the synthetic run does not fit, and nobody wants it all the same"};
    if (m_busy.exchange(true))
        return Error{"another run is in progress; wait for it or stop it first"};

    const RunConfig& config = valid;
    TraceWriter writer;
    if (onFeed)
        onFeed(writer.feed());
    int ops = 0;
    for (const auto& [key, value] : control.information)
        writer.setInfo(key, value);
    SyntheticRecorder recorder(writer, config, [&](Nanoseconds now) {
        if (m_options.pausePerOp.count() > 0)
            std::this_thread::sleep_for(m_options.pausePerOp);
        if (++ops % m_options.opsPerCommit == 0)
            writer.commit(now);
        return !control.stop.load();
    });
    RunOutcome outcome{std::string(run_state::kFinished), "", {}};
    control.totalSteps = config.warmup + config.steps;
    recorder.setup();
    for (std::int64_t i = 0; i < config.warmup + config.steps; ++i) {
        if (m_options.beforeStep)
            m_options.beforeStep(i);
        if (m_options.failAtStep == i) {
            outcome.state = run_state::kFailed;
            outcome.message = m_options.failMessage;
            break;
        }
        control.step = i;
        if (control.stop.load() || !recorder.step(i)) {
            outcome.state = run_state::kStopped;
            break;
        }
    }
    if (!control.memorySnapshot.empty()) {
        if (const Status written = writeWholeFile(control.memorySnapshot, "a snapshot"); !written)
            outcome.snapshotProblem = written.message();
        if (!outcome.snapshotProblem.empty())
            writer.setInfo("memory_snapshot.problem", outcome.snapshotProblem);
    }
    recorder.teardown();
    if (m_options.waitedShare) {
        const NameId waited = writer.internName(conditionCounterName(ConditionCounter::kWaited));
        writer.appendCounter(Nanoseconds(0), waited, 0);
        writer.appendCounter(recorder.now(), waited,
                             *m_options.waitedShare * static_cast<double>(recorder.now().value));
    }
    recorder.finish(outcome.state, outcome.message);
    outcome.losses = recorder.losses();
    outcome.steps = static_cast<std::int64_t>(outcome.losses.size());
    m_busy = false;
    return outcome;
}

Result<RunOutcome> FakeRunner::runUnrecorded(const ValidConfig& config, RunControl& control) {
    return run(config, control, {});
}

Result<DeviceCeilings> FakeRunner::measureCeilings(const std::string& device, RunControl& control) {
    if (device != "cpu")
        return Error{"The device \"" + device + "\" is not there: this machine has cpu."};
    control.totalSteps = 2;
    control.step = 2;
    if (control.stop)
        return Error{"The measurement was stopped."};
    return DeviceCeilings{
        .device = devices().front().name,
        .torch = m_options.version,
        .measured = "2026-01-31T15:45:00Z",
        .products = {{Precision::kFp32, 2e12, 2048, 2048, 2048}, {Precision::kBf16, 5e12, 1024, 1024, 1024}},
        .copyBytesPerSecond = 4e10,
        .copySize = Bytes(1 << 28),
        .launchNs = 812.5};
}

}  // namespace warpglass::test
