// Runs whose conditions are known: steps at fixed times, and counters as the sampler would have taken them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/trace/condition_counters.h"
#include "engine/trace/trace_writer.h"
#include "tests/support/trace_text.h"

namespace warpglass::test {

/// A run on a host with four cores: a warm-up and `measured` steps of 200 ms, one after another, and a sample
/// every 50 ms. What is not stated was not recorded.
struct MadeConditions {
    std::string device = "cpu", deviceName = "A CPU", started = "2026-01-31T15:45:00Z";
    std::int64_t measured = 4, threads = 4;
    /// On average, in the measured steps; the warm-up has none of it.
    std::optional<double> othersCores, stolenCores, waitedShare, throttledShare;
    /// By step, the warm-up is 0.
    std::function<double(std::int64_t)> smClock;
    std::uint64_t reasons = 0;
    /// What is put in besides.
    std::function<void(TraceWriter&)> besides;

    static constexpr std::int64_t kStep = 200'000'000, kInterval = 50'000'000;  // ns
};

inline std::shared_ptr<const Snapshot> makeRun(const MadeConditions& made) {
    TraceText trace;
    TraceWriter& writer = trace.writer;
    writer.setInfo("config.warmup", "1");
    writer.setInfo("config.device", made.device);
    writer.setInfo("device.name", made.deviceName);
    writer.setInfo("time.started", made.started);
    writer.setInfo("threads", std::to_string(made.threads));
    writer.setInfo(condition_key::kCores, "4");
    writer.setInfo(condition_key::kCoresAllowed, "4");
    if (made.smClock)
        writer.setInfo(condition_key::kMaxSmClock, "1980");
    writer.setInfo("state", "finished");
    writer.setInfo("steps.completed", std::to_string(made.measured + 1));
    trace.add(filled("repeat % every % | step 0 0-%", made.measured + 1, MadeConditions::kStep,
                     MadeConditions::kStep));
    const auto record = [&writer](std::int64_t time, ConditionCounter counter, double value) {
        writer.appendCounter(Nanoseconds(time), writer.internName(conditionCounterName(counter)), value);
    };
    constexpr double kOwnCores = 2;
    const std::int64_t end = (made.measured + 1) * MadeConditions::kStep;
    for (std::int64_t t = 0; t <= end; t += MadeConditions::kInterval) {
        const auto since = static_cast<double>(std::max<std::int64_t>(0, t - MadeConditions::kStep));
        const auto all = static_cast<double>(t);
        if (made.othersCores) {
            record(t, ConditionCounter::kOwnTime, 3e9 + kOwnCores * all);
            record(t, ConditionCounter::kHostBusy, 9e12 + kOwnCores * all + *made.othersCores * since);
        }
        if (made.stolenCores)
            record(t, ConditionCounter::kHostStolen, 5e9 + *made.stolenCores * since);
        if (made.waitedShare)
            record(t, ConditionCounter::kWaited, 7e6 + *made.waitedShare * since);
        if (made.throttledShare)
            record(t, ConditionCounter::kThrottled, *made.throttledShare * since);
        if (made.smClock) {
            record(t, ConditionCounter::kSmClock,
                   made.smClock(std::min(t / MadeConditions::kStep, made.measured)));
            record(t, ConditionCounter::kClockReasons, static_cast<double>(made.reasons));
        }
    }
    if (made.besides)
        made.besides(writer);
    writer.commit(Nanoseconds(end));
    return writer.feed()->latest();
}

}  // namespace warpglass::test
