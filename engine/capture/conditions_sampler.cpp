#include "engine/capture/conditions_sampler.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>

#include "engine/capture/capture_stream.h"
#include "engine/capture/name_registry.h"
#include "engine/trace/condition_counters.h"

namespace warpglass {
namespace {

/// proc/stat counts in steps of 10 ms: more often would sample noise.
constexpr std::int64_t kLeastInterval = 100'000'000;   // ns
constexpr std::int64_t kMostInterval = 1'000'000'000;  // ns
constexpr std::int64_t kShareOfRun = 100;

/// Registered once; a name's number is the same in every recording.
std::uint32_t nameOf(ConditionCounter counter) {
    static const auto names = [] {
        std::array<std::uint32_t, kConditionCounterCount> ids{};
        for (std::size_t i = 0; i < kConditionCounterCount; ++i)
            ids[i] = NameRegistry::idOf(kConditionCounterNames[i]);
        return ids;
    }();
    return names[static_cast<std::size_t>(counter)];
}

/// All counters of one moment.
class SampledMoment {
public:
    SampledMoment() : m_time(CaptureStream::instance().now()) {}

    template <class Value>
    void record(ConditionCounter counter, const std::optional<Value>& value) const {
        if (value)
            push(counter, static_cast<double>(*value));
    }
    void record(ConditionCounter counter, const std::optional<Nanoseconds>& value) const {
        if (value)
            push(counter, static_cast<double>(value->value));
    }

private:
    void push(ConditionCounter counter, double value) const {
        CaptureStream& stream = CaptureStream::instance();
        if (!stream.isOpen())
            return;
        CaptureEvent event;
        event.kind = CaptureKind::kCounter;
        event.time = m_time;
        event.value = value;
        event.name = nameOf(counter);
        stream.pushFromOutside(event);
    }

    std::int64_t m_time;
};

}  // namespace

ConditionsSampler::ConditionsSampler(HostLoadReader host, std::unique_ptr<GpuMonitor> gpu)
    : m_host(std::move(host)), m_gpu(std::move(gpu)) {}

ConditionsSampler::~ConditionsSampler() {
    stop();
}

std::vector<std::pair<std::string, std::string>> ConditionsSampler::information() const {
    std::vector<std::pair<std::string, std::string>> pairs;
    if (const std::int64_t cores = m_host.cores(); cores > 0)
        pairs.emplace_back(condition_key::kCores, std::to_string(cores));
    if (const double allowed = m_host.coresAllowed(); allowed > 0) {
        std::string text = std::to_string(allowed);  // six decimals
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.'))
            text.pop_back();
        pairs.emplace_back(condition_key::kCoresAllowed, text);
    }
    if (const auto clock = m_gpu ? m_gpu->maxSmClock() : std::nullopt)
        pairs.emplace_back(condition_key::kMaxSmClock, std::to_string(*clock));
    return pairs;
}

void ConditionsSampler::start() {
    try {
        m_thread = std::thread([this] { run(); });
    } catch (const std::system_error&) {
        return;
    }
    pthread_setname_np(m_thread.native_handle(), "wg-conditions");
}

void ConditionsSampler::stop() {
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void ConditionsSampler::run() {
    std::unique_lock lock(m_mutex);
    for (bool last = false;; last = m_stopping) {
        lock.unlock();
        sample();
        lock.lock();
        if (last)
            return;
        const std::int64_t interval =
            std::clamp(CaptureStream::instance().now() / kShareOfRun, kLeastInterval, kMostInterval);
        m_wake.wait_for(lock, std::chrono::nanoseconds(interval), [this] { return m_stopping; });
    }
}

void ConditionsSampler::sample() {
    const SampledMoment moment;
    const HostLoad host = m_host.read();
    moment.record(ConditionCounter::kHostBusy, host.busy);
    moment.record(ConditionCounter::kHostStolen, host.stolen);
    moment.record(ConditionCounter::kOwnTime, host.own);
    moment.record(ConditionCounter::kWaited, host.waited);
    moment.record(ConditionCounter::kPreempted, host.preempted);
    moment.record(ConditionCounter::kThrottled, host.throttled);
    if (!m_gpu)
        return;
    const GpuState gpu = m_gpu->read();
    moment.record(ConditionCounter::kSmClock, gpu.smClock);
    moment.record(ConditionCounter::kMemoryClock, gpu.memoryClock);
    moment.record(ConditionCounter::kClockReasons, gpu.reasons);
    moment.record(ConditionCounter::kPower, gpu.watts);
    moment.record(ConditionCounter::kTemperature, gpu.celsius);
    moment.record(ConditionCounter::kGpuProcesses, gpu.processes);
}

}  // namespace warpglass
