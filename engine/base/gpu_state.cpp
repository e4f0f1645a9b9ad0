#include "engine/base/gpu_state.h"

#include <algorithm>
#include <charconv>

#include "engine/base/nvidia_driver.h"

namespace warpglass {
namespace {

// nvml.h
constexpr unsigned kSmClock = 1;            // NVML_CLOCK_SM
constexpr unsigned kMemoryClock = 2;        // NVML_CLOCK_MEM
constexpr unsigned kSensor = 0;             // NVML_TEMPERATURE_GPU
constexpr int kDone = 0;                    // NVML_SUCCESS
constexpr int kMoreThanThereIsRoomFor = 7;  // NVML_ERROR_INSUFFICIENT_SIZE

/// nvmlProcessInfo_t of version 3.
struct NvmlProcess {
    unsigned id = 0;
    unsigned long long memory = 0;
    unsigned gpuInstance = 0, computeInstance = 0;
};
constexpr unsigned long long kUnknownMemory = ~0ull;  // NVML_VALUE_NOT_AVAILABLE
/// More come between asking how many there are and asking for them.
constexpr unsigned kMoreProcesses = 16;

class NvmlMonitor final : public GpuMonitor {
public:
    NvmlMonitor(const NvmlFunctions& functions, void* device) : m_nvml(functions), m_device(device) {}

    GpuState read() override {
        GpuState state;
        state.smClock = clock(m_nvml.clock, kSmClock);
        state.memoryClock = clock(m_nvml.clock, kMemoryClock);
        unsigned long long bits = 0;
        if (m_nvml.reasons && m_nvml.reasons(m_device, &bits) == kDone)
            state.reasons = bits;
        unsigned value = 0;
        if (m_nvml.power && m_nvml.power(m_device, &value) == kDone)
            state.watts = static_cast<double>(value) / 1000;
        if (m_nvml.temperature && m_nvml.temperature(m_device, kSensor, &value) == kDone)
            state.celsius = value;
        state.processes = countProcesses();
        return state;
    }

    std::vector<GpuProcess> processes() override {
        std::vector<GpuProcess> found;
        const std::optional<unsigned> there = countProcesses();
        if (!there || *there == 0)
            return found;
        std::vector<NvmlProcess> infos(*there + kMoreProcesses);
        auto count = static_cast<unsigned>(infos.size());
        if (m_nvml.processes(m_device, &count, infos.data()) != kDone)
            return found;
        infos.resize(std::min<std::size_t>(count, infos.size()));
        for (const NvmlProcess& info : infos) {
            found.push_back({static_cast<std::int64_t>(info.id), std::nullopt});
            if (info.memory != kUnknownMemory)
                found.back().memory = static_cast<std::int64_t>(info.memory);
        }
        return found;
    }

    std::optional<std::int64_t> maxSmClock() override { return clock(m_nvml.maxClock, kSmClock); }

private:
    /// Without room for their descriptions it gives how many there are.
    std::optional<unsigned> countProcesses() const {
        unsigned count = 0;
        const int answer = m_nvml.processes ? m_nvml.processes(m_device, &count, nullptr) : -1;
        return answer == kMoreThanThereIsRoomFor || answer == kDone ? std::optional(count) : std::nullopt;
    }

    std::optional<std::int64_t> clock(int (*function)(void*, unsigned, unsigned*), unsigned type) const {
        unsigned mhz = 0;
        if (!function || function(m_device, type, &mhz) != kDone)
            return std::nullopt;
        return mhz;
    }

    NvmlFunctions m_nvml;
    void* m_device;
};

}  // namespace

std::string clockReasonsInWords(std::uint64_t reasons) {
    std::string words;
    for (const ClockReason& reason : kClockReasons) {
        if ((reasons & reason.bit) != 0)
            words.append(words.empty() ? "" : ", ").append(reason.name);
    }
    return words;
}

std::uint64_t holdingDown(std::uint64_t reasons) {
    std::uint64_t holding = 0;
    for (const ClockReason& reason : kClockReasons)
        holding |= reason.holdsDown ? reasons & reason.bit : 0;
    return holding;
}

std::unique_ptr<GpuMonitor> makeGpuMonitor(const NvmlFunctions& functions, void* device) {
    return std::make_unique<NvmlMonitor>(functions, device);
}

std::unique_ptr<GpuMonitor> openGpuMonitor(std::string_view device) {
    constexpr std::string_view kPrefix = "cuda:";
    if (!device.starts_with(kPrefix))
        return nullptr;
    int index = -1;
    std::from_chars(device.data() + kPrefix.size(), device.data() + device.size(), index);
    const NvidiaDriver& driver = nvidiaDriver();
    void* handle = index >= 0 ? driver.managedDevice(index) : nullptr;
    if (!handle)
        return nullptr;
    const auto find = [&driver]<class Function>(Function& function, const char* name,
                                                const char* before = nullptr) {
        function = driver.nvmlFunction<Function>(name);
        if (!function && before)
            function = driver.nvmlFunction<Function>(before);
    };
    NvmlFunctions nvml;
    find(nvml.clock, "nvmlDeviceGetClockInfo");
    find(nvml.maxClock, "nvmlDeviceGetMaxClockInfo");
    find(nvml.reasons, "nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons");
    find(nvml.power, "nvmlDeviceGetPowerUsage");
    find(nvml.temperature, "nvmlDeviceGetTemperature");
    find(nvml.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    return makeGpuMonitor(nvml, handle);
}

}  // namespace warpglass
