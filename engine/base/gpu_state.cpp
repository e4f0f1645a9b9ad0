#include "engine/base/gpu_state.h"

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
        // Without room for their descriptions it gives how many there are.
        unsigned count = 0;
        const int answer = m_nvml.processes ? m_nvml.processes(m_device, &count, nullptr) : -1;
        if (answer == kMoreThanThereIsRoomFor || answer == kDone)
            state.processes = count;
        return state;
    }

    std::optional<std::int64_t> maxSmClock() override { return clock(m_nvml.maxClock, kSmClock); }

private:
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
